/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handlers of control flow that other files name.
 */
#ifndef WARPSCOPE_CUDA_INTERP_CONTROL_H
#define WARPSCOPE_CUDA_INTERP_CONTROL_H

#include "interp/machine.h"

void control_unsupported(struct warp *warp, const struct op *op); /* extra: its name */
void control_ret(struct warp *warp, const struct op *op);

/* An argument or result of a call. */
struct passed {
    uint32_t offset, bytes; /* in the caller's param memory; bytes 0: a register */
    uint32_t width;
    operand from;
};

struct call {
    const struct function *callee; /* NULL: indirect, by register op->a */
    op_handler builtin;            /* of vprintf and the like, or NULL */
    struct passed *arguments, *results;
    uint32_t argument_count, result_count;
};

/* builtin.c: the function of CUDA's device library, or NULL. */
op_handler builtin_find(struct ptx_text name);

#endif
