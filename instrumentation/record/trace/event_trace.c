/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_trace.c - writes event records from within the event loop: modes 1 and 3. Mode 2 is in
 * rollback_trace.c.
 *
 * Mode 1 records every execution, including those undone later. Mode 3 records committed events.
 * In a run that cannot roll back, every execution is committed at once, so mode 3 is mode 1.
 * Otherwise a row of mode 3 waits: the model's callback needs the message and the LP as they are
 * right after the forward handler. Its payload and the times of the execution go to a queue of the
 * KP. Undoing the event drops them; the commit makes the record of them and of the event, which the
 * engine has kept. A committed record thus has the data and the wall-clock time of the execution
 * that was committed, in every scheduler.
 *
 * The field real_time of a record is the wall-clock time of the execution. Events of untraced LPs
 * are numbered as well (send_order.h), since they may send events to traced LPs.
 *
 * Invariants
 *  T1  If the callback sets *collect_flag to 0, the event is not recorded, in any mode.
 *  T2  The payload is zeroed before the callback, so no undefined bytes reach the file. Bytes
 *      written beyond the payload do not reach the file either; see payload_room.h.
 *  T3  The row of mode 2 is reserved during a rollback; see rollback_trace.c.
 *  T4  `waiting` holds one row for each executed event of a traced LP that is neither undone nor
 *      committed, in the order in which the KP executed these events. The event of the youngest row
 *      is undone first, that of the oldest row is committed first. The LP determines the length of
 *      a row.
 *  T5  If is_off is true, memory for a row was exhausted, and `waiting` is empty. Each later
 *      committed event of a traced LP counts as dropped, even if the model would have rejected it.
 *  T6  If events take less than half a microsecond, up to four executions of one scheduler turn
 *      share a clock reading; otherwise each execution has a reading of its own. A reading takes
 *      some 10 ns, or 20 ns in a virtual machine: as long as all other work for a record.
 *  T7  With a window of virtual time, the probes have functions that test the receive time first.
 *      An event outside the window has no row, but is numbered for send_order like other events.
 *
 * Cost per event: one 80-byte row, the model's callback, a quarter of a clock reading; if rows wait,
 * 24 bytes and the payload more. An event outside the window costs two comparisons and its number;
 * without a window there is no test.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/base/probe_set.h"
#include "record/buffer/channel_loss.h"
#include "record/options/options.h"
#include "record/trace/event_trace_private.h"
#include "store/array.h"

/* The part of a record that only the execution of its event knows; the payload follows. The event
 * itself has the rest until its commit. */
struct waiting_row {
    double real_time;
    int64_t handler_time;
    uint32_t sent;
    uint32_t wanted; /* 0: the model has rejected the event */
#ifndef NDEBUG
    const tw_event *event;
#endif
};

/* Notes the event of a row, for an assertion. */
#ifdef NDEBUG
#define WAITING_NOTE(row, e) ((void)0)
#else
#define WAITING_NOTE(row, e) ((row)->event = (e))
#endif

static void trace_turn(void *ctx, const tw_pe *pe)
{
    struct event_trace *trace = ctx;
    (void)pe;
    /* The last clock reading is too old: other work or a wait has possibly followed it. */
    trace->reusable = 0;
}

/* ---- Rows made at execution ------------------------------------------------------------------ */

/* A trace is simple if all LPs have the same payload of SIMPLE_SIZE bytes and no handlers are timed.
 * LPs that are traced by choice may be chosen again, so that such a trace is not simple. A timed trace
 * is simple, but for its timed handlers. Functions with the parameter `way` are compiled for each way;
 * those for a simple or timed trace have constants in place of sizes and tests. */
#define SIMPLE_SIZE 8u
#define FOR_ALL     static inline __attribute__((always_inline))
enum way { WAY_ANY, WAY_SIMPLE, WAY_TIMED, WAY_IN_WINDOW };
#define HAS_ONE_SIZE(way) ((way) == WAY_SIMPLE || (way) == WAY_TIMED)

/* Defines NAME_ways, an array of functions for probes: NAME() in each way. */
#define IN_ALL_WAYS(name)                                                                          \
    static void name##_any(void *ctx, const tw_event *e, const tw_lp *ahead)                       \
    {                                                                                              \
        name(ctx, e, ahead, WAY_ANY);                                                              \
    }                                                                                              \
    static void name##_simple(void *ctx, const tw_event *e, const tw_lp *ahead)                    \
    {                                                                                              \
        name(ctx, e, ahead, WAY_SIMPLE);                                                           \
    }                                                                                              \
    static void name##_timed(void *ctx, const tw_event *e, const tw_lp *ahead)                     \
    {                                                                                              \
        name(ctx, e, ahead, WAY_TIMED);                                                            \
    }                                                                                              \
    static void name##_in_window(void *ctx, const tw_event *e, const tw_lp *ahead)                 \
    {                                                                                              \
        name(ctx, e, ahead, WAY_IN_WINDOW);                                                        \
    }                                                                                              \
    static void (*const name##_ways[])(void *, const tw_event *, const tw_lp *) = {                \
        name##_any, name##_simple, name##_timed, name##_in_window}

static enum way way_of(const struct event_trace *trace)
{
    const bool simple = trace->traces_all && trace->only != NULL && trace->only->callback != NULL &&
                        trace->only->ids.payload_size == SIMPLE_SIZE;
    const enum way way = trace->clock.every == 0 ? WAY_SIMPLE : WAY_TIMED;
    return trace->has_window ? WAY_IN_WINDOW : simple ? way : WAY_ANY;
}

/* Returns the slot of the LP of event e; NULL if such events are not recorded. */
FOR_ALL const struct trace_slot *slot_of(const struct event_trace *trace, const tw_event *e,
                                         enum way way)
{
    if (HAS_ONE_SIZE(way)) {
        return trace->only;
    }
    const struct trace_slot *slot = trace_slot_of(trace, e);
    const bool is_left_out = slot->ids.payload_size == TRACE_NOTHING ||
                             (way == WAY_IN_WINDOW && !trace_window_has(trace, e));
    return is_left_out ? NULL : slot;
}

/* Likewise; called first when an event has been executed. */
FOR_ALL const struct trace_slot *slot_of_executed(struct event_trace *trace, const tw_event *e,
                                                  const tw_lp *ahead, enum way way)
{
    if (way != WAY_SIMPLE) {
        (void)handler_clock_stop(&trace->clock);
    }
    if (!HAS_ONE_SIZE(way)) {
        trace_prefetch(trace, ahead);
    }
    return slot_of(trace, e, way);
}

/* Returns the size of the payload of a slot with its padding. */
FOR_ALL uint32_t padded_of(const struct trace_slot *slot, enum way way)
{
    return HAS_ONE_SIZE(way) ? SIMPLE_SIZE : slot->payload_padded;
}

/* Returns true if e is to be recorded; its payload is then in the payload room. */
FOR_ALL bool collects(const struct trace_slot *slot, const tw_event *e, enum way way)
{
    assert(!HAS_ONE_SIZE(way) || slot->callback != NULL);
    return trace_collects(slot->callback, HAS_ONE_SIZE(way) ? SIMPLE_SIZE : slot->ids.payload_size,
                          e, "ev_trace");
}

FOR_ALL void executed(void *ctx, const tw_event *e, const tw_lp *ahead, enum way way)
{
    struct event_trace *trace = ctx;
    const struct trace_slot *slot = slot_of_executed(trace, e, ahead, way);
    if ((!HAS_ONE_SIZE(way) && slot == NULL) || !collects(slot, e, way)) {
        return;
    }
    trace_look_at_clock(trace);
    const uint32_t padded = padded_of(slot, way);
    struct fmt_event_row *row = channel_reserve(trace->channel, sizeof *row + padded);
    trace_fill_row(row, e, slot, trace->seconds);
    row->send_order = send_order_of_cause(&trace->order, e);
    row->sent = probe_events_sent(e);
    row->handler_time = way == WAY_SIMPLE ? HANDLER_NOT_TIMED : trace->clock.taken;
    payload_take(row + 1, padded);
    channel_commit(trace->channel, sizeof *row + padded);
}
IN_ALL_WAYS(executed);

/* ---- Mode 3: rows that wait for the commit --------------------------------------------------- */

/* Ends the trace because memory is exhausted; the run goes on. */
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

FOR_ALL void waiting(void *ctx, const tw_event *e, const tw_lp *ahead, enum way way)
{
    struct event_trace *trace = ctx;
    const struct trace_slot *slot = slot_of_executed(trace, e, ahead, way);
    if ((!HAS_ONE_SIZE(way) && slot == NULL) || __builtin_expect(trace->is_off, 0)) {
        return;
    }
    const bool wanted = collects(slot, e, way);
    trace_look_at_clock(trace);
    const uint32_t padded = padded_of(slot, way);
    struct waiting_row *row =
        row_undo_log_push(&trace->waiting[e->dest_lp->kp->id], &trace->pool, sizeof *row + padded);
    if (__builtin_expect(row == NULL, 0)) {
        switch_off(trace);
        return;
    }
    row->real_time = trace->seconds;
    row->handler_time = way == WAY_SIMPLE ? HANDLER_NOT_TIMED : trace->clock.taken;
    row->sent = probe_events_sent(e);
    row->wanted = wanted;
    WAITING_NOTE(row, e);
    payload_take(row + 1, padded);
}
IN_ALL_WAYS(waiting);

static void trace_undone(void *ctx, const tw_event *e, bool state_restored)
{
    struct event_trace *trace = ctx;
    (void)state_restored;
    send_order_undone(&trace->order, e);
    if (!trace->waits || trace->is_off) {
        return;
    }
    const struct trace_slot *slot = slot_of(trace, e, trace->has_window ? WAY_IN_WINDOW : WAY_ANY);
    if (slot != NULL) {
        row_undo_log_pop_young(&trace->waiting[e->dest_lp->kp->id], &trace->pool,
                               sizeof(struct waiting_row) + slot->payload_padded);
    }
}

/* Makes the record of a committed event from the event and its waiting row. */
FOR_ALL void committed(void *ctx, const tw_event *e, const tw_lp *ahead, enum way way)
{
    struct event_trace *trace = ctx;
    const struct trace_slot *slot = slot_of(trace, e, way);
    (void)ahead;
    if (!HAS_ONE_SIZE(way) && slot == NULL) {
        return;
    }
    if (__builtin_expect(trace->is_off, 0)) {
        channel_lose(trace->channel, 1);
        return;
    }
    struct row_undo_log *log = &trace->waiting[e->dest_lp->kp->id];
    const struct waiting_row *from = row_undo_log_oldest(log);
    const uint32_t padded = padded_of(slot, way);
    assert(from->event == e);
    if (from->wanted != 0) {
        struct fmt_event_row *row = channel_reserve(trace->channel, sizeof *row + padded);
        trace_fill_row(row, e, slot, from->real_time);
        row->send_order = send_order_of_cause(&trace->order, e);
        row->sent = from->sent;
        row->handler_time = from->handler_time;
        payload_copy_words((uint64_t *)(row + 1), (const uint64_t *)(from + 1), padded / 8);
        channel_commit(trace->channel, sizeof *row + padded);
    }
    row_undo_log_pop_old(log, &trace->pool, sizeof *from + padded);
}
IN_ALL_WAYS(committed);

/* ---- Set-up ---------------------------------------------------------------------------------- */

/* Number of slots that find_slot() compares, newest first. A duplicate slot costs only memory. */
#define SLOTS_COMPARED 64u

static bool is_same(const struct trace_slot *a, const struct trace_slot *b)
{
    return a->callback == b->callback && a->ids.payload_size == b->ids.payload_size &&
           a->ids.payload_type == b->ids.payload_type;
}

/* Sets *place to the index of a slot that equals *slot. Adds such a slot if it is not among the
 * slots compared. Returns false if memory is exhausted. */
static bool find_slot(struct event_trace *trace, const struct trace_slot *slot, uint32_t *place)
{
    uint32_t oldest = trace->n_slots > SLOTS_COMPARED ? trace->n_slots - SLOTS_COMPARED : 0;
    for (uint32_t i = trace->n_slots; i > oldest; i--) {
        if (is_same(&trace->slots[i - 1], slot)) {
            *place = i - 1;
            return true;
        }
    }
    if (!array_append(&trace->slots, trace->n_slots, sizeof *trace->slots)) {
        return false;
    }
    *place = trace->n_slots++;
    trace->slots[*place] = *slot;
    return true;
}

static struct trace_slot describe(const struct payload_slot *payload, bool traced, bool rollbacks)
{
    if (!traced) {
        return (struct trace_slot){.ids = {.payload_size = TRACE_NOTHING}};
    }
    struct trace_slot slot = {.ids = {.pe = (uint32_t)g_tw_pe->id,
                                      .payload_type = payload->id,
                                      .payload_size = payload->size},
                              .payload_padded = (uint32_t)payload_padded(payload->size)};
    if (payload->size != 0) {
        slot.callback = rollbacks ? payload->types->rbev_trace : payload->types->ev_trace;
    }
    return slot;
}

/* Allocates the data that `mode` needs in addition to slots and waiting rows. Returns TW_OK or
 * TW_ERR_MEMORY. */
static enum tw_status init_mode(struct event_trace *trace, unsigned mode, tw_lpid n_lps)
{
    if (mode == RECORD_TRACE_ROLLBACKS) {
        return kp_log_init(&trace->executed, trace->n_kps, sizeof(struct executed_row))
                   ? TW_OK
                   : TW_ERR_MEMORY;
    }
    return send_order_init(&trace->order, n_lps, trace->n_kps);
}

enum tw_status event_trace_choose(struct event_trace *trace, unsigned mode, tw_lpid n_lps,
                                  const struct payload_slot *payloads, const bool *traced)
{
    for (tw_lpid i = 0; i < n_lps; i++) {
        struct trace_slot slot =
            describe(&payloads[i], traced == NULL || traced[i], mode == RECORD_TRACE_ROLLBACKS);
        if (!find_slot(trace, &slot, &trace->slot_of[i])) {
            return TW_ERR_MEMORY;
        }
    }
    trace->only = trace->n_slots == 1 ? trace->slots : NULL;
    trace->traces_all = traced == NULL;
    return TW_OK;
}

enum tw_status event_trace_init(struct event_trace *trace, unsigned mode, uint32_t event_times,
                                struct record_channel *channel, tw_lpid n_lps,
                                const struct payload_slot *payloads, const bool *traced)
{
    size_t payload_max = 0;
    *trace =
        (struct event_trace){.channel = channel, .pe = (uint32_t)g_tw_pe->id, .n_kps = g_tw_nkp};
    trace->slot_of = calloc(n_lps + 1, sizeof(*trace->slot_of));
    trace->waiting = calloc(trace->n_kps + 1, sizeof(*trace->waiting));
    handler_clock_init(&trace->clock, event_times);
    if (trace->slot_of == NULL || trace->waiting == NULL ||
        init_mode(trace, mode, n_lps) != TW_OK) {
        event_trace_fini(trace);
        return TW_ERR_MEMORY;
    }
    if (event_trace_choose(trace, mode, n_lps, payloads, traced) != TW_OK) {
        event_trace_fini(trace);
        return TW_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < trace->n_slots; i++) {
        const struct trace_slot *slot = &trace->slots[i];
        if (slot->ids.payload_size != TRACE_NOTHING && slot->ids.payload_size > payload_max) {
            payload_max = slot->ids.payload_size;
        }
    }
    row_pool_init(&trace->pool, fmt_row_bytes(sizeof(struct waiting_row), payload_max));
    return TW_OK;
}

void event_trace_set_window(struct event_trace *trace, double from, double to)
{
    trace->from = from;
    trace->to = to;
    trace->has_window = isfinite(from) || isfinite(to);
}

void event_trace_attach(struct event_trace *trace, unsigned mode, struct probe_table *table,
                        bool on)
{
    assert(trace->channel != NULL && trace->slot_of != NULL && trace->rollback == NULL);
    if (mode == RECORD_TRACE_OFF) {
        return;
    }
    if (mode == RECORD_TRACE_ROLLBACKS) {
        rollback_trace_attach(trace, table, on);
        return;
    }
    PROBE_SET(on, table, turn, trace_turn, trace);
    handler_clock_attach(&trace->clock, table, on);
    send_order_attach(&trace->order, table, on);
    if (on) {
        trace->waits = mode == RECORD_TRACE_COMMITTED && trace_may_undo(table);
    }
    const enum way way = way_of(trace);
    PROBE_SET(on, table, event_executed, trace->waits ? waiting_ways[way] : executed_ways[way],
              trace);
    PROBE_SET(on, table, event_undone, trace_undone, trace);
    table->wanted &= ~PROBE_ENGINE_NEAR;
    table->wanted |= on && HAS_ONE_SIZE(way) ? PROBE_ENGINE_NEAR : 0;
    if (trace->waits) {
        PROBE_SET(on, table, event_committed, committed_ways[way], trace);
    }
}

void event_trace_begin_after(struct event_trace *trace, double ts)
{
    trace->order.begin = ts;
}

void event_trace_fini(struct event_trace *trace)
{
    for (tw_kpid k = 0; trace->waiting != NULL && k < trace->n_kps; k++) {
        row_undo_log_clear(&trace->waiting[k], &trace->pool);
    }
    row_pool_fini(&trace->pool);
    send_order_fini(&trace->order);
    kp_log_fini(&trace->executed);
    free(trace->waiting);
    free(trace->slots);
    free(trace->slot_of);
    *trace = (struct event_trace){0};
}

_Static_assert(sizeof(struct fmt_event_row) % 8 == 0, "payload follows the row");
_Static_assert(sizeof(struct fmt_rollback_row) % 8 == 0, "payload follows the row");
_Static_assert(offsetof(struct fmt_rollback_row, kp_ts) ==
                   offsetof(struct fmt_event_row, send_order),
               "the rows of events and of rollbacks begin with the fields of FMT_EVENT_ID");
