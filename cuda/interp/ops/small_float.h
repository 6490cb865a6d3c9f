/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Floating-point numbers of 8 and 16 bits, TF32, and the bit patterns of floating-point numbers.
 */
#ifndef WARPSCOPE_CUDA_INTERP_SMALL_FLOAT_H
#define WARPSCOPE_CUDA_INTERP_SMALL_FLOAT_H

#include "interp/machine.h"
#include <fenv.h>
#include <math.h>
#include <string.h>

#define NAN_F32 0x7fffffffu /* the NaN that GPUs return */
#define NAN_16  0x7fffu

static inline float f32_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t bits_of_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double f64_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t bits_of_f64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

double f16_to_double(uint16_t bits);
uint16_t f16_from_double(double value, enum rounding rounding);
static inline double bf16_to_double(uint16_t bits)
{
    return (double)f32_of((uint32_t)bits << 16);
}
uint16_t bf16_from_double(double value, enum rounding rounding);

/* Returns the pattern of an f32 with 10 bits of mantissa; the other 13 bits are 0. */
uint32_t tf32_from_double(double value, enum rounding rounding, bool saturates);

/* A type of small numbers. bits: without the sign, which is above them; most: pattern of the largest
 * finite number. */
struct small {
    uint8_t bits, mantissa_bits;
    int bias;
    uint32_t most;
};
extern const struct small small_e4m3, small_e5m2; /* FP8 */
double small_to_double(uint32_t bits, const struct small *type);
/* saturates: numbers that are too large, also infinite ones, become the largest finite one. */
uint32_t small_from_double(double value, const struct small *type, enum rounding rounding,
                           bool saturates);

/* Sets the rounding mode of the processor. */
static inline void set_rounding(uint8_t rounding)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD, FE_TONEAREST};
    assert(rounding < sizeof modes / sizeof *modes);
    fesetround(modes[rounding]);
}

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

/* Some operations of half.c, and the result of one on two f16 or bf16, or on two pairs of them. op: its
 * rounding and flags. */
enum half_op { HALF_ADD, HALF_MIN, HALF_MAX, HALF_OTHERS };
uint32_t half_result(const struct op *op, int what, bool bf16, bool is_pair, uint32_t x,
                     uint32_t y);

/* Returns x * y + z, rounded to odd: the last bit is set if bits are lost. A second rounding, to
 * fewer bits, then gives the correctly rounded result. The product must be exact. */
double fma_odd(double x, double y, double z);

#endif
