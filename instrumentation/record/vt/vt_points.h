/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_points.h - the virtual times of sampling points. Point k is at the time k * interval, k = 1,
 * 2, ...
 */
#ifndef WARPSCOPE_RECORD_VT_VT_POINTS_H
#define WARPSCOPE_RECORD_VT_VT_POINTS_H

#include <assert.h>
#include <stdint.h>

struct vt_points {
    double interval;
    uint64_t last; /* ordinal number of the last sampling point of the run */
};

static inline double vt_points_ts(const struct vt_points *points, uint64_t number)
{
    return (double)number * points->interval;
}

/* Returns the ordinal number of the last point at or before virtual time ts; at most `last`. */
static inline uint64_t vt_points_until(const struct vt_points *points, double ts)
{
    assert(points->interval > 0.0);
    double ratio = ts / points->interval;
    if (!(ratio >= 0.0)) {
        return 0;
    }
    uint64_t number = ratio < (double)points->last ? (uint64_t)ratio : points->last;
    while (number < points->last && vt_points_ts(points, number + 1) <= ts) {
        number++; /* corrects a quotient that was rounded down */
    }
    while (number > 0 && vt_points_ts(points, number) > ts) {
        number--;
    }
    return number;
}

#endif
