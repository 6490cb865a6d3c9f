/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addition, subtraction, absolute value, minimum and maximum of integers; addition and subtraction
 * with carry.
 */
#include "interp/rules.h"

#define WRAPPING(bits)                                                                             \
    BINARY(add_##bits, uint##bits##_t, uint##bits##_t, x + y)                                      \
    BINARY(sub_##bits, uint##bits##_t, uint##bits##_t, x - y)                                      \
    UNARY(neg_##bits, uint##bits##_t, uint##bits##_t, 0u - x)                                      \
    UNARY(abs_##bits, uint##bits##_t, uint##bits##_t, x >> (bits - 1) ? 0u - x : x)                \
    BINARY(min_u##bits, uint##bits##_t, uint##bits##_t, x < y ? x : y)                             \
    BINARY(max_u##bits, uint##bits##_t, uint##bits##_t, x > y ? x : y)                             \
    BINARY(min_s##bits, int##bits##_t, int##bits##_t, x < y ? x : y)                               \
    BINARY(max_s##bits, int##bits##_t, int##bits##_t, x > y ? x : y)                               \
    TERNARY(sad_u##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t,                           \
            (uint##bits##_t)((uint##bits##_t)(x < y ? y - x : x - y) + z))

WRAPPING(16)
WRAPPING(32)
WRAPPING(64)

TERNARY(sad_s16, uint16_t, int16_t, uint16_t, (uint16_t)(x < y ? y - x : x - y) + z)
TERNARY(sad_s32, uint32_t, int32_t, uint32_t,
        (x < y ? (uint32_t)y - (uint32_t)x : (uint32_t)x - (uint32_t)y) + z)
TERNARY(sad_s64, uint64_t, int64_t, uint64_t,
        (x < y ? (uint64_t)y - (uint64_t)x : (uint64_t)x - (uint64_t)y) + z)

BINARY(add_sat_s32, int32_t, int32_t, limited((int64_t)x + y, 32, true))
BINARY(sub_sat_s32, int32_t, int32_t, limited((int64_t)x - y, 32, true))
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

BINARY(add_16x2, uint32_t, uint32_t, halves(x + y, (x >> 16) + (y >> 16)))
BINARY(min_s16_2, uint32_t, uint32_t, min_s16x2(x, y))
BINARY(max_s16_2, uint32_t, uint32_t, max_s16x2(x, y))
BINARY(min_relu_s16_2, uint32_t, uint32_t, max_s16x2(min_s16x2(x, y), 0))
BINARY(max_relu_s16_2, uint32_t, uint32_t, max_s16x2(max_s16x2(x, y), 0))
BINARY(min_u16_2, uint32_t, uint32_t, min_u16x2(x, y))
BINARY(max_u16_2, uint32_t, uint32_t, max_u16x2(x, y))

const struct rule add_rules[] = {
    BOTH("add", add, add_sat_s32, TWO),
    BOTH("sub", sub, sub_sat_s32, TWO),
    BOTH("neg", neg, NULL, ONE),
    SIZES("abs", "s", abs_, ONE),
    EACH("min", min, NULL, TWO),
    EACH("max", max, NULL, TWO),
    EACH("sad", sad, NULL, THREE),
    {"min.relu.s32", min_relu_s32, NULL, "4=44"},
    {"max.relu.s32", max_relu_s32, NULL, "4=44"},
    {"min.s32.relu", min_relu_s32, NULL, "4=44"},
    {"max.s32.relu", max_relu_s32, NULL, "4=44"},
    {"min.s16x2.relu", min_relu_s16_2, NULL, "4=44"},
    {"max.s16x2.relu", max_relu_s16_2, NULL, "4=44"},
    {"add.u16x2", add_16x2, NULL, "4=44"},
    {"add.s16x2", add_16x2, NULL, "4=44"},
    {"min.s16x2", min_s16_2, NULL, "4=44"},
    {"max.s16x2", max_s16_2, NULL, "4=44"},
    {"min.u16x2", min_u16_2, NULL, "4=44"},
    {"max.u16x2", max_u16_2, NULL, "4=44"},
    {NULL, NULL, NULL, NULL},
};

/* ---- Carries ------------------------------------------------------------------------------------ */

static inline uint32_t carry_in(const struct warp *warp, unsigned i)
{
    return warp->carry >> i & 1;
}

static inline void carry_out(struct warp *warp, unsigned i, bool carry)
{
    warp->carry = (warp->carry & ~(1u << i)) | (uint32_t)carry << i;
}

__extension__ typedef unsigned __int128 wide;

/* Defines the handler of an addition, subtraction, or multiplication and addition. in: 1 to add the
 * carry flag; out: 1 to set it; sum: the result, exact in the type `wide` of k, the carry. A
 * subtraction adds the complement and 1, so that it sets the carry unless it borrows. Code from nvcc
 * relies on this: it reads the carry of sub.cc with addc. */
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
            wide k = (in) ? carry_in(warp, i) : 0;                                                 \
            wide s = sum;                                                                          \
            d[i] = (T)s;                                                                           \
            if (out) {                                                                             \
                carry_out(warp, i, (s >> (8 * sizeof(T)) & 1) != 0);                               \
            }                                                                                      \
        })                                                                                         \
    }

CARRY(add_cc_32, uint32_t, 0, 1, k + x + y)
CARRY(addc_32, uint32_t, 1, 0, k + x + y)
CARRY(addc_cc_32, uint32_t, 1, 1, k + x + y)
CARRY(sub_cc_32, uint32_t, 0, 1, k + x + (uint32_t)~y + 1)
CARRY(subc_32, uint32_t, 1, 0, k + x + (uint32_t)~y)
CARRY(subc_cc_32, uint32_t, 1, 1, k + x + (uint32_t)~y)
CARRY(add_cc_64, uint64_t, 0, 1, k + x + y)
CARRY(addc_64, uint64_t, 1, 0, k + x + y)
CARRY(addc_cc_64, uint64_t, 1, 1, k + x + y)
CARRY(sub_cc_64, uint64_t, 0, 1, k + x + (uint64_t)~y + 1)
CARRY(subc_64, uint64_t, 1, 0, k + x + (uint64_t)~y)
CARRY(subc_cc_64, uint64_t, 1, 1, k + x + (uint64_t)~y)

__extension__ typedef __int128 wide_signed;
static inline uint64_t high_u64(uint64_t x, uint64_t y)
{
    return (uint64_t)((wide)x * y >> 64);
}
static inline uint64_t high_s64(uint64_t x, uint64_t y)
{
    return (uint64_t)((wide_signed)(int64_t)x * (int64_t)y >> 64);
}
static inline uint32_t high_u32(uint32_t x, uint32_t y)
{
    return (uint32_t)((uint64_t)x * y >> 32);
}
static inline uint32_t high_s32(uint32_t x, uint32_t y)
{
    return (uint32_t)((int64_t)(int32_t)x * (int32_t)y >> 32);
}

#define MAD_CARRY(name, T, in, out, product) CARRY(name, T, in, out, k + (T)(product) + c[i])
#define MAD_CARRIES(name, T, product)                                                              \
    MAD_CARRY(mad_cc_##name, T, 0, 1, product)                                                     \
    MAD_CARRY(madc_##name, T, 1, 0, product)                                                       \
    MAD_CARRY(madc_cc_##name, T, 1, 1, product)

MAD_CARRIES(lo_32, uint32_t, x *y)
MAD_CARRIES(hi_u32, uint32_t, high_u32(x, y))
MAD_CARRIES(hi_s32, uint32_t, high_s32(x, y))
MAD_CARRIES(lo_64, uint64_t, x *y)
MAD_CARRIES(hi_u64, uint64_t, high_u64(x, y))
MAD_CARRIES(hi_s64, uint64_t, high_s64(x, y))

#define CARRY_ROWS(word, name)                                                                     \
    {word ".u32", name##_32, NULL, "4=44"}, {word ".s32", name##_32, NULL, "4=44"},                \
        {word ".b32", name##_32, NULL, "4=44"}, {word ".u64", name##_64, NULL, "8=88"},            \
    {                                                                                              \
        word ".s64", name##_64, NULL, "8=88"                                                       \
    }
#define MAD_ROWS(half, type, name, widths)                                                         \
    {"mad." half ".cc." type, mad_cc_##name, NULL, widths},                                        \
        {"madc." half "." type, madc_##name, NULL, widths},                                        \
    {                                                                                              \
        "madc." half ".cc." type, madc_cc_##name, NULL, widths                                     \
    }

const struct rule carry_rules[] = {
    CARRY_ROWS("add.cc", add_cc),
    CARRY_ROWS("addc", addc),
    CARRY_ROWS("addc.cc", addc_cc),
    CARRY_ROWS("sub.cc", sub_cc),
    CARRY_ROWS("subc", subc),
    CARRY_ROWS("subc.cc", subc_cc),
    MAD_ROWS("lo", "u32", lo_32, "4=444"),
    MAD_ROWS("lo", "s32", lo_32, "4=444"),
    MAD_ROWS("hi", "u32", hi_u32, "4=444"),
    MAD_ROWS("hi", "s32", hi_s32, "4=444"),
    MAD_ROWS("lo", "u64", lo_64, "8=888"),
    MAD_ROWS("lo", "s64", lo_64, "8=888"),
    MAD_ROWS("hi", "u64", hi_u64, "8=888"),
    MAD_ROWS("hi", "s64", hi_s64, "8=888"),
    {NULL, NULL, NULL, NULL},
};
