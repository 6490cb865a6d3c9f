/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cursor.c - reads the records of one kind that one PE wrote; see cursor.h.
 */
#include "access/cursor.h"

#include <assert.h>

/* Decodes the next block that may contain chosen records. Returns false if there is none. */
static bool block_next(struct ws_cursor *c)
{
    assert(c->schema != NULL);
    enum fmt_status status;
    struct fmt_error error = {0};
    while ((status = ws_walk_next(&c->walk, &c->block)) != FMT_END) {
        if (status != FMT_OK || c->block.schema != c->schema) {
            continue; /* ws_file_survey() has already reported structural errors */
        }
        enum ws_share share = ws_select_block(c->select, &c->block);
        if (share == WS_SHARE_NONE) {
            continue;
        }
        if (ws_file_decode(c->file, &c->block, &c->wanted, &c->columns, &error) != FMT_OK) {
            ws_file_fault(c->file, &error);
            continue;
        }
        c->all = share == WS_SHARE_ALL;
        c->row = 0;
        return true;
    }
    return false;
}

/* Moves the cursor to the first chosen record from c->row on, in the current block or a later one.
 * Sets c->valid to false if there is none. */
static void settle(struct ws_cursor *c)
{
    while (c->valid) {
        for (; c->row < c->columns.n_records; c->row++) {
            if (c->all || ws_select_row(c->select, &c->columns, c->row)) {
                return;
            }
        }
        c->valid = block_next(c);
    }
}

void ws_cursor_start(struct ws_cursor *c, struct ws_file *file, const struct ws_select *select,
                     const struct fmt_schema *schema, const struct fmt_wanted *wanted, uint32_t pe)
{
    c->file = file;
    c->select = select;
    c->schema = schema;
    c->valid = false;
    if (schema == NULL) {
        return;
    }
    c->wanted = *wanted;
    ws_select_wanted(select, schema, &c->wanted);
    ws_walk_init(&c->walk, file, pe);
    c->valid = block_next(c);
    settle(c);
}

void ws_cursor_next(struct ws_cursor *c)
{
    assert(c->valid);
    c->row++;
    settle(c);
}

void ws_cursor_free(struct ws_cursor *c)
{
    fmt_columns_free(&c->columns);
    *c = (struct ws_cursor){0};
}
