/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * new_rows.c - returns the new rows of a PE, in blocks and in buffers; see live.h.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "data/lp_names.h"
#include "format/bytes.h"
#include "live/private.h"
#include "store/array.h"

/* Marks the current PE as damaged, so that it is not read any further. text: description of the
 * damage. */
static void damage_note(struct ws_live *live, const char *text)
{
    live->pes[live->pe].seen.damaged = true;
    if (live->damage[0] == '\0') {
        snprintf(live->damage, sizeof live->damage, "%.250s", text);
    }
}

/* Returns the index of the kind of record with this schema id; the number of kinds if the file does
 * not have it. */
static uint32_t kind_of(const struct ws_live *live, uint32_t schema_id)
{
    uint32_t k = 0;
    while (k < live->sb->n_schemas && live->sb->schemas[k]->id != schema_id) {
        k++;
    }
    return k;
}

static const struct fmt_wanted *wanted_of(const struct ws_live *live, uint32_t kind)
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
    if (block->kind == FMT_BLOCK_NAMES) {
        return ws_lp_names_note(live->reader, block, &live->descs, error);
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
    uint32_t k = kind_of(live, block->schema->id);
    uint64_t before = p->in_blocks[k], after = before + block->n_records;
    if (live->wants[k] && after > p->given[k]) {
        enum fmt_status status =
            fmt_block_decode_some(live->reader, block, wanted_of(live, k), &live->columns, error);
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
                damage_note(live, error.text);
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

/* Copies the payloads of the rows, one after another, to `payload`, and sets their offsets. */
static void payloads_copy(struct row_columns *to, const uint8_t *rows, uint32_t first,
                          uint8_t *payload)
{
    struct fmt_columns *c = &to->columns;
    c->payload = payload;
    c->payload_offset[0] = 0;
    for (uint32_t i = 0; i < c->n_records; i++) {
        const uint8_t *row = rows + to->offsets[first + i];
        uint32_t size = payload_size(c->schema, row);
        memcpy(payload + c->payload_offset[i], row + c->schema->row_size, size);
        c->payload_offset[i + 1] = c->payload_offset[i] + size;
    }
}

/* Creates to->columns from n of the rows that row_columns_find() found, from row `first` on, in the
 * form of a decoded block. Returns false if out of memory. */
static bool row_columns_make(struct row_columns *to, const struct fmt_schema *schema,
                             const struct fmt_wanted *wanted, const uint8_t *rows, uint32_t first,
                             uint32_t n)
{
    bool payload =
        schema->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0 && (wanted == NULL || wanted->payload);
    size_t pointers = fmt_align(schema->n_fields * sizeof(uint8_t *), 8);
    size_t offsets = ((size_t)n + 1) * sizeof(uint64_t), size = pointers + offsets;
    for (uint32_t i = 0; i < schema->n_fields; i++) {
        size += fmt_align(n * fmt_type_size(schema->fields[i].type), 8);
    }
    for (uint32_t i = 0; payload && i < n; i++) {
        size += payload_size(schema, rows + to->offsets[first + i]);
    }
    if (!array_reserve(&to->memory, &to->room, size, 1)) {
        return false;
    }
    struct fmt_columns *c = &to->columns;
    *c = (struct fmt_columns){.schema = schema, .n_records = n};
    c->values = (void *)to->memory;
    c->payload_offset = (void *)(to->memory + pointers);
    memset(c->payload_offset, 0, offsets);
    uint8_t *next = to->memory + pointers + offsets;
    for (uint32_t i = 0; i < schema->n_fields; i++) {
        const struct fmt_field *field = &schema->fields[i];
        size_t bytes = fmt_type_size(field->type);
        bool is_wanted = wanted == NULL || fmt_wanted_has(wanted, i);
        c->values[i] = is_wanted ? next : NULL;
        for (uint32_t r = 0; is_wanted && r < n; r++) {
            value_copy(next + r * bytes, rows + to->offsets[first + r] + field->offset, bytes);
        }
        next += fmt_align(n * bytes, 8);
    }
    if (payload) {
        payloads_copy(to, rows, first, next);
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

enum segment_got live_segment_read(struct ws_live *live, size_t i, struct ws_live_rows *rows)
{
    struct live_pe *p = &live->pes[live->pe];
    const struct fmt_journal_segment *s = &live->view.segments[i];
    uint32_t k = kind_of(live, s->schema_id), skip = 0;
    if (k == live->sb->n_schemas) {
        damage_note(live, "a journal has rows of a kind that its file does not know");
        return SEGMENT_GONE;
    }
    const struct fmt_schema *schema = live->sb->schemas[k];
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
        !row_columns_make(&live->rows, schema, wanted_of(live, k), live->window, skip, n - skip)) {
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
