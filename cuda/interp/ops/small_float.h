/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 16-bit and 8-bit floating-point numbers, and the bit patterns of floating-point numbers.
 */
#ifndef WARPSCOPE_CUDA_INTERP_SMALL_FLOAT_H
#define WARPSCOPE_CUDA_INTERP_SMALL_FLOAT_H

#include "interp/machine.h"
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

/* A type of floating-point numbers of 8 bits. `most` is the pattern of the largest finite number. */
struct f8 {
    unsigned mantissa_bits;
    int bias;
    unsigned most;
};
#define F8_E4M3 ((struct f8){3, 7, 0x7e})
#define F8_E5M2 ((struct f8){2, 15, 0x7b})
double f8_to_double(uint8_t bits, const struct f8 *type);
/* Rounds to the nearest number; larger ones, also infinite ones, to the largest finite number. */
uint8_t f8_from_double(double value, const struct f8 *type);

/* Returns x * y + z, rounded to odd: the last bit is set if bits are lost. A second rounding, to
 * fewer bits, then gives the correctly rounded result. The product must be exact. */
double fma_odd(double x, double y, double z);

#endif
