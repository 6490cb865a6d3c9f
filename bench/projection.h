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
    unsigned long n_points;   /* that are made */
    double frequency_percent; /* points that are made, of those visited */
    unsigned long rate;       /* records per second whose overhead is asked for; 0: none */
    size_t n_visits;          /* of all points; by projection_check() */
    size_t n_overheads;       /* the same */
    double overheads_percent[PROJECTION_OVERHEADS_MAX];
};

/* Settles visits and overheads, which are percentages with commas between. Ends the program with a
 * message when a setting is wrong. */
void projection_check(struct projection *p, const char *overheads);

/* Prints the tables. framework_ns: the cost of a visit without callbacks. */
void projection_print(const struct projection *p, double framework_ns);

#endif
