/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gvt.h - global virtual time (GVT), computed while ranks continue to execute events.
 *
 * A round is one GVT computation. It uses colours and one non-blocking reduction (after Mattern, J.
 * Parallel Distrib. Comput. 18(4), 1993). Messages carry the colour of their sender. A rank joins a
 * round by changing its colour. It contributes two values. (a) is the number of messages of the old
 * colours that it has sent, minus the number that it has received. (b) is the smallest key of its
 * pending events and of the messages of the new colour that it has sent. If the sum of (a) is zero,
 * every message of the old colours was received before its receiver contributed. The minimum of (b)
 * is then a lower bound on all future events: GVT. Otherwise the ranks receive the messages that
 * have arrived and contribute again.
 *
 * Optimistic ranks that vote by MPI look back. (a) then counts only the messages sent before their
 * sender contributed to the previous round, and (b) covers all messages sent since then. The
 * messages of (a) have had the time of a reduction and an interval to arrive, so one reduction per
 * round normally suffices. The disadvantage is a lower GVT: it lags by the progress of the ranks in
 * one interval. Ranks that vote through shared memory do not look back: a second reduction costs
 * them no messages, and less than a lower GVT. Ranks also do not look back on a node with fewer
 * processors than ranks, where rounds take long. Three colours distinguish three kinds of messages:
 * those sent before the sender's contribution to the previous round, those sent between its last
 * two contributions, and those of ranks that are already ahead.
 *
 * If ranks share processors, a rank takes the colour of the next round as soon as another rank has
 * voted in it. What it sends then bounds GVT directly, so that the other rank need not receive it
 * and vote again. If all ranks share one processor, they take turns: the last rank to vote lets the
 * others sleep, executes events after the new GVT, and wakes the others when it has voted again. With
 * two ranks there is then one change of ranks, instead of four, for each round.
 *
 * Conservative ranks send no message while they are in a round ("quiet"). If they vote through
 * shared memory, a second reduction is necessary only when a ring is full: otherwise all messages
 * of a rank are in rings when it votes. In this mode, (a) is the number of ranks whose messages did
 * not all fit into rings, and (b) covers all messages since the previous round. At the end of the
 * round, each rank empties its rings. It leaves in them the messages of ranks that have already
 * left the round: the run must not depend on the speed of the ranks.
 *
 * A rank starts or joins a round after an interval, or when it has nothing to execute. A round
 * cannot end before the last rank has joined, so the rank with the longest interval determines the
 * length of the round. --gvt-interval fixes the interval, in batches or (--synch=5) in
 * milliseconds. Otherwise optimistic ranks adapt the interval. It doubles while rounds take more
 * than 1/50 of the time, up to 4096 events, or fewer if these take 2 MiB. It halves while rounds
 * take less than 1/200 of the time, down to 256 events. With an adaptive interval, a rank joins
 * after a millisecond at the latest. Frequent rounds save memory, keep uncommitted events in the
 * cache, and give observers current data.
 *
 * A cut through the run at a virtual time T serves a checkpoint (checkpoint/cut.c), a call of
 * g_tw_gvt_hook (gvt_hook.c) or a move of LPs (move/move.h). It becomes due on all ranks after the
 * same round. While the cut is due, no rank executes an event at or after T. Each round then limits
 * GVT to T, which is also a valid lower bound. After the first round that yields T, all events
 * before T have been executed. Messages that they sent may still be in transit, in the colour of
 * that round or an older one. After the next round, each rank has received all of these messages.
 * It then makes the cut without further communication.
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

/* Users of cuts. If several users share a cut, they act in this order. Since the checkpoint comes
 * first, a run that continues from it calls g_tw_gvt_hook at the same time, before any event. */
enum gvt_cut_user { GVT_CUT_CHECKPOINT, GVT_CUT_HOOK, GVT_CUT_MOVE, GVT_CUT_USERS };

struct gvt_cut {
    /* virtual time of the next cut: the minimum of wanted[]; INFINITY: none */
    double at;
    /* Number of rounds so far that ended after all events before `at` had been executed. */
    unsigned rounds;
    /* receive time of the first event at or after `at`, on any rank; valid if rounds > 0 */
    double next_ts;
    /* Clock ticks at which this rank requests a cut for a checkpoint; UINT64_MAX: never. */
    uint64_t wish_ticks;
    /* true if a signal that ends the run first causes a last checkpoint (--checkpoint-on) */
    bool at_signal;
    /* true if a signal has arrived that ends the run at the cut of the next checkpoint */
    bool last;
    double wanted[GVT_CUT_USERS]; /* [user]: virtual time of that user's next cut; INFINITY: none */
    /* [user]: function called for that user at its cut, after GVT_CUT_ROUNDS rounds; it must set
     * the user's next cut by gvt_cut_next(). */
    void (*make[GVT_CUT_USERS])(struct pe *pe);
};

struct gvt {
    bool in_round;
    bool is_coloured; /* true if this rank has the colour of the next round, see gvt_notice() */
    unsigned colour;  /* colour of the messages that this rank sends now */
    bool looks_back;  /* true if the current or next round looks back, see above */
    bool is_quiet;    /* true if ranks send no message during a round, see gvt_keep_quiet() */
    /* Smallest key of the messages sent in the current colour; if is_quiet, of those sent since the
     * last round. */
    struct event_key least_sent;
    /* smallest key of the messages sent in the previous colour */
    struct event_key least_sent_before;
    struct comm_reduction reduction;
    /* [rank]: shared memory for the votes of that rank; NULL: ranks vote by MPI. */
    struct comm_board **boards;
    /* In a round: contribution (b) of this rank, which GVT will not pass. */
    struct event_key contributed;
    /* Least clock of the other ranks, and of the messages that this rank has sent since it read
     * them; -INFINITY: it reads none. See sched/clocks.h. */
    double clocks_least;
    uint64_t waited_ticks;    /* clock ticks for which this rank waited for clocks, in a period */
    struct comm_vote result;  /* result of the last completed round */
    uint64_t last_processed;  /* number of events executed when the last round ended */
    uint64_t last_ticks;      /* clock ticks when the last round ended */
    uint64_t cost_ticks;      /* clock ticks spent on the current round */
    uint64_t began_ticks;     /* clock ticks when the current round began */
    uint64_t began_processed; /* number of events executed when the current round began */
    /* Totals over all rounds. pending_ticks: clock ticks from the beginning to the end of a round.
     * overlapped_events: number of events that this rank executed in that time. */
    uint64_t pending_ticks;
    uint64_t overlapped_events;
    uint64_t interval_events;
    uint64_t interval_ticks;
    bool adapts;
    struct gvt_cut cut;
    uint64_t look_ticks; /* ticks from which the times of this thread are read again */
    uint64_t lost_ns;    /* time for which this rank was ready, but had no processor */
    /* interval_events_least, interval_events_most: bounds of interval_events; equal if the interval
     * is fixed. */
    uint64_t interval_events_least;
    uint64_t interval_events_most;
};

void gvt_init(struct gvt *g);
/* Makes the ranks vote through shared memory, if all ranks share memory. The transport must exist.
 * Collective. */
void gvt_share_votes(struct pe *pe);
/* States that no rank sends messages while it is in a round. If ranks vote through shared memory, a
 * round then normally takes one reduction. All ranks must make the same call, before the first
 * round. */
void gvt_keep_quiet(struct pe *pe);
/* Lets each rank run again where it may, if ranks are packed. Called at the end of the run. */
void gvt_unpack(struct pe *pe);
void gvt_fini(struct gvt *g);

/* Sets the interval from the options and globals of the run. The event pool must be initialised. */
void gvt_choose_interval(struct pe *pe);

/* Returns true if only one rank runs at a time, because all share a processor, and each votes and
 * sends its messages when it has used up its lead. */
bool gvt_takes_turns(const struct pe *pe);
/* Returns true if it is time for a new round. */
bool gvt_due(const struct pe *pe);
/* Makes the next round look back if ranks vote by MPI; see above. When that round ends, all
 * messages sent before the contributions to the previous round have arrived. When a round that does
 * not look back ends, all messages sent before the contributions to this round have arrived. Called
 * after a round, on all ranks or none. */
void gvt_look_back(struct pe *pe);
/* Changes the colour of this rank if another rank has voted in the next round and ranks share
 * processors. What this rank sends from now on then bounds GVT directly, and that rank need not
 * receive it and vote again. Called between rounds. */
void gvt_notice(struct pe *pe);
/* Makes this rank join the next round. */
void gvt_start(struct pe *pe);
/* Continues the current round. Returns true if the round has just ended; pe->head.GVT and
 * gvt.result then have new values. */
bool gvt_step(struct pe *pe);
/* Sets the virtual time of the user's next cut. at: time later than that of every final event, see
 * gvt_cut_after(), or before the first event GVT; INFINITY: no cut. All ranks must make the same call. */
void gvt_cut_next(struct gvt *g, enum gvt_cut_user user, double at);
/* Returns the virtual time that a new cut must exceed: the later of GVT and the receive time of the
 * latest final event. */
double gvt_cut_after(const struct gvt *g);
/* Returns true if a signal has requested the end of the run, and the run goes on only until the cut
 * of the last checkpoint. */
bool gvt_end_waits_for_cut(const struct gvt *g);
/* Returns true if the cut of the last checkpoint has been reached, so that the run ends. */
bool gvt_cut_ends_run(const struct gvt *g);
/* Calls the function `make` of each user of the current cut. Called after the last of
 * GVT_CUT_ROUNDS rounds. */
void gvt_cut_make(struct pe *pe);
/* Performs a complete round. For a run on one rank, where no message is in transit. */
void gvt_compute_alone(struct pe *pe);

#endif
