/* SPDX-License-Identifier: BSD-3-Clause */
/* event_trace_private.h - interface between the files that implement the event trace. */
#ifndef WARPSCOPE_RECORD_TRACE_EVENT_TRACE_PRIVATE_H
#define WARPSCOPE_RECORD_TRACE_EVENT_TRACE_PRIVATE_H

#include <assert.h>

#include "record/describe/payload_room.h"
#include "record/trace/event_trace.h"

#define CLOCK_SHARED_BY 4u /* maximum number of executions that share a clock reading */
/* Executions are short enough to share a clock reading if at most this time, in seconds, lies
 * between that reading and the previous one. */
#define CLOCK_SHARED_WITHIN 2e-6

/* Returns true if the run keeps executed events, so that it can roll back. */
static inline bool trace_may_undo(const struct probe_table *table)
{
    return (table->wanted & PROBE_ENGINE_HISTORY) != 0;
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

static inline double trace_seconds(struct event_trace *trace)
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

/* Fills the fields with which records of events and of rollbacks begin. */
static inline void trace_fill_row(struct fmt_event_row *row, const tw_event *e,
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

/* Calls the model's callback to fill payload. Returns the collect flag; 0: the event is not
 * recorded. name: name of the callback in st_model_types. */
static inline int trace_collect(const struct trace_slot *slot, const tw_event *e, void *payload,
                                const char *name)
{
    assert(slot->callback != NULL && slot->payload_size != TRACE_NOTHING);
    int collect_flag = 1;
    void *room = payload_room_open(slot->payload_size);
    slot->callback(probe_message(e), e->dest_lp, room, &collect_flag);
    payload_room_close(slot->payload_size, e->dest_lp, name);
    payload_copy_words(payload, room, slot->payload_padded / 8);
    return collect_flag;
}

/* Adds the functions of mode 2 to the probes of table; on == false: removes them. Defined in
 * rollback_trace.c. */
void rollback_trace_attach(struct event_trace *trace, struct probe_table *table, bool on);

#endif
