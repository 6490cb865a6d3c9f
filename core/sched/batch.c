/* batch.c - what the schedulers share. */
#include <sched.h>

#include "base/prefetch.h"
#include "sched/sched.h"

/* Polls before an idle rank gives its core away; a poll takes about 100 ns. */
#define IDLE_ROUNDS_SPINNING 200u

/* The state of an event soon to come. Its LP, which says where that is, the queue has fetched. */
#define PREFETCH_STATE_EVENTS 2u

PREFETCHING void prefetch_state_ahead(const struct pending *pending)
{
    const tw_event *event = pending_ahead(pending, PREFETCH_STATE_EVENTS);
    if (event != NULL) {
        __builtin_prefetch(event->lp->cur_state, 1);
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
        prefetch_state_ahead(pe->pending);
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
