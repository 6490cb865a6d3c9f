/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * histogram.h - the distribution of numbers: exact count, sum, least and largest; quantiles to
 * within 3 per cent, from a histogram with 16 steps per factor of two. Memory: 16 KiB per
 * distribution.
 */
#ifndef WARPSCOPE_READER_DATA_HISTOGRAM_H
#define WARPSCOPE_READER_DATA_HISTOGRAM_H

#include <stdint.h>

#define WS_DIST_STEPS   16u /* number of steps per factor of two */
#define WS_DIST_OCTAVES 128u
#define WS_DIST_LOWEST  (-64) /* numbers below 2^-64 count as 0 */

/* A distribution of numbers. Zero-initialise. */
struct ws_histogram {
    uint64_t n;
    double sum, min, max;
    uint64_t zeros; /* how many numbers are 0, negative or below the lowest step */
    uint64_t steps[WS_DIST_OCTAVES * WS_DIST_STEPS];
};

/* Counts v n times. Ignores NaN. */
void ws_histogram_add(struct ws_histogram *dist, double v, uint64_t n);

/* Returns the index of the step that counts v; -1 if v is treated as 0. v must not be NaN. */
int32_t ws_histogram_step(double v);

double ws_histogram_mean(const struct ws_histogram *dist); /* returns 0 for an empty distribution */

/* Returns the number below which the part q (0 to 1) of all numbers lies. The result is between min
 * and max; 0 if empty. */
double ws_histogram_quantile(const struct ws_histogram *dist, double q);

#endif
