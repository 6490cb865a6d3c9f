/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pack.h - compresses byte planes to an LZ4 block (internal to format/).
 */
#ifndef WARPSCOPE_FORMAT_PACK_H
#define WARPSCOPE_FORMAT_PACK_H

#include <stddef.h>
#include <stdint.h>

#define FMT_PACK_SLOTS 4096u /* slots of the hash table: 16 KiB, a part of the L1 cache */
#define FMT_PACK_SLACK 16u   /* bytes that may be accessed after the planes and after the output */

/* Hash table: for each four bytes, the place where they occurred last. Zero-initialise it; it may
 * be used for many columns. */
struct fmt_packer {
    uint32_t seen[FMT_PACK_SLOTS];
    uint32_t next; /* index of the first byte of the next column, counted over all columns */
};

/* n_planes contiguous planes of n bytes each, with hints about each plane. */
struct fmt_planes {
    const uint8_t *bytes; /* the planes; FMT_PACK_SLACK bytes after them are readable */
    size_t n_planes;
    size_t n;
    const uint8_t *differ; /* for each plane, 0 if all its bytes are equal; NULL: unknown */
    /* For each plane, blocks to skip after a search without gain; NULL: always search. */
    uint8_t *rest;
};

/*
 * Writes the planes as an LZ4 block. Returns its size; 0 if it would exceed capacity, in which case
 * the output is invalid. FMT_PACK_SLACK bytes after capacity may be overwritten. At most 2^31 bytes
 * in all.
 */
size_t fmt_pack(struct fmt_packer *packer, const struct fmt_planes *planes, uint8_t *to,
                size_t capacity);

#endif
