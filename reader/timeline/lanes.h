/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes.h - places overlapping slices in different lanes, so that the slices in one lane nest.
 *
 * Slices come in the order of their beginnings. A slice inside its parent gets the parent's lane if
 * the parent is the innermost slice in that lane when the slice begins. Any other slice gets the
 * first lane without an open slice.
 *
 * Invariants:
 * 1. Of two slices in a lane, one contains the other or they do not overlap.
 * 2. If a slice directly contains another one in its lane, it is the parent of the other.
 * 3. A lane is used only if all lanes before it are in use.
 *
 * Cost per slice: log2(number of lanes), and a check of each lane if the slice has a parent.
 * Memory: about 300 bytes per lane.
 */
#ifndef WARPSCOPE_READER_TIMELINE_LANES_H
#define WARPSCOPE_READER_TIMELINE_LANES_H

#include <stdbool.h>

#include "figures/tasks.h"

#define WS_LANES_MAX   16384u
#define WS_LANES_DEPTH 8u /* maximum depth of nested slices in a lane; others get another lane */
#define WS_LANES_NONE  UINT32_MAX

struct ws_lane_slice {
    struct ws_task_id id;
    int64_t end;
};

struct ws_lane {
    uint32_t n; /* number of slices in `open` */
    /* The slices that were open when the lane was last searched, outermost first. */
    struct ws_lane_slice open[WS_LANES_DEPTH];
};

/* The lanes of one place. Zero-initialise. Call ws_lanes_free() at the end, even after an error. */
struct ws_lanes {
    struct ws_lane *list; /* owned; the lanes */
    uint32_t n;           /* number of lanes in use */
    uint32_t room;        /* number of allocated lanes, a power of two */
    /* Owned; binary tree whose root is node 1 and in which node i has the children 2 i and 2 i + 1.
     * Leaf room + i is the time from which lane i is empty; an inner node is the minimum of its
     * children. */
    int64_t *ends;
    bool no_memory; /* true if memory was exhausted */
};

void ws_lanes_free(struct ws_lanes *lanes);
/* Removes all slices. The next slice gets lane 0. */
void ws_lanes_reset(struct ws_lanes *lanes);

/* Adds a slice and returns the number of its lane. parent.lp: -1 if the slice has no parent. Sets
 * *inside to true if the slice is in the lane of its parent, inside the parent. Returns
 * WS_LANES_NONE if too many slices overlap, or if memory is exhausted. */
uint32_t ws_lanes_take(struct ws_lanes *lanes, struct ws_task_id id, struct ws_task_id parent,
                       int64_t begin, int64_t end, bool *inside);

/* Returns true if the invariants of the tree hold. */
bool ws_lanes_check(const struct ws_lanes *lanes);

#endif
