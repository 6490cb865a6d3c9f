/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sched.h - the schedulers: each executes the PE's events until the run has ended (pe->ended).
 */
#ifndef WARPSCOPE_SCHED_SCHED_H
#define WARPSCOPE_SCHED_SCHED_H

#include "engine/engine.h"

void sched_sequential(struct pe *pe);
void sched_debug(struct pe *pe);          /* runs the scheduler of --synch=4 */
void sched_rollback_check(struct pe *pe); /* runs the scheduler of --synch=6 */
void sched_conservative(struct pe *pe);   /* runs the conservative scheduler; collective */
void sched_optimistic(struct pe *pe);     /* runs the optimistic scheduler; collective */

/* Performs a run on one rank: calls batch() repeatedly, and computes GVT at intervals. batch()
 * executes some events and returns their number; 0: no events are left. */
void sched_alone(struct pe *pe, uint64_t (*batch)(struct pe *pe, void *ctx), void *ctx);
/* Executes a batch of at most `most` events, and at most --batch events, all before the virtual
 * time `horizon`. Returns the number of events executed. */
uint64_t sched_batch(struct pe *pe, double horizon, uint64_t most);
/* Like sched_batch(), for conservative runs on several ranks, with the batch size of --batch. Also
 * stores the receive time of each LP's last event in pe->lp_times. */
uint64_t sched_batch_noted(struct pe *pe, double horizon);
/* Begins a turn of a scheduler's loop, and calls observers of turns. */
static inline void sched_turn(struct pe *pe)
{
    phase_turn(&pe->phases);
    if (PROBE_IS_WANTED(&pe->probes, turn)) {
        PROBE_CALL(&pe->probes, turn, &pe->head);
    }
}
/* Returns true if a signal is to end the run at the next GVT. Returns false if the end of the run
 * waits for the cut of the last checkpoint, since the events before the cut must be executed. */
static inline bool sched_is_stopping(const struct pe *pe)
{
    return g_tw_signal != 0 && !pe->gvt.cut.last;
}
/* Returns true if observers hold as many bytes as --observer-memory permits; GVT should then be
 * computed. */
static inline bool sched_observers_are_full(const struct pe *pe)
{
    return pe->observer_bytes >= pe->observer_limit_bytes;
}

#endif
