/* SPDX-License-Identifier: BSD-3-Clause
 *
 * First pass of the rewriter: facts about each function, which determine the insertions.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_PLAN_H
#define WARPSCOPE_CUDA_REWRITE_PLAN_H

#include "ptx/ptx.h"
#include "rewrite/device.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Treatment of one function of the module. */
struct plan_function {
    bool global, generic; /* has traced accesses with global addresses, with generic addresses */
    bool calls;           /* calls functions that may be traced */
    /* True if its accesses are recorded; a traced kernel has the hidden parameter. */
    bool traced;
    /* True for a declaration or definition of a kernel that gets the hidden parameter. */
    bool hidden;
    bool stores;        /* true for a kernel that stores the address of the slot in shared memory */
    const char *reason; /* why it is not traced although it has accesses or is a kernel, or NULL */
};

struct plan {
    struct plan_function *functions; /* same order as in the module */
    struct device_uses uses;
    bool already; /* true if the module was rewritten before */
    size_t kernel_count;
};

/* Sets *plan. Returns false with a message in error on the conditions of rewrite_module(). */
bool plan_make(struct plan *plan, const struct ptx_module *module, char *error);
void plan_free(struct plan *plan);

/* Returns the callee of a call instruction, or NULL. */
const struct ptx_operand *plan_callee(const struct ptx_instruction *call);

/* Returns true if the kernel already has the hidden parameter in the source. */
bool plan_is_rewritten(const struct ptx_function *kernel);

#endif
