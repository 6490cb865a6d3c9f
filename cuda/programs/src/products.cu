// SPDX-License-Identifier: BSD-3-Clause
// mma of 16 x 8 for halves, bf16, tf32 and bytes, and ldmatrix, movmatrix and stmatrix. For sm_90.
#include "program.h"
#include <cstring>
#include <string>

enum { HALF, BF16, TF32, BYTES };
enum { WORDS = 8 }; // in a row of a, or a column of b

extern "C" __global__ void fill(uint32_t *to, const uint32_t *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}

#define MMA(constraint, shape, types)                                                                                  \
    asm("mma.sync.aligned." shape ".row.col." types " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
        : "+" constraint(d[0]), "+" constraint(d[1]), "+" constraint(d[2]), "+" constraint(d[3])                       \
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]))

// The registers as the ISA has them: words of rows g and g + 8 of a, and of column g of b; d: rows g and g + 8.
template <int KIND, class T> static __device__ void product(const uint32_t *a, const uint32_t *b, T *c)
{
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    uint32_t x[4], y[2];
    T d[4] = {1, 1, 1, 1};
    for (int i = 0; i < 4; i++) {
        x[i] = a[(g + i % 2 * 8) * WORDS + t + i / 2 * 4];
    }
    y[0] = b[g * WORDS + t];
    y[1] = b[g * WORDS + t + 4];
    if constexpr (KIND == HALF) {
        MMA("f", "m16n8k16", "f32.f16.f16.f32");
    } else if constexpr (KIND == BF16) {
        MMA("f", "m16n8k16", "f32.bf16.bf16.f32");
    } else if constexpr (KIND == TF32) {
        MMA("f", "m16n8k8", "f32.tf32.tf32.f32");
    } else {
        MMA("r", "m16n8k32", "s32.s8.s8.s32");
    }
    for (int i = 0; i < 4; i++) {
        c[(g + i / 2 * 8) * 8 + 2 * t + i % 2] = d[i];
    }
}

#define KERNEL(name, KIND, T)                                                                                          \
    extern "C" __global__ void name(const uint32_t *a, const uint32_t *b, T *c)                                        \
    {                                                                                                                  \
        product<KIND, T>(a, b, c);                                                                                     \
    }
KERNEL(of_halves, HALF, float)
KERNEL(of_bf16, BF16, float)
KERNEL(of_tf32, TF32, float)
KERNEL(of_bytes, BYTES, int)

// Transposes two of four matrices of 8 x 8 halves on their way to shared memory and back.
extern "C" __global__ void turn(const uint32_t *from, uint32_t *to)
{
    __shared__ alignas(16) uint32_t m[4][8][4];
    uint32_t r[4], lane = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        m[i][lane / 4][lane % 4] = from[i * 32 + lane];
    }
    __syncwarp();
    uint32_t row = (uint32_t)__cvta_generic_to_shared(&m[lane / 8][lane % 8][0]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(row));
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(r[1]));
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(r[0]), "r"(r[1]),
                 "r"(r[2]), "r"(r[3])
                 : "memory");
    __syncwarp();
    for (int i = 0; i < 4; i++) {
        to[i * 32 + lane] = m[i][lane / 4][lane % 4];
    }
}

// Returns the bits of a small integer in a type.
static uint32_t bits(int kind, int value)
{
    static const uint32_t half[] = {0xc000, 0xbc00, 0, 0x3c00, 0x4000}, bf16[] = {0xc000, 0xbf80, 0, 0x3f80, 0x4000};
    float real = (float)value;
    uint32_t word;
    memcpy(&word, &real, 4);
    return kind == HALF ? half[value + 2] : kind == BF16 ? bf16[value + 2] : kind == TF32 ? word : (uint32_t)value & 255;
}

template <int KIND, class T>
static void run(const char *name, void (*kernel)(const uint32_t *, const uint32_t *, T *), uint32_t *a, uint32_t *b)
{
    const int each = KIND == TF32 ? 1 : KIND == BYTES ? 4 : 2, k = WORDS * each;
    std::vector<uint32_t> x(16 * WORDS), y(8 * WORDS);
    auto value = [](int i, int of) { return (i * of + i / 7) % 5 - 2; };
    for (int i = 0; i < 16 * k; i++) {
        x[i / each] |= bits(KIND, value(i, 3)) << i % each * (32 / each) % 32;
        y[i / each % y.size()] |= i < 8 * k ? bits(KIND, value(i, 7)) << i % each * (32 / each) % 32 : 0;
    }
    uint32_t *x_in = device((std::string("x") + name).c_str(), x), *y_in = device((std::string("y") + name).c_str(), y);
    T *c = device<T>(name, 16 * 8);
    fill<<<1, 16 * WORDS>>>(a, x_in);
    fill<<<1, 8 * WORDS>>>(b, y_in);
    kernel<<<1, 32>>>(a, b, c);
    check(name, c, 16 * 8, [&](int i) {
        T expected = 1;
        for (int j = 0; j < k; j++) {
            expected += (T)(value(i / 8 * k + j, 3) * value(i % 8 * k + j, 7));
        }
        return expected;
    });
}

int main()
{
    uint32_t *a = device<uint32_t>("a", 16 * WORDS), *b = device<uint32_t>("b", 8 * WORDS);
    run<HALF, float>("half", of_halves, a, b);
    run<BF16, float>("bf16", of_bf16, a, b);
    run<TF32, float>("tf32", of_tf32, a, b);
    run<BYTES, int>("bytes", of_bytes, a, b);
    uint16_t *from = device<uint16_t>("from", 256, [](int i) { return i; }), *to = device<uint16_t>("to", 256);
    turn<<<1, 32>>>((const uint32_t *)from, (uint32_t *)to);
    check("to", to, 256, [](int i) {
        int m = i / 64, row = i % 64 / 8, column = i % 8;
        return m < 2 ? m * 64 + column * 8 + row : i;
    });
    return finish();
}
