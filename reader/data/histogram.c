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

#define N_STEPS (WS_DIST_OCTAVES * WS_DIST_STEPS)

/* Returns the index of the bucket that contains v > 0, or a negative number if v is too small. */
static int64_t step_of(double v)
{
    assert(v > 0.0);
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    int64_t step = (int64_t)(bits >> 48) - (int64_t)(1023 + WS_DIST_LOWEST) * WS_DIST_STEPS;
    return step >= (int64_t)N_STEPS ? (int64_t)N_STEPS - 1 : step;
}

int32_t ws_histogram_step(double v)
{
    int64_t step = v > 0.0 ? step_of(v) : -1;
    return step < 0 ? -1 : (int32_t)step;
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
    int32_t step = ws_histogram_step(v);
    if (step < 0) {
        d->zeros += n;
    } else {
        d->steps[step] += n;
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
    for (uint32_t i = 0; i < N_STEPS; i++) {
        seen += d->steps[i];
        if (i == N_STEPS - 1) {
            /* The last bucket also holds all larger numbers; the largest of them represents it. */
            break;
        }
        if ((double)seen >= before && d->steps[i] > 0) {
            int octave = WS_DIST_LOWEST + (int)(i / WS_DIST_STEPS);
            double part = ((double)(i % WS_DIST_STEPS) + 0.5) / (double)WS_DIST_STEPS;
            v = ldexp(1.0 + part, octave);
            break;
        }
    }
    return v < d->min ? d->min : v > d->max ? d->max : v;
}
