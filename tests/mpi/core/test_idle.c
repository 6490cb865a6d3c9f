/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_idle.c - idle ranks leave the processors to busy ones, under every scheduler and transport,
 * on a node with fewer processors than ranks.
 *
 * test: ranks=2,4
 *
 * The test measures processor time, so the load of the machine does not matter.
 */
#include <mpi.h>
#include <time.h>

#include "engine/pe/pe.h"
#include "support/suite.h"

#define WORK_EVENTS 3.0
/* Of each event on the first rank. Set-up and end of a run take up to 0.1 s of a rank under MPICH, which
 * waits busily in its collective calls, and 0.04 s under Open MPI; the work must be long beside that. */
#ifdef OPEN_MPI
#define WORK_CLOCKS (CLOCKS_PER_SEC * 15 / 100)
#else
#define WORK_CLOCKS (CLOCKS_PER_SEC * 3 / 10)
#endif
#define IDLE_SHARE 0.15 /* limit, relative to the first rank */
#define OFFSET     1.0

static uint64_t received;

static void init(void *state, tw_lp *lp)
{
    (void)state;
    if (lp->gid == 0) {
        tw_event_send(tw_event_new(0, OFFSET, lp));
    }
}

/* LP 0 works and sends to itself and to all others, which only receive. */
static void event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    clock_t end = clock() + WORK_CLOCKS;
    received++;
    while (lp->gid == 0 && clock() < end) {
    }
    for (tw_lpid to = 0; lp->gid == 0 && to < g_tw_total_lps; to++) {
        tw_event_send(tw_event_new(to, OFFSET, lp));
    }
}

static tw_lptype type = {.init = init, .event = event, .state_sz = 8};

/* Returns the processor seconds of the run on this rank. */
static double run_takes(char *scheduler, char *transport)
{
    char name[] = "idle", quiet[] = "--quiet", end[] = "--end=4.5";
    char *args[] = {name, quiet, end, scheduler, transport, NULL};
    char **argv = args;
    int argc = 5;
    received = 0;
    g_tw_lookahead = OFFSET;
    tw_init(&argc, &argv);
    pe_self()->comm.crowded = true;
    tw_define_lps(1, 8);
    tw_lp_settype(0, &type);
    clock_t start = clock();
    tw_run();
    clock_t took = clock() - start;
    tw_end();
    return (double)took / CLOCKS_PER_SEC;
}

static void test_idle(void)
{
    static const char *const schedulers[] = {"--synch=2", "--synch=3", "--synch=5"};
    static const char *const transports[] = {"--transport=shm", "--transport=mpi"};
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < 6; i++) {
        char scheduler[16];
        char transport[32];
        snprintf(scheduler, sizeof scheduler, "%s", schedulers[i / 2]);
        snprintf(transport, sizeof transport, "%s", transports[i % 2]);
        double mine = run_takes(scheduler, transport);
        double first = mine;
        MPI_Bcast(&first, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        CU_ASSERT(received >= (uint64_t)WORK_EVENTS);
        CU_ASSERT(rank == 0 || mine < IDLE_SHARE * first);
        if (rank != 0) {
            printf("%s %s: rank %d took %.3f s of the processor, the first one %.3f s\n", scheduler,
                   transport, rank, mine, first);
        }
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"idle ranks leave the processors", test_idle}};
    MPI_Init(&argc, &argv);
    int status = suite_run("idle", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
