/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Instructions that count, find, extract and insert bits; dot products of bytes; bitwise logic of
 * registers and predicates, shifts, permutations of bytes.
 */
#include "interp/rules.h"

static inline uint32_t count_bits(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(x * 0x0101010101010101u >> 56);
}

static inline uint32_t leading_zeros(uint64_t x, uint32_t bits)
{
    return x ? (uint32_t)__builtin_clzll(x) - (64 - bits) : bits;
}

/* Returns the position of the highest 1 bit in x, or if `amount` is true, the number of bits above
 * it. Returns all ones if x is 0. */
static inline uint32_t find(uint64_t x, uint32_t bits, bool amount)
{
    return !x ? UINT32_MAX : amount ? leading_zeros(x, bits) : bits - 1 - leading_zeros(x, bits);
}

static inline uint64_t reverse(uint64_t x)
{
    x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
    x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
    return __builtin_bswap64(x);
}

/* Returns `length` bits of x, from bit `position` on. The higher bits of the result are copies of
 * the highest of these bits if is_signed is true, else 0. */
static inline uint64_t extract(uint64_t x, uint32_t position, uint32_t length, uint32_t bits,
                               bool is_signed)
{
    position &= 0xff;
    length &= 0xff;
    uint64_t top = position + length - 1 < bits - 1 ? position + length - 1 : bits - 1;
    uint64_t fill = is_signed && length && (x >> top & 1) ? UINT64_MAX : 0;
    /* Number of bits from `position` to the end of x. */
    uint64_t above = position >= bits ? 0 : bits - position;
    uint64_t field = position >= bits ? 0 : x >> position;
    uint64_t have = length < above ? length : above;
    uint64_t keep = have >= 64 ? UINT64_MAX : (1ull << have) - 1;
    return (field & keep) | (fill & ~keep);
}

static inline uint64_t insert(uint64_t field, uint64_t x, uint32_t position, uint32_t length,
                              uint32_t bits)
{
    position &= 0xff;
    length &= 0xff;
    if (position >= bits) {
        return x;
    }
    uint64_t mask = (length >= 64 ? UINT64_MAX : (1ull << length) - 1) << position;
    return (x & ~mask) | (field << position & mask);
}

#define EXTRACT(name, T, bits, is_signed)                                                          \
    HANDLER(name, T, SOURCE(a, T) SOURCE(b, uint32_t) SOURCE(c, uint32_t), ONLY_OF, ,              \
            extract(a[i], b[i], c[i], bits, is_signed))
#define INSERT(name, T, bits)                                                                      \
    HANDLER(name, T, SOURCE(a, T) SOURCE(b, T) SOURCE(c, uint32_t) SOURCE(e, uint32_t), ONLY_OF, , \
            insert(a[i], b[i], c[i], e[i], bits))

/* Returns the position of the |offset|-th set bit of mask, counted from base upwards, or downwards
 * if offset is negative. Returns all ones if there is none. */
static inline uint32_t nth_set(uint32_t mask, uint32_t base, int32_t offset)
{
    int32_t step = offset < 0 ? -1 : 1, count = 0;
    int64_t wanted = offset < 0 ? -(int64_t)offset : offset;
    if (base > 31) {
        return UINT32_MAX;
    }
    if (offset == 0) {
        return mask >> base & 1 ? base : UINT32_MAX;
    }
    for (int32_t position = (int32_t)base; position >= 0 && position < 32; position += step) {
        if (mask >> position & 1 && ++count == wanted) {
            return (uint32_t)position;
        }
    }
    return UINT32_MAX;
}

static inline uint32_t dot4(uint32_t x, uint32_t y, uint32_t z, bool sx, bool sy)
{
    int64_t sum = 0;
    for (unsigned n = 0; n < 4; n++) {
        sum += extended(x >> 8 * n, 8, sx) * extended(y >> 8 * n, 8, sy);
    }
    return (uint32_t)sum + z;
}

static inline uint32_t dot2(uint32_t x, uint32_t y, uint32_t z, bool sx, bool sy, unsigned high)
{
    y >>= 8 * high;
    int64_t sum = extended(x, 16, sx) * extended(y, 8, sy) +
                  extended(x >> 16, 16, sx) * extended(y >> 8, 8, sy);
    return (uint32_t)sum + z;
}

#define MAGNITUDE(x) ((x) < 0 ? ~(x) : (x))
#define DOTS(X, types, suffix, sx, sy)                                                             \
    X(WORDS, "dp4a" types, dp4a_##suffix, "4=444", dot4(x, y, z, sx, sy))                          \
    X(WORDS, "dp2a.lo" types, dp2a_lo_##suffix, "4=444", dot2(x, y, z, sx, sy, 0))                 \
    X(WORDS, "dp2a.hi" types, dp2a_hi_##suffix, "4=444", dot2(x, y, z, sx, sy, 2))

#define BITS(X)                                                                                    \
    X(UNARY, "popc.b32", popc_32, "4=4", uint32_t, uint32_t, count_bits(x))                        \
    X(UNARY, "popc.b64", popc_64, "4=8", uint32_t, uint64_t, count_bits(x))                        \
    X(UNARY, "clz.b32", clz_32, "4=4", uint32_t, uint32_t, leading_zeros(x, 32))                   \
    X(UNARY, "clz.b64", clz_64, "4=8", uint32_t, uint64_t, leading_zeros(x, 64))                   \
    X(UNARY, "brev.b32", brev_32, "4=4", uint32_t, uint32_t, reverse(x) >> 32)                     \
    X(UNARY, "brev.b64", brev_64, "8=8", uint64_t, uint64_t, reverse(x))                           \
    FINDS(X, "bfind.", bfind_, false)                                                              \
    FINDS(X, "bfind.shiftamt.", bfind_amount_, true)                                               \
    X(EXTRACT, "bfe.u32", bfe_u32, "4=444", uint32_t, 32, false)                                   \
    X(EXTRACT, "bfe.s32", bfe_s32, "4=444", uint32_t, 32, true)                                    \
    X(EXTRACT, "bfe.u64", bfe_u64, "8=844", uint64_t, 64, false)                                   \
    X(EXTRACT, "bfe.s64", bfe_s64, "8=844", uint64_t, 64, true)                                    \
    X(INSERT, "bfi.b32", bfi_32, "4=4444", uint32_t, 32)                                           \
    X(INSERT, "bfi.b64", bfi_64, "8=8844", uint64_t, 64)                                           \
    X(WORDS, "fns.b32", fns, "4=444", nth_set(x, y, (int32_t)z))                                   \
    DOTS(X, ".u32.u32", uu, false, false)                                                          \
    DOTS(X, ".u32.s32", us, false, true)                                                           \
    DOTS(X, ".s32.u32", su, true, false)                                                           \
    DOTS(X, ".s32.s32", ss, true, true)
#define FINDS(X, key, name, amount)                                                                \
    X(UNARY, key "u32", name##u32, "4=4", uint32_t, uint32_t, find(x, 32, amount))                 \
    X(UNARY, key "s32", name##s32, "4=4", uint32_t, int32_t,                                       \
      find((uint32_t)MAGNITUDE(x), 32, amount))                                                    \
    X(UNARY, key "u64", name##u64, "4=8", uint32_t, uint64_t, find(x, 64, amount))                 \
    X(UNARY, key "s64", name##s64, "4=8", uint32_t, int64_t,                                       \
      find((uint64_t)MAGNITUDE(x), 64, amount))
BITS(DEFINE_RULE)

/* ---- Logic -------------------------------------------------------------------------------------- */

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

const struct rule bit_rules[] = {
    BITS(RULE_ROW) LOGIC_ROWS(and, TWO),
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
