// SPDX-License-Identifier: BSD-3-Clause
// A matrix product with tiles in shared memory.
#include "program.h"

enum { N = 32, TILE = 8, TILES = N / TILE };

extern "C" __global__ void fill(int *a, int *b)
{
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    a[row * N + column] = row + 2 * column;
    b[row * N + column] = row - column;
}

extern "C" __global__ void matmul(const int *a, const int *b, int *c)
{
    __shared__ int as[TILE][TILE], bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    int sum = 0;
    for (int k = 0; k < N; k += TILE) {
        as[ty][tx] = a[row * N + k + tx];
        bs[ty][tx] = b[(k + ty) * N + column];
        __syncthreads();
        for (int i = 0; i < TILE; i++) {
            sum += as[ty][i] * bs[i][tx];
        }
        __syncthreads();
    }
    c[row * N + column] = sum;
}

int main()
{
    int *a = device<int>("a", N * N), *b = device<int>("b", N * N), *c = device<int>("c", N * N);
    dim3 grid(TILES, TILES), block(TILE, TILE);
    fill<<<grid, block>>>(a, b);
    matmul<<<grid, block>>>(a, b, c);
    check("c", c, N * N, [](int i) {
        int expected = 0;
        for (int k = 0; k < N; k++) {
            expected += (i / N + 2 * k) * (k - i % N);
        }
        return expected;
    });
    return finish();
}
