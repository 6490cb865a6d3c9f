/*
 * pack.h - byte planes to an LZ4 block (inside format/ only).
 */
#ifndef WARPSCOPE_FORMAT_PACK_H
#define WARPSCOPE_FORMAT_PACK_H

#include <stddef.h>
#include <stdint.h>

#define FMT_PACK_SLOTS 4096u /* of the table: 16 KiB, a part of the nearest cache */
#define FMT_PACK_SLACK 16u   /* bytes behind the planes and the output that may be touched */

/* Where four bytes were seen last. Zero-initialise; may be used for one column after another. */
struct fmt_packer {
    uint32_t seen[FMT_PACK_SLOTS];
    uint32_t next; /* number of the first byte of the next column */
};

/* n_planes planes of n bytes each, one after another, and what is known of each of them. */
struct fmt_planes {
    const uint8_t *bytes; /* FMT_PACK_SLACK bytes behind them may be read */
    size_t n_planes;
    size_t n;
    const uint8_t *differ; /* per plane 0: all its bytes are the same. NULL: not known */
    uint8_t *rest; /* per plane: how often it is to be left as it is, since looking for what repeats
                    * gave nothing. Kept here from block to block. NULL: always look */
};

/*
 * Writes the planes as an LZ4 block that decodes to them. Returns its size; 0 if that would be more
 * than capacity, then the output is useless. FMT_PACK_SLACK bytes behind capacity may be written.
 * At most 2^31 bytes in all.
 */
size_t fmt_pack(struct fmt_packer *packer, const struct fmt_planes *planes, uint8_t *to,
                size_t capacity);

#endif
