/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.c - the fields that qnet adds to the records of the instrumentation.
 *
 * Event records describe the job of the event. Samples hold a station's totals since the start, and
 * thus leave the state as it is: a run ends in the same states with and without samples. The structs
 * have no padding.
 */
#include "observe.h"

#include "common/observe.h"
#include "model.h"

struct job_record {
    uint64_t job;
    uint64_t home; /* gid of the LP where the job's trips begin and end */
    uint64_t trip;
    uint32_t kind;
    uint32_t visits;
};
_Static_assert(sizeof(struct job_record) == 32, "no padding");

struct station_record {
    uint64_t jobs;
    uint64_t arrivals;
    uint64_t departures;
    double jobs_mean;
};
_Static_assert(sizeof(struct station_record) == 32, "no padding");

struct outside_record {
    uint64_t created;
    uint64_t finished;
};
_Static_assert(sizeof(struct outside_record) == 16, "no padding");

static const char *const job_kinds[] = {[0] = "",
                                        [QN_CREATE] = "create",
                                        [QN_ARRIVE] = "arrive",
                                        [QN_DEPART] = "depart",
                                        [QN_LEAVE] = "leave",
                                        NULL};

static const st_field job_fields[] = {
    {"job", ST_U64, offsetof(struct job_record, job), "", 1, ST_IDENTITY},
    {"home", ST_U64, offsetof(struct job_record, home), "", 1, ST_IDENTITY},
    {"trip", ST_U64, offsetof(struct job_record, trip), "", 1, ST_IDENTITY},
    {"kind", ST_U32, offsetof(struct job_record, kind), "", 1, ST_IDENTITY, job_kinds},
    {"visits", ST_U32, offsetof(struct job_record, visits), "", 1, ST_LEVEL},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static const st_field station_fields[] = {
    {"jobs", ST_U64, offsetof(struct station_record, jobs), "jobs", 1, ST_LEVEL},
    {"arrivals", ST_U64, offsetof(struct station_record, arrivals), "jobs", 1, ST_COUNTER},
    {"departures", ST_U64, offsetof(struct station_record, departures), "jobs", 1, ST_COUNTER},
    {"jobs_mean", ST_F64, offsetof(struct station_record, jobs_mean), "jobs", 1, ST_LEVEL},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static const st_field outside_fields[] = {
    {"created", ST_U64, offsetof(struct outside_record, created), "jobs", 1, ST_COUNTER},
    {"finished", ST_U64, offsetof(struct outside_record, finished), "jobs", 1, ST_COUNTER},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static void job_trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)lp;
    (void)collect_flag;
    const struct qn_job *job = msg;
    struct job_record record = {job->number, job->home, job->trip, job->kind, job->visits};
    memcpy(buffer, &record, sizeof record);
}

static void station_sample(void *state, tw_lp *lp, char *buffer)
{
    const struct qn_station *station = state;
    double passed = tw_now(lp);
    double time = (double)station->jobs * (passed - station->last);
    for (unsigned b = 0; b <= station->batch; b++) {
        time += station->batches[b].jobs_time;
    }
    struct station_record record = {station->jobs, station->arrivals, station->departures,
                                    passed > 0 ? time / passed : 0.0};
    memcpy(buffer, &record, sizeof record);
}

static void outside_sample(void *state, tw_lp *lp, char *buffer)
{
    (void)lp;
    const struct qn_outside *outside = state;
    struct outside_record record = {outside->created, outside->finished};
    memcpy(buffer, &record, sizeof record);
}

static st_model_types station_observers = {
    MODEL_OBSERVE_EVENTS(job_trace, struct job_record),
    MODEL_OBSERVE_STATE(station_sample, struct station_record),
};

static st_model_types outside_observers = {
    MODEL_OBSERVE_EVENTS(job_trace, struct job_record),
    MODEL_OBSERVE_STATE(outside_sample, struct outside_record),
};

st_model_types *qn_station_observers(void)
{
    return &station_observers;
}

st_model_types *qn_outside_observers(void)
{
    return &outside_observers;
}

void qn_observers_describe(void)
{
    model_observers_describe(&station_observers, job_fields, station_fields);
    model_observers_describe(&outside_observers, job_fields, outside_fields);
}
