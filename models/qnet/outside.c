/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outside.c - the outside of an open network, from which jobs come and to which they return.
 *
 * Each copy of the network has one such LP. The arrivals from outside at all stations of the copy,
 * taken together, are a Poisson process. Each job draws its first station, with the arrival rates
 * as weights. These draws split the process into independent Poisson processes, one per station. A
 * job's trip begins and ends here, so this LP measures the durations of trips.
 *
 * Cost: O(stations) per job.
 */
#include "model.h"

#include <assert.h>

static const struct qn_job no_job;

static void create_later(const struct qn_model *m, tw_lp *lp)
{
    assert(m->arrival_rate > 0);
    double offset = tw_rand_exponential(&lp->rng[QN_STREAM_TIME], 1 / m->arrival_rate);
    tw_event *event = tw_event_new(lp->gid, offset, lp);
    struct qn_job *job = tw_event_data(event);
    *job = no_job;
    job->kind = QN_CREATE;
    tw_event_send(event);
}

void qn_outside_init(void *state, tw_lp *lp)
{
    (void)state;
    create_later(qn_model(), lp);
}

static unsigned first_station_draw(const struct qn_model *m, tw_lp *lp)
{
    double u = tw_rand_unif(&lp->rng[QN_STREAM_WAY]) * m->arrival_rate;
    unsigned i = 0;
    while (i + 1 < m->network.n && m->arrival_sums[i] <= u) {
        i++;
    }
    return i;
}

static void job_create(const struct qn_model *m, struct qn_outside *outside, tw_lp *lp)
{
    unsigned to = first_station_draw(m, lp);
    outside->created++;
    tw_lpid copy = lp->gid / m->lps_per_copy;
    tw_event *event = tw_event_new(qn_gid(m, copy, to), m->settings->transit, lp);
    struct qn_job *job = tw_event_data(event);
    *job = no_job;
    job->number = outside->created;
    job->home = lp->gid;
    job->trip = outside->created;
    job->trip_start = tw_now(lp);
    job->kind = QN_ARRIVE;
    tw_event_send(event);
    create_later(m, lp);
}

void qn_outside_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    const struct qn_model *m = qn_model();
    struct qn_outside *outside = state;
    struct qn_job *job = msg;
    qn_batches_advance(outside->batches, &outside->last, &outside->batch, &m->window, tw_now(lp), 0,
                       0, &job->undo.advance);
    if (job->kind == QN_CREATE) {
        job_create(m, outside, lp);
        return;
    }
    outside->finished++;
    qn_trip_end(&outside->batches[outside->batch], job, &job->undo.sum, lp);
}

void qn_outside_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    struct qn_outside *outside = state;
    struct qn_job *job = msg;
    if (job->kind == QN_CREATE) {
        tw_rand_reverse_unif(&lp->rng[QN_STREAM_TIME]);
        tw_rand_reverse_unif(&lp->rng[QN_STREAM_WAY]);
        assert(outside->created > 0);
        outside->created--;
    } else {
        qn_trip_end_undo(&outside->batches[outside->batch], &job->undo.sum);
        outside->finished--;
    }
    qn_batches_advance_undo(outside->batches, &outside->last, &outside->batch, &job->undo.advance);
}
