/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The first pass of the rewriter: facts about each function, from which follows what is inserted where.
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
    bool global, generic; /* has instructions to be traced, with such addresses */
    bool calls;           /* calls functions that may be traced */
    bool traced;          /* its accesses are recorded; of a kernel: it has the hidden parameter */
    bool hidden;        /* a declaration or definition of a kernel that gets the hidden parameter */
    bool stores;        /* a kernel that stores the slot's address in shared memory */
    const char *reason; /* why it is not traced although it might be, or NULL */
};

struct plan {
    struct plan_function *functions; /* as in the module */
    struct device_uses uses;
    bool already; /* the module was rewritten before */
    size_t kernel_count;
};

/* Returns false after writing a message: see rewrite_module(). */
bool plan_make(struct plan *plan, const struct ptx_module *module, char *error);
void plan_free(struct plan *plan);

/* Of a call: its callee. */
const struct ptx_operand *plan_callee(const struct ptx_instruction *call);

/* True if the kernel has the hidden parameter in the source. */
bool plan_is_rewritten(const struct ptx_function *kernel);

#endif
