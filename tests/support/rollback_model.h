/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rollback_model.h - a model that detects wrong rollbacks, and the results of its run. Uses the
 * engine that is driven by hand.
 *
 * Handlers check the message, the bit field and the time. The reverse handler must get the last
 * execution of each LP first. Errors are counted in bad.
 */
#ifndef WARPSCOPE_TESTS_ROLLBACK_MODEL_H
#define WARPSCOPE_TESTS_ROLLBACK_MODEL_H

#include <string.h>

#include "support/hand_engine.h"
#include "support/suite.h"

#define LPS       12
#define STACK_MAX 4096

struct message {
    uint64_t value;
    uint32_t depth;   /* remaining length of a chain */
    uint32_t touched; /* set by handlers, not restored */
    uint64_t old_hash;
    double old_sum;
    double now; /* time of its execution */
    uint32_t draws[2];
    uint32_t normal_calls;
    uint32_t bits; /* value of the bit field after the handler */
    uint64_t id;   /* number of this execution; the reverse handler must get the last one first */
};

struct state {
    uint64_t hash;
    uint64_t received;
    double sum;
};

struct commit {
    tw_event_sig sig;
    tw_lpid lp;
    uint64_t value;
    uint64_t hash; /* of the LP after the event */
};

/* Results of a run. */
struct outcome {
    struct commit *commits;
    size_t n_commits;
    size_t capacity;
    struct state states[LPS];
    tw_rng_stream streams[LPS][3];
    struct tw_counters counters;
    uint64_t undone_without_rollback;
};

static unsigned bad;
static struct outcome *outcome; /* of the run in progress */
static uint64_t executions;
static uint64_t stack[LPS][STACK_MAX]; /* executions of each LP that could still be undone */
static size_t depth_of[LPS];

static inline void send(tw_lp *lp, tw_lpid dest, double offset, double prio, uint64_t value,
                        unsigned depth)
{
    tw_event *event = tw_event_new_user_prio(dest, offset, lp, prio);
    *(struct message *)tw_event_data(event) = (struct message){.value = value, .depth = depth};
    tw_event_send(event);
}

static inline double any_prio(tw_lp *lp)
{
    return 0.5 * (double)tw_rand_integer(&lp->rng[0], 0, 2);
}

static inline void send_some(tw_lp *lp, const struct message *m)
{
    if (m->depth > 0) {
        send(lp, m->depth % 3 == 0 ? (tw_lpid)tw_rand_integer(&lp->rng[0], 0, LPS - 1) : lp->gid,
             0.0, any_prio(lp), m->value + 1, m->depth - 1);
        return;
    }
    long n = tw_rand_integer(&lp->rng[0], 0, 8);
    for (long i = 0; i < (n < 1 ? 0 : n < 7 ? 1 : 2); i++) {
        double offset = 0.5 * (double)tw_rand_integer(&lp->rng[0], 1, 8);
        if (tw_rand_unif(&lp->rng[0]) < 0.5) {
            offset = tw_rand_exponential(&lp->rng[0], 1.0);
        }
        send(lp, (tw_lpid)tw_rand_integer(&lp->rng[0], 0, LPS - 1), offset, any_prio(lp),
             m->value * 31 + 1, 0);
    }
    if (n == 5 && tw_now_sig(lp).tie_lineage_length == 1) {
        send(lp, lp->gid, 0.0, any_prio(lp), m->value,
             (unsigned)tw_rand_integer(&lp->rng[0], 0, 9));
    }
    if (n == 3) {
        (void)tw_event_new(lp->gid, 1.0, lp); /* made and not sent */
    }
}

static inline void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    unsigned long before[2] = {lp->rng[0].count, lp->rng[1].count};
    uint32_t clear = 0;

    bad += tw_now(lp) < lp->pe->GVT || m->touched != 0;
    bad += memcmp(bf, &clear, sizeof clear) != 0;
    m->bits = (uint32_t)(m->value * 2654435761u) ^ (uint32_t)s->hash;
    memcpy(bf, &m->bits, sizeof m->bits);
    m->touched++;
    m->old_hash = s->hash;
    m->old_sum = s->sum;
    m->now = tw_now(lp);
    m->id = ++executions;
    if (lp->pe->cur_event->state.owner == EVENT_PROCESSING && pe_keeps_history(pe_self())) {
        stack[lp->id][depth_of[lp->id]++ % STACK_MAX] = m->id;
    }
    s->hash = (s->hash ^ m->value) * 0x9e3779b97f4a7c15u + (uint64_t)(tw_now(lp) * 1024.0);
    s->received++;
    if (tw_rand_unif(&lp->rng[0]) < 0.5) {
        s->sum += tw_rand_normal01(&lp->rng[1], &m->normal_calls);
    }
    send_some(lp, m);
    m->draws[0] = (uint32_t)(lp->rng[0].count - before[0]);
    m->draws[1] = (uint32_t)(lp->rng[1].count - before[1]);
}

static inline void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    bad += tw_now(lp) < lp->pe->GVT || m->touched != 1 || fabs(tw_now(lp) - m->now) > 0.0;
    bad += memcmp(bf, &m->bits, sizeof m->bits) != 0;
    bad += depth_of[lp->id] == 0 || stack[lp->id][--depth_of[lp->id] % STACK_MAX] != m->id;
    for (int i = 0; i < 2; i++) {
        for (uint32_t n = 0; n < m->draws[i]; n++) {
            tw_rand_reverse_unif(&lp->rng[i]);
        }
    }
    s->sum = m->old_sum;
    s->received--;
    s->hash = m->old_hash;
    m->touched--;
}

static inline void commit(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct message *m = msg;
    (void)sv;
    bad += m->touched != 1 || memcmp(bf, &m->bits, sizeof m->bits) != 0;
    if (outcome->n_commits == outcome->capacity) {
        outcome->capacity = 2 * outcome->capacity + 1000;
        outcome->commits = realloc(outcome->commits, outcome->capacity * sizeof *outcome->commits);
    }
    outcome->commits[outcome->n_commits++] = (struct commit){
        .sig = {.recv_ts = tw_now(lp)}, .lp = lp->gid, .value = m->value, .hash = m->old_hash};
}

static tw_lptype types[2] = {
    {.event = forward, .revent = reverse, .commit = commit, .state_sz = sizeof(struct state)},
    {.event = forward, .commit = commit, .state_sz = sizeof(struct state)}, /* state is saved */
};

/* ---- Two runs that must be the same ---------------------------------------------------------- */

static inline bool same_commits(const struct outcome *a, const struct outcome *b)
{
    if (a->n_commits != b->n_commits) {
        return false;
    }
    for (size_t i = 0; i < a->n_commits; i++) {
        const struct commit *x = &a->commits[i];
        const struct commit *y = &b->commits[i];
        if (tw_event_sig_compare_ptr(&x->sig, &y->sig) != 0 || x->lp != y->lp ||
            x->value != y->value || x->hash != y->hash) {
            return false;
        }
    }
    return true;
}

static inline void compare(const struct outcome *a, const struct outcome *b)
{
    CU_ASSERT(same_commits(a, b));
    CU_ASSERT_EQUAL(memcmp(a->states, b->states, sizeof a->states), 0);
    CU_ASSERT_EQUAL(memcmp(a->streams, b->streams, sizeof a->streams), 0);
    CU_ASSERT_EQUAL(b->counters.events_committed, a->counters.events_processed);
    CU_ASSERT_EQUAL(b->counters.events_processed - b->counters.events_rolled_back,
                    a->counters.events_processed);
    CU_ASSERT_EQUAL(b->counters.events_past_end, a->counters.events_past_end);
}

#endif
