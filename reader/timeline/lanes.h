/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes.h - places overlapping slices side by side, so that slices of one lane nest.
 *
 * Slices come by ascending beginning. A slice inside its parent gets the parent's lane if the
 * parent is the innermost slice there at that time. Any other slice gets the first lane without an
 * open slice.
 *
 * Invariants:
 * 1. Of two slices of a lane one contains the other or they do not overlap.
 * 2. A slice that contains another one of its lane is its parent.
 * 3. A lane is used only if those before it are in use.
 *
 * Cost: log2(lanes) for a lane, and a check of each lane for a slice with a parent. Memory: some
 * 300 bytes per lane.
 */
#ifndef WARPSCOPE_READER_TIMELINE_LANES_H
#define WARPSCOPE_READER_TIMELINE_LANES_H

#include "tasks/tasks.h"

#define WS_LANES_MAX   16384u
#define WS_LANES_DEPTH 8u /* most nested slices; deeper ones get lanes of their own */
#define WS_LANES_NONE  UINT32_MAX

struct ws_lane_slice {
    struct ws_task_id id;
    int64_t end;
};

struct ws_lane {
    uint32_t n; /* number of entries of `open` */
    /* The slices that were open when this lane was last searched, outermost first. */
    struct ws_lane_slice open[WS_LANES_DEPTH];
};

/* The lanes of one place. Zero-initialise; free in any case. */
struct ws_lanes {
    struct ws_lane *list; /* owned; the lanes */
    uint32_t n;           /* number of lanes in use */
    uint32_t room;        /* number of allocated lanes, a power of two */
    /* Owned; tree: leaf room + i is the time when lane i is empty; an inner node is the least leaf
     * below it. */
    int64_t *ends;
    bool no_memory;
};

void ws_lanes_free(struct ws_lanes *lanes);
/* Removes all slices. The next slice gets lane 0. */
void ws_lanes_reset(struct ws_lanes *lanes);

/* Returns the lane of a slice. parent.lp is -1 if it has no parent. Sets *inside to true if the
 * slice lies in its parent. Returns WS_LANES_NONE if too many slices overlap, or if memory is
 * exhausted. */
uint32_t ws_lanes_take(struct ws_lanes *lanes, struct ws_task_id id, struct ws_task_id parent,
                       int64_t begin, int64_t end, bool *inside);

/* Asserts the invariants of the tree. */
void ws_lanes_check(const struct ws_lanes *lanes);

#endif
