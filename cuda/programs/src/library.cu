// SPDX-License-Identifier: BSD-3-Clause
// A library of the CUDA toolkit: CUB computes sums and prefix sums within CTAs.
#include "program.h"
#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

enum { BLOCK = 64, BLOCKS = 4, N = BLOCK * BLOCKS };

FILL(int, BLOCK, i % 5)

extern "C" __global__ void blocks(const int *x, int *prefixes, int *sums)
{
    typedef cub::BlockReduce<int, BLOCK> reduce;
    typedef cub::BlockScan<int, BLOCK> scan;
    __shared__ union {
        reduce::TempStorage reduce;
        scan::TempStorage scan;
    } memory;
    int i = N - 1 - (blockIdx.x * BLOCK + threadIdx.x), value = x[i], prefix;
    int sum = reduce(memory.reduce).Sum(value);
    __syncthreads();
    scan(memory.scan).InclusiveSum(value, prefix);
    prefixes[i] = prefix;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
    }
}

int main()
{
    int *x = device<int>("x", N), *prefixes = device<int>("prefixes", N);
    int *sums = device<int>("sums", BLOCKS);
    fill<<<BLOCKS, BLOCK>>>(x);
    blocks<<<BLOCKS, BLOCK>>>(x, prefixes, sums);
    std::vector<int> p = host(prefixes, N), s = host(sums, BLOCKS);
    for (int block = 0; block < BLOCKS; block++) {
        int sum = 0;
        for (int t = 0; t < BLOCK; t++) {
            int i = N - 1 - (block * BLOCK + t);
            sum += i % 5;
            same("prefixes", i, p[i], sum);
        }
        same("sums", block, s[block], sum);
    }
    return finish();
}
