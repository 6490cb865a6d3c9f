/*
 * busy_time.h - the length of the union of intervals that are told when they end.
 *
 * They are kept as disjoint intervals in ascending order. A new one ends at or after all the
 * others' ends, so it can only swallow the youngest: that costs amortised O(1), whether its start
 * lies in the past or far in the past. Memory: 16 bytes per time that was not busy.
 */
#ifndef WARPSCOPE_TRACE_BUSY_TIME_H
#define WARPSCOPE_TRACE_BUSY_TIME_H

#include <stdbool.h>
#include <stddef.h>

struct busy_interval {
    double start, end;
};

/* Zero-initialised there is no interval. */
struct busy_time {
    struct busy_interval *intervals; /* owned; disjoint (they do not touch), ascending */
    size_t n, room;
};

/* Adds [start, end]; end: not before the end of any other. False: no memory. */
bool busy_time_add(struct busy_time *busy, double start, double end);

/* The length of all, and of one more interval [start, end] that is not kept, with end not before
 * any other's; none if start > end. */
double busy_time_length(const struct busy_time *busy, double start, double end);

void busy_time_fini(struct busy_time *busy);
/* Asserts the invariants. */
void busy_time_check(const struct busy_time *busy);

#endif
