/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Integer multiplication and division.
 */
#include "interp/rules.h"

__extension__ typedef unsigned __int128 wide_unsigned;
__extension__ typedef __int128 wide_signed;

/* Products, computed in a type of twice the width. */
#define P16U(x, y) ((uint32_t)(x) * (uint32_t)(y))
#define P16S(x, y) ((int32_t)(x) * (int32_t)(y))
#define P32U(x, y) ((uint64_t)(x) * (uint64_t)(y))
#define P32S(x, y) ((int64_t)(x) * (int64_t)(y))
#define P64U(x, y) ((wide_unsigned)(x) * (wide_unsigned)(y))
#define P64S(x, y) ((wide_signed)(x) * (wide_signed)(y))

#define MULTIPLY(bits, U, PU, PS)                                                                  \
    BINARY(mul_lo_##bits, U, U, PU(x, y))                                                          \
    BINARY(mul_hi_u##bits, U, U, PU(x, y) >> bits)                                                 \
    BINARY(mul_hi_s##bits, U, int##bits##_t, PS(x, y) >> bits)                                     \
    TERNARY(mad_lo_##bits, U, U, U, (U)PU(x, y) + z)                                               \
    TERNARY(mad_hi_u##bits, U, U, U, (U)(PU(x, y) >> bits) + z)                                    \
    TERNARY(mad_hi_s##bits, U, int##bits##_t, U, (U)(PS(x, y) >> bits) + z)

MULTIPLY(16, uint16_t, P16U, P16S)
MULTIPLY(32, uint32_t, P32U, P32S)
MULTIPLY(64, uint64_t, P64U, P64S)

BINARY(mul_wide_u16, uint32_t, uint16_t, P16U(x, y))
BINARY(mul_wide_s16, uint32_t, int16_t, P16S(x, y))
BINARY(mul_wide_u32, uint64_t, uint32_t, P32U(x, y))
BINARY(mul_wide_s32, uint64_t, int32_t, P32S(x, y))
TERNARY(mad_wide_u16, uint32_t, uint16_t, uint32_t, P16U(x, y) + z)
TERNARY(mad_wide_s16, uint32_t, int16_t, uint32_t, (uint32_t)P16S(x, y) + z)
TERNARY(mad_wide_u32, uint64_t, uint32_t, uint64_t, P32U(x, y) + z)
TERNARY(mad_wide_s32, uint64_t, int32_t, uint64_t, (uint64_t)P32S(x, y) + z)

TERNARY(mad_hi_sat_s32, int32_t, int32_t, int32_t, limited((P32S(x, y) >> 32) + z, 32, true))

/* The low 24 bits of an operand, extended by zeros (U24) or the sign (S24). */
#define U24(x) ((uint32_t)(x)&0xffffffu)
#define S24(x) ((int32_t)((uint32_t)(x) << 8) >> 8)
BINARY(mul24_lo_u32, uint32_t, uint32_t, P32U(U24(x), U24(y)))
BINARY(mul24_hi_u32, uint32_t, uint32_t, P32U(U24(x), U24(y)) >> 16)
BINARY(mul24_lo_s32, uint32_t, uint32_t, P32S(S24(x), S24(y)))
BINARY(mul24_hi_s32, uint32_t, uint32_t, P32S(S24(x), S24(y)) >> 16)
TERNARY(mad24_lo_u32, uint32_t, uint32_t, uint32_t, (uint32_t)P32U(U24(x), U24(y)) + z)
TERNARY(mad24_hi_u32, uint32_t, uint32_t, uint32_t, (uint32_t)(P32U(U24(x), U24(y)) >> 16) + z)
TERNARY(mad24_lo_s32, uint32_t, uint32_t, uint32_t, (uint32_t)P32S(S24(x), S24(y)) + z)
TERNARY(mad24_hi_s32, uint32_t, uint32_t, uint32_t, (uint32_t)(P32S(S24(x), S24(y)) >> 16) + z)
TERNARY(mad24_hi_sat_s32, int32_t, uint32_t, int32_t,
        limited((P32S(S24(x), S24(y)) >> 16) + z, 32, true))

const struct rule multiply_rules[] = {
    BOTH("mul.lo", mul_lo, NULL, TWO),
    EACH("mul.hi", mul_hi, NULL, TWO),
    {"mul.wide.u16", mul_wide_u16, NULL, "4=22"},
    {"mul.wide.s16", mul_wide_s16, NULL, "4=22"},
    U32_S32("mul.wide", mul_wide, "8=44"),
    BOTH("mad.lo", mad_lo, NULL, THREE),
    EACH("mad.hi", mad_hi, mad_hi_sat_s32, THREE),
    {"mad.wide.u16", mad_wide_u16, NULL, "4=224"},
    {"mad.wide.s16", mad_wide_s16, NULL, "4=224"},
    U32_S32("mad.wide", mad_wide, "8=448"),
    U32_S32("mul24.lo", mul24_lo, "4=44"),
    U32_S32("mul24.hi", mul24_hi, "4=44"),
    U32_S32("mad24.lo", mad24_lo, "4=444"),
    {"mad24.hi.u32", mad24_hi_u32, NULL, "4=444"},
    {"mad24.hi.s32", mad24_hi_s32, mad24_hi_sat_s32, "4=444"},
    {NULL, NULL, NULL, NULL},
};

/* ---- Division ------------------------------------------------------------------------------------ */

/* As on GPUs, the quotient of a division by zero has all bits set, and its remainder is the
 * dividend. The smallest number, divided by -1, gives itself. */
#define DIVIDE(bits)                                                                               \
    BINARY(div_u##bits, uint##bits##_t, uint##bits##_t, y ? x / y : UINT##bits##_MAX)              \
    BINARY(rem_u##bits, uint##bits##_t, uint##bits##_t, y ? x % y : x)                             \
    BINARY(div_s##bits, uint##bits##_t, int##bits##_t,                                             \
           y == 0    ? UINT##bits##_MAX                                                            \
           : y == -1 ? (uint##bits##_t)0 - (uint##bits##_t)x                                       \
                     : (uint##bits##_t)(x / y))                                                    \
    BINARY(rem_s##bits, uint##bits##_t, int##bits##_t,                                             \
           y == 0    ? (uint##bits##_t)x                                                           \
           : y == -1 ? (uint##bits##_t)0                                                           \
                     : (uint##bits##_t)(x % y))

DIVIDE(16)
DIVIDE(32)
DIVIDE(64)

const struct rule divide_rules[] = {
    EACH("div", div, NULL, TWO),
    EACH("rem", rem, NULL, TWO),
    {NULL, NULL, NULL, NULL},
};
