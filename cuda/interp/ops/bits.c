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

UNARY(popc_32, uint32_t, uint32_t, count_bits(x))
UNARY(popc_64, uint32_t, uint64_t, count_bits(x))
UNARY(clz_32, uint32_t, uint32_t, leading_zeros(x, 32))
UNARY(clz_64, uint32_t, uint64_t, leading_zeros(x, 64))
UNARY(brev_32, uint32_t, uint32_t, reverse(x) >> 32)
UNARY(brev_64, uint64_t, uint64_t, reverse(x))
UNARY(bfind_u32, uint32_t, uint32_t, find(x, 32, false))
UNARY(bfind_u64, uint32_t, uint64_t, find(x, 64, false))
UNARY(bfind_s32, uint32_t, int32_t, find((uint32_t)(x < 0 ? ~x : x), 32, false))
UNARY(bfind_s64, uint32_t, int64_t, find((uint64_t)(x < 0 ? ~x : x), 64, false))
UNARY(bfind_amount_u32, uint32_t, uint32_t, find(x, 32, true))
UNARY(bfind_amount_u64, uint32_t, uint64_t, find(x, 64, true))
UNARY(bfind_amount_s32, uint32_t, int32_t, find((uint32_t)(x < 0 ? ~x : x), 32, true))
UNARY(bfind_amount_s64, uint32_t, int64_t, find((uint64_t)(x < 0 ? ~x : x), 64, true))

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
    static void name(struct warp *warp, const struct op *op)                                       \
    {                                                                                              \
        T *d = reg(warp, op->d);                                                                   \
        const T *a = reg(warp, op->a);                                                             \
        const uint32_t *b = reg(warp, op->b);                                                      \
        const uint32_t *c = reg(warp, op->c);                                                      \
        FOR_MASK(warp->mask, { d[i] = (T)extract(a[i], b[i], c[i], bits, is_signed); })            \
    }
#define INSERT(name, T, bits)                                                                      \
    static void name(struct warp *warp, const struct op *op)                                       \
    {                                                                                              \
        T *d = reg(warp, op->d);                                                                   \
        const T *a = reg(warp, op->a);                                                             \
        const T *b = reg(warp, op->b);                                                             \
        const uint32_t *c = reg(warp, op->c);                                                      \
        const uint32_t *e = reg(warp, op->e);                                                      \
        FOR_MASK(warp->mask, { d[i] = (T)insert(a[i], b[i], c[i], e[i], bits); })                  \
    }
EXTRACT(bfe_u32, uint32_t, 32, false)
EXTRACT(bfe_s32, uint32_t, 32, true)
EXTRACT(bfe_u64, uint64_t, 64, false)
EXTRACT(bfe_s64, uint64_t, 64, true)
INSERT(bfi_32, uint32_t, 32)
INSERT(bfi_64, uint64_t, 64)

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
TERNARY(fns, uint32_t, uint32_t, uint32_t, nth_set(x, y, (int32_t)z))

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

#define DOT(suffix, sx, sy)                                                                        \
    TERNARY(dp4a_##suffix, uint32_t, uint32_t, uint32_t, dot4(x, y, z, sx, sy))                    \
    TERNARY(dp2a_lo_##suffix, uint32_t, uint32_t, uint32_t, dot2(x, y, z, sx, sy, 0))              \
    TERNARY(dp2a_hi_##suffix, uint32_t, uint32_t, uint32_t, dot2(x, y, z, sx, sy, 2))
DOT(uu, false, false)
DOT(us, false, true)
DOT(su, true, false)
DOT(ss, true, true)
#define DOT_ROWS(types, suffix)                                                                    \
    {"dp4a" types, dp4a_##suffix, NULL, "4=444"},                                                  \
        {"dp2a.lo" types, dp2a_lo_##suffix, NULL, "4=444"},                                        \
    {                                                                                              \
        "dp2a.hi" types, dp2a_hi_##suffix, NULL, "4=444"                                           \
    }

#define FOUR(word, name, widths, wide)                                                             \
    U32_S32(word, name, widths), {word ".u64", name##_u64, NULL, wide},                            \
    {                                                                                              \
        word ".s64", name##_s64, NULL, wide                                                        \
    }

const struct rule bit_rules[] = {
    {"popc.b32", popc_32, NULL, "4=4"},
    {"popc.b64", popc_64, NULL, "4=8"},
    {"clz.b32", clz_32, NULL, "4=4"},
    {"clz.b64", clz_64, NULL, "4=8"},
    {"brev.b32", brev_32, NULL, "4=4"},
    {"brev.b64", brev_64, NULL, "8=8"},
    FOUR("bfind", bfind, "4=4", "4=8"),
    FOUR("bfind.shiftamt", bfind_amount, "4=4", "4=8"),
    FOUR("bfe", bfe, "4=444", "8=844"),
    {"bfi.b32", bfi_32, NULL, "4=4444"},
    {"bfi.b64", bfi_64, NULL, "8=8844"},
    {"fns.b32", fns, NULL, "4=444"},
    DOT_ROWS(".u32.u32", uu),
    DOT_ROWS(".u32.s32", us),
    DOT_ROWS(".s32.u32", su),
    DOT_ROWS(".s32.s32", ss),
    {NULL, NULL, NULL, NULL},
};
