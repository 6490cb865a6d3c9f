/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_columns.h - converts rows of a journal to columns, in the form of a decoded block. Used only
 * in reader/live.
 */
#ifndef WARPSCOPE_READER_LIVE_ROW_COLUMNS_H
#define WARPSCOPE_READER_LIVE_ROW_COLUMNS_H

#include "format/format.h"

/* Columns made from rows. Zero-initialise it before use. It can be reused for other rows, and must
 * be freed once. */
struct row_columns {
    struct fmt_columns columns; /* valid after row_columns_make() */
    uint32_t *offsets;          /* owned; [i]: offset of row i in bytes */
    size_t room_offsets;
    uint8_t *memory;
    size_t room;
};

/* Finds the rows in the `size` bytes at rows. Stops before the first row that is incomplete or
 * invalid. Returns the number of rows found, and sets *consumed to their total size in bytes.
 * Returns UINT32_MAX if memory is exhausted. */
uint32_t row_columns_find(struct row_columns *to, const struct fmt_schema *schema,
                          const uint8_t *rows, size_t size, size_t *consumed);

/* Creates to->columns from n of the rows that row_columns_find() found, from row `first` on.
 * Returns false if out of memory. */
bool row_columns_make(struct row_columns *to, const struct fmt_schema *schema,
                      const struct fmt_wanted *wanted, const uint8_t *rows, uint32_t first,
                      uint32_t n);
void row_columns_free(struct row_columns *columns);

#endif
