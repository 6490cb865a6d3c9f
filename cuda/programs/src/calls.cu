// SPDX-License-Identifier: BSD-3-Clause
// Calls: functions that are not inlined, and pointers to functions in a table in global memory.
#include "program.h"

enum { N = 96, BLOCK = 32, BLOCKS = N / BLOCK };

typedef int (*operation)(const int *, int);

static __device__ __noinline__ int load_next(const int *x, int i)
{
    return x[(i + 1) % N];
}

static __device__ __noinline__ int load_twice(const int *x, int i)
{
    return 2 * load_next(x, i);
}

static __device__ __noinline__ int negate(const int *x, int i)
{
    return -x[i];
}

__device__ operation table[BLOCKS] = {load_next, load_twice, negate};

FILL(int, BLOCK, i + 1)

extern "C" __global__ void apply(const int *x, int *y)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    y[i] = table[blockIdx.x](x, i);
}

int main()
{
    void *at;
    CUDA(cudaGetSymbolAddress(&at, table));
    report("table", at, sizeof table);
    int *x = device<int>("x", N), *y = device<int>("y", N);
    fill<<<BLOCKS, BLOCK>>>(x);
    apply<<<BLOCKS, BLOCK>>>(x, y);
    check("y", y, N, [](int i) {
        int next = (i + 1) % N + 1;
        return i < BLOCK ? next : i < 2 * BLOCK ? 2 * next : -(i + 1);
    });
    return finish();
}
