/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pending_ladder.h - the private part of the pending queue, see pending.c.
 */
#ifndef WARPSCOPE_EVENT_PENDING_LADDER_H
#define WARPSCOPE_EVENT_PENDING_LADDER_H

#include "event/pending.h"
#include "event/pending_bag.h"
#include "event/pending_order.h"
#include "event/pending_rung.h"

#define PENDING_RUNGS_MAX 40

struct pending_ladder {
    /* public part; must be first, because a pointer to it is cast to a pointer to the ladder */
    struct pending q;
    double top_ts; /* entries with this time stamp or a later one belong to `top` */
    pending_bag top;
    size_t n_top;
    size_t n_rungs;
    struct pending_heap heap;
    struct pending_pool pool;
    /* rungs, coarsest (latest) first; the first n_rungs are on the ladder */
    struct pending_rung rung[PENDING_RUNGS_MAX];
};

/* The next two functions are defined in pending_spread.c. They distribute bags over rungs. */

/* Moves the earlier entries of `top` to the ladder. `top` must have entries; the ladder must have
 * none. */
void pending_start_epoch(struct pending_ladder *l);
/* Spreads the n entries of a bag over new rungs. The entries must come after those of the front and
 * before those of the ladder. room: true to leave spare buckets before the smallest entry, for
 * entries that are pushed later. */
void pending_spread(struct pending_ladder *l, pending_bag bag, size_t n, bool room);

/* Defined in pending_purge.c. Removes all cancelled events from the queue, and passes them to
 * drop(). Takes time O(number of entries). */
void pending_purge(struct pending_ladder *l);

#endif
