/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Integer instructions of the interpreter against computations in C.
 *
 * test: libs=warpscope_cuda_interp
 */
#include "interp_reference.h"

REF(add_e, x + y)
REF(sub_e, x - y)
REF(mul_e, x *y)
REF(mad_e, x *y + z)
REF(neg_e, 0 - x)
REF(abs32_e, S32(x) < 0 ? 0 - x : x)
REF(abs64_e, S64(x) < 0 ? 0 - x : x)
REF(add_sat_e, S64(S32(x)) + S32(y) > INT32_MAX   ? INT32_MAX
               : S64(S32(x)) + S32(y) < INT32_MIN ? INT32_MIN
                                                  : S32(x) + S64(S32(y)))
REF(mulhi_u32_e, (uint64_t)U32(x) * U32(y) >> 32)
REF(mulhi_s32_e, S64(S32(x)) * S32(y) >> 32)
REF(mulhi_u64_e, (u128)x *y >> 64)
REF(mulhi_s64_e, (i128)S64(x) * S64(y) >> 64)
REF(mulhi_s16_e, (int16_t)x *(int16_t)y >> 16)
REF(wide_u32_e, (uint64_t)U32(x) * U32(y))
REF(wide_s32_e, S64(S32(x)) * S32(y))
REF(wide_s16_e, (int16_t)x *(int16_t)y)
REF(madwide_s32_e, (uint64_t)(S64(S32(x)) * S32(y)) + z)
REF(mul24_e, (x & 0xffffff) * (y & 0xffffff))
REF(mul24hi_s_e, S64(S32(U32(x) << 8) >> 8) * (S32(U32(y) << 8) >> 8) >> 16)
REF(div_u32_e, U32(y) ? U32(x) / U32(y) : UINT32_MAX)
REF(div_s32_e, S32(y) ? S64(S32(x)) / S32(y) : -1)
REF(rem_s32_e, S32(y) ? S64(S32(x)) % S32(y) : S32(x))
REF(rem_u64_e, y ? x % y : x)
REF(div_s64_e, y == 0 ? UINT64_MAX : y == UINT64_MAX ? 0 - x : (uint64_t)(S64(x) / S64(y)))
REF(min_s32_e, S32(x) < S32(y) ? x : y)
REF(max_u64_e, x > y ? x : y)
REF(min_s16_e, (int16_t)x < (int16_t)y ? x : y)
REF(sad_s32_e, (S32(x) < S32(y) ? y - x : x - y) + z)
REF(sad_u16_e, ((uint16_t)x < (uint16_t)y ? y - x : x - y) + z)
/* |h - k| for bytes or halves, and the lesser of 16 bits or 0. */
#define DIFFERENCE(mask, h, k) (uint64_t) llabs((int64_t)((h) & (mask)) - (int64_t)((k) & (mask)))
#define LESSER(h, k)                                                                               \
    ((int16_t)(h) < 0 || (int16_t)(k) < 0 ? 0                                                      \
     : (uint16_t)(h) < (uint16_t)(k)      ? (uint16_t)(h)                                          \
                                          : (uint16_t)(k))
REF(difference4_e, DIFFERENCE(0xff, x, y) | DIFFERENCE(0xff00, x, y) | DIFFERENCE(0xff0000, x, y) |
                       DIFFERENCE(0xff000000u, x, y))
REF(difference2_e, z + DIFFERENCE(0xffff, x, y) + DIFFERENCE(0xffff, x >> 16, y >> 16))
REF(max_relu_e, S32(x) < 0 && S32(y) < 0 ? 0 : S32(x) > S32(y) ? x : y)
REF(min_relu2_e, (uint64_t)LESSER(x, y) | (uint64_t)LESSER(x >> 16, y >> 16) << 16)
REF(popc_e, __builtin_popcountll(x))
REF(popc32_e, __builtin_popcount(U32(x)))
REF(clz_e, x ? __builtin_clzll(x) : 64)
REF(clz32_e, U32(x) ? __builtin_clz(U32(x)) : 32)
REF(bfind_u32_e, U32(x) ? 31 - __builtin_clz(U32(x)) : -1)
REF(bfind_s64_e, S64(x) == 0 || S64(x) == -1 ? -1 : 63 - __builtin_clzll(S64(x) < 0 ? ~x : x))

static uint64_t brev_e(uint64_t x, uint64_t y, uint64_t z, uint64_t w)
{
    uint64_t result = 0;
    (void)y, (void)z, (void)w;
    for (unsigned i = 0; i < 32; i++) {
        result |= (x >> i & 1) << (31 - i);
    }
    return result;
}

/* The definition of the ISA, bit by bit. */
static uint64_t bfe(uint64_t x, uint64_t y, uint64_t z, unsigned bits, bool is_signed)
{
    unsigned pos = y & 0xff, len = z & 0xff;
    uint64_t result = 0;
    unsigned top = pos + len - 1 < bits - 1 ? pos + len - 1 : bits - 1;
    uint64_t sign = is_signed && len ? x >> top & 1 : 0;
    for (unsigned i = 0; i < bits; i++) {
        result |= (i < len && pos + i < bits ? x >> (pos + i) & 1 : sign) << i;
    }
    return result;
}
REF(bfe_u32_e, bfe(x, y, z, 32, false))
REF(bfe_s32_e, bfe(x, y, z, 32, true))
REF(bfe_u64_e, bfe(x, U32(y), U32(z), 64, false))
REF(bfe_s64_e, bfe(x, U32(y), U32(z), 64, true))

static uint64_t bfi(uint64_t x, uint64_t y, uint64_t z, uint64_t w, unsigned bits)
{
    unsigned pos = z & 0xff, len = w & 0xff;
    uint64_t result = y;
    for (unsigned i = 0; i < len && pos + i < bits; i++) {
        result = (result & ~(1ull << (pos + i))) | (x >> i & 1) << (pos + i);
    }
    return result;
}
REF(bfi_32_e, bfi(x, y, z, w, 32))
REF(bfi_64_e, bfi(x, y, z, w, 64))
REF(and_e, x &y)
REF(xor_e, x ^ y)
REF(not_e, ~x)
REF(cnot_e, U32(x) == 0)
REF(shl_e, U32(y) > 31 ? 0 : U32(x) << U32(y))
REF(shl64_e, U32(y) > 63 ? 0 : x << U32(y))
REF(shr_s32_e, S32(x) >> (U32(y) > 31 ? 31 : U32(y)))
REF(shr_u16_e, U32(y) > 15 ? 0 : (uint16_t)x >> U32(y))
REF(shr_s64_e, S64(x) >> (U32(y) > 63 ? 63 : U32(y)))
REF(shf_l_e, ((uint64_t)U32(y) << 32 | U32(x)) << (z & 31) >> 32)
REF(shf_r_clamp_e, ((uint64_t)U32(y) << 32 | U32(x)) >> (U32(z) > 32 ? 32 : U32(z)))
REF(lop3_e, (x & y) | (~y & z))

static uint64_t prmt_e(uint64_t x, uint64_t y, uint64_t z, uint64_t w)
{
    uint64_t bytes = (y & 0xffffffffu) << 32 | (x & 0xffffffffu), result = 0;
    (void)w;
    for (unsigned i = 0; i < 4; i++) {
        unsigned selector = z >> (4 * i) & 15;
        uint64_t byte = bytes >> (8 * (selector & 7)) & 0xff;
        result |= (selector & 8 ? (byte >> 7) * 0xff : byte) << (8 * i);
    }
    return result;
}

static uint64_t dp4a_e(uint64_t x, uint64_t y, uint64_t z, uint64_t w)
{
    int64_t sum = S32(z);
    (void)w;
    for (unsigned i = 0; i < 4; i++) {
        sum += (int8_t)(x >> 8 * i) * (int64_t)(uint8_t)(y >> 8 * i);
    }
    return (uint64_t)sum;
}
REF(dp2a_e,
    S64(S32(z)) + (int16_t)x * (int8_t)(y >> 16) + (int64_t)(int16_t)(x >> 16) * (int8_t)(y >> 24))
REF(add128_e, (((u128)x << 64 | y) + ((u128)z << 64 | w)) >> 64)
REF(sub128_e, (((u128)x << 64 | y) - ((u128)z << 64 | w)) >> 64)
/* The carry of a subtraction is set unless it borrows. */
REF(subcarry_e, y >= w)
REF(subcarry32_e, U32(x) > U32(y) || (U32(x) == U32(y) && U32(z) >= U32(w)))
REF(selp_e, w ? x : y)
REF(slct_e, S32(z) >= 0 ? x : y)
REF(slct_f_e, F(z) >= 0 ? x : y)
REF(slct_ftz_e, F(z) >= 0 || fpclassify(F(z)) == FP_SUBNORMAL ? x : y)

REF(sums32_e, x + y + 8)
REF(sums16_e, w == 0 ? 0 : x + y - 1)
REF(sums64_e, (x + 0x100000000) * y)

static const struct instruction integers[] = {
    {"add.s32 %r0, %r1, %r2;", 4, add_e},
    {"add.u16 %h0, %h1, %h2;", 2, add_e},
    {"sub.s64 %d0, %d1, %d2;", 8, sub_e},
    {"mul.lo.s16 %h0, %h1, %h2;", 2, mul_e},
    {"mul.lo.u64 %d0, %d1, %d2;", 8, mul_e},
    {"mad.lo.s32 %r0, %r1, %r2, %r3;", 4, mad_e},
    {"mad.lo.u16 %h0, %h1, %h2, %h3;", 2, mad_e},
    {"neg.s64 %d0, %d1;", 8, neg_e},
    {"abs.s32 %r0, %r1;", 4, abs32_e},
    {"abs.s64 %d0, %d1;", 8, abs64_e},
    {"add.sat.s32 %r0, %r1, %r2;", 4, add_sat_e},
    {"mul.hi.u32 %r0, %r1, %r2;", 4, mulhi_u32_e},
    {"mul.hi.s32 %r0, %r1, %r2;", 4, mulhi_s32_e},
    {"mul.hi.u64 %d0, %d1, %d2;", 8, mulhi_u64_e},
    {"mul.hi.s64 %d0, %d1, %d2;", 8, mulhi_s64_e},
    {"mul.hi.s16 %h0, %h1, %h2;", 2, mulhi_s16_e},
    {"mul.wide.u32 %d0, %r1, %r2;", 8, wide_u32_e},
    {"mul.wide.s32 %d0, %r1, %r2;", 8, wide_s32_e},
    {"mul.wide.s16 %r0, %h1, %h2;", 4, wide_s16_e},
    {"mad.wide.s32 %d0, %r1, %r2, %d3;", 8, madwide_s32_e},
    {"mul24.lo.u32 %r0, %r1, %r2;", 4, mul24_e},
    {"mul24.hi.s32 %r0, %r1, %r2;", 4, mul24hi_s_e},
    {"div.u32 %r0, %r1, %r2;", 4, div_u32_e},
    {"div.s32 %r0, %r1, %r2;", 4, div_s32_e},
    {"rem.s32 %r0, %r1, %r2;", 4, rem_s32_e},
    {"rem.u64 %d0, %d1, %d2;", 8, rem_u64_e},
    {"div.s64 %d0, %d1, %d2;", 8, div_s64_e},
    {"min.s32 %r0, %r1, %r2;", 4, min_s32_e},
    {"max.u64 %d0, %d1, %d2;", 8, max_u64_e},
    {"min.s16 %h0, %h1, %h2;", 2, min_s16_e},
    {"sad.s32 %r0, %r1, %r2, %r3;", 4, sad_s32_e},
    {"sad.u16 %h0, %h1, %h2, %h3;", 2, sad_u16_e},
    {"vabsdiff4.u32.u32.u32 %r0, %r1, %r2, %r3;", 4, difference4_e},
    {"vabsdiff2.u32.u32.u32.add %r0, %r1, %r2, %r3;", 4, difference2_e},
    {"max.s32.relu %r0, %r1, %r2;", 4, max_relu_e},
    {"min.s16x2.relu %r0, %r1, %r2;", 4, min_relu2_e},
    {"popc.b64 %r0, %d1;", 4, popc_e},
    {"popc.b32 %r0, %r1;", 4, popc32_e},
    {"clz.b64 %r0, %d1;", 4, clz_e},
    {"clz.b32 %r0, %r1;", 4, clz32_e},
    {"bfind.u32 %r0, %r1;", 4, bfind_u32_e},
    {"bfind.s64 %r0, %d1;", 4, bfind_s64_e},
    {"brev.b32 %r0, %r1;", 4, brev_e},
    {"bfe.u32 %r0, %r1, %r2, %r3;", 4, bfe_u32_e},
    {"bfe.s32 %r0, %r1, %r2, %r3;", 4, bfe_s32_e},
    {"bfe.u64 %d0, %d1, %r2, %r3;", 8, bfe_u64_e},
    {"bfe.s64 %d0, %d1, %r2, %r3;", 8, bfe_s64_e},
    {"bfi.b32 %r0, %r1, %r2, %r3, %r4;", 4, bfi_32_e},
    {"bfi.b64 %d0, %d1, %d2, %r3, %r4;", 8, bfi_64_e},
    {"and.b32 %r0, %r1, %r2;", 4, and_e},
    {"xor.b64 %d0, %d1, %d2;", 8, xor_e},
    {"not.b16 %h0, %h1;", 2, not_e},
    {"cnot.b32 %r0, %r1;", 4, cnot_e},
    {"shl.b32 %r0, %r1, %r2;", 4, shl_e},
    {"shl.b64 %d0, %d1, %r2;", 8, shl64_e},
    {"shr.s32 %r0, %r1, %r2;", 4, shr_s32_e},
    {"shr.u16 %h0, %h1, %r2;", 2, shr_u16_e},
    {"shr.s64 %d0, %d1, %r2;", 8, shr_s64_e},
    {"shf.l.wrap.b32 %r0, %r1, %r2, %r3;", 4, shf_l_e},
    {"shf.r.clamp.b32 %r0, %r1, %r2, %r3;", 4, shf_r_clamp_e},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0xE2;", 4, lop3_e},
    {"prmt.b32 %r0, %r1, %r2, %r3;", 4, prmt_e},
    {"dp4a.s32.u32 %r0, %r1, %r2, %r3;", 4, dp4a_e},
    {"dp2a.hi.s32.s32 %r0, %r1, %r2, %r3;", 4, dp2a_e},
    {"add.cc.u64 %d5, %d2, %d4; addc.u64 %d0, %d1, %d3;", 8, add128_e},
    {"sub.cc.u64 %d5, %d2, %d4; subc.u64 %d0, %d1, %d3;", 8, sub128_e},
    {"sub.cc.u64 %d5, %d2, %d4; addc.u64 %d0, 0, 0;", 8, subcarry_e},
    {"sub.cc.u32 %r5, %r3, %r4; subc.cc.u32 %r5, %r1, %r2; addc.u32 %r0, 0, 0;", 4, subcarry32_e},
    {"selp.b32 %r0, %r1, %r2, %p1;", 4, selp_e},
    {"selp.b64 %d0, %d1, %d2, %p1;", 8, selp_e},
    {"slct.u32.s32 %r0, %r1, %r2, %r3;", 4, slct_e},
    {"slct.u64.f32 %d0, %d1, %d2, %r3;", 8, slct_f_e},
    {"slct.ftz.u32.f32 %r0, %r1, %r2, %r3;", 4, slct_ftz_e},
    {"add.u32 %r0, %r1 + 7, %r2+-1 + 2;", 4, sums32_e},
    {"@%p1 add.u16 %h0, %h1+65535, %h2;", 2, sums16_e},
    {"mul.lo.u64 %d0, %d1+0x100000000, %d2;", 8, sums64_e},
    {"mov.b64 {%r5, %r6}, %d1; mov.b64 %d0, {%r6, %r5};", 8, NULL},
    {"mov.b32 {%h5, %h6}, %r1; mov.b32 %r0, {%h6, %h5};", 4, NULL},
};

REF(swap32_e, x << 32 | x >> 32)
REF(swap16_e, x << 16 | U32(x) >> 16)

static void test_integers(void)
{
    struct instruction all[sizeof integers / sizeof *integers];
    size_t count = sizeof integers / sizeof *integers;
    memcpy(all, integers, sizeof all);
    all[count - 2].expected = swap32_e;
    all[count - 1].expected = swap16_e;
    check(all, count);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"integers", test_integers},
    };
    state = suite_seed();
    suite_print_seed("integers of the interpreter", state);
    state |= 1;
    return suite_run("integers of the interpreter", tests, sizeof tests / sizeof *tests);
}
