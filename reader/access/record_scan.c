/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_scan.c - walks over the chosen records of a file; see record_scan.h.
 */
#include "access/record_scan.h"

#include <assert.h>

bool ws_blocks_next(struct ws_blocks *b, struct ws_part *part)
{
    const struct fmt_block *block = &b->block;
    enum fmt_status status;
    while ((status = ws_walk_next(&b->walk, &b->block)) != FMT_END) {
        struct fmt_error error = {0};
        struct fmt_wanted wanted = {0};
        /* ws_file_survey() has already reported structural errors. */
        if (status != FMT_OK || block->kind != FMT_BLOCK_DATA ||
            (b->schema != NULL && block->schema != b->schema)) {
            continue;
        }
        enum ws_share share = b->select == NULL ? WS_SHARE_ALL : ws_select_block(b->select, block);
        if (share == WS_SHARE_NONE) {
            continue;
        }
        if (b->wanted != NULL) {
            wanted =
                b->wanted[b->schema != NULL ? 0 : ws_schema_number(b->file->sb, block->schema)];
        }
        if (b->wanted != NULL && b->select != NULL) {
            ws_select_wanted(b->select, block->schema, &wanted);
        }
        status =
            ws_file_decode(b->file, block, b->wanted == NULL ? NULL : &wanted, b->columns, &error);
        if (status == FMT_OK) {
            b->group.after = 0;
            *part =
                (struct ws_part){block, b->columns, b->select, share == WS_SHARE_ALL, &b->group};
            return true;
        }
        b->no_memory |= status == FMT_ERR_MEMORY;
        ws_file_fault(b->file, &error);
    }
    return false;
}

static bool pes_walk(struct ws_blocks *blocks, uint32_t from, uint32_t to, ws_part_f fn, void *ctx)
{
    struct ws_file *file = blocks->file;
    struct ws_part part;
    assert(to <= file->sb->layout.n_pes);
    blocks->columns = &file->columns;
    for (uint32_t pe = from; pe < to; pe++) {
        ws_walk_init(&blocks->walk, file, pe);
        while ((blocks->select == NULL || ws_select_pe(blocks->select, pe)) &&
               ws_blocks_next(blocks, &part)) {
            if (!fn(file, &part, ctx)) {
                return false;
            }
        }
    }
    return true;
}

bool ws_scan(struct ws_file *file, const struct ws_select *select, const struct fmt_wanted *wanted,
             ws_part_f fn, void *ctx)
{
    struct ws_blocks blocks = {.file = file, .select = select, .wanted = wanted};
    return pes_walk(&blocks, 0, file->sb->layout.n_pes, fn, ctx);
}

bool ws_scan_kind(struct ws_file *file, const struct fmt_schema *schema,
                  const struct fmt_wanted *wanted, uint32_t pe, ws_part_f fn, void *ctx)
{
    struct ws_blocks blocks = {.file = file, .schema = schema, .wanted = wanted};
    bool all = pe == WS_ALL_PES;
    return pes_walk(&blocks, all ? 0 : pe, all ? file->sb->layout.n_pes : pe + 1, fn, ctx);
}

/* ---- Records one after another --------------------------------------------------------------- */

/* Moves the cursor to the first chosen record from c->row on, in the current block or a later one. */
static void settle(struct ws_cursor *c)
{
    for (; c->valid; c->valid = ws_blocks_next(&c->blocks, &c->part), c->row = 0) {
        for (; c->row < c->columns.n_records; c->row++) {
            if (ws_part_has(&c->part, c->row)) {
                return;
            }
        }
    }
}

void ws_cursor_start(struct ws_cursor *c, struct ws_file *file, const struct ws_select *select,
                     const struct fmt_schema *schema, const struct fmt_wanted *wanted, uint32_t pe)
{
    c->blocks = (struct ws_blocks){
        .file = file, .select = select, .schema = schema, .wanted = wanted, .columns = &c->columns};
    c->columns.n_records = c->row = 0;
    c->valid = schema != NULL;
    if (c->valid) {
        ws_walk_init(&c->blocks.walk, file, pe);
    }
    settle(c);
}

void ws_cursor_next(struct ws_cursor *c)
{
    assert(c->valid);
    c->row++;
    settle(c);
}
