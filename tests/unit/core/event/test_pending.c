/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_pending.c - the pending queue against a binary heap of copied keys
 * (support/pending_world.h).
 */
#include "support/pending_world.h"
#include "support/suite.h"

/* ---- Tests ----------------------------------------------------------------------------------- */

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

/* pending_ahead() predicts the next event. */
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

/* Fills the queue in random, ascending and descending order of time, and empties it. */
static void test_fill_and_drain(void)
{
    for (int times = 0; times < TIMES_KINDS; times++) {
        for (int run = 0; run < 3 * TIES_KINDS; run++) {
            struct world w;
            world_open(&w, (uint64_t)(100 + 20 * times + run));
            size_t n = 1 + draw_below(&w.source, 2000 / suite_step(2));
            enum ties ties = (enum ties)(run / 3);
            for (size_t i = 0; i < n; i++) {
                world_push_new(&w, (enum times)times, ties);
            }
            if (run % 3 > 0) { /* an empty queue takes them again, sorted */
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

/* Pops some events and pushes them again, in the order of a rollback or any. */
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
    } else if (choice < 104) { /* a burst of new events, at times long past */
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
    const size_t steps = 3000 / suite_step(2);
    for (int times = 0; times < TIMES_KINDS; times++) {
        for (int run = 0; run < 3 * TIES_KINDS; run++) {
            struct world w;
            world_open(&w, (uint64_t)(1000 + 20 * times + run));
            size_t target = targets[run % 3];
            while (w.n_inside < target) {
                world_push_new(&w, (enum times)times, (enum ties)(run / 3));
            }
            for (size_t i = 0; i < steps; i++) {
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

/* Long rollbacks, each to before all other events, with few executions in between. */
static void test_rollback_storm(void)
{
    struct world w;
    world_open(&w, 4);
    for (int i = 0; i < 20000; i++) {
        world_push_new(&w, TIMES_PHOLD, TIES_RANDOM);
    }
    for (size_t storm = 0; storm < 24; storm += suite_step(3)) {
        double ts = -(double)storm;
        size_t n = 1 + draw_below(&w.source, 3000);
        for (size_t i = 0; i < n; i++) { /* ever earlier times, by steps of any size */
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

/* Cancelled events do not accumulate, each is dropped once, and live ones stay. */
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
            event_discard(world_remove(&w)); /* all events are on the ladder */
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

/* Like the previous test, among events that differ only in their lineages. */
static void test_cancel_purges_equal_keys(void)
{
    struct world w;
    world_open(&w, 8);
    for (int i = 0; i < 8000; i++) {
        tw_event *event = make_event(&w, 1.0, TIES_LINEAGE);
        event->tie = 0.5;
        world_insert(&w, event);
    }
    event_discard(world_remove(&w)); /* such events are now at their final place */
    pending_check(w.q);
    while (w.n_inside > 500) {
        world_cancel(&w, w.inside[draw_below(&w.source, w.n_inside)]);
    }
    pending_check(w.q);
    CU_ASSERT(w.n_dropped > 4000);
    world_drain(&w);
    world_close(&w);
}

/* Cancelled events of the far future are dropped when the live ones before them have been
 * popped. */
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

/* In a steady state the queue takes no more memory, except for a rare rung with more buckets. */
static void test_steady_memory(void)
{
    struct world w;
    world_open(&w, 7);
    for (int i = 0; i < 20000; i++) {
        world_push_new(&w, TIMES_PHOLD, TIES_RANDOM);
    }
    const size_t half = 200000 / suite_step(2);
    size_t bytes = 0;
    for (size_t i = 0; i < 2 * half; i++) {
        tw_event *event = world_remove(&w);
        event->recv_ts = draw_time(&w.source, TIMES_PHOLD, w.now);
        world_insert(&w, event);
        bytes = i == half ? pending_memory_bytes(w.q) : bytes;
    }
    CU_ASSERT(pending_memory_bytes(w.q) <= bytes + bytes / 100);
    world_drain(&w);
    world_close(&w);
}

/* Many events at one time: with an operation of cost O(n) the test would exceed the time limit. */
static void test_many_ties(void)
{
    const size_t n = 100000 / suite_step(5);
    for (int ties = 0; ties < TIES_KINDS; ties++) {
        struct world w;
        world_open(&w, (uint64_t)(10 + ties));
        for (size_t i = 0; i < n; i++) {
            world_push_new(&w, TIMES_SAME, (enum ties)ties);
        }
        for (size_t i = 0; i < n; i++) { /* to the next time, as in a model with time steps */
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
