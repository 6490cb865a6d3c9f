/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_scan.c - walks over the chosen records of a file; see record_scan.h.
 */
#include "access/record_scan.h"

#include <assert.h>

/* Sets *part to the decoded block, of which the selection chooses `share`. */
static void part_set(struct ws_blocks *b, struct ws_part *part, enum ws_share share)
{
    b->group.after = 0;
    *part = (struct ws_part){b->file,  &b->block, b->columns, b->select, share == WS_SHARE_ALL,
                             &b->group};
}

static void fault_add(struct ws_blocks *b, enum fmt_status status, const struct fmt_error *error)
{
    b->no_memory |= status == FMT_ERR_MEMORY;
    ws_file_fault(b->file, error);
}

/* Lets the current block into the samples that hold. */
static void held_take(struct ws_blocks *b)
{
    if (b->held == NULL) {
        b->held = ws_held_create(b->file, b->block.schema);
    }
    if (b->held != NULL) {
        ws_held_take(b->held, &b->block);
    } else {
        struct fmt_error error;
        fault_add(b, ws_fault_memory(&error, NULL), &error);
    }
}

/* Sets *part to the next block of the samples that hold. Returns false if there is none before the next
 * block of the file is taken. */
static bool held_next(struct ws_blocks *b, struct ws_part *part)
{
    while (b->held != NULL && !b->no_memory) {
        struct fmt_error error = {0};
        enum fmt_status status = ws_held_next(b->held, &b->block, b->columns, &error);
        if (status == FMT_END) {
            return false;
        }
        if (status != FMT_OK) {
            fault_add(b, status, &error);
            continue;
        }
        enum ws_share share =
            b->select == NULL ? WS_SHARE_ALL : ws_select_block(b->select, &b->block);
        part_set(b, part, share);
        if (share != WS_SHARE_NONE) {
            return true;
        }
    }
    return false;
}

/* Decodes the current block if it may contain chosen records, and sets *part to it. Otherwise returns
 * false. */
static bool block_decode(struct ws_blocks *b, struct ws_part *part)
{
    const struct fmt_block *block = &b->block;
    struct fmt_error error = {0};
    struct fmt_wanted wanted = {0};
    enum ws_share share = b->select == NULL ? WS_SHARE_ALL : ws_select_block(b->select, block);
    if (share == WS_SHARE_NONE) {
        return false;
    }
    if (b->wanted != NULL) {
        wanted = b->wanted[b->schema != NULL ? 0 : ws_schema_number(b->file->sb, block->schema)];
    }
    if (b->wanted != NULL && b->select != NULL) {
        ws_select_wanted(b->select, block->schema, &wanted);
    }
    enum fmt_status status =
        ws_file_decode(b->file, block, b->wanted == NULL ? NULL : &wanted, b->columns, &error);
    if (status != FMT_OK) {
        fault_add(b, status, &error);
    }
    part_set(b, part, share);
    return status == FMT_OK;
}

bool ws_blocks_next(struct ws_blocks *b, struct ws_part *part)
{
    enum fmt_status status = FMT_OK;
    while (status != FMT_END) {
        if (held_next(b, part)) {
            return true;
        }
        status = ws_walk_next(&b->walk, &b->block);
        /* ws_file_survey() has already reported structural errors. */
        if (status != FMT_OK || b->block.kind != FMT_BLOCK_DATA ||
            (b->schema != NULL && b->block.schema != b->schema)) {
            continue;
        }
        if (ws_held_any(b->file, b->block.part, b->block.schema)) {
            if (b->select == NULL || ws_select_schema(b->select, b->block.schema)) {
                held_take(b);
            }
        } else if (block_decode(b, part)) {
            return true;
        }
    }
    if (b->held != NULL) {
        ws_held_end(b->held);
    }
    return held_next(b, part);
}

void ws_blocks_fini(struct ws_blocks *b)
{
    ws_held_free(b->held);
    b->held = NULL;
}

static bool pes_walk(struct ws_blocks *blocks, uint32_t from, uint32_t to, ws_part_f fn, void *ctx)
{
    struct ws_file *file = blocks->file;
    struct ws_part part;
    bool good = true;
    assert(to <= file->sb->layout.n_pes);
    blocks->columns = &file->columns;
    for (uint32_t pe = from; good && pe < to; pe++) {
        ws_walk_init(&blocks->walk, file, pe);
        while (good && (blocks->select == NULL || ws_select_pe(blocks->select, pe)) &&
               ws_blocks_next(blocks, &part)) {
            good = fn(&part, ctx);
        }
    }
    ws_blocks_fini(blocks);
    return good;
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
