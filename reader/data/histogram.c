/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * histogram.c - the distribution of a set of numbers; see histogram.h.
 *
 * The bucket of a number is given by the number's binary exponent and the first four bits of its
 * fraction. Both are read from the bits of the number, without a logarithm. A quantile is the
 * middle of the bucket that contains it, clamped to the range from the smallest to the largest
 * number.
 */
#include "data/histogram.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define N_BUCKETS (WS_DIST_OCTAVES * WS_DIST_BUCKETS)

/* Returns the index of the bucket that contains v > 0, or a negative number if v is too small. */
static int64_t bucket_of(double v)
{
    assert(v > 0.0);
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    int64_t bucket = (int64_t)(bits >> 48) - (int64_t)(1023 + WS_DIST_LOWEST) * WS_DIST_BUCKETS;
    return bucket >= (int64_t)N_BUCKETS ? (int64_t)N_BUCKETS - 1 : bucket;
}

int32_t ws_histogram_bucket(double v)
{
    int64_t bucket = v > 0.0 ? bucket_of(v) : -1;
    return bucket < 0 ? -1 : (int32_t)bucket;
}

void ws_histogram_add(struct ws_histogram *d, double v, uint64_t n)
{
    if (v != v || n == 0) {
        return;
    }
    d->min = d->n == 0 || v < d->min ? v : d->min;
    d->max = d->n == 0 || v > d->max ? v : d->max;
    d->n += n;
    d->sum += v * (double)n;
    int32_t bucket = ws_histogram_bucket(v);
    if (bucket < 0) {
        d->zeros += n;
    } else {
        d->buckets[bucket] += n;
    }
}

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
