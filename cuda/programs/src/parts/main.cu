// SPDX-License-Identifier: BSD-3-Clause
// Several files, compiled with -rdc=true: a kernel uses functions and variables that other files define.
#include "../program.h"
#include "parts.h"

extern "C" __global__ void combine(const int *x, int *y)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    store_twice(y, i, x[(i + 1) % N] + next_state(i));
}

int main()
{
    void *at;
    CUDA(cudaGetSymbolAddress(&at, states));
    report("states", at, sizeof(int) * STATES);
    int *x = device<int>("x", N), *y = device<int>("y", 2 * N);
    fill(x);
    combine<<<BLOCKS, BLOCK>>>(x, y);
    std::vector<int> result = host(y, 2 * N);
    for (int i = 0; i < N; i++) {
        int expected = (i + 1) % N * 2 + 100 + i % STATES + 1;
        same("y", 2 * i, result[2 * i], expected);
        same("y", 2 * i + 1, result[2 * i + 1], -expected);
    }
    return finish();
}
