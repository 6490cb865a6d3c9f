/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bounds.h - the speed-up that placements of the LPs allow, in one pass over a trace.
 *
 * Two bounds hold for runs with a placement, beside the time of one rank. No run is faster than the
 * critical path, nor than the work of the busiest rank. A run whose ranks execute their events in
 * the order of events, none early, takes at least the longest chain in which the events of each rank
 * follow one another as well. analyze.h defines dependencies and paths.
 *
 * Memory: 24 bytes per LP, 16 per rank of each placement, 96 to 256 per open event.
 */
#ifndef WARPSCOPE_READER_ANALYZE_BOUNDS_H
#define WARPSCOPE_READER_ANALYZE_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

struct ws_file;

#define ANALYZE_BOUNDS_MAX 5u /* most placements in a pass */

/* A placement, and its bounds as multiples of the speed of one rank. */
struct analyze_bound {
    const uint32_t *rank; /* borrowed; rank of each LP; NULL: as in the recorded run */
    uint32_t n_ranks;     /* unused if rank is NULL */
    double at_most;       /* least of the bounds by the critical path and the busiest rank */
    double in_order;      /* for ranks that keep to the order of events */
};

struct analyze_bounds {
    /* Members that the caller sets; the others are zero. Arrays of ranks have an element for each LP
     * of the run. */
    bool by_time; /* true to weigh events by the times of their handlers, if those were recorded */
    uint32_t n;
    struct analyze_bound list[ANALYZE_BOUNDS_MAX];
    /* Results. */
    double any;       /* bound by the critical path, for any placement on any number of ranks */
    uint64_t missing; /* events whose cause is not in the trace: true bounds may be lower */
    const char *why;  /* reason for which analyze_bounds_find() failed; a constant */
};

/* Finds the bounds of the placements in b->list. Returns false if the trace does not allow it;
 * b->why then has the reason or what to do. Prints a message only if memory is exhausted or events
 * have an unknown form. Damage counts as a fault of the file. */
bool analyze_bounds_find(struct analyze_bounds *b, struct ws_file *file);

#endif
