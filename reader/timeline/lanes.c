/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes.c - assigns overlapping slices to lanes; see lanes.h.
 *
 * A tree over all lanes finds the first empty lane. Each node has the earliest time at which one of
 * the lanes below it is empty. The search goes to the left child if the time of this child has
 * come, otherwise to the right child.
 */
#include "timeline/lanes.h"

#include <assert.h>
#include <stdlib.h>

#include "store/check.h"

#define ROOM_MIN 8u

void ws_lanes_free(struct ws_lanes *l)
{
    free(l->list);
    free(l->ends);
    *l = (struct ws_lanes){.n = 0};
}

void ws_lanes_reset(struct ws_lanes *l)
{
    l->n = 0;
    for (uint32_t i = 0; i < 2 * l->room; i++) {
        l->ends[i] = INT64_MIN;
    }
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static bool lanes_grow(struct ws_lanes *l)
{
    assert(l->room < WS_LANES_MAX);
    uint32_t room = l->room == 0 ? ROOM_MIN : 2 * l->room;
    int64_t *ends = malloc(2 * (size_t)room * sizeof *ends);
    struct ws_lane *list = realloc(l->list, room * sizeof *list);
    l->list = list == NULL ? l->list : list;
    if (ends == NULL || list == NULL) {
        free(ends);
        l->no_memory = true;
        return false;
    }
    for (uint32_t i = 0; i < room; i++) {
        ends[room + i] = i < l->room ? l->ends[l->room + i] : INT64_MIN;
    }
    for (uint32_t i = room - 1; i > 0; i--) {
        ends[i] = least(ends[2 * i], ends[2 * i + 1]);
    }
    ends[0] = INT64_MIN;
    free(l->ends);
    l->ends = ends;
    l->room = room;
    return true;
}

static void end_set(struct ws_lanes *l, uint32_t lane, int64_t end)
{
    assert(lane < l->room);
    uint32_t i = l->room + lane;
    l->ends[i] = end;
    for (i /= 2; i > 0; i /= 2) {
        l->ends[i] = least(l->ends[2 * i], l->ends[2 * i + 1]);
    }
}

/* Returns the first lane that is empty at this time; WS_LANES_NONE if there are too many lanes, or
 * if memory is exhausted. */
static uint32_t empty_find(struct ws_lanes *l, int64_t time)
{
    if ((l->room == 0 || l->ends[1] > time) && (l->room == WS_LANES_MAX || !lanes_grow(l))) {
        return WS_LANES_NONE;
    }
    uint32_t i = 1;
    while (i < l->room) {
        i = 2 * i + (l->ends[2 * i] > time);
    }
    return i - l->room;
}

/* Returns the lane whose innermost slice at the time `begin` is the parent and does not end before
 * `end`; WS_LANES_NONE if there is none. Removes slices that have ended from the lanes. */
static uint32_t parent_find(struct ws_lanes *l, struct ws_task_id parent, int64_t begin,
                            int64_t end)
{
    for (uint32_t i = 0; parent.lp != -1 && i < l->n; i++) {
        struct ws_lane *lane = &l->list[i];
        while (lane->n > 0 && lane->open[lane->n - 1].end <= begin) {
            lane->n--;
        }
        if (lane->n > 0 && lane->n < WS_LANES_DEPTH && end <= lane->open[lane->n - 1].end &&
            ws_task_same(lane->open[lane->n - 1].id, parent)) {
            return i;
        }
    }
    return WS_LANES_NONE;
}

uint32_t ws_lanes_take(struct ws_lanes *l, struct ws_task_id id, struct ws_task_id parent,
                       int64_t begin, int64_t end, bool *inside)
{
    uint32_t i = parent_find(l, parent, begin, end);
    *inside = i != WS_LANES_NONE;
    if (!*inside) {
        i = empty_find(l, begin);
        if (i == WS_LANES_NONE) {
            return i;
        }
        assert(i <= l->n);
        l->n += i == l->n;
        l->list[i].n = 0;
        end_set(l, i, end);
    }
    l->list[i].open[l->list[i].n++] = (struct ws_lane_slice){id, end};
    return i;
}

bool ws_lanes_check(const struct ws_lanes *l)
{
    HOLDS(l->n <= l->room && l->room <= WS_LANES_MAX && (l->room & (l->room - 1)) == 0);
    for (uint32_t i = 1; i < l->room; i++) {
        HOLDS(l->ends[i] == least(l->ends[2 * i], l->ends[2 * i + 1]));
    }
    for (uint32_t i = 0; i < l->n; i++) {
        const struct ws_lane *lane = &l->list[i];
        HOLDS(lane->n <= WS_LANES_DEPTH);
        HOLDS(lane->n == 0 || lane->open[0].end == l->ends[l->room + i]);
        for (uint32_t k = 1; k < lane->n; k++) {
            HOLDS(lane->open[k].end <= lane->open[k - 1].end);
        }
    }
    return true;
}
