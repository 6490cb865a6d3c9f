// SPDX-License-Identifier: BSD-3-Clause
// Managed memory: host and device use the same addresses. Only accesses by the device are traced.
#include "program.h"

enum { N = 128, BLOCK = 32, BLOCKS = N / BLOCK };

__managed__ int factor = 2;

FILL(int, BLOCK, i)

extern "C" __global__ void times(int *x)
{
    int i = N - 1 - (blockIdx.x * BLOCK + threadIdx.x);
    x[i] *= factor;
}

int main()
{
    int *x;
    CUDA(cudaMallocManaged(&x, N * sizeof *x));
    report("x", x, N * sizeof *x);
    report("factor", &factor, sizeof factor);
    fill<<<BLOCKS, BLOCK>>>(x);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++) {
        x[i] += 1; // an access by the host, which is not traced
    }
    factor = 3;
    times<<<BLOCKS, BLOCK>>>(x);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++) {
        same("x", i, x[i], 3 * (i + 1));
    }
    CUDA(cudaFree(x));
    return finish();
}
