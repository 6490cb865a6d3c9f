// SPDX-License-Identifier: BSD-3-Clause
// Local arrays: each thread sorts eight values by insertion. Accesses to local memory are not traced.
#include "program.h"

enum { THREADS = 64, BLOCK = 32, EACH = 8, N = THREADS * EACH };

extern "C" __global__ void fill(unsigned *x)
{
    for (int k = 0; k < EACH; k++) {
        unsigned i = k * THREADS + blockIdx.x * BLOCK + threadIdx.x;
        x[i] = i * 7919u % 257;
    }
}

extern "C" __global__ void sort(const unsigned *x, unsigned *y)
{
    unsigned values[EACH];
    int t = blockIdx.x * BLOCK + threadIdx.x;
    for (int k = 0; k < EACH; k++) {
        unsigned value = x[t * EACH + k];
        int place = k;
        while (place > 0 && values[place - 1] > value) {
            values[place] = values[place - 1];
            place--;
        }
        values[place] = value;
    }
    for (int k = 0; k < EACH; k++) {
        y[t * EACH + k] = values[k];
    }
}

int main()
{
    unsigned *x = device<unsigned>("x", N), *y = device<unsigned>("y", N);
    fill<<<THREADS / BLOCK, BLOCK>>>(x);
    sort<<<THREADS / BLOCK, BLOCK>>>(x, y);
    std::vector<unsigned> from = host(x, N), to = host(y, N);
    for (int i = 0; i < N; i++) {
        unsigned rank = 0, smaller = 0;
        for (int k = 0; k < EACH; k++) {
            unsigned v = from[i / EACH * EACH + k];
            smaller += v < to[i];
            rank += v <= to[i];
        }
        same<unsigned>("y", i, smaller <= i % EACH && i % EACH < rank, 1);
    }
    return finish();
}
