/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clocks.h - bound of optimism by the progress of the other ranks, for ranks that share memory.
 *
 * Each rank shows the receive time of its next event, its clock, on its board (comm.h). A rank
 * executes events up to a width ahead of the hindmost clock of the others, and waits while that
 * clock stands still. The width begins with the least distance from send to receive time of an
 * event from another rank: within it, hardly anything is undone. It then follows what it costs: it
 * grows if each rank waited for a larger share of the time than the share of events that were
 * undone, and otherwise shrinks down to that distance. If only some ranks wait, that costs nothing,
 * since they are the faster ones. A rank reads the clocks only when it comes to the end of what they
 * allowed.
 *
 * Clocks need not be right: if a rank misses a change, only more of its events are undone. There are
 * no clocks on several nodes, on a node with fewer processors than ranks, while ranks share
 * processors because of other programs, and with more than CLOCKS_RANKS_MOST ranks.
 */
#ifndef WARPSCOPE_SCHED_CLOCKS_H
#define WARPSCOPE_SCHED_CLOCKS_H

#include "engine/engine.h"

#define CLOCKS_RANKS_MOST 16 /* each rank reads the clocks of all others */

struct clocks {
    double width; /* virtual time ahead of the hindmost clock; INFINITY: no bound */
    /* number of events that the rank may execute while the hindmost clock stands still */
    uint64_t patience;
    double seen;       /* hindmost clock of the other ranks when this rank last read them */
    uint64_t moved_at; /* number of events executed when it was first seen there */
    bool holds;        /* true if the rank waits for clocks */
    uint64_t held_at;  /* clock ticks when that last changed */
    /* Values at the start of the period: sums over all ranks of events processed and undone, and
     * clock ticks. */
    uint64_t processed, undone, began;
};

void clocks_init(struct clocks *c);
/* Returns the time before which clocks allow events; reads them if that time has come. Sets
 * c->holds. Called before messages are received: those that the hindmost rank had sent before it
 * showed the clock that was read have then arrived. */
double clocks_end(struct clocks *c, struct pe *pe);
/* Shows the clock of this rank. Called at the end of each turn. */
void clocks_show(const struct pe *pe);
/* Adapts width and patience. Called after each GVT. */
void clocks_adapt(struct clocks *c, struct pe *pe);
/* Returns the factor by which width and patience change. undone: share of the events that were
 * undone; waited: share of the time for which each rank waited. */
double clocks_factor(double undone, double waited);

#endif
