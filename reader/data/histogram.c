/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * histogram.c - the distribution of a set of numbers; see histogram.h.
 *
 * A quantile is the middle of the bucket that contains it, clamped to the range from the smallest to
 * the largest number.
 */
#include "data/histogram.h"

#include <assert.h>
#include <math.h>

#define N_BUCKETS (WS_DIST_OCTAVES * WS_DIST_BUCKETS)

double ws_histogram_mean(const struct ws_histogram *d)
{
    return d->n == 0 ? 0.0 : d->sum / (double)d->n;
}

double ws_histogram_quantile(const struct ws_histogram *d, double q)
{
    assert(q >= 0.0 && q <= 1.0);
    double before = q * (double)d->n, v = d->max;
    uint64_t seen = d->zeros;
    if (d->n == 0 || q >= 1.0) {
        return d->n == 0 ? 0.0 : d->max;
    }
    if ((double)seen >= before && seen > 0) {
        return d->min < 0.0 ? d->min : 0.0;
    }
    for (uint32_t i = 0; i < N_BUCKETS; i++) {
        seen += d->buckets[i];
        if (i == N_BUCKETS - 1) {
            /* The last bucket also counts all larger numbers. Its quantile is therefore the
             * maximum. */
            break;
        }
        if ((double)seen >= before && d->buckets[i] > 0) {
            int octave = WS_DIST_LOWEST + (int)(i / WS_DIST_BUCKETS);
            double part = ((double)(i % WS_DIST_BUCKETS) + 0.5) / (double)WS_DIST_BUCKETS;
            v = ldexp(1.0 + part, octave);
            break;
        }
    }
    return v < d->min ? d->min : v > d->max ? d->max : v;
}
