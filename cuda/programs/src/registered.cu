// SPDX-License-Identifier: BSD-3-Clause
// Kernels access memory of the host that the program has registered, and a matrix that went through an array.
#include "program.h"

enum { C = 4, E = 32, N = C * E };

FILL(int, E, 3 * i)

extern "C" __global__ void add(const int *x, const int *rows, int *sums)
{
    int i = blockIdx.x * E + threadIdx.x;
    sums[i] = x[N - 1 - i] + rows[i];
}

int main()
{
    std::vector<int> memory(N);
    int *x, *rows = device<int>("rows", N), *sums = device<int>("sums", N);
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CUDA(cudaHostRegister(memory.data(), N * sizeof(int), cudaHostRegisterMapped));
    CUDA(cudaHostGetDevicePointer((void **)&x, memory.data(), 0));
    report("x", x, N * sizeof(int));
    fill<<<C, E>>>(x);
    CUDA(cudaDeviceSynchronize());
    // Rows of the array change their places: block b becomes block b + 1.
    CUDA(cudaMallocArray(&array, &channels, E, C));
    CUDA(cudaMemcpy2DToArray(array, 0, 0, x, E * sizeof(int), E * sizeof(int), C,
                             cudaMemcpyDefault));
    for (int b = 0; b < C; b++) {
        CUDA(cudaMemcpy2DFromArray(rows + (b + 1) % C * E, E * sizeof(int), array, 0, b,
                                   E * sizeof(int), 1, cudaMemcpyDeviceToDevice));
    }
    add<<<C, E>>>(x, rows, sums);
    for (int i = 0; i < N; i++) {
        same("x", i, memory[i], 3 * i);
    }
    check("sums", sums, N, [](int i) { return 3 * (N - 1 - i) + 3 * ((i + N - E) % N); });
    CUDA(cudaHostUnregister(memory.data()));
    CUDA(cudaFreeArray(array));
    return finish();
}
