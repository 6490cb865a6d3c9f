/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffers.c - returns the new rows in the buffers of a PE; see live.h.
 */
#include "live/private.h"
#include "store/array.h"

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
    uint32_t k = live_kind_of(live, s->schema_id), skip = 0;
    if (k == live->sb->n_schemas) {
        live_damage_note(live, "a journal has rows of a kind that its file does not know");
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
        live_damage_note(live, "a journal has rows that are not possible");
        return SEGMENT_GONE;
    }
    uint64_t first = b->base + b->rows;
    if (p->given[k] > first) {
        skip = p->given[k] - first < n ? (uint32_t)(p->given[k] - first) : n;
    }
    if (n > skip && !row_columns_make(&live->rows, schema, live_wanted_of(live, k), live->window,
                                      skip, n - skip)) {
        return SEGMENT_NO_MEMORY;
    }
    b->rows += n;
    b->bytes = s->used;
    live->base[k] = b->base + b->rows;
    if (n == skip) {
        return SEGMENT_NOTHING;
    }
    p->given[k] = live->base[k];
    *rows =
        (struct ws_live_rows){.pe = live->pe, .columns = &live->rows.columns, .from_journal = true};
    return SEGMENT_ROWS;
}
