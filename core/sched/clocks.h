/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clocks.h - bound of optimism by the progress of the other ranks (bounds/clocks.h), for ranks that
 * share memory.
 *
 * Each rank shows its clock on its board (comm.h). Clocks need not be right: if a rank misses a change,
 * only more of its events are undone. There are no clocks on several nodes, nor where
 * clocks_are_shown() says so.
 */
#ifndef WARPSCOPE_SCHED_CLOCKS_H
#define WARPSCOPE_SCHED_CLOCKS_H

#include "bounds/clocks.h"
#include "engine/engine.h"

/* Returns the time before which clocks allow events; reads them if that time has come. Sets
 * c->holds. Called before messages are received: those that the hindmost rank had sent before it
 * showed the clock that was read have then arrived. */
double clocks_end(struct clocks *c, struct pe *pe);
/* Shows the clock of this rank. Called at the end of each turn. */
void clocks_show(const struct pe *pe);
/* Adapts width and patience. Called after each GVT. */
void clocks_adapt(struct clocks *c, struct pe *pe);

#endif
