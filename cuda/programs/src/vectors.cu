// SPDX-License-Identifier: BSD-3-Clause
// Vector types: kernels store 16 bytes at once, and load them in pieces of 16, 8, 4 and 2 bytes.
#include "program.h"

enum { N = 128, BLOCK = 32, BLOCKS = N / BLOCK };

extern "C" __global__ void fill(float4 *x, int4 *n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    x[i] = make_float4(i, i + 1, i + 2, i + 3);
    n[i] = make_int4(i, -i, 2 * i, 0x10001 * i);
}

extern "C" __global__ void twice(const float4 *x, float4 *y)
{
    int i = N - 1 - (blockIdx.x * BLOCK + threadIdx.x);
    float4 v = x[i];
    y[i] = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
}

extern "C" __global__ void halves(const float2 *y, double2 *sums)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float2 a = y[2 * i], b = y[2 * i + 1];
    sums[i] = make_double2(a.x + a.y, b.x + b.y);
}

extern "C" __global__ void small(const int *n, const short2 *pairs, long long *sums)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    short2 pair = pairs[4 * i + 3];
    sums[i] = n[4 * i] + n[4 * i + 1] + pair.x - pair.y;
}

int main()
{
    float4 *x = device<float4>("x", N), *y = device<float4>("y", N);
    int4 *n = device<int4>("n", N);
    double2 *sums = device<double2>("sums", N);
    long long *totals = device<long long>("totals", N);
    fill<<<BLOCKS, BLOCK>>>(x, n);
    twice<<<BLOCKS, BLOCK>>>(x, y);
    halves<<<BLOCKS, BLOCK>>>((const float2 *)y, sums);
    small<<<BLOCKS, BLOCK>>>((const int *)n, (const short2 *)n, totals);
    std::vector<double2> result = host(sums, N);
    for (int i = 0; i < N; i++) {
        same<double>("sums.x", i, result[i].x, 4 * i + 2);
        same<double>("sums.y", i, result[i].y, 4 * i + 10);
    }
    check("totals", totals, N, [](int i) { return 0; });
    return finish();
}
