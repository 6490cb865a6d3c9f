/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Instructions that count, find, extract and insert bits; dot products of bytes.
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

const struct rule bit_rules[] = {BITS(RULE_ROW){NULL, NULL, NULL, NULL}};
