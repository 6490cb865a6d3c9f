/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_rollback.c - the events undone when a straggler arrives, on a PE driven by hand. Three LPs
 * are on KPs of their own. An event sends itself on to the next LP, one time unit later, a given
 * number of times.
 */
#include "support/hand_engine.h"
#include "support/suite.h"

struct message {
    uint32_t depth; /* remaining hops */
};

static unsigned undone[3];

static void pass_on(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct message *m = msg;
    (void)state;
    (void)bf;
    if (m->depth > 0) {
        tw_event *event = tw_event_new((lp->gid + 1) % 3, 1.0, lp);
        *(struct message *)tw_event_data(event) = (struct message){.depth = m->depth - 1};
        tw_event_send(event);
    }
}

static void count_undone(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    undone[lp->id]++;
}

static tw_lptype pass_type = {.event = pass_on, .revent = count_undone, .state_sz = 8};

static tw_event *make_root(struct pe *pe, tw_lpid dest, double ts, uint32_t depth)
{
    pe->initialising = true;
    tw_event *event = tw_event_new(dest, ts, g_tw_lp[0]);
    *(struct message *)tw_event_data(event) = (struct message){.depth = depth};
    hand_keep_unsent(pe);
    pe->initialising = false;
    return event;
}

/* Three LPs on KPs of their own. A chain 0 -> 1 -> 2 -> 0, and independent events of LP 1. */
static void test_undone_events(void)
{
    g_tw_nkp = 3;
    memset(undone, 0, sizeof undone);
    struct pe *pe = hand_begin(3, sizeof(struct message), &pass_type, 1, OPTIMISTIC, 100.0);
    tw_event *late = make_root(pe, 1, 5.5, 0);
    tw_event *very_late = make_root(pe, 0, 0.5, 0);
    engine_enqueue(pe, make_root(pe, 0, 1.0, 3)); /* 1 at 2, 2 at 3, 0 at 4 */
    engine_enqueue(pe, make_root(pe, 1, 1.5, 0));
    engine_enqueue(pe, make_root(pe, 1, 5.0, 0));
    engine_enqueue(pe, make_root(pe, 1, 6.0, 0));
    while (hand_step(pe)) {
    }
    CU_ASSERT_EQUAL(pe->counters.events_processed, 7);

    engine_enqueue(pe, late); /* only the event at 6 follows it on its KP */
    CU_ASSERT_EQUAL(pe->counters.primary_rollbacks, 1);
    CU_ASSERT_EQUAL(pe->counters.secondary_rollbacks, 0);
    CU_ASSERT_EQUAL(pe->counters.events_rolled_back, 1);
    CU_ASSERT_EQUAL(undone[1], 1);
    CU_ASSERT_EQUAL(pe->kps[1].head.last_time, 5.0);
    while (hand_step(pe)) {
    }

    engine_enqueue(pe, very_late); /* 0 at 1 and at 4 from the start; 1 from 2 on; 2 at 3 */
    CU_ASSERT_EQUAL(pe->counters.primary_rollbacks, 2);
    CU_ASSERT_EQUAL(undone[0], 2);
    CU_ASSERT_EQUAL(undone[1], 1 + 4);
    CU_ASSERT_EQUAL(undone[2], 1);
    CU_ASSERT_EQUAL(pe->counters.secondary_rollbacks, 2);
    CU_ASSERT_EQUAL(pe->counters.events_aborted, 3); /* 1 at 2, 2 at 3, 0 at 4 */
    CU_ASSERT_EQUAL(pe->kps[0].head.last_time, 0.0);
    CU_ASSERT_EQUAL(pe->kps[1].head.last_time, 1.5);
    CU_ASSERT_EQUAL(pending_count(pe->pending), 5); /* 0 at .5, 0 at 1, 1 at 5, 5.5, 6 */
    while (hand_step(pe)) {
    }
    CU_ASSERT_EQUAL(pe->counters.events_processed - pe->counters.events_rolled_back, 9);
    engine_fossil_collect(pe, event_key_at((double)INFINITY));
    CU_ASSERT_EQUAL(pe->pool.in_use, 0);
    hand_end();
}

/* A handler sends into the past of another KP, which is rolled back while the handler runs. */
static void test_in_handler(void)
{
    g_tw_nkp = 3;
    memset(undone, 0, sizeof undone);
    struct pe *pe = hand_begin(3, sizeof(struct message), &pass_type, 1, OPTIMISTIC, 100.0);
    tw_event *late = make_root(pe, 0, 1.0, 1); /* sends to 1 at 2 */
    engine_enqueue(pe, make_root(pe, 1, 3.0, 1));
    engine_enqueue(pe, make_root(pe, 2, 3.5, 0));
    while (hand_step(pe)) {
    }
    CU_ASSERT_EQUAL(pe->counters.events_processed, 3); /* also 2 at 4 */
    engine_enqueue(pe, late);
    CU_ASSERT_EQUAL(pe->counters.events_rolled_back, 0);
    hand_step(pe);
    CU_ASSERT_EQUAL(pe->counters.events_processed, 4);
    CU_ASSERT_EQUAL(pe->counters.primary_rollbacks, 1);
    CU_ASSERT_EQUAL(pe->counters.secondary_rollbacks, 1);
    CU_ASSERT_EQUAL(undone[0], 0);
    CU_ASSERT_EQUAL(undone[1], 1);
    CU_ASSERT_EQUAL(undone[2], 1);
    CU_ASSERT_EQUAL(pe->kps[0].head.last_time, 1.0);
    CU_ASSERT_PTR_EQUAL(kp_youngest(&pe->kps[0]), late);
    while (hand_step(pe)) {
    }
    CU_ASSERT_EQUAL(pe->counters.events_processed - pe->counters.events_rolled_back, 5);
    engine_fossil_collect(pe, event_key_at((double)INFINITY));
    CU_ASSERT_EQUAL(pe->pool.in_use, 0);
    hand_end();
}

/* A simultaneous event rolls back only those that come after it in the total order. */
static void test_ties(void)
{
    g_tw_nkp = 1;
    memset(undone, 0, sizeof undone);
    struct pe *pe = hand_begin(3, sizeof(struct message), &pass_type, 1, OPTIMISTIC, 100.0);
    tw_event *events[3];
    for (int i = 0; i < 3; i++) {
        events[i] = make_root(pe, 0, 7.0, 0);
    }
    for (int i = 0; i < 2; i++) { /* sorted by the order of their keys */
        for (int j = 0; j < 2; j++) {
            if (event_compare(events[j], events[j + 1]) > 0) {
                tw_event *swap = events[j];
                events[j] = events[j + 1];
                events[j + 1] = swap;
            }
        }
    }
    engine_enqueue(pe, events[0]);
    engine_enqueue(pe, events[2]);
    while (hand_step(pe)) {
    }
    engine_enqueue(pe, events[1]);
    CU_ASSERT_EQUAL(pe->counters.events_rolled_back, 1);
    CU_ASSERT_PTR_EQUAL(kp_youngest(&pe->kps[0]), events[0]);
    hand_step(pe);
    CU_ASSERT_PTR_EQUAL(kp_youngest(&pe->kps[0]), events[1]);
    hand_step(pe);
    CU_ASSERT_PTR_EQUAL(kp_youngest(&pe->kps[0]), events[2]);
    hand_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"events that are undone", test_undone_events},
        {"a rollback while a handler runs", test_in_handler},
        {"simultaneous events", test_ties},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("rollback", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
