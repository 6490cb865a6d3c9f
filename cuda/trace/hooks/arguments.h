/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The array of arguments of a launch, with the hidden argument at its end.
 */
#ifndef WARPSCOPE_CUDA_HOOKS_ARGUMENTS_H
#define WARPSCOPE_CUDA_HOOKS_ARGUMENTS_H

#include <stdint.h>

enum { WS_ARGUMENTS_FEW = 64 };

struct ws_arguments {
    /* Array of all arguments for the launch; points to `few` or `many`. */
    void **all;
    uint64_t slot;
    void **many; /* allocated array, if the arguments do not fit in `few`; else NULL */
    void *few[WS_ARGUMENTS_FEW];
};

/* Sets a->all: copies `count` pointers to arguments from given, and appends a pointer to a->slot.
 * Ends the program if memory is exhausted. */
void ws_arguments_make(struct ws_arguments *a, void *const *given, uint32_t count, uint64_t slot);
void ws_arguments_free(struct ws_arguments *a);

#endif
