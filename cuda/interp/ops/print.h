/* SPDX-License-Identifier: BSD-3-Clause
 *
 * printf() of kernels.
 */
#ifndef WARPSCOPE_CUDA_INTERP_PRINT_H
#define WARPSCOPE_CUDA_INTERP_PRINT_H

#include "interp/machine.h"

/* Prints a formatted text to standard output at once. format, arguments: device addresses of the
 * format and of the first argument. The arguments lie one after the other, each aligned to its
 * size. Returns the number of arguments, or -1 after a fault. */
int print_format(struct warp *warp, const struct op *op, unsigned lane, uint64_t format,
                 uint64_t arguments);

/* Copies the string at a device address to text (size bytes). The copy ends at the end of the
 * string, at the end of readable memory, or after size - 1 characters. */
void print_string(struct warp *warp, unsigned lane, uint64_t address, char *text, size_t size);

#endif
