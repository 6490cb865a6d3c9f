/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Instructions of the interpreter against computations in C, with random and extreme operands.
 *
 * test: libs=warpscope_cuda_interp
 */
#include "interp_run.h"
#include <fenv.h>
#include <math.h>

#include "support/suite.h"

enum { CASES_MAX = 400, THREADS = 512 };

/* Operands x, y, z, w of 64 bits, of which an instruction uses the low bits. */
typedef uint64_t (*reference)(uint64_t x, uint64_t y, uint64_t z, uint64_t w);

/* Instructions read %h1 to %h4, %r1 to %r4 or %d1 to %d4, and write %h0, %r0, %d0 or %p0 (width 1). */
struct instruction {
    const char *text;
    unsigned width; /* bytes of the result */
    reference expected;
};

static uint64_t state;
static uint64_t random64(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1du;
}

static const uint64_t extremes[] = {
    0,
    1,
    2,
    31,
    32,
    33,
    63,
    64,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fffffff,
    0x80000000u,
    0xffffffffu,
    0x7fffffffffffffffu,
    0x8000000000000000u,
    UINT64_MAX,
    0x3f800000,
    0xbf800000u,
    0x7f800000,
    0xff800000u,
    0x7fc00000,
    0x00000001,
    0x007fffff,
    0x00800000,
    0x7f7fffff,
    0x3ff0000000000000u,
    0xbff0000000000000u,
    0x7ff0000000000000u,
    0xfff0000000000000u,
    0x7ff8000000000000u,
    0x000fffffffffffffu,
    0x0010000000000000u,
    0x7fefffffffffffffu,
    0x3c00,
    0xbc00,
    0x7c00,
    0xfc00,
    0x7e00,
    0x0001,
    0x03ff,
    0x0400,
    0x7bff,
    0x3f80,
    0x7f80,
    0x4f000000,
    0x4effffff,
    0x5f000000,
    0xcf000000u,
    0x41e0000000000000u,
    0x43e0000000000000u,
    0x3fe0000000000000u,
    0x3f000000,
    0x3fc00000,
    0x40200000,
};

static uint64_t operand(unsigned i)
{
    if (i < sizeof extremes / sizeof *extremes) {
        return extremes[i];
    }
    uint64_t r = random64();
    switch (r & 7) {
    case 0:
        return extremes[random64() % (sizeof extremes / sizeof *extremes)];
    case 1:
        return random64() & 0x3f; /* small, such as shifts */
    case 2: {                     /* an f32 of ordinary size */
        float f = (float)((double)(int64_t)random64() * 0x1p-50);
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        return bits;
    }
    case 3: { /* an f64 of ordinary size */
        double f = (double)(int64_t)random64() * 0x1p-45;
        memcpy(&r, &f, sizeof r);
        return r;
    }
    default:
        return random64();
    }
}

static float F(uint64_t x)
{
    uint32_t bits = (uint32_t)x;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static double D(uint64_t x)
{
    double f;
    memcpy(&f, &x, sizeof f);
    return f;
}

static uint64_t of_f(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return isnan(f) ? 0x7fffffffu : bits;
}

static uint64_t of_d(double f)
{
    uint64_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static uint64_t thread_operand(const uint64_t *operands, unsigned thread, unsigned n)
{
    return operands[thread * 4 + n];
}

/* Appends a kernel that reads four operands of the thread and writes the result. */
static void append(char *text, size_t size, unsigned number, const struct instruction *in)
{
    size_t at = strlen(text);
    const char *result = in->width == 1   ? "selp.u64 %d0, 1, 0, %p0;"
                         : in->width == 2 ? "cvt.u64.u16 %d0, %h0;"
                         : in->width == 4 ? "cvt.u64.u32 %d0, %r0;"
                                          : "";
    snprintf(text + at, size - at,
             ".visible .entry k%u(.param .u64 out)\n{\n%s"
             "ld.param.u64 %%d9, [out]; mov.u32 %%r10, %%ctaid.x; mov.u32 %%r11, %%ntid.x; mov.u32 "
             "%%r12, %%tid.x;\n"
             "mad.lo.s32 %%r10, %%r10, %%r11, %%r12; mul.wide.u32 %%d8, %%r10, 40; add.s64 %%d9, "
             "%%d9, %%d8;\n"
             "ld.global.u64 %%d1, [%%d9+8]; ld.global.u64 %%d2, [%%d9+16]; ld.global.u64 %%d3, "
             "[%%d9+24];\n"
             "ld.global.u64 %%d4, [%%d9+32]; cvt.u32.u64 %%r1, %%d1; cvt.u32.u64 %%r2, %%d2; "
             "cvt.u32.u64 %%r3, %%d3;\n"
             "cvt.u32.u64 %%r4, %%d4; cvt.u16.u64 %%h1, %%d1; cvt.u16.u64 %%h2, %%d2; cvt.u16.u64 "
             "%%h3, %%d3;\n"
             "cvt.u16.u64 %%h4, %%d4; setp.ne.u64 %%p1, %%d4, 0; mov.u64 %%d0, 0; mov.u32 %%r0, 0; "
             "mov.u16 %%h0, 0;\n"
             "%s\n%s\nst.global.u64 [%%d9], %%d0;\nret;\n}\n",
             number, PTX_REGISTERS, in->text, result);
}

/* True for a sum or product of two NaNs of 64 bits: which one it is depends on the compiler's order of operands. */
static bool is_either_nan(const char *text, uint64_t result, uint64_t expected, uint64_t x,
                          uint64_t y)
{
    const uint64_t all[] = {result, expected, x, y};
    bool is = strstr(text, ".f64 %d0, %d1, %d2;") != NULL;
    for (size_t i = 0; i < 4; i++) {
        is = is && (all[i] & INT64_MAX) > 0x7ff0000000000000u;
    }
    return is;
}

/* Runs all instructions with random operands; lanes of the last CTA are partly inactive. */
static void check(const struct instruction *in, size_t count)
{
    static char text[CASES_MAX * 1024];
    struct run run = {.options = {0}};
    snprintf(text, sizeof text, "%s", PTX_HEAD);
    for (unsigned i = 0; i < count; i++) {
        append(text, sizeof text, i, &in[i]);
    }
    if (!run_begin(&run, text)) {
        run_end(&run);
        return;
    }
    char missing[1024];
    if (interp_unsupported(run.module, missing, sizeof missing)) {
        printf("\n%s", missing);
        CU_FAIL("all instructions are supported");
    }
    uint64_t *memory = (uint64_t *)(uintptr_t)interp_alloc(run.device, THREADS * 40);
    uint64_t *operands = malloc(THREADS * 4 * sizeof *operands);
    for (unsigned i = 0; i < THREADS; i++) {
        for (unsigned n = 0; n < 4; n++) {
            operands[i * 4 + n] = operand(n == 0 ? i : (unsigned)(random64() % 200));
            memory[i * 5 + 1 + n] = operands[i * 4 + n];
        }
    }
    for (unsigned k = 0; k < count; k++) {
        char name[16];
        snprintf(name, sizeof name, "k%u", k);
        struct interp_launch launch = {
            .grid = {2, 1, 1}, .block = {THREADS / 2 - 7, 1, 1}, .parameters = &memory};
        if (interp_launch(run.device, interp_kernel(run.module, name), &launch, run.error) !=
            INTERP_DONE) {
            printf("\n  %s: %s\n", in[k].text, run.error);
            CU_FAIL("the kernel runs");
            continue;
        }
        for (unsigned i = 0; i < THREADS - 14; i++) {
            uint64_t x = thread_operand(operands, i, 0), y = thread_operand(operands, i, 1),
                     z = thread_operand(operands, i, 2), w = thread_operand(operands, i, 3);
            uint64_t expected = in[k].expected(x, y, z, w);
            expected &= in[k].width == 8   ? UINT64_MAX
                        : in[k].width == 1 ? 1
                                           : (1ull << 8 * in[k].width) - 1;
            if (memory[i * 5] != expected &&
                !is_either_nan(in[k].text, memory[i * 5], expected, x, y)) {
                printf("\n  %s of %llx %llx %llx %llx: %llx, expected %llx\n", in[k].text,
                       (unsigned long long)x, (unsigned long long)y, (unsigned long long)z,
                       (unsigned long long)w, (unsigned long long)memory[i * 5],
                       (unsigned long long)expected);
                CU_FAIL("results are those of C");
                break;
            }
        }
    }
    free(operands);
    run_end(&run);
}

#define REF(name, expression)                                                                      \
    static uint64_t name(uint64_t x, uint64_t y, uint64_t z, uint64_t w)                           \
    {                                                                                              \
        (void)x, (void)y, (void)z, (void)w;                                                        \
        return (uint64_t)(expression);                                                             \
    }
#define U32(x) ((uint32_t)(x))
#define S32(x) ((int32_t)(x))
#define S64(x) ((int64_t)(x))
__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

/* ---- Integers ------------------------------------------------------------------------------------- */

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

/* ---- Floating-point numbers ------------------------------------------------------------------------- */

static float flush(float x)
{
    return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

static float clamp(float x)
{
    return x > 0 ? (x < 1 ? x : 1) : 0;
}

/* Rounded sums by way of long double, which holds products of f32 exactly and sums well enough to tell. */
static float rounded(long double exact, int mode)
{
    fesetround(mode);
    volatile long double from = exact;
    volatile float result = (float)from;
    fesetround(FE_TONEAREST);
    return result;
}

static float minimum(float x, float y)
{
    return isnan(x) ? y : isnan(y) ? x : x == y ? (signbit(x) ? x : y) : x < y ? x : y;
}

REF(fadd_e, of_f(F(x) + F(y)))
REF(fsub_e, of_f(F(x) - F(y)))
REF(fmul_e, of_f(F(x) * F(y)))
REF(fdiv_e, of_f(F(x) / F(y)))
REF(ffma_e, of_f(fmaf(F(x), F(y), F(z))))
REF(fmul_rz_e, of_f(rounded((long double)F(x) * F(y), FE_TOWARDZERO)))
REF(fmul_rm_e, of_f(rounded((long double)F(x) * F(y), FE_DOWNWARD)))
REF(fmul_rp_e, of_f(rounded((long double)F(x) * F(y), FE_UPWARD)))
REF(fadd_ftz_e, of_f(flush(flush(F(x)) + flush(F(y)))))
REF(fadd_sat_e, of_f(clamp(F(x) + F(y))))
REF(fmin_e, of_f(minimum(F(x), F(y))))
REF(fneg_e, U32(x) ^ 0x80000000u)
REF(fabs_e, x & 0x7fffffff)
REF(fsqrt_e, of_f(sqrtf(F(x))))
REF(frcp_e, of_f(1 / F(x)))
REF(copysign_e, (x & 0x80000000u) | (y & 0x7fffffffu))
REF(dadd_e, of_d(D(x) + D(y)))
REF(dmul_e, of_d(D(x) * D(y)))
REF(dfma_e, of_d(fma(D(x), D(y), D(z))))
REF(ddiv_e, of_d(D(x) / D(y)))
REF(setp_lt_e, F(x) < F(y))
REF(setp_ne_e, F(x) < F(y) || F(x) > F(y))
REF(setp_neu_e, F(x) != F(y))
REF(setp_leu_e, !(F(x) > F(y)))
REF(setp_num_e, !isnan(F(x)) && !isnan(F(y)))
REF(setp_d_e, D(x) >= D(y))
REF(setp_s_e, S32(x) < S32(y))
REF(setp_hi_e, U32(x) > U32(y))
REF(setp_and_e, S64(x) >= S64(y) && !(w != 0))
REF(set_e, F(x) == F(y) ? 0x3f800000 : 0)
REF(set_u_e, S32(x) > S32(y) ? UINT32_MAX : 0)
REF(testp_e, fpclassify(F(x)) == FP_SUBNORMAL)

static const struct instruction reals[] = {
    {"add.f32 %r0, %r1, %r2;", 4, fadd_e},
    {"sub.rn.f32 %r0, %r1, %r2;", 4, fsub_e},
    {"mul.f32 %r0, %r1, %r2;", 4, fmul_e},
    {"div.rn.f32 %r0, %r1, %r2;", 4, fdiv_e},
    {"fma.rn.f32 %r0, %r1, %r2, %r3;", 4, ffma_e},
    {"mul.rz.f32 %r0, %r1, %r2;", 4, fmul_rz_e},
    {"mul.rm.f32 %r0, %r1, %r2;", 4, fmul_rm_e},
    {"mul.rp.f32 %r0, %r1, %r2;", 4, fmul_rp_e},
    {"add.ftz.f32 %r0, %r1, %r2;", 4, fadd_ftz_e},
    {"add.sat.f32 %r0, %r1, %r2;", 4, fadd_sat_e},
    {"min.f32 %r0, %r1, %r2;", 4, fmin_e},
    {"neg.f32 %r0, %r1;", 4, fneg_e},
    {"abs.f32 %r0, %r1;", 4, fabs_e},
    {"sqrt.rn.f32 %r0, %r1;", 4, fsqrt_e},
    {"rcp.rn.f32 %r0, %r1;", 4, frcp_e},
    {"copysign.f32 %r0, %r1, %r2;", 4, copysign_e},
    {"add.f64 %d0, %d1, %d2;", 8, dadd_e},
    {"mul.rn.f64 %d0, %d1, %d2;", 8, dmul_e},
    {"fma.rn.f64 %d0, %d1, %d2, %d3;", 8, dfma_e},
    {"div.rn.f64 %d0, %d1, %d2;", 8, ddiv_e},
    {"setp.lt.f32 %p0, %r1, %r2;", 1, setp_lt_e},
    {"setp.ne.f32 %p0, %r1, %r2;", 1, setp_ne_e},
    {"setp.neu.f32 %p0, %r1, %r2;", 1, setp_neu_e},
    {"setp.leu.f32 %p0, %r1, %r2;", 1, setp_leu_e},
    {"setp.num.f32 %p0, %r1, %r2;", 1, setp_num_e},
    {"setp.ge.f64 %p0, %d1, %d2;", 1, setp_d_e},
    {"setp.lt.s32 %p0, %r1, %r2;", 1, setp_s_e},
    {"setp.hi.u32 %p0, %r1, %r2;", 1, setp_hi_e},
    {"setp.ge.and.s64 %p0|%p2, %d1, %d2, !%p1;", 1, setp_and_e},
    {"set.eq.f32.f32 %r0, %r1, %r2;", 4, set_e},
    {"set.gt.u32.s32 %r0, %r1, %r2;", 4, set_u_e},
    {"testp.subnormal.f32 %p0, %r1;", 1, testp_e},
};

static void test_reals(void)
{
    check(reals, sizeof reals / sizeof *reals);
}

/* ---- Conversions ------------------------------------------------------------------------------------ */

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

static const struct instruction conversions[] = {
    {"cvt.s32.s8 %r0, %r1;", 4, s8_s32_e},
    {"cvt.u32.u16 %r0, %h1;", 4, u16_e},
    {"cvt.sat.u8.s32 %r0, %r1;", 4, sat_u8_s32_e},
    {"cvt.sat.s32.u64 %r0, %d1;", 4, sat_s32_u64_e},
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
        {"integers", test_integers},
        {"floating-point numbers and comparisons", test_reals},
        {"floating-point numbers of 16 bits", test_halves},
        {"conversions", test_conversions},
    };
    state = suite_seed();
    suite_print_seed("arithmetic of the interpreter", state);
    state |= 1;
    return suite_run("arithmetic of the interpreter", tests, sizeof tests / sizeof *tests);
}
