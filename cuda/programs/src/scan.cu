// SPDX-License-Identifier: BSD-3-Clause
// Prefix sums: one kernel scans within CTAs, one scans the CTAs' sums, one adds the two results.
#include "program.h"

enum { N = 1024, BLOCK = 128, BLOCKS = N / BLOCK };

static __device__ int scan(int *values, int count, int t, int x)
{
    values[t] = x;
    __syncthreads();
    for (int distance = 1; distance < count; distance *= 2) {
        int left = t >= distance ? values[t - distance] : 0;
        __syncthreads();
        values[t] += left;
        __syncthreads();
    }
    return values[t];
}

extern "C" __global__ void scan_blocks(const int *x, int *y, int *sums)
{
    __shared__ int values[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    int sum = scan(values, BLOCK, t, x[i]);
    y[i] = sum;
    if (t == BLOCK - 1) {
        sums[blockIdx.x] = sum;
    }
}

extern "C" __global__ void scan_sums(int *sums)
{
    __shared__ int values[BLOCKS];
    int t = threadIdx.x;
    sums[t] = scan(values, BLOCKS, t, sums[t]);
}

extern "C" __global__ void add_sums(const int *sums, int *y)
{
    if (blockIdx.x > 0) {
        y[blockIdx.x * BLOCK + threadIdx.x] += sums[blockIdx.x - 1];
    }
}

int main()
{
    auto value = [](int i) { return i % 13 - 5; };
    int *from = device<int>("x", N, value), *y = device<int>("y", N), *sums = device<int>("sums", BLOCKS);
    scan_blocks<<<BLOCKS, BLOCK>>>(from, y, sums);
    scan_sums<<<1, BLOCKS>>>(sums);
    add_sums<<<BLOCKS, BLOCK>>>(sums, y);
    int sum = 0;
    check("y", y, N, [&](int i) { return sum += value(i); });
    return finish();
}
