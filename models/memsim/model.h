/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - messages and states of memsim's LPs.
 *
 * In ascending order of gids, the LPs are one launcher per stream, the SMs, the L2 slices and the
 * DRAM channels. A stream is a sequence of launches, as in CUDA. The LP with gid g is on rank
 * g % ranks, so that the LPs of each kind are spread evenly over the ranks. A request goes from an
 * SM to a slice, and a reply returns. On a miss, the slice first reads the line from a channel. The
 * offset of every event between two LPs is at least the lookahead.
 */
#ifndef MEMSIM_MODEL_H
#define MEMSIM_MODEL_H

#include "address.h"
#include "common/observe.h"
#include "script.h"

/* ---- Messages -------------------------------------------------------------------------------- */

enum ms_kind {
    MS_BEGIN = 1, /* to a launcher, from itself: start the first launch */
    MS_DONE,      /* to a launcher: an SM has done its part of the launch */
    MS_START,     /* to an SM: start a launch */
    MS_PORT_FREE, /* to an SM, from itself: the port is free, so it may issue again */
    MS_REPLY,     /* to an SM: the end of a reply has reached the SM's port */
    MS_ARRIVED,   /* to an SM, from itself: the reply has passed the SM's port */
    MS_REQUEST,   /* to a slice: the end of a request has reached the slice's port */
    MS_LOOKUP,    /* to a slice, from itself: the tags have been read */
    MS_FILL,      /* to a slice: a channel has read a line */
    MS_DRAIN,     /* to a slice, from itself: reply to a request that waited for a line */
    MS_RETRY,     /* to a slice, from itself: retry the first stalled request */
    MS_READ,      /* to a channel: read a line */
    MS_WRITE      /* to a channel: write a line */
};

/* A request: the part of an access that lies within one line of memory. */
struct ms_request {
    /* Byte address; in MS_FILL, MS_READ and MS_WRITE, the number of the line instead. */
    uint64_t address;
    uint64_t number; /* number of the task that the SM began for this request */
    uint32_t bytes;
    uint32_t sm;
    uint16_t slot; /* index of the slot that the access has in the SM */
    uint16_t type; /* type of access: enum memtrace_type */
    /* In a list of a slice: number of the place of the next request; 0: none. Elsewhere 0. */
    uint32_t next;
};
_Static_assert(sizeof(struct ms_request) == 32, "a request has no padding");

/* Slot of an SM for one access, from the issue of its first request to its last reply. */
struct ms_slot {
    uint64_t item; /* index of the access among the SM's items in the stream */
    double issued; /* virtual time at which the first request of the access was issued */
    /* Number of unanswered requests. */
    uint32_t pending;
    uint16_t stream;
    uint8_t used;
    uint8_t whole; /* 1: all requests of the access have been issued */
    uint32_t next; /* for free slots: 1 + index of the next free slot; 0: none */
    uint32_t unused;
};
_Static_assert(sizeof(struct ms_slot) == 32, "a slot has no padding");

enum ms_outcome { MS_NO_OUTCOME, MS_HIT, MS_MERGED, MS_MISSED, MS_REFUSED };

/*
 * Bit that marks an impossible event. An optimistic LP also receives messages that are cancelled
 * later. Because of these messages, an LP can receive replies to requests that it never sent, lines
 * for which no request waits, and more requests than can be in flight. The forward handler of an
 * impossible event does nothing but set this bit. The commit handlers check that no such event
 * commits.
 */
#define MS_IMPOSSIBLE(bf) ((bf)->c31)

/* Old values of the state of an SM, slice or channel. Forward handlers set them; reverse handlers restore the
 * state from them and clear them. */
struct ms_sm_undo {
    union {
        struct ms_slot slot; /* old value of the slot that the reply freed */
        struct {
            uint64_t end, kernel; /* old values of the members `end` and `kernel` of the task */
        } start;
    } u;
    double in_free;
    uint64_t port_ticks;
    uint32_t bytes;  /* old value of the member `bytes` of the task */
    uint16_t stream; /* index of the stream of launches to which the issued request belongs */
    uint16_t slot;   /* index of the slot of its access */
    uint16_t turn;
    uint16_t unused[3];
};

struct ms_slice_undo {
    struct ms_request popped;
    /* Old value of the slice's in_free if the event received a request, or of its out_free if the
     * event sent a reply. */
    double port;
    union {
        double pipe_free;
        uint64_t stamp; /* old stamp of the way that was hit or replaced */
    } u;
    /* Old word of the way that was hit or replaced; in MS_DRAIN: line and dirty bit of the MSHR
     * that the event freed. */
    uint64_t word;
    uint32_t tail; /* old tail of the list to which a request was appended */
    uint16_t way;
    uint16_t outcome;
};

struct ms_bank {
    uint64_t row; /* number of the open row + 1; 0: no row is open */
    double ready; /* earliest virtual time of the next command */
};

struct ms_channel_undo {
    unsigned char head[48]; /* the members of the channel before its banks */
    struct ms_bank bank;
};

struct ms_message {
    struct ms_request request;
    uint64_t launch; /* in MS_START: index of the launch in its stream, from 0 */
    uint64_t kernel; /* in MS_START: number of the launch's task */
    uint16_t kind;   /* kind of message: enum ms_kind */
    uint16_t stream; /* in MS_START and MS_DONE: index of the stream */
    uint16_t mshr;   /* in MS_READ, MS_FILL and MS_DRAIN: index of the MSHR */
    uint16_t slice;  /* in MS_READ: index of the slice */
    union {
        struct ms_sm_undo sm;
        struct ms_slice_undo slice;
        struct ms_channel_undo channel;
    } undo;
};
_Static_assert(sizeof(struct ms_message) == 120, "a message has no padding");

/* ---- States ---------------------------------------------------------------------------------- */

/* State of a launcher, which starts the launches of a stream one after another. */
struct ms_launcher {
    uint64_t begun;   /* number of launches that have begun */
    uint64_t kernel;  /* number of the task of the present launch */
    uint64_t waiting; /* number of SMs that have not yet done their part of the launch */
    uint64_t ticks;   /* sum of the durations of completed launches, in ticks */
    double begun_at;  /* virtual time of the start of the present launch */
    double finished;  /* virtual time of the end of the last launch */
    uint64_t finished_launches;
    uint64_t input; /* digest of the input and of the model's sizes, see ms_input_digest() */
};

/* Work of an SM for the present launch of one stream. */
struct ms_task {
    uint64_t at, end; /* range of items that are not completely issued: `at` to `end` - 1 */
    uint64_t kernel;  /* number of the launch's task */
    uint32_t bytes;   /* number of bytes of item `at` for which requests have been issued */
    uint16_t slot;    /* index of the slot of item `at`, if bytes > 0 */
    /* 1: the SM has not yet reported the end of its part of the launch. */
    uint16_t active;
    uint64_t pending; /* number of accesses with unanswered requests */
};

struct ms_sm {
    /* Number of completed accesses. This array and the next one are indexed by the class of the
     * access, see ms_class(). */
    uint64_t accesses[3];
    uint64_t bytes[3];
    uint64_t requests;   /* number of requests that the SM has issued */
    uint64_t latency;    /* sum of the latencies of all completed accesses, in ticks */
    uint64_t port_ticks; /* total time in which the outgoing port was in use, in ticks */
    uint64_t wait;       /* total time that replies waited for the incoming port, in ticks */
    /* Number of times that the limit --outstanding prevented the issue of a request. */
    uint64_t blocked;
    double in_free;
    uint32_t in_flight; /* number of requests in flight */
    uint16_t port_busy;
    uint16_t turn; /* index of the first stream to consider when the SM next issues a request */
    uint32_t free; /* 1 + index of the slot on top of the stack of free slots; 0: none */
    uint32_t unused;
    struct ms_task tasks[]; /* [i]: work for stream i; the slots follow, see ms_slots() */
};

struct ms_way {
    uint64_t word;  /* (number of the line + 1) << 1 | dirty; 0: the way is empty */
    uint64_t stamp; /* value of `clock` at the last use of the way */
};

/* A list of requests in a slice. first, last: numbers of their places, see ms_place(); 0: the list
 * is empty. */
struct ms_list {
    uint32_t first, last;
};

/* A miss status holding register (MSHR): a line for which requests wait. */
struct ms_mshr {
    uint64_t line; /* number of the line + 1; 0: the MSHR is free */
    struct ms_list waiting;
    uint16_t draining; /* 1: the line has arrived, and the waiting requests are being answered */
    uint16_t dirty;    /* 1: at least one request of the MSHR writes to the line */
    uint32_t unused;
};

struct ms_slice {
    uint64_t requests, hits, merges, misses, stalls, writebacks, evictions;
    uint64_t wait;       /* total time that requests waited for port and pipeline, in ticks */
    uint64_t reply_wait; /* total time that replies waited for the outgoing port, in ticks */
    uint64_t port_ticks; /* total time in which the outgoing port was in use, in ticks */
    /* Number of uses of ways so far. On each use, the way gets this number as its stamp. */
    uint64_t clock;
    double in_free, pipe_free, out_free;
    uint32_t mshrs_used;
    uint32_t retrying; /* 1: a MS_RETRY is pending */
    uint32_t held;     /* number of requests that wait for a line or are stalled */
    /* Number of the place on top of the stack of free places; 0: no place is free. */
    uint32_t free;
    struct ms_list stalled;
    struct ms_way ways[]; /* sets * ways elements; the MSHRs follow, then the places for requests */
};

struct ms_channel {
    /* row_opens: number of requests for a bank without an open row. The requests that are no hits either
     * had to close another row. */
    uint64_t reads, writes, row_hits, row_opens;
    /* Sum over all requests of the delay from the earliest possible transfer of the data to the
     * actual transfer, in ticks. */
    uint64_t wait;
    double bus_free;
    struct ms_bank banks[];
};
_Static_assert(sizeof(struct ms_channel) == 48, "see struct ms_channel_undo");

/* ---- Numbering of the LPs -------------------------------------------------------------------- */

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

/* Returns the place with the number `place`, from 1, in the slice's memory for requests. */
static inline struct ms_request *ms_place(const struct ms_model *m, struct ms_slice *s,
                                          uint32_t place)
{
    return (struct ms_request *)(void *)(ms_mshrs(m, s) + m->mshrs) + (place - 1);
}

/* Returns the number of slots of an SM: one per request that can be in flight, and one per stream
 * for an access that is only partly issued. */
static inline unsigned ms_n_slots(const struct ms_model *m)
{
    return m->outstanding + m->n_streams;
}

/* Returns the number of places of a slice: the maximum number of requests that all SMs together can
 * have in flight. */
static inline uint32_t ms_places(const struct ms_model *m)
{
    return m->sms * m->outstanding;
}

/* Returns the class of an access type: 0 load, 1 store, 2 atomic. */
static inline unsigned ms_class(unsigned type)
{
    return type < MEMTRACE_ATOMIC ? type : MEMTRACE_ATOMIC;
}

/* Returns the number of data bytes in the reply to a request. */
static inline unsigned ms_reply_bytes(const struct ms_request *r)
{
    return r->type == MEMTRACE_STORE ? 0 : r->bytes;
}

/* Returns the number of data bytes in the request itself. */
static inline unsigned ms_request_bytes(const struct ms_request *r)
{
    return r->type == MEMTRACE_LOAD ? 0 : r->bytes;
}

static inline st_task_id ms_request_task(const struct ms_model *m, const struct ms_request *r)
{
    return (st_task_id){ms_gid_of_sm(m, r->sm) + 1, r->number, 0};
}

/* ---- LPs ------------------------------------------------------------------------------------- */

/* Creates the LPs of this rank and sets their types. script must stay valid during the run.
 * Collective. */
void ms_model_define(struct ms_script *script);
/* Sets the script that ms_script() returns. */
void ms_script_use(struct ms_script *script);
/* Returns the script that was passed to ms_model_define(). */
struct ms_script *ms_script(void);

/* Sends an event with a copy of the message from lp to LP `to`. */
void ms_send(tw_lpid to, double offset, const struct ms_message *message, tw_lp *lp);
/* Returns "load", "store" or "atomic", according to the access type. */
const char *ms_class_name(unsigned type);

/* Ends the run if the committed event is impossible, see MS_IMPOSSIBLE(). Commit handler of LPs
 * that have no other work on commit. */
void ms_commit_check(void *state, tw_bf *bf, void *msg, tw_lp *lp);

void ms_launcher_init(void *state, tw_lp *lp);
void ms_launcher_event(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ms_sm_init(void *state, tw_lp *lp);
void ms_sm_event(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ms_sm_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ms_sm_commit(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ms_slice_init(void *state, tw_lp *lp);
void ms_slice_event(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ms_slice_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ms_channel_event(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ms_channel_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp);

/* Returns a text about an invariant of slice.c or slice_requests.c that the state violates; NULL:
 * none is violated. Must be called between two events. Defined in check.c. */
const char *ms_slice_check(const struct ms_model *m, struct ms_slice *s);
/* Like ms_slice_check(), for the state of an SM and the invariants of sm.c. */
const char *ms_sm_check(const struct ms_model *m, struct ms_sm *sm);

/* Marks item i (from 0) of the SM lp in the stream as done, for --trace-out. */
void ms_sm_done(unsigned stream, uint64_t i, const tw_lp *lp);

/* Returns a digest of the input and of the sizes of the model. A run can restore only a checkpoint
 * with an equal digest, see restart.c. */
uint64_t ms_input_digest(const struct ms_model *m, const struct ms_script *script);
/* Registers the functions that restore states from a checkpoint. types: LP types, indexed by enum
 * ms_lp_kind. */
void ms_restart_define(const tw_lptype *types);
/* Marks that LPs have moved between ranks. Must be called before their states are restored. */
void ms_restart_moves(void);

/* Final functions of the LPs, defined in report.c. Each adds the counts of an LP to the sums of
 * this rank. */
void ms_launcher_final(void *state, tw_lp *lp);
void ms_sm_final(void *state, tw_lp *lp);
void ms_slice_final(void *state, tw_lp *lp);
void ms_channel_final(void *state, tw_lp *lp);

/* Prints to out a heading with the input and the parameters of the model. */
void ms_report_heading(FILE *out, const struct ms_model *m, const struct ms_script *script);

/* Gathers the counts of all LPs and prints the results on rank 0. Must be called after tw_run().
 * Collective. */
void ms_report_results(FILE *out, const struct ms_model *m, const struct ms_script *script);

/* Returns an array whose element i is the number of launches that have begun in stream i. Valid on
 * rank 0, after ms_report_results(). */
const uint64_t *ms_report_begun(void);

/* Kinds of LPs. The samples of each kind have their own fields, see observe.c. */
enum ms_lp_kind { MS_LAUNCHER, MS_SM, MS_SLICE, MS_CHANNEL, MS_LP_KINDS };
extern struct model_observers ms_observers[MS_LP_KINDS];

#endif
