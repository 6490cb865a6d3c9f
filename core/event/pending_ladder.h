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
    struct pending q; /* first: a struct pending is a ladder */
    double top_ts;    /* entries at or past it are in top */
    pending_bag top;
    size_t n_top;
    size_t n_rungs;
    struct pending_heap heap;
    struct pending_pool pool;
    struct pending_rung rung[PENDING_RUNGS_MAX]; /* coarsest, that is latest, first */
};

/* pending_spread.c: taking bags apart. */

/* Moves the earlier part of top, which is not empty, to the ladder, which is. */
void pending_start_epoch(struct pending_ladder *l);
/* Spreads a bag, of entries after the front and before all of the ladder, over new rungs. room:
 * whether to leave space for entries yet to come before the smallest one. */
void pending_spread(struct pending_ladder *l, pending_bag bag, size_t n, bool room);

/* pending_purge.c: drops all cancelled events. O(entries). */
void pending_purge(struct pending_ladder *l);

#endif
