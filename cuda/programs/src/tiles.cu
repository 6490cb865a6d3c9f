// SPDX-License-Identifier: BSD-3-Clause
// Cooperative groups: tiles of eight threads, and one atomic addition for all threads in a branch.
#include "program.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { N = 256, BLOCK = 64, BLOCKS = N / BLOCK, TILE = 8 };

extern "C" __global__ void tiles(const int *x, int *sums, int *taken)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<TILE> tile = cg::tiled_partition<TILE>(block);
    int i = blockIdx.x * BLOCK + block.thread_rank(), sum = x[i];
    for (int distance = TILE / 2; distance > 0; distance /= 2) {
        sum += tile.shfl_down(sum, distance);
    }
    if (tile.thread_rank() == 0) {
        sums[i / TILE] = sum;
    }
    block.sync();
    if (threadIdx.x % 4 == 1) {
        cg::coalesced_group active = cg::coalesced_threads();
        if (active.thread_rank() == 0) {
            atomicAdd(taken, (int)active.size());
        }
    }
}

extern "C" __global__ void last(const int *sums, int *total)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    int sum = sums[threadIdx.x];
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += warp.shfl_xor(sum, distance);
    }
    if (warp.all(sum >= 0) && threadIdx.x == 0) {
        *total = sum;
    }
}

int main()
{
    int expected = 0;
    int *values = device<int>("x", N, [&](int i) {
        expected += i % 11;
        return i % 11;
    });
    int *sums = device<int>("sums", N / TILE);
    int *taken = device<int>("taken", 1), *total = device<int>("total", 1);
    tiles<<<BLOCKS, BLOCK>>>(values, sums, taken);
    last<<<1, N / TILE>>>(sums, total);
    same("total", 0, host(total, 1)[0], expected);
    same("taken", 0, host(taken, 1)[0], N / 4);
    return finish();
}
