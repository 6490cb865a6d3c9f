/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * enqueue.c - puts events into the pending queue on the rank of their receiver.
 *
 * An event may arrive after its receiver has executed a later one. In an optimistic run it is a
 * straggler: its KP first rolls back. In a conservative run, such an event ends the run.
 */
#include <assert.h>

#include "engine/engine.h"
#include "engine/process/run.h"

void engine_enqueue(struct pe *pe, tw_event *event)
{
    assert(event->state.owner == EVENT_NEW);
    if (pe_keeps_history(pe) && engine_is_straggler(pe, event)) {
        engine_rollback_straggler(pe, kp_of(event->dest_lp->kp), event);
    }
    engine_push(pe, event);
}

/* Ends the run if an event from another rank comes too late, that is, if its LP has already
 * executed an event with the same or a later time. A conservative rank executes a window of virtual
 * time without receiving messages. An event with an offset below the lookahead may belong to a
 * window that the receiver has executed. */
static void check_lookahead(const struct pe *pe, const tw_event *event)
{
    const double last = pe->lp_times[event->dest_lp->id];
    if (event->recv_ts <= last) {
        char setter[RUN_LOOKAHEAD_MAX];
        tw_error(TW_LOC,
                 "lookahead violation: an event from LP %" PRIu64
                 " at time %.17g, offset %g, comes "
                 "too late for LP %" PRIu64
                 ", which has executed events up to time %.17g; the lookahead is %g: lower "
                 "%s or use --synch=3",
                 event->send_lp, event->send_ts, event->recv_ts - event->send_ts, event->dest_lpid,
                 last, pe->lookahead, run_lookahead_setter(setter));
    }
}

void engine_enqueue_received(struct pe *pe, tw_event *event)
{
    assert(event->state.remote == 1);
    if (pe->lp_times != NULL) {
        check_lookahead(pe, event);
    }
    const double reach = event->recv_ts - event->send_ts;
    pe->reach = reach < pe->reach && reach > 0.0 ? reach : pe->reach;
    engine_enqueue(pe, event);
}
