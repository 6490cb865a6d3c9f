/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_scan.c - walks over the chosen records of a file; see record_scan.h.
 */
#include "access/record_scan.h"

#include <assert.h>

struct walk {
    const struct ws_select *select;
    /* [kind of record]: columns that fn needs; NULL: all columns. */
    const struct fmt_wanted *wanted;
    ws_part_f fn;
    void *ctx;
};

static bool block_walk(struct ws_file *s, const struct fmt_block *block, void *ctx)
{
    const struct walk *w = ctx;
    struct fmt_error error = {0};
    struct fmt_wanted wanted = {0};
    enum ws_share share = ws_select_block(w->select, block);
    if (share == WS_SHARE_NONE) {
        return true;
    }
    if (w->wanted != NULL) {
        wanted = w->wanted[ws_schema_number(s->sb, block->schema)];
        ws_select_wanted(w->select, block->schema, &wanted);
    }
    if (ws_file_decode(s, block, w->wanted == NULL ? NULL : &wanted, &s->columns, &error) !=
        FMT_OK) {
        ws_file_fault(s, &error);
        return true;
    }
    struct ws_part part = {
        .block = block, .columns = &s->columns, .select = w->select, .all = share == WS_SHARE_ALL};
    return w->fn(s, &part, w->ctx);
}

bool ws_scan_pe(struct ws_file *file, const struct ws_select *select,
                const struct fmt_wanted *wanted, uint32_t pe, ws_part_f fn, void *ctx)
{
    assert(pe < file->sb->layout.n_pes);
    struct walk walk = {.select = select, .wanted = wanted, .fn = fn, .ctx = ctx};
    return !ws_select_pe(select, pe) || ws_file_each(file, pe, block_walk, &walk);
}

bool ws_scan(struct ws_file *file, const struct ws_select *select, const struct fmt_wanted *wanted,
             ws_part_f fn, void *ctx)
{
    for (uint32_t pe = 0; pe < file->sb->layout.n_pes; pe++) {
        if (!ws_scan_pe(file, select, wanted, pe, fn, ctx)) {
            return false;
        }
    }
    return true;
}
