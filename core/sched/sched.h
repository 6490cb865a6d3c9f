/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sched.h - the schedulers: each executes the PE's events until the run has ended (pe->ended).
 */
#ifndef WARPSCOPE_SCHED_SCHED_H
#define WARPSCOPE_SCHED_SCHED_H

#include "engine/engine.h"

void sched_sequential(struct pe *pe);
void sched_debug(struct pe *pe);          /* --synch=4 */
void sched_rollback_check(struct pe *pe); /* --synch=6 */
void sched_conservative(struct pe *pe);   /* collective */
void sched_optimistic(struct pe *pe);     /* collective */

/* A sequential run: calls batch, which executes some events and returns how many, 0: none is left,
 * and in between GVT moves on. */
void sched_alone(struct pe *pe, uint64_t (*batch)(struct pe *pe, void *ctx), void *ctx);
/* Executes events before horizon, a batch of them and at most `most`; their number. */
uint64_t sched_batch(struct pe *pe, double horizon, uint64_t most);
/* The same for conservative runs on several ranks, which note each LP's time in pe->lp_times. */
uint64_t sched_batch_noted(struct pe *pe, double horizon);
/* A new turn of a scheduler's loop: lets observers have a look. */
static inline void sched_turn(struct pe *pe)
{
    phase_turn(&pe->phases);
    if (PROBE_IS_WANTED(&pe->probes, turn)) {
        PROBE_CALL(&pe->probes, turn, &pe->head);
    }
}
/* Do observers hold as much as they may? Then GVT should be computed. */
static inline bool sched_observers_are_full(const struct pe *pe)
{
    return pe->observer_bytes >= pe->observer_limit_bytes;
}

#endif
