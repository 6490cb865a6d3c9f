/*
 * gvt.h - global virtual time, computed while events go on being executed.
 *
 * Two colours and one non-blocking reduction (after Mattern, J. Parallel Distrib. Comput. 18(4),
 * 1993). Messages carry the colour of their sender. A rank joins a round by changing its colour and
 * contributes (a) messages of the old colour it has sent minus received, and (b) the least of
 * its pending events and of the messages of the new colour it has sent. When the sum of (a) is
 * zero, every message of the old colour had been received by its receiver's contribution, so the
 * minimum of (b) is a bound on everything that can still happen: GVT. Otherwise the ranks take in
 * what has arrived and contribute again.
 *
 * A rank starts or joins a round after an interval of its own, or when it has nothing to execute. A
 * round takes until the last rank has joined, so the longest interval counts. With --gvt-interval
 * it is fixed, in events or (--synch=5) in milliseconds. Otherwise optimistic ranks adapt it: while
 * rounds take more than a fiftieth of the time it doubles, up to 4096 events or 2 MiB of them; when
 * they take far less it halves, down to 256 events; and after a millisecond a rank joins anyhow.
 * Often is good for memory, for caches, which then hold the events that may still be rolled back,
 * and for those who watch.
 *
 * A cut through the run at a virtual time T (for a checkpoint, see checkpoint/cut.c, or a function
 * at GVT, see gvt_hook.c) is due on all ranks from the same round on. While it is, no rank executes
 * an event at or after T, and rounds yield no GVT past T: a smaller bound is one, too. The first
 * round that gets there says that all events before T have been executed; what they have sent may
 * still be on its way, in the colour of
 * that round or an older one. So when the next round has ended, each rank has all of it, and can
 * make the cut by itself, without a word to the others.
 *
 * Invariants
 *  G1  pe->GVT never decreases.
 *  G2  no rank is more than one round ahead of another.
 *  G3  every message in transit has recv_ts >= pe->GVT of every rank.
 *  G4  all ranks have the same cut.at and cut.rounds when they have ended the same round.
 */
#ifndef WARPSCOPE_ENGINE_GVT_H
#define WARPSCOPE_ENGINE_GVT_H

#include "comm/comm.h"

struct pe;

#define GVT_CUT_ROUNDS 2u

/* The users of cuts, in the order in which they act on one that they share: a run that goes on from
 * a checkpoint calls g_tw_gvt_hook. */
enum gvt_cut_user { GVT_CUT_CHECKPOINT, GVT_CUT_HOOK, GVT_CUT_USERS };

struct gvt_cut {
    double at;           /* the earliest of wanted; INFINITY: none is due */
    unsigned rounds;     /* that have ended with all before `at` executed */
    double next_ts;      /* when rounds > 0: the least receive time not before `at` */
    uint64_t wish_ticks; /* from then on this rank asks for a checkpoint's cut; UINT64_MAX:
                            never */
    bool at_signal; /* a signal that ends the run has it end at a checkpoint's cut, --checkpoint-on
                     */
    bool last;      /* such a signal has come: the next cut for a checkpoint ends the run */
    double wanted[GVT_CUT_USERS]; /* virtual time of the user's next cut; INFINITY: none */
    /* Called at the user's cut, after GVT_CUT_ROUNDS; sets the next one by gvt_cut_next(). */
    void (*make[GVT_CUT_USERS])(struct pe *pe);
};

struct gvt {
    bool in_round;
    unsigned colour;             /* of the messages sent now */
    struct event_key least_sent; /* of the messages of this colour sent since the change */
    struct comm_reduction reduction;
    struct comm_board **boards;   /* [n_ranks], the reduction's */
    struct event_key contributed; /* in_round: GVT will not pass it */
    struct comm_vote result;      /* of the last completed round */
    uint64_t last_processed;      /* events executed when the last round ended */
    uint64_t last_ticks;          /* clock when the last round ended */
    uint64_t cost_ticks;          /* spent on the round so far */
    uint64_t interval_events;
    uint64_t interval_ticks;
    bool adapts;
    struct gvt_cut cut;
    /* bounds of interval_events; equal when it is fixed */
    uint64_t interval_events_least;
    uint64_t interval_events_most;
};

void gvt_init(struct gvt *g);
/* The ranks vote through memory that they share, if they do. The transport is made; collective. */
void gvt_share_votes(struct pe *pe);
void gvt_fini(struct gvt *g);

/* Takes the interval from the options and globals of the run; the KPs are made. */
void gvt_choose_interval(struct pe *pe);

/* Is it time for a new round? */
bool gvt_due(const struct pe *pe);
/* Joins the next round. */
void gvt_start(struct pe *pe);
/* Goes on with the round; true when it has just ended: pe->head.GVT and gvt.result are new. */
bool gvt_step(struct pe *pe);
/* From now on the user's cut at this time is due, INFINITY for none; the same call on all ranks.
 * at: after all that was executed and cannot be undone. */
void gvt_cut_next(struct gvt *g, enum gvt_cut_user user, double at);
/* The time after which a cut may lie: all before it is done, on every rank. */
double gvt_cut_after(const struct gvt *g);
/* Has the signal that ends the run to wait for the cut of its last checkpoint? */
bool gvt_end_waits_for_cut(const struct gvt *g);
/* Is that cut reached? */
bool gvt_cut_ends_run(const struct gvt *g);
/* GVT has reached the cut that is due, for the last of GVT_CUT_ROUNDS: its users act. */
void gvt_cut_make(struct pe *pe);
/* One rank alone, nothing in transit: a round at once. */
void gvt_now(struct pe *pe);

#endif
