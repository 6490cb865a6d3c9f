// SPDX-License-Identifier: BSD-3-Clause
// A transposition: memsim's workload "transpose" with 16 CTAs, elements of 4 bytes, 2 rounds.
#include "program.h"

enum { C = 16, ROUNDS = 2 };

extern "C" __global__ void fill(int *a, int round)
{
    a[blockIdx.x * C + threadIdx.x] = (round * C + blockIdx.x) * C + threadIdx.x;
}

extern "C" __global__ void transpose(const int *a, int *b)
{
    b[blockIdx.x * C + threadIdx.x] = a[threadIdx.x * C + blockIdx.x];
}

extern "C" __global__ void use(const int *b, int *bad, int round)
{
    int expected = (round * C + threadIdx.x) * C + blockIdx.x;
    if (b[blockIdx.x * C + threadIdx.x] != expected) {
        *bad = 1;
    }
}

int main()
{
    int *a = device<int>("a", C * C), *b = device<int>("b", C * C), *bad = device<int>("bad", 1);
    for (int round = 0; round < ROUNDS; round++) {
        fill<<<C, C>>>(a, round);
        transpose<<<C, C>>>(a, b);
        use<<<C, C>>>(b, bad, round);
    }
    same("bad", 0, host(bad, 1)[0], 0);
    return finish();
}
