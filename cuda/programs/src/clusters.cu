// SPDX-License-Identifier: BSD-3-Clause
// Clusters of four CTAs: each adds up what the others hold in shared memory, and counts in that of the first. For sm_90.
#include "program.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { BLOCK = 32, CTAS = 8, CLUSTER = 4, N = BLOCK * CTAS };

FILL(int, BLOCK, 3 * i)

extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) share(const int *x, int *sums, int *counts)
{
    __shared__ int mine[BLOCK], count;
    cg::cluster_group cluster = cg::this_cluster();
    int i = blockIdx.x * BLOCK + threadIdx.x, sum = 0;
    mine[threadIdx.x] = x[i];
    if (threadIdx.x == 0) {
        count = 0;
    }
    cluster.sync();
    for (unsigned rank = 0; rank < cluster.num_blocks(); rank++) {
        sum += cluster.map_shared_rank(mine, rank)[threadIdx.x];
    }
    atomicAdd(cluster.map_shared_rank(&count, 0), 1);
    sums[i] = sum;
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        counts[blockIdx.x / CLUSTER] = count;
    }
}

int main()
{
    int *x = device<int>("x", N), *sums = device<int>("sums", N), *counts = device<int>("counts", CTAS / CLUSTER);
    fill<<<CTAS, BLOCK>>>(x);
    share<<<CTAS, BLOCK>>>(x, sums, counts);
    check("sums", sums, N, [](int i) {
        int expected = 0;
        for (int rank = 0; rank < CLUSTER; rank++) {
            expected += 3 * (i / (CLUSTER * BLOCK) * CLUSTER * BLOCK + rank * BLOCK + i % BLOCK);
        }
        return expected;
    });
    check("counts", counts, CTAS / CLUSTER, [](int i) { return CLUSTER * BLOCK; });
    return finish();
}
