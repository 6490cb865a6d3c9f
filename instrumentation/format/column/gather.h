/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather.h - collects the values of each column from rows (internal to format/).
 */
#ifndef WARPSCOPE_FORMAT_GATHER_H
#define WARPSCOPE_FORMAT_GATHER_H

#include "format/common.h"

/* A table of n rows in little-endian byte order. Row i begins at first + i * stride; if stride is 0,
 * at first + offset[i]. */
struct fmt_rows {
    const uint8_t *first;
    const uint32_t *offset;
    uint32_t n;
    uint32_t stride;
};

/* A column of `width` bytes at `offset` of each row, within 8 bytes at a multiple of 8: a lane. */
struct fmt_gather {
    uint32_t offset;
    uint32_t width;
    void *
        values; /* output: n words in the order of the machine for width 4 and 8, otherwise bytes */
    /* Input: false if all values of the previous block were equal; then values are only compared
     * until one differs. Output: false if all values are equal; then there is only the first. */
    bool varies;
};

/* Collects columns in ascending order of offset. There is at least one row. Rows have readable bytes up
 * to the end of the last lane. */
void fmt_gather(const struct fmt_rows *rows, struct fmt_gather *columns, uint32_t n_columns);

/* Copies bytes [offset, offset + width) of each row. */
void fmt_gather_bytes(const struct fmt_rows *rows, size_t offset, size_t width, uint8_t *to);

/* Finds the range of n doubles, given by their bits, without NaN; NaN, NaN if there are no
 * numbers. */
void fmt_range_find(const uint64_t *bits, uint32_t n, double *min, double *max);

/* Copies rows (size bytes) with the bytes of each field reversed. */
void fmt_rows_turn(const struct fmt_schema *schema, const struct fmt_rows *rows, size_t size,
                   uint8_t *to);

#endif
