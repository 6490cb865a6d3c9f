/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * noise.h - whether two groups of measured values differ by more than equal measurements do, without
 * an assumption about how these are distributed (Mann and Whitney; Hodges and Lehmann). If only a
 * ratio tells groups of n and m values apart, number k of the n * m ratios B / A in ascending order
 * exceeds it with a known probability. The 95 % interval is that from number k to n * m + 1 - k, with
 * the largest k for which the ends together miss it in at most 5 % of all cases.
 */
#ifndef WARPSCOPE_READER_COMPARE_NOISE_H
#define WARPSCOPE_READER_COMPARE_NOISE_H

#include <stddef.h>

#define NOISE_VALUES_MAX 32u /* maximum number of values in both groups together */

enum noise_verdict {
    NOISE_UNKNOWN, /* a group has no value, or one that is not greater than 0 */
    NOISE_ONE,     /* both groups have one value */
    NOISE_FEW,     /* the ranges lie apart, but there are too few values for an interval */
    NOISE_WITHIN,  /* the interval contains 1; or there is none, and the ranges overlap */
    NOISE_MORE     /* the interval does not contain 1 */
};

struct noise {
    enum noise_verdict verdict;
    double ratio;     /* of the medians, B / A; NaN: unknown */
    double low, high; /* 95 % interval of the ratio; NaN: none */
};

/* Sorts n values in ascending order, and returns their median; NaN if there are none. */
double noise_median(double *values, size_t n);
/* Returns k of the 95 % interval for groups of n and m values; 0: there is none. */
size_t noise_rank(size_t n, size_t m);
/* Compares groups a and b, which are in ascending order: noise_median() sorts them. */
struct noise noise_of(const double *a, size_t n, const double *b, size_t m);

#endif
