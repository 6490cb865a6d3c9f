/*
 * cursor.h - one PE's records of one kind, one after another in the order of writing. Memory: one
 * block.
 */
#ifndef WARPSCOPE_READER_CURSOR_H
#define WARPSCOPE_READER_CURSOR_H

#include "select.h"
#include "survey.h"

/* Caller's storage. Read columns and row, do not write them. */
struct ws_cursor {
    struct ws_survey *survey;        /* borrowed */
    const struct ws_select *select;  /* borrowed */
    const struct fmt_schema *schema; /* NULL: there are no such records */
    struct fmt_wanted wanted;
    struct fmt_scan scan;
    struct fmt_block block;
    struct fmt_columns columns; /* owned */
    uint32_t row;               /* of columns, if valid */
    bool valid, all;
};

/*
 * Goes to the first record of schema (of the survey's file; NULL: none) and PE that select, set to
 * this file, chooses. wanted: the columns that are needed; those that the selection needs are
 * added. A zeroed cursor, or one that was used before: its memory is used again. Blocks that cannot
 * be decoded are faults of the survey and left out.
 */
void ws_cursor_start(struct ws_cursor *cursor, struct ws_survey *survey,
                     const struct ws_select *select, const struct fmt_schema *schema,
                     const struct fmt_wanted *wanted, uint32_t pe);
/* On to the next chosen record. cursor->valid is false if there is none. */
void ws_cursor_next(struct ws_cursor *cursor);
void ws_cursor_free(struct ws_cursor *cursor);

/* Field number field (at least 0, and wanted) of the record. */
static inline struct fmt_value ws_cursor_value(const struct ws_cursor *cursor, int32_t field)
{
    return fmt_columns_value(&cursor->columns, (uint32_t)field, cursor->row);
}

#endif
