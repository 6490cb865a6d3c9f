/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_send.c - events made in one handler may be sent in any order, or not at all, which drops
 * them. Random orders against a naive list.
 */
#include "support/hand_engine.h"
#include "support/suite.h"

#define END_TIME   1e9
#define EVENTS_MAX 64
#define EVENTS_BIG                                                                                 \
    100000 /* sent in the order in which they were made: the cost must not be quadratic */

static struct {
    unsigned n;                 /* events to make */
    unsigned order[EVENTS_MAX]; /* indices in the order of sending */
    unsigned n_sent;
    bool big;
    unsigned n_past_end; /* events past the end */
} plan;

static void check_unsent(const struct pe *pe, tw_event *const *made, const bool *gone)
{
    const tw_event *previous = NULL;
    const tw_event *at = pe->unsent;
    for (unsigned i = plan.n; i-- > 0;) { /* newest first */
        if (!gone[i]) {
            CU_ASSERT_PTR_EQUAL_FATAL(at, made[i]);
            CU_ASSERT_PTR_EQUAL(at->caused_by_me, previous);
            previous = at;
            at = at->prev;
        }
    }
    CU_ASSERT_PTR_NULL(at);
}

static void send_as_planned(tw_lp *lp)
{
    tw_event *made[EVENTS_MAX];
    bool gone[EVENTS_MAX] = {false};
    for (unsigned i = 0; i < plan.n; i++) {
        made[i] = tw_event_new(lp->gid, 1.0 + i, lp);
    }
    for (unsigned k = 0; k < plan.n_sent; k++) {
        check_unsent(pe_self(), made, gone);
        tw_event_send(made[plan.order[k]]);
        CU_ASSERT_PTR_NULL(made[plan.order[k]]->caused_by_me);
        gone[plan.order[k]] = true;
    }
    check_unsent(pe_self(), made, gone);
}

static void send_many(tw_lp *lp)
{
    tw_event **made = calloc(EVENTS_BIG, sizeof(tw_event *));
    for (unsigned i = 0; i < EVENTS_BIG; i++) {
        made[i] = tw_event_new(lp->gid, 1.0 + i, lp);
    }
    for (unsigned i = 0; i < EVENTS_BIG; i++) {
        tw_event_send(made[i]);
    }
    free(made);
}

static void on_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)msg;
    (void)bf;
    if (tw_now(lp) >= 1.0) {
        return;
    }
    for (unsigned i = 0; i < plan.n_past_end; i++) {
        tw_event_send(tw_event_new(lp->gid, END_TIME, lp));
    }
    if (plan.big) {
        send_many(lp);
    } else {
        send_as_planned(lp);
    }
}

static void on_reverse(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    (void)lp;
}

static tw_lptype type = {.event = on_event, .revent = on_reverse, .state_sz = 8};

/* Runs the handler once, in its own engine. Its events arrive, and all can be undone. */
static void run_plan(unsigned n_expected)
{
    struct pe *pe = hand_begin(1, 8, &type, 1, OPTIMISTIC, END_TIME);
    pe->initialising = true;
    tw_event_send(tw_event_new(0, 0.5, g_tw_lp[0]));
    pe->initialising = false;
    hand_step(pe);
    CU_ASSERT_PTR_NULL(pe->unsent);
    CU_ASSERT_EQUAL(pending_count(pe->pending), n_expected);
    CU_ASSERT_EQUAL(pe->pool.in_use, n_expected + 1);
    double last = 0.0;
    for (unsigned i = 0; i < n_expected; i++) {
        const tw_event *event = pending_peek(pe->pending);
        CU_ASSERT_PTR_NOT_NULL_FATAL(event);
        CU_ASSERT(event->recv_ts > last);
        last = event->recv_ts;
        hand_step(pe);
    }
    CU_ASSERT_EQUAL(pe->counters.events_past_end, plan.n_past_end);
    engine_undo_all(pe, &pe->kps[0]);
    CU_ASSERT_EQUAL(pe->counters.events_past_end, 0);
    CU_ASSERT_EQUAL(pending_count(pe->pending), 1); /* only the root */
    hand_end();
}

static void test_random_orders(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("send", seed);
    for (unsigned round = 0; round < 200; round++) {
        plan.n = 1 + (unsigned)(random_bits(&seed) % EVENTS_MAX);
        plan.n_sent = (unsigned)(random_bits(&seed) % (plan.n + 1));
        for (unsigned i = 0; i < plan.n; i++) {
            plan.order[i] = i;
        }
        for (unsigned i = plan.n - 1; i > 0; i--) {
            unsigned j = (unsigned)(random_bits(&seed) % (i + 1));
            unsigned keep = plan.order[i];
            plan.order[i] = plan.order[j];
            plan.order[j] = keep;
        }
        run_plan(plan.n_sent);
    }
}

static void test_many_in_order(void)
{
    plan.big = true;
    run_plan(EVENTS_BIG);
    plan.big = false;
}

/* An event counts the events past the end that it made in 16 bits; the rest is stored elsewhere. */
static void test_past_end(void)
{
    static const unsigned numbers[] = {1, 65534, 65535, 65536, 131070, 131071, 200000};
    plan.n = 0;
    plan.n_sent = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        plan.n_past_end = numbers[i];
        run_plan(0);
    }
    plan.n_past_end = 0;
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"events are sent in any order, the others dropped", test_random_orders},
        {"many events sent in the order in which they were made", test_many_in_order},
        {"any number of events past the end", test_past_end},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("send", tests, sizeof tests / sizeof tests[0]);
    MPI_Finalize();
    return status;
}
