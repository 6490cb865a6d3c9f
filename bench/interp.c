/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench_interp - measures the speed of the PTX interpreter: millions of thread instructions per
 * second for several kinds of kernel, and millions of observed accesses per second.
 */
#include <stdio.h>
#include <string.h>

#include "interp/interp.h"
#include "support/measure.h"

enum { CTAS = 16, THREADS = 256, LOOPS = 200 };

#define HEAD                                                                                       \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                                              \
    ".func (.param .b32 r) f(.param .b32 x) { .reg .b32 %r<3>; ld.param.u32 %r1, [x]; add.u32 "    \
    "%r1, %r1, 1;\n"                                                                               \
    "st.param.b32 [r], %r1; ret; }\n"                                                              \
    ".visible .entry k(.param .u64 out)\n{\n"                                                      \
    ".reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %d<32>; .reg .f32 %f<16>;\n"                    \
    ".shared .align 8 .b32 s[256];\n"                                                              \
    "ld.param.u64 %d0, [out]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n" \
    "mad.lo.s32 %r0, %r0, %r1, %r2; mul.wide.u32 %d1, %r0, 8; add.s64 %d0, %d0, %d1;\n"            \
    "mov.u32 %r9, 0; mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f3F800001; mul.wide.u32 %d3, %r2, "    \
    "4;\n"                                                                                         \
    "mov.u64 %d2, s; add.s64 %d2, %d2, %d3;\nloop:\n"
#define TAIL                                                                                       \
    "\nadd.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 200; @%p1 bra loop;\nst.global.u32 [%d0], %r3; " \
    "ret;\n}\n"

/* Kernels. instructions: number of instructions per iteration, including 3 for the loop itself.
 * observed: true if a function observes the accesses. */
static const struct kernel {
    const char *name, *text;
    unsigned instructions;
    bool observed;
} kernels[] = {
    {"integers",
     HEAD "add.u32 %r3, %r3, %r0; mad.lo.u32 %r4, %r3, 3, %r0; shl.b32 %r5, %r4, 2; xor.b32 %r3, "
          "%r5, %r4;" TAIL,
     7, false},
    {"f32",
     HEAD "mul.f32 %f3, %f1, %f2; add.f32 %f1, %f3, %f2; fma.rn.f32 %f4, %f1, %f2, %f3; sub.f32 "
          "%f1, %f4, %f1;" TAIL,
     7, false},
    {"global memory",
     HEAD "ld.global.u32 %r3, [%d0]; add.u32 %r3, %r3, 1; st.global.u32 [%d0], %r3;" TAIL, 6,
     false},
    {"observed accesses",
     HEAD "ld.global.u32 %r3, [%d0]; add.u32 %r3, %r3, 1; st.global.u32 [%d0], %r3;" TAIL, 6, true},
    {"shared memory", HEAD "st.shared.u32 [%d2], %r9; bar.sync 0; ld.shared.u32 %r3, [%d2];" TAIL,
     6, false},
    {"shuffles", HEAD "shfl.sync.bfly.b32 %r3, %r9, 1, 31, -1; add.u32 %r3, %r3, 1;" TAIL, 5,
     false},
    {"atomics", HEAD "atom.global.add.u32 %r3, [%d0], 1;" TAIL, 4, false},
    {"divergence",
     HEAD "add.u32 %r4, %r9, %r2; and.b32 %r4, %r4, 1; setp.eq.u32 %p2, %r4, 0; @%p2 bra even; "
          "add.u32 %r3, %r3, 1;\n"
          "bra next; even: add.u32 %r3, %r3, 3; add.u32 %r3, %r3, 4; next:" TAIL,
     9, false},
    {"calls",
     HEAD "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r3; call (b), f, (a); ld.param.b32 "
          "%r3, [b]; }" TAIL,
     10, false},
};

static double seconds = 1; /* option --seconds */

static void count(void *user, const struct interp_access *accesses, size_t n)
{
    (void)accesses;
    *(uint64_t *)user += n;
}

static void measure(struct interp *device, const struct kernel *kernel)
{
    char error[INTERP_ERROR_MAX];
    struct ptx_module *tree = ptx_parse(kernel->text, strlen(kernel->text), error);
    const struct ptx_module *trees[] = {tree};
    struct interp_module *module = tree ? interp_load(device, trees, 1, error) : NULL;
    if (!module) {
        measure_fail("%s: %s", kernel->name, error);
    }
    uint64_t out = interp_alloc(device, CTAS * THREADS * 8), launches = 0, accesses = 0;
    struct interp_launch launch = {
        .grid = {CTAS, 1, 1}, .block = {THREADS, 1, 1}, .parameters = &out};
    if (kernel->observed) {
        launch.observe = count;
        launch.user = &accesses;
    }
    double begin = measure_seconds(), end = begin;
    for (; end - begin < seconds; end = measure_seconds(), launches++) {
        if (interp_launch(device, interp_kernel(module, "k"), &launch, error) != INTERP_DONE) {
            measure_fail("%s: %s", kernel->name, error);
        }
    }
    double instructions = (double)launches * CTAS * THREADS * LOOPS * kernel->instructions;
    printf("%-20s %8.0f", kernel->name, instructions / (end - begin) / 1e6);
    if (accesses) {
        printf("   %.1f million accesses/s", (double)accesses / (end - begin) / 1e6);
    }
    printf("\n");
    interp_free(device, out);
    interp_unload(module);
    ptx_free(tree);
}

static const tw_optdef table[] = {
    TWOPT_GROUP("Speed of the interpreter of PTX"),
    TWOPT_DOUBLE("seconds", seconds, "<1e-3..3600> time for each kernel"),
    TWOPT_END(),
};

static void run(void)
{
    char error[INTERP_ERROR_MAX];
    struct interp_options options = {0};
    struct interp *device = interp_create(&options, error);
    if (!device) {
        measure_fail("%s", error);
    }
    printf("%-20s %s\n", "kernel", "million thread instructions/s");
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        measure(device, &kernels[i]);
    }
    interp_destroy(device);
}

const struct measure_program measure_program = {
    "Millions of thread instructions per second of the PTX interpreter.", table, run};
