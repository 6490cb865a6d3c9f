/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - the jobs, the states of stations and of the outside, and the simulated networks. All
 * LPs share the networks, which are read-only during the run.
 */
#ifndef QNET_MODEL_H
#define QNET_MODEL_H

#include "batches.h"
#include "common/error.h"
#include "common/observe.h"
#include "exact.h"

/* ---- Options (settings.c) ---------------------------------------------------------------------- */

#define QN_PATH_SIZE      4096
#define QN_MAX_BATCHES    1000
#define QN_AUTO           (-1.0) /* value of a time option: the model chooses the time */
#define QN_DEFAULT_END    20000.0
#define QN_WARMUP_DEFAULT 0.1 /* default warm-up, as a share of the run */

struct qn_settings {
    char network[64];           /* name of a built-in network */
    char file[QN_PATH_SIZE];    /* path of a network file; "": `network` is used instead */
    char results[QN_PATH_SIZE]; /* path of the JSON file for results; "": no file */
    unsigned int jobs;          /* number of jobs in a closed network; 0: the network's own value */
    double load;                /* load of the busiest station in an open network; 0: no change */
    unsigned int copies;
    double cross;   /* probability that a job continues in a random copy */
    double transit; /* virtual time that a job takes between two LPs */
    /* Duration of the warm-up in virtual time; QN_AUTO: QN_WARMUP_DEFAULT times the length of the
     * run. */
    double warmup;
    unsigned int batches;
    unsigned int rows; /* maximum number of stations in the printed table */
};

/* Returns the settings. They have their default values until tw_init() reads the command line. */
struct qn_settings *qn_settings(void);

extern const tw_optdef qn_options[]; /* for tw_opt_add() */

/* Checks all values that do not depend on the network, including g_tw_ts_end. argc, argv: the rest
 * of the command line after tw_init(). Returns false after an error, with an error message in
 * *error that names the option. Not collective. */
bool qn_settings_check(const struct qn_settings *settings, int argc, char **argv,
                       struct model_error *error);

/* ---- Events ---------------------------------------------------------------------------------- */

enum qn_kind {
    QN_CREATE = 1, /* to the outside, from itself: the next job arrives */
    QN_ARRIVE,     /* to a station: a job arrives */
    QN_DEPART,     /* to a station, from itself: a job's service is over */
    QN_LEAVE       /* to the outside: a job has left the network */
};

struct qn_undo {
    struct qn_advance_undo advance;
    double sum;     /* old value of the sum to which the event added a time */
    double free_at; /* old value of the time at which the job's server becomes free */
};

/* Payload of every event: a job and its position. The struct has no padding. */
struct qn_job {
    uint64_t number; /* identity of the job within its copy of the network, from 1 */
    tw_lpid home;    /* gid of the LP where the job's trips begin and end */
    /* Number of the trip among those that began at `home`, from 1; 0: before the first trip. */
    uint64_t trip;
    double trip_start; /* virtual time at which the trip began */
    double arrived;    /* in QN_DEPART: virtual time of the arrival at the station */
    double started;    /* in QN_DEPART: virtual time at which the service started */
    st_task_id stay;   /* in QN_DEPART: task of the stay at the station */
    uint16_t kind;     /* kind of event: enum qn_kind */
    /* In QN_ARRIVE: index of the server that the job takes. Set by forward handlers, cleared by
     * reverse handlers. */
    uint16_t server;
    uint32_t visits; /* number of stations that the job has visited on this trip */
    /* Set by forward handlers, cleared by reverse handlers; zero while the event is in transit. */
    struct qn_undo undo;
};
_Static_assert(sizeof(struct qn_job) == 128, "a job has no padding");

/* ---- States ---------------------------------------------------------------------------------- */

/*
 * State of a station. `batches` has qn_model.window.n + 1 elements, one per batch of virtual time
 * (see batches.h). They are followed by one virtual time per server, at which the server becomes
 * free; a station with QN_INFINITE servers has no such times. Jobs need no queue: under first come,
 * first served, the departure is known on arrival, and the event of the departure represents the
 * waiting job.
 */
struct qn_station {
    double last; /* virtual time up to which the batches are complete */
    uint32_t batch;
    uint32_t unused;     /* unused, always 0 */
    uint64_t jobs;       /* number of jobs at the station */
    uint64_t arrivals;   /* number of arrivals since the start */
    uint64_t departures; /* number of departures since the start */
    /* Number of trips that began here; 0 except at the first station of a closed network. */
    uint64_t trips;
    struct qn_batch batches[];
};

/* State of the outside of an open network, from which jobs come and to which they go. `batches`
 * has qn_model.window.n + 1 elements, one per batch of virtual time (see batches.h). */
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
    double arrival_rate; /* arrival rate of one copy, in jobs per unit of virtual time */
    /* [i * n + j], for n stations: sum of the routing probabilities from station i to stations 0 to
     * j. */
    double *ways;
    /* [i]: sum of the arrival rates of stations 0 to i. */
    double arrival_sums[QN_MAX_STATIONS];
    /* Number of LPs per copy: one for each station, and one for the outside if the network is
     * open. */
    unsigned lps_per_copy;
    tw_lpid n_lps;
    /* [i]: LP type of station i; the types differ only in state_sz. */
    tw_lptype station_types[QN_MAX_STATIONS];
    tw_lptype outside_type;
    /* Owned memory for the names of stations, QN_PLACE_SIZE bytes for each LP of this rank; NULL if
     * there is only one copy of the network. */
    char *place_names;
};
#define QN_PLACE_SIZE (QN_NAME_SIZE + 24u)

/* Indices of the random streams of an LP: one for times, one for routes. */
enum { QN_STREAM_TIME, QN_STREAM_WAY, QN_STREAMS };

/* Returns the model, whose members are all zero until qn_model_init() builds it. Handlers only read
 * the model. */
extern const struct qn_model *const qn_the_model;
static inline const struct qn_model *qn_model(void)
{
    return qn_the_model;
}

/* Reads the network and builds the model. settings: checked by qn_settings_check(); must stay
 * valid. Returns false after an error. Collective; all ranks return the same result and error
 * message. */
bool qn_model_init(const struct qn_settings *settings, MPI_Comm comm, struct model_error *error);
void qn_model_fini(void);

/* Returns the first gid of a rank in the linear mapping. `rank` may equal the number of ranks; the
 * result is then the number of LPs. Not collective. */
static inline tw_lpid qn_model_first(const struct qn_model *m, unsigned rank)
{
    unsigned ranks = tw_nnodes();
    tw_lpid copies = m->settings->copies;
    return ranks <= copies ? copies * rank / ranks * m->lps_per_copy : m->n_lps * rank / ranks;
}
/* Gives each LP of this rank its type and its callbacks for the instrumentation. Must be called
 * after tw_define_lps(). Not collective. */
void qn_model_settypes(void);

/* Returns the index of an LP within its copy of the network: the index of the station, or network.n
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

/* Returns the id of the task of a trip, computed from `home` and `trip`. The id is valid even if
 * the task has not been added. */
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

/* Defined in observe.c. */
extern struct model_observers qn_station_observers, qn_outside_observers;

/* Returns the number of busy servers if `jobs` jobs are at a station. */
uint64_t qn_busy_servers(const struct qn_station_spec *spec, uint64_t jobs);

/* Adds the job's trip, which has ended, to the counts of the batch, and reports the trip as a task.
 * Stores the old value of batch->trip_time_sum in *undo_sum. */
void qn_trip_end(struct qn_batch *batch, const struct qn_job *job, double *undo_sum, tw_lp *lp);
void qn_trip_end_undo(struct qn_batch *batch, double *undo_sum);

#endif
