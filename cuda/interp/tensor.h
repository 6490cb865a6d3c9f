/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tensor maps: the contents of a CUtensorMap of 128 bytes, which programs pass to kernels in any memory.
 *
 * Element (x0, x1, ...) of a tensor is at address + x0 * its size + x1 * stride[0] + x2 * stride[1] ...
 * A copy moves a box of elements, whose first one the instruction names. Along dimension d > 0 they are
 * step[d] apart, and a box has ceil(box[d] / step[d]) of them. Those outside of the tensor are filled in
 * shared memory, and are not written to global memory. In shared memory, the elements of a box follow
 * each other, those of dimension 0 first.
 *
 * A swizzle of n = 2, 4 or 8 exchanges parts of 16 bytes in shared memory: bits 4 and above of an address
 * are xored with bits 7 and above of it, modulo n.
 */
#ifndef WARPSCOPE_CUDA_INTERP_TENSOR_H
#define WARPSCOPE_CUDA_INTERP_TENSOR_H

#include <stdint.h>

#define INTERP_TENSOR_MAGIC 0x726f736e6574ull

/* Numbers of CUtensorMapDataType that the interpreter copies. */
enum { INTERP_TENSOR_TYPES = 10, INTERP_TENSOR_RANK = 5, INTERP_TENSOR_BOX = 256 };

struct interp_tensor {
    uint64_t magic, address;
    uint64_t size[INTERP_TENSOR_RANK], stride[INTERP_TENSOR_RANK - 1];
    uint16_t box[INTERP_TENSOR_RANK];
    uint8_t step[INTERP_TENSOR_RANK];
    uint8_t rank, type, bytes; /* bytes: of an element */
    uint8_t swizzle;           /* parts of 16 bytes: 1, none; or as many as a row of a box has */
    uint8_t fill;              /* each byte of an element outside of a tensor: 0, or 0xff, a NaN */
    uint8_t unused[20];
};
_Static_assert(sizeof(struct interp_tensor) == 128, "CUtensorMap has 128 bytes");

#endif
