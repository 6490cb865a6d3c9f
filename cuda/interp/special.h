/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Special registers whose values are constant for a warp, as arrays of 32-bit values at
 * BASE_SPECIAL.
 */
#ifndef WARPSCOPE_CUDA_INTERP_SPECIAL_H
#define WARPSCOPE_CUDA_INTERP_SPECIAL_H

#include "interp/machine.h"

size_t special_bytes(void); /* bytes of these arrays for one warp */

/* Sets the registers of a warp that begins. */
void special_begin(struct warp *warp);

/* Finds the operand of a special register. Returns false if its value changes while a warp runs, or
 * if the name is unknown. */
bool special_operand(const struct ptx_operand *name, uint32_t width, operand *result);

/* Bytes that the address of a shared variable occupies at BASE_KERNEL: 8 bytes and 4 bytes for each
 * lane. */
enum { SHARED_STRIDE = WARP_LANES * 12 };
static inline operand shared_operand(uint32_t number, uint32_t width)
{
    return (number * SHARED_STRIDE + (width == 8 ? 0 : WARP_LANES * 8)) | BASE_KERNEL;
}

#endif
