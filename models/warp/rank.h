/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank.h - a rank of the simulated run: its pending and executed events, its rollbacks, its part in
 * the computation of GVT, and the bounds of its optimism. Independent of the engine that executes
 * the model.
 *
 * A rank holds its events in one array of slots. Pending events are a binary heap at the start of
 * the array, and messages that the rank has not received yet follow. Executed events that may be
 * undone lie at the end of the array, the youngest first.
 *
 * Invariants
 *  R1  n_pending + n_inbox + n_history <= slots of the model.
 *  R2  The executed events of a KP are in the order of events, and kp_last is the youngest or
 *      earlier than GVT.
 *  R3  No executed event is earlier than the rank's GVT after fossil collection.
 */
#ifndef WARP_RANK_H
#define WARP_RANK_H

#include "chain.h"

/* The result of a reduction that a rank has not taken yet. */
enum wp_answer {
    WP_NO_ANSWER,
    WP_AGAIN, /* messages were in transit: the rank votes again */
    WP_GVT    /* the round is over */
};

/* Counts of a rank since the start. */
struct wp_counts {
    uint64_t executed;  /* events executed, also those undone later */
    uint64_t undone;    /* events undone */
    uint64_t committed; /* events committed */
    uint64_t sent;      /* events sent to other ranks, also those cancelled later */
    uint64_t antis;     /* anti-messages sent */
    uint64_t primary;   /* rollbacks because of a straggler */
    uint64_t secondary; /* rollbacks because of a cancelled event */
    uint64_t rounds;    /* GVT rounds that ended */
    uint64_t votes;     /* reductions in which the rank voted */
    uint64_t turns;     /* turns of the scheduler's loop */
    uint64_t held_back; /* turns without execution, because the slots were nearly full */
    uint64_t strange;   /* anti-messages without their event, and events undone before GVT */
    uint64_t busy_ps;   /* processor time of its turns in ps */
};

struct wp_rank {
    uint32_t number;
    uint32_t n_pending, n_inbox, n_history;
    double gvt;     /* the last GVT that the rank has taken */
    double last_at; /* receive time of the event executed last */
    /* The round of GVT, as in core/engine/gvt.h. */
    uint8_t in_round;
    uint8_t colour;
    uint8_t answer;   /* enum wp_answer */
    uint8_t idle;     /* 1: the rank waits for a message or a reply */
    uint8_t done;     /* 1: the simulated run has ended for this rank */
    uint8_t prepared; /* 1: the colour has changed for the next round already */
    uint8_t unused[2];
    int32_t balance[2]; /* for each colour, messages sent minus messages received */
    double least_sent;  /* least receive time sent in the current colour */
    double answer_gvt;
    /* The rank's node in the tree of reductions. */
    uint32_t node_votes;
    int32_t node_in_transit;
    double node_least;
    /* The interval between rounds. */
    uint64_t interval_events;
    uint64_t round_executed; /* counts.executed at the end of the last round */
    double round_ns;         /* time of the end of the last round */
    double round_cost_ns;    /* processor time spent on the current round */
    /* The horizon: width ahead of GVT, and the current period of observation. */
    double width, farthest;
    uint64_t period_executed, period_undone;
    /* The lead: events that may be executed without a new GVT, and counts at its last change. */
    uint64_t lead, lead_executed, lead_undone;
    double finished_ns; /* time at which the simulated run ended for this rank; 0: not yet */
    struct wp_counts counts;
};

/* Memory for one turn. It holds nothing between turns, and is no part of a state. */
struct wp_work {
    struct wp_event *inbox;   /* [slots] */
    struct wp_event *undone;  /* [slots] */
    struct wp_event *cancels; /* [slots + batch] local events to cancel */
    uint32_t n_cancels;
    struct wp_step *outs; /* [2 * (slots + batch)] messages to other ranks, in order */
    uint32_t n_outs;
};

/* A rank and the memory of its events. */
struct wp_self {
    const struct wp_model *m;
    struct wp_rank *rank;
    double *kp_last;        /* [kps] receive time of each KP's event executed last */
    struct wp_event *slots; /* [slots] */
    struct wp_work *work;
};

void wp_work_init(struct wp_work *work, const struct wp_model *m);
void wp_work_fini(struct wp_work *work);

/* ---- Events ---------------------------------------------------------------------------------- */

/* Sets a rank whose memory is zero to the state at the start, with its start events. */
void wp_rank_init(struct wp_self *s, uint32_t number);

/* Receives the messages of the inbox: rolls back for stragglers and cancels events for
 * anti-messages. Adds anti-messages to the outs. Returns the number of messages. */
uint32_t wp_receive(struct wp_self *s);

/* Executes up to `most` events before `horizon`. Adds messages to the outs. Returns the number. */
uint32_t wp_execute(struct wp_self *s, double horizon, uint64_t most);

/* Commits the executed events before GVT. Returns their number. */
uint32_t wp_fossil_collect(struct wp_self *s);

/* Puts a message in the inbox. Returns false if all slots are in use. */
bool wp_arrive(struct wp_self *s, struct wp_event message);

/* Returns the number of unused slots. */
static inline uint32_t wp_free(const struct wp_self *s)
{
    const struct wp_rank *r = s->rank;
    return s->m->slots - r->n_pending - r->n_inbox - r->n_history;
}

/* Returns the receive time of the first pending event; INFINITY: there is none. */
static inline double wp_first_at(const struct wp_self *s)
{
    return s->rank->n_pending > 0 ? s->slots[0].at : INFINITY;
}

/* ---- Bounds of optimism ---------------------------------------------------------------------- */

void wp_bounds_init(const struct wp_model *m, struct wp_rank *r);
/* Adapts the bounds after a GVT, by the rules of core/sched/optimistic.c. */
void wp_bounds_adapt(const struct wp_model *m, struct wp_rank *r);
/* Adapts the interval between rounds, by the rule of core/engine/gvt.c. now: time in ns. */
void wp_interval_adapt(const struct wp_model *m, struct wp_rank *r, double now);
/* Returns the phold time from which on events wait for a new GVT. */
double wp_horizon_end(const struct wp_rank *r);

/* ---- Turns ----------------------------------------------------------------------------------- */

/* A vote in a reduction, or the sum of several. */
struct wp_vote {
    double least;       /* least receive time of pending and sent events */
    int32_t in_transit; /* messages of the old colour sent minus received */
};

/* The effects of a turn, apart from the messages in the outs. */
struct wp_turn {
    double cost_ns;
    bool votes;
    struct wp_vote vote;
};

/* Joins the first round, before any event is executed. */
struct wp_vote wp_first_vote(struct wp_self *s);

/* Executes one turn of the rank's loop at a time in ns. The outs hold the messages to send. */
struct wp_turn wp_turn(struct wp_self *s, double now);

/* ---- The tree of reductions ------------------------------------------------------------------ */

/* Returns the number of children of a rank's node. The parent of node n > 0 is (n - 1) / fanout. */
static inline uint32_t wp_children(const struct wp_model *m, uint32_t rank)
{
    uint64_t first = (uint64_t)rank * m->fanout + 1;
    uint64_t left = first < m->ranks ? m->ranks - first : 0;
    return left < m->fanout ? (uint32_t)left : m->fanout;
}

/* Adds a vote at a rank's node. Returns true if it was the last one of the node: *sum is then the
 * sum of all, and the node is ready for the next reduction. */
bool wp_node_add(const struct wp_model *m, struct wp_rank *r, struct wp_vote vote,
                 struct wp_vote *sum);

#endif
