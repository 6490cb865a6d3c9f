/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather.h - gathers the values of each column from rows (internal to format/).
 */
#ifndef WARPSCOPE_FORMAT_GATHER_H
#define WARPSCOPE_FORMAT_GATHER_H

#include "format/common.h"

/* Rows in little-endian byte order. Row i begins at first + i * stride or, if stride is 0, at
 * first + offset[i]. */
struct fmt_rows {
    const uint8_t *first;
    const uint32_t *offset;
    uint32_t n;
    uint32_t stride;
};

/* A column: the `width` bytes at `offset` of each row. A column lies within one lane: 8 bytes of
 * the row at an offset that is a multiple of 8. */
struct fmt_gather {
    uint32_t offset;
    uint32_t width;
    /* Output: the value of each row. Values of width 4 and 8 are words in the byte order of the
     * machine, others are bytes. */
    void *values;
    /* Input: false if all values in the previous block were equal; then fmt_gather() only compares
     * values until two of them differ. Output: false if all values are equal; then `values` has
     * only the first value. */
    bool varies;
};

/* Gathers the values of n_columns columns from the rows. There must be at least one row, and the
 * columns must be in ascending order of offset. The bytes of each row must be readable up to the
 * end of the last lane. */
void fmt_gather(const struct fmt_rows *rows, struct fmt_gather *columns, uint32_t n_columns);

/* Copies the bytes [offset, offset + width) of each row to `to`, row after row. */
void fmt_gather_bytes(const struct fmt_rows *rows, size_t offset, size_t width, uint8_t *to);

/* Sets *min and *max to the smallest and largest of n doubles, which are given by their bits.
 * Ignores NaN. If all n are NaN, sets both to NaN. */
void fmt_range_find(const uint64_t *bits, uint32_t n, double *min, double *max);

/* Copies the rows (size bytes in all) to `to`, with the bytes of each value of the columns in reverse
 * order. */
void fmt_rows_turn(const struct fmt_rows *rows, const struct fmt_gather *columns,
                   uint32_t n_columns, size_t size, uint8_t *to);

#endif
