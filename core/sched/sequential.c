/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sequential.c - one rank, one event after another, each committed at once.
 *
 * GVT is the time of the next event. It is set at the usual interval of GVT computations, so that
 * its users (samplers, progress, signals) work as with the other schedulers.
 */
#include <assert.h>

#include "engine/process/error.h"
#include "sched/sched.h"

void sched_alone(struct pe *pe, uint64_t (*batch)(struct pe *pe, void *ctx), void *ctx)
{
    assert(pe->comm.n_ranks == 1);
    while (pe->ended == RUN_END_NONE) {
        uint64_t interval = pe->gvt.interval_events;
        uint64_t done = 0;
        uint64_t n;
        do {
            n = batch(pe, ctx);
            done += n;
            sched_turn(pe);
        } while (n > 0 && done < interval && !sched_observers_are_full(pe) &&
                 !sched_is_stopping(pe));
        gvt_compute_alone(pe);
        engine_after_gvt(pe);
    }
}

static uint64_t plain_batch(struct pe *pe, void *ctx)
{
    (void)ctx;
    return sched_batch(pe, pe->gvt.cut.at, UINT64_MAX);
}

void sched_sequential(struct pe *pe)
{
    sched_alone(pe, plain_batch, NULL);
}
