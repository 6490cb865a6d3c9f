/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results.c - gathers the counts of the LPs on rank 0, and computes the results for each station.
 *
 * Every quantity is a ratio of two sums over batches. The numerator is a number of jobs or a time.
 * The denominator is the duration of the batches or a number of jobs. The warm-up (batch 0) does
 * not count.
 */
#include "results.h"

#include <assert.h>

struct model_kept qn_kept;

void qn_results_keep(void *state, tw_lp *lp)
{
    const struct qn_model *m = qn_model();
    unsigned place = qn_place(m, lp->gid);
    size_t size = (m->window.n + 1) * sizeof(struct qn_batch);
    if (place == m->network.n) {
        const struct qn_outside *outside = state;
        model_kept_put(&qn_kept, lp, outside->batches, size);
        return;
    }
    const struct qn_station *station = state;
    struct qn_batch *copy = model_kept_put(&qn_kept, lp, station->batches, size);
    double last = station->last;
    uint32_t batch = station->batch;
    struct qn_advance_undo unused;
    uint64_t busy = qn_busy_servers(&m->network.stations[place], station->jobs);
    qn_batches_advance(copy, &last, &batch, &m->window, m->window.to, station->jobs, busy, &unused);
}

static void lp_add(void *results, const struct model_kept_lp *lp)
{
    struct qn_results *r = results;
    const struct qn_batch *batches = lp->bytes;
    unsigned per_lp = qn_model()->window.n + 1;
    size_t first = (size_t)qn_place(qn_model(), lp->gid) * per_lp;
    for (unsigned b = 0; b < per_lp; b++) {
        qn_batch_add(&r->batches[first + b], &batches[b]);
    }
}

void qn_results_gather(struct qn_results *results, MPI_Comm comm)
{
    const struct qn_model *m = qn_model();
    int ranks;
    MPI_Comm_size(comm, &ranks);
    tw_lpid *first = tw_calloc(TW_LOC, "results", sizeof *first, (size_t)ranks + 1);
    for (int rank = 0; rank <= ranks; rank++) {
        first[rank] = qn_model_first(m, (unsigned)rank);
    }
    results->n_batches = (size_t)m->lps_per_copy * (m->window.n + 1);
    results->batches = tw_calloc(TW_LOC, "results", sizeof *results->batches, results->n_batches);
    model_kept_sum(&qn_kept, first, comm, results->batches,
                   results->n_batches * sizeof *results->batches, lp_add, results);
    free(first);
}

void qn_results_fini(struct qn_results *results)
{
    free(results->batches);
    *results = (struct qn_results){NULL, 0};
}

/* ---- Figures --------------------------------------------------------------------------------- */

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
    if (quantity >= QN_STATION_QUANTITIES) {
        return quantity == QN_TRIPS ? m->exact.trips : m->exact.trip_time;
    }
    double values[QN_STATION_QUANTITIES]; /* the members have the order of the quantities */
    _Static_assert(sizeof values == sizeof m->exact.stations[0], "a member for each quantity");
    memcpy(values, &m->exact.stations[station], sizeof values);
    return values[quantity];
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
