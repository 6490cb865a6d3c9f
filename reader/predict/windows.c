/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * windows.c - conservative ranks, by the rules of core/sched/conservative.c: they execute the events from
 * GVT to GVT + lookahead, vote in a round, and receive messages until it ends; see predict.h.
 *
 * Nothing is undone, and windows follow from the times of events alone. So one pass over the recorded events
 * sums up what each rank does in each window. Ranks that vote in shared memory need one reduction per round.
 * Ranks that vote by MPI need another one if a message arrives after its receiver has voted.
 */
#include <math.h>
#include <stdlib.h>

#include "predict/predict.h"

/* A rank in the present window. All times are in ns. */
struct rank {
    double clock; /* of the processor with this number: until when it is busy */
    double hops;  /* from the rank's node of the tree of reductions to the root */
    double voted; /* time of its vote */
    double wire;  /* time from which its next message can leave */
    double last;  /* time at which the last message for it arrives, or an earlier window's */
    struct wp_times batch; /* times of its present batch without disturbances */
    uint32_t n_batch;      /* number of events of this batch */
    uint32_t received;     /* number of messages for it */
    uint32_t pending;
};

struct windows {
    const struct wp_model *m;
    struct wp_result *result;
    struct rank *ranks; /* owned */
};

static double *clock_of(struct windows *w, uint32_t rank)
{
    return &w->ranks[wp_processor_of(w->m, rank)].clock;
}

/* Lets the processor of a rank be busy. */
static void spend(struct windows *w, uint32_t rank, double ns, const struct wp_times *parts)
{
    *clock_of(w, rank) += ns;
    wp_times_add(&w->result->times, parts);
}

/* Ends a batch of a rank. */
static void batch_end(struct windows *w, uint32_t rank)
{
    struct rank *r = &w->ranks[rank];
    if (r->n_batch > 0) {
        const double ns = wp_turn_cost(w->m, rank, w->result->sums.turns++, 0, &r->batch);
        spend(w, rank, ns, &r->batch);
        r->batch = (struct wp_times){.gvt_ns = 0};
        r->n_batch = 0;
    }
}

/* Each rank votes, or takes a result. */
static void all_vote(struct windows *w)
{
    const struct wp_times vote = {.gvt_ns = w->m->machine.vote_ns};
    for (uint32_t rank = 0; rank < w->m->ranks; rank++) {
        spend(w, rank, vote.gvt_ns, &vote);
        w->ranks[rank].voted = *clock_of(w, rank);
    }
}

/* Lets processors wait for the result of the votes. */
static void await(struct windows *w)
{
    double root = 0; /* time at which the root knows it */
    for (uint32_t r = 0; r < w->m->ranks; r++) {
        root = fmax(root, w->ranks[r].voted + w->ranks[r].hops);
    }
    for (uint32_t r = 0; r < w->m->ranks; r++) {
        *clock_of(w, r) = fmax(*clock_of(w, r), root + w->ranks[r].hops);
    }
    w->result->votes++;
}

/* Ends a window: a GVT round, in which ranks receive messages while they wait. */
static void window_end(struct windows *w)
{
    const struct wp_machine *c = &w->m->machine;
    bool again = false;
    for (uint32_t r = 0; r < w->m->ranks; r++) {
        batch_end(w, r);
        *clock_of(w, r) += w->m->per_processor > 1 ? c->switch_ns : 0;
    }
    all_vote(w);
    for (uint32_t r = 0; r < w->m->ranks; r++) {
        struct rank *rank = &w->ranks[r];
        const struct wp_times receiving = {.receive_ns = rank->received * c->receive_ns};
        again |= w->m->prepares && rank->last > rank->voted;
        spend(w, r, receiving.receive_ns, &receiving);
        rank->received = 0;
    }
    await(w);
    if (again) {
        for (uint32_t r = 0; r < w->m->ranks; r++) {
            *clock_of(w, r) = fmax(*clock_of(w, r), w->ranks[r].last);
        }
        all_vote(w);
        await(w);
    }
    all_vote(w); /* which is to take the result */
    w->result->rounds++;
}

/* Executes an event: its messages leave at once. */
static void execute(struct windows *w, const struct predict_placed *placed, uint32_t i)
{
    const struct predict_source *s = placed->source;
    const uint32_t from = placed->rank[s->lp[i]];
    struct rank *r = &w->ranks[from];
    r->batch.execute_ns += s->cost[i] + placed->event_ns;
    r->pending--;
    for (uint32_t k = s->first[i]; k < s->first[i + 1]; k++) {
        const uint32_t to = placed->rank[s->lp[s->effects[k]]];
        struct rank *other = &w->ranks[to];
        other->pending++;
        w->result->most_events =
            other->pending > w->result->most_events ? other->pending : w->result->most_events;
        if (to != from) {
            r->batch.send_ns += w->m->machine.send_ns;
            const double now = *clock_of(w, from) + r->batch.execute_ns + r->batch.send_ns;
            r->wire = fmax(now, r->wire) + wp_gap(&w->m->machine);
            other->last = fmax(other->last, r->wire + wp_latency(w->m, from, to));
            other->received++;
        }
    }
    if (++r->n_batch == w->m->batch) {
        batch_end(w, from);
    }
}

bool predict_windows(struct wp_result *result, const struct predict_placed *placed,
                     const struct wp_model *m, double lookahead)
{
    const struct predict_source *s = placed->source;
    struct windows w = {.m = m, .result = result, .ranks = calloc(m->ranks, sizeof *w.ranks)};
    const bool good = w.ranks != NULL;
    double horizon = -INFINITY;
    *result = (struct wp_result){.sums.committed = s->n, .sums.executed = s->n};
    for (uint32_t r = 0; good && r < m->ranks; r++) {
        w.ranks[r].hops = r == 0 ? 0 : w.ranks[(r - 1) / m->fanout].hops + m->machine.hop_ns;
        w.ranks[r].pending = placed->begin[r + 1] - placed->begin[r];
    }
    for (uint32_t i = 0; good && i < s->n; i++) {
        if (!(s->at[i] < horizon)) {
            window_end(&w);
            horizon = fmax(s->at[i] + lookahead, nextafter(s->at[i], INFINITY));
        }
        execute(&w, placed, i);
    }
    if (good) {
        window_end(&w);
    }
    for (uint32_t r = 0; good && r < m->processors; r++) {
        result->time_ns = fmax(result->time_ns, w.ranks[r].clock);
    }
    free(w.ranks);
    return good;
}
