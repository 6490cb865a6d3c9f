/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_pending_each.c - pending_each() visits each live event of the queue once, wherever it is:
 * random pushes, pops and cancellations, against a list of the live events.
 */
#include "event/pending.h"
#include "support/suite.h"

#define EVENTS 4000

static uint64_t seed;
static tw_event *events[EVENTS];
static bool is_in[EVENTS];
static unsigned seen[EVENTS];

static void drop(void *ctx, tw_event *event)
{
    (void)ctx;
    event->state.owner = EVENT_NEW;
}

static bool visit(void *ctx, tw_event *event)
{
    size_t *n = ctx;
    seen[event->send_lp]++;
    return --*n > 0;
}

static void compare(struct pending *q)
{
    size_t most = SIZE_MAX;
    unsigned wrong = 0;
    memset(seen, 0, sizeof seen);
    CU_ASSERT(pending_each(q, visit, &most));
    for (size_t i = 0; i < EVENTS; i++) {
        wrong += seen[i] != (is_in[i] ? 1u : 0u);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    if (pending_count(q) > 1) {
        most = 1 + random_below(&seed, pending_count(q) - 1);
        CU_ASSERT(!pending_each(q, visit, &most));
        CU_ASSERT_EQUAL(most, 0);
    }
}

static void test_random(void)
{
    struct pending *q = pending_create(drop, NULL);
    double now = 0.0;
    for (int step = 0; step < 60000; step++) {
        size_t i = random_below(&seed, EVENTS);
        tw_event *event = events[i];
        if (event->state.owner == EVENT_PENDING && random_below(&seed, 4) == 0) {
            pending_cancel(q, event);
            is_in[i] = false;
        } else if (event->state.owner == EVENT_NEW) {
            double scale = random_below(&seed, 9) == 0 ? 1000.0 : 1.0;
            event->recv_ts = now + (random_below(&seed, 5) == 0 ? 0.0 : scale * random_unit(&seed));
            event->tie = random_unit(&seed);
            pending_push(q, event);
            is_in[i] = true;
        }
        if (random_below(&seed, 3) == 0 && (event = pending_pop(q)) != NULL) {
            now = event->recv_ts;
            event->state.owner = EVENT_NEW;
            is_in[event->send_lp] = false;
        }
        if (step % 500 == 0) {
            compare(q);
            pending_check(q);
        }
    }
    CU_ASSERT(pending_count(q) > EVENTS / 10);
    while (pending_pop(q) != NULL) {
    }
    memset(is_in, 0, sizeof is_in);
    compare(q);
    pending_destroy(q);
}

int main(void)
{
    seed = suite_seed();
    suite_print_seed("pending_each", seed);
    for (size_t i = 0; i < EVENTS; i++) {
        events[i] = calloc(1, sizeof *events[i] + 16);
        events[i]->send_lp = i;
        events[i]->state.lineage_len = 1;
        events[i]->state.owner = EVENT_NEW;
    }
    static const CU_TestInfo tests[] = {{"each live event once", test_random}};
    int status = suite_run("pending_each", tests, 1);
    for (size_t i = 0; i < EVENTS; i++) {
        free(events[i]);
    }
    return status;
}
