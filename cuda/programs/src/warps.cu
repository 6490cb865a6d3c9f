// SPDX-License-Identifier: BSD-3-Clause
// Warps: shuffles, votes and matches.
#include "program.h"

enum { N = 256, BLOCK = 64, BLOCKS = N / BLOCK, WARPS = N / 32 };
static const unsigned ALL = 0xffffffffu;

extern "C" __global__ void sums(const int *x, int *totals, unsigned *votes)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, lane = threadIdx.x % 32, v = x[i];
    int sum = v;
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(ALL, sum, distance);
    }
    unsigned odd = __ballot_sync(ALL, v & 1);
    unsigned flags = (__any_sync(ALL, v > 90) ? 1 : 0) | (__all_sync(ALL, v >= 0) ? 2 : 0);
    unsigned equal = __match_any_sync(ALL, v % 5);
    int first = __shfl_sync(ALL, v, 0);
    int neighbour = __shfl_xor_sync(ALL, v, 1), before = __shfl_up_sync(ALL, v, 3);
    if (lane == 0) {
        totals[i / 32] = sum;
    }
    votes[i] = odd ^ equal ^ (flags << 7) ^ (first << 20) ^ (neighbour << 10) ^ before;
}

extern "C" __global__ void last(const int *totals, int *total)
{
    int t = threadIdx.x;
    if (t < WARPS) { // only a part of the warp executes this
        int sum = totals[t];
        for (int distance = WARPS / 2; distance > 0; distance /= 2) {
            sum += __shfl_down_sync((1u << WARPS) - 1, sum, distance, WARPS);
        }
        if (t == 0) {
            *total = sum;
        }
    }
}

int main()
{
    std::vector<int> x(N);
    int all = 0;
    for (int i = 0; i < N; i++) {
        x[i] = i * i % 97;
        all += x[i];
    }
    int *values = device("x", x), *totals = device<int>("totals", WARPS);
    int *total = device<int>("total", 1);
    unsigned *votes = device<unsigned>("votes", N);
    sums<<<BLOCKS, BLOCK>>>(values, totals, votes);
    last<<<1, 32>>>(totals, total);
    check("votes", votes, N, [&](int i) {
        const int *w = &x[i / 32 * 32];
        unsigned odd = 0, equal = 0, flags = 2, lane = i % 32;
        for (int k = 0; k < 32; k++) {
            odd |= (w[k] & 1u) << k;
            equal |= (w[k] % 5 == x[i] % 5 ? 1u : 0u) << k;
            flags |= w[k] > 90 ? 1 : 0;
        }
        unsigned before = w[lane < 3 ? lane : lane - 3];
        return odd ^ equal ^ (flags << 7) ^ ((unsigned)w[0] << 20) ^ ((unsigned)w[lane ^ 1] << 10) ^ before;
    });
    same("total", 0, host(total, 1)[0], all);
    return finish();
}
