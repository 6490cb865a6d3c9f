// SPDX-License-Identifier: BSD-3-Clause
// y = a x + y, twice. The number of elements is not a multiple of the CTA size.
#include "program.h"

enum { N = 1000, BLOCK = 64, GRID = (N + BLOCK - 1) / BLOCK };

extern "C" __global__ void fill(float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        x[i] = i;
        y[i] = 1;
    }
}

extern "C" __global__ void saxpy(float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        y[i] = a * x[i] + y[i];
    }
}

int main()
{
    float *x = device<float>("x", N), *y = device<float>("y", N);
    fill<<<GRID, BLOCK>>>(x, y);
    saxpy<<<GRID, BLOCK>>>(2, x, y);
    saxpy<<<GRID, BLOCK>>>(3, x, y);
    check("y", y, N, [](int i) { return 5 * i + 1; });
    return finish();
}
