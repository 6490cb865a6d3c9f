/*
 * gather.h - from rows to byte planes (inside format/ only).
 */
#ifndef WARPSCOPE_FORMAT_GATHER_H
#define WARPSCOPE_FORMAT_GATHER_H

#include "format/common.h"

/* n rows, whose numbers are little-endian; row i begins at first + offset[i]. */
struct fmt_rows {
    const uint8_t *first;
    const uint32_t *offset;
    uint32_t n;
};

/* Least and greatest of a field of doubles, NaN left out; NaN, NaN if nothing remains. */
struct fmt_range {
    size_t offset; /* of the field in the row */
    double min, max;
};

/* What is made of n rows. */
struct fmt_gathered {
    uint8_t
        *planes; /* planes[b * n + i] = byte b of row i: the planes of a field lie side by side */
    uint8_t *differ; /* per byte of a row: in which bits some row is not as another */
    uint8_t *varies; /* per 8 bytes: a guess whether they differ, kept from block to block; zeros at
                      * first */
};

/* Gathers bytes of each row, a multiple of 8 and at most the length of every row. At least one row.
 * ranges: their offsets are given. */
void fmt_gather(const struct fmt_rows *rows, size_t bytes, const struct fmt_gathered *to,
                struct fmt_range *ranges, unsigned n_ranges);

/* Copies rows (size bytes) with the bytes of each field turned round. */
void fmt_rows_turn(const struct fmt_schema *schema, const struct fmt_rows *rows, size_t size,
                   uint8_t *to);

#endif
