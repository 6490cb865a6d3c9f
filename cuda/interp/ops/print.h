/* SPDX-License-Identifier: BSD-3-Clause
 *
 * printf() of kernels.
 */
#ifndef WARPSCOPE_CUDA_INTERP_PRINT_H
#define WARPSCOPE_CUDA_INTERP_PRINT_H

#include "interp/machine.h"

/* Prints to standard output at once; arguments lie packed by their alignment. Returns their number, or -1. */
int print_format(struct warp *warp, const struct op *op, unsigned lane, uint64_t format,
                 uint64_t arguments);

/* Copies a string of the device, as far as it can be read and fits. */
void print_string(struct warp *warp, unsigned lane, uint64_t address, char *text, size_t size);

#endif
