/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.c - the fields that qnet adds to the records of the instrumentation.
 *
 * Event records describe the job of the event. Samples hold a station's totals since the start, and
 * thus leave the state as it is: a run ends in the same states with and without samples.
 */
#include "model.h"

static const char *const kinds[] = {[0] = "",
                                    [QN_CREATE] = "create",
                                    [QN_ARRIVE] = "arrive",
                                    [QN_DEPART] = "depart",
                                    [QN_LEAVE] = "leave",
                                    NULL};

/* home: gid of the LP where the job's trips begin and end. */
#define JOB_FIELDS(X, r)                                                                           \
    X(r, U64, job, "", IDENTITY, NULL)                                                             \
    X(r, U64, home, "", IDENTITY, NULL)                                                            \
    X(r, U64, trip, "", IDENTITY, NULL)                                                            \
    X(r, U32, kind, "", IDENTITY, kinds)                                                           \
    X(r, U32, visits, "", LEVEL, NULL)
MODEL_PAYLOAD(job, JOB_FIELDS)

#define STATION_FIELDS(X, r)                                                                       \
    X(r, U64, jobs, "jobs", LEVEL, NULL)                                                           \
    X(r, U64, arrivals, "jobs", COUNTER, NULL)                                                     \
    X(r, U64, departures, "jobs", COUNTER, NULL)                                                   \
    X(r, F64, jobs_mean, "jobs", LEVEL, NULL)
MODEL_PAYLOAD(station, STATION_FIELDS)

#define OUTSIDE_FIELDS(X, r)                                                                       \
    X(r, U64, created, "jobs", COUNTER, NULL)                                                      \
    X(r, U64, finished, "jobs", COUNTER, NULL)
MODEL_PAYLOAD(outside, OUTSIDE_FIELDS)

MODEL_EVENT(job, const struct qn_job *job)
{
    return (struct job){job->number, job->home, job->trip, job->kind, job->visits};
}

MODEL_SAMPLE(station, const struct qn_station *station)
{
    double passed = tw_now(lp);
    double time = (double)station->jobs * (passed - station->last);
    for (unsigned b = 0; b <= station->batch; b++) {
        time += station->batches[b].jobs_time;
    }
    return (struct station){station->jobs, station->arrivals, station->departures,
                            passed > 0 ? time / passed : 0.0};
}

MODEL_PURE_SAMPLE(outside, const struct qn_outside *outside)
{
    return (struct outside){outside->created, outside->finished};
}

struct model_observers qn_station_observers = MODEL_OBSERVERS(job, station);
struct model_observers qn_outside_observers = MODEL_OBSERVERS(job, outside);
