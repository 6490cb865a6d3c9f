/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_scan.h - walks over the chosen records of a file, block by block or one after another: all of
 * PE 0 in the order of writing, then all of PE 1, and so on. Memory: one decoded block.
 */
#ifndef WARPSCOPE_READER_ACCESS_RECORD_SCAN_H
#define WARPSCOPE_READER_ACCESS_RECORD_SCAN_H

#include <assert.h>

#include "access/held.h"
#include "access/record_file.h"
#include "access/select.h"

/* A decoded block that may contain chosen records. */
struct ws_part {
    struct ws_file *file;
    const struct fmt_block *block;
    const struct fmt_columns *columns;
    const struct ws_select *select; /* NULL: all records are chosen */
    /* True if all records of the block are chosen; otherwise ws_part_has() tests each record. */
    bool all;
    struct ws_group *group; /* borrowed; the group of records that was tested last */
};

static inline bool ws_part_has(const struct ws_part *part, uint32_t row)
{
    assert(row < part->columns->n_records);
    return part->all || ws_select_row(part->select, part->columns, row, part->group);
}

/* The blocks of one PE that may contain chosen records. The caller sets all members before `block`,
 * and ws_walk_init() begins `walk`. */
struct ws_blocks {
    struct ws_file *file;            /* borrowed; open and readable */
    const struct ws_select *select;  /* borrowed; NULL: all records are chosen */
    const struct fmt_schema *schema; /* the only kind of record; NULL: all kinds */
    /* Borrowed; the columns that are needed: of `schema`, or [k] of kind k of the file; columns that
     * the selection needs are added. NULL: all columns. */
    const struct fmt_wanted *wanted;
    struct fmt_columns *columns; /* borrowed; memory for a decoded block */
    struct ws_walk walk;
    struct fmt_block block;
    struct ws_group group;
    struct ws_held *held; /* owned; samples that hold, see held.h; NULL: none */
    bool no_memory;       /* true if a block was skipped since memory was exhausted */
};

/* Decodes the next block, and sets *part to it. Samples that the run has left out are filled in (held.h);
 * their part may be a sampling point instead of a block, and has all columns. A block that cannot be decoded is skipped and counts
 * as a fault of the file. ws_select_file() must have been called for the file. Returns false after
 * the last block. */
bool ws_blocks_next(struct ws_blocks *blocks, struct ws_part *part);
/* Frees what the walk has allocated, whether it has come to its end or not. */
void ws_blocks_fini(struct ws_blocks *blocks);

/* Called by ws_scan() for each block that may contain chosen records. Returns false to end the
 * walk. */
typedef bool (*ws_part_f)(const struct ws_part *part, void *ctx);

/*
 * Calls fn for each block of file that may contain records chosen by select, as ws_blocks_next()
 * returns them. wanted[k]: the columns that fn needs of records of kind k; wanted NULL: all columns.
 * Returns false if fn ended the walk.
 */
bool ws_scan(struct ws_file *file, const struct ws_select *select, const struct fmt_wanted *wanted,
             ws_part_f fn, void *ctx);

/* Like ws_scan(), for all records of one kind, of all PEs or of one of them. */
#define WS_ALL_PES UINT32_MAX
bool ws_scan_kind(struct ws_file *file, const struct fmt_schema *schema,
                  const struct fmt_wanted *wanted, uint32_t pe, ws_part_f fn, void *ctx);

/* A position among the records of one kind and one PE. The caller provides the memory, and may read
 * the members part, row and valid. */
struct ws_cursor {
    struct ws_blocks blocks;
    struct ws_part part;        /* the current block */
    struct fmt_columns columns; /* owned; the decoded records of the current block */
    uint32_t row;               /* index of the current record; defined if valid is true */
    bool valid;
};

/* Moves the cursor to the first chosen record of the kind `schema` that PE `pe` wrote. schema NULL: no
 * records. wanted: the columns that the caller needs; must stay valid. cursor: zeroed, or used
 * before; its memory is used again. The records are those of the file: none are filled in. */
void ws_cursor_start(struct ws_cursor *cursor, struct ws_file *file, const struct ws_select *select,
                     const struct fmt_schema *schema, const struct fmt_wanted *wanted, uint32_t pe);
/* Moves to the next chosen record. Sets cursor->valid to false if there is none. */
void ws_cursor_next(struct ws_cursor *cursor);

/* Returns the value of field number `field` in the current record. field: not -1, and one of the
 * wanted columns. */
static inline struct fmt_value ws_cursor_value(const struct ws_cursor *cursor, int32_t field)
{
    assert(cursor->valid && field >= 0);
    return fmt_columns_value(&cursor->columns, (uint32_t)field, cursor->row);
}

#endif
