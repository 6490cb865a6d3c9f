/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_scan.h - walks over the chosen records of a file, block by block: all of PE 0 in the order
 * of writing, then all of PE 1, and so on. Memory: one decoded block.
 */
#ifndef WARPSCOPE_READER_ACCESS_RECORD_SCAN_H
#define WARPSCOPE_READER_ACCESS_RECORD_SCAN_H

#include <assert.h>

#include "access/record_file.h"
#include "access/select.h"

/* A decoded block that may contain chosen records. */
struct ws_part {
    const struct fmt_block *block;
    const struct fmt_columns *columns;
    const struct ws_select *select; /* NULL: all records are chosen */
    /* True if all records of the block are chosen; otherwise ws_part_has() tests each record. */
    bool all;
};

static inline bool ws_part_has(const struct ws_part *part, uint32_t row)
{
    assert(row < part->columns->n_records);
    return part->all || ws_select_row(part->select, part->columns, row);
}

/* Called by ws_scan() for each block that may contain chosen records. Returns false to end the
 * walk. */
typedef bool (*ws_part_f)(struct ws_file *file, const struct ws_part *part, void *ctx);

/*
 * Calls fn for each block of file that may contain records chosen by select; NULL: all records. file
 * must be open and readable, and ws_select_file() must have been called for it. wanted[k]: the columns that fn needs
 * of records of kind k; columns that the selection needs are added. wanted NULL: all columns. A
 * block that cannot be decoded is skipped and counts as a fault of the file. Returns false if fn
 * ended the walk.
 */
bool ws_scan(struct ws_file *file, const struct ws_select *select, const struct fmt_wanted *wanted,
             ws_part_f fn, void *ctx);

/* Like ws_scan(), for all records of one kind, of all PEs or of one of them. */
#define WS_ALL_PES UINT32_MAX
bool ws_scan_kind(struct ws_file *file, const struct fmt_schema *schema,
                  const struct fmt_wanted *wanted, uint32_t pe, ws_part_f fn, void *ctx);

#endif
