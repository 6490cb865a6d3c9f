/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * projection.h - computes the rate of records that a given overhead allows, and the overhead that a
 * given rate of records causes, as in the performance document of XPTI.
 */
#ifndef WARPSCOPE_BENCH_PROJECTION_H
#define WARPSCOPE_BENCH_PROJECTION_H

#include <stddef.h>

#define PROJECTION_OVERHEADS_MAX 16

struct projection {
    unsigned long n_points;   /* number of points that are created */
    double frequency_percent; /* number of created points, in per cent of the number of visits */
    unsigned long rate;       /* records per second whose overhead is to be computed; 0: none */
    /* Members that projection_check() sets. */
    size_t n_visits;                                    /* number of visits to all points */
    size_t n_overheads;                                 /* number of overheads */
    double overheads_percent[PROJECTION_OVERHEADS_MAX]; /* overheads in per cent of the time */
};

/* Computes the number of visits, and parses overheads, a string of percentages separated by commas.
 * If a setting is invalid, prints an error message and ends the program with status 2. */
void projection_check(struct projection *p, const char *overheads);

/* Prints tables of the rates and of the overheads. framework_ns: cost of a visit in ns, without
 * callbacks, but including its share of the cost of creating the points. */
void projection_print(const struct projection *p, double framework_ns);

#endif
