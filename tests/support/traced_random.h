/* SPDX-License-Identifier: BSD-3-Clause
 *
 * traced_random.h - random kernels for ptx_traced.h: straight-line and branching code with all traced instructions,
 * guards, generic addresses of several spaces, loops, barriers, and calls of functions, some of them recursive. All
 * accesses stay in the kernel's buffer and its own variables, and all kernels end.
 */
#ifndef WARPSCOPE_TESTS_TRACED_RANDOM_H
#define WARPSCOPE_TESTS_TRACED_RANDOM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "support/random_bits.h"

enum { RANDOM_TEXT = 1 << 18, RANDOM_FUNCTIONS = 3 };

struct random_ptx {
    uint64_t state;
    char *text; /* RANDOM_TEXT bytes */
    size_t length;
    unsigned labels;
    unsigned functions; /* that may be called */
    bool kernel;        /* barriers and ends are allowed */
};

static inline void random_add(struct random_ptx *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void random_add(struct random_ptx *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(r->text + r->length, RANDOM_TEXT - r->length, format, args);
    va_end(args);
    r->length += n > 0 && (size_t)n < RANDOM_TEXT - r->length ? (size_t)n : 0;
}

static inline unsigned random_of(struct random_ptx *r, unsigned n)
{
    return (unsigned)random_below(&r->state, n);
}

/* A register of 32 bits that statements may read and write. */
static inline unsigned random_register(struct random_ptx *r)
{
    return 1 + random_of(r, 7);
}

static inline void random_guard(struct random_ptx *r)
{
    if (random_of(r, 3) == 0) {
        random_add(r, "@%s%%p%u ", random_of(r, 2) ? "!" : "", random_of(r, 4));
    }
}

/* Puts an address into %a1, aligned to 32 bytes; returns true if it may be used for .global. */
static inline bool random_address(struct random_ptx *r)
{
    random_add(r,
               "and.b32 %%t1, %%r%u, 0x7fe0; cvt.u64.u32 %%a1, %%t1; add.s64 %%a1, %%a1, %%base;\n",
               random_register(r));
    switch (random_of(r, 6)) {
    case 0:
        random_add(r, "selp.b64 %%a1, %%shared, %%a1, %%p%u;\n", random_of(r, 4));
        return false;
    case 1:
        random_add(r, "selp.b64 %%a1, %%local, %%a1, %%p%u;\n", random_of(r, 4));
        return false;
    case 2:
        random_add(r, "selp.b64 %%a1, %%local, %%shared, %%p%u;\n", random_of(r, 4));
        return false;
    default:
        return true;
    }
}

static inline void random_access(struct random_ptx *r)
{
    static const char *const loads[] = {"ld", "ld.volatile", "ld.relaxed.gpu", "ld.acquire.sys"};
    static const char *const stores[] = {"st", "st.volatile", "st.relaxed.cta", "st.release.gpu"};
    static const char *const narrow[] = {"u8", "s8", "u16", "s16", "b32", "u32"};
    static const char *const operations[] = {"add.u32", "max.s32", "and.b32",
                                             "xor.b32", "inc.u32", "exch.b32"};
    const char *space = random_address(r) && random_of(r, 3) > 0 ? ".global" : "";
    unsigned offset = 4 * random_of(r, 4);
    unsigned to = random_register(r), from = random_register(r);
    random_guard(r);
    switch (random_of(r, 9)) {
    case 0:
        random_add(r, "%s%s.%s %%r%u, [%%a1+%u];\n", loads[random_of(r, 4)], space,
                   narrow[random_of(r, 6)], to, offset);
        break;
    case 1:
        random_add(r, "%s%s.%s [%%a1+%u], %%r%u;\n", stores[random_of(r, 4)], space,
                   narrow[random_of(r, 6)], offset, from);
        break;
    case 2:
        random_add(r, "ld%s.v2.u32 {%%r%u, %%t2}, [%%a1+8];\n", space, to);
        break;
    case 3:
        random_add(r, "ld%s.v4.u32 {%%t2, %%r%u, %%t3, %%t4}, [%%a1+16];\n", space, to);
        break;
    case 4:
        random_add(r, "st%s.v4.u32 [%%a1], {%%r%u, %%r%u, %%r%u, %%r%u};\n", space, from, to, from,
                   to);
        break;
    case 5:
        random_add(r, "st%s.v2.b64 [%%a1], {%%base, %%base};\n", space);
        break;
    case 6:
        random_add(r, "atom%s.%s %%r%u, [%%a1], %%r%u;\n", space, operations[random_of(r, 6)], to,
                   from);
        break;
    case 7:
        random_add(r, "atom%s.cas.b32 %%r%u, [%%a1+4], %%r%u, %u;\n", space, to, from,
                   random_of(r, 99));
        break;
    default:
        random_add(r, "red%s.%s [%%a1], %%r%u;\n", space, operations[random_of(r, 4)], from);
    }
}

static inline void random_arithmetic(struct random_ptx *r)
{
    static const char *const operations[] = {"add.u32", "sub.u32", "mul.lo.u32", "xor.b32",
                                             "and.b32", "or.b32",  "min.u32",    "max.s32"};
    random_add(r, "%s %%r%u, %%r%u, %%r%u;\n", operations[random_of(r, 8)], random_register(r),
               random_register(r), random_register(r));
}

static inline void random_compare(struct random_ptx *r)
{
    random_add(r, "and.b32 %%t1, %%r%u, 31; setp.%s.u32 %%p%u, %%t1, %u;\n", random_register(r),
               random_of(r, 2) ? "lt" : "ge", random_of(r, 4), random_of(r, 33));
}

static inline void random_call(struct random_ptx *r)
{
    unsigned number = random_of(r, r->functions);
    random_add(r,
               "{ .param .b64 p; .param .b32 x; .param .b32 d; .param .b32 v; st.param.b64 [p], "
               "%%base; st.param.b32 [x], %%r%u; st.param.b32 [d], %u;\n",
               random_register(r), random_of(r, 3));
    if (random_of(r, 3) == 0) {
        random_add(r,
                   "mov.u64 %%a1, f%u; q%u: .callprototype (.param .b32 _) _ (.param .b64 _, "
                   ".param .b32 _, .param .b32 _); call (v), %%a1, (p, x, d), q%u;",
                   number, r->labels, r->labels);
        r->labels++;
    } else {
        random_add(r, "call (v), f%u, (p, x, d);", number);
    }
    random_add(r, " ld.param.b32 %%r%u, [v]; }\n", random_register(r));
}

static inline void random_block(struct random_ptx *r, unsigned depth, unsigned statements);

static inline void random_branch(struct random_ptx *r, unsigned depth)
{
    unsigned label = r->labels;
    r->labels += 2;
    random_add(r, "@%s%%p%u bra L%u;\n", random_of(r, 2) ? "!" : "", random_of(r, 4), label);
    random_block(r, depth + 1, 1 + random_of(r, 4));
    if (random_of(r, 2)) {
        random_add(r, "bra L%u;\nL%u:\n", label + 1, label);
        random_block(r, depth + 1, 1 + random_of(r, 4));
        random_add(r, "L%u:\n", label + 1);
    } else {
        random_add(r, "L%u:\n", label);
    }
}

/* One or two turns; threads of a warp may take different numbers. Longer loops with strong accesses
 * make the interpreter switch between groups of threads at other places in rewritten code. */
static inline void random_loop(struct random_ptx *r, unsigned depth)
{
    unsigned label = r->labels++;
    random_add(r, "and.b32 %%c%u, %%r%u, 1;\nL%u:\n", depth, random_register(r), label);
    random_block(r, depth + 1, 1 + random_of(r, 4));
    random_add(r, "setp.eq.u32 %%q, %%c%u, 0; sub.u32 %%c%u, %%c%u, 1;\n@!%%q bra L%u;\n", depth,
               depth, depth, label);
}

static inline void random_block(struct random_ptx *r, unsigned depth, unsigned statements)
{
    for (unsigned i = 0; i < statements; i++) {
        unsigned kind = random_of(r, 20);
        if (kind < 8) {
            random_access(r);
        } else if (kind < 12) {
            random_arithmetic(r);
        } else if (kind < 15) {
            random_compare(r);
        } else if (kind < 17 && depth < 3) {
            random_branch(r, depth);
        } else if (kind < 18 && depth < 3) {
            random_loop(r, depth);
        } else if (kind < 19 && r->functions > 0 && depth < 2) {
            random_call(r);
        } else if (r->kernel && depth == 0) {
            random_add(r, random_of(r, 8) ? "bar.sync 0;\n" : "@%%p0 bra END;\n");
        }
    }
}

/* Registers, and addresses of the buffer and of variables; the buffer's is in %base already. */
static inline void random_begin(struct random_ptx *r)
{
    random_add(r, ".local .align 32 .b8 l[64];\n"
                  "mov.u64 %%local, l; cvta.local.u64 %%local, %%local; mov.u32 %%t1, %%tid.x;\n"
                  "mov.u32 %%t2, %%ctaid.x; mad.lo.u32 %%t2, %%t2, 977, %%t1;\n");
    for (unsigned i = 0; i < 4; i++) {
        random_add(r,
                   "and.b32 %%t3, %%t1, %u; setp.eq.u32 %%p%u, %%t3, 0; st.local.v4.u32 [l+%u], "
                   "{0, 0, 0, 0};\n",
                   1 << i, i, 16 * i);
    }
    for (unsigned i = 1; i <= 7; i++) {
        random_add(r, "mul.lo.u32 %%r%u, %%t2, %u;\n", i, 32 * (i * i * 5 + random_of(r, 64)) + i);
    }
}

#define RANDOM_REGISTERS                                                                           \
    ".reg .pred %%p<4>, %%q; .reg .b32 %%r<8>, %%t<5>, %%c<4>; .reg .b64 %%a<2>, %%base, "         \
    "%%local, %%shared;\n"

static inline void random_function(struct random_ptx *r, unsigned number)
{
    random_add(r,
               ".func (.param .b32 v) f%u(.param .b64 p, .param .b32 x, .param .b32 "
               "d)\n{\n" RANDOM_REGISTERS
               ".shared .align 32 .b8 s[64];\nld.param.u64 %%base, [p];\n"
               "mov.u64 %%shared, s; cvta.shared.u64 %%shared, %%shared;\n",
               number);
    random_begin(r);
    random_add(r, "ld.param.u32 %%r1, [x];\n");
    r->functions = number;
    r->kernel = false;
    random_block(r, 1, 2 + random_of(r, 5));
    if (random_of(r, 2)) { /* calls itself while d > 0 */
        random_add(r,
                   "ld.param.u32 %%t1, [d]; setp.eq.u32 %%q, %%t1, 0; @%%q bra DONE; sub.u32 "
                   "%%t1, %%t1, 1;\n{ .param .b64 p2; .param .b32 x2; .param .b32 d2; .param .b32 "
                   "v2; st.param.b64 [p2], %%base; st.param.b32 [x2], %%r2; st.param.b32 [d2], "
                   "%%t1; call (v2), f%u, (p2, x2, d2); ld.param.b32 %%r3, [v2]; }\nDONE:\n",
                   number);
        random_block(r, 2, 2);
    }
    random_add(r, "st.param.b32 [v], %%r3;\nret;\n}\n");
}

/* Writes a module with a kernel k into text, which has RANDOM_TEXT bytes. */
static inline void random_module(char *text, uint64_t seed)
{
    struct random_ptx r = {.state = seed, .text = text};
    unsigned functions = random_of(&r, RANDOM_FUNCTIONS + 1);
    random_add(&r, ".version 8.0\n.target sm_80\n.address_size 64\n");
    for (unsigned i = 0; i < functions; i++) {
        random_function(&r, i);
    }
    random_add(&r, ".visible .entry k(.param .u64 a, .param .u64 n)\n{\n" RANDOM_REGISTERS
                   ".shared .align 32 .b8 s[64];\nld.param.u64 %%base, [a];\n"
                   "mov.u64 %%shared, s; cvta.shared.u64 %%shared, %%shared;\n");
    random_begin(&r);
    r.functions = functions;
    r.kernel = true;
    random_block(&r, 0, 3 + random_of(&r, 20));
    random_add(&r, "END: st.global.u32 [%%base], %%r1;\nret;\n}\n");
}

#endif
