/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_gvt_rounds.c - the schedule of GVT rounds and their extra data: the interval, its choice,
 * and signals; the MPI calls of a round.
 *
 * test: alone=yes
 */
#include <signal.h>

#include "support/gvt_tokens.h"

/* Number of reductions that this rank has started, and of other collective calls. The functions
 * below take the places of those of MPI, which has them under second names (MPI 3.1, chapter 14). */
static uint64_t n_reductions, n_others;

int MPI_Iallreduce(const void *from, void *to, int n, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request)
{
    n_reductions++;
    return PMPI_Iallreduce(from, to, n, datatype, op, comm, request);
}

int MPI_Allreduce(const void *from, void *to, int n, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm)
{
    n_others++;
    return PMPI_Allreduce(from, to, n, datatype, op, comm);
}

int MPI_Barrier(MPI_Comm comm)
{
    n_others++;
    return PMPI_Barrier(comm);
}

int MPI_Bcast(void *at, int n, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    n_others++;
    return PMPI_Bcast(at, n, datatype, root, comm);
}

/* Returns the interval after a round of this cost (in ticks), `elapsed` ticks after the previous
 * one. */
static uint64_t interval_after(struct pe *pe, uint64_t cost, uint64_t elapsed)
{
    gvt_start(pe);
    pe->gvt.cost_ticks = cost;
    pe->gvt.last_ticks = clock_ticks() - elapsed;
    while (!gvt_step(pe)) {
        engine_receive(pe);
    }
    return pe->gvt.interval_events;
}

/* Expensive rounds become less frequent, cheap ones more frequent, within bounds. A fixed interval
 * stays. */
static void test_interval(void)
{
    uint64_t random;
    struct pe *pe = begin(7, &random, 4000);
    struct gvt *g = &pe->gvt;
    const uint64_t hour = (uint64_t)(3600.0 * g_run.ticks_per_second);
    CU_ASSERT(!g->adapts);
    CU_ASSERT_EQUAL(interval_after(pe, hour / 2, hour), 256);
    CU_ASSERT_EQUAL(interval_after(pe, 0, hour), 256);
    g->interval_events_least = 100;
    g->interval_events_most = 1000;
    CU_ASSERT_EQUAL(interval_after(pe, hour / 2, hour), 512);
    CU_ASSERT_EQUAL(interval_after(pe, hour / 2, hour), 1000);
    CU_ASSERT_EQUAL(interval_after(pe, hour / 2, hour), 1000);
    CU_ASSERT_EQUAL(interval_after(pe, hour / 100, hour), 1000); /* neither expensive nor cheap */
    CU_ASSERT_EQUAL(interval_after(pe, 0, hour), 500);
    CU_ASSERT_EQUAL(interval_after(pe, 0, hour), 250);
    CU_ASSERT_EQUAL(interval_after(pe, 0, hour), 125);
    CU_ASSERT_EQUAL(interval_after(pe, 0, hour), 100);
    MPI_Barrier(MPI_COMM_WORLD);
    hand_end();
}

/* Choice of the interval by options and by the model. */
static void test_interval_choice(void)
{
    uint64_t random;
    struct pe *pe = begin(7, &random, 5000);
    struct gvt *g = &pe->gvt;
    pe->synch = OPTIMISTIC;
    gvt_choose_interval(pe);
    CU_ASSERT(g->adapts);
    CU_ASSERT_EQUAL(g->interval_events, 256);
    pe->synch = OPTIMISTIC_REALTIME;
    gvt_choose_interval(pe);
    CU_ASSERT(!g->adapts);
    CU_ASSERT_DOUBLE_EQUAL((double)g->interval_ticks / g_run.ticks_per_second, 0.016, 1e-6);
    pe->synch = OPTIMISTIC;
    g_tw_gvt_interval = 50;
    gvt_choose_interval(pe);
    CU_ASSERT(!g->adapts);
    CU_ASSERT_EQUAL(g->interval_events, 50 * g_tw_mblock);
    CU_ASSERT_EQUAL(g->interval_ticks, UINT64_MAX);
    g_tw_gvt_interval = TW_GVT_INTERVAL_DEFAULT;
    hand_end();
}

/* After the round all ranks have the signal of one rank. */
static void test_signal(void)
{
    uint64_t random;
    struct pe *pe = begin(5, &random, 3000);
    whole_round(pe);
    CU_ASSERT_EQUAL(pe->gvt.result.signal, 0);
    if (pe->comm.rank == pe->comm.n_ranks - 1) {
        g_tw_signal = SIGTERM;
    }
    whole_round(pe);
    CU_ASSERT_EQUAL(pe->gvt.result.signal, SIGTERM);
    g_tw_signal = 0;
    hand_end();
}

/* A round is joined after a number of events, after a time, or by the clock alone with
 * --synch=5. */
static void test_due(void)
{
    uint64_t random;
    struct pe *pe = begin(0, &random, 4000);
    struct gvt *g = &pe->gvt;
    g->interval_events = 100;
    g->interval_ticks = UINT64_MAX / 2;
    g->last_processed = 1000;
    g->last_ticks = clock_ticks();
    pe->counters.events_processed = 1099;
    CU_ASSERT(!gvt_due(pe));
    pe->counters.events_processed = 1100;
    CU_ASSERT(gvt_due(pe));
    pe->synch = OPTIMISTIC_REALTIME;
    CU_ASSERT(!gvt_due(pe));
    g->interval_ticks = 1;
    while (clock_ticks() == g->last_ticks) {
    }
    CU_ASSERT(gvt_due(pe));
    pe->synch = OPTIMISTIC;
    pe->counters.events_processed = 1000;
    CU_ASSERT(gvt_due(pe));
    hand_end();
}

/* Each rank sends a token to the next rank, which does not take it in yet. Returns the token's
 * time. */
static double send_to_next(struct pe *pe, int round)
{
    double ts = SLOT * (double)(10 + 3 * round);
    tw_lp *lp = g_tw_lp[0];
    tw_lpid dest = 3 * (tw_lpid)((pe->comm.rank + 1) % pe->comm.n_ranks);
    pe->initialising = true;
    send_token(lp, dest, ts - tw_now(lp), 0);
    pe->initialising = false;
    transport_flush(pe->transport);
    return ts;
}

/* A round that looks back takes one reduction and no other collective call, on any number of ranks,
 * while messages are in transit. They bound GVT. */
static void test_one_reduction(void)
{
    uint64_t random;
    struct pe *pe = begin(0, &random, 7000);
    spawning = false;
    for (int round = 0; round < 50; round++) {
        if (round > 0) {
            gvt_look_back(pe); /* the first round of a run cannot */
        }
        double ts = send_to_next(pe, round);
        PMPI_Barrier(MPI_COMM_WORLD); /* all have sent */
        double before = pe->head.GVT;
        uint64_t votes = pe->counters.all_reduces;
        n_reductions = n_others = 0;
        gvt_start(pe);
        while (!gvt_step(pe)) {
        }
        if (round > 0) {
            CU_ASSERT_EQUAL(n_reductions, pe->comm.n_ranks > 1 ? 1 : 0); /* one rank needs none */
            CU_ASSERT_EQUAL(pe->counters.all_reduces - votes, 1);
        }
        CU_ASSERT_EQUAL(n_others, 0);
        CU_ASSERT_EQUAL(slot_of(pe->head.GVT), slot_of(ts));
        check_round(pe, before);
        PMPI_Barrier(MPI_COMM_WORLD); /* all have checked */
        while (true_minimum() < SLOTS) {
            engine_receive(pe);
            hand_step(pe);
        }
        PMPI_Barrier(MPI_COMM_WORLD);
    }
    CU_ASSERT_EQUAL(bad, 0);
    hand_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"the interval adapts", test_interval},
        {"the choice of the interval", test_interval_choice},
        {"signals", test_signal},
        {"when a round is due", test_due},
        {"one reduction", test_one_reduction},
    };
    return tokens_run(argc, argv, "gvt rounds", tests, sizeof tests / sizeof *tests);
}
