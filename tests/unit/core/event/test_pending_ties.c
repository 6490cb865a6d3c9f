/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_pending_ties.c - the pending queue where a crowd of events has one time and a few other
 * events, the tickers, step towards it. Compares the order with a plain list. The cost of a step
 * must not grow with the crowd.
 */
#include <time.h>

#include "event/pending.h"
#include "support/suite.h"

#define CROWD_TIME  100.0
#define TICKERS_MAX 4
#define PASSES      5
#define PASSES_MOST 60

static uint64_t seed;

static void never_drop(void *ctx, tw_event *event)
{
    (void)ctx;
    (void)event;
    CU_FAIL("nothing was cancelled");
}

static tw_event *event_make(tw_event *event, double ts, double tie)
{
    *event = (tw_event){
        .recv_ts = ts, .prio = 1.0, .tie = tie, .state.owner = EVENT_NEW, .state.lineage_len = 1};
    return event;
}

/* ---- Order ----------------------------------------------------------------------------------- */

/* The list: the events at CROWD_TIME, in order from `first` on, and the tickers. */
struct world {
    struct pending *q;
    uint64_t random;
    tw_event *events;
    size_t n_events;
    tw_event **crowd;
    size_t first, n_crowd;
    tw_event *ticker[TICKERS_MAX];
    double step[TICKERS_MAX];
    size_t n_tickers;
    unsigned bad;
};

static int compare_ties(const void *a, const void *b)
{
    const tw_event *const *x = a, *const *y = b;
    return ((*x)->tie > (*y)->tie) - ((*x)->tie < (*y)->tie);
}

/* A step is a fraction of the remaining time, so that steps of all sizes occur. */
static double draw_step(struct world *w)
{
    static const double ticks[] = {3, 100, 2000, 20000};
    return CROWD_TIME / ticks[random_below(&w->random, 4)] * (0.5 + random_unit(&w->random));
}

static void world_open(struct world *w, uint64_t random, size_t n_crowd, size_t n_tickers)
{
    *w = (struct world){.random = random, .n_tickers = n_tickers};
    w->q = pending_create(never_drop, NULL);
    w->events = calloc(n_crowd + n_tickers, sizeof *w->events);
    w->crowd = calloc(n_crowd + n_tickers, sizeof(tw_event *));
    CU_ASSERT_FATAL(w->q != NULL && w->events != NULL && w->crowd != NULL);
    for (size_t i = 0; i < n_crowd; i++) {
        tw_event *event = &w->events[w->n_events++];
        pending_push(w->q, event_make(event, CROWD_TIME, random_unit(&w->random)));
        w->crowd[w->n_crowd++] = event;
    }
    for (size_t i = 0; i < n_tickers; i++) {
        w->ticker[i] = &w->events[w->n_events++];
        w->step[i] = draw_step(w);
        pending_push(w->q, event_make(w->ticker[i], w->step[i], random_unit(&w->random)));
    }
}

static void world_close(struct world *w)
{
    CU_ASSERT_PTR_NULL(pending_pop(w->q));
    CU_ASSERT_EQUAL(w->bad, 0);
    pending_destroy(w->q);
    free(w->events);
    free(w->crowd);
}

/* Returns the next ticker. */
static size_t first_ticker(const struct world *w)
{
    size_t first = 0;
    for (size_t i = 1; i < w->n_tickers; i++) {
        first = w->ticker[i]->recv_ts < w->ticker[first]->recv_ts ? i : first;
    }
    return first;
}

static void join_crowd(struct world *w, size_t i)
{
    w->crowd[w->n_crowd++] = w->ticker[i];
    w->n_tickers--;
    w->ticker[i] = w->ticker[w->n_tickers];
    w->step[i] = w->step[w->n_tickers];
}

/* Pops the next ticker and pushes it a step later, but not past the crowd. */
static void tick(struct world *w)
{
    size_t i = first_ticker(w);
    tw_event *event = pending_pop(w->q);
    w->bad += event != w->ticker[i];
    if (w->bad > 0) {
        return;
    }
    event->state.owner = EVENT_PROCESSED;
    event->recv_ts += w->step[i];
    if (event->recv_ts >= CROWD_TIME) {
        event->recv_ts = CROWD_TIME;
        join_crowd(w, i);
    }
    pending_push(w->q, event);
}

/* Pushes a part of the crowd again, as a rollback does. */
static void put_back(struct world *w)
{
    for (size_t n = random_below(&w->random, 200); n > 0 && w->first > 0; n--) {
        pending_push(w->q, w->crowd[--w->first]);
    }
}

static void walk(uint64_t random, size_t n_crowd, size_t n_tickers)
{
    struct world w;
    world_open(&w, random, n_crowd, n_tickers);
    pending_check(w.q);
    for (unsigned ticks = 1; w.n_tickers > 0 && w.bad == 0; ticks++) {
        tick(&w);
        if (ticks % 8192 == 0) {
            pending_check(w.q);
        }
    }
    qsort(w.crowd, w.n_crowd, sizeof(tw_event *), compare_ties);
    while (w.first < w.n_crowd && w.bad == 0) {
        tw_event *event = pending_pop(w.q);
        w.bad += event != w.crowd[w.first++];
        if (w.bad == 0) {
            event->state.owner = EVENT_PROCESSED;
        }
        if (random_below(&w.random, 5000) == 0) {
            put_back(&w);
        }
    }
    world_close(&w);
}

static void test_order(void)
{
    static const size_t crowds[] = {1, 63, 64, 65, 129, 1000, 20000, 300000};
    uint64_t random = seed;
    for (size_t i = 0; i < sizeof crowds / sizeof *crowds; i++) {
        for (size_t n_tickers = 1; n_tickers <= TICKERS_MAX; n_tickers++) {
            walk(random_bits(&random), crowds[i], n_tickers);
        }
    }
}

/* ---- Cost ------------------------------------------------------------------------------------ */

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the seconds that tickers need towards a crowd, in steps that each need a refill. */
static double ticks_cost(size_t n_crowd, unsigned ticks)
{
    struct world w;
    world_open(&w, seed, n_crowd, 1);
    w.step[0] = CROWD_TIME / 2 / ticks;
    tick(&w); /* from now on the crowd is in its bucket */
    double start = cpu_seconds();
    for (unsigned i = 0; i < ticks; i++) {
        tick(&w);
    }
    double seconds = cpu_seconds() - start;
    while (pending_pop(w.q) != NULL) {
    }
    world_close(&w);
    return seconds;
}

/* Scanning the whole crowd in each refill would take hundreds of times as long. The least of
 * several measurements counts, of more on a busy machine. */
static void test_cost(void)
{
    double few = INFINITY, many = INFINITY;
    bool alike = false;
    for (int pass = 0; pass < PASSES || (!alike && pass < PASSES_MOST); pass++) {
        few = fmin(few, ticks_cost(100, 2000));
        many = fmin(many, ticks_cost(300000, 2000));
        alike = many <= 15.0 * few;
    }
    printf("%.0f ns per tick towards 100 events, %.0f towards 300000 ", few / 2e-6, many / 2e-6);
    CU_ASSERT(alike);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"order against a list", test_order},
        {"cost of a tick", test_cost},
    };
    seed = suite_seed();
    suite_print_seed("pending_ties", seed);
    return suite_run("pending_ties", tests, sizeof tests / sizeof *tests);
}
