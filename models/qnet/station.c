/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * station.c - a station: servers that serve jobs in the order of arrival.
 *
 * A visit consists of two events. On its arrival, a job takes the server that becomes free first,
 * and draws its service time. The departure is then known, because the times at which the servers
 * become free describe their whole workload (Kiefer and Wolfowitz). On its departure, the job draws
 * its next station. Service times come from one random stream and routes from another, so that a
 * change of the routes leaves the service times unchanged.
 *
 * In a closed network, a job that arrives at the first station ends a trip and begins the next one.
 *
 * Bits of an event:
 * - c0: the arriving job had to wait
 * - c1: the arrival ended a trip
 * - c2: the arrival began a trip
 * - c3: the departing job drew a number that decides whether it changes to another copy
 * - c4: the departing job drew the copy to which it changes
 *
 * Cost: O(servers) per arrival, O(log stations) per departure. Source: J. Kiefer & J. Wolfowitz,
 * "On the theory of queues with many servers", Trans. AMS 78, 1955.
 */
#include "model.h"

#include <assert.h>

#include "store/search.h"

uint64_t qn_busy_servers(const struct qn_station_spec *spec, uint64_t jobs)
{
    return spec->servers == QN_INFINITE || jobs < spec->servers ? jobs : spec->servers;
}

static struct qn_job *job_send(tw_lpid to, double offset, const struct qn_job *job,
                               enum qn_kind kind, tw_lp *lp, tw_event **event)
{
    *event = tw_event_new(to, offset, lp);
    struct qn_job *next = tw_event_data(*event);
    *next = *job;
    memset(&next->undo, 0, sizeof next->undo);
    next->kind = (uint16_t)kind;
    return next;
}

/* All jobs of a closed network start at its first station, at time 0. */
void qn_station_init(void *state, tw_lp *lp)
{
    (void)state;
    const struct qn_model *m = qn_model();
    unsigned n = qn_place(m, lp->gid) == 0 ? m->network.n_jobs : 0;
    for (unsigned i = 0; i < n; i++) {
        tw_event *event;
        struct qn_job job = {.number = i + 1, .home = lp->gid};
        job_send(lp->gid, 0, &job, QN_ARRIVE, lp, &event);
        tw_event_send(event);
    }
}

/* ---- Names for tasks ------------------------------------------------------------------------- */

/* Returns the station's name, followed by the number of the copy if there are several copies.
 * Composes names with numbers on first use, so that runs without tasks use no memory for them. */
static const char *place_name(const struct qn_model *m, const tw_lp *lp)
{
    const char *name = m->network.stations[qn_place(m, lp->gid)].name;
    if (m->place_names == NULL || !st_task_listened()) {
        return name;
    }
    char *full = m->place_names + (size_t)lp->id * QN_PLACE_SIZE;
    if (full[0] == '\0') {
        snprintf(full, QN_PLACE_SIZE, "%s.%" PRIu64, name, (uint64_t)(lp->gid / m->lps_per_copy));
    }
    return full;
}

void qn_trip_end(struct qn_batch *batch, const struct qn_job *job, double *undo_sum, tw_lp *lp)
{
    const struct qn_model *m = qn_model();
    *undo_sum = batch->trip_time_sum;
    batch->trips++;
    batch->trip_time_sum += tw_now(lp) - job->trip_start;
    st_task_id id = qn_trip_id(job->home, job->trip);
    st_task_add(lp, &id, (st_task_id){0, 0, 0}, "trip", "job",
                qn_is_open(&m->network) ? "network" : m->network.stations[0].name, job->trip_start,
                NULL, 0);
}

void qn_trip_end_undo(struct qn_batch *batch, double *undo_sum)
{
    assert(batch->trips > 0);
    batch->trips--;
    batch->trip_time_sum = *undo_sum;
    *undo_sum = 0;
}

/* ---- Arrival --------------------------------------------------------------------------------- */

/* Returns the index of the server that becomes free first. free_at: [i] is the virtual time at
 * which server i becomes free. */
static unsigned server_pick(const double *free_at, unsigned servers)
{
    assert(servers > 0);
    unsigned best = 0;
    for (unsigned i = 1; i < servers; i++) {
        best = free_at[i] < free_at[best] ? i : best;
    }
    return best;
}

/* Takes a server for the job. Returns the duration of the job's stay, and sets *started to the
 * virtual time at which its service starts. */
static double service_plan(const struct qn_model *m, struct qn_station *station,
                           const struct qn_station_spec *spec, struct qn_job *job, tw_lp *lp,
                           double *started)
{
    double now = tw_now(lp);
    double service = tw_rand_exponential(&lp->rng[QN_STREAM_TIME], 1 / spec->rate);
    *started = now;
    if (spec->servers == QN_INFINITE) {
        return service;
    }
    double *free_at = qn_free_at(m, station);
    unsigned server = server_pick(free_at, spec->servers);
    job->server = (uint16_t)server;
    job->undo.free_at = free_at[server];
    double wait = ROSS_MAX(free_at[server] - now, 0.0);
    *started = ROSS_MAX(free_at[server], now);
    free_at[server] = now + (wait + service);
    return wait + service;
}

static void service_plan_undo(const struct qn_model *m, struct qn_station *station,
                              const struct qn_station_spec *spec, struct qn_job *job, tw_lp *lp)
{
    if (spec->servers != QN_INFINITE) {
        qn_free_at(m, station)[job->server] = job->undo.free_at;
        job->undo.free_at = 0;
        job->server = 0;
    }
    tw_rand_reverse_unif(&lp->rng[QN_STREAM_TIME]);
}

static void arrival_count(struct qn_station *station, const struct qn_station_spec *spec, tw_bf *bf)
{
    struct qn_batch *batch = &station->batches[station->batch];
    bf->c0 = spec->servers != QN_INFINITE && station->jobs >= spec->servers;
    station->arrivals++;
    station->jobs++;
    batch->arrivals++;
    batch->waits += bf->c0;
}

static void arrival_count_undo(struct qn_station *station, const tw_bf *bf)
{
    assert(station->jobs > 0 && station->arrivals > 0);
    struct qn_batch *batch = &station->batches[station->batch];
    batch->waits -= bf->c0;
    batch->arrivals--;
    station->jobs--;
    station->arrivals--;
}

/* Counts this station as a visit on the job's trip. If this station is the job's home (the first
 * station of a closed network), first ends the job's trip and begins the next one. Returns a copy
 * of the job with the new values of its trip; the job itself keeps the old values, for undo. */
static struct qn_job trip_turn(struct qn_station *station, tw_bf *bf, struct qn_job *job, tw_lp *lp)
{
    struct qn_job stays = *job;
    bf->c2 = stays.home == lp->gid;
    bf->c1 = bf->c2 && stays.trip > 0;
    if (bf->c1) {
        qn_trip_end(&station->batches[station->batch], job, &job->undo.sum, lp);
    }
    if (bf->c2) {
        stays.trip = ++station->trips;
        stays.trip_start = tw_now(lp);
        stays.visits = 0;
    }
    stays.visits++;
    return stays;
}

static void job_arrive(const struct qn_model *m, struct qn_station *station, tw_bf *bf,
                       struct qn_job *job, tw_lp *lp)
{
    const struct qn_station_spec *spec = &m->network.stations[qn_place(m, lp->gid)];
    qn_batches_advance(station->batches, &station->last, &station->batch, &m->window, tw_now(lp),
                       station->jobs, qn_busy_servers(spec, station->jobs), &job->undo.advance);
    arrival_count(station, spec, bf);
    struct qn_job stays = trip_turn(station, bf, job, lp);
    double stay = service_plan(m, station, spec, job, lp, &stays.started);
    stays.arrived = tw_now(lp);
    st_task_begin(lp, qn_trip_id(stays.home, stays.trip), "stay", "job", place_name(m, lp),
                  &stays.stay);
    st_task_step(lp, stays.stay, bf->c0 ? "waits" : "served at once");
    tw_event *event;
    job_send(lp->gid, stay, &stays, QN_DEPART, lp, &event)->server = job->server;
    tw_event_send(event);
}

static void job_arrive_undo(const struct qn_model *m, struct qn_station *station, const tw_bf *bf,
                            struct qn_job *job, tw_lp *lp)
{
    const struct qn_station_spec *spec = &m->network.stations[qn_place(m, lp->gid)];
    service_plan_undo(m, station, spec, job, lp);
    station->trips -= bf->c2;
    if (bf->c1) {
        qn_trip_end_undo(&station->batches[station->batch], &job->undo.sum);
    }
    arrival_count_undo(station, bf);
    qn_batches_advance_undo(station->batches, &station->last, &station->batch, &job->undo.advance);
}

/* ---- Departure ------------------------------------------------------------------------------- */

/* Returns the index of the first station whose running sum is greater than u. Returns n if there is
 * none; the job then leaves the network. */
static unsigned way_pick(const double *sums, unsigned n, double u)
{
    assert(n > 0);
    unsigned way;
    BINARY_SEARCH(way, 0, n, sums[way] <= u);
    return way;
}

/* Draws the destination of the departing job. Draws a random number even if there is no choice, for
 * example if a station has a single route. */
static tw_lpid destination_draw(const struct qn_model *m, const struct qn_job *job, tw_bf *bf,
                                tw_lp *lp)
{
    tw_rng_stream *stream = &lp->rng[QN_STREAM_WAY];
    unsigned n = m->network.n;
    tw_lpid copy = lp->gid / m->lps_per_copy;
    unsigned to = way_pick(m->ways + (size_t)qn_place(m, lp->gid) * n, n, tw_rand_unif(stream));
    if (to == n) {
        return job->home;
    }
    if (m->settings->cross > 0) {
        bf->c3 = 1;
        bf->c4 = tw_rand_unif(stream) < m->settings->cross;
        if (bf->c4) {
            copy = (tw_lpid)tw_rand_integer(stream, 0, (long)m->settings->copies - 1);
        }
    }
    return qn_gid(m, copy, to);
}

static void job_trace(const struct qn_model *m, const struct qn_job *job, tw_lp *lp)
{
    st_task_id id = {0, 0, 0};
    st_task_add(lp, &id, job->stay, "service", "job", place_name(m, lp), job->started, NULL, 0);
    st_task_end(lp, job->stay);
}

static void job_depart(const struct qn_model *m, struct qn_station *station, tw_bf *bf,
                       struct qn_job *job, tw_lp *lp)
{
    assert(station->jobs > 0);
    const struct qn_station_spec *spec = &m->network.stations[qn_place(m, lp->gid)];
    qn_batches_advance(station->batches, &station->last, &station->batch, &m->window, tw_now(lp),
                       station->jobs, qn_busy_servers(spec, station->jobs), &job->undo.advance);
    struct qn_batch *batch = &station->batches[station->batch];
    job->undo.sum = batch->response_sum;
    batch->response_sum += tw_now(lp) - job->arrived;
    batch->departures++;
    station->departures++;
    station->jobs--;
    job_trace(m, job, lp);

    tw_lpid to = destination_draw(m, job, bf, lp);
    bool leaves = qn_place(m, to) == m->network.n;
    tw_event *event;
    struct qn_job *next =
        job_send(to, m->settings->transit, job, leaves ? QN_LEAVE : QN_ARRIVE, lp, &event);
    next->arrived = 0;
    next->started = 0;
    next->stay = (st_task_id){0, 0, 0};
    next->server = 0;
    tw_event_send(event);
}

static void job_depart_undo(struct qn_station *station, const tw_bf *bf, struct qn_job *job,
                            tw_lp *lp)
{
    assert(station->departures > 0);
    for (unsigned draws = 1u + bf->c3 + bf->c4; draws > 0; draws--) {
        tw_rand_reverse_unif(&lp->rng[QN_STREAM_WAY]);
    }
    struct qn_batch *batch = &station->batches[station->batch];
    station->jobs++;
    station->departures--;
    batch->departures--;
    batch->response_sum = job->undo.sum;
    job->undo.sum = 0;
    qn_batches_advance_undo(station->batches, &station->last, &station->batch, &job->undo.advance);
}

void qn_station_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct qn_job *job = msg;
    if (job->kind == QN_ARRIVE) {
        job_arrive(qn_model(), state, bf, job, lp);
    } else {
        job_depart(qn_model(), state, bf, job, lp);
    }
}

void qn_station_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct qn_job *job = msg;
    if (job->kind == QN_ARRIVE) {
        job_arrive_undo(qn_model(), state, bf, job, lp);
    } else {
        job_depart_undo(state, bf, job, lp);
    }
}
