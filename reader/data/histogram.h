/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * histogram.h - the distribution of a set of numbers: exact count, sum, minimum and maximum, and
 * quantiles with an error of at most about 3 per cent. The quantiles come from a histogram with 16
 * buckets per factor of two. Memory: 16 KiB per distribution.
 */
#ifndef WARPSCOPE_READER_DATA_HISTOGRAM_H
#define WARPSCOPE_READER_DATA_HISTOGRAM_H

#include <stdint.h>
#include <string.h>

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

/* Returns the index in `buckets` of the bucket that counts v; -1 if v counts as 0. v must not be
 * NaN. The bucket is the number's binary exponent and the first four bits of its fraction: both are
 * read from the bits of the number, without a logarithm. */
static inline int32_t ws_histogram_bucket(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    int32_t bucket = (int32_t)(bits >> 48) - (1023 + WS_DIST_LOWEST) * (int32_t)WS_DIST_BUCKETS;
    const int32_t last = (int32_t)(WS_DIST_OCTAVES * WS_DIST_BUCKETS) - 1;
    return !(v > 0.0) || bucket < 0 ? -1 : bucket > last ? last : bucket;
}

/* Adds the number v, whose bucket is known, to the distribution n > 0 times. v must not be NaN. */
static inline void ws_histogram_count(struct ws_histogram *d, double v, int32_t bucket, uint64_t n)
{
    d->min = d->n == 0 || v < d->min ? v : d->min;
    d->max = d->n == 0 || v > d->max ? v : d->max;
    d->n += n;
    d->sum += v * (double)n;
    *(bucket < 0 ? &d->zeros : &d->buckets[bucket]) += n;
}

/* Adds the number v to the distribution n times. Ignores NaN. */
static inline void ws_histogram_add(struct ws_histogram *d, double v, uint64_t n)
{
    if (v == v && n > 0) {
        ws_histogram_count(d, v, ws_histogram_bucket(v), n);
    }
}

/* Returns the mean of the numbers; 0 for an empty distribution. */
double ws_histogram_mean(const struct ws_histogram *dist);

/* Returns the approximate q-quantile: the number below which the fraction q (0 to 1) of all numbers
 * lies. The result is between min and max; 0 for an empty distribution. */
double ws_histogram_quantile(const struct ws_histogram *dist, double q);

#endif
