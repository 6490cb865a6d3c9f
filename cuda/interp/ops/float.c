/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arithmetic of f32 and f64, and of f16 and bf16, alone and in pairs. The first handler of a rule rounds
 * to nearest; the second, `exact`, supports all flags.
 */
#include "interp/rules.h"
#include "ptx/small_float.h"
#include <math.h>

/* Functions for minimum and maximum. If one operand is NaN, the result is the other operand. -0 is
 * less than 0. */
#define EXTREMES(T, suffix)                                                                        \
    static inline T least_##suffix(T x, T y)                                                       \
    {                                                                                              \
        return x < y ? x : y < x ? y : x == y ? (signbit(x) ? x : y) : x == x ? x : y;             \
    }                                                                                              \
    static inline T most_##suffix(T x, T y)                                                        \
    {                                                                                              \
        return x > y ? x : y > x ? y : x == y ? (signbit(x) ? y : x) : x == x ? x : y;             \
    }
EXTREMES(float, f32)
EXTREMES(double, f64)

static inline float canonical_f32(float x)
{
    return x == x ? x : f32_of(NAN_F32);
}

#define canonical_f64(x) (x)

static inline float flush_f32(const struct op *op, float x)
{
    return op->flags & OP_FTZ && fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

static inline float finish_f32(const struct op *op, float x)
{
    if (op->flags & OP_SAT) {
        return x > 0 ? (x < 1 ? flush_f32(op, x) : 1) : 0;
    }
    return flush_f32(op, canonical_f32(x));
}

static inline double finish_f64(const struct op *op, double x)
{
    return op->flags & OP_SAT ? (x > 0 ? (x < 1 ? x : 1) : 0) : x;
}

/* SOURCES_n declares the n sources of an instruction. VALUES_n declares their values in lane i.
 * value: macro that is applied to each value. */
#define SOURCES_1(T)       SOURCE(a, T)
#define SOURCES_2(T)       SOURCE(a, T) SOURCE(b, T)
#define SOURCES_3(T)       SOURCE(a, T) SOURCE(b, T) SOURCE(c, T)
#define VALUES_1(T, value) T x = value(a[i]);
#define VALUES_2(T, value) VALUES_1(T, value) T y = value(b[i]);
#define VALUES_3(T, value) VALUES_2(T, value) T z = value(c[i]);
#define UNCHANGED(value)   (value)
#define FLUSHED_f32(value) flush_f32(op, value)
#define FLUSHED_f64(value) (value)

/* Defines the two handlers, `run` and `exact`, of an instruction with n sources. */
#define FLOAT(name, T, suffix, n, each, expression)                                                \
    HANDLER(name##_##suffix, T, SOURCES_##n(T), each, VALUES_##n(T, UNCHANGED),                    \
            canonical_##suffix(expression))                                                        \
    static void name##_##suffix##_exact(struct warp *warp, const struct op *op)                    \
    {                                                                                              \
        T *d = reg(warp, op->d);                                                                   \
        SOURCES_##n(T) set_rounding(op->round);                                                    \
        ONLY_OF(warp, { VALUES_##n(T, FLUSHED_##suffix) d[i] = finish_##suffix(op, expression); }) \
        set_rounding(ROUND_NEAREST);                                                               \
    }

#define FLOAT1(name, T, suffix, expression) FLOAT(name, T, suffix, 1, ALL_OF, expression)
#define FLOAT2(name, T, suffix, expression) FLOAT(name, T, suffix, 2, ALL_OF, expression)
#define FLOAT3(name, T, suffix, expression) FLOAT(name, T, suffix, 3, ONLY_OF, expression)

/* The instructions: name, its macro, widths of the sources, and results. Modifiers .NaN make NaN the
 * result if one operand is. */
#define BOTH_TYPES(X)                                                                              \
    X("add", add, FLOAT2, TWO, x + y, x + y)                                                       \
    X("sub", sub, FLOAT2, TWO, x - y, x - y)                                                       \
    X("mul", mul, FLOAT2, TWO, (x * y), (x * y))                                                   \
    X("div", div, FLOAT2, TWO, x / y, x / y)                                                       \
    X("fma", fma, FLOAT3, THREE, fmaf(x, y, z), fma(x, y, z))                                      \
    X("min", min, FLOAT2, TWO, least_f32(x, y), least_f64(x, y))                                   \
    X("max", max, FLOAT2, TWO, most_f32(x, y), most_f64(x, y))                                     \
    X("rcp", rcp, FLOAT1, ONE, 1 / x, 1 / x)                                                       \
    X("sqrt", sqrt, FLOAT1, ONE, sqrtf(x), sqrt(x))                                                \
    X("rsqrt", rsqrt, FLOAT1, ONE, (float)(1 / sqrt((double)x)), 1 / sqrt(x))
#define ONLY_F32(X)                                                                                \
    X("min.NaN", min_nan, FLOAT2, TWO, x == x && y == y ? least_f32(x, y) : x + y)                 \
    X("max.NaN", max_nan, FLOAT2, TWO, x == x && y == y ? most_f32(x, y) : x + y)                  \
    X("min.xorsign.abs", min_xorsign, FLOAT2, TWO,                                                 \
      copysignf(least_f32(fabsf(x), fabsf(y)), signs_of(x, y)))                                    \
    X("max.xorsign.abs", max_xorsign, FLOAT2, TWO,                                                 \
      copysignf(most_f32(fabsf(x), fabsf(y)), signs_of(x, y)))                                     \
    X("sin", sin, FLOAT1, ONE, sinf(x))                                                            \
    X("cos", cos, FLOAT1, ONE, cosf(x))                                                            \
    X("lg2", lg2, FLOAT1, ONE, log2f(x))                                                           \
    X("ex2", ex2, FLOAT1, ONE, exp2f(x))                                                           \
    X("tanh", tanh, FLOAT1, ONE, tanhf(x))

static inline float signs_of(float x, float y)
{
    return f32_of(bits_of_f32(x) ^ bits_of_f32(y));
}

#define DEFINE_F32(word, name, macro, width, e32) macro(name, float, f32, e32)
#define DEFINE(word, name, macro, width, e32, e64)                                                 \
    macro(name, float, f32, e32) macro(name, double, f64, e64)
BOTH_TYPES(DEFINE)
ONLY_F32(DEFINE_F32)

/* Negation and absolute value change only the sign bit. A NaN keeps its payload. */
UNARY(neg_f32, uint32_t, uint32_t, x ^ 0x80000000u)
UNARY(neg_f64, uint64_t, uint64_t, x ^ 0x8000000000000000u)
UNARY(abs_f32, uint32_t, uint32_t, x & 0x7fffffffu)
UNARY(abs_f64, uint64_t, uint64_t, x & 0x7fffffffffffffffu)
BINARY(copysign_f32, uint32_t, uint32_t, (x & 0x80000000u) | (y & 0x7fffffffu))
BINARY(copysign_f64, uint64_t, uint64_t, (x & 0x8000000000000000u) | (y & 0x7fffffffffffffffu))

/* Defines the handler of neg or abs with the modifier .ftz. */
#define FLUSHING(name, expression)                                                                 \
    HANDLER(name, float, SOURCE(a, float), ONLY_OF, VALUES_1(float, FLUSHED_f32),                  \
            finish_f32(op, expression))
FLUSHING(negate_f32_exact, -x)
FLUSHING(absolute_f32_exact, fabsf(x))

#define ROW_F32(word, name, macro, width, ...)                                                     \
    {word ".f32", name##_f32, name##_f32_exact, "4" width(4)},
#define ROWS(word, name, macro, width, ...)                                                        \
    ROW_F32(word, name, macro, width, __VA_ARGS__){word ".f64", name##_f64, name##_f64_exact,      \
                                                   "8" width(8)},

const struct rule float_rules[] = {
    BOTH_TYPES(ROWS) ONLY_F32(ROW_F32)
        ROWS("mad", fma, FLOAT3, THREE, ){"neg.f32", neg_f32, negate_f32_exact, "4=4"},
    {"neg.f64", neg_f64, NULL, "8=8"},
    {"abs.f32", abs_f32, absolute_f32_exact, "4=4"},
    {"abs.f64", abs_f64, NULL, "8=8"},
    {"copysign.f32", copysign_f32, NULL, "4=44"},
    {"copysign.f64", copysign_f64, NULL, "8=88"},
    {NULL, NULL, NULL, NULL},
};

/* ---- f16 and bf16 ------------------------------------------------------------------------------- */

/* Each operation computes a double, rounded to odd if it is not exact (fma_odd()), and rounds it once
 * more to the result. */

/* Returns x * y + z, rounded to odd: the last bit is set if bits are lost. A second rounding, to
 * fewer bits, then gives the correctly rounded result. The product must be exact. */
static double fma_odd(double x, double y, double z)
{
    double product = x * y, sum = product + z;
    if (!isfinite(sum)) {
        return sum;
    }
    double part = sum - product, error = (product - (sum - part)) + (z - part);
    if (error != 0 && !(bits_of_f64(sum) & 1)) {
        uint64_t bits = bits_of_f64(sum);
        /* Moves sum to the adjacent double on the side of the exact result. */
        bits += (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
        sum = f64_of(bits);
    }
    return sum;
}

enum { SUB = HALF_OTHERS, MUL, FMA, NEG, ABS, EX2, TANH, MIN_NAN, MAX_NAN, FMA_RELU };

static double compute(int what, double x, double y, double z)
{
    switch (what) {
    case HALF_ADD:
        return fma_odd(x, 1, y);
    case SUB:
        return fma_odd(x, 1, -y);
    case MUL:
        return x * y;
    case FMA:
    case FMA_RELU:
        return fma_odd(x, y, z);
    case HALF_MIN:
        return least_f64(x, y);
    case HALF_MAX:
        return most_f64(x, y);
    case MIN_NAN:
        return x != x || y != y ? x + y : least_f64(x, y);
    case MAX_NAN:
        return x != x || y != y ? x + y : most_f64(x, y);
    case EX2:
        return exp2(x);
    default:
        return tanh(x);
    }
}

static inline uint16_t half(const struct op *op, int what, bool bf16, uint16_t x, uint16_t y,
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
    enum number type = bf16 ? N_BF16 : N_F16;
    double r = compute(what, number_value(type, x), number_value(type, y), number_value(type, z));
    if (op->flags & OP_SAT) {
        r = r > 0 ? (r < 1 ? r : 1) : 0;
    }
    if (what == FMA_RELU && r <= 0) {
        r = 0;
    }
    uint16_t bits = (uint16_t)number_bits(type, r, op->round, false);
    return op->flags & OP_FTZ && !bf16 && !(bits & 0x7c00u) ? bits & 0x8000u : bits;
}

static inline uint32_t pair(const struct op *op, int what, bool bf16, uint32_t x, uint32_t y,
                            uint32_t z)
{
    uint16_t low = half(op, what, bf16, (uint16_t)x, (uint16_t)y, (uint16_t)z);
    return low | (uint32_t)half(op, what, bf16, (uint16_t)(x >> 16), (uint16_t)(y >> 16),
                                (uint16_t)(z >> 16))
                     << 16;
}

uint32_t half_result(const struct op *op, int what, bool bf16, bool is_pair, uint32_t x, uint32_t y)
{
    return is_pair ? pair(op, what, bf16, x, y, 0)
                   : half(op, what, bf16, (uint16_t)x, (uint16_t)y, 0);
}

/* Defines the handler of an operation. compute: half() for a type alone, pair() for pairs. */
#define HALVES(name, T, compute, what, bf16)                                                       \
    HANDLER(name, T, SOURCE(a, T) SOURCE(b, T) SOURCE(c, T), ONLY_OF, ,                            \
            compute(op, what, bf16, a[i], b[i], c[i]))
#define HALF(word, name, what, width)                                                              \
    HALVES(name##_f16, uint16_t, half, what, false)                                                \
    HALVES(name##_bf16, uint16_t, half, what, true)                                                \
    HALVES(name##_f16x2, uint32_t, pair, what, false)                                              \
    HALVES(name##_bf16x2, uint32_t, pair, what, true)

/* The instructions: name, operation, widths of the sources. */
#define ALL(X)                                                                                     \
    X("add", add, HALF_ADD, TWO)                                                                   \
    X("sub", sub, SUB, TWO)                                                                        \
    X("mul", mul, MUL, TWO)                                                                        \
    X("fma", fma, FMA, THREE)                                                                      \
    X("fma.relu", fma_relu, FMA_RELU, THREE)                                                       \
    X("min", min, HALF_MIN, TWO)                                                                   \
    X("max", max, HALF_MAX, TWO)                                                                   \
    X("min.NaN", min_nan, MIN_NAN, TWO)                                                            \
    X("max.NaN", max_nan, MAX_NAN, TWO)                                                            \
    X("neg", neg, NEG, ONE)                                                                        \
    X("abs", abs, ABS, ONE)                                                                        \
    X("ex2", ex2, EX2, ONE)                                                                        \
    X("tanh", tanh, TANH, ONE)
ALL(HALF)

#define HALF_ROWS(word, name, what, width)                                                         \
    {word ".f16", name##_f16, name##_f16, "2" width(2)},                                           \
        {word ".bf16", name##_bf16, name##_bf16, "2" width(2)},                                    \
        {word ".f16x2", name##_f16x2, name##_f16x2, "4" width(4)},                                 \
        {word ".bf16x2", name##_bf16x2, name##_bf16x2, "4" width(4)},

const struct rule half_rules[] = {ALL(HALF_ROWS){NULL, NULL, NULL, NULL}};
