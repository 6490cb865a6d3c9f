// SPDX-License-Identifier: BSD-3-Clause
// A sum: each CTA adds its values by a tree in shared memory; another kernel adds the CTAs' sums.
#include "program.h"

enum { N = 2048, BLOCK = 128, FILLERS = N / BLOCK, PARTS = N / BLOCK / 2 };

FILL(int, BLOCK, i % 7 - 3)

extern "C" __global__ void partial(const int *x, int *parts)
{
    __shared__ int sums[BLOCK];
    int t = threadIdx.x, first = blockIdx.x * 2 * BLOCK + t;
    sums[t] = x[first] + x[first + BLOCK];
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half) {
            sums[t] += sums[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        parts[blockIdx.x] = sums[0];
    }
}

extern "C" __global__ void total(const int *parts, int *sum)
{
    __shared__ int values[PARTS];
    values[threadIdx.x] = parts[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        int s = 0;
        for (int i = 0; i < PARTS; i++) {
            s += values[i];
        }
        *sum = s;
    }
}

int main()
{
    int *x = device<int>("x", N), *parts = device<int>("parts", PARTS), *sum = device<int>("sum", 1);
    fill<<<FILLERS, BLOCK>>>(x);
    partial<<<PARTS, BLOCK>>>(x, parts);
    total<<<1, PARTS>>>(parts, sum);
    int expected = 0;
    for (int i = 0; i < N; i++) {
        expected += i % 7 - 3;
    }
    same("sum", 0, host(sum, 1)[0], expected);
    return finish();
}
