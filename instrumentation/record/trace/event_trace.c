/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_trace.c - writes event records from within the event loop.
 *
 * Mode 1 records every execution, including those undone later. Mode 2 writes one record per
 * rollback: of the straggler or the cancelled event that caused it. Mode 3 records committed
 * events. The model's callback needs the message and the LP as they are right after the forward
 * handler. The row is therefore made then and waits in a queue of its KP: undoing the event drops
 * it, the commit copies it to the channel. A committed record thus has the data and the wall-clock
 * time of the execution that was committed, in every scheduler.
 *
 * The field real_time of a record is the wall-clock time of the execution; in mode 2, of the start
 * of the rollback.
 *
 * Invariants
 *  T1  *collect_flag == 0 leaves no trace of the event, in any mode.
 *  T2  The payload is zeroed before the callback, so no undefined bytes reach the file. Bytes
 *      written beyond the payload do not reach it either; see payload_room.h.
 *  T3  `rollback` is the row reserved for the rollback in progress. Rollbacks do not nest, and no
 *      other code writes to the channel.
 *  T4  `waiting` holds one row for each event of a traced LP that was executed and neither undone
 *      nor committed, in the order of execution of its KP. The youngest is undone first, the oldest
 *      is committed first. The length of a row follows from the LP.
 *  T5  is_off: memory for a row was exhausted, and `waiting` is empty. Each later committed event
 *      of a traced LP counts as dropped, even if the model would have rejected it.
 *  T6  If events take less than half a microsecond, up to four executions of one scheduler turn
 *      share a clock reading; otherwise each has its own. A reading takes some 10 ns, in a virtual
 *      machine 20: as long as the rest of a record.
 *
 * Cost: one 64-byte row, the model's callback, a quarter of a clock reading; mode 3 copies the row
 * once.
 */
#include "record/trace/event_trace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "record/buffer/channel_loss.h"
#include "record/describe/payload_room.h"
#include "record/options/options.h"

#define CLOCK_SHARED_BY 4u /* executions that share one clock reading */
/* Seconds between two readings within which executions may share them. */
#define CLOCK_SHARED_WITHIN 2e-6

/* Value of a waiting row's PE that marks an event which the model rejected. */
#define UNWANTED UINT32_MAX

size_t event_trace_row_bytes(size_t payload_max)
{
    return fmt_row_bytes(sizeof(struct fmt_event_row), payload_max);
}

size_t event_trace_rollback_bytes(size_t payload_max)
{
    return fmt_row_bytes(sizeof(struct fmt_rollback_row), payload_max);
}

/* Returns the slot of an event's LP. It is read for every event, so the data per LP must be small
 * to stay in the cache. */
static inline const struct trace_slot *slot_of(const struct event_trace *trace, const tw_event *e)
{
    assert(trace->slot_of[e->dest_lp->id] < trace->n_slots);
    return &trace->slots[trace->slot_of[e->dest_lp->id]];
}

static inline double execution_seconds(struct event_trace *trace)
{
    if (trace->reusable > 0) {
        trace->reusable--;
    } else {
        double now = run_seconds();
        trace->reusable = now - trace->seconds < CLOCK_SHARED_WITHIN ? CLOCK_SHARED_BY - 1 : 0;
        trace->seconds = now;
    }
    return trace->seconds;
}

static void trace_turn(void *ctx, const tw_pe *pe)
{
    struct event_trace *trace = ctx;
    (void)pe;
    trace->reusable = 0; /* the reading is too old: other work, or a wait, may have followed it */
}

static inline void fill_row(struct fmt_event_row *row, const tw_event *e,
                            const struct trace_slot *slot, double real_time, uint32_t pe)
{
    row->src_lp = e->send_lp;
    row->dest_lp = e->dest_lpid;
    row->send_ts = e->send_ts;
    row->recv_ts = e->recv_ts;
    row->prio = e->prio;
    row->real_time = real_time;
    row->pe = pe;
    row->kp = (uint32_t)e->dest_lp->kp->id;
    row->payload_type = slot->payload_type;
    row->payload_size = slot->payload_size;
}

/* Calls the model to fill the payload. Returns the collect flag. */
static inline int collect(const struct trace_slot *slot, const tw_event *e, void *payload,
                          const char *name)
{
    assert(slot->callback != NULL && slot->payload_size != TRACE_NOTHING);
    int collect_flag = 1;
    void *room = payload_room_open(slot->payload_size);
    slot->callback(probe_message(e), e->dest_lp, room, &collect_flag);
    payload_room_close(slot->payload_size, e->dest_lp, name);
    payload_copy(payload, room, slot->payload_size);
    return collect_flag;
}

static void trace_executed(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    struct event_trace *trace = ctx;
    const struct trace_slot *slot = slot_of(trace, e);
    probe_prefetch(ahead, trace->slot_of, sizeof *trace->slot_of);
    if (slot->payload_size == TRACE_NOTHING) {
        return;
    }
    size_t bytes = event_trace_row_bytes(slot->payload_size);
    struct fmt_event_row *row = channel_reserve(trace->channel, bytes);
    if (slot->callback != NULL && collect(slot, e, row + 1, "ev_trace") == 0) {
        return;
    }
    fill_row(row, e, slot, execution_seconds(trace), trace->pe);
    channel_commit(trace->channel, bytes);
}

/* ---- Mode 2: rollbacks ----------------------------------------------------------------------- */

static void trace_rollback_begin(void *ctx, const tw_event *e, enum probe_rollback why)
{
    struct event_trace *trace = ctx;
    const struct trace_slot *slot = slot_of(trace, e);
    assert(trace->rollback == NULL);
    if (slot->payload_size == TRACE_NOTHING) {
        return;
    }
    size_t bytes = event_trace_rollback_bytes(slot->payload_size);
    struct fmt_rollback_row *row = channel_reserve(trace->channel, bytes);
    if (slot->callback != NULL && collect(slot, e, row + 1, "rbev_trace") == 0) {
        return;
    }
    fill_row((struct fmt_event_row *)row, e, slot, run_seconds(), trace->pe);
    row->kp_ts = e->dest_lp->kp->last_time;
    row->cause = (uint32_t)why;
    trace->rollback = row;
    trace->rollback_bytes = (uint32_t)bytes;
}

static void trace_rollback_end(void *ctx, tw_kp *kp, enum probe_rollback why,
                               uint64_t events_undone)
{
    assert(kp->id < ((struct event_trace *)ctx)->n_kps);
    struct event_trace *trace = ctx;
    (void)kp;
    (void)why;
    if (trace->rollback != NULL) {
        trace->rollback->events_undone = events_undone;
        trace->rollback = NULL;
        channel_commit(trace->channel, trace->rollback_bytes);
    }
}

/* ---- Mode 3: committed events ---------------------------------------------------------------- */

/* Ends the trace after lack of memory; the run goes on. */
static __attribute__((noinline)) void switch_off(struct event_trace *trace)
{
    tw_warning(TW_LOC,
               "PE %u: out of memory for the trace of events that may still be undone (%llu times "
               "%zu bytes); the run goes on without its events from here on. Lower --max-memory "
               "or --batch",
               (unsigned)trace->pe, (unsigned long long)trace->pool.allocated,
               trace->pool.chunk_bytes);
    for (tw_kpid k = 0; k < trace->n_kps; k++) {
        row_undo_log_clear(&trace->waiting[k], &trace->pool);
    }
    trace->is_off = true;
    run_results_are_lost();
}

static void trace_waiting(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    struct event_trace *trace = ctx;
    const struct trace_slot *slot = slot_of(trace, e);
    probe_prefetch(ahead, trace->slot_of, sizeof *trace->slot_of);
    if (slot->payload_size == TRACE_NOTHING || trace->is_off) {
        return;
    }
    size_t bytes = event_trace_row_bytes(slot->payload_size);
    struct fmt_event_row *row =
        row_undo_log_push(&trace->waiting[e->dest_lp->kp->id], &trace->pool, bytes);
    if (row == NULL) {
        switch_off(trace);
        return;
    }
    bool wanted = slot->callback == NULL || collect(slot, e, row + 1, "ev_trace") != 0;
    fill_row(row, e, slot, execution_seconds(trace), wanted ? trace->pe : UNWANTED);
}

static void trace_undone(void *ctx, const tw_event *e, bool state_restored)
{
    struct event_trace *trace = ctx;
    const struct trace_slot *slot = slot_of(trace, e);
    (void)state_restored;
    if (slot->payload_size != TRACE_NOTHING && !trace->is_off) {
        row_undo_log_pop_young(&trace->waiting[e->dest_lp->kp->id], &trace->pool,
                               event_trace_row_bytes(slot->payload_size));
    }
}

/* Moves a row of any size from the queue to the channel, which may have to switch its
 * sub-buffer. */
static __attribute__((noinline)) void move_row(struct event_trace *trace,
                                               struct row_undo_log *waiting, size_t bytes)
{
    memcpy(channel_reserve(trace->channel, bytes), row_undo_log_oldest(waiting), bytes);
    channel_commit(trace->channel, bytes);
    row_undo_log_pop_old(waiting, &trace->pool, bytes);
}

/* Copies the rows of a committed event to the channel. The common case is inline, without a
 * call. */
static void trace_committed(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    (void)ahead;
    struct event_trace *trace = ctx;
    const struct trace_slot *slot = slot_of(trace, e);
    if (slot->payload_size == TRACE_NOTHING) {
        return;
    }
    size_t bytes = event_trace_row_bytes(slot->payload_size);
    if (__builtin_expect(trace->is_off, 0)) {
        channel_lose(trace->channel, 1);
        return;
    }
    struct row_undo_log *waiting = &trace->waiting[e->dest_lp->kp->id];
    const struct fmt_event_row *row = row_undo_log_oldest(waiting);
    size_t n_words = (bytes - sizeof(*row)) / 8;
    assert(row->dest_lp == e->dest_lpid && row->recv_ts <= e->recv_ts &&
           row->recv_ts >= e->recv_ts);
    if (__builtin_expect(n_words > PAYLOAD_SMALL_WORDS || channel_room(trace->channel) < bytes,
                         0) &&
        row->pe != UNWANTED) {
        move_row(trace, waiting, bytes);
        return;
    }
    if (row->pe != UNWANTED) {
        struct fmt_event_row *to = channel_reserve(trace->channel, bytes);
        *to = *row;
        payload_copy_words((uint64_t *)(to + 1), (const uint64_t *)(row + 1), n_words);
        channel_commit(trace->channel, bytes);
    }
    row_undo_log_pop_old(waiting, &trace->pool, bytes);
}

/* ---- Set-up ---------------------------------------------------------------------------------- */

/* Number of slots that are compared, newest first. Duplicate slots only take memory. */
#define SLOTS_COMPARED 64u

static bool is_same(const struct trace_slot *a, const struct trace_slot *b)
{
    return a->callback == b->callback && a->payload_size == b->payload_size &&
           a->payload_type == b->payload_type;
}

/* Sets *place to the index of a slot with equal contents, which is added if necessary. Returns
 * false if memory is exhausted. */
static bool find_slot(struct event_trace *trace, const struct trace_slot *slot, uint32_t *place)
{
    uint32_t oldest = trace->n_slots > SLOTS_COMPARED ? trace->n_slots - SLOTS_COMPARED : 0;
    for (uint32_t i = trace->n_slots; i > oldest; i--) {
        if (is_same(&trace->slots[i - 1], slot)) {
            *place = i - 1;
            return true;
        }
    }
    /* True if the array is full: its capacity is a power of two. */
    if ((trace->n_slots & (trace->n_slots - 1)) == 0) {
        size_t room = trace->n_slots > 0 ? 2 * (size_t)trace->n_slots : 1;
        struct trace_slot *slots = realloc(trace->slots, room * sizeof *slots);
        if (slots == NULL) {
            return false;
        }
        trace->slots = slots;
    }
    *place = trace->n_slots++;
    trace->slots[*place] = *slot;
    return true;
}

static struct trace_slot describe(const struct payload_slot *payload, bool traced, bool rollbacks)
{
    if (!traced) {
        return (struct trace_slot){.payload_size = TRACE_NOTHING};
    }
    struct trace_slot slot = {.payload_size = payload->size, .payload_type = payload->id};
    if (payload->size != 0) {
        slot.callback = rollbacks ? payload->types->rbev_trace : payload->types->ev_trace;
    }
    return slot;
}

enum tw_status event_trace_init(struct event_trace *trace, unsigned mode,
                                struct record_channel *channel, tw_lpid n_lps,
                                const struct payload_slot *payloads, const bool *traced)
{
    size_t payload_max = 0;
    *trace =
        (struct event_trace){.channel = channel, .pe = (uint32_t)g_tw_pe->id, .n_kps = g_tw_nkp};
    trace->slot_of = calloc(n_lps + 1, sizeof(*trace->slot_of));
    trace->waiting = calloc(trace->n_kps + 1, sizeof(*trace->waiting));
    if (trace->slot_of == NULL || trace->waiting == NULL) {
        event_trace_fini(trace);
        return TW_ERR_MEMORY;
    }
    for (tw_lpid i = 0; i < n_lps; i++) {
        struct trace_slot slot =
            describe(&payloads[i], traced == NULL || traced[i], mode == RECORD_TRACE_ROLLBACKS);
        if (!find_slot(trace, &slot, &trace->slot_of[i])) {
            event_trace_fini(trace);
            return TW_ERR_MEMORY;
        }
        if (slot.payload_size != TRACE_NOTHING && slot.payload_size > payload_max) {
            payload_max = slot.payload_size;
        }
    }
    row_pool_init(&trace->pool, event_trace_row_bytes(payload_max));
    return TW_OK;
}

void event_trace_attach(struct event_trace *trace, unsigned mode, struct probe_table *table)
{
    assert(trace->channel != NULL && trace->slot_of != NULL);
    switch (mode) {
    case RECORD_TRACE_EXECUTED:
        PROBE_ADD(table, event_executed, trace_executed, trace);
        PROBE_ADD(table, turn, trace_turn, trace);
        break;
    case RECORD_TRACE_ROLLBACKS:
        PROBE_ADD(table, rollback_begin, trace_rollback_begin, trace);
        PROBE_ADD(table, rollback_end, trace_rollback_end, trace);
        break;
    case RECORD_TRACE_COMMITTED:
        PROBE_ADD(table, event_executed, trace_waiting, trace);
        PROBE_ADD(table, turn, trace_turn, trace);
        PROBE_ADD(table, event_undone, trace_undone, trace);
        PROBE_ADD(table, event_committed, trace_committed, trace);
        break;
    default:
        assert(mode == RECORD_TRACE_OFF);
    }
}

void event_trace_detach(struct event_trace *trace, unsigned mode, struct probe_table *table)
{
    assert(trace->rollback == NULL);
    if (mode == RECORD_TRACE_EXECUTED) {
        PROBE_REMOVE(table, event_executed, trace_executed, trace);
    } else if (mode == RECORD_TRACE_ROLLBACKS) {
        PROBE_REMOVE(table, rollback_begin, trace_rollback_begin, trace);
        PROBE_REMOVE(table, rollback_end, trace_rollback_end, trace);
    } else if (mode == RECORD_TRACE_COMMITTED) {
        PROBE_REMOVE(table, event_executed, trace_waiting, trace);
        PROBE_REMOVE(table, event_undone, trace_undone, trace);
        PROBE_REMOVE(table, event_committed, trace_committed, trace);
    }
    PROBE_REMOVE(table, turn, trace_turn, trace);
}

void event_trace_fini(struct event_trace *trace)
{
    for (tw_kpid k = 0; trace->waiting != NULL && k < trace->n_kps; k++) {
        row_undo_log_clear(&trace->waiting[k], &trace->pool);
    }
    row_pool_fini(&trace->pool);
    free(trace->waiting);
    free(trace->slots);
    free(trace->slot_of);
    *trace = (struct event_trace){0};
}

_Static_assert(sizeof(struct fmt_event_row) % 8 == 0, "payload follows the row");
_Static_assert(sizeof(struct fmt_rollback_row) % 8 == 0, "payload follows the row");
_Static_assert(offsetof(struct fmt_rollback_row, kp_ts) == sizeof(struct fmt_event_row),
               "a rollback's row begins with its event's");
