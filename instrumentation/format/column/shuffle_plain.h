/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shuffle_plain.h - transposes a matrix of bytes for shuffle.c (internal to shuffle.c).
 *
 * 8-byte pieces of eight successive values are a matrix of 8 x 8 bytes. The matrix is transposed in
 * three steps of masked swaps (Warren, Hacker's Delight, 2nd ed., 7-3, with bytes in place of
 * bits). Each row of the result has eight bytes of one plane. Cost: about 1 ns per 8-byte value.
 */
#ifndef WARPSCOPE_FORMAT_SHUFFLE_PLAIN_H
#define WARPSCOPE_FORMAT_SHUFFLE_PLAIN_H

#include "format/bytes.h"

/* Swaps the bits of *a that are selected by `mask << shift` with the bits of *b that are selected
 * by `mask`. */
static inline void shuffle_swap_bits(uint64_t *a, uint64_t *b, unsigned shift, uint64_t mask)
{
    uint64_t t = ((*a >> shift) ^ *b) & mask;
    *b ^= t;
    *a ^= t << shift;
}

/* Transposes the matrix whose row r is m[r]; the lowest byte of a row is its first element. */
static inline void shuffle_transpose_8x8(uint64_t m[8])
{
    for (int r = 0; r < 4; r++) {
        shuffle_swap_bits(&m[r], &m[r + 4], 32, UINT64_C(0x00000000ffffffff));
    }
    for (int r = 0; r < 8; r += 4) {
        shuffle_swap_bits(&m[r], &m[r + 2], 16, UINT64_C(0x0000ffff0000ffff));
        shuffle_swap_bits(&m[r + 1], &m[r + 3], 16, UINT64_C(0x0000ffff0000ffff));
    }
    for (int r = 0; r < 8; r += 2) {
        shuffle_swap_bits(&m[r], &m[r + 1], 8, UINT64_C(0x00ff00ff00ff00ff));
    }
}

#endif
