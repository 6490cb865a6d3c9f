/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_self_check.c - self_check() accepts a PE in the middle of a run, and aborts when an event is
 * lost, counted twice, or out of order.
 */
#include "engine/checks/self_check.h"
#include "support/aborts.h"
#include "support/hand_engine.h"
#include "support/suite.h"

static void pass_on(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    tw_event_send(tw_event_new((lp->gid + 1) % 3, 1.0 + tw_rand_unif(lp->rng), lp));
}

static void pass_back(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    tw_rand_reverse_unif(lp->rng);
}

static tw_lptype pass_type = {.event = pass_on, .revent = pass_back, .state_sz = 8};

static void check(void *ctx)
{
    self_check(ctx);
}

static void test_finds_damage(void)
{
    g_tw_nkp = 2;
    struct pe *pe = hand_begin(3, 8, &pass_type, 1, OPTIMISTIC, 100.0);
    pe->initialising = true;
    for (int i = 0; i < 12; i++) {
        tw_event *event = tw_event_new((tw_lpid)(i % 3), 0.5 * i, g_tw_lp[0]);
        hand_keep_unsent(pe);
        pe->initialising = false;
        engine_enqueue(pe, event);
        pe->initialising = true;
    }
    pe->initialising = false;
    for (int i = 0; i < 40; i++) {
        CU_ASSERT(hand_step(pe));
        self_check(pe);
    }
    CU_ASSERT_FALSE(aborts(check, pe));

    pe->pool.in_use++;
    CU_ASSERT(aborts(check, pe));
    pe->pool.in_use--;

    struct kp *kp = &pe->kps[0];
    tw_event *youngest = kp_youngest(kp);
    kp->young--;
    CU_ASSERT(aborts(check, pe)); /* an event is lost */
    kp->young++;
    double ts = youngest->recv_ts;
    youngest->recv_ts = 99.0;
    CU_ASSERT(aborts(check, pe)); /* pending events precede it */
    youngest->recv_ts = ts;
    pending_peek(pe->pending)->recv_ts += 0.25;
    CU_ASSERT(aborts(check, pe)); /* the queue has the earlier time */
    pending_peek(pe->pending)->recv_ts -= 0.25;
    CU_ASSERT_FALSE(aborts(check, pe));
    hand_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"self_check() finds damage", test_finds_damage}};
    MPI_Init(&argc, &argv);
    int status = suite_run("self_check", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
