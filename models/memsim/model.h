/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - messages and states of memsim's LPs.
 *
 * LPs in order of their gids: a launcher per stream, SMs, L2 slices, DRAM channels. gid g is on
 * rank g % ranks, so that every rank has its share of each kind. A request goes SM -> slice (->
 * channel -> slice) -> SM. Every event between LPs has at least the lookahead as offset.
 */
#ifndef MEMSIM_MODEL_H
#define MEMSIM_MODEL_H

#include "address.h"
#include "script.h"

/* ---- Messages -------------------------------------------------------------------------------- */

enum ms_kind {
    MS_BEGIN = 1, /* launcher, from itself: the first launch */
    MS_DONE,      /* launcher: an SM has done its part of the launch */
    MS_START,     /* SM: a launch */
    MS_PORT_FREE, /* SM, from itself: it may issue again */
    MS_REPLY,     /* SM: the end of a reply is at its port */
    MS_ARRIVED,   /* SM, from itself: the reply is through the port */
    MS_REQUEST,   /* slice: the end of a request is at its port */
    MS_LOOKUP,    /* slice, from itself: the tags have been read */
    MS_FILL,      /* slice: a line from the channel */
    MS_DRAIN,     /* slice, from itself: a reply to a request that waited for a line */
    MS_RETRY,     /* slice, from itself: retry of the first stalled request */
    MS_READ,      /* channel: read a line */
    MS_WRITE      /* channel: write a line */
};

/* The part of an access within one line. */
struct ms_request {
    uint64_t address; /* for channels, and in fills: the number of the line */
    uint64_t number;  /* of the SM's request task */
    uint32_t bytes;
    uint32_t sm;
    uint16_t slot; /* slot of the access in the SM */
    uint16_t type; /* enum memtrace_type */
    uint32_t next; /* in the memory of a slice: the next place of the list; else 0 */
};
_Static_assert(sizeof(struct ms_request) == 32, "a request has no padding");

/* An access in an SM with unanswered requests. */
struct ms_slot {
    uint64_t item; /* number among the SM's items in the stream */
    double issued; /* time of issue of the first request */
    uint32_t pending;
    uint16_t stream;
    uint8_t used;
    uint8_t whole; /* true if all of its requests have been issued */
    uint32_t next; /* free slots: 1 + the next one */
    uint32_t unused;
};
_Static_assert(sizeof(struct ms_slot) == 32, "a slot has no padding");

enum ms_outcome { MS_NO_OUTCOME, MS_HIT, MS_MERGED, MS_MISSED, MS_REFUSED };

/*
 * An optimistic LP receives messages that are cancelled later, and their consequences: a reply to a
 * request that was never sent, a line without a waiting request, more requests than possible. Such
 * an event sets only this bit, and has nothing to undo. The commit handlers check that none of them
 * commits.
 */
#define MS_IMPOSSIBLE(bf) ((bf)->c31)

/* Values that undo an event: set by forward handlers, cleared by reverse handlers. */
struct ms_launcher_undo {
    uint64_t kernel;
    double begun;
    double finished;
};

struct ms_sm_undo {
    union {
        struct ms_slot slot; /* the slot that the reply has freed */
        struct {
            uint64_t end, kernel; /* of the previous launch */
        } start;
    } u;
    double in_free;
    uint32_t bytes;  /* issued */
    uint16_t stream; /* stream of the issued request */
    uint16_t turn;
};

struct ms_slice_undo {
    struct ms_request popped;
    double port; /* in_free or out_free */
    union {
        double pipe_free;
        uint64_t stamp; /* of the way that was hit or replaced */
    } u;
    uint64_t word; /* of the way that was hit or replaced */
    uint32_t tail; /* of the list that was appended to */
    uint16_t way;
    uint16_t outcome;
};

struct ms_channel_undo {
    uint64_t row;
    double ready;
    double bus_free;
    uint64_t unused;
};

struct ms_message {
    struct ms_request request;
    uint64_t launch; /* MS_START */
    uint64_t kernel; /* MS_START: number of the launcher's task */
    uint16_t kind;   /* enum ms_kind */
    uint16_t stream; /* MS_START, MS_DONE */
    uint16_t mshr;   /* MS_READ, MS_FILL, MS_DRAIN */
    uint16_t slice;  /* MS_READ */
    union {
        struct ms_launcher_undo launcher;
        struct ms_sm_undo sm;
        struct ms_slice_undo slice;
        struct ms_channel_undo channel;
    } undo;
};
_Static_assert(sizeof(struct ms_message) == 120, "a message has no padding");

/* ---- States ---------------------------------------------------------------------------------- */

/* Starts the launches of a stream one after another. */
struct ms_launcher {
    uint64_t begun;   /* number of launches */
    uint64_t kernel;  /* number of the present launch's task */
    uint64_t waiting; /* SMs that have not yet done their part */
    uint64_t ticks;   /* sum of the durations of launches that have ended */
    double begun_at;  /* start of the present launch */
    double finished;  /* end of the last launch */
    uint64_t finished_launches;
    uint64_t input; /* ms_input_digest() */
};

/* The work of an SM for a stream. */
struct ms_task {
    uint64_t at, end; /* items of the present launch that are not completely issued */
    uint64_t kernel;  /* number of the launcher's task */
    uint32_t bytes;   /* issued bytes of item `at` */
    uint16_t slot;    /* its slot, if bytes > 0 */
    uint16_t active;
    uint64_t pending; /* accesses with unanswered requests */
};

struct ms_sm {
    uint64_t accesses[3]; /* completed: loads, stores, atomics */
    uint64_t bytes[3];
    uint64_t requests;   /* issued */
    uint64_t latency;    /* ticks, of completed accesses */
    uint64_t port_ticks; /* outgoing port in use */
    uint64_t wait;       /* ticks that replies waited for the port */
    uint64_t blocked;    /* times that --outstanding prevented issuing */
    double in_free;
    uint32_t in_flight; /* requests */
    uint16_t port_busy;
    uint16_t turn; /* the stream to try first */
    uint32_t free; /* 1 + first free slot of a stack */
    uint32_t unused;
    struct ms_task tasks[]; /* per stream; then the slots */
};

struct ms_way {
    uint64_t word;  /* (number of the line + 1) << 1 | dirty; 0: empty */
    uint64_t stamp; /* time stamp of the last use */
};

/* Places are numbered from 1; 0: none. */
struct ms_list {
    uint32_t first, last;
};

/* A line that requests wait for. */
struct ms_mshr {
    uint64_t line; /* number + 1; 0: free */
    struct ms_list waiting;
    uint16_t draining; /* the line has come */
    uint16_t dirty;    /* a waiting request writes */
    uint32_t unused;
};

struct ms_slice {
    uint64_t requests, hits, merges, misses, stalls, writebacks, evictions;
    uint64_t wait;       /* ticks that requests waited for port and pipeline */
    uint64_t reply_wait; /* ticks that replies waited for the port */
    uint64_t port_ticks; /* outgoing port in use */
    uint64_t clock;      /* counter for the stamps */
    double in_free, pipe_free, out_free;
    uint32_t mshrs_used;
    uint32_t retrying; /* a MS_RETRY is pending */
    uint32_t held;     /* requests that wait or are stalled */
    uint32_t free;     /* first free place of a stack */
    struct ms_list stalled;
    struct ms_way ways[]; /* sets * ways; then the MSHRs; then the places */
};

struct ms_bank {
    uint64_t row; /* + 1; 0: closed */
    double ready; /* earliest time of the next command */
};

struct ms_channel {
    uint64_t reads, writes, row_hits, row_opens, row_conflicts;
    uint64_t bus_ticks; /* bus in use */
    uint64_t wait;      /* ticks between the earliest and the actual data */
    double bus_free;
    struct ms_bank banks[];
};

/* ---- Numbers of the LPs ---------------------------------------------------------------------- */

static inline tw_lpid ms_gid_of_sm(const struct ms_model *m, uint32_t sm)
{
    return (tw_lpid)m->n_streams + sm;
}

static inline tw_lpid ms_gid_of_slice(const struct ms_model *m, unsigned slice)
{
    return (tw_lpid)m->n_streams + m->sms + slice;
}

static inline tw_lpid ms_gid_of_channel(const struct ms_model *m, unsigned channel)
{
    return (tw_lpid)m->n_streams + m->sms + m->slices + channel;
}

static inline struct ms_slot *ms_slots(const struct ms_model *m, struct ms_sm *sm)
{
    return (struct ms_slot *)(void *)(sm->tasks + m->n_streams);
}

static inline struct ms_mshr *ms_mshrs(const struct ms_model *m, struct ms_slice *s)
{
    return (struct ms_mshr *)(void *)(s->ways + (size_t)m->sets * m->ways);
}

/* Place 1 is the first. */
static inline struct ms_request *ms_place(const struct ms_model *m, struct ms_slice *s,
                                          uint32_t place)
{
    return (struct ms_request *)(void *)(ms_mshrs(m, s) + m->mshrs) + (place - 1);
}

/* Each stream may have an access without a request in flight that is not completely issued. */
static inline unsigned ms_n_slots(const struct ms_model *m)
{
    return m->outstanding + m->n_streams;
}

/* The largest number of requests in flight of all SMs. */
static inline uint32_t ms_places(const struct ms_model *m)
{
    return m->sms * m->outstanding;
}

/* Returns 0 load, 1 store, 2 atomic. */
static inline unsigned ms_class(unsigned type)
{
    return type < MEMTRACE_ATOMIC ? type : MEMTRACE_ATOMIC;
}

/* Return the bytes of data in replies to, or requests of, this type. */
static inline unsigned ms_reply_bytes(const struct ms_request *r)
{
    return r->type == MEMTRACE_STORE ? 0 : r->bytes;
}

static inline unsigned ms_request_bytes(const struct ms_request *r)
{
    return r->type == MEMTRACE_LOAD ? 0 : r->bytes;
}

static inline st_task_id ms_request_task(const struct ms_model *m, const struct ms_request *r)
{
    return (st_task_id){ms_gid_of_sm(m, r->sm) + 1, r->number, 0};
}

/* ---- LPs ------------------------------------------------------------------------------------- */

/* Creates the LPs of this rank and gives them their types. The script must stay valid.
 * Collective. */
void ms_model_define(struct ms_script *script);
/* Returns the script. Handlers read it, which changes its caches. */
struct ms_script *ms_script(void);

/* Makes a new event. Returns its message, zero except for its kind. */
struct ms_message *ms_message_new(tw_lpid to, double offset, enum ms_kind kind, tw_lp *lp,
                                  tw_event **event);
/* Returns "load", "store" or "atomic". */
const char *ms_class_name(unsigned type);

/* The commit handler of LPs without other work on commit: checks that no impossible event
 * commits. */
void ms_commit_check(void *state, tw_bf *bf, void *msg, tw_lp *lp);

void ms_launcher_init(void *state, tw_lp *lp);
void ms_launcher_event(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ms_launcher_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ms_sm_init(void *state, tw_lp *lp);
void ms_sm_event(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ms_sm_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ms_sm_commit(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ms_slice_init(void *state, tw_lp *lp);
void ms_slice_event(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ms_slice_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ms_channel_event(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ms_channel_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp);

/* Return an invariant of slice.c and slice_parts.c, or of sm.c, that a state violates between two
 * events. NULL: none (check.c). */
const char *ms_slice_check(const struct ms_model *m, struct ms_slice *s);
const char *ms_sm_check(const struct ms_model *m, struct ms_sm *sm);

/* Returns item number i of the SM in the stream. A temporary file that cannot be read is fatal. */
struct ms_item ms_sm_item(const struct ms_model *m, unsigned stream, uint64_t i, const tw_lp *lp);

/* Returns a digest of the input that gives states their meaning (restart.c). */
uint64_t ms_input_digest(const struct ms_model *m, const struct ms_script *script);
/* Registers with the engine the functions that restore states from a checkpoint. types: by enum
 * ms_lp_kind. */
void ms_restart_define(const tw_lptype *types);

/* report.c */
void ms_launcher_final(void *state, tw_lp *lp);
void ms_sm_final(void *state, tw_lp *lp);
void ms_slice_final(void *state, tw_lp *lp);
void ms_channel_final(void *state, tw_lp *lp);

/* Fields in traces and samples (observe.c). */
enum ms_lp_kind { MS_LAUNCHER, MS_SM, MS_SLICE, MS_CHANNEL, MS_LP_KINDS };
st_model_types *ms_observers(enum ms_lp_kind kind);
void ms_observers_describe(void);

#endif
