/*
 * test_pending.c - the pending queue against a binary heap of copied keys.
 *
 * The model shares nothing with the queue: it copies the key of each event when that is pushed,
 * compares keys by its own function, and knows an event by a number. Events are allocated one by
 * one and freed when popped or dropped, so that a sanitizer sees any later look at them.
 */
#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>

#include "event/pending.h"

#define LINEAGE_MAX 3
#define NO_EVENT    UINT64_MAX

/* ---- Random numbers ----------------------------------------------------------------------------
 */

static uint64_t test_seed = 20240611;

struct source {
    uint64_t state;
};

/* splitmix64 */
static uint64_t draw_bits(struct source *s)
{
    uint64_t z = (s->state += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

static size_t draw_below(struct source *s, size_t n)
{
    return (size_t)(draw_bits(s) % n);
}

static double draw_unit(struct source *s)
{
    return ((double)(draw_bits(s) >> 11) + 0.5) * 0x1p-53;
}

/* ---- The model ---------------------------------------------------------------------------------
 */

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

static int key_compare(const struct key *a, const struct key *b)
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

static void model_sink(struct model *m, size_t i)
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

static uint64_t model_push(struct model *m, struct key key)
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

/* The number of the smallest event, or NO_EVENT. */
static uint64_t model_peek(struct model *m)
{
    while (m->n > 0 && !m->alive[m->heap[0].id]) {
        m->heap[0] = m->heap[--m->n];
        model_sink(m, 0);
    }
    return m->n > 0 ? m->heap[0].id : NO_EVENT;
}

static uint64_t model_pop(struct model *m)
{
    uint64_t id = model_peek(m);
    if (id != NO_EVENT) {
        m->alive[id] = 0;
    }
    return id;
}

/* ---- The queue and the model side by side ------------------------------------------------------
 */

/* What the tests keep in the payload of an event. */
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

static struct tag *tag_of(tw_event *event)
{
    return (struct tag *)(void *)event->payload;
}

static void event_discard(tw_event *event)
{
    free(event->notes);
    free(event);
}

static void world_drop(void *ctx, tw_event *event)
{
    struct world *w = ctx;
    CU_ASSERT_FATAL(event->state == EVENT_CANCELLED);
    CU_ASSERT_FATAL(!w->model.alive[tag_of(event)->id]);
    CU_ASSERT_FATAL(w->n_cancelled > 0);
    w->n_cancelled--;
    w->n_dropped++;
    event_discard(event);
}

static void world_open(struct world *w, uint64_t salt)
{
    *w = (struct world){.source = {test_seed + 1000003 * salt}};
    w->q = pending_create(world_drop, w);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w->q);
}

static void world_close(struct world *w)
{
    CU_ASSERT_EQUAL(w->n_inside, 0);
    CU_ASSERT_EQUAL(w->n_cancelled, 0);
    pending_destroy(w->q);
    free(w->inside);
    free(w->model.heap);
    free(w->model.alive);
}

static void world_insert(struct world *w, tw_event *event)
{
    struct key key = {.ts = event->recv_ts, .prio = event->prio};
    key.lineage_len = event->lineage_len;
    for (unsigned i = 0; i < event->lineage_len; i++) {
        key.lineage[i] = event_lineage(event, i);
    }
    if (w->n_inside == w->capacity) {
        w->capacity = 2 * w->capacity + 64;
        w->inside = realloc(w->inside, w->capacity * sizeof *w->inside);
    }
    *tag_of(event) = (struct tag){.id = model_push(&w->model, key), .slot = w->n_inside};
    w->inside[w->n_inside++] = event;
    pending_push(w->q, event);
    CU_ASSERT_FATAL(event->state == EVENT_PENDING);
    CU_ASSERT_FATAL(pending_count(w->q) == w->n_inside);
}

static void world_forget(struct world *w, tw_event *event)
{
    size_t slot = tag_of(event)->slot;
    w->inside[slot] = w->inside[--w->n_inside];
    tag_of(w->inside[slot])->slot = slot;
}

/* Pops from both; the event is the caller's. NULL when both are empty. */
static tw_event *world_remove(struct world *w)
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
    CU_ASSERT_FATAL(event->state == EVENT_PENDING);
    (void)model_pop(&w->model);
    world_forget(w, event);
    CU_ASSERT_FATAL(pending_count(w->q) == w->n_inside);
    event->state = EVENT_PROCESSED;
    w->now = event->recv_ts;
    return event;
}

static void world_cancel(struct world *w, tw_event *event)
{
    w->model.alive[tag_of(event)->id] = 0;
    world_forget(w, event);
    w->n_cancelled++;
    size_t before = w->n_dropped;
    pending_cancel(w->q, event);
    CU_ASSERT_FATAL(event->state == EVENT_CANCELLED);
    CU_ASSERT_FATAL(w->n_dropped == before || w->n_cancelled == 1);
    CU_ASSERT_FATAL(pending_count(w->q) == w->n_inside);
}

static void world_drain(struct world *w)
{
    pending_check(w->q);
    for (tw_event *event; (event = world_remove(w)) != NULL;) {
        event_discard(event);
        if (w->n_inside % 1024 == 0) {
            pending_check(w->q);
        }
    }
}

/* ---- Events ------------------------------------------------------------------------------------
 */

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

static double draw_log_uniform(struct source *s)
{
    return exp((draw_unit(s) - 0.5) * 2.0 * 690.0); /* 1e-300 .. 1e300 */
}

static double draw_extreme(struct source *s)
{
    static const double extremes[] = {
        0.0,   0x1p-1074, DBL_MIN,     1e-300, 1.0,          1.0 + DBL_EPSILON,
        1e300, DBL_MAX,   DBL_MAX / 2, 1e17,   0x1.fffp+1023};
    return extremes[draw_below(s, sizeof extremes / sizeof *extremes)];
}

/* A time stamp for an event sent at `now`. */
static double draw_time(struct source *s, enum times times, double now)
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
    TIES_RANDOM,  /* all of one priority, first tie-breaker random: what the engine does */
    TIES_PRIO,    /* some priorities */
    TIES_RARE,    /* rarely another priority than 1.0 */
    TIES_SPREAD,  /* priorities of any size */
    TIES_LINEAGE, /* the first tie-breakers are few, or all the same */
    TIES_KINDS
};

static tw_event *make_event(struct world *w, double ts, enum ties ties)
{
    struct source *s = &w->source;
    tw_event *event = calloc(1, sizeof *event + sizeof(struct tag));
    CU_ASSERT_PTR_NOT_NULL_FATAL(event);
    event->recv_ts = ts;
    event->prio = 1.0;
    event->tie = draw_unit(s);
    event->state = EVENT_NEW;
    event->lineage_len = 1;
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
        event->lineage_len = (uint8_t)(1 + more);
    }
    return event;
}

static void world_push_new(struct world *w, enum times times, enum ties ties)
{
    world_insert(w, make_event(w, draw_time(&w->source, times, w->now), ties));
}

/* ---- Tests -------------------------------------------------------------------------------------
 */

static void test_empty(void)
{
    struct world w;
    world_open(&w, 1);
    CU_ASSERT_PTR_NULL(pending_peek(w.q));
    CU_ASSERT_PTR_NULL(pending_pop(w.q));
    CU_ASSERT_PTR_NULL(pending_ahead(w.q, 0));
    CU_ASSERT_EQUAL(pending_count(w.q), 0);
    CU_ASSERT(pending_memory_bytes(w.q) > 0);
    pending_check(w.q);
    world_close(&w);
}

static void test_one_event(void)
{
    struct world w;
    world_open(&w, 2);
    static const double times[] = {0.0, DBL_MAX, 0x1p-1074, -DBL_MAX, 1.0};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        world_insert(&w, make_event(&w, times[i], TIES_RANDOM));
        pending_check(w.q);
        CU_ASSERT_EQUAL(pending_peek(w.q), w.inside[0]);
        CU_ASSERT_EQUAL(pending_ahead(w.q, 0), w.inside[0]);
        CU_ASSERT_PTR_NULL(pending_ahead(w.q, 1));
        event_discard(world_remove(&w));
        CU_ASSERT_PTR_NULL(world_remove(&w));
    }
    world_close(&w);
}

/* What pending_ahead() promises is what comes. */
static void test_ahead(void)
{
    struct world w;
    world_open(&w, 3);
    for (int i = 0; i < 3000; i++) {
        world_push_new(&w, TIMES_PHOLD, TIES_RANDOM);
    }
    size_t known = 0;
    while (w.n_inside > 0) {
        tw_event *ahead[4];
        (void)pending_peek(w.q);
        for (size_t k = 0; k < 4; k++) {
            ahead[k] = pending_ahead(w.q, k);
        }
        for (size_t k = 0; k < 4 && w.n_inside > 0; k++) {
            tw_event *event = world_remove(&w);
            CU_ASSERT(ahead[k] == NULL || ahead[k] == event);
            known += ahead[k] != NULL;
            event_discard(event);
        }
    }
    CU_ASSERT(known > 2000);
    world_close(&w);
}

/* Fills in random, ascending and descending order of time, and drains. */
static void test_fill_and_drain(void)
{
    for (int times = 0; times < TIMES_KINDS; times++) {
        for (int run = 0; run < 3 * TIES_KINDS; run++) {
            struct world w;
            world_open(&w, (uint64_t)(100 + 20 * times + run));
            size_t n = 1 + draw_below(&w.source, 4000);
            enum ties ties = (enum ties)(run / 3);
            for (size_t i = 0; i < n; i++) {
                world_push_new(&w, (enum times)times, ties);
            }
            if (run % 3 > 0) { /* a drained queue takes them again, sorted */
                tw_event **sorted = malloc(n * sizeof(tw_event *));
                for (size_t i = 0; i < n; i++) {
                    sorted[i] = world_remove(&w);
                }
                for (size_t i = 0; i < n; i++) {
                    world_insert(&w, sorted[run % 3 == 1 ? i : n - 1 - i]);
                }
                free(sorted);
            }
            world_drain(&w);
            world_close(&w);
        }
    }
}

/* Takes back the last events: pops some, pushes them again in the order of a rollback or any. */
static void world_roll_back(struct world *w, size_t most)
{
    tw_event *undo[2000];
    size_t n = 1 + draw_below(&w->source, most);
    size_t done = 0;
    while (done < n && w->n_inside > 0) {
        undo[done++] = world_remove(w);
    }
    bool shuffled = draw_below(&w->source, 4) == 0;
    while (done > 0) {
        size_t k = shuffled ? draw_below(&w->source, done) : done - 1;
        tw_event *event = undo[k];
        undo[k] = undo[--done];
        world_insert(w, event);
        w->now = event->recv_ts;
    }
}

static void world_step(struct world *w, enum times times, enum ties ties, size_t target)
{
    struct source *s = &w->source;
    size_t choice = draw_below(s, 1000);
    if (choice < 3) {
        world_roll_back(w, draw_below(s, 5) == 0 ? 2000 : 100);
    } else if (choice < 100 && w->n_inside > 0) {
        world_cancel(w, w->inside[draw_below(s, w->n_inside)]);
    } else if (choice < 104) { /* a burst of new ones, at times long past */
        double now = w->now;
        w->now *= 0.9;
        for (size_t n = draw_below(s, 300); n > 0; n--) {
            world_push_new(w, times, ties);
        }
        w->now = now;
    } else if (choice < 700 && w->n_inside > 0) {
        tw_event *event = world_remove(w);
        if (w->n_inside > target || choice < 300) {
            event_discard(event);
        } else {
            event->recv_ts = draw_time(s, times, w->now);
            world_insert(w, event);
        }
    } else if (w->n_inside < 2 * target) {
        world_push_new(w, times, ties);
    }
}

/* All operations mixed, for all kinds of times and ties, and several sizes. */
static void test_random_operations(void)
{
    static const size_t targets[] = {20, 300, 3000};
    for (int times = 0; times < TIMES_KINDS; times++) {
        for (int run = 0; run < 3 * TIES_KINDS; run++) {
            struct world w;
            world_open(&w, (uint64_t)(1000 + 20 * times + run));
            size_t target = targets[run % 3];
            while (w.n_inside < target) {
                world_push_new(&w, (enum times)times, (enum ties)(run / 3));
            }
            for (size_t i = 0; i < 6000; i++) {
                world_step(&w, (enum times)times, (enum ties)(run / 3), target);
                if (i % 500 == 0 || (target == 20 && i % 50 == 0)) {
                    pending_check(w.q);
                }
            }
            world_drain(&w);
            world_close(&w);
        }
    }
}

/* Long rollbacks, each to before all others, with little executed in between. */
static void test_rollback_storm(void)
{
    struct world w;
    world_open(&w, 4);
    for (int i = 0; i < 20000; i++) {
        world_push_new(&w, TIMES_PHOLD, TIES_RANDOM);
    }
    for (int storm = 0; storm < 60; storm++) {
        double ts = -(double)storm;
        size_t n = 1 + draw_below(&w.source, 3000);
        for (size_t i = 0; i < n; i++) { /* ever earlier, by steps of any size */
            ts -= storm % 2 == 0 ? draw_unit(&w.source) : exp(20.0 * draw_unit(&w.source));
            world_insert(&w, make_event(&w, ts, TIES_RANDOM));
        }
        pending_check(w.q);
        for (size_t i = draw_below(&w.source, n + n / 2); i > 0 && w.n_inside > 0; i--) {
            event_discard(world_remove(&w));
        }
        pending_check(w.q);
    }
    world_drain(&w);
    world_close(&w);
}

/* Cancelled events do not pile up, each is dropped once, and live ones stay. */
static void test_cancel_purges(void)
{
    struct world w;
    world_open(&w, 5);
    size_t most = 0;
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 5000; i++) {
            enum times times = i % 3 == 0 ? TIMES_SAME : TIMES_PHOLD;
            world_push_new(&w, times, i % 2 == 0 ? TIES_RANDOM : TIES_LINEAGE);
        }
        if (round % 4 == 0) {
            event_discard(world_remove(&w)); /* all on the ladder */
        }
        while (w.n_inside > 10) {
            world_cancel(&w, w.inside[draw_below(&w.source, w.n_inside)]);
            most = w.n_cancelled > most ? w.n_cancelled : most;
        }
        pending_check(w.q);
    }
    CU_ASSERT(most < 10000);
    CU_ASSERT(w.n_dropped > 80000);
    world_drain(&w);
    CU_ASSERT_EQUAL(pending_count(w.q), 0);
    world_close(&w);
}

static void test_cancel_all(void)
{
    struct world w;
    world_open(&w, 6);
    for (int i = 0; i < 500; i++) {
        world_push_new(&w, TIMES_PHOLD, TIES_RANDOM);
    }
    while (w.n_inside > 0) {
        world_cancel(&w, w.inside[w.n_inside - 1]);
    }
    pending_check(w.q);
    CU_ASSERT_EQUAL(pending_count(w.q), 0);
    CU_ASSERT_PTR_NULL(pending_peek(w.q));
    CU_ASSERT_EQUAL(w.n_dropped, 500);
    world_close(&w);
}

/* The same among events that only their lineages tell apart. */
static void test_cancel_purges_equal_keys(void)
{
    struct world w;
    world_open(&w, 8);
    for (int i = 0; i < 8000; i++) {
        tw_event *event = make_event(&w, 1.0, TIES_LINEAGE);
        event->tie = 0.5;
        world_insert(&w, event);
    }
    event_discard(world_remove(&w)); /* now they are where such events end up */
    pending_check(w.q);
    while (w.n_inside > 500) {
        world_cancel(&w, w.inside[draw_below(&w.source, w.n_inside)]);
    }
    pending_check(w.q);
    CU_ASSERT(w.n_dropped > 4000);
    world_drain(&w);
    world_close(&w);
}

/* Cancelled events of the far future go when the live ones before them have gone. */
static void test_refill_purges(void)
{
    struct world w;
    world_open(&w, 9);
    for (int i = 0; i < 10000; i++) {
        world_insert(&w, make_event(&w, draw_unit(&w.source), TIES_RANDOM));
    }
    for (int i = 0; i < 10000; i++) {
        tw_event *event = make_event(&w, 1e6 + draw_unit(&w.source), TIES_RANDOM);
        world_insert(&w, event);
        if (i % 10 != 0) {
            world_cancel(&w, event);
        }
    }
    CU_ASSERT_EQUAL(w.n_dropped, 0);
    while (w.now < 1.0 && w.n_inside > 1000) {
        event_discard(world_remove(&w));
    }
    CU_ASSERT(w.n_dropped >= 9000);
    world_drain(&w);
    world_close(&w);
}

/* In a steady state the queue takes no more memory, but for a rare rung with more buckets. */
static void test_steady_memory(void)
{
    struct world w;
    world_open(&w, 7);
    for (int i = 0; i < 20000; i++) {
        world_push_new(&w, TIMES_PHOLD, TIES_RANDOM);
    }
    size_t bytes = 0;
    for (int i = 0; i < 800000; i++) {
        tw_event *event = world_remove(&w);
        event->recv_ts = draw_time(&w.source, TIMES_PHOLD, w.now);
        world_insert(&w, event);
        bytes = i == 400000 ? pending_memory_bytes(w.q) : bytes;
    }
    CU_ASSERT(pending_memory_bytes(w.q) <= bytes + bytes / 100);
    world_drain(&w);
    world_close(&w);
}

/* Many events at one time: were an operation O(n), this would not end within the time limit. */
static void test_many_ties(void)
{
    for (int ties = 0; ties < TIES_KINDS; ties++) {
        struct world w;
        world_open(&w, (uint64_t)(10 + ties));
        for (int i = 0; i < 100000; i++) {
            world_push_new(&w, TIMES_SAME, (enum ties)ties);
        }
        for (int i = 0; i < 100000; i++) { /* to the next time, as in a model with time steps */
            tw_event *event = world_remove(&w);
            event->recv_ts += 1.0;
            world_insert(&w, event);
        }
        world_drain(&w);
        world_close(&w);
    }
}

int main(void)
{
    const char *seed = getenv("WS_TEST_SEED");
    if (seed != NULL) {
        test_seed = strtoull(seed, NULL, 0);
    }
    printf("WS_TEST_SEED=%llu\n", (unsigned long long)test_seed);
    if (CU_initialize_registry() != CUE_SUCCESS) {
        return 1;
    }
    CU_pSuite suite = CU_add_suite("pending", NULL, NULL);
    CU_add_test(suite, "an empty queue", test_empty);
    CU_add_test(suite, "one event", test_one_event);
    CU_add_test(suite, "events ahead", test_ahead);
    CU_add_test(suite, "fill and drain", test_fill_and_drain);
    CU_add_test(suite, "random operations", test_random_operations);
    CU_add_test(suite, "rollback storm", test_rollback_storm);
    CU_add_test(suite, "cancelled events are purged", test_cancel_purges);
    CU_add_test(suite, "all cancelled", test_cancel_all);
    CU_add_test(suite, "purge among equal keys", test_cancel_purges_equal_keys);
    CU_add_test(suite, "purge at a refill", test_refill_purges);
    CU_add_test(suite, "steady memory", test_steady_memory);
    CU_add_test(suite, "many ties", test_many_ties);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures == 0 ? 0 : 1;
}
