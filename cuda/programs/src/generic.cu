// SPDX-License-Identifier: BSD-3-Clause
// Generic addresses: one function loads and stores in global, shared and local memory. Only global accesses
// are traced.
#include "program.h"

enum { N = 128, BLOCK = 32, BLOCKS = N / BLOCK };

static __device__ __noinline__ int both(const int *a, const int *b)
{
    return *a + *b;
}

static __device__ __noinline__ void put(int *to, int value)
{
    *to = value;
}

extern "C" __global__ void fill(int *x)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    put(x + i, i);
}

extern "C" __global__ void mix(const int *x, int *y)
{
    __shared__ int shared[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t, local[2];
    put(shared + (t + 1) % BLOCK, 1000);
    put(local + (t & 1), 1);
    put(local + 1 - (t & 1), 2);
    __syncthreads();
    const int *some = t % 4 == 0 ? x + (i + BLOCK) % N : t % 4 == 1 ? shared + t : local + (t & 1);
    put(y + i, both(some, local + 1 - (t & 1)));
}

int main()
{
    int *x = device<int>("x", N), *y = device<int>("y", N);
    fill<<<BLOCKS, BLOCK>>>(x);
    mix<<<BLOCKS, BLOCK>>>(x, y);
    check("y", y, N, [](int i) {
        int t = i % BLOCK;
        return 2 + (t % 4 == 0 ? (i + BLOCK) % N : t % 4 == 1 ? 1000 : 1);
    });
    return finish();
}
