// SPDX-License-Identifier: BSD-3-Clause
// Predicated loads and stores, from the compiler and from inline assembly.
#include "program.h"

enum { N = 128, BLOCK = 32, BLOCKS = N / BLOCK };

extern "C" __global__ void fill(int *x)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i % 2 == 0) {
        x[i] = i;
    }
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p st.global.u32 [%1], %2; }" ::"r"(i % 2),
                 "l"(x + i), "r"(-i)
                 : "memory");
}

extern "C" __global__ void pick(const int *x, int *y)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, value = 7;
    asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 100; @!p ld.global.u32 %0, [%2]; }"
                 : "+r"(value)
                 : "r"(i), "l"(x + (i + 4) % N));
    if (i % 3 == 0) {
        y[i] = value;
    }
}

int main()
{
    int *x = device<int>("x", N), *y = device<int>("y", N);
    fill<<<BLOCKS, BLOCK>>>(x);
    pick<<<BLOCKS, BLOCK>>>(x, y);
    check("y", y, N, [](int i) {
        int j = (i + 4) % N, value = i < 100 ? 7 : j % 2 ? -j : j;
        return i % 3 == 0 ? value : 0;
    });
    return finish();
}
