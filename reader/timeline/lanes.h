/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes.h - puts slices that overlap side by side, so that slices of one lane nest.
 *
 * Slices come by ascending beginning. One that lies inside its parent is put into it, if the parent
 * is the innermost of its lane then; every other one gets the first lane in which nothing is open.
 *
 * Invariants: (1) of two slices of a lane one contains the other or they do not overlap; (2) what
 * contains a slice in its lane is its parent; (3) a lane is used only if those before it are in
 * use. Cost: log2(lanes) for a lane, and one look at each lane for a slice with a parent. Memory:
 * some 300 bytes per lane.
 */
#ifndef WARPSCOPE_READER_TIMELINE_LANES_H
#define WARPSCOPE_READER_TIMELINE_LANES_H

#include "tasks/tasks.h"

#define WS_LANES_MAX   16384u
#define WS_LANES_DEPTH 8u /* slices in each other; deeper ones get lanes of their own */
#define WS_LANES_NONE  UINT32_MAX

struct ws_lane_slice {
    struct ws_task_id id;
    int64_t end;
};

struct ws_lane {
    uint32_t n; /* slices that were open when one was last looked for here, the outermost first */
    struct ws_lane_slice open[WS_LANES_DEPTH];
};

/* Zero-initialise; free in any case. */
struct ws_lanes {
    struct ws_lane *list; /* owned */
    uint32_t n;           /* in use */
    uint32_t room;        /* a power of two */
    int64_t *ends; /* owned; tree: leaf room + i is when lane i is empty, others their least leaf */
    bool no_memory;
};

void ws_lanes_free(struct ws_lanes *lanes);
/* Goes on with other slices, from lane 0 on. */
void ws_lanes_reset(struct ws_lanes *lanes);

/* The lane of a slice; parent.lp -1: none. *inside: it lies in its parent. WS_LANES_NONE: there are
 * too many at one time, or no memory. */
uint32_t ws_lanes_take(struct ws_lanes *lanes, struct ws_task_id id, struct ws_task_id parent,
                       int64_t begin, int64_t end, bool *inside);

/* Asserts the invariants of the tree. */
void ws_lanes_check(const struct ws_lanes *lanes);

#endif
