/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_columns.h - rows of a journal as columns, in the form of a decoded block (inside live only).
 */
#ifndef WARPSCOPE_READER_LIVE_ROW_COLUMNS_H
#define WARPSCOPE_READER_LIVE_ROW_COLUMNS_H

#include "format/format.h"

/* Zero-initialise; reuse it for any rows; free it once. */
struct row_columns {
    struct fmt_columns columns; /* valid after row_columns_make() */
    uint32_t *offsets;          /* of each row */
    size_t room_offsets;
    uint8_t *memory;
    size_t room;
};

/* Finds the rows in size bytes. Returns the number of complete rows; *consumed: their bytes. With
 * sound rows that is size. Returns UINT32_MAX if out of memory. */
uint32_t row_columns_find(struct row_columns *to, const struct fmt_schema *schema,
                          const uint8_t *rows, size_t size, size_t *consumed);

/* Makes columns of n rows that were found, from row number first on. Returns false if out of
 * memory. */
bool row_columns_make(struct row_columns *to, const struct fmt_schema *schema,
                      const struct fmt_wanted *wanted, const uint8_t *rows, uint32_t first,
                      uint32_t n);
void row_columns_free(struct row_columns *columns);

#endif
