/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bounds.h - the speed-up that placements of the LPs allow, in one pass over a trace.
 *
 * For a placement there are two bounds, both relative to the time of one rank. First, a run takes
 * at least the time of the critical path, and of the work of the busiest rank. Second, a run in
 * which each rank executes its events in event order takes at least the longest chain in which
 * consecutive events of a rank also depend on each other. analyze.h defines dependencies and paths.
 *
 * Memory: 24 bytes per LP, 16 per rank of each placement, 96 to 256 per open event.
 */
#ifndef WARPSCOPE_READER_ANALYZE_BOUNDS_H
#define WARPSCOPE_READER_ANALYZE_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

struct ws_file;

#define ANALYZE_BOUNDS_MAX 5u /* greatest number of placements in a pass */

/* A placement and its bounds, as multiples of the speed of one rank. */
struct analyze_bound {
    const uint32_t *rank; /* borrowed; rank of each LP; NULL: as in the recorded run */
    uint32_t n_ranks;     /* unused if rank is NULL */
    /* The lesser of the bounds by the critical path and by the busiest rank. */
    double at_most;
    double in_order; /* bound if each rank executes its events in event order */
};

struct analyze_bounds {
    /* The caller sets these members; the others are zero. Arrays of ranks have an element for each
     * LP of the run. */
    bool by_time; /* true to weigh events by the times of their handlers, if those were recorded */
    uint32_t n;
    struct analyze_bound list[ANALYZE_BOUNDS_MAX];
    /* Results. */
    double any; /* bound by the critical path, for any placement on any number of ranks */
    /* Events whose cause is not in the trace; if there are any, the true bounds may be lower. */
    uint64_t missing;
    const char *why; /* reason why analyze_bounds_find() failed; a constant */
};

/* Finds the bounds of the placements in b->list. If the trace is not suitable, returns false;
 * b->why then has the reason or a remedy. Prints a message only if memory is exhausted or events
 * have an unknown form. Damage is counted as a fault of the file. */
bool analyze_bounds_find(struct analyze_bounds *b, struct ws_file *file);

#endif
