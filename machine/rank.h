/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank.h - a rank of the simulated run: its pending and executed events, its rollbacks, its part in
 * the computation of GVT, and the bounds of its optimism.
 *
 * A rank holds its events in one array of slots. Pending events are a binary heap at the start of
 * the array. Messages that the rank has not received yet follow the heap. Executed events that can
 * still be undone are at the end of the array, the youngest first.
 *
 * Invariants
 *  R1  n_pending + n_inbox + n_history <= n_slots.
 *  R2  The executed events of a KP are in the order of wp_event_before(), the youngest first.
 *      kp_last is the receive time of the youngest one, or is earlier than GVT.
 *  R3  After fossil collection, no executed event is earlier than the rank's GVT.
 */
#ifndef WARPSCOPE_MACHINE_RANK_H
#define WARPSCOPE_MACHINE_RANK_H

#include "bounds/clocks.h"
#include "machine/model.h"

/* Result of a reduction that the rank has not taken yet. */
enum wp_answer {
    WP_NO_ANSWER,
    WP_AGAIN, /* messages were in transit: the rank votes again */
    WP_GVT    /* GVT is known and the round is over */
};

/* Counts of a rank since the start. */
struct wp_counts {
    uint64_t executed;  /* number of events executed, including those undone later */
    uint64_t undone;    /* number of events undone */
    uint64_t committed; /* number of events committed */
    uint64_t sent;      /* number of events sent to other ranks, including those cancelled later */
    uint64_t antis;     /* number of anti-messages sent */
    uint64_t primary;   /* number of rollbacks that a straggler caused */
    uint64_t secondary; /* number of rollbacks that a cancelled event caused */
    uint64_t rounds;    /* number of GVT rounds that ended */
    uint64_t votes;     /* number of reductions in which the rank voted */
    uint64_t turns;     /* number of turns of the scheduler's loop */
    /* Number of turns in which execution was restricted because few slots were free. */
    uint64_t held_back;
    /* Number of impossible incidents: anti-messages whose event was not found, and undone events
     * earlier than GVT. */
    uint64_t strange;
    uint64_t busy_ps; /* total processor time of the rank's turns in ps */
};

/* Adds counts to sums. */
static inline void wp_counts_add(struct wp_counts *sums, const struct wp_counts *counts)
{
    uint64_t *to = (uint64_t *)(void *)sums;
    const uint64_t *from = (const uint64_t *)(const void *)counts;
    for (size_t i = 0; i < sizeof *sums / sizeof *to; i++) {
        to[i] += from[i];
    }
}

struct wp_rank {
    uint32_t number;
    uint32_t n_pending, n_inbox, n_history;
    double gvt;     /* latest GVT that the rank has taken, in virtual time */
    double last_at; /* receive time of the event executed last, in virtual time */
    /* State of the GVT round, as in core/engine/gvt.h. */
    uint8_t in_round;
    uint8_t colour;
    uint8_t answer;   /* result of a reduction: enum wp_answer */
    uint8_t idle;     /* 1: the rank waits for a message or for the result of a reduction */
    uint8_t done;     /* 1: the simulated run has ended for this rank */
    uint8_t prepared; /* 1: the colour has already changed for the next round */
    uint8_t unused[2];
    int32_t balance[2]; /* [colour]: messages of this colour: number sent - number received */
    double least_sent;  /* minimum receive time of the messages sent in the current colour */
    double answer_gvt;
    /* State of the rank's node in the tree of reductions. node_votes: number of votes that have
     * arrived; node_in_transit: sum of their in_transit; node_least: minimum of their `least`. */
    uint32_t node_votes;
    int32_t node_in_transit;
    double node_least;
    double node_ns; /* time on the simulated machine at which the last vote arrived, in ns */
    /* Interval between GVT rounds. interval_events: its length in events. */
    uint64_t interval_events;
    uint64_t round_executed; /* value of counts.executed at the end of the last round */
    double round_ns;      /* time on the simulated machine at which the last round ended, in ns */
    double round_cost_ns; /* simulated processor time spent on the current round, in ns */
    struct bounds_horizon horizon;
    /* Lead: the number of events that the rank may execute after a round without a new GVT;
     * lead_since: the counts when it was last adapted. */
    uint64_t lead;
    struct bounds_tally lead_since;
    /* Time on the simulated machine at which the simulated run ended for this rank, in ns; 0: it
     * has not ended. */
    double finished_ns;
    struct wp_counts counts;
};

/* Returns the counts of the rank's events. */
static inline struct bounds_tally wp_tally(const struct wp_rank *r)
{
    return (struct bounds_tally){r->counts.executed, r->counts.undone};
}

#define WP_SHOWN 8u /* more than a rank changes its clock before others see the first change */

/* Values that a rank adds to its vote in a round, by which all ranks adapt their clocks. */
struct wp_clock_vote {
    struct bounds_tally events;
    double waited_ns;
};

/* A rank's clock, the receive time of its next event, as other ranks see it; and the bound of the
 * rank's optimism by theirs. */
struct wp_clock {
    /* The latest values shown, and from when others see each; the last is shown[n_shown % WP_SHOWN]. */
    struct {
        double at, from_ns;
    } shown[WP_SHOWN];
    uint64_t n_shown;
    struct wp_clock_vote votes[2]; /* of its last two rounds, by the lowest bit of their numbers */
    double reach;     /* least distance from cause to event, of events from other ranks */
    double least;     /* hindmost clock of the others, and of messages sent since it was read */
    double waited_ns; /* for which the rank waited for clocks in a period */
    struct clocks bound;
};

/* Processor times in ns, by what they were for. */
struct wp_times {
    double execute_ns, undo_ns; /* to execute events, and to undo them */
    double receive_ns, send_ns; /* to receive and to send messages */
    double gvt_ns;              /* to vote in GVT rounds, and to take their results */
};

/* Working memory for one turn. It holds nothing between turns, and is not part of a state. Each
 * array grows as necessary, with its capacity in the member room_... */
struct wp_work {
    struct wp_event *inbox;   /* messages that are being received */
    struct wp_event *undone;  /* events that a rollback undoes */
    struct wp_event *cancels; /* events on the same rank that are to be cancelled */
    size_t room_inbox, room_undone, room_cancels, n_cancels;
    struct wp_step *outs; /* messages to other ranks, in the order of sending */
    size_t room_outs, n_outs;
    /* [source->most] events that an event causes: one that is executed, one that is undone */
    struct wp_step *executed_next, *undone_next;
    /* [source->n_events] index in `slots` of each pending event, by its number; UINT32_MAX: it is
     * not pending. NULL: the source does not number its events. */
    uint32_t *where;
    struct wp_clock *clocks; /* [ranks]; NULL: ranks show no clocks */
    struct wp_times times;   /* of this turn */
    uint64_t begun; /* latest GVT round that a rank of this process has joined; for m->notices */
    bool failed;    /* memory was exhausted: the ranks must not be used any more */
};

/* A rank and the memory of its events. */
struct wp_self {
    const struct wp_model *m;
    struct wp_rank *rank;
    double *kp_last;        /* [kps] receive time of the event that each KP executed last */
    struct wp_event *slots; /* [n_slots] events, see the start of this file */
    uint32_t n_slots;
    struct wp_work *work;
};

/* Allocates working memory. Returns false if memory is exhausted; wp_work_fini() frees the rest. */
bool wp_work_init(struct wp_work *work, const struct wp_source *source);
void wp_work_fini(struct wp_work *work);

/* ---- Events ---------------------------------------------------------------------------------- */

/*
 * The functions that add events set work->failed if memory is exhausted. Slots are added if the
 * model has no maximum of slots; s->slots must then come from malloc(), or be NULL if n_slots is 0.
 */

/* Initialises a rank, whose memory must be zero, with its start events. number: number of the
 * rank. */
void wp_rank_init(struct wp_self *s, uint32_t number);

/* Receives the messages in the inbox: rolls back KPs for stragglers, and cancels events for
 * anti-messages. Appends the anti-messages that result to work->outs. Returns the number of
 * messages received. */
uint32_t wp_receive(struct wp_self *s);

/* Executes up to `most` pending events with receive times before `horizon`. Appends the messages
 * that they send to work->outs. Returns the number of executed events. */
uint32_t wp_execute(struct wp_self *s, double horizon, uint64_t most);

/* Commits the executed events before the rank's GVT, and frees their slots. Returns the number of
 * these events. */
uint32_t wp_fossil_collect(struct wp_self *s);

/* Puts a message in the inbox of the rank. Returns false if there is no free slot for it. */
bool wp_arrive(struct wp_self *s, struct wp_event message);

/* Returns the number of unused slots. */
static inline uint32_t wp_free(const struct wp_self *s)
{
    const struct wp_rank *r = s->rank;
    return s->n_slots - r->n_pending - r->n_inbox - r->n_history;
}

/* Returns the receive time of the earliest pending event; INFINITY: there is none. */
static inline double wp_first_at(const struct wp_self *s)
{
    return s->rank->n_pending > 0 ? s->slots[0].at : INFINITY;
}

/* ---- Clocks, if ranks show them (work->clocks) ------------------------------------------------ */

void wp_clock_init(struct wp_clock *c);
/* Shows the clock of a rank, which the others see when messages of the present turn have arrived.
 * end: time in ns at which the turn ends. */
void wp_clock_show(struct wp_self *s, double end);
/* Notes what the rank says of its clock in a vote. */
void wp_clock_vote(struct wp_self *s);
/* Returns the virtual time before which clocks allow events. Called before messages are received. */
double wp_clocks_end(struct wp_self *s, double now);
/* Adapts the bound by clocks after a new GVT. */
void wp_clocks_adapt(struct wp_self *s, double now);

/* ---- Turns ----------------------------------------------------------------------------------- */

/* A vote in a reduction, or several votes combined. */
struct wp_vote {
    double least;       /* minimum receive time of pending and sent events */
    int32_t in_transit; /* messages of the old colour: number sent - number received */
    uint32_t from;      /* the rank that voted last */
};

/* Effects of a turn, apart from the messages in work->outs. vote: vote of the rank, valid if `votes`
 * is true. */
struct wp_turn {
    double cost_ns; /* duration of the turn */
    struct wp_times times;
    bool votes;
    bool yields; /* true if the rank waits for clocks: others on its processor run first */
    struct wp_vote vote;
};

/* Joins the next round: the first one before the rank executes any event. Returns the rank's vote. */
struct wp_vote wp_join(struct wp_self *s);

/* Executes one turn of the rank's loop. now: time in ns at which the turn starts. Stores the
 * messages to send in work->outs. */
struct wp_turn wp_turn(struct wp_self *s, double now);

/* ---- The tree of reductions ------------------------------------------------------------------ */

/* Returns the number of children of the rank's node. The parent of node n > 0 is
 * (n - 1) / fanout. */
static inline uint32_t wp_children(const struct wp_model *m, uint32_t rank)
{
    uint64_t first = (uint64_t)rank * m->fanout + 1;
    uint64_t left = first < m->ranks ? m->ranks - first : 0;
    return left < m->fanout ? (uint32_t)left : m->fanout;
}

/* Adds a vote at the node of a rank. If the node has now received all its votes, stores their sum
 * in *sum, prepares the node for the next reduction, and returns true. */
bool wp_node_add(const struct wp_model *m, struct wp_rank *r, struct wp_vote vote,
                 struct wp_vote *sum);

#endif
