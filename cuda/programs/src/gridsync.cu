// SPDX-License-Identifier: BSD-3-Clause
// A barrier of the whole grid: each CTA loads what its neighbour stored in the previous round.
#include "program.h"
#include <cooperative_groups.h>

enum { BLOCK = 32, BLOCKS = 4, N = BLOCK * BLOCKS, ROUNDS = 3 };

extern "C" __global__ void ring(double *even, double *odd)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int i = blockIdx.x * BLOCK + threadIdx.x;
    even[i] = i;
    for (int round = 0; round < ROUNDS; round++) {
        grid.sync();
        double *from = round % 2 == 0 ? even : odd, *to = round % 2 == 0 ? odd : even;
        to[i] = from[(i + BLOCK) % N] + 1;
    }
}

int main()
{
    double *even = device<double>("even", N), *odd = device<double>("odd", N);
    void *arguments[] = {&even, &odd};
    CUDA(cudaLaunchCooperativeKernel((const void *)ring, dim3(BLOCKS), dim3(BLOCK), arguments, 0, 0));
    check("ring", ROUNDS % 2 == 0 ? even : odd, N, [](int i) { return (i + ROUNDS * BLOCK) % N + ROUNDS; });
    return finish();
}
