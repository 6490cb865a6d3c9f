/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bounds.h - finds, in one pass over a trace, upper bounds on the speed-up that placements of the
 * LPs allow.
 *
 * A placement has two bounds on its speed-up over a run with one rank. First, a run takes at least
 * the time of the critical path, and at least the time of the work of the busiest rank. Second, a
 * run in which each rank executes its events in event order takes at least the time of a longer
 * path. On that path, consecutive events of a rank also depend on each other. analyze.h defines
 * dependencies and paths.
 *
 * Memory: 24 bytes per LP, 16 per rank of each placement, 96 to 256 per open event.
 */
#ifndef WARPSCOPE_READER_ANALYZE_BOUNDS_H
#define WARPSCOPE_READER_ANALYZE_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

struct ws_file;

#define ANALYZE_BOUNDS_MAX 5u /* maximum number of placements in one pass */

/* A placement, and upper bounds on its speed-up over a run with one rank. */
struct analyze_bound {
    /* Borrowed; [lp]: rank of the LP; NULL: the placement of the recorded run. */
    const uint32_t *rank;
    uint32_t n_ranks; /* number of ranks; unused if `rank` is NULL */
    /* The smaller of two bounds: that by the critical path, and that by the busiest rank. */
    double at_most;
    double in_order; /* bound if each rank executes its events in event order */
};

struct analyze_bounds {
    /* The caller sets by_time, n and, for each placement, rank and n_ranks. All other members must
     * be zero. Each array `rank` has an element for every LP of the run. by_time: true to weigh
     * events by the times of their handlers; set to false if these were not recorded. */
    bool by_time;
    uint32_t n;
    struct analyze_bound list[ANALYZE_BOUNDS_MAX];
    /* Results, besides those in `list`. any: bound by the critical path, which holds for any
     * placement on any number of ranks. */
    double any;
    /* Number of events whose cause is not in the trace. If it is not 0, the true bounds may be
     * lower. */
    uint64_t missing;
    const char *why; /* reason why analyze_bounds_find() failed; a constant */
};

/* Finds the bounds of the placements in b->list. Returns false if the trace is not suitable or
 * memory is exhausted, with the reason or a remedy in b->why. Prints an error message only if
 * memory is exhausted, or if events have an unknown form. Damage is counted as a fault of the
 * file. */
bool analyze_bounds_find(struct analyze_bounds *b, struct ws_file *file);

#endif
