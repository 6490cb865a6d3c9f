// SPDX-License-Identifier: BSD-3-Clause
// Atomic additions of vectors, and words of 128 bits: loads, stores, exchange, compare and swap. For sm_90.
#include "program.h"

enum { BLOCK = 32, CTAS = 4, N = BLOCK * CTAS };

extern "C" __global__ void fill(ulonglong2 *x)
{
    uint64_t i = blockIdx.x * BLOCK + threadIdx.x;
    asm volatile("{ .reg .b128 w; mov.b128 w, {%1, %2}; st.global.b128 [%0], w; }" ::"l"(x + i), "l"(i), "l"(~i) : "memory");
}

// Adds the vector 1, 2, 3, i to one of 8 sums, and pairs of halves 1 and 2 to one of 4.
extern "C" __global__ void add(float *sums, uint32_t *halves)
{
    float i = (float)(blockIdx.x * BLOCK + threadIdx.x);
    float *to = sums + threadIdx.x % 8 * 4;
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(1.0f), "f"(2.0f), "f"(3.0f), "f"(i)
                 : "memory");
    asm volatile("{ .reg .b32 a, b; atom.global.v2.f16x2.add.noftz {a, b}, [%0], {%1, %1}; }" ::"l"(
                     halves + threadIdx.x % 4 * 2),
                 "r"(0x40003c00)
                 : "memory");
}

// Exchanges x[i] with the number i + 1, and replaces it by i + 2 where it is i + 1, which it is.
extern "C" __global__ void swap(ulonglong2 *x, ulonglong2 *olds)
{
    uint64_t i = blockIdx.x * BLOCK + threadIdx.x;
    asm volatile("{ .reg .b128 a, b, c, old; mov.b128 a, {%2, 0}; mov.b128 c, {%3, 7}; atom.global.exch.b128 old, [%0], a;\n"
                 "st.global.b128 [%1], old; atom.global.cas.b128 b, [%0], a, c; ld.global.b128 old, [%0]; }" ::"l"(x + i),
                 "l"(olds + i), "l"(i + 1), "l"(i + 2)
                 : "memory");
}

extern "C" __global__ void look(const ulonglong2 *sums, ulonglong2 *copy)
{
    if (threadIdx.x < 8) {
        asm volatile("{ .reg .b128 w; ld.global.b128 w, [%0]; st.global.b128 [%1], w; }" ::"l"(sums + threadIdx.x),
                     "l"(copy + threadIdx.x)
                     : "memory");
    }
}

int main()
{
    ulonglong2 *x = device<ulonglong2>("x", N), *olds = device<ulonglong2>("olds", N);
    float *sums = device<float>("sums", 32);
    uint32_t *halves = device<uint32_t>("halves", 8);
    ulonglong2 *copy = device<ulonglong2>("copy", 8);
    fill<<<CTAS, BLOCK>>>(x);
    swap<<<CTAS, BLOCK>>>(x, olds);
    add<<<CTAS, BLOCK>>>(sums, halves);
    std::vector<ulonglong2> got = host(x, N), before = host(olds, N);
    for (int i = 0; i < N; i++) {
        same("x", i, (int)got[i].x, i + 2);
        same("x, high", i, (int)got[i].y, 7);
        same("olds", i, (int)before[i].x, i);
        same("olds, high", i, (int)~before[i].y, i);
    }
    look<<<1, BLOCK>>>((const ulonglong2 *)sums, copy);
    std::vector<float> added = host((const float *)copy, 32);
    std::vector<uint32_t> pairs = host(halves, 8);
    for (int i = 0; i < 32; i++) {
        float expected = 16.0f * (i % 4 + 1);
        if (i % 4 == 3) {
            expected = 0;
            for (int k = i / 4; k < N; k += 8) {
                expected += (float)k;
            }
        }
        same("sums", i, added[i], expected);
    }
    for (int i = 0; i < 8; i++) {
        same("halves", i, pairs[i], 0x54005000u); // 64 and 32
    }
    return finish();
}
