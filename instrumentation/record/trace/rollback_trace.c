/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rollback_trace.c - mode 2 of the event trace: one record per rollback. The record describes the
 * straggler or cancelled event that caused the rollback.
 *
 * The field real_time is the wall-clock time at the start of the rollback. A log of executed events
 * supplies the wall-clock time at which the KP executed the oldest undone event, and the time that
 * the handlers of all undone events took.
 *
 * Invariants
 *  B1  `rollback` is the row that is reserved for the rollback in progress. Rollbacks do not nest,
 *      and nothing else adds rows to the channel.
 *  B2  `executed` has a row for each uncommitted event, unless executed_is_off is true.
 *  B3  With a window of virtual time, only rollbacks whose causes have receive times in the window
 *      are recorded. Such a rollback undoes no event before the window, so events before the window
 *      have no rows in `executed`. It may undo events after the window.
 * Cost: a quarter of a clock reading and a row of 24 bytes per execution; a clock reading and 16
 * bytes per message between ranks; a row per rollback. Runs that cannot roll back pay nothing.
 */
#include "record/base/probe_set.h"
#include "record/trace/event_trace_private.h"

size_t event_trace_rollback_bytes(size_t payload_max)
{
    return fmt_row_bytes(sizeof(struct fmt_rollback_row), payload_max);
}

static void rollback_executed(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    struct event_trace *trace = ctx;
    const int64_t handler_ns = handler_clock_stop(&trace->clock);
    (void)ahead;
    if (__builtin_expect(trace->executed_is_off, 0)) {
        return;
    }
    struct executed_row *row = kp_log_push(&trace->executed, e);
    if (__builtin_expect(row == NULL, 0)) {
        kp_log_clear(&trace->executed);
        trace->executed_is_off = true;
        return;
    }
    row->seconds = trace_seconds(trace);
    row->handler_ns = handler_ns;
}

static void rollback_undone(void *ctx, const tw_event *e, bool state_restored)
{
    struct event_trace *trace = ctx;
    (void)state_restored;
    if (!trace->executed_is_off) {
        const struct executed_row *row = kp_log_youngest(&trace->executed, e);
        trace->passed_seconds = row->seconds;
        if (row->handler_ns != HANDLER_NOT_TIMED) {
            const int64_t ns = row->handler_ns < 0 ? -row->handler_ns : row->handler_ns;
            trace->undone_ns += ns * trace->clock.every;
        }
        kp_log_drop(&trace->executed, e);
    }
}

static void rollback_executed_in_window(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    struct event_trace *trace = ctx;
    if (e->recv_ts >= trace->from) {
        rollback_executed(trace, e, ahead);
    } else {
        (void)handler_clock_stop(&trace->clock);
    }
}

static void rollback_undone_in_window(void *ctx, const tw_event *e, bool state_restored)
{
    struct event_trace *trace = ctx;
    if (e->recv_ts >= trace->from) {
        rollback_undone(trace, e, state_restored);
    }
}

static void rollback_committed(void *ctx, const tw_pe *pe, tw_stime gvt, uint64_t n)
{
    struct event_trace *trace = ctx;
    (void)pe;
    if (n > 0) {
        kp_log_trim(&trace->executed, gvt);
    }
}

static void fill_cause(struct fmt_rollback_row *row, const tw_event *e, enum probe_rollback why)
{
    const struct probe_rollback_cause cause = probe_rollback_cause(e);
    const struct tw_counters *counters = pe_counters(g_tw_pe);
    row->kp_ts = e->dest_lp->kp->last_time;
    row->cause = (uint32_t)why;
    row->trigger = (uint32_t)cause.trigger;
    row->number = counters->primary_rollbacks + counters->secondary_rollbacks;
    row->cause_number = cause.cause_number;
    row->cause_pe = cause.cause_pe;
    row->src_pe = cause.src_pe;
    row->send_time = row->real_time - cause.travel_seconds;
}

static void rollback_begins(void *ctx, const tw_event *e, enum probe_rollback why)
{
    struct event_trace *trace = ctx;
    const struct trace_slot *slot = trace_slot_of(trace, e);
    assert(trace->rollback == NULL);
    if (slot->payload_size == TRACE_NOTHING) {
        return;
    }
    size_t bytes = event_trace_rollback_bytes(slot->payload_size);
    struct fmt_rollback_row *row = channel_reserve(trace->channel, bytes);
    if (slot->callback != NULL && trace_collect(slot, e, row + 1, "rbev_trace") == 0) {
        return;
    }
    trace_fill_row((struct fmt_event_row *)row, e, slot, run_seconds(), trace->pe);
    fill_cause(row, e, why);
    trace->rollback = row;
    trace->rollback_bytes = (uint32_t)bytes;
    trace->passed_seconds = row->real_time;
    trace->undone_ns = 0;
}

static void rollback_begins_in_window(void *ctx, const tw_event *e, enum probe_rollback why)
{
    struct event_trace *trace = ctx;
    if (trace_window_has(trace, e)) {
        rollback_begins(trace, e, why);
    }
}

static void rollback_ends(void *ctx, tw_kp *kp, enum probe_rollback why, uint64_t events_undone)
{
    struct event_trace *trace = ctx;
    assert(kp->id < trace->n_kps);
    (void)kp;
    (void)why;
    struct fmt_rollback_row *row = trace->rollback;
    if (row != NULL) {
        row->events_undone = events_undone;
        row->passed_time = trace->passed_seconds;
        row->undone_time = trace->clock.every != 0 ? trace->undone_ns : HANDLER_NOT_TIMED;
        trace->rollback = NULL;
        channel_commit(trace->channel, trace->rollback_bytes);
    }
}

void rollback_trace_attach(struct event_trace *trace, struct probe_table *table, bool on)
{
    const bool in_window = trace->has_window;
    PROBE_SET(on, table, rollback_begin, in_window ? rollback_begins_in_window : rollback_begins,
              trace);
    PROBE_SET(on, table, rollback_end, rollback_ends, trace);
    if (trace_may_undo(table)) {
        probe_stamp_messages(on);
        handler_clock_attach(&trace->clock, table, on);
        PROBE_SET(on, table, event_executed,
                  in_window ? rollback_executed_in_window : rollback_executed, trace);
        PROBE_SET(on, table, event_undone, in_window ? rollback_undone_in_window : rollback_undone,
                  trace);
        PROBE_SET(on, table, fossils_collected, rollback_committed, trace);
    }
}
