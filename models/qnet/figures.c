/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * figures.c - the results for each station, with their theoretical values.
 *
 * Every quantity is a ratio of two sums over batches. The numerator is a number of jobs or a time.
 * The denominator is the duration of the batches or a number of jobs. The warm-up (batch 0) does
 * not count.
 */
#include "figures.h"

#include <assert.h>

const char *qn_quantity_name(enum qn_quantity quantity)
{
    assert(quantity < QN_QUANTITIES);
    static const char *const names[QN_QUANTITIES] = {
        [QN_THROUGHPUT] = "throughput", [QN_UTILISATION] = "utilisation", [QN_NUMBER] = "number",
        [QN_RESPONSE] = "response",     [QN_MUST_WAIT] = "must_wait",     [QN_TRIPS] = "trips",
        [QN_TRIP_TIME] = "trip_time"};
    return names[quantity];
}

bool qn_figure_exists(const struct qn_model *m, unsigned station, enum qn_quantity quantity)
{
    assert(station < m->network.n);
    return m->network.stations[station].servers != QN_INFINITE ||
           (quantity != QN_UTILISATION && quantity != QN_MUST_WAIT);
}

/* Numerator y and denominator x of a quantity in one batch. */
struct parts {
    double y;
    double x;
};

/* Returns the numerator and denominator of a quantity in batch b. time: duration of the batch,
 * multiplied by the number of copies of the network. */
static struct parts batch_parts(const struct qn_batch *b, enum qn_quantity quantity, double time,
                                unsigned servers)
{
    switch (quantity) {
    case QN_THROUGHPUT:
        return (struct parts){(double)b->departures, time};
    case QN_UTILISATION:
        return (struct parts){b->busy_time, time * servers};
    case QN_NUMBER:
        return (struct parts){b->jobs_time, time};
    case QN_RESPONSE:
        return (struct parts){b->response_sum, (double)b->departures};
    case QN_MUST_WAIT:
        return (struct parts){(double)b->waits, (double)b->arrivals};
    case QN_TRIPS:
        return (struct parts){(double)b->trips, time};
    default:
        return (struct parts){b->trip_time_sum, (double)b->trips};
    }
}

static double exact_value(const struct qn_model *m, unsigned station, enum qn_quantity quantity)
{
    const struct qn_exact_station *e = &m->exact.stations[station];
    switch (quantity) {
    case QN_THROUGHPUT:
        return e->throughput;
    case QN_UTILISATION:
        return e->utilisation;
    case QN_NUMBER:
        return e->number;
    case QN_RESPONSE:
        return e->response;
    case QN_MUST_WAIT:
        return e->must_wait;
    case QN_TRIPS:
        return m->exact.trips;
    default:
        return m->exact.trip_time;
    }
}

struct qn_figure qn_figure(const struct qn_model *m, const struct qn_results *r, unsigned station,
                           enum qn_quantity quantity)
{
    double y[QN_MAX_BATCHES];
    double x[QN_MAX_BATCHES];
    unsigned n = m->window.n;
    assert(n >= 2 && n <= QN_MAX_BATCHES);
    bool is_trip = quantity >= QN_STATION_QUANTITIES;
    unsigned home = qn_is_open(&m->network) ? m->network.n : 0;
    unsigned place = is_trip ? home : station;
    double time = (m->window.to - m->window.from) / n * m->settings->copies;
    for (unsigned b = 0; b < n; b++) {
        struct parts parts = batch_parts(qn_results_batch(r, m, place, b + 1), quantity, time,
                                         m->network.stations[station].servers);
        y[b] = parts.y;
        x[b] = parts.x;
    }
    struct qn_figure figure = {.estimate = qn_estimate_ratio(y, x, n),
                               .exact = exact_value(m, station, quantity)};
    figure.off = (figure.estimate.mean - figure.exact) / figure.estimate.half_width;
    if (!isfinite(figure.off)) {
        figure.off = (double)NAN;
    }
    return figure;
}
