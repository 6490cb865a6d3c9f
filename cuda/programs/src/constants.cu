// SPDX-License-Identifier: BSD-3-Clause
// Variables of the module in constant and in global memory, and a function that reads both through pointers.
#include "program.h"

enum { N = 128, BLOCK = 32, BLOCKS = N / BLOCK, TERMS = 4 };

__constant__ int coefficients[TERMS] = {1, 2, 3, 4};
__device__ int table[TERMS] = {40, 30, 20, 10};
__device__ unsigned count;

static __device__ __noinline__ int polynomial(const int *c, int x)
{
    int y = 0;
    for (int i = 0; i < TERMS; i++) {
        y = y * x + c[i];
    }
    return y;
}

extern "C" __global__ void change(int by)
{
    table[threadIdx.x] += by;
}

extern "C" __global__ void apply(int *y)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    y[i] = polynomial(blockIdx.x % 2 == 0 ? coefficients : table, i % 8);
    if (threadIdx.x == 0) {
        atomicAdd(&count, 1u);
    }
}

int main()
{
    void *at;
    CUDA(cudaGetSymbolAddress(&at, table));
    report("table", at, sizeof table);
    CUDA(cudaGetSymbolAddress(&at, count));
    report("count", at, sizeof count);
    int changed[TERMS] = {5, 6, 7, 8}, seen[TERMS];
    CUDA(cudaMemcpyToSymbol(coefficients, changed, sizeof changed));
    int *y = device<int>("y", N);
    change<<<1, TERMS>>>(1);
    apply<<<BLOCKS, BLOCK>>>(y);
    CUDA(cudaMemcpyFromSymbol(seen, table, sizeof seen));
    check("y", y, N, [&](int i) {
        const int *c = i / BLOCK % 2 == 0 ? changed : seen;
        int x = i % 8;
        return ((c[0] * x + c[1]) * x + c[2]) * x + c[3];
    });
    for (int i = 0; i < TERMS; i++) {
        same("table", i, seen[i], 41 - 10 * i);
    }
    unsigned calls;
    CUDA(cudaMemcpyFromSymbol(&calls, count, sizeof calls));
    same<unsigned>("count", 0, calls, BLOCKS);
    return finish();
}
