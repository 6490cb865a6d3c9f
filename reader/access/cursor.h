/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cursor.h - reads the records of one kind that one PE wrote, one after another in the order of
 * writing. Memory: one decoded block.
 */
#ifndef WARPSCOPE_READER_ACCESS_CURSOR_H
#define WARPSCOPE_READER_ACCESS_CURSOR_H

#include <assert.h>

#include "access/record_file.h"
#include "access/select.h"

/* A position among the records of one kind and one PE. The caller provides the memory, and may read
 * the members columns, row and valid. */
struct ws_cursor {
    struct ws_file *file;            /* borrowed; the record file */
    const struct ws_select *select;  /* borrowed; the selection of records */
    const struct fmt_schema *schema; /* schema of the records; NULL: the file has no such records */
    struct fmt_wanted wanted;
    struct ws_walk walk;
    struct fmt_block block;
    /* Owned; the decoded records of the current block. */
    struct fmt_columns columns;
    uint32_t row; /* index of the current record in columns; defined if valid is true */
    bool valid, all;
};

/*
 * Moves the cursor to the first chosen record of the kind `schema` that PE `pe` wrote. schema: a
 * schema of the file; NULL: no records. select: the selection of records; ws_select_file() must
 * have been called for this file. wanted: the columns that the caller needs; the columns that the
 * selection needs are added. cursor: zeroed, or used before; its memory is reused. A block that
 * cannot be decoded is skipped and counts as a fault of the file.
 */
void ws_cursor_start(struct ws_cursor *cursor, struct ws_file *file, const struct ws_select *select,
                     const struct fmt_schema *schema, const struct fmt_wanted *wanted, uint32_t pe);
/* Moves to the next chosen record. Sets cursor->valid to false if there is none. */
void ws_cursor_next(struct ws_cursor *cursor);
void ws_cursor_free(struct ws_cursor *cursor);

/* Returns the value of field number `field` in the current record. field: not -1, and one of the
 * wanted columns. */
static inline struct fmt_value ws_cursor_value(const struct ws_cursor *cursor, int32_t field)
{
    assert(cursor->valid && field >= 0);
    return fmt_columns_value(&cursor->columns, (uint32_t)field, cursor->row);
}

#endif
