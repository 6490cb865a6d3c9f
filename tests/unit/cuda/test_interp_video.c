/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Video instructions of the interpreter against computations in C, one part at a time and in numbers without bounds.
 *
 * test: libs=warpscope_cuda_interp
 */
#include "interp_reference.h"

/* Part i of `bits` bits of a register, or of two registers, with or without its sign. */
static i128 part(uint64_t x, int bits, int i, bool is_signed)
{
    i128 size = (i128)1 << bits, value = (i128)(x >> bits * i) % size;
    return is_signed && value >= size / 2 ? value - size : value;
}

static i128 clamp(i128 x, int bits, bool is_signed)
{
    i128 most = is_signed ? ((i128)1 << (bits - 1)) - 1 : ((i128)1 << bits) - 1;
    i128 least = is_signed ? -most - 1 : 0;
    return x < least ? least : x > most ? most : x;
}

static i128 power(int64_t n)
{
    return (i128)1 << (n > 32 ? 32 : n);
}

static i128 floor_div(i128 x, i128 by)
{
    return x >= 0 ? x / by : -((-x + by - 1) / by);
}

static i128 absolute(i128 x)
{
    return x < 0 ? -x : x;
}

static uint64_t put(uint64_t into, i128 x, int bits, int i)
{
    uint64_t mask = (1ull << bits) - 1;
    return (into & ~(mask << bits * i)) | ((uint64_t)x & mask) << bits * i;
}

static i128 lesser(i128 x, i128 y)
{
    return x < y ? x : y;
}

/* The operations of SIMD instructions on parts with the numbers `a` and `b` of the pair of registers. */
enum how { SUM, DIFFERENCE, DISTANCE, LESS, GREATER, MEAN, BELOW };
static i128 simd_one(enum how how, i128 a, i128 b)
{
    switch (how) {
    case SUM:
        return a + b;
    case DIFFERENCE:
        return a - b;
    case DISTANCE:
        return absolute(a - b);
    case LESS:
        return lesser(a, b);
    case GREATER:
        return a + b - lesser(a, b);
    case MEAN: /* rounded to the nearest, ties away from zero */
        return a + b >= 0 ? (a + b + 1) / 2 : floor_div(a + b, 2);
    default:
        return a < b;
    }
}

struct simd {
    int bits;
    bool d_signed, a_signed, b_signed, saturates, adds;
    const char *a, *b; /* parts, the highest one first */
    const char *d;     /* parts that are used */
};

static uint64_t simd(enum how how, struct simd s, uint64_t x, uint64_t y, uint64_t z)
{
    uint64_t both = (y & UINT32_MAX) << 32 | (x & UINT32_MAX), d = z & UINT32_MAX;
    int parts = 32 / s.bits;
    for (int i = 0; i < parts; i++) {
        i128 a = part(both, s.bits, s.a[parts - 1 - i] - '0', s.a_signed);
        i128 b = part(both, s.bits, s.b[parts - 1 - i] - '0', s.b_signed);
        i128 result = simd_one(how, a, b);
        result = s.saturates ? clamp(result, s.bits, s.d_signed) : result;
        if (strchr(s.d, '0' + i) == NULL) {
            continue;
        }
        if (s.adds) {
            d += (uint64_t)part((uint64_t)result & ((1u << s.bits) - 1), s.bits, 0, s.d_signed);
        } else {
            d = put(d, result, s.bits, i);
        }
    }
    return d;
}

#define X(is_signed) part(x &UINT32_MAX, 32, 0, is_signed)
#define Y(is_signed) part(y &UINT32_MAX, 32, 0, is_signed)
REF(vadd_e, X(true) + Y(true))
REF(vadd_sat_e, clamp(X(false) + Y(true), 32, true))
REF(vadd_parts_e, part(x, 8, 2, true) + part(y, 16, 1, false))
REF(vadd_merge_e, put(z, clamp(part(x, 16, 0, true) + Y(true), 8, false), 8, 3))
REF(vsub_second_e, (uint64_t)clamp(X(false) - Y(false), 32, false) + z)
REF(vsub_min_e, lesser(S32(X(true) - Y(true)), S32(z)))
REF(vabsdiff_max_e,
    U32(absolute(X(false) - Y(true))) > U32(z) ? U32(absolute(X(false) - Y(true))) : U32(z))
REF(vmin_e, lesser(X(true), Y(false)))
REF(vmax_e,
    put(z, part(x, 8, 1, false) > part(y, 8, 0, true) ? part(x, 8, 1, false) : part(y, 8, 0, true),
        16, 1))
REF(vset_e, part(x, 16, 1, true) <= part(y, 8, 3, false))
REF(vset_add_e, (X(true) != Y(true)) + z)
REF(vshl_clamp_e, clamp(X(true) * power(U32(y)), 32, true))
REF(vshl_wrap_e, X(false) * power(y & 31))
REF(vshr_clamp_e, floor_div(X(true), power(U32(y))))
REF(vshr_wrap_e, put(z, floor_div(X(false), power((int64_t)part(y, 8, 1, false) % 32)), 8, 0))
REF(vmad_e, part(x, 16, 1, false) * part(y, 16, 0, true) + S32(z))
REF(vmad_sat_e, clamp(floor_div(X(true) * Y(true) + S32(z), 1 << 15), 32, true))
REF(vmad_po_e, clamp(floor_div(X(false) * Y(false) + U32(z) + 1, 128), 32, false))
REF(vadd2_e,
    simd(SUM, (struct simd){16, true, true, true, false, false, "10", "32", "01"}, x, y, z))
REF(vsub2_e,
    simd(DIFFERENCE, (struct simd){16, false, true, false, true, false, "31", "02", "1"}, x, y, z))
REF(vabsdiff2_e,
    simd(DISTANCE, (struct simd){16, true, true, true, false, true, "10", "32", "01"}, x, y, z))
REF(vavrg2_e,
    simd(MEAN, (struct simd){16, true, true, true, false, false, "10", "32", "01"}, x, y, z))
REF(vmax2_e,
    simd(GREATER, (struct simd){16, true, true, false, true, false, "10", "32", "01"}, x, y, z))
REF(vset2_e,
    simd(BELOW, (struct simd){16, false, true, true, false, true, "10", "32", "01"}, x, y, z))
REF(vadd4_e,
    simd(SUM, (struct simd){8, true, true, true, true, false, "3210", "7654", "0123"}, x, y, z))
REF(vsub4_e,
    simd(DIFFERENCE, (struct simd){8, false, false, false, false, false, "0167", "7654", "02"}, x,
         y, z))
REF(vabsdiff4_e,
    simd(DISTANCE, (struct simd){8, false, false, false, false, true, "3210", "7654", "0123"}, x, y,
         z))
REF(vmin4_e,
    simd(LESS, (struct simd){8, true, true, true, false, false, "3210", "7654", "0123"}, x, y, z))
REF(vavrg4_e,
    simd(MEAN, (struct simd){8, false, false, false, false, false, "3210", "7654", "0123"}, x, y,
         z))
REF(vset4_e, simd(BELOW, (struct simd){8, false, false, true, false, false, "3210", "7654", "0123"},
                  x, y, z))

static const struct instruction video[] = {
    {"vadd.s32.s32.s32 %r0, %r1, %r2;", 4, vadd_e},
    {"vadd.s32.u32.s32.sat %r0, %r1, %r2;", 4, vadd_sat_e},
    {"vadd.u32.s32.u32 %r0, %r1.b2, %r2.h1;", 4, vadd_parts_e},
    {"vadd.u32.s32.s32.sat %r0.b3, %r1.h0, %r2, %r3;", 4, vadd_merge_e},
    {"vsub.u32.u32.u32.sat.add %r0, %r1, %r2, %r3;", 4, vsub_second_e},
    {"vsub.s32.s32.s32.min %r0, %r1, %r2, %r3;", 4, vsub_min_e},
    {"vabsdiff.u32.u32.s32.max %r0, %r1, %r2, %r3;", 4, vabsdiff_max_e},
    {"vmin.s32.s32.u32 %r0, %r1, %r2;", 4, vmin_e},
    {"vmax.s32.u32.s32 %r0.h1, %r1.b1, %r2.b0, %r3;", 4, vmax_e},
    {"vset.s32.u32.le %r0, %r1.h1, %r2.b3;", 4, vset_e},
    {"vset.s32.s32.ne.add %r0, %r1, %r2, %r3;", 4, vset_add_e},
    {"vshl.s32.s32.u32.sat.clamp %r0, %r1, %r2;", 4, vshl_clamp_e},
    {"vshl.u32.u32.u32.wrap %r0, %r1, %r2;", 4, vshl_wrap_e},
    {"vshr.s32.s32.u32.clamp %r0, %r1, %r2;", 4, vshr_clamp_e},
    {"vshr.u32.u32.u32.wrap %r0.b0, %r1, %r2.b1, %r3;", 4, vshr_wrap_e},
    {"vmad.s32.u32.s32 %r0, %r1.h1, %r2.h0, %r3;", 4, vmad_e},
    {"vmad.s32.s32.s32.sat.shr15 %r0, %r1, %r2, %r3;", 4, vmad_sat_e},
    {"vmad.u32.u32.u32.sat.shr7.po %r0, %r1, %r2, %r3;", 4, vmad_po_e},
    {"vadd2.s32.s32.s32 %r0, %r1, %r2, %r3;", 4, vadd2_e},
    {"vsub2.u32.s32.u32.sat %r0.h1, %r1.h31, %r2.h02, %r3;", 4, vsub2_e},
    {"vabsdiff2.s32.s32.s32.add %r0, %r1, %r2, %r3;", 4, vabsdiff2_e},
    {"vavrg2.s32.s32.s32 %r0, %r1, %r2, %r3;", 4, vavrg2_e},
    {"vmax2.s32.s32.u32.sat %r0, %r1, %r2, %r3;", 4, vmax2_e},
    {"vset2.s32.s32.lt.add %r0, %r1, %r2, %r3;", 4, vset2_e},
    {"vadd4.s32.s32.s32.sat %r0, %r1, %r2, %r3;", 4, vadd4_e},
    {"vsub4.u32.u32.u32 %r0.b20, %r1.b0167, %r2, %r3;", 4, vsub4_e},
    {"vabsdiff4.u32.u32.u32.add %r0, %r1, %r2, %r3;", 4, vabsdiff4_e},
    {"vmin4.s32.s32.s32 %r0, %r1, %r2, %r3;", 4, vmin4_e},
    {"vavrg4.u32.u32.u32 %r0, %r1, %r2, %r3;", 4, vavrg4_e},
    {"vset4.u32.s32.lt %r0, %r1, %r2, %r3;", 4, vset4_e},
};

static void test_video(void)
{
    check(video, sizeof video / sizeof *video);
}

/* Forms that do not exist stay unsupported. */
static void test_unknown(void)
{
    static const char *const forms[] = {
        "vadd.s32.s32 %r0, %r1, %r2;",
        "vadd.s32.s32.s32 %r0.h1, %r1, %r2;",
        "vshl.u32.u32.u32 %r0, %r1, %r2;",
        "vset.s32.s32 %r0, %r1, %r2;",
        "vadd2.s32.s32.s32 %r0, %r1, %r2;",
        "vadd2.s32.s32.s32 %r0, %r1.h1, %r2, %r3;",
        "vadd4.s32.s32.s32.min %r0, %r1, %r2, %r3;",
        "vadd.s32.s32.s32 %r0, %r1.h2, %r2;",
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char text[1024], missing[1024];
        struct run run = {.options = {0}};
        snprintf(text, sizeof text, "%s.entry k()\n{\n%s%s\nret;\n}\n", PTX_HEAD, PTX_REGISTERS,
                 forms[i]);
        if (run_begin(&run, text)) {
            CU_ASSERT_NOT_EQUAL(interp_unsupported(run.module, missing, sizeof missing), 0);
        }
        run_end(&run);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"video instructions", test_video},
        {"forms that do not exist", test_unknown},
    };
    state = suite_seed();
    suite_print_seed("video instructions of the interpreter", state);
    state |= 1;
    return suite_run("video instructions of the interpreter", tests, sizeof tests / sizeof *tests);
}
