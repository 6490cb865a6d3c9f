// SPDX-License-Identifier: BSD-3-Clause
// A histogram: each CTA counts in shared memory, then adds its counts atomically to global memory.
#include "program.h"

enum { N = 4096, BINS = 64, BLOCKS = 8, PER_THREAD = N / BLOCKS / BINS };

extern "C" __global__ void histogram(const unsigned char *x, unsigned *bins)
{
    __shared__ unsigned own[BINS];
    int t = threadIdx.x;
    own[t] = 0;
    __syncthreads();
    for (int i = 0; i < PER_THREAD; i++) {
        atomicAdd(&own[x[(blockIdx.x * PER_THREAD + i) * BINS + t] % BINS], 1);
    }
    __syncthreads();
    atomicAdd(&bins[t], own[t]);
}

extern "C" __global__ void largest(const unsigned *bins, unsigned *most)
{
    atomicMax(most, bins[threadIdx.x]);
}

int main()
{
    std::vector<unsigned> expected(BINS);
    unsigned most = 0;
    unsigned char *values = device<unsigned char>("x", N, [&](int i) {
        expected[(i * i / 3 + i / 5) % 256 % BINS]++;
        return i * i / 3 + i / 5;
    });
    unsigned *bins = device<unsigned>("bins", BINS), *result = device<unsigned>("most", 1);
    histogram<<<BLOCKS, BINS>>>(values, bins);
    largest<<<1, BINS>>>(bins, result);
    check("bins", bins, BINS, [&](int i) {
        most = expected[i] > most ? expected[i] : most;
        return expected[i];
    });
    same("most", 0, host(result, 1)[0], most);
    return finish();
}
