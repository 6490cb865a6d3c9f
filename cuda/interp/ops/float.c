/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arithmetic of f32 and f64. The first handler of a rule rounds to nearest; the second, `exact`,
 * supports all flags.
 */
#include "interp/ops/small_float.h"
#include "interp/rules.h"
#include <assert.h>
#include <fenv.h>
#include <math.h>

static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

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
#define SOURCES_1(T)       const T *a = reg(warp, op->a);
#define SOURCES_2(T)       SOURCES_1(T) const T *b = reg(warp, op->b);
#define SOURCES_3(T)       SOURCES_2(T) const T *c = reg(warp, op->c);
#define VALUES_1(T, value) T x = value(a[i]);
#define VALUES_2(T, value)                                                                         \
    VALUES_1(T, value)                                                                             \
    T y = value(b[i]);
#define VALUES_3(T, value)                                                                         \
    VALUES_2(T, value)                                                                             \
    T z = value(c[i]);
#define UNCHANGED(value)   (value)
#define FLUSHED_f32(value) flush_f32(op, value)
#define FLUSHED_f64(value) flush_f64(op, value)

#define ALL_OF(warp, ...)  FOR_LANES(warp, __VA_ARGS__);
#define ONLY_OF(warp, ...) FOR_MASK((warp)->mask, __VA_ARGS__)

/* Defines the two handlers, `run` and `exact`, of an instruction with n sources. each: ALL_OF or
 * ONLY_OF; ALL_OF is faster if the expression is cheap. */
#define FLOAT(name, T, suffix, n, each, expression)                                                \
    static void name##_##suffix(struct warp *warp, const struct op *op)                            \
    {                                                                                              \
        T *d = reg(warp, op->d);                                                                   \
        SOURCES_##n(T)                                                                             \
            each(warp, { VALUES_##n(T, UNCHANGED) d[i] = canonical_##suffix(expression); })        \
    }                                                                                              \
    static void name##_##suffix##_exact(struct warp *warp, const struct op *op)                    \
    {                                                                                              \
        T *d = reg(warp, op->d);                                                                   \
        assert(op->round < sizeof modes / sizeof *modes);                                          \
        SOURCES_##n(T) fesetround(modes[op->round]);                                               \
        ONLY_OF(warp, { VALUES_##n(T, FLUSHED_##suffix) d[i] = finish_##suffix(op, expression); }) \
        fesetround(FE_TONEAREST);                                                                  \
    }

#define FLOAT1(name, T, suffix, expression) FLOAT(name, T, suffix, 1, ALL_OF, expression)
#define FLOAT2(name, T, suffix, expression) FLOAT(name, T, suffix, 2, ALL_OF, expression)
#define FLOAT3(name, T, suffix, expression) FLOAT(name, T, suffix, 3, ONLY_OF, expression)

/* Functions for minimum and maximum. If one operand is NaN, the result is the other operand. Other
 * handlers implement the modifier .NaN. -0 is less than 0. */
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

#define BOTH_TYPES(macro, name, e32, e64) macro(name, float, f32, e32) macro(name, double, f64, e64)

BOTH_TYPES(FLOAT2, add, x + y, x + y)
BOTH_TYPES(FLOAT2, sub, x - y, x - y)
BOTH_TYPES(FLOAT2, mul, x *y, x *y)
BOTH_TYPES(FLOAT2, div, x / y, x / y)
BOTH_TYPES(FLOAT3, fma, fmaf(x, y, z), fma(x, y, z))
BOTH_TYPES(FLOAT2, min, least_f32(x, y), least_f64(x, y))
BOTH_TYPES(FLOAT2, max, most_f32(x, y), most_f64(x, y))
FLOAT2(min_nan, float, f32, x == x && y == y ? least_f32(x, y) : x + y)
FLOAT2(max_nan, float, f32, x == x && y == y ? most_f32(x, y) : x + y)
FLOAT2(min_xorsign, float, f32,
       copysignf(least_f32(fabsf(x), fabsf(y)), f32_of(bits_of_f32(x) ^ bits_of_f32(y))))
FLOAT2(max_xorsign, float, f32,
       copysignf(most_f32(fabsf(x), fabsf(y)), f32_of(bits_of_f32(x) ^ bits_of_f32(y))))
BOTH_TYPES(FLOAT1, rcp, 1 / x, 1 / x)
BOTH_TYPES(FLOAT1, sqrt, sqrtf(x), sqrt(x))
BOTH_TYPES(FLOAT1, rsqrt, (float)(1 / sqrt((double)x)), 1 / sqrt(x))
FLOAT1(sin, float, f32, sinf(x))
FLOAT1(cos, float, f32, cosf(x))
FLOAT1(lg2, float, f32, log2f(x))
FLOAT1(ex2, float, f32, exp2f(x))
FLOAT1(tanh, float, f32, tanhf(x))

/* Negation and absolute value change only the sign bit. A NaN keeps its payload. */
UNARY(neg_f32, uint32_t, uint32_t, x ^ 0x80000000u)
UNARY(neg_f64, uint64_t, uint64_t, x ^ 0x8000000000000000u)
UNARY(abs_f32, uint32_t, uint32_t, x & 0x7fffffffu)
UNARY(abs_f64, uint64_t, uint64_t, x & 0x7fffffffffffffffu)
BINARY(copysign_f32, uint32_t, uint32_t, (x & 0x80000000u) | (y & 0x7fffffffu))
BINARY(copysign_f64, uint64_t, uint64_t, (x & 0x8000000000000000u) | (y & 0x7fffffffffffffffu))

/* Defines the handler of neg or abs with the modifier .ftz. */
#define FLUSHING(name, expression)                                                                 \
    static void name(struct warp *warp, const struct op *op)                                       \
    {                                                                                              \
        float *d = reg(warp, op->d);                                                               \
        const float *a = reg(warp, op->a);                                                         \
        FOR_MASK(warp->mask, {                                                                     \
            float x = flush_f32(op, a[i]);                                                         \
            d[i] = finish_f32(op, expression);                                                     \
        })                                                                                         \
    }
FLUSHING(negate_f32_exact, -x)
FLUSHING(absolute_f32_exact, fabsf(x))

#define ROWS(word, name, one, two)                                                                 \
    {word ".f32", name##_f32, name##_f32_exact, one},                                              \
    {                                                                                              \
        word ".f64", name##_f64, name##_f64_exact, two                                             \
    }

const struct rule float_rules[] = {
    ROWS("add", add, "4=44", "8=88"),
    ROWS("sub", sub, "4=44", "8=88"),
    ROWS("mul", mul, "4=44", "8=88"),
    ROWS("div", div, "4=44", "8=88"),
    ROWS("fma", fma, "4=444", "8=888"),
    ROWS("mad", fma, "4=444", "8=888"),
    ROWS("min", min, "4=44", "8=88"),
    ROWS("max", max, "4=44", "8=88"),
    ROWS("rcp", rcp, "4=4", "8=8"),
    ROWS("sqrt", sqrt, "4=4", "8=8"),
    ROWS("rsqrt", rsqrt, "4=4", "8=8"),
    {"min.NaN.f32", min_nan_f32, min_nan_f32_exact, "4=44"},
    {"max.NaN.f32", max_nan_f32, max_nan_f32_exact, "4=44"},
    {"min.xorsign.abs.f32", min_xorsign_f32, min_xorsign_f32_exact, "4=44"},
    {"max.xorsign.abs.f32", max_xorsign_f32, max_xorsign_f32_exact, "4=44"},
    {"sin.f32", sin_f32, sin_f32_exact, "4=4"},
    {"cos.f32", cos_f32, cos_f32_exact, "4=4"},
    {"lg2.f32", lg2_f32, lg2_f32_exact, "4=4"},
    {"ex2.f32", ex2_f32, ex2_f32_exact, "4=4"},
    {"tanh.f32", tanh_f32, tanh_f32_exact, "4=4"},
    {"neg.f32", neg_f32, negate_f32_exact, "4=4"},
    {"neg.f64", neg_f64, NULL, "8=8"},
    {"abs.f32", abs_f32, absolute_f32_exact, "4=4"},
    {"abs.f64", abs_f64, NULL, "8=8"},
    {"copysign.f32", copysign_f32, NULL, "4=44"},
    {"copysign.f64", copysign_f64, NULL, "8=88"},
    {NULL, NULL, NULL, NULL},
};
