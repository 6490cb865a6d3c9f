/* SPDX-License-Identifier: BSD-3-Clause */
/* pe.h - the processing element: all data that one rank needs to execute the events of its LPs. */
#ifndef WARPSCOPE_ENGINE_PE_PE_H
#define WARPSCOPE_ENGINE_PE_PE_H

#include <assert.h>
#include <signal.h>

#include "comm/comm.h"
#include "comm/transport.h"
#include "engine/counters.h"
#include "engine/gvt.h"
#include "engine/pe/commit_order.h"
#include "engine/pe/kp.h"
#include "engine/pe/lp.h"
#include "engine/pe/mapping.h"
#include "engine/pe/phases.h"
#include "engine/probe.h"
#include "event/event.h"
#include "event/pending.h"
#include "event/pool.h"
#include "event/remote_table.h"

struct fingerprint {
    bool enabled;
    uint64_t committed; /* sum of the hashes of committed events */
    uint64_t states;    /* sum of the hashes of final states and final streams */
};

/* Calls of observers and of the model's callbacks that are in progress, see probe.c. Calls nested
 * deeper than GUARD_DEPTH_MAX are counted, but not stored. */
#define GUARD_DEPTH_MAX 16u
struct guard {
    /* state of the outermost call if that call is made without a check for draws */
    struct probe_commit_guard commit;
    uint32_t commits; /* number of calls during commits that were checked so far */
    unsigned depth;
    struct guard_level {
        const char *observer;
        const tw_lp *lp; /* LP whose streams are checked for draws; NULL: none are checked */
        uint64_t hash;   /* hash of these streams at the time of the call */
    } level[GUARD_DEPTH_MAX];
};

/* Running handler whose memory accesses are checked by fences, see fences.h. */
struct fenced_call {
    const char *handler; /* name of the handler, such as "forward handler"; NULL: no handler runs */
    tw_lp *lp;
    tw_event *event; /* event of the handler; NULL in init, pre_run and final */
};
#define CRASH_SIGNALS 2 /* number of signals that fences.c catches: SIGSEGV, SIGBUS */

/* Buffer for snapshots of states, see snapshot.c. */
struct snapshot_room {
    unsigned char *bytes;
    size_t size;
};
struct snapshot {
    uint64_t execution; /* value of events_processed after the execution that took the snapshot */
    bool open;          /* true between tw_snapshot() and tw_snapshot_delta() */
    size_t state_bytes;
    struct snapshot_room before; /* copy of the state before the event */
    /* buffer for compressed or decompressed data; its content is valid only within a call */
    struct snapshot_room packed;
};

/* Wall clock for times of messages between ranks. The clocks of ranks on one host agree to a
 * microsecond. Clocks on different hosts agree only as well as the system clocks of these hosts did
 * when probe_stamp_messages() was called. */
struct message_clock {
    bool stamps;       /* true if the messages of this rank carry stamps, see struct wire_stamp */
    int64_t offset_ns; /* offset to be added to CLOCK_MONOTONIC, in nanoseconds */
};

/* State of the random rollbacks, see random_rollback.c. */
struct random_rollbacks {
    uint64_t one_in; /* average number of batches per random rollback; 0: no random rollbacks */
    /* number of events undone by random rollbacks and by the secondary rollbacks that these cause
     * on this rank */
    uint64_t undone;
    tw_rng_stream stream;
};

struct pe {
    tw_pe head; /* the part that models may read; must be first */

    /* Members that every event uses. */
    tw_synch synch;    /* scheduler of this run, never NO_SYNCH */
    bool initialising; /* true during init and pre_run, where events have no cause */
    bool committing;   /* true while cur_event is being committed */
    bool in_trial;     /* true in a trial run, see rcheck.c */
    /* number of model streams per LP; set by tw_define_lps() */
    unsigned n_streams;
    size_t msg_bytes; /* size of an event's payload in bytes; set by tw_define_lps() */
    /* upper bound (exclusive) of the gids of valid destinations; 0 while an observer runs */
    tw_lpid dest_end;
    double end_time;
    /* Minimum offset of events to other ranks in conservative runs, in virtual time; and the number of
     * events that were sent to other ranks with at least that offset, by whatever scheduler. */
    double lookahead;
    uint64_t lookahead_kept;
    double last_executed_ts; /* receive time of the event executed last, for counting ties */
    /* Greatest receive time of all events executed so far. A later event cannot be a straggler. */
    double latest_ts;
    tw_event *unsent; /* list of events that are created but not sent, linked by prev */
    /* Dummy event that tw_event_new() returns for an event past the end. */
    tw_event *past_end_event;
    struct pending *pending;
    struct event_pool pool;
    struct lp_table lps;
    struct mapping mapping;
    struct tw_counters counters;
    /* Rank 0 after a restart: totals over all ranks before the restart. */
    struct tw_counters before;
    /* Function that executes events while these bits of probes.wanted are set; see execute.c. */
    void (*execute)(struct pe *pe, tw_event *event);
    uint32_t executes_wanted;
    struct phase_clock phases;
    struct probe_table probes;

    /* Members for rollbacks and for communication with other ranks. */
    bool short_offset_warned; /* true after a warning about an offset below the lookahead */
    /* Conservative runs: [local LP]: receive time of the last event executed by that LP; see
     * enqueue.c. */
    double *lp_times;
    tw_event *cancel_list; /* list of events to be cancelled, linked by prev */
    uint64_t rollback;     /* serial number of the rollback in progress, from 1; 0: none */
    /* Trigger of the rollback in progress; valid during the probe rollback_begin. */
    enum probe_trigger trigger;
    /* if PROBE_ENGINE_NUMBERS is set: value of send_order in events that are sent now */
    int32_t send_order;
    struct probe_place *places; /* array passed to probe_set_places() */
    const void *arriving;       /* message that is being received; NULL: none */
    struct message_clock message_clock;
    struct transport *transport;
    struct remote_table remotes;
    struct gvt gvt;
    struct comm comm;

    /* Least distance so far from send to receive time of an event from another rank, but for 0;
     * INFINITY: none. */
    double reach;
    struct random_rollbacks random_rollbacks;
    struct fenced_call fenced;
    struct sigaction old_crash_actions[CRASH_SIGNALS];

    /* Members that withdraw.c uses. */
    tw_event *withdrawn; /* list of withdrawn events, linked by prev */
    uint64_t n_loose;    /* number of events that the model holds, see tw_pq_dequeue() */
    bool in_hook;        /* true while g_tw_gvt_hook runs */
    /* true if each LP is in its state at GVT and no message is in transit, on all ranks */
    bool settled;

    /* Kernel processes, and the list that fossil collection visits. */
    struct kp *kps;
    tw_kpid n_kps;
    /* KPs that fossil collection visits: all KPs with executed events, and some without. Capacity:
     * n_kps. */
    struct kp **busy_kps;
    tw_kpid n_busy_kps;
    struct commit_order commit_order;

    /* Members for observers, see process/probe.c. */
    tw_lp *lp_called; /* LP whose init, pre_run or final runs */
    /* [local LP]: last record number taken by that LP; NULL: no LP has taken one */
    uint64_t *lp_numbers;
    double stamp; /* set by probe_stamp() */
    uint64_t observer_bytes;
    /* maximum number of bytes that observers may hold; UINT64_MAX: no limit */
    uint64_t observer_limit_bytes;
    /* Value of the counter events_committed at the last call of the probe fossils_collected. */
    uint64_t committed_reported;
    struct guard guard;

    /* Members that suspend.c, snapshot.c and gvt_hook.c use. */
    int *suspend_errors; /* [n_suspended]: error_num of each suspended LP; valid after the run */
    size_t n_suspended;
    struct snapshot snapshot;
    uint64_t hook_requests; /* number of committed requests by LPs for a call of g_tw_gvt_hook */

    /* Members for the run as a whole. */
    struct fingerprint fingerprint;
    /* State of checkpoints, see checkpoint/checkpoint.h; NULL: no checkpoints. */
    struct checkpoint *checkpoint;
    struct mover *mover; /* state of --map=auto, see move/move.h; NULL: LPs do not move */
    const tw_petype *type;
    /* Functions by which the model stores and compares LPs, at most one set per LP type. */
    const crv_checkpointer **checkpointers;
    size_t n_checkpointers;
    enum run_end ended;
    size_t memory_limit_bytes;
    /* number of events sent by init and pre_run for which memory was short */
    uint64_t first_missing;
    uint64_t batch_events; /* maximum number of events per batch, from --batch */
    /* Maximum number of events in the current batch; the handler of a signal that ends the run sets
     * it to 1. */
    volatile uint64_t batch_most;
    double horizon_width; /* value of --max-opt-lookahead; 0: adaptive */
    /* number of events between two checks, see self_check.h; 0: no checks */
    uint64_t self_check_events;
};

/* Number of the signal that ends the run, 0: none; see signals.c. */
extern volatile sig_atomic_t g_tw_signal;

static inline struct pe *pe_of(const tw_pe *head)
{
    return (struct pe *)(uintptr_t)head;
}

/* Bits of probe_table.wanted, of which one is set if commits are observed. */
#define PE_COMMITS_SHOWN (PROBE_BIT(event_committed) | PROBE_ENGINE_COMMITS)

/* Returns true if commits are observed: by a commit handler, by an observer or through tw_output().
 * Events then commit in event order over all KPs. */
static inline bool pe_shows_commits(const struct pe *pe)
{
    return (PROBES_WANTED(&pe->probes) & PE_COMMITS_SHOWN) != 0;
}

/* Returns true if executed events are kept for rollbacks. */
static inline bool pe_keeps_history(const struct pe *pe)
{
    return (PROBES_WANTED(&pe->probes) & PROBE_ENGINE_HISTORY) != 0;
}

/* Sets send_order to `number` in all events that are sent until the next call of this function; see
 * probe_number_sends(). The number 0 ends the numbering. */
static inline void pe_number_sends(struct pe *pe, int32_t number)
{
    pe->send_order = number;
    pe->probes.wanted &= ~PROBE_ENGINE_NUMBERS;
    pe->probes.wanted |= number != 0 ? PROBE_ENGINE_NUMBERS : 0;
}

/* Sets send_order to -1, which means that there is no cause, in all events that are sent until the
 * next call of pe_number_sends(). Does nothing unless the causes of events are observed, because
 * send_order shares its memory with event_id, which models may read. */
static inline void pe_number_causeless_sends(struct pe *pe)
{
    if (PROBE_IS_WANTED(&pe->probes, event_tied)) {
        pe_number_sends(pe, -1);
    }
}

static inline void pe_keep_history(struct pe *pe, bool keep)
{
    uint32_t others = pe->probes.wanted & ~PROBE_ENGINE_HISTORY;
    pe->probes.wanted = others | (keep ? PROBE_ENGINE_HISTORY : 0);
}

/* Adds a KP to the list that fossil collection visits, if it is not yet there. Called when the KP
 * has executed an event. */
static inline void pe_list_kp(struct pe *pe, struct kp *kp)
{
    if (__builtin_expect(!kp->listed, 0)) {
        assert(pe->n_busy_kps < pe->n_kps);
        kp->listed = true;
        pe->busy_kps[pe->n_busy_kps++] = kp;
    }
}

/* Returns the PE of this process. */
static inline struct pe *pe_self(void)
{
    return (struct pe *)(void *)g_tw_pe;
}

static inline uint64_t pe_net_events(const struct tw_counters *counters)
{
    return counters->events_processed - counters->events_rolled_back;
}

/* Returns the number of events that still fit into memory if each of them has a note of the largest
 * size so far. */
static inline uint64_t pe_room_events(const struct pe *pe)
{
    assert(pe->pool.event_size > 0);
    return event_pool_left_bytes(&pe->pool) /
           (pe->pool.event_size + event_pool_largest_note_bytes(&pe->pool));
}

/* Prefetch distance for LPs: position, in the pending queue, of the event whose LP is prefetched; 0
 * would be the next event. */
#define LP_AHEAD_EVENTS 1u

/* Returns the LP of an event that will be executed soon, or NULL if that event is unknown. */
static inline const tw_lp *pe_lp_ahead(const struct pe *pe)
{
    const tw_event *ahead = pending_ahead(pe->pending, LP_AHEAD_EVENTS);
    return ahead != NULL ? ahead->dest_lp : NULL;
}

#endif
