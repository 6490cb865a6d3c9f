/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interp_reference.h - compares instructions of the interpreter with computations in C, with random
 * and extreme operands.
 */
#ifndef WARPSCOPE_TESTS_UNIT_CUDA_INTERP_REFERENCE_H
#define WARPSCOPE_TESTS_UNIT_CUDA_INTERP_REFERENCE_H

#include "interp/module.h"
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

static uint64_t operand_bits(unsigned i)
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

static inline float F(uint64_t x)
{
    uint32_t bits = (uint32_t)x;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline double D(uint64_t x)
{
    double f;
    memcpy(&f, &x, sizeof f);
    return f;
}

static inline uint64_t of_f(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return isnan(f) ? 0x7fffffffu : bits;
}

static inline uint64_t of_d(double f)
{
    uint64_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* Returns an f32 rounded from a long double, which holds products of f32 exactly, and sums well
 * enough to tell. */
static inline float rounded(long double exact, int mode)
{
    fesetround(mode);
    volatile long double from = exact;
    volatile float result = (float)from;
    fesetround(FE_TONEAREST);
    return result;
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

/* Returns true for a sum or product of two NaNs of 64 bits, also in fma: the compiler's order of operands
 * decides which of them is the result. */
static bool is_either_nan(const char *text, uint64_t result, uint64_t expected, uint64_t x,
                          uint64_t y)
{
    const uint64_t all[] = {result, expected, x, y};
    bool is = strstr(text, ".f64 %d0, %d1, %d2") != NULL;
    for (size_t i = 0; i < 4; i++) {
        is = is && (all[i] & INT64_MAX) > 0x7ff0000000000000u;
    }
    return is;
}

/* Writes to text (size bytes) a list of the instructions that the interpreter cannot execute, with
 * a line such as "line 12: tensormap.replace" for each. Returns the number of these instructions. */
static size_t interp_unsupported(const struct interp_module *module, char *text, size_t size)
{
    size_t found = 0, used = 0;
    if (size) {
        text[0] = '\0';
    }
    for (size_t i = 0; i < module->function_count; i++) {
        const struct function *function = &module->functions[i]->function;
        for (size_t j = 0; j < function->op_count; j++) {
            const struct op *op = &function->ops[j];
            if (op->run != fault_unsupported) {
                continue;
            }
            found++;
            if (used < size) {
                int length = snprintf(text + used, size - used, "line %u: %s\n", op->line,
                                      op->extra ? (const char *)op->extra : "?");
                used += length > 0 ? (size_t)length : 0;
            }
        }
    }
    return found;
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
            operands[i * 4 + n] = operand_bits(n == 0 ? i : (unsigned)(random64() % 200));
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

#endif
