// SPDX-License-Identifier: BSD-3-Clause
// Bitonic sort: one launch for each size of sequences and distance between the compared elements.
#include "program.h"

enum { N = 256, BLOCK = 32, BLOCKS = N / 2 / BLOCK };

extern "C" __global__ void compare(unsigned *x, int size, int distance)
{
    int t = blockIdx.x * BLOCK + threadIdx.x;
    int i = t / distance * 2 * distance + t % distance, j = i + distance;
    unsigned a = x[i], b = x[j];
    bool swap = (a > b) == ((i & size) == 0);
    x[i] = swap ? b : a;
    x[j] = swap ? a : b;
}

int main()
{
    std::vector<unsigned> counts(1000);
    unsigned *values = device<unsigned>("x", N, [&](int i) {
        counts[i * 7919u % 1000]++;
        return i * 7919u % 1000;
    });
    for (int size = 2; size <= N; size *= 2) {
        for (int distance = size / 2; distance > 0; distance /= 2) {
            compare<<<BLOCKS, BLOCK>>>(values, size, distance);
        }
    }
    std::vector<unsigned> result = host(values, N);
    for (unsigned value = 0, i = 0; value < 1000; value++) {
        for (unsigned n = 0; n < counts[value]; n++, i++) {
            same("x", i, result[i], value);
        }
    }
    return finish();
}
