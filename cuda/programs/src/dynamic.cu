// SPDX-License-Identifier: BSD-3-Clause
// Dynamic shared memory: one block of memory for two arrays, with more than 48 KiB in one of the launches.
#include "program.h"

enum { N = 256, BLOCK = 64, BLOCKS = N / BLOCK, MUCH = 50 * 1024 };

extern __shared__ int memory[];

extern "C" __global__ void rotate(const int *x, int *y, int by, int apart)
{
    int *first = memory, *second = memory + apart;
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    first[t] = x[i];
    second[(t + by) % BLOCK] = 1;
    __syncthreads();
    y[i] = first[(t + by) % BLOCK] + second[t];
}

int main()
{
    int *x = device<int>("x", N, [](int i) { return i; }), *y = device<int>("y", N);
    CUDA(cudaFuncSetAttribute(rotate, cudaFuncAttributeMaxDynamicSharedMemorySize, MUCH));
    rotate<<<BLOCKS, BLOCK, 2 * BLOCK * sizeof(int)>>>(x, y, 1, BLOCK);
    rotate<<<BLOCKS, BLOCK, MUCH>>>(y, x, 2, MUCH / sizeof(int) - BLOCK);
    check("x", x, N, [](int i) { return i / BLOCK * BLOCK + (i % BLOCK + 3) % BLOCK + 2; });
    return finish();
}
