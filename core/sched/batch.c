/* SPDX-License-Identifier: BSD-3-Clause */
/* batch.c - executes batches of events, for all schedulers. */
#include <assert.h>

#include "base/prefetch.h"
#include "sched/sched.h"

/* Prefetch distance for LP states: position, in the pending queue, of the event whose LP's state is
 * prefetched; 0 would be the next event. The queue has already prefetched the LP, which holds the
 * address of the state. */
#define PREFETCH_STATE_EVENTS 2u

PREFETCHING void prefetch_state_ahead(const struct pending *pending)
{
    const tw_event *event = pending_ahead(pending, PREFETCH_STATE_EVENTS);
    if (event != NULL) {
        __builtin_prefetch(event->dest_lp->cur_state, 1);
    }
}

/*
 * Executes a batch, and returns the number of events executed. timed: true if this turn of the loop
 * is timed. times: array, indexed by local LP number, that receives the time of each LP's last
 * event; NULL: none. Calls for untimed turns pass constants for `timed` and for an unused `times`,
 * so the inlined code has no tests of them.
 *
 * If a signal ends the run, the batch ends after the current event: the signal handler sets
 * pe->batch_most, so the loop needs no test for signals.
 */
static inline __attribute__((always_inline)) uint64_t
batch(struct pe *pe, double horizon, uint64_t most, bool timed, double *times)
{
    assert(most > 0);
    uint64_t done = 0;
    pe->batch_most = most;
    if (g_tw_signal != 0 && most > 1) {
        pe->batch_most = 1;
    }
    while (done < pe->batch_most) {
        if (timed) {
            phase_enter(&pe->phases, TW_PHASE_priority_queue);
        }
        tw_event *event = pending_peek(pe->pending);
        if (event == NULL || event->recv_ts >= horizon) {
            break;
        }
        pending_pop(pe->pending);
        prefetch_state_ahead(pe->pending);
        if (times != NULL) {
            times[event->dest_lp->id] = event->recv_ts;
        }
        if (timed) {
            phase_enter(&pe->phases, TW_PHASE_event_processing);
            engine_execute_timed(pe, event);
        } else {
            engine_execute(pe, event);
        }
        done++;
    }
    return done;
}

static __attribute__((noinline)) uint64_t timed_batch(struct pe *pe, double horizon, uint64_t most,
                                                      double *times)
{
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_priority_queue);
    uint64_t done = batch(pe, horizon, most, true, times);
    phase_enter(&pe->phases, before);
    return done;
}

uint64_t sched_batch(struct pe *pe, double horizon, uint64_t most)
{
    most = most < pe->batch_events ? most : pe->batch_events;
    return PHASE_IS_TIMED(&pe->phases) ? timed_batch(pe, horizon, most, NULL)
                                       : batch(pe, horizon, most, false, NULL);
}

uint64_t sched_batch_noted(struct pe *pe, double horizon)
{
    assert(pe->lp_times != NULL);
    const uint64_t most = pe->batch_events;
    return PHASE_IS_TIMED(&pe->phases) ? timed_batch(pe, horizon, most, pe->lp_times)
                                       : batch(pe, horizon, most, false, pe->lp_times);
}
