/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bitwise logic of registers and predicates, shifts, permutations of bytes.
 */
#include "interp/rules.h"

#define LOGIC(bits)                                                                                \
    BINARY(and_##bits, uint##bits##_t, uint##bits##_t, x &y)                                       \
    BINARY(or_##bits, uint##bits##_t, uint##bits##_t, x | y)                                       \
    BINARY(xor_##bits, uint##bits##_t, uint##bits##_t, x ^ y)                                      \
    UNARY(not_##bits, uint##bits##_t, uint##bits##_t, ~x)                                          \
    UNARY(cnot_##bits, uint##bits##_t, uint##bits##_t, x == 0)                                     \
    SHIFT(shl_##bits, uint##bits##_t, y > bits - 1 ? 0 : (uint64_t)x << (y & 63))                  \
    SHIFT(shr_u##bits, uint##bits##_t, y > bits - 1 ? 0 : x >> (y & (bits - 1)))                   \
    SHIFT(shr_s##bits, int##bits##_t, x >> (y > bits - 1 ? bits - 1 : y))

LOGIC(16)
LOGIC(32)
LOGIC(64)

#define PREDICATES(name, expression)                                                               \
    static void name(struct warp *warp, const struct op *op)                                       \
    {                                                                                              \
        uint32_t x = pred(warp, op->a), y = pred(warp, op->b);                                     \
        (void)y;                                                                                   \
        set_pred(warp, op->d, expression);                                                         \
    }
PREDICATES(and_pred, x &y)
PREDICATES(or_pred, x | y)
PREDICATES(xor_pred, x ^ y)
PREDICATES(not_pred, ~x)

/* Funnel shifts (shf) shift the 64 bits y:x by z. A left shift returns the high word, a right shift
 * the low word. */
static inline uint64_t join(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}
static inline uint32_t at_most_32(uint32_t n)
{
    return n < 32 ? n : 32;
}

/* Returns the byte whose index is in the low three bits of the selector. If bit 3 of the selector
 * is set, returns eight copies of the byte's sign bit instead. */
static inline uint32_t selected(uint64_t bytes, uint32_t selector)
{
    uint32_t byte = (uint32_t)(bytes >> (8 * (selector & 7))) & 0xff;
    return selector & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}

static inline uint32_t permute(uint32_t x, uint32_t y, uint32_t z)
{
    uint64_t bytes = join(x, y);
    return selected(bytes, z) | selected(bytes, z >> 4) << 8 | selected(bytes, z >> 8) << 16 |
           selected(bytes, z >> 12) << 24;
}

/* The modes of prmt: name, and the selectors for z & 3 from 0 to 3. */
#define MODES(X)                                                                                   \
    MODE(X, f4e, 0x3210, 0x4321, 0x5432, 0x6543)                                                   \
    MODE(X, b4e, 0x5670, 0x6701, 0x7012, 0x0123)                                                   \
    MODE(X, rc8, 0x0000, 0x1111, 0x2222, 0x3333)                                                   \
    MODE(X, ecl, 0x3210, 0x3211, 0x3222, 0x3333)                                                   \
    MODE(X, ecr, 0x0000, 0x1110, 0x2210, 0x3210)                                                   \
    MODE(X, rc16, 0x1010, 0x3232, 0x1010, 0x3232)
#define MODE(X, name, ...)                                                                         \
    X(WORDS, "prmt.b32." #name, prmt_##name, "4=444",                                              \
      permute(x, y, ((const uint32_t[]){__VA_ARGS__})[z & 3]))

/* Computes a function of three bits from its truth table, for each bit of the registers. */
static void lop3(struct warp *warp, const struct op *op)
{
    uint32_t *d = reg(warp, op->d);
    const uint32_t *a = reg(warp, op->a), *b = reg(warp, op->b), *c = reg(warp, op->c),
                   *e = reg(warp, op->e);
    uint32_t table = e[0];
    uint32_t term[8];
    for (unsigned n = 0; n < 8; n++) {
        term[n] = table >> n & 1 ? ALL_LANES : 0;
    }
    FOR_LANES(warp, {
        uint32_t x = a[i], y = b[i], z = c[i];
        d[i] = (~x & ~y & ~z & term[0]) | (~x & ~y & z & term[1]) | (~x & y & ~z & term[2]) |
               (~x & y & z & term[3]) | (x & ~y & ~z & term[4]) | (x & ~y & z & term[5]) |
               (x & y & ~z & term[6]) | (x & y & z & term[7]);
    });
}

/* Returns the result of bmsk: a mask of `length` bits from bit `position` on. */
static inline uint32_t mask_of(uint32_t position, uint32_t length, bool clamp)
{
    if (!clamp) {
        position &= 31;
        length &= 31;
    }
    if (position >= 32) {
        return 0;
    }
    return (length >= 32 ? ALL_LANES : (1u << length) - 1) << position;
}

/* Returns the result of szext: the low n bits of x, extended by zeros or the sign. */
static inline uint32_t extend(uint32_t x, uint32_t n, bool clamp, bool is_signed)
{
    n = clamp ? n : n & 31;
    return n == 0 ? 0 : n >= 32 ? x : (uint32_t)extended(x, n, is_signed);
}
#define PAIR(name, expression) BINARY(name, uint32_t, uint32_t, expression)
#define ON_WORDS(X)                                                                                \
    X(WORDS, "shf.l.wrap.b32", shf_l_wrap, "4=444", join(x, y) << (z & 31) >> 32)                  \
    X(WORDS, "shf.r.wrap.b32", shf_r_wrap, "4=444", join(x, y) >> (z & 31))                        \
    X(WORDS, "shf.l.clamp.b32", shf_l_clamp, "4=444", join(x, y) << at_most_32(z) >> 32)           \
    X(WORDS, "shf.r.clamp.b32", shf_r_clamp, "4=444", join(x, y) >> at_most_32(z))                 \
    X(WORDS, "prmt.b32", prmt, "4=444", permute(x, y, z))                                          \
    MODES(X)                                                                                       \
    X(PAIR, "bmsk.clamp.b32", bmsk_clamp, "4=44", mask_of(x, y, true))                             \
    X(PAIR, "bmsk.wrap.b32", bmsk_wrap, "4=44", mask_of(x, y, false))                              \
    X(PAIR, "szext.clamp.u32", szext_clamp_u32, "4=44", extend(x, y, true, false))                 \
    X(PAIR, "szext.clamp.s32", szext_clamp_s32, "4=44", extend(x, y, true, true))                  \
    X(PAIR, "szext.wrap.u32", szext_wrap_u32, "4=44", extend(x, y, false, false))                  \
    X(PAIR, "szext.wrap.s32", szext_wrap_s32, "4=44", extend(x, y, false, true))
ON_WORDS(DEFINE_RULE)

#define LOGIC_ROWS(word, width)                                                                    \
    SIZES(#word, "b", word##_, width),                                                             \
    {                                                                                              \
#word ".pred", word##_pred, NULL, "p" width(p)                                             \
    }

const struct rule logic_rules[] = {
    LOGIC_ROWS(and, TWO),
    LOGIC_ROWS(or, TWO),
    LOGIC_ROWS(xor, TWO),
    LOGIC_ROWS(not, ONE),
    SIZES("cnot", "b", cnot_, ONE),
    SIZES("shl", "b", shl_, SHIFTED),
    SIZES("shr", "b", shr_u, SHIFTED),
    SIZES("shr", "u", shr_u, SHIFTED),
    SIZES("shr", "s", shr_s, SHIFTED),
    ON_WORDS(RULE_ROW){"lop3.b32", lop3, NULL, "4=4444"},
    {NULL, NULL, NULL, NULL},
};
