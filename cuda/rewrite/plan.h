/* SPDX-License-Identifier: BSD-3-Clause
 *
 * First pass of the rewriter: finds the facts about each function that determine the insertions.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_PLAN_H
#define WARPSCOPE_CUDA_REWRITE_PLAN_H

#include "ptx/ptx.h"
#include "rewrite/device.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Facts about one function of the module, and how to treat it. */
struct plan_function {
    /* true if the function has accesses that can be traced: with global addresses (global), with
     * generic addresses (generic) */
    bool global, generic;
    bool matrix; /* true if a traced access is that of a matrix */
    bool calls;  /* true if the function calls functions that can be traced */
    /* True if the function's accesses are recorded. A traced kernel has the hidden parameter. */
    bool traced;
    /* True for a declaration or definition of a kernel to which the rewriter adds the hidden
     * parameter. */
    bool hidden;
    /* True for a kernel that stores in shared memory the address of the slot, or 0 if the kernel is
     * not traced. */
    bool stores;
    /* reason why a kernel, or a function with accesses, is not traced; NULL: traced, or no
     * accesses */
    const char *reason;
};

struct plan {
    struct plan_function *functions; /* [i]: plan for functions[i] of the module */
    struct device_uses uses;
    bool already; /* true if the rewriter changed the module before */
    size_t kernel_count;
};

/* Sets *plan. kernels: see rewrite_module(). Returns false, with an error message in error, whenever
 * that must fail. */
bool plan_make(struct plan *plan, const struct ptx_module *module, const char *kernels,
               char *error);
/* Frees the memory of a plan, but not *plan. */
void plan_free(struct plan *plan);

/* Returns the callee of a call instruction, or NULL. */
const struct ptx_operand *plan_callee(const struct ptx_instruction *call);

/* Returns true if the kernel already has the hidden parameter in the source. */
bool plan_is_rewritten(const struct ptx_function *kernel);

#endif
