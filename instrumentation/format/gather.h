/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather.h - transposes rows to byte planes (internal to format/).
 */
#ifndef WARPSCOPE_FORMAT_GATHER_H
#define WARPSCOPE_FORMAT_GATHER_H

#include "format/common.h"

/* A table of n rows in little-endian byte order; row i begins at first + offset[i]. */
struct fmt_rows {
    const uint8_t *first;
    const uint32_t *offset;
    uint32_t n;
};

/* Minimum and maximum of a field of doubles, without NaN; NaN, NaN if there are no numbers. */
struct fmt_range {
    size_t offset; /* offset of the field in the row, in bytes */
    double min, max;
};

/* Output of fmt_gather() for n rows. */
struct fmt_gathered {
    /* planes[b * n + i] is byte b of row i, so the planes of a field are adjacent. */
    uint8_t *planes;
    uint8_t *differ; /* for each byte of a row: bits that differ between rows */
    /* For each 8 bytes: whether they probably differ; kept between blocks, initially zero. */
    uint8_t *varies;
};

/* Gathers the first bytes of each row. bytes is a multiple of 8 and at most the length of every
 * row. There is at least one row. The caller sets the offsets of ranges. */
void fmt_gather(const struct fmt_rows *rows, size_t bytes, const struct fmt_gathered *to,
                struct fmt_range *ranges, unsigned n_ranges);

/* Copies rows (size bytes) with the bytes of each field reversed. */
void fmt_rows_turn(const struct fmt_schema *schema, const struct fmt_rows *rows, size_t size,
                   uint8_t *to);

#endif
