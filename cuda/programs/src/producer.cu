// SPDX-License-Identifier: BSD-3-Clause
// Producer and consumer in one stream: memsim's workload "producer" with 8 CTAs of 32 4-byte elements, 3 rounds.
#include "program.h"

enum { C = 8, E = 32, ROUNDS = 3 };

extern "C" __global__ void produce(int *x, int round)
{
    int i = blockIdx.x * E + threadIdx.x;
    x[i] = round * 1000 + i;
}

extern "C" __global__ void consume(const int *x, int *bad, int round)
{
    int i = (blockIdx.x + 1) % C * E + threadIdx.x;
    if (x[i] != round * 1000 + i) {
        *bad = 1;
    }
}

int main()
{
    int *x = device<int>("x", C * E), *bad = device<int>("bad", 1);
    for (int round = 0; round < ROUNDS; round++) {
        produce<<<C, E>>>(x, round);
        consume<<<C, E>>>(x, bad, round);
    }
    same("bad", 0, host(bad, 1)[0], 0);
    return finish();
}
