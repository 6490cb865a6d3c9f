/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Special registers whose values are constant while a warp runs, as arrays of 32-bit values at
 * BASE_SPECIAL.
 */
#ifndef WARPSCOPE_CUDA_INTERP_SPECIAL_H
#define WARPSCOPE_CUDA_INTERP_SPECIAL_H

#include "interp/machine.h"

/* Returns the size in bytes of the arrays of special registers of one warp. */
size_t special_bytes(void);

/* Sets the special registers of a warp that begins. */
void special_begin(struct warp *warp);

/* Sets *result to the operand of a special register. width: width of the operand in bytes. Returns
 * false if the register's value changes while a warp runs, or if the name is unknown. */
bool special_operand(const struct ptx_operand *name, uint32_t width, operand *result);

/* Size in bytes of one shared variable's addresses at BASE_KERNEL: for each lane, an address of 8
 * bytes and one of 4 bytes. */
enum { SHARED_STRIDE = WARP_LANES * 12 };
static inline operand shared_operand(uint32_t number, uint32_t width)
{
    return (number * SHARED_STRIDE + (width == 8 ? 0 : WARP_LANES * 8)) | BASE_KERNEL;
}

#endif
