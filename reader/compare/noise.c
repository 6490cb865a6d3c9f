/* SPDX-License-Identifier: BSD-3-Clause */
/* noise.c - see noise.h. */
#include "compare/noise.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "data/number.h"

#define PAIRS  (NOISE_VALUES_MAX * NOISE_VALUES_MAX / 4) /* maximum number of pairs of values */
#define MISSES 0.05 /* the interval misses the true ratio in at most this share of all cases */

double noise_median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, ws_by_f64);
    return n == 0 ? (double)NAN : 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

size_t noise_rank(size_t n, size_t m)
{
    /* ways[i][u]: number of orders of i values of A and j of B, which are equally probable if the
     * groups do not differ, such that A exceeds B in u of the i * j pairs. The largest value is of A,
     * and exceeds j values, or of B. No k exceeds PAIRS / 2. */
    double ways[NOISE_VALUES_MAX + 1][PAIRS / 2 + 1] = {{0}}, all = 1.0, sum = 0.0;
    size_t k = 0;
    assert(n + m <= NOISE_VALUES_MAX);
    for (size_t i = 0; i <= n; i++) {
        ways[i][0] = 1.0;
    }
    for (size_t j = 1; j <= m; j++) {
        for (size_t i = 1; i <= n; i++) {
            for (size_t u = j; u <= PAIRS / 2; u++) {
                ways[i][u] += ways[i - 1][u - j];
            }
        }
        all *= (double)(n + j) / (double)j;
    }
    while (k < n * m / 2 && 2.0 * (sum + ways[n][k]) <= MISSES * all * (1.0 + 1e-9)) {
        sum += ways[n][k++];
    }
    return k;
}

struct noise noise_of(const double *a, size_t n, const double *b, size_t m)
{
    double ratios[PAIRS];
    struct noise noise = {.ratio = (double)NAN, .low = (double)NAN, .high = (double)NAN};
    assert(n + m <= NOISE_VALUES_MAX);
    if (n == 0 || m == 0 || !(a[0] > 0.0) || !(b[0] > 0.0)) {
        return noise;
    }
    for (size_t i = 0; i < n * m; i++) {
        ratios[i] = b[i % m] / a[i / m];
    }
    qsort(ratios, n * m, sizeof *ratios, ws_by_f64);
    noise.ratio = (b[(m - 1) / 2] + b[m / 2]) / (a[(n - 1) / 2] + a[n / 2]);
    size_t k = noise_rank(n, m);
    if (k > 0) {
        noise.low = ratios[k - 1];
        noise.high = ratios[n * m - k];
        noise.verdict = noise.low > 1.0 || noise.high < 1.0 ? NOISE_MORE : NOISE_WITHIN;
    } else if (n == 1 && m == 1) {
        noise.verdict = NOISE_ONE;
    } else {
        noise.verdict = ratios[0] > 1.0 || ratios[n * m - 1] < 1.0 ? NOISE_FEW : NOISE_WITHIN;
    }
    return noise;
}
