/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read.c - reads the records of a PE for a timeline; see private.h.
 *
 * Records are read from the last to the first, because later records show if an execution was
 * undone. This needs an index of the PE's blocks, which takes about 130 bytes per block, a
 * thousandth of the size of the file. Records outside the user's selection are read as well, since
 * slices end where others begin.
 */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "access/stream.h"
#include "cli/interrupt.h"
#include "store/array.h"
#include "timeline/private.h"

/* Maximum length of a slice, as a multiple of the mean time between records. */
#define AVERAGES_LONG 8.0

/* Indices of the fields in a kind of record; -1: no such field. */
struct fields {
    int32_t real_time, recv_ts, send_ts, src_lp, dest_lp, prio, kp, payload_type;
    int32_t kp_ts, events_undone, cause; /* fields that only rollbacks have */
    bool rollback;
    bool usable; /* true for events and rollbacks with all required fields */
};

struct reading {
    struct ws_timeline *t;
    /* Owned; blocks with usable kinds of records, in the order of writing. */
    struct fmt_block *blocks;
    size_t n;
    struct fmt_columns columns; /* owned; the decoded block */
    struct ws_group group;      /* of its records */
    struct fields fields[FMT_SCHEMAS_MAX];
    struct later *later; /* owned; [KP] */
    size_t later_room;
    /* Wall-clock times of the first and the last record of the current part, in seconds. */
    double first_real, last_real;
    /* Sum over all parts of the wall-clock time from first to last record, in seconds. */
    double traced;
    int64_t last_time; /* time of the last record passed to the layout */
    uint64_t n_records;
    /* Owned; [part of the trace]: true if later records can show that executions in this part were
     * undone. */
    bool *part_undoes;
    /* True if part_undoes is true for at least one readable part. Blocks are then read from the
     * last to the first. */
    bool undoes;
    bool as_executed; /* true if records are in the order of execution */
    bool in_order;    /* true if records are passed to the layout directly, without sorting */
    uint32_t part;    /* index of the part that contains the current block */
};

/* The executions of a KP that are later than the current one: their minimum receive time, and an
 * event with that time. */
struct later {
    bool any;       /* true if there are later executions */
    bool several;   /* true if several events have the minimum receive time */
    double least;   /* the minimum receive time */
    uint64_t event; /* identity() of an event with that time */
};

/* ---- Blocks of a PE -------------------------------------------------------------------------- */

#define FIELD(member, type, needed)                                                                \
    {                                                                                              \
        offsetof(struct fields, member), #member, type, needed                                     \
    }
static const struct ws_binding bindings[] = {
    FIELD(real_time, FMT_F64, true), FIELD(recv_ts, FMT_F64, true),
    FIELD(send_ts, FMT_F64, true),   FIELD(src_lp, FMT_U64, true),
    FIELD(dest_lp, FMT_U64, true),   FIELD(kp, FMT_U32, true),
    FIELD(prio, FMT_F64, false),     FIELD(payload_type, FMT_U32, false),
    FIELD(kp_ts, FMT_F64, false),    FIELD(events_undone, FMT_U64, false),
    FIELD(cause, FMT_U32, false),    {0, NULL, 0, false}};

/* Called at the end of a part: adds the time between its first and its last record to r->traced. */
static void part_end(struct reading *r)
{
    r->traced += r->last_real > r->first_real ? r->last_real - r->first_real : 0;
    r->first_real = INFINITY;
    r->last_real = -INFINITY;
}

static bool block_note(struct ws_file *file, const struct fmt_block *block, void *ctx)
{
    struct reading *r = ctx;
    if (block->kind != FMT_BLOCK_DATA ||
        !r->fields[ws_schema_number(file->sb, block->schema)].usable) {
        return true;
    }
    if (!array_append(&r->blocks, r->n, sizeof *r->blocks)) {
        return ws_no_memory(&r->t->work->failed);
    }
    if (r->n > 0 && r->blocks[r->n - 1].part != block->part) {
        part_end(r);
    }
    r->blocks[r->n++] = *block;
    r->n_records += block->n_records;
    r->first_real = fmin(r->first_real, block->min_real_time);
    r->last_real = fmax(r->last_real, block->max_real_time);
    return true;
}

/* Determines in which parts executions were possibly undone. None were undone under a sequential or
 * conservative scheduler, whose records are in the order of execution, or in a trace of committed
 * events. Returns false if out of memory. */
static bool history_find(struct reading *r, const struct ws_file *s)
{
    enum ws_scheduler scheduler = ws_scheduler_of(s->sb);
    r->as_executed = scheduler == WS_SCHED_SEQUENTIAL || scheduler == WS_SCHED_CONSERVATIVE;
    r->part_undoes = calloc(ws_stream_parts(s), sizeof *r->part_undoes);
    for (uint32_t i = 0; r->part_undoes != NULL && i < ws_stream_parts(s); i++) {
        const struct ws_file *part = ws_stream_part(s, i);
        const char *mode = part->sb == NULL ? NULL : ws_fact(part->sb, "option_event_trace");
        r->part_undoes[i] = !r->as_executed && (mode == NULL || strcmp(mode, "3") != 0);
        r->undoes = r->undoes || (part->pes != NULL && r->part_undoes[i]);
    }
    return r->part_undoes != NULL || ws_no_memory(&r->t->work->failed);
}

/* Returns the maximum length of a slice, in ns. */
static int64_t longest_of(const struct reading *r)
{
    double longest = r->t->options.longest_us * 1e-6;
    if (longest == 0 && r->n_records > 1 && r->traced > 0) {
        longest = AVERAGES_LONG * r->traced / (double)(r->n_records - 1);
    }
    int64_t ns;
    return tl_ns(longest, 1, &ns) && ns > 0 ? ns : 1;
}

/* ---- Records of a PE ------------------------------------------------------------------------- */

/* Returns a hash that identifies an event among those with the same KP and receive time. */
static uint64_t identity(const struct ws_moment *record, double prio, const uint8_t *payload,
                         uint64_t payload_size)
{
    uint64_t parts[4] = {record->lp, record->src_lp}, hash = 0x9e3779b97f4a7c15u;
    memcpy(&parts[2], &record->send_ts, 8);
    memcpy(&parts[3], &prio, 8);
    for (size_t i = 0; i < 4; i++) {
        hash = (hash ^ parts[i]) * 0xbf58476d1ce4e5b9u;
        hash ^= hash >> 29;
    }
    for (uint64_t i = 0; i < payload_size; i++) {
        hash = (hash ^ payload[i]) * 0x100000001b3u;
    }
    return hash;
}

/*
 * Returns true if an execution was undone, and adds the execution to *later. Must be called for the
 * executions of a KP from the last to the first. An execution was undone if a later one has an
 * earlier receive time. It was also undone if a later one has the same time and an equal event,
 * which was thus executed again. But if the KP has several events with that time, the equal event
 * may be another one with the same contents, which is common in models with integer times. The
 * function then returns false.
 */
static bool is_undone(struct later *later, double time, uint64_t event)
{
    bool undone =
        later->any &&
        (time > later->least || (time == later->least && !later->several && event == later->event));
    if (!later->any || time < later->least) {
        *later = (struct later){.any = true, .least = time, .event = event};
    } else if (time == later->least && event != later->event) {
        later->several = true;
    }
    return undone;
}

/* Passes a record to the layout. order: ordinal number of the record within the PE. */
static bool record_add(struct reading *r, struct ws_moment *record, uint64_t order)
{
    if (r->in_order) { /* the time must not go back, even if the clock does */
        record->time = record->time < r->last_time ? r->last_time : record->time;
        r->last_time = record->time;
        return tl_layout_take(r->t, record);
    }
    uint8_t key[TL_RECORDS_KEY], *at = ws_key_u32(key, r->t->options.is_virtual ? record->kp : 0);
    at = ws_key_i64(at, record->time);
    ws_key_u64(at, order);
    return tl_slice_put(&r->t->work->records, key, record);
}

/* Converts record `row` of the decoded block, and passes it on with record_add(). Returns false on
 * failure. */
static bool row_read(struct reading *r, const struct fields *f, uint32_t row, uint64_t order)
{
    assert(row < r->columns.n_records && f->usable);
    const struct fmt_columns *c = &r->columns;
    struct ws_timeline *t = r->t;
    bool is_virtual = t->options.is_virtual;
    struct ws_moment record = {.kind = WS_MOMENT_BEGIN,
                               .lp = ws_whole_at(c, f->dest_lp, row),
                               .src_lp = ws_whole_at(c, f->src_lp, row),
                               .recv_ts = ws_number_at(c, f->recv_ts, row),
                               .send_ts = ws_number_at(c, f->send_ts, row),
                               .kp = (uint32_t)ws_whole_at(c, f->kp, row)};
    if (record.kp < TL_KPS_MAX &&
        !array_reserve_zero(&r->later, &r->later_room, record.kp + 1u, sizeof *r->later)) {
        return ws_no_memory(&t->work->failed);
    }
    if (record.kp >= TL_KPS_MAX || !tl_ns(ws_number_at(c, f->real_time, row), 1, &record.time) ||
        (is_virtual && !tl_ns(record.recv_ts, t->options.unit_s, &record.time))) {
        t->left_out++;
        return true;
    }
    record.flags = ws_select_row(t->select, c, row, &r->group) ? 0 : TL_LEFT_OUT;
    const struct fmt_desc_set *descs = &t->evtrace->descs;
    const struct fmt_payload_desc *desc =
        fmt_desc_set_find(descs, (uint32_t)ws_whole_at(c, f->payload_type, row));
    size_t number = desc == NULL ? 0 : (size_t)(desc - descs->descs) + 1;
    if (f->rollback) {
        record.flags |= WS_MOMENT_ROLLBACK | WS_MOMENT_RECORD;
        record.name = tl_name(number, TL_NAME_ROLLBACK);
        record.send_ts = ws_number_at(c, f->kp_ts, row);
        record.undone = ws_whole_at(c, f->events_undone, row);
        record.cause = (uint8_t)ws_whole_at(c, f->cause, row);
    } else {
        uint64_t at = c->payload_offset[row], size = c->payload_offset[row + 1] - at;
        record.name = tl_name(number, TL_NAME_EVENT);
        if (desc != NULL && desc->n_fields > 0 && desc->size == size &&
            size <= WS_EVENT_PAYLOAD_MAX) {
            record.payload = c->payload + at;
            record.desc = desc;
            record.flags |= WS_MOMENT_PAYLOAD;
        }
        /* Committed events are never undone. But committed events in a later part show that
         * executions in an earlier part were undone. */
        if (r->undoes &&
            is_undone(&r->later[record.kp], record.recv_ts,
                      identity(&record, ws_number_at(c, f->prio, row), c->payload + at, size)) &&
            r->part_undoes[r->part]) {
            record.flags |= WS_MOMENT_UNDONE;
            record.name = tl_name(number, TL_NAME_UNDONE);
        }
    }
    return record_add(r, &record, order);
}

static bool block_read(struct reading *r, const struct fmt_block *block)
{
    struct ws_file *file = r->t->evtrace;
    struct fmt_error error = {0};
    if (ws_file_decode(file, block, NULL, &r->columns, &error) != FMT_OK) {
        ws_file_fault(file, &error);
        return true;
    }
    const struct fields *f = &r->fields[ws_schema_number(file->sb, block->schema)];
    uint32_t n = r->columns.n_records;
    r->part = block->part;
    r->group.after = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t row = r->undoes ? n - 1 - i : i;
        uint64_t order = (uint64_t)block->part << 48 | (block->first_record + row);
        if (!row_read(r, f, row, order)) {
            return false;
        }
    }
    return ws_interrupt_waits() == 0;
}

/* Returns true if the records of all blocks are already in the order that the sorter would give
 * them. This requires that they were recorded in the order of execution. */
static bool is_in_order(const struct reading *r)
{
    bool in_order = r->as_executed && !r->t->options.is_virtual;
    for (size_t i = 1; in_order && i < r->n; i++) {
        in_order = r->blocks[i].schema == r->blocks[0].schema &&
                   r->blocks[i].min_real_time >= r->blocks[i - 1].max_real_time;
    }
    return in_order;
}

bool tl_read_pe(struct ws_timeline *t)
{
    const struct fmt_superblock *sb = t->evtrace->sb;
    struct reading *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return ws_no_memory(&t->work->failed);
    }
    r->t = t;
    r->first_real = INFINITY;
    r->last_real = -INFINITY;
    for (uint32_t i = 0; i < sb->n_schemas; i++) {
        struct fields *f = &r->fields[i];
        const char *name = sb->schemas[i]->name;
        f->rollback = strcmp(name, "rollback") == 0;
        f->usable = ws_bind(bindings, sb->schemas[i], f) &&
                    (f->rollback ? f->kp_ts >= 0 : strcmp(name, "event") == 0);
    }
    bool good = history_find(r, t->evtrace) && ws_file_each(t->evtrace, t->work->pe, block_note, r);
    part_end(r);
    t->work->longest = longest_of(r);
    r->in_order = is_in_order(r);
    for (size_t i = 0; good && i < r->n; i++) {
        good = block_read(r, &r->blocks[r->undoes ? r->n - 1 - i : i]);
    }
    free(r->later);
    fmt_columns_free(&r->columns);
    free(r->blocks);
    free(r->part_undoes);
    free(r);
    return good;
}
