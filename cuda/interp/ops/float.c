/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arithmetic of f32 and f64. The first handler of a rule rounds to nearest; the second, `exact`,
 * supports all flags.
 */
#include "interp/ops/small_float.h"
#include "interp/rules.h"
#include <math.h>

static inline float canonical_f32(float x)
{
    return x == x ? x : f32_of(NAN_F32);
}

static inline double canonical_f64(double x)
{
    return x;
}

static inline float flush_f32(const struct op *op, float x)
{
    return op->flags & OP_FTZ && fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

static inline double flush_f64(const struct op *op, double x)
{
    (void)op;
    return x;
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
#define FLUSHED_f64(value) flush_f64(op, value)

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
    ROW_F32(word, name, macro, width){word ".f64", name##_f64, name##_f64_exact, "8" width(8)},

const struct rule float_rules[] = {
    BOTH_TYPES(ROWS) ONLY_F32(ROW_F32)
        ROWS("mad", fma, FLOAT3, THREE){"neg.f32", neg_f32, negate_f32_exact, "4=4"},
    {"neg.f64", neg_f64, NULL, "8=8"},
    {"abs.f32", abs_f32, absolute_f32_exact, "4=4"},
    {"abs.f64", abs_f64, NULL, "8=8"},
    {"copysign.f32", copysign_f32, NULL, "4=44"},
    {"copysign.f64", copysign_f64, NULL, "8=88"},
    {NULL, NULL, NULL, NULL},
};
