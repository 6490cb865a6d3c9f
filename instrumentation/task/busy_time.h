/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * busy_time.h - computes the length of the union of intervals, which are added in the order of
 * their ends.
 *
 * Invariant: the stored intervals are disjoint and in ascending order. A new interval ends at or
 * after the ends of all others, so it can absorb only the latest ones. Cost: amortised O(1),
 * wherever the start of the new interval lies. Memory: 16 bytes per gap between busy times.
 */
#ifndef WARPSCOPE_TASK_BUSY_TIME_H
#define WARPSCOPE_TASK_BUSY_TIME_H

#include <stdbool.h>
#include <stddef.h>

struct busy_interval {
    double start, end;
};

/* A union of intervals. Zero-initialised: no interval. */
struct busy_time {
    struct busy_interval *intervals; /* owned; n disjoint intervals that do not touch, ascending */
    size_t n, room;
};

/* Adds [start, end] to the union. `end` must not be before the end of another interval. Returns
 * false if memory is exhausted. */
bool busy_time_add(struct busy_time *busy, double start, double end);

/* Returns the length of the union of the stored intervals and [start, end], which is not stored. If
 * start > end, only stored intervals count. Otherwise `end` must not be before the end of another
 * interval. */
double busy_time_length(const struct busy_time *busy, double start, double end);

void busy_time_fini(struct busy_time *busy);
/* Returns true if the invariant of busy holds. */
bool busy_time_check(const struct busy_time *busy);

#endif
