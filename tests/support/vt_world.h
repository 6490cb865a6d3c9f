/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_world.h - a small optimistic engine for samples at virtual times: LPs run ahead, execute wrong
 * events, and roll back.
 */
#ifndef WARPSCOPE_TESTS_VT_WORLD_H
#define WARPSCOPE_TESTS_VT_WORLD_H

#include <CUnit/CUnit.h>
#include <string.h>

#include "record/vt/vt_timeline.h"
#include "support/suite.h"

#define N_LPS      10u
#define EVENTS_MAX 400u
#define STACK_MAX  (2 * EVENTS_MAX)

enum lp_kind { ENGINE_ONLY, STAT, REVERSED, SAVED, HELD, KINDS };

struct state {
    uint64_t hash;
    uint64_t since_sample; /* events, counted anew by sample_event_fn */
    uint64_t samples;
};

/* Contents of samples. */
struct sample {
    double now;
    struct state state;
};

struct event {
    double ts;
    uint64_t value;
};

/* An execution that can be undone. */
struct execution {
    struct event event;
    struct state
        saved; /* SAVED: the engine's copy, made before any observer is notified of the event */
    uint64_t old_hash; /* others: for the reverse handler */
    bool right;        /* true if the event and all before it will commit */
};

struct lp {
    tw_lp head;
    struct state state;
    struct event events[EVENTS_MAX]; /* events that will commit, in order */
    size_t n_events;
    struct execution stack[STACK_MAX];
    size_t n_stack;
    size_t n_right; /* of the stack, from its bottom */
};

struct world {
    struct vt_timeline timeline;
    struct probe_table probes;
    tw_kp kp;
    struct lp lps[N_LPS];
    tw_lp *list[N_LPS];
    struct payload_slot sample_slots[N_LPS];
    struct payload_slot stat_slots[N_LPS];
    double gvt;
    uint64_t taken; /* points */
    bool waits;     /* true if it takes points only when they are passed */
    uint64_t random;
    /* the naive model: states and events of each LP when the point before the next was taken */
    struct state naive[N_LPS];
    size_t naive_events[N_LPS];
    unsigned wrong;
};

static inline enum lp_kind kind_of(const tw_lp *lp)
{
    return (enum lp_kind)(lp->id % KINDS);
}

static inline void stat_fn(void *sv, tw_lp *lp, char *buffer)
{
    struct sample s = {tw_now(lp), *(const struct state *)sv};
    memcpy(buffer, &s, sizeof s);
}

/* A pure function of the state. */
static inline void held_fn(void *sv, tw_lp *lp, char *buffer)
{
    struct sample s = {.state = *(const struct state *)sv};
    (void)lp;
    memcpy(buffer, &s, sizeof s);
}

static inline void sample_fn(void *sv, tw_bf *bf, tw_lp *lp, void *bytes)
{
    struct state *state = sv;
    struct sample s = {tw_now(lp), *state};
    memcpy(bytes, &s, sizeof s);
    if (state->since_sample != 0) {
        bf->c7 = 1;
        state->since_sample = 0;
    }
    state->samples++;
}

static inline void sample_back_fn(void *sv, tw_bf *bf, tw_lp *lp, void *bytes)
{
    struct state *state = sv;
    const struct sample *s = bytes;
    CU_ASSERT_EQUAL(tw_now(lp), s->now);
    state->samples--;
    if (bf->c7) {
        state->since_sample = s->state.since_sample;
    }
    CU_ASSERT_EQUAL(memcmp(state, &s->state, sizeof *state), 0);
}

static st_model_types stat_types = {.model_stat_fn = stat_fn, .mstat_sz = sizeof(struct sample)};
static st_model_types held_types = {.model_stat_fn = held_fn, .mstat_sz = sizeof(struct sample)};
static st_model_types reversed_types = {.sample_event_fn = sample_fn,
                                        .sample_revent_fn = sample_back_fn,
                                        .sample_struct_sz = sizeof(struct sample)};
/* The engine restores the state: sample_revent_fn must not be called. */
static st_model_types saved_types = {.sample_event_fn = sample_fn,
                                     .sample_revent_fn = sample_back_fn,
                                     .sample_struct_sz = sizeof(struct sample)};

static inline void handle(struct state *s, const struct event *e)
{
    s->hash = (s->hash ^ e->value) * 0x9e3779b97f4a7c15u + 1;
    s->since_sample++;
}

/* ---- The optimistic engine ------------------------------------------------------------------- */

static inline tw_event view(struct lp *lp, const struct event *e)
{
    return (tw_event){.dest_lp = &lp->head, .recv_ts = e->ts};
}

static inline void execute(struct world *w, struct lp *lp, struct event e, bool right)
{
    struct execution *x = &lp->stack[lp->n_stack++];
    tw_event seen = view(lp, &e);
    *x = (struct execution){.event = e, .saved = lp->state, .right = right};
    double before = w->kp.last_time;
    PROBE_CALL(&w->probes, event_starting, &seen, NULL);
    CU_ASSERT_EQUAL(w->kp.last_time, before);
    x->old_hash = lp->state.hash;
    w->kp.last_time = e.ts;
    handle(&lp->state, &e);
    lp->n_right += right;
}

static inline void undo(struct world *w, struct lp *lp)
{
    struct execution *x = &lp->stack[--lp->n_stack];
    tw_event seen = view(lp, &x->event);
    w->kp.last_time = x->event.ts;
    if (kind_of(&lp->head) == SAVED) {
        lp->state = x->saved;
    } else {
        lp->state.since_sample--;
        lp->state.hash = x->old_hash;
    }
    PROBE_CALL(&w->probes, event_undone, &seen, kind_of(&lp->head) == SAVED);
    lp->n_right -= x->right;
}

/* Returns true if the execution on top of the stack can be undone. */
static inline bool is_uncommitted(const struct world *w, const struct lp *lp)
{
    return lp->n_stack > 0 && lp->stack[lp->n_stack - 1].event.ts >= w->gvt;
}

static inline double top_ts(const struct lp *lp)
{
    return lp->n_stack > 0 ? lp->stack[lp->n_stack - 1].event.ts : 0.0;
}

static inline bool is_right_so_far(const struct lp *lp)
{
    return lp->n_stack == lp->n_right;
}

static inline void step_forwards(struct world *w, struct lp *lp)
{
    if (lp->n_stack == STACK_MAX) {
        return;
    }
    if (is_right_so_far(lp) && random_below(&w->random, 8) != 0) {
        if (lp->n_right < lp->n_events) {
            execute(w, lp, lp->events[lp->n_right], true);
        }
        return;
    }
    double ts = ROSS_MAX(top_ts(lp), w->gvt) + 0.25 * (double)random_below(&w->random, 9);
    execute(w, lp, (struct event){ts, random_bits(&w->random)}, false);
}

static inline void step_backwards(struct world *w, struct lp *lp)
{
    for (uint64_t n = random_below(&w->random, 12); n > 0 && is_uncommitted(w, lp); n--) {
        undo(w, lp);
    }
}

/* Returns the time before which this LP cannot change any more. */
static inline double bound_of(const struct lp *lp)
{
    double bound = lp->n_right < lp->n_events ? lp->events[lp->n_right].ts : (double)INFINITY;
    return is_right_so_far(lp) ? bound : ROSS_MIN(bound, lp->stack[lp->n_right].event.ts);
}

#endif
