/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Special registers that are constant for a warp, as arrays of 32-bit values at BASE_SPECIAL.
 */
#ifndef WARPSCOPE_CUDA_INTERP_SPECIAL_H
#define WARPSCOPE_CUDA_INTERP_SPECIAL_H

#include "interp/machine.h"

size_t special_bytes(void); /* of a warp */

/* Fills in the registers of a warp that begins. */
void special_begin(struct warp *warp);

/* The operand of a special register; false if it changes while a warp runs, or is unknown. */
bool special_operand(const struct ptx_operand *name, uint32_t width, operand *result);

/* A shared variable's address: one of 8 bytes and one of 4 for each lane. */
enum { SHARED_STRIDE = WARP_LANES * 12 };
static inline operand shared_operand(uint32_t number, uint32_t width)
{
    return (number * SHARED_STRIDE + (width == 8 ? 0 : WARP_LANES * 8)) | BASE_KERNEL;
}

#endif
