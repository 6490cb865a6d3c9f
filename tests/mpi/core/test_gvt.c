/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_gvt.c - GVT against an oracle with a view of all ranks. Ranks poll, flush, execute, sleep and
 * join rounds at random. Some rounds look back.
 */
#include <sched.h>
#include <unistd.h>

#include "support/gvt_tokens.h"

static void nap(uint64_t *random)
{
    if (random_below(random, 4) == 0) {
        usleep((useconds_t)random_below(random, 300));
    } else {
        sched_yield();
    }
}

static void storm(unsigned n_tokens, uint64_t salt)
{
    uint64_t random;
    struct pe *pe = begin(n_tokens, &random, salt);
    uint64_t habits[4];
    for (int i = 0; i < 4; i++) {
        habits[i] = 1 + random_below(&random, i == 3 ? 200 : 10);
    }
    while (!(pe->head.GVT > 1e300)) {
        if (random_below(&random, habits[0]) == 0) {
            engine_receive(pe);
        }
        if (random_below(&random, habits[1]) == 0) {
            transport_flush(pe->transport);
        }
        for (uint64_t n = random_below(&random, habits[2] * 3); n > 0 && hand_step(pe); n--) {
        }
        if (random_below(&random, habits[3]) == 0) {
            nap(&random);
        }
        double before = pe->head.GVT;
        if (!pe->gvt.in_round && random_below(&random, 3) == 0) {
            gvt_start(pe);
        }
        if (pe->gvt.in_round && gvt_step(pe)) {
            check_round(pe, before);
            if ((pe->counters.gvt_rounds * (salt + 1)) % 7 < 4) { /* equal on all ranks */
                gvt_look_back(pe);
            }
        }
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT_EQUAL(true_minimum(), SLOTS); /* the end: no event is left on any rank */
    CU_ASSERT_EQUAL(pending_count(pe->pending), 0);
    CU_ASSERT_EQUAL(pe->gvt.result.processed, pe->gvt.result.net);
    uint64_t sum = executed;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    CU_ASSERT_EQUAL(pe->gvt.result.processed, sum); /* sums of the votes */
    CU_ASSERT(sum >= n_tokens * (uint64_t)pe->comm.n_ranks);
    hand_end();
}

static void test_storm(void)
{
    for (uint64_t round = 0; round < 8; round++) {
        storm(300, 1 + round);
    }
}

static void test_few_tokens(void)
{
    for (uint64_t round = 0; round < 30; round++) {
        storm(round % 3 == 0 ? 1 : 4, 100 + round);
    }
}

/* While no rank executes, GVT is the exact minimum, including unflushed messages, from the second
 * round on at the latest. It stays there. */
static void test_quiet(void)
{
    for (uint64_t round = 0; round < 20; round++) {
        uint64_t random;
        struct pe *pe = begin(1 + (unsigned)round, &random, 1000 + round);
        whole_round(pe);
        whole_round(pe);
        CU_ASSERT_EQUAL(slot_of(pe->head.GVT), true_minimum());
        whole_round(pe);
        CU_ASSERT_EQUAL(slot_of(pe->head.GVT), true_minimum());
        MPI_Barrier(MPI_COMM_WORLD); /* all ranks have checked */
        spawning = false;
        while (hand_step(pe)) {
        }
        MPI_Barrier(MPI_COMM_WORLD); /* all have executed */
        whole_round(pe);
        CU_ASSERT(pe->head.GVT > 1e300);
        CU_ASSERT_EQUAL(bad, 0);
        hand_end();
    }
}

/*
 * The two messages that make GVT hard. Before joining the round a rank has sent a message of a late
 * time. The receiver has not polled, so the vote must be repeated. Meanwhile the sender executes
 * its last event, of an early time, and sends a message of that time. Only the sender's record of
 * messages sent since it joined keeps GVT from passing that time.
 */
static void test_in_transit(void)
{
    uint64_t random;
    struct pe *pe = begin(0, &random, 2000);
    spawning = false;
    for (int round = 0; round < 60 && pe->comm.n_ranks > 1; round++) {
        int sender = round % pe->comm.n_ranks;
        tw_lpid dest = 3 * (tw_lpid)((sender + 1) % pe->comm.n_ranks);
        double early = SLOT * (double)(10 + 40 * round);
        if (pe->comm.rank == sender) {
            tw_lp *lp = g_tw_lp[0];
            pe->initialising = true;
            send_token(lp, lp->gid, early - tw_now(lp), 0);
            send_token(lp, dest, early + 20 * SLOT - tw_now(lp), 0);
            pe->initialising = false;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        gvt_start(pe);
        if (pe->comm.rank == sender) {
            forward_to = dest;
            hand_step(pe);
        }
        double before = pe->head.GVT;
        while (!gvt_step(pe)) {
        }
        check_round(pe, before);
        bad += true_minimum() != slot_of(early); /* the forwarded message has not been executed */
        MPI_Barrier(MPI_COMM_WORLD);
        while (true_minimum() < SLOTS) {
            transport_flush(pe->transport);
            engine_receive(pe);
            hand_step(pe);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(pe->comm.n_ranks == 1 || pe->counters.all_reduces > pe->counters.gvt_rounds);
    hand_end();
}

/* Ranks that send nothing during rounds vote once per round if they share memory. Messages of any
 * age bound GVT. */
static void test_quiet_ranks(void)
{
    uint64_t random;
    struct pe *pe = begin(300, &random, 6000);
    gvt_keep_quiet(pe);
    while (!(pe->head.GVT > 1e300)) {
        whole_round(pe);
        for (uint64_t n = random_below(&random, 30); n > 0 && hand_step(pe); n--) {
        }
        nap(&random);
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT_EQUAL(true_minimum(), SLOTS);
    CU_ASSERT(!pe->gvt.is_quiet || pe->counters.all_reduces == pe->counters.gvt_rounds);
    hand_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"storm", test_storm},
        {"storms of few tokens", test_few_tokens},
        {"exact while nothing happens", test_quiet},
        {"messages in transit", test_in_transit},
        {"quiet ranks", test_quiet_ranks},
    };
    return tokens_run(argc, argv, "gvt", tests, sizeof tests / sizeof *tests);
}
