/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks.c - returns the new blocks of a PE; see live.h.
 */
#include <stdio.h>

#include "live/private.h"

void live_damage_note(struct ws_live *live, const char *text)
{
    live->pes[live->pe].seen.damaged = true;
    if (live->damage[0] == '\0') {
        snprintf(live->damage, sizeof live->damage, "%.250s", text);
    }
}

uint32_t live_kind_of(const struct ws_live *live, uint32_t schema_id)
{
    uint32_t k = 0;
    while (k < live->sb->n_schemas && live->sb->schemas[k]->id != schema_id) {
        k++;
    }
    return k;
}

const struct fmt_wanted *live_wanted_of(const struct ws_live *live, uint32_t kind)
{
    return live->all_columns[kind] ? NULL : &live->wanted[kind];
}

/* Processes the next block of the current PE. If it has new records of a selected kind, stores them
 * in *rows and sets *some to true. */
static enum fmt_status block_take(struct ws_live *live, const struct fmt_block *block,
                                  struct ws_live_rows *rows, bool *some, struct fmt_error *error)
{
    struct live_pe *p = &live->pes[live->pe];
    if (block->kind == FMT_BLOCK_META) {
        return fmt_block_read_meta(live->reader, block, &live->descs, error);
    }
    if (block->kind == FMT_BLOCK_END) {
        enum fmt_status status = fmt_block_read_end(live->reader, block, &p->seen.end, error);
        if (status == FMT_OK) {
            p->seen.ended = true;
            p->seen.dropped = p->seen.end.info.records_dropped;
            p->seen.gvt = live_later(p->seen.gvt, p->seen.end.info.gvt);
            live->n_ended++;
        }
        return status;
    }
    if (block->kind != FMT_BLOCK_DATA) {
        return FMT_OK;
    }
    uint32_t k = live_kind_of(live, block->schema->id);
    uint64_t before = p->in_blocks[k], after = before + block->n_records;
    if (live->wants[k] && !live->journals_only && after > p->given[k]) {
        enum fmt_status status = fmt_block_decode_some(live->reader, block, live_wanted_of(live, k),
                                                       &live->columns, error);
        if (status != FMT_OK) {
            return status;
        }
        *rows = (struct ws_live_rows){.pe = live->pe, .columns = &live->columns};
        rows->first = p->given[k] > before ? (uint32_t)(p->given[k] - before) : 0;
        *some = true;
    }
    p->in_blocks[k] = after;
    p->given[k] = after > p->given[k] ? after : p->given[k];
    p->seen.records += block->n_records;
    p->seen.gvt = live_later(p->seen.gvt, block->gvt);
    p->seen.real_time = live_later(p->seen.real_time, block->max_real_time);
    return FMT_OK;
}

bool live_blocks_next(struct ws_live *live, struct ws_live_rows *rows)
{
    struct live_pe *p = &live->pes[live->pe];
    bool some = false;
    while (!some && !p->seen.ended && p->scan.blocks < live->limit) {
        struct fmt_scan before = p->scan;
        struct fmt_block block;
        struct fmt_error error = {0};
        enum fmt_status status = fmt_scan_next(&p->scan, &block, &error);
        if (status == FMT_OK && live->limit == UINT64_MAX && live->journal_path != NULL &&
            p->blind_rounds == 0 && journal_is_there(live->journal_path, live->sb, live->pe)) {
            /* The journal's checkpoint possibly does not count this block yet. */
            status = FMT_END;
        }
        if (status == FMT_OK) {
            status = block_take(live, &block, rows, &some, &error);
        }
        /* If the number of complete blocks is unknown, the last block may be missing or
         * incomplete. */
        if (status != FMT_OK) {
            p->scan = before;
            if (live->limit != UINT64_MAX) {
                live_damage_note(live, error.text);
            }
            return false;
        }
    }
    return some;
}

void live_end_look(struct ws_live *live)
{
    struct live_pe *p = &live->pes[live->pe];
    struct fmt_scan before = p->scan;
    struct fmt_block block;
    struct ws_live_rows unused;
    bool some = false;
    if (fmt_scan_next(&p->scan, &block, NULL) != FMT_OK || block.kind != FMT_BLOCK_END ||
        block_take(live, &block, &unused, &some, NULL) != FMT_OK) {
        p->scan = before;
    }
}
