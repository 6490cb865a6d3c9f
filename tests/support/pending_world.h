/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pending_world.h - the pending queue and a binary heap of copied keys side by side.
 *
 * The model shares no code with the queue. It copies the key of each event at its push, compares
 * keys by its own function, and identifies an event by a number. Events are allocated individually
 * and freed when popped or dropped, so that a sanitizer detects later accesses.
 */
#ifndef WARPSCOPE_TESTS_PENDING_WORLD_H
#define WARPSCOPE_TESTS_PENDING_WORLD_H

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>

#include "event/pending.h"

#define LINEAGE_MAX 3
#define NO_EVENT    UINT64_MAX

/* ---- Random numbers -------------------------------------------------------------------------- */

static uint64_t test_seed = 20240611;

struct source {
    uint64_t state;
};

/* splitmix64 */
static inline uint64_t draw_bits(struct source *s)
{
    uint64_t z = (s->state += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

static inline size_t draw_below(struct source *s, size_t n)
{
    return (size_t)(draw_bits(s) % n);
}

static inline double draw_unit(struct source *s)
{
    return ((double)(draw_bits(s) >> 11) + 0.5) * 0x1p-53;
}

/* ---- The model ------------------------------------------------------------------------------- */

struct key {
    double ts;
    double prio;
    double lineage[LINEAGE_MAX];
    unsigned lineage_len;
    uint64_t id;
};

struct model {
    struct key *heap;
    size_t n; /* with cancelled ones */
    size_t capacity;
    unsigned char *alive; /* by id */
    uint64_t n_ids;
    uint64_t id_capacity;
};

static inline int key_compare(const struct key *a, const struct key *b)
{
    if (a->ts != b->ts) {
        return a->ts < b->ts ? -1 : 1;
    }
    if (a->prio != b->prio) {
        return a->prio < b->prio ? -1 : 1;
    }
    for (unsigned i = 0; i < a->lineage_len && i < b->lineage_len; i++) {
        if (a->lineage[i] != b->lineage[i]) {
            return a->lineage[i] < b->lineage[i] ? -1 : 1;
        }
    }
    return (int)a->lineage_len - (int)b->lineage_len;
}

static inline void model_sink(struct model *m, size_t i)
{
    for (size_t child; (child = 2 * i + 1) < m->n; i = child) {
        if (child + 1 < m->n && key_compare(&m->heap[child + 1], &m->heap[child]) < 0) {
            child++;
        }
        if (key_compare(&m->heap[i], &m->heap[child]) <= 0) {
            return;
        }
        struct key swap = m->heap[i];
        m->heap[i] = m->heap[child];
        m->heap[child] = swap;
    }
}

static inline uint64_t model_push(struct model *m, struct key key)
{
    if (m->n == m->capacity) {
        m->capacity = 2 * m->capacity + 64;
        m->heap = realloc(m->heap, m->capacity * sizeof *m->heap);
    }
    if (m->n_ids == m->id_capacity) {
        m->id_capacity = 2 * m->id_capacity + 64;
        m->alive = realloc(m->alive, m->id_capacity);
    }
    key.id = m->n_ids++;
    m->alive[key.id] = 1;
    size_t i = m->n++;
    for (; i > 0 && key_compare(&key, &m->heap[(i - 1) / 2]) < 0; i = (i - 1) / 2) {
        m->heap[i] = m->heap[(i - 1) / 2];
    }
    m->heap[i] = key;
    return key.id;
}

/* Returns the number of the smallest event, or NO_EVENT. */
static inline uint64_t model_peek(struct model *m)
{
    while (m->n > 0 && !m->alive[m->heap[0].id]) {
        m->heap[0] = m->heap[--m->n];
        model_sink(m, 0);
    }
    return m->n > 0 ? m->heap[0].id : NO_EVENT;
}

static inline uint64_t model_pop(struct model *m)
{
    uint64_t id = model_peek(m);
    if (id != NO_EVENT) {
        m->alive[id] = 0;
    }
    return id;
}

/* ---- The queue and the model side by side ---------------------------------------------------- */

/* Data of the tests in the payload of an event. */
struct tag {
    uint64_t id;
    size_t slot; /* in world.inside */
};

struct world {
    struct pending *q;
    struct model model;
    struct source source;
    tw_event **inside; /* live events in the queue */
    size_t n_inside;
    size_t capacity;
    size_t n_cancelled; /* cancelled, not yet dropped */
    size_t n_dropped;
    double now;
    double serial; /* makes keys differ */
};

static inline struct tag *tag_of(tw_event *event)
{
    return (struct tag *)(void *)event_payload(event);
}

static inline void event_discard(tw_event *event)
{
    free(event->notes);
    free(event);
}

static inline void world_drop(void *ctx, tw_event *event)
{
    struct world *w = ctx;
    CU_ASSERT_FATAL(event->state.owner == EVENT_CANCELLED);
    CU_ASSERT_FATAL(!w->model.alive[tag_of(event)->id]);
    CU_ASSERT_FATAL(w->n_cancelled > 0);
    w->n_cancelled--;
    w->n_dropped++;
    event_discard(event);
}

static inline void world_open(struct world *w, uint64_t salt)
{
    *w = (struct world){.source = {test_seed + 1000003 * salt}};
    w->q = pending_create(world_drop, w);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w->q);
}

static inline void world_close(struct world *w)
{
    CU_ASSERT_EQUAL(w->n_inside, 0);
    CU_ASSERT_EQUAL(w->n_cancelled, 0);
    pending_destroy(w->q);
    free(w->inside);
    free(w->model.heap);
    free(w->model.alive);
}

static inline void world_insert(struct world *w, tw_event *event)
{
    struct key key = {.ts = event->recv_ts, .prio = event->prio};
    key.lineage_len = event->state.lineage_len;
    for (unsigned i = 0; i < event->state.lineage_len; i++) {
        key.lineage[i] = event_lineage(event, i);
    }
    if (w->n_inside == w->capacity) {
        w->capacity = 2 * w->capacity + 64;
        w->inside = realloc(w->inside, w->capacity * sizeof *w->inside);
    }
    *tag_of(event) = (struct tag){.id = model_push(&w->model, key), .slot = w->n_inside};
    w->inside[w->n_inside++] = event;
    pending_push(w->q, event);
    CU_ASSERT_FATAL(event->state.owner == EVENT_PENDING);
    CU_ASSERT_FATAL(pending_count(w->q) == w->n_inside);
}

static inline void world_forget(struct world *w, tw_event *event)
{
    size_t slot = tag_of(event)->slot;
    w->inside[slot] = w->inside[--w->n_inside];
    tag_of(w->inside[slot])->slot = slot;
}

/* Pops from both; the caller owns the event. Returns NULL if both are empty. */
static inline tw_event *world_remove(struct world *w)
{
    uint64_t id = model_peek(&w->model);
    tw_event *first = pending_peek(w->q);
    tw_event *event = pending_pop(w->q);
    CU_ASSERT_FATAL(first == event);
    CU_ASSERT_FATAL((event == NULL) == (id == NO_EVENT));
    if (event == NULL) {
        return NULL;
    }
    CU_ASSERT_FATAL(tag_of(event)->id == id);
    CU_ASSERT_FATAL(event->state.owner == EVENT_PENDING);
    (void)model_pop(&w->model);
    world_forget(w, event);
    CU_ASSERT_FATAL(pending_count(w->q) == w->n_inside);
    event->state.owner = EVENT_PROCESSED;
    w->now = event->recv_ts;
    return event;
}

static inline void world_cancel(struct world *w, tw_event *event)
{
    w->model.alive[tag_of(event)->id] = 0;
    world_forget(w, event);
    w->n_cancelled++;
    size_t before = w->n_dropped;
    pending_cancel(w->q, event);
    CU_ASSERT_FATAL(event->state.owner == EVENT_CANCELLED);
    CU_ASSERT_FATAL(w->n_dropped == before || w->n_cancelled == 1);
    CU_ASSERT_FATAL(pending_count(w->q) == w->n_inside);
}

static inline void world_drain(struct world *w)
{
    pending_check(w->q);
    for (tw_event *event; (event = world_remove(w)) != NULL;) {
        event_discard(event);
        if (w->n_inside % 1024 == 0) {
            pending_check(w->q);
        }
    }
}

/* ---- Events ---------------------------------------------------------------------------------- */

enum times {
    TIMES_PHOLD,
    TIMES_UNIFORM,
    TIMES_BIMODAL,
    TIMES_SAME,
    TIMES_TWO,
    TIMES_INTEGER,
    TIMES_HOT,
    TIMES_HUGE_RANGE,
    TIMES_EXTREMES,
    TIMES_ULPS,
    TIMES_DENORMAL,
    TIMES_OUTLIER,
    TIMES_NEGATIVE,
    TIMES_KINDS
};

static inline double draw_log_uniform(struct source *s)
{
    return exp((draw_unit(s) - 0.5) * 2.0 * 690.0); /* 1e-300 .. 1e300 */
}

static inline double draw_extreme(struct source *s)
{
    static const double extremes[] = {
        0.0,   0x1p-1074, DBL_MIN,     1e-300, 1.0,          1.0 + DBL_EPSILON,
        1e300, DBL_MAX,   DBL_MAX / 2, 1e17,   0x1.fffp+1023};
    return extremes[draw_below(s, sizeof extremes / sizeof *extremes)];
}

/* Draws a time stamp for an event sent at `now`. */
static inline double draw_time(struct source *s, enum times times, double now)
{
    double u = draw_unit(s);
    switch (times) {
    case TIMES_PHOLD:
        return now + 0.1 - log(u);
    case TIMES_UNIFORM:
        return now + u;
    case TIMES_BIMODAL:
        return now + (draw_below(s, 10) == 0 ? 1000.0 + u : 0.001 * u);
    case TIMES_SAME:
        return 7.0;
    case TIMES_TWO:
        return u < 0.7 ? 1.0 : 1.0 + DBL_EPSILON;
    case TIMES_INTEGER:
        return floor(now) + 1.0 + (double)draw_below(s, 3);
    case TIMES_HOT:
        return u < 0.6 ? 100.0 : fmin(now, 100.0) - 50.0 * log(draw_unit(s));
    case TIMES_HUGE_RANGE:
        return draw_log_uniform(s);
    case TIMES_EXTREMES:
        return draw_extreme(s);
    case TIMES_ULPS:
        return 0x1p50 + (double)draw_below(s, 4000) * 0.25;
    case TIMES_DENORMAL:
        return (double)draw_below(s, 3000) * 0x1p-1074;
    case TIMES_OUTLIER:
        return draw_below(s, 1000) == 0 ? (double)draw_below(s, 5) : 1e9 + u * 1e-3;
    default:
        return (u < 0.5 ? -1.0 : 1.0) * draw_log_uniform(s) * 1e8;
    }
}

enum ties {
    TIES_RANDOM,  /* all of one priority, first tie-breaker random: the engine's default */
    TIES_PRIO,    /* some priorities */
    TIES_RARE,    /* rarely another priority than 1.0 */
    TIES_SPREAD,  /* arbitrary priorities */
    TIES_LINEAGE, /* few values of the first tie-breaker, or only one */
    TIES_KINDS
};

static inline tw_event *make_event(struct world *w, double ts, enum ties ties)
{
    struct source *s = &w->source;
    tw_event *event = calloc(1, sizeof *event + sizeof(struct tag));
    CU_ASSERT_PTR_NOT_NULL_FATAL(event);
    event->recv_ts = ts;
    event->prio = 1.0;
    event->tie = draw_unit(s);
    event->state.owner = EVENT_NEW;
    event->state.lineage_len = 1;
    if (ties == TIES_PRIO) {
        event->prio = (double)draw_below(s, 4);
    } else if (ties == TIES_RARE) {
        event->prio = draw_below(s, 300) == 0 ? 2.0 * draw_unit(s) : 1.0;
    } else if (ties == TIES_SPREAD) {
        event->prio = draw_time(s, TIMES_NEGATIVE, 0.0);
    } else if (ties == TIES_LINEAGE) {
        event->tie = draw_below(s, 8) == 0 ? 0.25 : 0.5;
        size_t more = 1 + draw_below(s, LINEAGE_MAX - 1);
        struct event_note *note = calloc(1, sizeof *note + more * sizeof(double));
        CU_ASSERT_PTR_NOT_NULL_FATAL(note);
        note->kind = NOTE_LINEAGE;
        note->size = (uint32_t)(more * sizeof(double));
        ((double *)note->bytes)[0] = more == 1 ? w->serial++ : (double)draw_below(s, 100);
        if (more > 1) {
            ((double *)note->bytes)[1] = w->serial++;
        }
        event->notes = note;
        event->state.lineage_len = (1 + more) & 0x7f;
    }
    return event;
}

static inline void world_push_new(struct world *w, enum times times, enum ties ties)
{
    world_insert(w, make_event(w, draw_time(&w->source, times, w->now), ties));
}

#endif
