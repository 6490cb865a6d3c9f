/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arithmetic of f16 and bf16, alone and in pairs. Each operation computes a double, rounded to odd
 * if it is not exact (fma_odd()), and rounds it once more to the result.
 */
#include "interp/ops/small_float.h"
#include "interp/rules.h"
#include <math.h>

enum half_op { ADD, SUB, MUL, FMA, MIN, MAX, NEG, ABS, EX2, TANH, MIN_NAN, MAX_NAN, FMA_RELU };

static double extreme(double x, double y, bool most)
{
    if (x != x || y != y) {
        return x != x ? y : x;
    }
    if (x == y) {
        return signbit(x) == most ? y : x;
    }
    return (x < y) == most ? y : x;
}

static double compute(enum half_op what, double x, double y, double z)
{
    switch (what) {
    case ADD:
        return fma_odd(x, 1, y);
    case SUB:
        return fma_odd(x, 1, -y);
    case MUL:
        return x * y;
    case FMA:
    case FMA_RELU:
        return fma_odd(x, y, z);
    case MIN:
        return extreme(x, y, false);
    case MAX:
        return extreme(x, y, true);
    case MIN_NAN:
        return x != x || y != y ? x + y : extreme(x, y, false);
    case MAX_NAN:
        return x != x || y != y ? x + y : extreme(x, y, true);
    case EX2:
        return exp2(x);
    default:
        return tanh(x);
    }
}

static uint16_t half(const struct op *op, enum half_op what, bool bf16, uint16_t x, uint16_t y,
                     uint16_t z)
{
    if (what == NEG) {
        return x ^ 0x8000u;
    }
    if (what == ABS) {
        return x & 0x7fffu;
    }
    if (op->flags & OP_FTZ && !bf16) {
        x = x & 0x7c00u ? x : x & 0x8000u;
        y = y & 0x7c00u ? y : y & 0x8000u;
        z = z & 0x7c00u ? z : z & 0x8000u;
    }
    double r = bf16 ? compute(what, bf16_to_double(x), bf16_to_double(y), bf16_to_double(z))
                    : compute(what, f16_to_double(x), f16_to_double(y), f16_to_double(z));
    if (op->flags & OP_SAT) {
        r = r > 0 ? (r < 1 ? r : 1) : 0;
    }
    if (what == FMA_RELU && r <= 0) {
        r = 0;
    }
    uint16_t bits = bf16 ? bf16_from_double(r, op->round) : f16_from_double(r, op->round);
    return op->flags & OP_FTZ && !bf16 && !(bits & 0x7c00u) ? bits & 0x8000u : bits;
}

#define HALF(name, what)                                                                           \
    static void name##_1(struct warp *warp, const struct op *op, bool bf16)                        \
    {                                                                                              \
        uint16_t *d = reg(warp, op->d);                                                            \
        const uint16_t *a = reg(warp, op->a), *b = reg(warp, op->b), *c = reg(warp, op->c);        \
        FOR_MASK(warp->mask, { d[i] = half(op, what, bf16, a[i], b[i], c[i]); })                   \
    }                                                                                              \
    static void name##_2(struct warp *warp, const struct op *op, bool bf16)                        \
    {                                                                                              \
        uint32_t *d = reg(warp, op->d);                                                            \
        const uint32_t *a = reg(warp, op->a), *b = reg(warp, op->b), *c = reg(warp, op->c);        \
        FOR_MASK(warp->mask, {                                                                     \
            uint16_t low = half(op, what, bf16, (uint16_t)a[i], (uint16_t)b[i], (uint16_t)c[i]);   \
            uint16_t high = half(op, what, bf16, (uint16_t)(a[i] >> 16), (uint16_t)(b[i] >> 16),   \
                                 (uint16_t)(c[i] >> 16));                                          \
            d[i] = low | (uint32_t)high << 16;                                                     \
        })                                                                                         \
    }                                                                                              \
    static void name##_f16(struct warp *warp, const struct op *op)                                 \
    {                                                                                              \
        name##_1(warp, op, false);                                                                 \
    }                                                                                              \
    static void name##_bf16(struct warp *warp, const struct op *op)                                \
    {                                                                                              \
        name##_1(warp, op, true);                                                                  \
    }                                                                                              \
    static void name##_f16x2(struct warp *warp, const struct op *op)                               \
    {                                                                                              \
        name##_2(warp, op, false);                                                                 \
    }                                                                                              \
    static void name##_bf16x2(struct warp *warp, const struct op *op)                              \
    {                                                                                              \
        name##_2(warp, op, true);                                                                  \
    }

HALF(add, ADD)
HALF(sub, SUB)
HALF(mul, MUL)
HALF(fma, FMA)
HALF(fma_relu, FMA_RELU)
HALF(min, MIN)
HALF(max, MAX)
HALF(min_nan, MIN_NAN)
HALF(max_nan, MAX_NAN)
HALF(neg, NEG)
HALF(abs, ABS)
HALF(ex2, EX2)
HALF(tanh, TANH)

#define ROWS(word, name, one, two)                                                                 \
    {word ".f16", name##_f16, name##_f16, one}, {word ".bf16", name##_bf16, name##_bf16, one},     \
        {word ".f16x2", name##_f16x2, name##_f16x2, two},                                          \
    {                                                                                              \
        word ".bf16x2", name##_bf16x2, name##_bf16x2, two                                          \
    }

const struct rule half_rules[] = {
    ROWS("add", add, "2=22", "4=44"),
    ROWS("sub", sub, "2=22", "4=44"),
    ROWS("mul", mul, "2=22", "4=44"),
    ROWS("fma", fma, "2=222", "4=444"),
    ROWS("fma.relu", fma_relu, "2=222", "4=444"),
    ROWS("min", min, "2=22", "4=44"),
    ROWS("max", max, "2=22", "4=44"),
    ROWS("min.NaN", min_nan, "2=22", "4=44"),
    ROWS("max.NaN", max_nan, "2=22", "4=44"),
    ROWS("neg", neg, "2=2", "4=4"),
    ROWS("abs", abs, "2=2", "4=4"),
    ROWS("ex2", ex2, "2=2", "4=4"),
    ROWS("tanh", tanh, "2=2", "4=4"),
    {NULL, NULL, NULL, NULL},
};
