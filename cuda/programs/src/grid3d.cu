// SPDX-License-Identifier: BSD-3-Clause
// Grids and CTAs of three dimensions: each CTA loads the boxes above it and to its right.
#include "program.h"

enum { GX = 2, GY = 3, GZ = 2, BX = 4, BY = 2, BZ = 2, X = GX * BX, Y = GY * BY, Z = GZ * BZ };

static __device__ int place(int x, int y, int z)
{
    return (z % Z * Y + y % Y) * X + x % X;
}

extern "C" __global__ void fill(int *a)
{
    int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y,
        z = blockIdx.z * BZ + threadIdx.z;
    a[place(x, y, z)] = (z * Y + y) * X + x;
}

extern "C" __global__ void neighbours(const int *a, int *b)
{
    int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y,
        z = blockIdx.z * BZ + threadIdx.z;
    b[place(x, y, z)] = a[place(x, y, z + BZ)] - a[place(x + BX, y, z)];
}

int main()
{
    int *a = device<int>("a", X * Y * Z), *b = device<int>("b", X * Y * Z);
    dim3 grid(GX, GY, GZ), block(BX, BY, BZ);
    fill<<<grid, block>>>(a);
    neighbours<<<grid, block>>>(a, b);
    check("b", b, X * Y * Z, [](int i) {
        int x = i % X, y = i / X % Y, z = i / X / Y;
        int above = ((z + BZ) % Z * Y + y) * X + x, right = (z * Y + y) * X + (x + BX) % X;
        return above - right;
    });
    return finish();
}
