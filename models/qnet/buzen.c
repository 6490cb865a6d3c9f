/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buzen.c - theoretical values of closed networks, by Buzen's convolution algorithm. Stations may
 * have several servers.
 *
 * Let f_i(n) = x_i^n / (beta_i(1) ... beta_i(n)), where x_i = visits / rate and beta_i(n) = min(n,
 * servers) for station i. The probability that the M stations hold n_1 to n_M jobs is the product
 * of all f_i(n_i), divided by G(N). G(N) is the sum of these products over all distributions of N
 * jobs over the stations. It is element N of the convolution of all f_i.
 *
 * The number of jobs at station i has the distribution f_i(n) * G_without_i(N - n) / G(N).
 * G_without_i is the convolution of all f except f_i. It is computed from the convolution of all f
 * before i and that of all f after i. The transit is an additional station with infinitely many
 * servers.
 *
 * All x_i are divided by the greatest x_i / servers, to stay in the range of long doubles. If that
 * does not suffice, or if the calculation would take too long, the results are NAN.
 *
 * Cost: O(stations * jobs^2) time, O(stations * jobs) memory. Source: J. P. Buzen, "Computational
 * algorithms for closed queueing networks with exponential servers", Comm. ACM 16(9), 1973; the
 * probability of waiting: K. C. Sevcik & I. Mitrani, "The distribution of queuing network states at
 * input and output instants", J. ACM 28(2), 1981.
 */
#include "exact.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of multiplications in all convolutions. Calculations within this limit take at
 * most a few seconds. */
#define STEPS_MAX 2e9

/* Data of the calculation. Stations 0 to n - 2 belong to the network; station n - 1 is the
 * transit. */
struct calculation {
    const struct qn_network *net;
    const double *visits;
    double transit;
    double scale;       /* divisor of all x_i, which keeps them in range */
    unsigned n, jobs;   /* n: number of stations, including the transit; jobs: number of jobs */
    long double *f;     /* n rows; row i: f_i(0) to f_i(jobs) */
    long double *until; /* n + 1 rows; row i: convolution of f_0 to f_(i-1) */
    long double *from;  /* n + 1 rows; row i: convolution of f_i to f_(n-1) */
    long double *rest;  /* one row: G_without_i for the present i */
};

static long double *row(const struct calculation *c, long double *table, unsigned i)
{
    assert(i <= c->n + 1);
    return table + (size_t)i * (c->jobs + 1);
}

/* Returns x_i = visits / rate of station i before scaling. */
static double demand(const struct calculation *c, unsigned i)
{
    assert(i < c->n);
    if (i + 1 == c->n) {
        double all = 0;
        for (unsigned k = 0; k + 1 < c->n; k++) {
            all += c->visits[k];
        }
        return all * c->transit;
    }
    return c->visits[i] / c->net->stations[i].rate;
}

static unsigned servers(const struct calculation *c, unsigned i)
{
    assert(i < c->n);
    return i + 1 == c->n ? QN_INFINITE : c->net->stations[i].servers;
}

/* Sets c->scale to the greatest x_i / servers; uses x_i / jobs for a station with infinitely many
 * servers. */
static void scale_find(struct calculation *c)
{
    c->scale = 0;
    for (unsigned i = 0; i < c->n; i++) {
        unsigned s = servers(c, i) == QN_INFINITE ? c->jobs : servers(c, i);
        double x = demand(c, i) / s;
        c->scale = x > c->scale ? x : c->scale;
    }
}

static void factors_fill(struct calculation *c, unsigned i)
{
    long double *f = row(c, c->f, i);
    long double x = (long double)(demand(c, i) / c->scale);
    f[0] = 1;
    for (unsigned k = 1; k <= c->jobs; k++) {
        unsigned busy = servers(c, i) == QN_INFINITE || k < servers(c, i) ? k : servers(c, i);
        f[k] = f[k - 1] * x / busy;
    }
}

/* Sets out to the convolution of a and b. out must be a row other than a and b. */
static void convolve(const struct calculation *c, const long double *a, const long double *b,
                     long double *out)
{
    for (unsigned k = 0; k <= c->jobs; k++) {
        long double sum = 0;
        for (unsigned j = 0; j <= k; j++) {
            sum += a[j] * b[k - j];
        }
        out[k] = sum;
    }
}

static void tables_fill(struct calculation *c)
{
    scale_find(c);
    row(c, c->until, 0)[0] = 1;
    row(c, c->from, c->n)[0] = 1;
    for (unsigned i = 0; i < c->n; i++) {
        factors_fill(c, i);
        convolve(c, row(c, c->until, i), row(c, c->f, i), row(c, c->until, i + 1));
    }
    for (unsigned i = c->n; i-- > 0;) {
        convolve(c, row(c, c->from, i + 1), row(c, c->f, i), row(c, c->from, i));
    }
}

static void station_fill(struct calculation *c, unsigned i, double trips,
                         struct qn_exact_station *e)
{
    const long double *g = row(c, c->until, c->n);
    const long double *f = row(c, c->f, i);
    unsigned s = servers(c, i);
    unsigned n = c->jobs;
    long double number = 0;
    /* Numerator of the probability of waiting. It is computed for jobs - 1 jobs, because an
     * arriving job sees the network without itself. */
    long double waiting = 0;
    convolve(c, row(c, c->until, i), row(c, c->from, i + 1), c->rest);
    for (unsigned k = 1; k <= n; k++) {
        number += k * f[k] * c->rest[n - k];
    }
    for (unsigned k = s; s != QN_INFINITE && k + 1 <= n; k++) {
        waiting += f[k] * c->rest[n - 1 - k];
    }
    e->throughput = trips * c->visits[i];
    e->number = (double)(number / g[n]);
    e->response = e->number / e->throughput;
    e->utilisation = s == QN_INFINITE ? (double)NAN : e->throughput / c->net->stations[i].rate / s;
    e->must_wait = (double)(waiting / g[n - 1]);
}

static void all_unknown(struct qn_exact *exact, unsigned n)
{
    double nan = (double)NAN;
    for (unsigned i = 0; i < n; i++) {
        exact->stations[i] = (struct qn_exact_station){nan, nan, nan, nan, nan};
    }
    exact->trips = nan;
    exact->trip_time = nan;
}

static bool result_is_good(const struct calculation *c)
{
    long double g = row(c, c->until, c->n)[c->jobs];
    return isfinite(g) && g > 0;
}

void qn_exact_closed(struct qn_exact *exact, const struct qn_network *net, double transit)
{
    assert(net->n > 0 && net->n_jobs > 0);
    struct calculation c = {.net = net, .visits = exact->visits, .transit = transit};
    c.n = net->n + 1;
    c.jobs = net->n_jobs;
    all_unknown(exact, net->n);
    double jobs = c.jobs;
    if (3 * c.n * jobs * jobs / 2 > STEPS_MAX) {
        return;
    }
    size_t rows = 3 * (size_t)c.n + 3;
    long double *memory = calloc(rows * (c.jobs + 1), sizeof *memory);
    if (memory == NULL) {
        return;
    }
    c.f = memory;
    c.until = row(&c, c.f, c.n);
    c.from = row(&c, c.until, c.n + 1);
    c.rest = row(&c, c.from, c.n + 1);
    tables_fill(&c);
    if (result_is_good(&c)) {
        const long double *g = row(&c, c.until, c.n);
        exact->trips = (double)(g[c.jobs - 1] / g[c.jobs]) / c.scale;
        exact->trip_time = jobs / exact->trips;
        for (unsigned i = 0; i < net->n; i++) {
            station_fill(&c, i, exact->trips, &exact->stations[i]);
        }
    }
    free(memory);
}
