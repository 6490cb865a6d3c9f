/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gvt.h - global virtual time (GVT), computed while ranks continue to execute events.
 *
 * A round is one GVT computation. It uses colours and one non-blocking reduction (after Mattern, J.
 * Parallel Distrib. Comput. 18(4), 1993). Messages carry the colour of their sender. A rank joins a
 * round by changing its colour. It contributes (a) the number of messages of the old colours that
 * it has sent minus received, and (b) the minimum over its pending events and the messages of the
 * new colour that it has sent. If the sum of (a) is zero, every message of the old colour had been
 * received before its receiver contributed. The minimum of (b) is then a lower bound on all future
 * events: GVT. Otherwise the ranks receive the messages that have arrived and contribute again.
 *
 * Optimistic ranks that vote by MPI look back: (a) counts only the messages sent before the sender
 * contributed to the round before, and (b) covers all messages sent since then. These old messages
 * have had a reduction and an interval to arrive, and one reduction per round suffices. GVT may be
 * lower than without looking back, by the progress of the ranks in an interval. Votes through
 * shared memory cost no message; there a second reduction costs less than a lower GVT. The same
 * holds if a node has fewer processors than ranks: rounds then take long. Three colours keep
 * messages apart that were sent before the contribution to the round before, between the last two
 * contributions, and by ranks that are already ahead.
 *
 * Conservative ranks send no message while they are in a round ("quiet"). If they vote through
 * shared memory, a second reduction is never necessary: each message of a voter lies in a ring
 * before the vote, unless the ring is full. (a) is then the number of ranks with full rings, and
 * (b) covers all messages since the previous round. At the end of the round, each rank empties its
 * rings. It leaves messages of ranks that have already left the round, so that the run does not
 * depend on their speed.
 *
 * A rank starts or joins a round after an interval, or when it has nothing to execute. A round ends
 * after the last rank has joined, so the longest interval determines its length. --gvt-interval
 * fixes the interval, in events or (--synch=5) in milliseconds. Otherwise optimistic ranks adapt
 * it. It doubles while rounds take more than 1/50 of the time, up to 4096 events or 2 MiB of them.
 * It halves while they take less than 1/200, down to 256 events. After a millisecond a rank joins
 * in any case. Frequent rounds save memory, keep uncommitted events in the cache, and give
 * observers current data.
 *
 * A cut through the run at a virtual time T (for a checkpoint, see checkpoint/cut.c, a function at
 * GVT, see gvt_hook.c, or a move of LPs, see move/move.h) becomes due on all ranks with the same
 * round. While it is due, no rank executes an event at or after T, and rounds limit GVT to T, which
 * is also a valid bound. After the first round that yields T, all events before T have been
 * executed. Messages that they sent may still be in transit, in the colour of that round or an
 * older one. After the next round each rank has received them all. It then makes the cut by itself,
 * without further communication.
 *
 * Invariants
 *  G1  pe->GVT never decreases.
 *  G2  No rank is more than one round ahead of another.
 *  G3  Every message in transit has recv_ts >= pe->GVT of every rank.
 *  G4  All ranks have the same cut.at and cut.rounds after the same round.
 */
#ifndef WARPSCOPE_ENGINE_GVT_H
#define WARPSCOPE_ENGINE_GVT_H

#include "comm/comm.h"

struct pe;

#define GVT_CUT_ROUNDS 2u

/* Users of cuts. If several share a cut, they act in this order. A run that continues from a
 * checkpoint calls g_tw_gvt_hook again. */
enum gvt_cut_user { GVT_CUT_CHECKPOINT, GVT_CUT_HOOK, GVT_CUT_MOVE, GVT_CUT_USERS };

struct gvt_cut {
    double at; /* virtual time of the cut: the minimum of wanted; INFINITY: no cut is due */
    /* Number of rounds that ended after all events before `at` had been executed. */
    unsigned rounds;
    double next_ts; /* least receive time at or after `at`; valid if rounds > 0 */
    /* Clock ticks at which this rank requests a cut for a checkpoint; UINT64_MAX: never. */
    uint64_t wish_ticks;
    bool at_signal; /* --checkpoint-on: a signal ends the run at the cut of a last checkpoint */
    bool last;      /* true if a signal has arrived: the run ends at the next checkpoint */
    double wanted[GVT_CUT_USERS]; /* virtual time of each user's next cut; INFINITY: none */
    /* Function of each user, called at its cut after GVT_CUT_ROUNDS rounds; sets the next cut by
     * gvt_cut_next(). */
    void (*make[GVT_CUT_USERS])(struct pe *pe);
};

struct gvt {
    bool in_round;
    unsigned colour; /* colour of the messages that this rank sends now */
    bool looks_back; /* true if the current or next round looks back, see above */
    bool is_quiet;   /* true if ranks send nothing during a round, see gvt_keep_quiet() */
    /* Minimum over the messages sent in this colour; if is_quiet, over those since the last
     * round. */
    struct event_key least_sent;
    struct event_key least_sent_before; /* minimum over the messages sent in the colour before */
    struct comm_reduction reduction;
    struct comm_board *
        *boards; /* [n_ranks] shared memory in which ranks vote; NULL: they use MPI */
    /* In a round: this rank's contribution, which GVT will not pass. */
    struct event_key contributed;
    struct comm_vote result;  /* result of the last completed round */
    uint64_t last_processed;  /* events executed when the last round ended */
    uint64_t last_ticks;      /* clock ticks when the last round ended */
    uint64_t cost_ticks;      /* clock ticks spent on the current round */
    uint64_t began_ticks;     /* clock ticks when the current round began */
    uint64_t began_processed; /* events executed when the current round began */
    /* Totals over all rounds: clock ticks between the beginning of a round and its end, and events
     * that this rank executed in between. */
    uint64_t pending_ticks;
    uint64_t overlapped_events;
    uint64_t interval_events;
    uint64_t interval_ticks;
    bool adapts;
    struct gvt_cut cut;
    /* Bounds of interval_events; both are equal if the interval is fixed. */
    uint64_t interval_events_least;
    uint64_t interval_events_most;
};

void gvt_init(struct gvt *g);
/* Lets the ranks vote through shared memory if all ranks share some. The transport must exist.
 * Collective. */
void gvt_share_votes(struct pe *pe);
/* States that no rank sends messages while it is in a round. If ranks vote through shared memory, a
 * round then takes one reduction. All ranks must make the same call, before the first round. */
void gvt_keep_quiet(struct pe *pe);
void gvt_fini(struct gvt *g);

/* Sets the interval from the options and globals of the run. The KPs must exist. */
void gvt_choose_interval(struct pe *pe);

/* Returns true if it is time for a new round. */
bool gvt_due(const struct pe *pe);
/* Lets the next round look back if ranks vote by MPI; see above. The end of such a round shows that
 * all messages have arrived that were sent before the contribution to the round before; the end of
 * another round, that those sent before the contribution to this round have. Called after a round, on
 * all ranks or none. */
void gvt_look_back(struct pe *pe);
/* Joins the next round. */
void gvt_start(struct pe *pe);
/* Continues the round. Returns true if the round has just ended; pe->head.GVT and gvt.result then
 * have new values. */
bool gvt_step(struct pe *pe);
/* Sets the time of the user's next cut; INFINITY: none. at must come after all events that are
 * executed and final. All ranks must make the same call. */
void gvt_cut_next(struct gvt *g, enum gvt_cut_user user, double at);
/* Returns the virtual time after which a cut can be set: GVT, or the receive time of the latest
 * final event if that is later. */
double gvt_cut_after(const struct gvt *g);
/* Returns true if a signal that ends the run waits for the cut of its last checkpoint. */
bool gvt_end_waits_for_cut(const struct gvt *g);
/* Returns true if the cut of the last checkpoint has been reached, so that the run ends. */
bool gvt_cut_ends_run(const struct gvt *g);
/* Calls the users of the current cut, after the last of GVT_CUT_ROUNDS. */
void gvt_cut_make(struct pe *pe);
/* Computes GVT at once. For one rank, with no message in transit. */
void gvt_compute_alone(struct pe *pe);

#endif
