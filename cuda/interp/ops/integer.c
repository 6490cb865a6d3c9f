/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arithmetic of integers of 16, 32 and 64 bits, alone, in pairs of 16 bits, and with carry.
 */
#include "interp/rules.h"

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 wide_signed;

/* Instructions whose results do not depend on the sign of the operands; and abs.  */
#define SIGNLESS(bits, U)                                                                          \
    BINARY(add_##bits, U, U, x + y)                                                                \
    BINARY(sub_##bits, U, U, x - y)                                                                \
    BINARY(mul_lo_##bits, U, U, 1u * x * y)                                                        \
    TERNARY(mad_lo_##bits, U, U, U, 1u * x * y + z)                                                \
    UNARY(neg_##bits, U, U, 0u - x)                                                                \
    UNARY(abs_##bits, U, U, x >> (bits - 1) ? 0u - x : x)
SIGNLESS(16, uint16_t)
SIGNLESS(32, uint32_t)
SIGNLESS(64, uint64_t)

/* Instructions on a type T of integers. U: unsigned type of its size; W: type of twice its size. As on
 * GPUs, the quotient of a division by zero has all bits set, and its remainder is the dividend. The
 * smallest number, divided by -1, gives itself. */
#define IS_MINUS_1(T, y) ((T)-1 < 1 && (y) == (T)-1)
#define HIGH(T, U, W)    ((U)((W)x * y >> 8 * sizeof(T)))
#define TYPED(suffix, T, U, W)                                                                     \
    BINARY(min_##suffix, U, T, x < y ? x : y)                                                      \
    BINARY(max_##suffix, U, T, x > y ? x : y)                                                      \
    TERNARY(sad_##suffix, U, T, U, (U)(x < y ? (U)y - (U)x : (U)x - (U)y) + z)                     \
    BINARY(mul_hi_##suffix, U, T, HIGH(T, U, W))                                                   \
    TERNARY(mad_hi_##suffix, U, T, U, HIGH(T, U, W) + z)                                           \
    BINARY(div_##suffix, U, T, y == 0 ? (U)-1 : IS_MINUS_1(T, y) ? (U)(0u - (U)x) : (U)(x / y))    \
    BINARY(rem_##suffix, U, T, y == 0 ? (U)x : IS_MINUS_1(T, y) ? (U)0 : (U)(x % y))
TYPED(u16, uint16_t, uint16_t, uint32_t)
TYPED(s16, int16_t, uint16_t, int32_t)
TYPED(u32, uint32_t, uint32_t, uint64_t)
TYPED(s32, int32_t, uint32_t, int64_t)
TYPED(u64, uint64_t, uint64_t, wide)
TYPED(s64, int64_t, uint64_t, wide_signed)

/* Products of twice the size, with a result of the unsigned type R. */
#define WIDE(suffix, T, W, R)                                                                      \
    BINARY(mul_wide_##suffix, R, T, (W)x *y)                                                       \
    TERNARY(mad_wide_##suffix, R, T, R, (R)((W)x * y) + z)
WIDE(u16, uint16_t, uint32_t, uint32_t)
WIDE(s16, int16_t, int32_t, uint32_t)
WIDE(u32, uint32_t, uint64_t, uint64_t)
WIDE(s32, int32_t, int64_t, uint64_t)

/* Products of the low 24 bits of the operands, extended by zeros or the sign. */
#define PRODUCT_24(T, W) ((W)((T)(x << 8) >> 8) * ((T)(y << 8) >> 8))
#define LOW_24(suffix, T, W)                                                                       \
    BINARY(mul24_lo_##suffix, uint32_t, uint32_t, PRODUCT_24(T, W))                                \
    BINARY(mul24_hi_##suffix, uint32_t, uint32_t, PRODUCT_24(T, W) >> 16)                          \
    TERNARY(mad24_lo_##suffix, uint32_t, uint32_t, uint32_t, (uint32_t)PRODUCT_24(T, W) + z)       \
    TERNARY(mad24_hi_##suffix, uint32_t, uint32_t, uint32_t, (uint32_t)(PRODUCT_24(T, W) >> 16) + z)
LOW_24(u32, uint32_t, uint64_t)
LOW_24(s32, int32_t, int64_t)

BINARY(add_sat_s32, int32_t, int32_t, limited((int64_t)x + y, 32, true))
BINARY(sub_sat_s32, int32_t, int32_t, limited((int64_t)x - y, 32, true))
TERNARY(mad_hi_sat_s32, int32_t, int32_t, int32_t, limited(((int64_t)x * y >> 32) + z, 32, true))
TERNARY(mad24_hi_sat_s32, int32_t, uint32_t, int32_t,
        limited((PRODUCT_24(int32_t, int64_t) >> 16) + z, 32, true))
BINARY(min_relu_s32, int32_t, int32_t, (x < y ? x : y) > 0 ? (x < y ? x : y) : 0)
BINARY(max_relu_s32, int32_t, int32_t, (x > y ? x : y) > 0 ? (x > y ? x : y) : 0)

/* Returns a register with two 16-bit halves. */
static inline uint32_t halves(uint32_t low, uint32_t high)
{
    return (low & 0xffffu) | high << 16;
}

/* Defines a function that chooses, of two pairs of halves, each half by a comparison. half: type of
 * the halves; is: < or >. */
#define CHOOSE(name, half, is)                                                                     \
    static inline uint32_t name(uint32_t x, uint32_t y)                                            \
    {                                                                                              \
        return halves((half)x is(half) y ? x : y,                                                  \
                      ((half)(x >> 16) is(half)(y >> 16) ? x : y) >> 16);                          \
    }
CHOOSE(min_s16x2, int16_t, <)
CHOOSE(max_s16x2, int16_t, >)
CHOOSE(min_u16x2, uint16_t, <)
CHOOSE(max_u16x2, uint16_t, >)

/* Instructions on pairs: key, handler, result. */
#define PAIRS(X)                                                                                   \
    X(PAIR, "add.u16x2", add_u16_2, "4=44", halves(x + y, (x >> 16) + (y >> 16)))                  \
    X(PAIR, "min.s16x2", min_s16_2, "4=44", min_s16x2(x, y))                                       \
    X(PAIR, "max.s16x2", max_s16_2, "4=44", max_s16x2(x, y))                                       \
    X(PAIR, "min.u16x2", min_u16_2, "4=44", min_u16x2(x, y))                                       \
    X(PAIR, "max.u16x2", max_u16_2, "4=44", max_u16x2(x, y))                                       \
    X(PAIR, "min.s16x2.relu", min_relu_s16_2, "4=44", max_s16x2(min_s16x2(x, y), 0))               \
    X(PAIR, "max.s16x2.relu", max_relu_s16_2, "4=44", max_s16x2(max_s16x2(x, y), 0))
#define PAIR(name, expression) BINARY(name, uint32_t, uint32_t, expression)
PAIRS(DEFINE_RULE)

/* ---- Carries ------------------------------------------------------------------------------------ */

static inline uint32_t carry_in(const struct warp *warp, unsigned i)
{
    return warp->carry >> i & 1;
}

static inline void carry_out(struct warp *warp, unsigned i, bool carry)
{
    warp->carry = (warp->carry & ~(1u << i)) | (uint32_t)carry << i;
}

/* Defines the handler of an addition, subtraction, or multiplication and addition. in: the carry k that
 * is added; out: 1 to set the carry flag; sum: the result, exact in the type `wide` of k. A subtraction
 * adds the complement and 1, so that it sets the carry unless it borrows. Code from nvcc relies on
 * this: it reads the carry of sub.cc with addc. */
#define CARRY(name, T, in, out, sum)                                                               \
    static void name(struct warp *warp, const struct op *op)                                       \
    {                                                                                              \
        T *d = reg(warp, op->d);                                                                   \
        const T *a = reg(warp, op->a);                                                             \
        const T *b = reg(warp, op->b);                                                             \
        const T *c = reg(warp, op->c);                                                             \
        (void)c;                                                                                   \
        FOR_MASK(warp->mask, {                                                                     \
            T x = a[i];                                                                            \
            T y = b[i];                                                                            \
            wide k = in;                                                                           \
            wide s = sum;                                                                          \
            d[i] = (T)s;                                                                           \
            if (out) {                                                                             \
                carry_out(warp, i, (s >> (8 * sizeof(T)) & 1) != 0);                               \
            }                                                                                      \
        })                                                                                         \
    }

/* Sums of x and another number: key, name, arguments of CARRY. */
#define SUMS(X)                                                                                    \
    X("add.cc", add_cc, 0, 1, y)                                                                   \
    X("addc", addc, carry_in(warp, i), 0, y)                                                       \
    X("addc.cc", addc_cc, carry_in(warp, i), 1, y)                                                 \
    X("sub.cc", sub_cc, 1, 1, ~y)                                                                  \
    X("subc", subc, carry_in(warp, i), 0, ~y)                                                      \
    X("subc.cc", subc_cc, carry_in(warp, i), 1, ~y)
#define SUM(key, name, in, out, e)                                                                 \
    CARRY(name##_32, uint32_t, in, out, k + x + (uint32_t)(e))                                     \
    CARRY(name##_64, uint64_t, in, out, k + x + (uint64_t)(e))
#define SUM_ROWS(key, name, ...)                                                                   \
    {key ".u32", name##_32, NULL, "4=44"}, {key ".s32", name##_32, NULL, "4=44"},                  \
        {key ".b32", name##_32, NULL, "4=44"}, {key ".u64", name##_64, NULL, "8=88"},              \
        {key ".s64", name##_64, NULL, "8=88"},
SUMS(SUM)

/* Products to which c is added: their half, type, C type, widths of the operands, and value. */
#define PRODUCTS(X)                                                                                \
    X(lo, u32, uint32_t, "4=444", x *y)                                                            \
    X(lo, s32, uint32_t, "4=444", x *y)                                                            \
    X(lo, u64, uint64_t, "8=888", x *y)                                                            \
    X(lo, s64, uint64_t, "8=888", x *y)                                                            \
    X(hi, u32, uint32_t, "4=444", (uint64_t)x *y >> 32)                                            \
    X(hi, s32, uint32_t, "4=444", (int64_t)(int32_t)x *(int32_t)y >> 32)                           \
    X(hi, u64, uint64_t, "8=888", (wide)x *y >> 64)                                                \
    X(hi, s64, uint64_t, "8=888", (wide_signed)(int64_t)x *(int64_t)y >> 64)
#define PRODUCT(half, type, T, widths, e)                                                          \
    CARRY(mad_cc_##half##_##type, T, 0, 1, k + (T)(e) + c[i])                                      \
    CARRY(madc_##half##_##type, T, carry_in(warp, i), 0, k + (T)(e) + c[i])                        \
    CARRY(madc_cc_##half##_##type, T, carry_in(warp, i), 1, k + (T)(e) + c[i])
#define PRODUCT_ROWS(half, type, T, widths, ...)                                                   \
    {"mad." #half ".cc." #type, mad_cc_##half##_##type, NULL, widths},                             \
        {"madc." #half "." #type, madc_##half##_##type, NULL, widths},                             \
        {"madc." #half ".cc." #type, madc_cc_##half##_##type, NULL, widths},
PRODUCTS(PRODUCT)

const struct rule integer_rules[] = {
    BOTH("add", add, add_sat_s32, TWO),
    BOTH("sub", sub, sub_sat_s32, TWO),
    BOTH("neg", neg, NULL, ONE),
    SIZES("abs", "s", abs_, ONE),
    EACH("min", min, NULL, TWO),
    EACH("max", max, NULL, TWO),
    EACH("sad", sad, NULL, THREE),
    BOTH("mul.lo", mul_lo, NULL, TWO),
    EACH("mul.hi", mul_hi, NULL, TWO),
    BOTH("mad.lo", mad_lo, NULL, THREE),
    EACH("mad.hi", mad_hi, mad_hi_sat_s32, THREE),
    EACH("div", div, NULL, TWO),
    EACH("rem", rem, NULL, TWO),
    {"mul.wide.u16", mul_wide_u16, NULL, "4=22"},
    {"mul.wide.s16", mul_wide_s16, NULL, "4=22"},
    U32_S32("mul.wide", mul_wide, "8=44"),
    {"mad.wide.u16", mad_wide_u16, NULL, "4=224"},
    {"mad.wide.s16", mad_wide_s16, NULL, "4=224"},
    U32_S32("mad.wide", mad_wide, "8=448"),
    U32_S32("mul24.lo", mul24_lo, "4=44"),
    U32_S32("mul24.hi", mul24_hi, "4=44"),
    U32_S32("mad24.lo", mad24_lo, "4=444"),
    {"mad24.hi.u32", mad24_hi_u32, NULL, "4=444"},
    {"mad24.hi.s32", mad24_hi_s32, mad24_hi_sat_s32, "4=444"},
    {"min.relu.s32", min_relu_s32, NULL, "4=44"},
    {"max.relu.s32", max_relu_s32, NULL, "4=44"},
    {"min.s32.relu", min_relu_s32, NULL, "4=44"},
    {"max.s32.relu", max_relu_s32, NULL, "4=44"},
    {"add.s16x2", add_u16_2, NULL, "4=44"},
    PAIRS(RULE_ROW) SUMS(SUM_ROWS) PRODUCTS(PRODUCT_ROWS){NULL, NULL, NULL, NULL},
};
