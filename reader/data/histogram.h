/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * histogram.h - the distribution of a set of numbers: exact count, sum, minimum and maximum, and
 * quantiles with an error of at most about 3 per cent. The quantiles come from a histogram with 16
 * buckets per factor of two. Memory: 16 KiB per distribution.
 */
#ifndef WARPSCOPE_READER_DATA_HISTOGRAM_H
#define WARPSCOPE_READER_DATA_HISTOGRAM_H

#include <stdint.h>

#define WS_DIST_BUCKETS 16u /* number of buckets per factor of two */
#define WS_DIST_OCTAVES 128u
/* Binary exponent of the smallest number that has a bucket; numbers below 2^-64 count as 0. */
#define WS_DIST_LOWEST (-64)

/* A distribution of numbers. Zero-initialise it before use. */
struct ws_histogram {
    uint64_t n;
    double sum, min, max;
    uint64_t zeros; /* number of values that are 0, negative or below the lowest bucket */
    uint64_t buckets[WS_DIST_OCTAVES * WS_DIST_BUCKETS];
};

/* Adds the number v to the distribution n times. Ignores NaN. */
void ws_histogram_add(struct ws_histogram *dist, double v, uint64_t n);

/* Returns the index in `buckets` of the bucket that counts v; -1 if v counts as 0. v must not be
 * NaN. */
int32_t ws_histogram_bucket(double v);

/* Returns the mean of the numbers; 0 for an empty distribution. */
double ws_histogram_mean(const struct ws_histogram *dist);

/* Returns the approximate q-quantile: the number below which the fraction q (0 to 1) of all numbers
 * lies. The result is between min and max; 0 for an empty distribution. */
double ws_histogram_quantile(const struct ws_histogram *dist, double q);

#endif
