/* SPDX-License-Identifier: BSD-3-Clause */
/* event_trace_private.h - interface between the files that implement the event trace. */
#ifndef WARPSCOPE_RECORD_TRACE_EVENT_TRACE_PRIVATE_H
#define WARPSCOPE_RECORD_TRACE_EVENT_TRACE_PRIVATE_H

#include <assert.h>

#include "record/describe/payload_room.h"
#include "record/trace/event_trace.h"

#define CLOCK_SHARED_BY 4 /* maximum number of executions that share a clock reading */
/* Executions are short enough to share a clock reading if at most this time, in seconds, lies
 * between that reading and the previous one. */
#define CLOCK_SHARED_WITHIN 2e-6

/* Returns true if the run keeps executed events, so that it can roll back. */
static inline bool trace_may_undo(const struct probe_table *table)
{
    return (table->wanted & PROBE_ENGINE_HISTORY) != 0;
}

/* Reads the clock, and decides whether the next executions share this reading. */
static __attribute__((noinline)) void trace_read_clock(struct event_trace *trace)
{
    const double now = run_seconds();
    trace->reusable = now - trace->seconds < CLOCK_SHARED_WITHIN ? CLOCK_SHARED_BY - 1 : 0;
    trace->seconds = now;
}

/* Returns the slot of the LP of event e. If there are several slots, every event reads its LP's
 * entry, so the data per LP must be small enough to stay in the cache. */
static inline const struct trace_slot *trace_slot_of(const struct event_trace *trace,
                                                     const tw_event *e)
{
    if (trace->only != NULL) {
        return trace->only;
    }
    assert(trace->slot_of[e->dest_lp->id] < trace->n_slots);
    return &trace->slots[trace->slot_of[e->dest_lp->id]];
}

/* Prefetches the entry of LP `ahead`, if trace_slot_of() reads one. */
PREFETCHING void trace_prefetch(const struct event_trace *trace, const tw_lp *ahead)
{
    if (trace->only == NULL) {
        probe_prefetch(ahead, trace->slot_of, sizeof *trace->slot_of);
    }
}

/* Returns true if the receive time of e is in the window. The result for an event never changes, so
 * an undone or committed event is treated as it was when it was executed. */
static inline bool trace_window_has(const struct event_trace *trace, const tw_event *e)
{
    return e->recv_ts >= trace->from && e->recv_ts < trace->to;
}

/* Reads the clock for an execution, unless it shares the last reading; trace->seconds is the time. */
static inline void trace_look_at_clock(struct event_trace *trace)
{
    if (--trace->reusable < 0) {
        trace_read_clock(trace);
    }
}

/* Fills the fields with which records of events and of rollbacks begin. */
static inline void trace_fill_row(struct fmt_event_row *row, const tw_event *e,
                                  const struct trace_slot *slot, double real_time)
{
    const uint32_t kp = (uint32_t)e->dest_lp->kp->id;
    row->src_lp = e->send_lp;
    row->dest_lp = e->dest_lpid;
    row->send_ts = e->send_ts;
    row->recv_ts = e->recv_ts;
    row->prio = e->prio;
    row->real_time = real_time;
    memcpy(&row->pe, &slot->ids, sizeof slot->ids);
    row->kp = kp;
}
_Static_assert(offsetof(struct fmt_event_row, payload_size) - offsetof(struct fmt_event_row, pe) ==
                   offsetof(struct trace_ids, payload_size),
               "struct trace_ids has fields of a record in their order");

/* Calls the model's callback, if there is one, which fills the payload of e's record: `size` bytes,
 * for payload_take(). Returns false if the event is not to be recorded. name: name of the callback
 * in st_model_types. */
static inline bool trace_collects(ev_trace_f callback, uint32_t size, const tw_event *e,
                                  const char *name)
{
    assert(size != TRACE_NOTHING);
    if (callback == NULL) {
        return true;
    }
    int collect_flag = 1;
    callback(probe_message(e), e->dest_lp, payload_room_open(size), &collect_flag);
    payload_room_close(size, e->dest_lp, name);
    return collect_flag != 0;
}

/* Copies the payload, of `bytes` bytes with its padding, to `to`. */
static inline void payload_take(void *to, uint32_t bytes)
{
    payload_copy_words(to, (const uint64_t *)(const void *)g_payload_room.bytes, bytes / 8);
}

/* Adds the functions of mode 2 to the probes of table; on == false: removes them. Defined in
 * rollback_trace.c. */
void rollback_trace_attach(struct event_trace *trace, struct probe_table *table, bool on);

#endif
