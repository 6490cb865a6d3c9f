// SPDX-License-Identifier: BSD-3-Clause
// A five-point stencil with halos: memsim's workload "stencil" with 4 x 4 CTAs, tiles of 4 x 4 cells, 4 rounds.
#include "program.h"

enum { C = 4, E = 4, W = C * E, ROUNDS = 4 };

extern "C" __global__ void stencil(const unsigned *from, unsigned *to)
{
    __shared__ unsigned tile[E + 2][E + 2];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * E + tx, y = blockIdx.y * E + ty;
    tile[ty + 1][tx + 1] = from[y * W + x];
    if (tx == 0) {
        tile[ty + 1][0] = x > 0 ? from[y * W + x - 1] : 0;
    }
    if (tx == E - 1) {
        tile[ty + 1][E + 1] = x + 1 < W ? from[y * W + x + 1] : 0;
    }
    if (ty == 0) {
        tile[0][tx + 1] = y > 0 ? from[(y - 1) * W + x] : 0;
    }
    if (ty == E - 1) {
        tile[E + 1][tx + 1] = y + 1 < W ? from[(y + 1) * W + x] : 0;
    }
    __syncthreads();
    to[y * W + x] = 2 * tile[ty + 1][tx + 1] + tile[ty + 1][tx] + tile[ty + 1][tx + 2] +
                    tile[ty][tx + 1] + tile[ty + 2][tx + 1];
}

static unsigned at(const std::vector<unsigned> &v, int x, int y)
{
    return x < 0 || y < 0 || x >= W || y >= W ? 0 : v[y * W + x];
}

int main()
{
    std::vector<unsigned> expected(W * W), next(W * W);
    for (int i = 0; i < W * W; i++) {
        expected[i] = i * i % 31;
    }
    unsigned *arrays[2] = {device<unsigned>("even", expected), device<unsigned>("odd", W * W)};
    for (int round = 0; round < ROUNDS; round++) {
        stencil<<<dim3(C, C), dim3(E, E)>>>(arrays[round % 2], arrays[1 - round % 2]);
        for (int i = 0; i < W * W; i++) {
            int x = i % W, y = i / W;
            next[i] = 2 * expected[i] + at(expected, x - 1, y) + at(expected, x + 1, y) +
                      at(expected, x, y - 1) + at(expected, x, y + 1);
        }
        expected = next;
    }
    check("cell", arrays[ROUNDS % 2], W * W, [&](int i) { return expected[i]; });
    return finish();
}
