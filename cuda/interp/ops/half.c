/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arithmetic of f16 and bf16, alone and in pairs. Each operation computes a double, rounded to odd
 * if it is not exact (fma_odd()), and rounds it once more to the result.
 */
#include "interp/ops/small_float.h"
#include "interp/rules.h"
#include <math.h>

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

#define ROWS(word, name, what, width)                                                              \
    {word ".f16", name##_f16, name##_f16, "2" width(2)},                                           \
        {word ".bf16", name##_bf16, name##_bf16, "2" width(2)},                                    \
        {word ".f16x2", name##_f16x2, name##_f16x2, "4" width(4)},                                 \
        {word ".bf16x2", name##_bf16x2, name##_bf16x2, "4" width(4)},

const struct rule half_rules[] = {ALL(ROWS){NULL, NULL, NULL, NULL}};
