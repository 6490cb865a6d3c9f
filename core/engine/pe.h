/*
 * pe.h - the processing element: everything one rank needs to execute its LPs' events.
 */
#ifndef WARPSCOPE_ENGINE_PE_H
#define WARPSCOPE_ENGINE_PE_H

#include <signal.h>

#include "comm/comm.h"
#include "comm/transport.h"
#include "engine/commit_order.h"
#include "engine/counters.h"
#include "engine/gvt.h"
#include "engine/kp.h"
#include "engine/lp.h"
#include "engine/mapping.h"
#include "engine/phases.h"
#include "engine/probe.h"
#include "event/event.h"
#include "event/pending.h"
#include "event/pool.h"
#include "event/remote_table.h"

struct fingerprint {
    bool enabled;
    uint64_t committed; /* sum over committed events of a hash of each */
    uint64_t states;    /* sum over LPs of a hash of their final state and streams */
};

/* The calls of code of others that are going on, see probe.c. Deeper ones count as the deepest. */
#define GUARD_DEPTH_MAX 16u
struct guard {
    struct probe_commit_guard commit; /* the outermost, if it needs no check */
    uint32_t commits;                 /* how often checked while an event is committed */
    unsigned depth;
    struct guard_level {
        const char *who;
        const tw_lp *lp; /* whose streams are watched; may be NULL */
        uint64_t hash;   /* of them, when it was called */
    } level[GUARD_DEPTH_MAX];
};

/* The handler that runs between fences, see fences.h. */
struct fenced_call {
    const char *who; /* "forward handler"; NULL: none runs */
    tw_lp *lp;
    tw_event *event; /* NULL: init, pre_run, final */
};
#define CRASH_SIGNALS 2 /* SIGSEGV, SIGBUS */

/* See snapshot.c. */
struct snapshot_room {
    unsigned char *bytes;
    size_t size;
};
struct snapshot {
    uint64_t execution; /* events_processed after the execution that took it */
    bool open;          /* its delta is yet to come */
    size_t state_bytes;
    struct snapshot_room before; /* the state */
    struct snapshot_room packed; /* for use within a call */
};

/* See random_rollback.c. */
struct random_rollbacks {
    uint64_t one_in; /* batches; 0: there are none */
    uint64_t undone; /* events, also by the rollbacks that followed on this rank */
    tw_rng_stream stream;
};

struct pe {
    tw_pe head; /* public part, first */

    /* what every event touches */
    tw_synch synch;     /* as chosen for this run */
    bool initialising;  /* LP init and pre_run: events have no cause */
    bool committing;    /* cur_event is being committed */
    bool in_trial;      /* cur_event is executed to be undone, see rcheck.c */
    unsigned n_streams; /* model streams per LP; this and msg_bytes from tw_define_lps() */
    size_t msg_bytes;   /* payload of an event */
    tw_lpid dest_end;   /* LPs from here on cannot be sent to: all while an observer is called */
    double end_time;
    double lookahead;         /* conservative: least offset to other ranks */
    double last_executed_ts;  /* receive time of the event executed last, for counting ties */
    double latest_ts;         /* no event executed so far is later: what is can be no straggler */
    tw_event *unsent;         /* made by tw_event_new() and not yet sent, linked by sibling */
    tw_event *past_end_event; /* what tw_event_new() returns for events past the end */
    struct pending *pending;
    struct event_pool pool;
    struct lp_table lps;
    struct mapping mapping;
    struct tw_counters counters;
    struct tw_counters before; /* of the run that this one goes on with, all ranks'; on rank 0 */
    struct phase_clock phases;
    struct probe_table probes;

    /* rollback and other ranks */
    bool short_offset_told; /* of an offset less than the lookahead */
    double *lp_times;       /* conservative, by local LP: time of its last event; see remote.c */
    tw_event *cancel_list;  /* events to be cancelled, linked by sibling */
    struct transport *transport;
    struct remote_table remotes;
    struct gvt gvt;
    struct comm comm;

    struct random_rollbacks random_rollbacks;
    struct fenced_call fenced;
    struct sigaction old_crash_actions[CRASH_SIGNALS];

    /* withdraw.c */
    tw_event *withdrawn; /* linked by prev */
    uint64_t n_loose;    /* events that the model holds, see tw_pq_dequeue() */
    bool in_hook;        /* g_tw_gvt_hook is running */
    bool settled;        /* nothing past GVT has been executed, as far as it counts */

    /* KPs */
    struct kp *kps;
    tw_kpid n_kps;
    struct kp **busy_kps; /* [n_kps]: those with executed events, and some that have had any */
    tw_kpid n_busy_kps;
    struct commit_order commit_order;

    /* observers, see probe.c */
    tw_lp *lp_called;     /* its init, pre_run or final is running */
    uint64_t *lp_numbers; /* by local LP; NULL: none has taken any */
    uint64_t held_bytes;
    uint64_t held_limit_bytes; /* UINT64_MAX: none */
    uint64_t committed_told;   /* events_committed when fossils_collected was told last */
    struct guard guard;

    /* suspend.c, snapshot.c, gvt_hook.c */
    int *suspend_errors; /* after the run: error_num of each LP that is suspended */
    size_t n_suspended;
    struct snapshot snapshot;
    uint64_t hook_requests; /* committed so far */

    /* the run */
    struct fingerprint fingerprint;
    struct checkpoint *checkpoint; /* see checkpoint/checkpoint.h; NULL: nobody asked for any */
    const tw_petype *type;
    const crv_checkpointer **checkpointers; /* of the model, one per LP type that has any */
    size_t n_checkpointers;
    enum run_end ended;
    size_t memory_limit_bytes;
    uint64_t batch_events; /* --batch */
    double horizon_width;  /* --max-opt-lookahead, 0: adaptive */
};

/* Number of the last SIGINT or SIGTERM, 0 none; see simulation.c. */
extern volatile sig_atomic_t g_tw_signal;

static inline struct pe *pe_of(const tw_pe *head)
{
    return (struct pe *)(uintptr_t)head;
}

/* Does anybody look at commits (a commit handler, an observer, output)? Then they are in event
 * order over all KPs. */
static inline bool pe_shows_commits(const struct pe *pe)
{
    return (PROBES_WANTED(&pe->probes) & (PROBE_BIT(event_committed) | PROBE_ENGINE_COMMITS)) != 0;
}

/* Are executed events kept, because they may be rolled back? */
static inline bool pe_keeps_history(const struct pe *pe)
{
    return (PROBES_WANTED(&pe->probes) & PROBE_ENGINE_HISTORY) != 0;
}

static inline void pe_keep_history(struct pe *pe, bool keep)
{
    uint32_t others = pe->probes.wanted & ~PROBE_ENGINE_HISTORY;
    pe->probes.wanted = others | (keep ? PROBE_ENGINE_HISTORY : 0);
}

/* The KP has an executed event now: fossil collection will look at it, not at all KPs. */
static inline void pe_list_kp(struct pe *pe, struct kp *kp)
{
    if (__builtin_expect(!kp->listed, 0)) {
        kp->listed = true;
        pe->busy_kps[pe->n_busy_kps++] = kp;
    }
}

/* The PE of this process. */
static inline struct pe *pe_self(void)
{
    return (struct pe *)(void *)g_tw_pe;
}

static inline uint64_t pe_net_events(const struct tw_counters *counters)
{
    return counters->events_processed - counters->events_rolled_back;
}

/* Events that there is still memory for, each with the largest note seen so far. */
static inline uint64_t pe_room_events(const struct pe *pe)
{
    return event_pool_left_bytes(&pe->pool) /
           (pe->pool.event_size + event_pool_largest_note_bytes(&pe->pool));
}

/* So many events after the next, which comes after the one that is executed. */
#define LP_AHEAD_EVENTS 1u

/* The LP of an event that will be executed soon; NULL: not known. */
static inline const tw_lp *pe_lp_ahead(const struct pe *pe)
{
    const tw_event *ahead = pending_ahead(pe->pending, LP_AHEAD_EVENTS);
    return ahead != NULL ? ahead->dest_lp : NULL;
}

#endif
