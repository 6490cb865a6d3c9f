/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * busy_time.c - see busy_time.h.
 *
 * Each query adds up the lengths from the first to the last interval. The result thus depends only
 * on the intervals, not on the order of additions.
 */
#include "task/busy_time.h"
#include "store/array.h"
#include "store/check.h"

#include <assert.h>
#include <stdlib.h>

/* Returns the number of intervals that end before start. */
static size_t count_before(const struct busy_time *busy, double start)
{
    size_t n = busy->n;
    while (n > 0 && busy->intervals[n - 1].end >= start) {
        n--;
    }
    return n;
}

bool busy_time_add(struct busy_time *busy, double start, double end)
{
    assert(start <= end && (busy->n == 0 || busy->intervals[busy->n - 1].end <= end));
    size_t n = count_before(busy, start);
    if (n < busy->n && busy->intervals[n].start < start) {
        start = busy->intervals[n].start;
    }
    if (!array_reserve(&busy->intervals, &busy->room, n + 1, sizeof(*busy->intervals))) {
        return false;
    }
    busy->intervals[n] = (struct busy_interval){start, end};
    busy->n = n + 1;
    return true;
}

double busy_time_length(const struct busy_time *busy, double start, double end)
{
    bool is_more = start <= end;
    size_t n = is_more ? count_before(busy, start) : busy->n;
    double length = 0.0;
    for (size_t i = 0; i < n; i++) {
        length += busy->intervals[i].end - busy->intervals[i].start;
    }
    if (is_more) {
        bool joins = n < busy->n && busy->intervals[n].start < start;
        length += end - (joins ? busy->intervals[n].start : start);
    }
    return length;
}

void busy_time_fini(struct busy_time *busy)
{
    free(busy->intervals);
    *busy = (struct busy_time){.n = 0};
}

bool busy_time_check(const struct busy_time *busy)
{
    HOLDS(busy->n <= busy->room);
    for (size_t i = 0; i < busy->n; i++) {
        HOLDS(busy->intervals[i].start <= busy->intervals[i].end);
        HOLDS(i == 0 || busy->intervals[i - 1].end < busy->intervals[i].start);
    }
    return true;
}
