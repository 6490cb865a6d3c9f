/* batch.c - what the schedulers share. */
#include <sched.h>

#include "sched/sched.h"

/* Polls before an idle rank gives its core away; a poll takes about 100 ns. */
#define IDLE_ROUNDS_SPINNING 200u

uint64_t sched_batch(struct pe *pe, double horizon)
{
    uint64_t done = 0;
    while (done < pe->batch_events) {
        tw_event *event = pending_peek(pe->pending);
        if (event == NULL || event->recv_ts >= horizon) {
            break;
        }
        pending_pop(pe->pending);
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
