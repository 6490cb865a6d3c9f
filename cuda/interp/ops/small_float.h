/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rounding, minimum and maximum, and arithmetic of halves.
 */
#ifndef WARPSCOPE_CUDA_INTERP_SMALL_FLOAT_H
#define WARPSCOPE_CUDA_INTERP_SMALL_FLOAT_H

#include "interp/machine.h"
#include "ptx/small_float.h"
#include <fenv.h>
#include <math.h>

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

#endif
