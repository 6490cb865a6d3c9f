/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_packing.c - ranks commit the same events while they start and stop sharing processors at
 * random after each GVT computation. Waiting ranks then change between looking and sleeping: a lost
 * wake-up would end the test by its time limit. At the end, each rank may run where it could before.
 *
 * Ranks that leave their group return to it, and stay apart once a rank cannot change its processors.
 *
 * test: ranks=2,3,4
 */
#define _GNU_SOURCE 1 /* sched_getaffinity() */
#include <sched.h>
#include <string.h>

#include "engine/pe/pe.h"
#include "engine/process/run.h"
#include "support/part_run.h"
#include "support/suite.h"

#define LPS      24
#define END_TIME 400.0

static uint64_t seed, random_state, committed, changes, packed;
static bool packs;
static uint64_t pinned, refused_at, shared_ns;
static int n_allowed; /* number of processors */
static cpu_set_t mask;
static unsigned top; /* highest level that the engine permits, on rank 0 */

static void send(tw_lp *lp)
{
    tw_lpid to = tw_rand_ulong(lp->rng, 0, LPS - 1);
    tw_event_send(tw_event_new(to, 0.5 + tw_rand_exponential(lp->rng, 0.5), lp));
}

static void init(void *state, tw_lp *lp)
{
    (void)state;
    send(lp);
}

static void event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    unsigned long before = lp->rng->count;
    ++*(uint64_t *)state;
    send(lp);
    *(unsigned *)msg = (unsigned)(lp->rng->count - before);
}

static void reverse(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    --*(uint64_t *)state;
    for (unsigned i = 0; i < *(unsigned *)msg; i++) {
        tw_rand_reverse_unif(lp->rng);
    }
}

/* The sum is independent of the order of commits on different LPs. */
static void commit(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    uint64_t bits;
    double now = tw_now(lp);
    (void)state, (void)bf, (void)msg;
    memcpy(&bits, &now, sizeof bits);
    committed += (bits ^ lp->gid << 7) * 0x9e3779b97f4a7c15u;
}

static tw_lptype type = {
    .init = init, .event = event, .revent = reverse, .commit = commit, .state_sz = 8};

static bool runs_apart(void)
{
    cpu_set_t now;
    sched_getaffinity(0, sizeof now, &now);
    return CPU_EQUAL(&mask, &now);
}

/* A rank that leaves its group at a cut returns to it after the next GVT computation. */
static void leave_at_times(struct comm *c)
{
    if (c->is_pinned && random_below(&random_state, 4) == 0) {
        CU_ASSERT(n_allowed == 1 || !runs_apart());
        pinned++;
        comm_pack_leave(c);
        CU_ASSERT(runs_apart());
    }
}

/* Called after each GVT computation: rank 0 requests any number of ranks per processor. */
static void change(tw_pe *tw)
{
    struct pe *pe = pe_self();
    (void)tw;
    packed += pe->comm.ranks_per_core > 1;
    shared_ns = g_run.processor_clock.latest.processor_shared_ns;
    leave_at_times(&pe->comm);
    if (refused_at > 0 && pe->comm.rank == 1 && pe->counters.gvt_rounds == refused_at) {
        pe->comm.cannot_pack = true;
    }
    if (refused_at > 0 && pe->counters.gvt_rounds > refused_at + 1) {
        CU_ASSERT(pe->comm.ranks_per_core == 1 && pe->comm.packing.top == 0);
        return;
    }
    if (packs && pe->comm.rank == 0 && random_below(&random_state, 4) == 0) {
        struct packing *p = &pe->comm.packing;
        top = p->top;
        p->now = (unsigned)random_below(&random_state, p->top + 1);
        p->change_at_s = INFINITY; /* no trials by the engine */
        changes++;
    }
}

static const tw_petype pe_type = {.gvt = change};

static void before_run(void)
{
    tw_pe_settype(&pe_type);
    pe_self()->comm.crowded = false; /* as with a processor for each rank */
}

static uint64_t simulate(tw_synch synch, bool with_packing, const char *share_cores)
{
    struct part_run run = {.comm = synch == SEQUENTIAL ? MPI_COMM_SELF : MPI_COMM_WORLD,
                           .synch = synch,
                           .total_lps = LPS,
                           .msg_bytes = sizeof(unsigned),
                           .type = &type,
                           .end = END_TIME,
                           .lookahead = 0.5,
                           .options = {"--random-rollbacks=20", "--gvt-interval=1", share_cores},
                           .before_run = before_run};
    committed = changes = packed = 0;
    packs = with_packing;
    part_simulate(&run);
    MPI_Allreduce(MPI_IN_PLACE, &committed, 1, MPI_UINT64_T, MPI_SUM, run.comm);
    return committed;
}

static void test_packing(void)
{
    static const tw_synch schedulers[] = {CONSERVATIVE, OPTIMISTIC, OPTIMISTIC_REALTIME};
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sched_getaffinity(0, sizeof mask, &mask);
    n_allowed = CPU_COUNT(&mask);
    uint64_t wanted = simulate(SEQUENTIAL, false, "--share-cores=on");
    for (size_t i = 0; i < sizeof schedulers / sizeof *schedulers; i++) {
        CU_ASSERT_EQUAL(simulate(schedulers[i], true, "--share-cores=on"), wanted);
        CU_ASSERT(rank != 0 || changes > 0);
        CU_ASSERT(packed > 0 || schedulers[i] == OPTIMISTIC_REALTIME);
        CU_ASSERT(shared_ns > 0 ? packed > 0 : packed < 2);
        CU_ASSERT(runs_apart());
    }
    CU_ASSERT(pinned > 0);
}

/* A rank that cannot change its processors ends the packing of all. */
static void test_refusal(void)
{
    uint64_t wanted = simulate(SEQUENTIAL, false, "--share-cores=on");
    refused_at = 20;
    CU_ASSERT_EQUAL(simulate(OPTIMISTIC, true, "--share-cores=on"), wanted);
    CU_ASSERT_EQUAL(simulate(CONSERVATIVE, true, "--share-cores=on"), wanted);
    CU_ASSERT(runs_apart());
    refused_at = 0;
}

/* With --share-cores=off ranks never pack. */
static void test_off(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    top = 99;
    simulate(OPTIMISTIC, true, "--share-cores=off");
    CU_ASSERT(packed == 0 && (rank != 0 || top == 0));
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"ranks pack and unpack at random", test_packing},
                                        {"a rank that cannot", test_refusal},
                                        {"ranks that may not", test_off}};
    MPI_Init(&argc, &argv);
    seed = suite_seed();
    random_state = seed;
    suite_print_seed("packing", seed);
    int status = suite_run("packing", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
