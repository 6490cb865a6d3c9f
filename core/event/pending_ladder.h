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
    struct pending q; /* public part; must be first, so that a struct pending is also a ladder */
    double top_ts;    /* least time stamp for entries of `top` */
    pending_bag top;
    size_t n_top;
    size_t n_rungs;
    struct pending_heap heap;
    struct pending_pool pool;
    struct pending_rung rung[PENDING_RUNGS_MAX]; /* the rungs, coarsest (latest) first */
};

/* Functions of pending_spread.c, which distribute bags over rungs. */

/* Moves the earlier part of top to the ladder. top must have entries; the ladder must have none. */
void pending_start_epoch(struct pending_ladder *l);
/* Spreads a bag over new rungs. Its entries must lie between the front and the ladder. room: if
 * true, leaves buckets free before the smallest entry, for entries that come later. */
void pending_spread(struct pending_ladder *l, pending_bag bag, size_t n, bool room);

/* Defined in pending_purge.c. Drops all cancelled events; O(entries). */
void pending_purge(struct pending_ladder *l);

#endif
