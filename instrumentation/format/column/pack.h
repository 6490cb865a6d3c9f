/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pack.h - compresses byte planes into an LZ4 block (internal to format/).
 */
#ifndef WARPSCOPE_FORMAT_PACK_H
#define WARPSCOPE_FORMAT_PACK_H

#include <stddef.h>
#include <stdint.h>

/* Number of slots in the hash table. The table has 16 KiB, so it fits into the L1 cache. */
#define FMT_PACK_SLOTS 4096u
/* Number of bytes behind the planes that may be read, and behind the output that may be written. */
#define FMT_PACK_SLACK 16u

/* Hash table that has the latest position of each sequence of four bytes. Zero-initialise it; it
 * may be used for many columns. */
struct fmt_packer {
    uint32_t seen[FMT_PACK_SLOTS];
    /* Position of the first byte of the next column, counted over the bytes of all columns. */
    uint32_t next;
};

/* Byte planes: n_planes planes of n bytes each, one after another, with hints about each plane. */
struct fmt_planes {
    const uint8_t *bytes; /* the planes; FMT_PACK_SLACK bytes behind them must be readable */
    size_t n_planes;
    size_t n;
    /* [b]: number of further blocks in which plane b is not searched, because a search saved too
     * little space. Updated by fmt_pack(). NULL: all planes are searched. */
    uint8_t *rest;
};

/*
 * Writes the planes as an LZ4 block to `to`. Returns the size of the block in bytes. If the block
 * would exceed capacity, returns 0, and the output is invalid. May overwrite FMT_PACK_SLACK bytes
 * behind capacity. The planes have at most 2^31 bytes in all.
 */
size_t fmt_pack(struct fmt_packer *packer, const struct fmt_planes *planes, uint8_t *to,
                size_t capacity);

#endif
