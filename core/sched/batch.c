/* batch.c - what the schedulers share. */
#include <sched.h>

#include "base/prefetch.h"
#include "sched/sched.h"

/* Polls before an idle rank gives its core away; a poll takes about 100 ns. */
#define IDLE_ROUNDS_SPINNING 200u

/* How many events ahead memory is asked for: one miss takes about as long as one or two events. */
#define PREFETCH_LP_EVENTS    4u
#define PREFETCH_STATE_EVENTS 2u

/* The LP of an event soon to come: its head and streams, and its state. */
PREFETCHING void prefetch_ahead(const struct pending *pending)
{
    const tw_event *near = pending_ahead(pending, PREFETCH_STATE_EVENTS);
    const tw_event *far = pending_ahead(pending, PREFETCH_LP_EVENTS);
    if (near != NULL) {
        __builtin_prefetch(near->lp->cur_state, 1);
    }
    if (far != NULL) {
        __builtin_prefetch(far->lp, 1);
        __builtin_prefetch((const char *)far->lp + 64, 1);
    }
}

uint64_t sched_batch(struct pe *pe, double horizon, uint64_t most)
{
    uint64_t done = 0;
    most = most < pe->batch_events ? most : pe->batch_events;
    while (done < most) {
        tw_event *event = pending_peek(pe->pending);
        if (event == NULL || event->recv_ts >= horizon) {
            break;
        }
        pending_pop(pe->pending);
        prefetch_ahead(pe->pending);
        engine_execute(pe, event);
        done++;
    }
    return done;
}

void sched_idle(unsigned *idle_rounds)
{
    if (++*idle_rounds > IDLE_ROUNDS_SPINNING) {
        sched_yield();
    }
}
