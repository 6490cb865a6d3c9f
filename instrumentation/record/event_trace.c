/*
 * event_trace.c - writes event records from inside the event loop.
 *
 * Mode 1 records every execution, also those that are undone later. Mode 2 records stragglers,
 * before the rollback that they cause. Mode 3 records what commits: the model's callback needs the
 * message and the LP as they are right after the forward handler, so it is called then and its
 * bytes stay attached to the event; a rollback drops them with the execution, a commit brings them
 * here. A committed record thus has the data and the real time of the execution that counted, in
 * every scheduler.
 *
 * The real time is that of the execution (mode 2: of the arrival).
 *
 * Invariants
 *  T1  *collect_flag == 0 leaves no trace of the event, in any mode.
 *  T2  the payload is zeroed before the callback: nothing undefined reaches the file.
 * Cost: one clock reading, one 64-byte row, the model's callback; mode 3 copies the payload twice.
 */
#include "record/event_trace.h"

#include <string.h>

#include "record/options.h"

/* What stays with an event between execution and commit; the payload follows. */
struct trace_note {
    double real_time;
    uint32_t collected;
    uint32_t reserved;
};

size_t event_trace_row_bytes(size_t payload_max)
{
    return fmt_row_bytes(sizeof(struct fmt_event_row), payload_max);
}

static inline void fill_row(const struct event_trace *trace, struct fmt_event_row *row,
                            const struct probe_event *e, const struct payload_slot *slot,
                            double real_time)
{
    row->src_lp = e->src;
    row->dest_lp = e->dest;
    row->send_ts = e->send_ts;
    row->recv_ts = e->recv_ts;
    row->prio = e->prio;
    row->real_time = real_time;
    row->pe = trace->pe;
    row->kp = (uint32_t)e->lp->kp->id;
    row->payload_type = slot->id;
    row->payload_size = slot->size;
}

/* Zeroes the payload's place, size bytes padded, and lets the model fill it. Returns its flag. */
static inline int collect(ev_trace_f callback, const struct probe_event *e, void *payload,
                          size_t size)
{
    int collect_flag = 1;
    memset(payload, 0, (size + 7) & ~(size_t)7);
    callback(e->msg, e->lp, payload, &collect_flag);
    return collect_flag;
}

static void trace_executed(void *ctx, const struct probe_event *e)
{
    const struct event_trace *trace = ctx;
    const struct payload_slot *slot = &trace->slots[e->lp->id];
    size_t bytes = fmt_row_bytes(sizeof(struct fmt_event_row), slot->size);
    struct fmt_event_row *row = lane_reserve(trace->lane, bytes);
    if (slot->size != 0 && collect(slot->types->ev_trace, e, row + 1, slot->size) == 0) {
        return;
    }
    fill_row(trace, row, e, slot, run_seconds());
    lane_commit(trace->lane, bytes);
}

static void trace_straggler(void *ctx, const struct probe_event *e, enum probe_rollback why)
{
    const struct event_trace *trace = ctx;
    if (why != PROBE_ROLLBACK_PRIMARY) {
        return;
    }
    const struct payload_slot *slot = &trace->slots[e->lp->id];
    size_t bytes = fmt_row_bytes(sizeof(struct fmt_event_row), slot->size);
    struct fmt_event_row *row = lane_reserve(trace->lane, bytes);
    if (slot->size != 0 && collect(slot->types->rbev_trace, e, row + 1, slot->size) == 0) {
        return;
    }
    fill_row(trace, row, e, slot, run_seconds());
    lane_commit(trace->lane, bytes);
}

/* Mode 3, first half: keeps what the record will need with the event. */
static void trace_keep(void *ctx, const struct probe_event *e)
{
    const struct event_trace *trace = ctx;
    const struct payload_slot *slot = &trace->slots[e->lp->id];
    size_t padded = ((size_t)slot->size + 7) & ~(size_t)7;
    struct trace_note *note = probe_attach(e, sizeof(*note) + padded);
    assert(note != NULL);
    note->real_time = run_seconds();
    note->reserved = 0;
    note->collected = 1;
    if (slot->size != 0) {
        note->collected = collect(slot->types->ev_trace, e, note + 1, slot->size) != 0;
    }
}

static void trace_committed(void *ctx, const struct probe_event *e)
{
    const struct event_trace *trace = ctx;
    const struct trace_note *note = e->attachment;
    assert(note != NULL);
    if (note->collected == 0) {
        return;
    }
    const struct payload_slot *slot = &trace->slots[e->lp->id];
    size_t bytes = fmt_row_bytes(sizeof(struct fmt_event_row), slot->size);
    assert(e->attachment_size >= sizeof(*note) + bytes - sizeof(struct fmt_event_row));
    struct fmt_event_row *row = lane_reserve(trace->lane, bytes);
    fill_row(trace, row, e, slot, note->real_time);
    memcpy(row + 1, note + 1, bytes - sizeof(*row));
    lane_commit(trace->lane, bytes);
}

void event_trace_attach(struct event_trace *trace, unsigned mode, struct probe_table *table)
{
    assert(trace->lane != NULL && trace->slots != NULL);
    switch (mode) {
    case RECORD_TRACE_EXECUTED:
        PROBE_ADD(table, event_executed, trace_executed, trace);
        break;
    case RECORD_TRACE_ROLLBACKS:
        PROBE_ADD(table, rollback_begin, trace_straggler, trace);
        break;
    case RECORD_TRACE_COMMITTED:
        PROBE_ADD(table, event_executed, trace_keep, trace);
        PROBE_ADD(table, event_committed, trace_committed, trace);
        break;
    default:
        assert(mode == RECORD_TRACE_OFF);
    }
}

_Static_assert(sizeof(struct trace_note) == 16, "payload stays 16-aligned");
_Static_assert(sizeof(struct fmt_event_row) % 8 == 0, "payload follows the row");
