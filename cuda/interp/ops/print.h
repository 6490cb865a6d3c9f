/* SPDX-License-Identifier: BSD-3-Clause
 *
 * printf() of kernels.
 */
#ifndef WARPSCOPE_CUDA_INTERP_PRINT_H
#define WARPSCOPE_CUDA_INTERP_PRINT_H

#include "interp/machine.h"

/* Prints to standard output at once. The arguments lie one after the other, each aligned to its
 * size. Returns their number, or -1 after a fault. */
int print_format(struct warp *warp, const struct op *op, unsigned lane, uint64_t format,
                 uint64_t arguments);

/* Copies a string from device memory, until its end, the end of readable memory or size - 1
 * characters. */
void print_string(struct warp *warp, unsigned lane, uint64_t address, char *text, size_t size);

#endif
