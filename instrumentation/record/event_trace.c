/*
 * event_trace.c - writes event records from inside the event loop.
 *
 * Mode 1 records every execution, also those that are undone later. Mode 2 records what causes
 * rollbacks: one record for each, of the event that came too late or was cancelled. Mode 3 records
 * what commits: the model's callback needs the message and the LP as they are right after the
 * forward handler, so it is called then and its bytes stay attached to the event; a rollback drops
 * them with the execution, a commit brings them here. A committed record thus has the data and the
 * real time of the execution that counted, in every scheduler.
 *
 * The real time is that of the execution (mode 2: of the rollback's beginning).
 *
 * Invariants
 *  T1  *collect_flag == 0 leaves no trace of the event, in any mode.
 *  T2  the payload is zeroed before the callback: nothing undefined reaches the file.
 *  T3  rollback is the row reserved for the rollback that is going on; rollbacks do not nest, and
 *      nobody else writes to the lane.
 * Cost: one clock reading, one 64-byte row, the model's callback; mode 3 copies the payload once.
 */
#include "record/event_trace.h"

#include <string.h>

#include "record/options.h"

#define SMALL_PAYLOAD 64u /* cleared word by word, a call would take longer */

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

size_t event_trace_rollback_bytes(size_t payload_max)
{
    return fmt_row_bytes(sizeof(struct fmt_rollback_row), payload_max);
}

static inline void fill_row(const struct event_trace *trace, struct fmt_event_row *row,
                            const struct probe_event *e, const struct trace_slot *slot,
                            double real_time)
{
    row->src_lp = e->src;
    row->dest_lp = e->dest;
    row->send_ts = e->send_ts;
    row->recv_ts = e->recv_ts;
    row->prio = e->prio;
    row->real_time = real_time;
    row->pe = trace->pe;
    row->kp = slot->kp;
    row->payload_type = slot->payload_type;
    row->payload_size = slot->payload_size;
}

/* Zeroes the payload's place, bytes long (padded), and lets the model fill it. Returns its flag. */
static inline int collect(const struct trace_slot *slot, const struct probe_event *e,
                          uint64_t *payload, size_t bytes)
{
    int collect_flag = 1;
    if (bytes <= SMALL_PAYLOAD) {
        for (size_t i = 0; i < bytes / 8; i++) {
            payload[i] = 0;
        }
    } else {
        memset(payload, 0, bytes);
    }
    slot->callback(e->msg, e->lp, (char *)payload, &collect_flag);
    return collect_flag;
}

static void trace_executed(void *ctx, const struct probe_event *e)
{
    const struct event_trace *trace = ctx;
    const struct trace_slot *slot = &trace->slots[e->lp->id];
    if (slot->row_bytes == 0) {
        return;
    }
    struct fmt_event_row *row = lane_reserve(trace->lane, slot->row_bytes);
    if (slot->callback != NULL &&
        collect(slot, e, (uint64_t *)(row + 1), slot->row_bytes - sizeof(*row)) == 0) {
        return;
    }
    fill_row(trace, row, e, slot, run_seconds());
    lane_commit(trace->lane, slot->row_bytes);
}

/* ---- Mode 2 ------------------------------------------------------------------------------------
 */

static void trace_rollback_begin(void *ctx, const struct probe_event *e, enum probe_rollback why)
{
    struct event_trace *trace = ctx;
    const struct trace_slot *slot = &trace->slots[e->lp->id];
    assert(trace->rollback == NULL);
    if (slot->row_bytes == 0) {
        return;
    }
    struct fmt_rollback_row *row = lane_reserve(trace->lane, slot->row_bytes);
    if (slot->callback != NULL &&
        collect(slot, e, (uint64_t *)(row + 1), slot->row_bytes - sizeof(*row)) == 0) {
        return;
    }
    fill_row(trace, (struct fmt_event_row *)row, e, slot, run_seconds());
    row->kp_ts = e->lp->kp->last_time;
    row->cause = (uint32_t)why;
    trace->rollback = row;
    trace->rollback_bytes = slot->row_bytes;
}

static void trace_rollback_end(void *ctx, tw_kp *kp, enum probe_rollback why,
                               uint64_t events_undone)
{
    struct event_trace *trace = ctx;
    (void)kp;
    (void)why;
    if (trace->rollback != NULL) {
        trace->rollback->events_undone = events_undone;
        trace->rollback = NULL;
        lane_commit(trace->lane, trace->rollback_bytes);
    }
}

/* ---- Mode 3 ------------------------------------------------------------------------------------
 */

/* First half: keeps what the record will need with the event. */
static void trace_keep(void *ctx, const struct probe_event *e)
{
    const struct event_trace *trace = ctx;
    const struct trace_slot *slot = &trace->slots[e->lp->id];
    if (slot->row_bytes == 0) {
        return;
    }
    size_t bytes = slot->row_bytes - sizeof(struct fmt_event_row);
    struct trace_note *note = probe_attach(e, sizeof(*note) + bytes);
    assert(note != NULL);
    note->real_time = run_seconds();
    note->collected = 1;
    if (slot->callback != NULL) {
        note->collected = collect(slot, e, (uint64_t *)(note + 1), bytes) != 0;
    }
}

static void trace_committed(void *ctx, const struct probe_event *e)
{
    const struct event_trace *trace = ctx;
    const struct trace_note *note = e->attachment;
    if (note == NULL || note->collected == 0) {
        return;
    }
    const struct trace_slot *slot = &trace->slots[e->lp->id];
    size_t bytes = slot->row_bytes - sizeof(struct fmt_event_row);
    assert(e->attachment_size >= sizeof(*note) + bytes);
    struct fmt_event_row *row = lane_reserve(trace->lane, slot->row_bytes);
    fill_row(trace, row, e, slot, note->real_time);
    if (bytes <= SMALL_PAYLOAD) {
        const uint64_t *from = (const uint64_t *)(note + 1);
        uint64_t *to = (uint64_t *)(row + 1);
        for (size_t i = 0; i < bytes / 8; i++) {
            to[i] = from[i];
        }
    } else {
        memcpy(row + 1, note + 1, bytes);
    }
    lane_commit(trace->lane, slot->row_bytes);
}

/* ---- Set-up ------------------------------------------------------------------------------------
 */

enum tw_status event_trace_init(struct event_trace *trace, unsigned mode, struct record_lane *lane,
                                tw_lp *const *lps, tw_lpid n_lps,
                                const struct payload_slot *payloads, const bool *traced)
{
    bool rollbacks = mode == RECORD_TRACE_ROLLBACKS;
    *trace = (struct event_trace){.lane = lane, .pe = (uint32_t)g_tw_pe->id};
    trace->slots = calloc(n_lps + 1, sizeof(*trace->slots));
    if (trace->slots == NULL) {
        return TW_ERR_MEMORY;
    }
    for (tw_lpid i = 0; i < n_lps; i++) {
        const struct payload_slot *payload = &payloads[i];
        struct trace_slot *slot = &trace->slots[i];
        if (traced != NULL && !traced[i]) {
            continue;
        }
        if (payload->size != 0) {
            slot->callback = rollbacks ? payload->types->rbev_trace : payload->types->ev_trace;
        }
        slot->row_bytes = (uint32_t)(rollbacks ? event_trace_rollback_bytes(payload->size)
                                               : event_trace_row_bytes(payload->size));
        slot->payload_size = payload->size;
        slot->payload_type = payload->id;
        slot->kp = (uint32_t)lps[i]->kp->id;
    }
    return TW_OK;
}

void event_trace_attach(struct event_trace *trace, unsigned mode, struct probe_table *table)
{
    assert(trace->lane != NULL && trace->slots != NULL);
    switch (mode) {
    case RECORD_TRACE_EXECUTED:
        PROBE_ADD(table, event_executed, trace_executed, trace);
        break;
    case RECORD_TRACE_ROLLBACKS:
        PROBE_ADD(table, rollback_begin, trace_rollback_begin, trace);
        PROBE_ADD(table, rollback_end, trace_rollback_end, trace);
        break;
    case RECORD_TRACE_COMMITTED:
        PROBE_ADD(table, event_executed, trace_keep, trace);
        PROBE_ADD(table, event_committed, trace_committed, trace);
        break;
    default:
        assert(mode == RECORD_TRACE_OFF);
    }
}

void event_trace_fini(struct event_trace *trace)
{
    free(trace->slots);
    *trace = (struct event_trace){0};
}

_Static_assert(sizeof(struct trace_note) == 16, "payload stays 16-aligned");
_Static_assert(sizeof(struct fmt_event_row) % 8 == 0, "payload follows the row");
_Static_assert(sizeof(struct fmt_rollback_row) % 8 == 0, "payload follows the row");
_Static_assert(offsetof(struct fmt_rollback_row, kp_ts) == sizeof(struct fmt_event_row),
               "a rollback's row begins with its event's");
