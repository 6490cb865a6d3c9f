/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * new_rows.c - returns the new rows of a PE, in blocks and in buffers; see live.h.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/bind.h"
#include "access/journals.h"
#include "data/lp_names.h"
#include "data/messages.h"
#include "format/bytes.h"
#include "live/live.h"
#include "store/array.h"

/* Number of successive rounds without a valid checkpoint after which a journal counts as damaged
 * and is ignored. */
#define BLIND_ROUNDS_MAX 4u

static double later(double a, double b)
{
    return b > a ? b : a;
}

/* Marks the current PE as damaged, so that it is not read any further. text: description of the
 * damage. */
static void damage_note(struct ws_live *live, const char *text)
{
    live->pes[live->pe].seen.damaged = true;
    if (live->damage[0] == '\0') {
        snprintf(live->damage, sizeof live->damage, "%.250s", text);
    }
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
    if (block->kind == FMT_BLOCK_NAMES) {
        return ws_lp_names_note(live->reader, block, &live->descs, error);
    }
    if (block->kind == FMT_BLOCK_END) {
        enum fmt_status status = fmt_block_read_end(live->reader, block, &p->seen.end, error);
        if (status == FMT_OK) {
            p->seen.ended = true;
            p->seen.gvt = later(p->seen.gvt, p->seen.end.info.gvt);
            live->n_ended++;
        }
        return status;
    }
    if (block->kind != FMT_BLOCK_DATA) {
        return FMT_OK;
    }
    uint32_t k = ws_schema_number(live->sb, block->schema);
    uint64_t before = p->in_blocks[k], after = before + block->n_records;
    if (live->wants[k] && after > p->given[k]) {
        enum fmt_status status =
            fmt_block_decode_some(live->reader, block, &live->wanted[k], &live->columns, error);
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
    p->seen.gvt = later(p->seen.gvt, block->gvt);
    p->seen.real_time = later(p->seen.real_time, block->max_real_time);
    return FMT_OK;
}

/* Reads the new blocks of the current PE, up to live->limit, until a block has new records of a
 * selected kind. Returns true and stores them in *rows if there is such a block. */
static bool blocks_next(struct ws_live *live, struct ws_live_rows *rows)
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
                damage_note(live, error.text);
            }
            return false;
        }
    }
    return some;
}

/* Reads the next block of the current PE if it is the END block. For a PE with a journal, it is the
 * only block beyond the journal's checkpoint that is read. */
static void end_look(struct ws_live *live)
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

/* ---- Rows of a journal as columns ------------------------------------------------------------- */

/* Returns the size in bytes of the payload of a row; 0 for kinds without payload. */
static uint32_t payload_size(const struct fmt_schema *schema, const uint8_t *row)
{
    int32_t field = schema->role_field[FMT_ROLE_PAYLOAD_SIZE];
    uint32_t size = 0;
    if (field >= 0) {
        memcpy(&size, row + schema->fields[field].offset, sizeof size);
    }
    return size;
}

/* Finds the rows in the `size` bytes at rows. Stops before the first row that is incomplete or
 * invalid. Returns the number of rows found, and sets *consumed to their total size in bytes.
 * Returns UINT32_MAX if memory is exhausted. */
static uint32_t row_columns_find(struct row_columns *to, const struct fmt_schema *schema,
                                 const uint8_t *rows, size_t size, size_t *consumed)
{
    size_t at = 0;
    uint32_t n = 0;
    while (size - at >= schema->row_size) {
        uint32_t payload = payload_size(schema, rows + at);
        size_t bytes = fmt_row_bytes(schema->row_size, payload);
        if (payload > FMT_PAYLOAD_MAX || bytes > size - at) {
            break;
        }
        if (!array_reserve(&to->offsets, &to->room_offsets, (size_t)n + 1, sizeof *to->offsets)) {
            return UINT32_MAX;
        }
        to->offsets[n++] = (uint32_t)at;
        at += bytes;
    }
    *consumed = at;
    return n;
}

/* Copies a value and converts it from the machine's byte order to little-endian. */
static inline void value_copy(uint8_t *to, const uint8_t *from, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        to[i] = from[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : size - 1 - i];
    }
}

/* Creates to->columns from n of the rows that row_columns_find() found, from row `first` on, in the
 * form of a decoded block. Returns false if out of memory. */
static bool row_columns_make(struct row_columns *to, const struct fmt_schema *schema,
                             const struct fmt_wanted *wanted, const uint8_t *rows, uint32_t first,
                             uint32_t n)
{
    size_t pointers = fmt_align(schema->n_fields * sizeof(uint8_t *), 8), size = pointers;
    for (uint32_t i = 0; i < schema->n_fields; i++) {
        size += fmt_align(n * fmt_type_size(schema->fields[i].type), 8);
    }
    if (!array_reserve(&to->memory, &to->room, size, 1)) {
        return false;
    }
    struct fmt_columns *c = &to->columns;
    *c = (struct fmt_columns){.schema = schema, .n_records = n};
    c->values = (void *)to->memory;
    uint8_t *next = to->memory + pointers;
    for (uint32_t i = 0; i < schema->n_fields; i++) {
        const struct fmt_field *field = &schema->fields[i];
        size_t bytes = fmt_type_size(field->type);
        bool is_wanted = fmt_wanted_has(wanted, i);
        c->values[i] = is_wanted ? next : NULL;
        for (uint32_t r = 0; is_wanted && r < n; r++) {
            value_copy(next + r * bytes, rows + to->offsets[first + r] + field->offset, bytes);
        }
        next += fmt_align(n * bytes, 8);
    }
    assert(next <= to->memory + size);
    return true;
}

/* ---- Buffers --------------------------------------------------------------------------------- */

/* Returns the state of the buffer that holds segment s; NULL if memory is exhausted. */
static struct live_buffer *buffer_of(struct ws_live *live, const struct fmt_journal_segment *s,
                                     uint32_t kind)
{
    struct live_pe *p = &live->pes[live->pe];
    const struct fmt_journal_head *head = &live->view.journal.head;
    const struct fmt_schema *schema = live->sb->schemas[kind];
    size_t i = (size_t)((s->offset - FMT_SEGMENT_HEAD - head->head_size) / head->segment_size);
    if (!array_reserve_zero(&p->buffers, &p->room_buffers, i + 1, sizeof *p->buffers)) {
        return NULL;
    }
    struct live_buffer *b = &p->buffers[i];
    if (b->kind != kind + 1 || b->base != live->base[kind] || b->bytes > s->used) {
        *b = (struct live_buffer){.kind = kind + 1, .base = live->base[kind]};
        if (schema->role_field[FMT_ROLE_PAYLOAD_SIZE] < 0 && p->given[kind] > b->base) {
            uint64_t known = p->given[kind] - b->base, all = s->used / schema->row_size;
            b->rows = known < all ? known : all;
            b->bytes = b->rows * schema->row_size;
        }
    }
    return b;
}

enum segment_got { SEGMENT_ROWS, SEGMENT_NOTHING, SEGMENT_GONE, SEGMENT_NO_MEMORY };

/* Reads the new rows of segment i of the view into *rows. Returns SEGMENT_NOTHING if there are
 * none, and SEGMENT_GONE if they are in blocks by now or damaged. */
static enum segment_got segment_read(struct ws_live *live, size_t i, struct ws_live_rows *rows)
{
    struct live_pe *p = &live->pes[live->pe];
    const struct fmt_journal_segment *s = &live->view.segments[i];
    const struct fmt_schema *schema = ws_schema_of(live->sb, s->schema_id);
    if (schema == NULL) {
        damage_note(live, "a journal has rows of a kind that its file does not know");
        return SEGMENT_GONE;
    }
    uint32_t k = ws_schema_number(live->sb, schema), skip = 0;
    struct live_buffer *b = live->wants[k] ? buffer_of(live, s, k) : NULL;
    size_t size = b == NULL ? 0 : (size_t)(s->used - b->bytes), consumed = 0;
    if (!live->wants[k]) {
        return SEGMENT_NOTHING;
    }
    if (b == NULL || !array_reserve(&live->window, &live->room_window, size, 1)) {
        return SEGMENT_NO_MEMORY;
    }
    if (size > 0 && !journal_view_read(&live->view, i, b->bytes, live->window)) {
        return SEGMENT_GONE;
    }
    uint32_t n = row_columns_find(&live->rows, schema, live->window, size, &consumed);
    if (n == UINT32_MAX) {
        return SEGMENT_NO_MEMORY;
    }
    if (consumed != size) {
        damage_note(live, "a journal has rows that are not possible");
        return SEGMENT_GONE;
    }
    uint64_t first = b->base + b->rows;
    if (p->given[k] > first) {
        skip = p->given[k] - first < n ? (uint32_t)(p->given[k] - first) : n;
    }
    if (n > skip &&
        !row_columns_make(&live->rows, schema, &live->wanted[k], live->window, skip, n - skip)) {
        return SEGMENT_NO_MEMORY;
    }
    b->rows += n;
    b->bytes = s->used;
    live->base[k] = b->base + b->rows;
    if (n == skip) {
        return SEGMENT_NOTHING;
    }
    p->given[k] = live->base[k];
    *rows = (struct ws_live_rows){.pe = live->pe, .columns = &live->rows.columns};
    return SEGMENT_ROWS;
}

/* ---- PEs ------------------------------------------------------------------------------------- */

void live_pe_leave(struct ws_live *live)
{
    journal_view_close(&live->view);
    free(live->journal_path);
    live->journal_path = NULL;
    live->phase = LIVE_ENTER;
}

/* Begins to read the current PE: takes a view of its journal, and reads the size of the file again.
 * Returns false if that fails. */
static bool pe_enter(struct ws_live *live)
{
    assert(live->pe < live->sb->layout.n_pes && live->phase == LIVE_ENTER);
    struct live_pe *p = &live->pes[live->pe];
    live->journal_path = ws_journal_path(live->target, live->pe);
    /* The path is NULL if the file does not have the name of a record file; it then has no
     * journal. */
    if (live->journal_path != NULL) {
        journal_view_open(&live->view, live->journal_path, live->sb, live->pe);
    }
    const struct fmt_journal *journal = &live->view.journal;
    p->seen.has_journal = live->view.state != JOURNAL_NONE;
    live->limit = UINT64_MAX;
    p->blind_rounds =
        p->seen.has_journal && journal->checkpoint.generation == 0 ? p->blind_rounds + 1 : 0;
    if (p->blind_rounds > 0 && p->blind_rounds < BLIND_ROUNDS_MAX) {
        live->limit = p->scan.blocks;
    } else if (p->blind_rounds == 0 && p->seen.has_journal) {
        live->limit = journal->checkpoint.at.blocks;
        p->seen.gvt = later(p->seen.gvt, journal->gvt);
    }
    live->phase = LIVE_BLOCKS;
    live->segment = 0;
    return fmt_reader_refresh(live->reader, NULL) == FMT_OK;
}

enum ws_live_got live_pe_next(struct ws_live *live, struct ws_live_rows *rows,
                              struct fmt_error *error)
{
    struct live_pe *p = &live->pes[live->pe];
    if (p->seen.ended || p->seen.damaged || p->seen.elsewhere) {
        return WS_LIVE_ROUND;
    }
    if (live->phase == LIVE_ENTER && !pe_enter(live)) {
        return WS_LIVE_ROUND;
    }
    if (live->phase == LIVE_BLOCKS) {
        if (blocks_next(live, rows)) {
            return WS_LIVE_ROWS;
        }
        live->phase = LIVE_BUFFERS;
        memcpy(live->base, p->in_blocks, live->sb->n_schemas * sizeof *live->base);
    }
    while (!p->seen.damaged && live->segment < live->view.n) {
        enum segment_got got = segment_read(live, live->segment++, rows);
        if (got == SEGMENT_NO_MEMORY) {
            ws_fault_memory(error, live->path);
            return WS_LIVE_ERROR;
        }
        if (got == SEGMENT_ROWS) {
            return WS_LIVE_ROWS;
        }
        /* The rows are in blocks by now. */
        if (got == SEGMENT_GONE) {
            return WS_LIVE_ROUND;
        }
    }
    if (live->view.state == JOURNAL_SEEN && live->view.n == 0 && !p->seen.damaged) {
        end_look(live);
    }
    return WS_LIVE_ROUND;
}
