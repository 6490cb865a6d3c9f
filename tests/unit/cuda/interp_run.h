/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Running kernels that a test writes as text.
 */
#ifndef WARPSCOPE_TESTS_INTERP_RUN_H
#define WARPSCOPE_TESTS_INTERP_RUN_H

#include "interp/interp.h"
#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PTX_HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

/* Registers of all kernels below. */
#define PTX_REGISTERS                                                                              \
    ".reg .pred %p<8>; .reg .b16 %h<16>; .reg .b32 %r<32>; .reg .b64 %d<32>; .reg .f32 %f<16>; "   \
    ".reg .f64 %g<16>;\n"

/* A kernel k(out): %d0 is the address of the thread's own place of 8 bytes, %r0 the thread's number in the grid. */
#define PTX_KERNEL(name, body)                                                                     \
    ".visible .entry " name "(.param .u64 out)\n{\n" PTX_REGISTERS                                 \
    "ld.param.u64 %d0, [out]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n" \
    "mad.lo.s32 %r0, %r0, %r1, %r2; mul.wide.u32 %d1, %r0, 8; mov.u64 %d31, %d0;\n"                \
    "add.s64 %d0, %d0, %d1;\n" body "\nret;\n}\n"

struct run {
    struct interp *device;
    struct ptx_module *tree;
    struct interp_module *module;
    uint64_t *out; /* 8 bytes for each thread of the last launch, and some more */
    char error[INTERP_ERROR_MAX];
    struct interp_launch launch;
    struct interp_options options;
};

/* Loads the text. Fails the test on an error. */
static inline bool run_begin(struct run *run, const char *text)
{
    memset(&run->launch, 0, sizeof run->launch);
    run->error[0] = '\0';
    run->out = NULL;
    run->tree = NULL;
    run->module = NULL;
    run->device = interp_create(&run->options, run->error);
    if (run->device) {
        run->tree = ptx_parse(text, strlen(text), run->error);
    }
    if (run->tree) {
        const struct ptx_module *trees[] = {run->tree};
        run->module = interp_load(run->device, trees, 1, run->error);
    }
    if (!run->module) {
        printf("\n  %s\n", run->error);
        CU_FAIL("the module loads");
    }
    return run->module != NULL;
}

static inline void run_end(struct run *run)
{
    if (run->module) {
        interp_unload(run->module);
    }
    ptx_free(run->tree);
    interp_destroy(run->device);
}

/* Launches a kernel with out as its parameter. */
static inline enum interp_end run_kernel(struct run *run, const char *name, uint32_t grid,
                                         uint32_t block)
{
    const struct interp_kernel *kernel = interp_kernel(run->module, name);
    if (!kernel) {
        CU_FAIL("the kernel is there");
        return INTERP_BAD_LAUNCH;
    }
    if (run->out) {
        interp_free(run->device, (uint64_t)(uintptr_t)run->out);
    }
    run->out = (uint64_t *)(uintptr_t)interp_alloc(run->device, (uint64_t)grid * block * 8);
    run->launch.grid[0] = grid;
    run->launch.block[0] = block;
    run->launch.grid[1] = run->launch.grid[2] = run->launch.block[1] = run->launch.block[2] = 1;
    run->launch.parameters = &run->out;
    run->error[0] = '\0';
    return interp_launch(run->device, kernel, &run->launch, run->error);
}

/* Loads one kernel named k, runs it, and expects its end. Returns true if all was well. */
static inline bool run_text(struct run *run, const char *text, uint32_t grid, uint32_t block,
                            enum interp_end end)
{
    if (!run_begin(run, text)) {
        return false;
    }
    enum interp_end got = run_kernel(run, "k", grid, block);
    if (got != end) {
        printf("\n  end %d, expected %d: %s\n", (int)got, (int)end, run->error);
        CU_FAIL("the kernel ends as expected");
    }
    return got == end;
}

#endif
