// SPDX-License-Identifier: BSD-3-Clause
// Memory from the pool of a stream: the array may have the same address in each round.
#include "program.h"

enum { N = 128, BLOCK = 32, BLOCKS = N / BLOCK, ROUNDS = 3 };

extern "C" __global__ void fill(int *x, int round)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    x[i] = i * round;
}

extern "C" __global__ void take(const int *x, int *sums)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    sums[i] += x[N - 1 - i];
}

int main()
{
    int *sums = device<int>("sums", N);
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaDeviceSynchronize()); // sums is zero now
    for (int round = 0; round < ROUNDS; round++) {
        int *x;
        CUDA(cudaMallocAsync(&x, N * sizeof *x, stream));
        fill<<<BLOCKS, BLOCK, 0, stream>>>(x, round);
        take<<<BLOCKS, BLOCK, 0, stream>>>(x, sums);
        CUDA(cudaFreeAsync(x, stream));
    }
    CUDA(cudaStreamSynchronize(stream));
    check("sums", sums, N, [](int i) { return (N - 1 - i) * ROUNDS * (ROUNDS - 1) / 2; });
    CUDA(cudaStreamDestroy(stream));
    return finish();
}
