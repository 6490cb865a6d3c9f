// SPDX-License-Identifier: BSD-3-Clause
// Recursion: sums over the subtrees of a binary tree in an array. Node i has the children 2 i + 1 and 2 i + 2.
#include "program.h"

enum { NODES = 255, ROOTS = 16, BLOCK = 8, BLOCKS = ROOTS / BLOCK, PLANTERS = 4 };

extern "C" __global__ void plant(int *nodes)
{
    for (int i = blockIdx.x * 16 + threadIdx.x; i < NODES; i += PLANTERS * 16) {
        nodes[i] = i;
    }
}

static __device__ __noinline__ int sum(const int *nodes, int i)
{
    return i >= NODES ? 0 : nodes[i] + sum(nodes, 2 * i + 1) + sum(nodes, 2 * i + 2);
}

extern "C" __global__ void harvest(const int *nodes, int *sums)
{
    int t = blockIdx.x * BLOCK + threadIdx.x;
    sums[t] = sum(nodes, ROOTS - 1 + t);
}

static int expected(int i)
{
    return i >= NODES ? 0 : i + expected(2 * i + 1) + expected(2 * i + 2);
}

int main()
{
    int *nodes = device<int>("nodes", NODES), *sums = device<int>("sums", ROOTS);
    plant<<<PLANTERS, 16>>>(nodes);
    harvest<<<BLOCKS, BLOCK>>>(nodes, sums);
    check("sums", sums, ROOTS, [](int i) { return expected(ROOTS - 1 + i); });
    return finish();
}
