/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_scan.c - walks over the chosen records of a file; see record_scan.h.
 */
#include "access/record_scan.h"

#include <assert.h>

struct walk {
    const struct ws_select *select;  /* NULL: all records */
    const struct fmt_schema *schema; /* the only kind of record; NULL: all kinds */
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
    enum ws_share share = block->kind != FMT_BLOCK_DATA ? WS_SHARE_NONE
                          : w->select == NULL           ? WS_SHARE_ALL
                                                        : ws_select_block(w->select, block);
    if (share == WS_SHARE_NONE || (w->schema != NULL && block->schema != w->schema)) {
        return true;
    }
    if (w->wanted != NULL) {
        wanted = w->wanted[w->schema != NULL ? 0 : ws_schema_number(s->sb, block->schema)];
        if (w->select != NULL) {
            ws_select_wanted(w->select, block->schema, &wanted);
        }
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

static bool pes_walk(struct ws_file *file, uint32_t from, uint32_t to, struct walk *walk)
{
    assert(to <= file->sb->layout.n_pes);
    for (uint32_t pe = from; pe < to; pe++) {
        if ((walk->select == NULL || ws_select_pe(walk->select, pe)) &&
            !ws_file_each(file, pe, block_walk, walk)) {
            return false;
        }
    }
    return true;
}

bool ws_scan(struct ws_file *file, const struct ws_select *select, const struct fmt_wanted *wanted,
             ws_part_f fn, void *ctx)
{
    struct walk walk = {.select = select, .wanted = wanted, .fn = fn, .ctx = ctx};
    return pes_walk(file, 0, file->sb->layout.n_pes, &walk);
}

bool ws_scan_kind(struct ws_file *file, const struct fmt_schema *schema,
                  const struct fmt_wanted *wanted, uint32_t pe, ws_part_f fn, void *ctx)
{
    struct walk walk = {.schema = schema, .wanted = wanted, .fn = fn, .ctx = ctx};
    bool all = pe == WS_ALL_PES;
    return pes_walk(file, all ? 0 : pe, all ? file->sb->layout.n_pes : pe + 1, &walk);
}
