/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cursor.h - the records of one kind of one PE, one after another in the order of writing. Memory:
 * one block.
 */
#ifndef WARPSCOPE_READER_ACCESS_CURSOR_H
#define WARPSCOPE_READER_ACCESS_CURSOR_H

#include <assert.h>

#include "access/record_file.h"
#include "access/select.h"

/* Position among the records of a kind and a PE. The caller provides the storage, and may read
 * columns and row. */
struct ws_cursor {
    struct ws_file *survey;          /* borrowed; the record file */
    const struct ws_select *select;  /* borrowed; the selection of records */
    const struct fmt_schema *schema; /* kind of records; NULL: the file has no such records */
    struct fmt_wanted wanted;
    struct ws_walk walk;
    struct fmt_block block;
    struct fmt_columns columns; /* owned; the decoded block */
    uint32_t row;               /* row of the current record in columns, if valid is true */
    bool valid, all;
};

/*
 * Moves to the first record of schema and PE that select chooses. schema: of the record file, or
 * NULL for none. select: set to this file. wanted: the columns that the caller needs; those that
 * the selection needs are added. cursor: zeroed, or used before; its memory is reused. A block that
 * cannot be decoded is skipped and counts as a fault of the file.
 */
void ws_cursor_start(struct ws_cursor *cursor, struct ws_file *survey,
                     const struct ws_select *select, const struct fmt_schema *schema,
                     const struct fmt_wanted *wanted, uint32_t pe);
/* Moves to the next chosen record. Sets cursor->valid to false if there is none. */
void ws_cursor_next(struct ws_cursor *cursor);
void ws_cursor_free(struct ws_cursor *cursor);

/* Returns field number field (at least 0, and wanted) of the record. */
static inline struct fmt_value ws_cursor_value(const struct ws_cursor *cursor, int32_t field)
{
    assert(cursor->valid && field >= 0);
    return fmt_columns_value(&cursor->columns, (uint32_t)field, cursor->row);
}

#endif
