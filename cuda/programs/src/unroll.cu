// SPDX-License-Identifier: BSD-3-Clause
// Unrolled loops: one with eight iterations per thread, and one whose number of iterations is not a multiple of four.
#include "program.h"

enum { N = 1000, BLOCK = 32, BLOCKS = 4, PER_THREAD = 8 };

extern "C" __global__ void fill(int *x)
{
    int first = blockIdx.x * BLOCK * PER_THREAD + threadIdx.x;
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++) {
        int i = first + k * BLOCK;
        if (i < N) {
            x[i] = 3 * i;
        }
    }
}

extern "C" __global__ void sums(const int *x, int n, int *y)
{
    int t = blockIdx.x * BLOCK + threadIdx.x, sum = 0;
#pragma unroll 4
    for (int i = t; i < n; i += BLOCK * BLOCKS) {
        sum += x[i];
    }
    y[t] = sum;
}

int main()
{
    int *x = device<int>("x", N), *y = device<int>("y", BLOCK * BLOCKS);
    fill<<<BLOCKS, BLOCK>>>(x);
    sums<<<BLOCKS, BLOCK>>>(x, N, y);
    check("y", y, BLOCK * BLOCKS, [](int t) {
        int expected = 0;
        for (int i = t; i < N; i += BLOCK * BLOCKS) {
            expected += 3 * i;
        }
        return expected;
    });
    return finish();
}
