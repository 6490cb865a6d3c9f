/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - the simulated networks, shared by the LPs and read-only while the simulation runs; the
 * jobs; the states of stations and of the outside.
 */
#ifndef QNET_MODEL_H
#define QNET_MODEL_H

#include "batches.h"
#include "exact.h"
#include "settings.h"

/* ---- Events ---------------------------------------------------------------------------------- */

enum qn_kind {
    QN_CREATE = 1, /* to the outside, from itself: the next job arrives */
    QN_ARRIVE,     /* to a station: a job arrives */
    QN_DEPART,     /* to a station, from itself: a service is over */
    QN_LEAVE       /* to the outside: a job has left the network */
};

struct qn_undo {
    struct qn_advance_undo advance;
    double sum;     /* value of a sum before this event added to it */
    double free_at; /* old free_at of the server that was taken */
};

/* The payload of every event: a job and its place. No padding. */
struct qn_job {
    uint64_t number;   /* ordinal number of the job in its copy of the network, from 1 */
    tw_lpid home;      /* gid of the LP where its trips begin and end */
    uint64_t trip;     /* ordinal number of the trip at home, from 1; 0: before the first trip */
    double trip_start; /* virtual time of the beginning of the trip */
    double arrived;    /* arrival at the station, in QN_DEPART */
    double started;    /* start of service, in QN_DEPART */
    st_task_id stay;   /* task of the stay at the station, in QN_DEPART */
    uint16_t kind;     /* kind of event: enum qn_kind */
    /* index of the server that the job takes, in QN_ARRIVE; set by forward handlers, cleared by
     * reverse handlers */
    uint16_t server;
    uint32_t visits; /* number of stations visited on this trip so far */
    /* Set by forward handlers, cleared by reverse handlers; zero while in transit. */
    struct qn_undo undo;
};
_Static_assert(sizeof(struct qn_job) == 128, "a job has no padding");

/* ---- States ---------------------------------------------------------------------------------- */

/*
 * State of a station. Its n + 1 batches follow, then the time at which each server becomes free
 * (none for infinitely many servers). Jobs need no queue: with first come, first served, the
 * departure is known on arrival and waits as an event.
 */
struct qn_station {
    double last; /* virtual time up to which the batches are counted */
    uint32_t batch;
    uint32_t unused;             /* unused, always 0 */
    uint64_t jobs;               /* number of jobs at the station */
    uint64_t most;               /* largest number of jobs since the last sample */
    uint64_t arrivals;           /* number of arrivals since the start */
    uint64_t departures;         /* number of departures since the start */
    uint64_t trips;              /* trips begun at the first station of a closed network */
    uint64_t sampled_arrivals;   /* value of arrivals at the last sample */
    uint64_t sampled_departures; /* value of departures at the last sample */
    struct qn_batch batches[];
};

/* State of the outside of an open network: jobs come from it and go to it. Its n + 1 batches
 * follow. */
struct qn_outside {
    double last;
    uint32_t batch;
    uint32_t unused; /* unused, always 0 */
    uint64_t created;
    uint64_t finished;
    struct qn_batch batches[];
};

/* ---- The model ------------------------------------------------------------------------------- */

struct qn_model {
    const struct qn_settings *settings;
    struct qn_network network;
    struct qn_exact exact;
    struct qn_window window;
    double arrival_rate; /* rate of arrivals at one copy, jobs per unit of virtual time */
    double *ways;        /* for each station, the running sums of its row of routes */
    double arrival_sums[QN_MAX_STATIONS]; /* running sums of the arrival rates of the stations */
    /* Number of LPs per copy: stations, and the outside if the network is open. */
    unsigned lps_per_copy;
    tw_lpid n_lps;
    /* LP types of the stations, which differ only in state_sz. */
    tw_lptype station_types[QN_MAX_STATIONS];
    tw_lptype outside_type;
    /* Owned; QN_PLACE_SIZE bytes for each LP of the rank; NULL if there is a single copy of the
     * network. */
    char *place_names;
};
#define QN_PLACE_SIZE (QN_NAME_SIZE + 24u)

/* Random streams of an LP: for times, and for routes. */
enum { QN_STREAM_TIME, QN_STREAM_WAY, QN_STREAMS };

/* Returns the model, zeroed before qn_model_init(). Handlers only read it. */
const struct qn_model *qn_model(void);

/* Reads the network and builds the model. settings: settings that have been checked and stay valid.
 * Collective; all ranks return the same result and message. */
bool qn_model_init(const struct qn_settings *settings, MPI_Comm comm, struct model_error *error);
void qn_model_fini(void);

/* Returns the first gid of a rank; the LPs of the rank end before the first gid of the next rank.
 * Not collective. */
tw_lpid qn_model_first(const struct qn_model *m, unsigned rank);
/* Gives each LP of this rank its type. Must be called after tw_define_lps(). Not collective. */
void qn_model_settypes(void);

/* Returns the index of an LP within its copy of the network: the index of its station, or network.n
 * for the outside. */
static inline unsigned qn_place(const struct qn_model *m, tw_lpid gid)
{
    return (unsigned)(gid % m->lps_per_copy);
}

static inline tw_lpid qn_gid(const struct qn_model *m, tw_lpid copy, unsigned place)
{
    return copy * m->lps_per_copy + place;
}

static inline double *qn_free_at(const struct qn_model *m, struct qn_station *station)
{
    return (double *)(station->batches + m->window.n + 1);
}

/* Returns the id of the task of a trip, whether or not the task was added. */
static inline st_task_id qn_trip_id(tw_lpid home, uint64_t trip)
{
    if (trip == 0) {
        return (st_task_id){0, 0, 0};
    }
    return st_request_in((st_task_id){home + 1, trip, 0}, home);
}

/* ---- Handlers of stations and outside -------------------------------------------------------- */

void qn_station_init(void *state, tw_lp *lp);
void qn_station_event(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void qn_station_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void qn_outside_init(void *state, tw_lp *lp);
void qn_outside_event(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void qn_outside_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp);

/* Returns the number of busy servers if `jobs` jobs are at a station. */
uint64_t qn_busy_servers(const struct qn_station_spec *spec, uint64_t jobs);

/* Counts the end of a trip in its batch and adds the task of the trip. *undo_sum receives the old
 * sum of trip times. */
void qn_trip_end(struct qn_batch *batch, const struct qn_job *job, double *undo_sum, tw_lp *lp);
void qn_trip_end_undo(struct qn_batch *batch, double *undo_sum);

#endif
