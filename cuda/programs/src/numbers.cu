// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic on floating-point numbers of 64, 32 and 16 bits.
#include "program.h"
#include <cuda_fp16.h>

enum { N = 128, BLOCK = 32, BLOCKS = N / BLOCK };

extern "C" __global__ void fill(double *d, float *f, __half *h)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    d[i] = i * 0.25;
    f[i] = 2.0f / (1 << (i % 8));
    h[i] = __float2half((float)i);
}

extern "C" __global__ void doubles(const double *d, const float *f, double *result)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, j = N - 1 - i;
    double x = d[j];
    result[i] = sqrt(x * x) * f[j] + floor(x) - fmin(x, 3.0) / 2 + (double)(long long)(x * 8);
}

extern "C" __global__ void halves(const __half2 *h, __half2 *result)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < N / 2) {
        __half2 two = __float2half2_rn(2.0f);
        result[i] = __hfma2(h[N / 2 - 1 - i], two, __float2half2_rn(1.0f));
    }
}

int main()
{
    double *d = device<double>("d", N), *result = device<double>("result", N);
    float *f = device<float>("f", N);
    __half *h = device<__half>("h", N), *h2 = device<__half>("h2", N);
    fill<<<BLOCKS, BLOCK>>>(d, f, h);
    doubles<<<BLOCKS, BLOCK>>>(d, f, result);
    halves<<<BLOCKS, BLOCK>>>((const __half2 *)h, (__half2 *)h2);
    std::vector<double> r = host(result, N);
    std::vector<__half> s = host(h2, N);
    for (int i = 0; i < N; i++) {
        int j = N - 1 - i, k = 2 * (N / 2 - 1 - i / 2) + i % 2;
        double x = j * 0.25, y = 2.0f / (1 << (j % 8));
        same("doubles", i, r[i],
             x * y + (long long)x - (x < 3 ? x : 3) / 2 + (double)(long long)(x * 8));
        same<float>("halves", i, __half2float(s[i]), 2 * k + 1);
    }
    return finish();
}
