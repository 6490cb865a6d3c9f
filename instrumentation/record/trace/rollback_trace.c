/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rollback_trace.c - mode 2 of the event trace: one record per rollback. The record describes the
 * straggler or cancelled event that caused the rollback.
 *
 * The field real_time is the wall-clock time at the start of the rollback. The engine keeps a stamp
 * for each executed event: the wall-clock time at which its turn began or, if turns are long, at
 * which it was executed. If handlers are timed, a log of executed events supplies the time that the
 * handlers of all undone events took.
 *
 * Invariants
 *  B1  `rollback` is the row that is reserved for the rollback in progress. Rollbacks do not nest,
 *      and nothing else adds rows to the channel.
 *  B2  `executed` has a row for each uncommitted event if handlers are timed, unless
 *      executed_is_off is true.
 *  B3  With a window of virtual time, only rollbacks whose causes have receive times in the window
 *      are recorded.
 * Cost: 6 instructions and 8 bytes per execution; a clock reading per turn and per message between
 * ranks, and 16 bytes per message; a row per rollback. If turns take more than 8 us, a quarter of a
 * clock reading per execution, or a whole one; if handlers are timed, a row of 16 bytes more. Runs
 * that cannot roll back pay nothing.
 */
#include "record/base/probe_set.h"
#include "record/trace/event_trace_private.h"

/* After LONG_TURNS turns with events that each took more than TURN_SHORT seconds, each event gets a
 * stamp of its own; after a shorter one, all events of a turn share one. */
#define TURN_SHORT 8e-6
#define LONG_TURNS 2u

static void stamp_event(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    struct event_trace *trace = ctx;
    (void)e;
    (void)ahead;
    trace_look_at_clock(trace);
    probe_stamp(trace->seconds);
}

/* Stamps the events of the next turn, and decides whether each of them gets a stamp of its own. */
static void stamp_turn(void *ctx, const tw_pe *pe)
{
    struct event_trace *trace = ctx;
    const uint64_t processed = pe_counters(pe)->events_processed;
    const double now = run_seconds();
    if (processed != trace->turn_processed) {
        trace->long_turns = now - trace->turn_began <= TURN_SHORT ? 0 : trace->long_turns + 1;
        const bool each = trace->long_turns >= LONG_TURNS;
        if (each != trace->stamps_each) {
            trace->stamps_each = each;
            PROBE_SET(each, trace->table, event_executed, stamp_event, trace);
        }
    }
    trace->turn_processed = processed;
    trace->turn_began = now;
    trace->reusable = 0;
    probe_stamp(now);
}

static void stamp_undone(void *ctx, const tw_event *e, bool state_restored)
{
    struct event_trace *trace = ctx;
    (void)state_restored;
    trace->passed_seconds = probe_stamp_of(e);
}

static void timed_executed(void *ctx, const tw_event *e, const tw_lp *ahead)
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
    row->handler_ns = handler_ns;
}

static void timed_undone(void *ctx, const tw_event *e, bool state_restored)
{
    struct event_trace *trace = ctx;
    (void)state_restored;
    if (!trace->executed_is_off) {
        const struct executed_row *row = kp_log_youngest(&trace->executed, e);
        if (row->handler_ns != HANDLER_NOT_TIMED) {
            const int64_t ns = row->handler_ns < 0 ? -row->handler_ns : row->handler_ns;
            trace->undone_ns += ns * trace->clock.every;
        }
        kp_log_drop(&trace->executed, e);
    }
}

static void timed_committed(void *ctx, const tw_pe *pe, tw_stime gvt, uint64_t n)
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
    const uint32_t size = slot->ids.payload_size;
    assert(trace->rollback == NULL);
    const bool is_left_out =
        size == TRACE_NOTHING || (trace->has_window && !trace_window_has(trace, e));
    if (is_left_out || !trace_collects(slot->callback, size, e, "rbev_trace")) {
        return;
    }
    size_t bytes = fmt_row_bytes(sizeof(struct fmt_rollback_row), size);
    struct fmt_rollback_row *row = channel_reserve(trace->channel, bytes);
    payload_take(row + 1, slot->payload_padded);
    trace_fill_row((struct fmt_event_row *)row, e, slot, run_seconds());
    fill_cause(row, e, why);
    trace->rollback = row;
    trace->rollback_bytes = (uint32_t)bytes;
    trace->passed_seconds = row->real_time;
    trace->undone_ns = 0;
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

static void attach_times(struct event_trace *trace, struct probe_table *table, bool on)
{
    handler_clock_attach(&trace->clock, table, on);
    PROBE_SET(on, table, event_executed, timed_executed, trace);
    PROBE_SET(on, table, event_undone, timed_undone, trace);
    PROBE_SET(on, table, fossils_collected, timed_committed, trace);
}

void rollback_trace_attach(struct event_trace *trace, struct probe_table *table, bool on)
{
    PROBE_SET(on, table, rollback_begin, rollback_begins, trace);
    PROBE_SET(on, table, rollback_end, rollback_ends, trace);
    if (trace_may_undo(table)) {
        probe_stamp_messages(on);
        probe_keep_stamps(on);
        PROBE_SET(on, table, turn, stamp_turn, trace);
        PROBE_SET(on, table, event_undone, stamp_undone, trace);
        if (on || trace->stamps_each) {
            PROBE_SET(on, table, event_executed, stamp_event, trace);
        }
        trace->table = table;
        trace->stamps_each = on;
        trace->long_turns = LONG_TURNS;
        if (trace->clock.every != 0) {
            attach_times(trace, table, on);
        }
    }
}
