/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Conversions (cvt) to and from types that no register has: pairs of FP8 numbers, TF32, and packed
 * integers.
 */
#ifndef WARPSCOPE_CUDA_INTERP_OPS_CONVERT_H
#define WARPSCOPE_CUDA_INTERP_OPS_CONVERT_H

#include "interp/decode.h"

/* Returns true if the instruction is such a conversion. */
bool convert_is_odd(const struct ptx_instruction *in);
/* Decodes it. Returns false if this form of the instruction is not supported. */
bool decode_odd_convert(struct decoder *decoder);

#endif
