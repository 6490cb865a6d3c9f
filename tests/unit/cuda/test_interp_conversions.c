/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Conversions and 16-bit instructions of the interpreter against computations in C.
 *
 * test: libs=warpscope_cuda_interp
 */
#include "interp_reference.h"
#include <float.h>

static int64_t to_integer(double value, double least, double most, int64_t low, uint64_t high)
{
    return isnan(value) ? 0 : value <= least ? low : value >= most ? (int64_t)high : (int64_t)value;
}

/* f16 by its definition: sign, exponent and mantissa. */
static double of_half(uint64_t x)
{
    int exponent = x >> 10 & 31;
    double mantissa = (double)(x & 1023), sign = x & 0x8000 ? -1 : 1;
    return exponent == 31  ? (x & 1023 ? (double)NAN : sign * (double)INFINITY)
           : exponent == 0 ? sign * mantissa * 0x1p-24
                           : sign * ldexp(1 + mantissa / 1024, exponent - 15);
}

/* The nearest f16, found by search among all of them. */
static uint64_t to_half(double value)
{
    uint32_t low = 0, high = 0x7c00;
    double a = fabs(value);
    uint64_t sign = signbit(value) ? 0x8000 : 0;
    if (isnan(value)) {
        return 0x7fff;
    }
    while (high - low > 1) { /* low <= a < high */
        uint32_t middle = (low + high) / 2;
        if (of_half(middle) <= a) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double upper = high == 0x7c00 ? 65536 : of_half(high), down = a - of_half(low), up = upper - a;
    return sign | (isinf(a) || up < down || (up == down && low & 1) ? high : low);
}

REF(s8_s32_e, (int8_t)x)
REF(u16_e, (uint16_t)x)
REF(sat_u8_s32_e, S32(x) < 0 ? 0 : S32(x) > 255 ? 255 : S32(x))
REF(sat_s32_u64_e, x > INT32_MAX ? INT32_MAX : x)
REF(sat_f32_s32_e, S32(x) > 0 ? 0x3f800000 : 0)
REF(s64_s16_e, (int16_t)x)
REF(f32_s32_e, of_f((float)S32(x)))
REF(f32_u64_e, of_f((float)x))
REF(f64_s64_e, of_d((double)S64(x)))
REF(f32_s32_rz_e, of_f(rounded((long double)S32(x), FE_TOWARDZERO)))
REF(s32_f32_e, to_integer(truncf(F(x)), -0x1p31, 0x1p31, INT32_MIN, INT32_MAX))
REF(s32_f32_rni_e, to_integer(nearbyintf(F(x)), -0x1p31, 0x1p31, INT32_MIN, INT32_MAX))
REF(u32_f64_e, to_integer(floor(D(x)), 0, 0x1p32, 0, UINT32_MAX))
REF(s64_f64_e, to_integer(ceil(D(x)), -0x1p63, 0x1p63, INT64_MIN, INT64_MAX))
REF(u8_f32_e, to_integer(truncf(F(x)), 0, 0x1p8, 0, 255))
REF(f32_f64_e, of_f((float)D(x)))
REF(f32_f64_rp_e, of_f(rounded(D(x), FE_UPWARD)))
REF(f64_f32_e, of_d((double)F(x)))
REF(rint_e, of_f(rintf(F(x))))
REF(f16_f32_e, to_half((double)F(x)))
REF(f16_f64_e, to_half(D(x)))
REF(f32_f16_e, of_f((float)of_half(x)))
REF(f16x2_e, to_half((double)F(x)) << 16 | to_half((double)F(y)))
REF(hadd_e, to_half(of_half(x) + of_half(y)))
REF(hmul_e, to_half(of_half(x) * of_half(y)))

/* A result of two halves, each of which is expected(half of x, half of y). */
#define PAIR(expected, h, k)                                                                       \
    ((uint64_t)(expected((h)&0xffff, (k)&0xffff)) |                                                \
     (uint64_t)(expected((h) >> 16 & 0xffff, (k) >> 16 & 0xffff)) << 16)
#define ONE_IF_LESS(h, k)  (of_half(h) < of_half(k) ? 0x3c00 : 0)
#define MASK_IF_MORE(h, k) (!(of_half(h) <= of_half(k)) ? 0xffff : 0)
#define BF16(h)            F((uint64_t)(h) << 16)
#define ONE_IF_BF16(h, k)  (BF16(h) == BF16(k) ? 0x3f80 : 0)
REF(set_h_e, ONE_IF_LESS(x, y))
REF(set_hu_e, of_half(x) == of_half(y) ? 0xffff : 0)
REF(set_hand_e, w && (isnan(of_half(x)) || isnan(of_half(y))) ? UINT32_MAX : 0)
REF(set_b_e, ONE_IF_BF16(x, y))
REF(set_h2_e, PAIR(ONE_IF_LESS, x, y))
REF(set_h2u_e, PAIR(MASK_IF_MORE, x, y))
REF(set_b2_e, PAIR(ONE_IF_BF16, x, y))

static const struct instruction halves[] = {
    {"set.lt.f16.f16 %h0, %h1, %h2;", 2, set_h_e},
    {"set.eq.u16.f16 %h0, %h1, %h2;", 2, set_hu_e},
    {"set.nan.and.s32.f16 %r0, %h1, %h2, %p1;", 4, set_hand_e},
    {"set.eq.bf16.bf16 %h0, %h1, %h2;", 2, set_b_e},
    {"set.lt.f16x2.f16x2 %r0, %r1, %r2;", 4, set_h2_e},
    {"set.gtu.u32.f16x2 %r0, %r1, %r2;", 4, set_h2u_e},
    {"set.eq.bf16x2.bf16x2 %r0, %r1, %r2;", 4, set_b2_e},
    {"add.f16 %h0, %h1, %h2;", 2, hadd_e},
    {"mul.f16 %h0, %h1, %h2;", 2, hmul_e},
};

static void test_halves(void)
{
    check(halves, sizeof halves / sizeof *halves);
}

/* ---- Types that no register has --------------------------------------------------------------- */

/* FP8 by its definition. bits: of the mantissa, 3 (e4m3, without infinities) or 2 (e5m2). */
static double of_f8(unsigned x, int bits)
{
    int exponent = (int)(x & 127) >> bits, bias = bits == 3 ? 7 : 15;
    double mantissa = (double)(x & ((1u << bits) - 1)), sign = x & 0x80 ? -1 : 1;
    if ((x & 127) > (bits == 3 ? 0x7eu : 0x7bu)) {
        return (x & 127) == 0x7c ? sign * (double)INFINITY : (double)NAN;
    }
    return exponent == 0 ? sign * ldexp(mantissa, 1 - bias - bits)
                         : sign * ldexp(1 + ldexp(mantissa, -bits), exponent - bias);
}

/* The nearest finite FP8 number, and the even one of two; found by a look at all of them. */
static uint64_t to_f8(double value, int bits, bool relu)
{
    unsigned best = 0, most = bits == 3 ? 0x7e : 0x7b;
    double a = fabs(value);
    if (isnan(value)) {
        return 0x7f;
    }
    if (relu && value <= 0) {
        return 0;
    }
    for (unsigned i = 1; i <= most; i++) {
        double now = fabs(of_f8(i, bits) - a), before = fabs(of_f8(best, bits) - a);
        best = now < before || (now == before && i % 2 == 0) || a > of_f8(most, bits) ? i : best;
    }
    return best | (signbit(value) ? 0x80 : 0);
}

static uint64_t half_f8(unsigned x, int bits, bool relu)
{
    double value = of_f8(x, bits);
    return to_half(relu && value <= 0 ? 0 : value);
}

/* The nearest f32 with 10 bits of mantissa: by arithmetic, not by bits. way: 0 away from zero in
 * ties, 1 to even, 2 toward zero. */
static uint64_t tf32(float x, int way)
{
    int exponent;
    if (isnan(x) || isinf(x) || x == 0) {
        return of_f(x);
    }
    double fraction = frexp(fabs((double)x), &exponent),
           scale = exponent < -125 ? ldexp(1, -136) : ldexp(1, exponent - 11);
    (void)fraction;
    double units = fabs((double)x) / scale;
    double whole = way == 0 ? floor(units + 0.5) : way == 1 ? nearbyint(units) : floor(units);
    double result = whole * scale;
    return of_f((float)(result > (double)FLT_MAX ? copysign((double)INFINITY, (double)x)
                                                 : copysign(result, (double)x)));
}

static uint64_t pack(int64_t a, int64_t b, uint32_t c, int bits, bool is_signed)
{
    int64_t least = is_signed ? -(1 << (bits - 1)) : 0;
    int64_t most = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    uint64_t mask = (1u << bits) - 1;
    a = a < least ? least : a > most ? most : a;
    b = b < least ? least : b > most ? most : b;
    return (uint64_t)c << 2 * bits | ((uint64_t)a & mask) << bits | ((uint64_t)b & mask);
}

REF(e4m3_f32_e, to_f8((double)F(x), 3, false) << 8 | to_f8((double)F(y), 3, false))
REF(e5m2_f32_e, to_f8((double)F(x), 2, false) << 8 | to_f8((double)F(y), 2, false))
REF(e4m3_f32_relu_e, to_f8((double)F(x), 3, true) << 8 | to_f8((double)F(y), 3, true))
REF(e4m3_f16_e,
    to_f8(of_half(x >> 16 & 0xffff), 3, false) << 8 | to_f8(of_half(x & 0xffff), 3, false))
REF(e5m2_f16_relu_e,
    to_f8(of_half(x >> 16 & 0xffff), 2, true) << 8 | to_f8(of_half(x & 0xffff), 2, true))
REF(f16_e4m3_e, half_f8(x >> 8 & 255, 3, false) << 16 | half_f8(x & 255, 3, false))
REF(f16_e5m2_e, half_f8(x >> 8 & 255, 2, false) << 16 | half_f8(x & 255, 2, false))
REF(f16_e5m2_relu_e, half_f8(x >> 8 & 255, 2, true) << 16 | half_f8(x & 255, 2, true))
REF(tf32_rna_e, tf32(F(x), 0))
REF(tf32_rn_relu_e, F(x) < 0 || x == 0x80000000u ? 0 : tf32(F(x), 1))
REF(tf32_rz_e, tf32(F(x), 2))
REF(pack_u16_e, pack(S32(x), S32(y), 0, 16, false))
REF(pack_s16_e, pack(S32(x), S32(y), 0, 16, true))
REF(pack_u8_e, pack(S32(x), S32(y), U32(z), 8, false))
REF(pack_s4_e, pack(S32(x), S32(y), U32(z), 4, true))
REF(pack_u2_e, pack(S32(x), S32(y), U32(z), 2, false))

static const struct instruction odd[] = {
    {"cvt.rn.satfinite.e4m3x2.f32 %h0, %r1, %r2;", 2, e4m3_f32_e},
    {"cvt.rn.satfinite.e5m2x2.f32 %h0, %r1, %r2;", 2, e5m2_f32_e},
    {"cvt.rn.satfinite.relu.e4m3x2.f32 %h0, %r1, %r2;", 2, e4m3_f32_relu_e},
    {"cvt.rn.satfinite.e4m3x2.f16x2 %h0, %r1;", 2, e4m3_f16_e},
    {"cvt.rn.satfinite.relu.e5m2x2.f16x2 %h0, %r1;", 2, e5m2_f16_relu_e},
    {"cvt.rn.f16x2.e4m3x2 %r0, %h1;", 4, f16_e4m3_e},
    {"cvt.rn.f16x2.e5m2x2 %r0, %h1;", 4, f16_e5m2_e},
    {"cvt.rn.relu.f16x2.e5m2x2 %r0, %h1;", 4, f16_e5m2_relu_e},
    {"cvt.rna.tf32.f32 %r0, %r1;", 4, tf32_rna_e},
    {"cvt.rn.relu.tf32.f32 %r0, %r1;", 4, tf32_rn_relu_e},
    {"cvt.rz.tf32.f32 %r0, %r1;", 4, tf32_rz_e},
    {"cvt.pack.sat.u16.s32 %r0, %r1, %r2;", 4, pack_u16_e},
    {"cvt.pack.sat.s16.s32 %r0, %r1, %r2;", 4, pack_s16_e},
    {"cvt.pack.sat.u8.s32.b32 %r0, %r1, %r2, %r3;", 4, pack_u8_e},
    {"cvt.pack.sat.s4.s32.b32 %r0, %r1, %r2, %r3;", 4, pack_s4_e},
    {"cvt.pack.sat.u2.s32.b32 %r0, %r1, %r2, %r3;", 4, pack_u2_e},
};

static void test_odd(void)
{
    check(odd, sizeof odd / sizeof *odd);
}

static const struct instruction conversions[] = {
    {"cvt.s32.s8 %r0, %r1;", 4, s8_s32_e},
    {"cvt.u32.u16 %r0, %h1;", 4, u16_e},
    {"cvt.sat.u8.s32 %r0, %r1;", 4, sat_u8_s32_e},
    {"cvt.sat.s32.u64 %r0, %d1;", 4, sat_s32_u64_e},
    {"cvt.rn.sat.f32.s32 %r0, %r1;", 4, sat_f32_s32_e},
    {"cvt.s64.s16 %d0, %h1;", 8, s64_s16_e},
    {"cvt.rn.f32.s32 %r0, %r1;", 4, f32_s32_e},
    {"cvt.rn.f32.u64 %r0, %d1;", 4, f32_u64_e},
    {"cvt.rn.f64.s64 %d0, %d1;", 8, f64_s64_e},
    {"cvt.rz.f32.s32 %r0, %r1;", 4, f32_s32_rz_e},
    {"cvt.rzi.s32.f32 %r0, %r1;", 4, s32_f32_e},
    {"cvt.rni.s32.f32 %r0, %r1;", 4, s32_f32_rni_e},
    {"cvt.rmi.u32.f64 %r0, %d1;", 4, u32_f64_e},
    {"cvt.rpi.s64.f64 %d0, %d1;", 8, s64_f64_e},
    {"cvt.rzi.u8.f32 %r0, %r1;", 4, u8_f32_e},
    {"cvt.rn.f32.f64 %r0, %d1;", 4, f32_f64_e},
    {"cvt.rp.f32.f64 %r0, %d1;", 4, f32_f64_rp_e},
    {"cvt.f64.f32 %d0, %r1;", 8, f64_f32_e},
    {"cvt.rni.f32.f32 %r0, %r1;", 4, rint_e},
    {"cvt.rn.f16.f32 %h0, %r1;", 2, f16_f32_e},
    {"cvt.rn.f16.f64 %h0, %d1;", 2, f16_f64_e},
    {"cvt.f32.f16 %r0, %h1;", 4, f32_f16_e},
    {"cvt.rn.f16x2.f32 %r0, %r1, %r2;", 4, f16x2_e},
};

static void test_conversions(void)
{
    check(conversions, sizeof conversions / sizeof *conversions);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"conversions", test_conversions},
        {"FP8, TF32 and packed integers", test_odd},
        {"floating-point numbers of 16 bits", test_halves},
    };
    state = suite_seed();
    suite_print_seed("conversions of the interpreter", state);
    state |= 1;
    return suite_run("conversions of the interpreter", tests, sizeof tests / sizeof *tests);
}
