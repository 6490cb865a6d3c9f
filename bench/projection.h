/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * projection.h - the number of records per second that an overhead allows, and the overhead of a
 * number of records, computed as in the performance document of XPTI.
 */
#ifndef WARPSCOPE_BENCH_PROJECTION_H
#define WARPSCOPE_BENCH_PROJECTION_H

#include <stddef.h>

#define PROJECTION_OVERHEADS_MAX 16

struct projection {
    unsigned long n_points;   /* number of points that are created */
    double frequency_percent; /* created points in per cent of the visits */
    unsigned long rate;       /* records per second whose overhead is to be computed; 0: none */
    size_t n_visits;          /* number of visits of all points, set by projection_check() */
    size_t n_overheads;       /* number of overheads, set by projection_check() */
    double overheads_percent[PROJECTION_OVERHEADS_MAX];
};

/* Computes the visits, and parses overheads, which are percentages separated by commas. Ends the
 * program with a message if a setting is invalid. */
void projection_check(struct projection *p, const char *overheads);

/* Prints the tables. framework_ns: the cost of a visit without callbacks. */
void projection_print(const struct projection *p, double framework_ns);

#endif
