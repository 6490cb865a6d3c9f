/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handlers of control flow, for use in other files.
 */
#ifndef WARPSCOPE_CUDA_INTERP_CONTROL_H
#define WARPSCOPE_CUDA_INTERP_CONTROL_H

#include "interp/machine.h"

/* Returns from a function, or exits from the kernel. */
void control_ret(struct warp *warp, const struct op *op);

/* An argument or result of a call: `bytes` bytes at `offset` in the caller's parameter memory or,
 * if `bytes` is 0, the operand `from`, which is `width` bytes wide. */
struct passed {
    uint32_t offset, bytes;
    uint32_t width;
    operand from;
};

struct call {
    /* Called function; NULL: a built-in function, or an indirect call of the address in register
     * op->a. */
    const struct function *callee;
    op_handler builtin; /* handler of a built-in function such as vprintf; NULL: none */
    struct passed *arguments, *results;
    uint32_t argument_count, result_count;
};

/* builtin.c: returns the handler of a function of CUDA's device library, or NULL if the name is
 * unknown. */
op_handler builtin_find(struct ptx_text name);

#endif
