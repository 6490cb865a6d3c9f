/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Floating-point numbers of 8 and 16 bits, TF32, and the bit patterns of floating-point numbers.
 */
#ifndef WARPSCOPE_CUDA_PTX_SMALL_FLOAT_H
#define WARPSCOPE_CUDA_PTX_SMALL_FLOAT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ROUND_AWAY: to nearest, ties away from zero. */
enum rounding { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP, ROUND_AWAY };

#define NAN_F32 0x7fffffffu /* the NaN that GPUs return */

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

/* Returns the pattern of an f32 with 10 bits of mantissa; the other 13 bits are 0. */
uint32_t tf32_from_double(double value, enum rounding rounding, bool saturates);

/* A type of small numbers. bits: without the sign, which is above them; most: pattern of the largest
 * finite number. */
struct small {
    uint8_t bits, mantissa_bits;
    int bias;
    uint32_t most;
};
extern const struct small small_f16, small_bf16, small_e4m3, small_e5m2; /* the last two: FP8 */
double small_to_double(uint32_t bits, const struct small *type);
/* saturates: numbers that are too large, also infinite ones, become the largest finite one. */
uint32_t small_from_double(double value, const struct small *type, enum rounding rounding,
                           bool saturates);

#endif
