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
    check("y", y, 2 * N, [](int i) {
        int expected = (i / 2 + 1) % N * 2 + 100 + i / 2 % STATES + 1;
        return i % 2 == 0 ? expected : -expected;
    });
    return finish();
}
