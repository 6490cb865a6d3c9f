/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handlers of control flow, for use in other files.
 */
#ifndef WARPSCOPE_CUDA_INTERP_CONTROL_H
#define WARPSCOPE_CUDA_INTERP_CONTROL_H

#include "interp/machine.h"

/* extra: name of the instruction */
void control_unsupported(struct warp *warp, const struct op *op);
void control_ret(struct warp *warp, const struct op *op);

/* An argument or result of a call. */
struct passed {
    uint32_t offset, bytes; /* place in the parameter memory of the caller; bytes 0: a register */
    uint32_t width;
    operand from;
};

struct call {
    /* NULL: the call is indirect, and register op->a has the address */
    const struct function *callee;
    op_handler builtin; /* handler of a built-in function such as vprintf, or NULL */
    struct passed *arguments, *results;
    uint32_t argument_count, result_count;
};

/* builtin.c: returns the handler of a function of CUDA's device library, or NULL if the name is
 * unknown. */
op_handler builtin_find(struct ptx_text name);

#endif
