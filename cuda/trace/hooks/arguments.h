/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The arguments of a launch with the hidden one behind them.
 */
#ifndef WARPSCOPE_CUDA_HOOKS_ARGUMENTS_H
#define WARPSCOPE_CUDA_HOOKS_ARGUMENTS_H

#include <stdint.h>

enum { WS_ARGUMENTS_FEW = 64 };

struct ws_arguments {
    void **all; /* the program's, or ours with the hidden one */
    uint64_t slot;
    void **many; /* memory of all, if they are more than few */
    void *few[WS_ARGUMENTS_FEW];
};

/* Copies `count` pointers to arguments, and adds one to a->slot. */
void ws_arguments_make(struct ws_arguments *a, void *const *given, uint32_t count, uint64_t slot);
void ws_arguments_free(struct ws_arguments *a);

#endif
