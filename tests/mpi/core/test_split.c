/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_split.c - simultaneous simulations, each on a part of the ranks: with different LPs,
 * options, schedulers and recordings; or the other ranks do other work. MPI belongs to the test,
 * and no simulation may use MPI_COMM_WORLD.
 *
 * test: libs=warpscope ranks=2,3,4 alone=yes
 */
#include <sys/stat.h>
#include <unistd.h>

#include "support/mpi_watch.h"
#include "support/part_run.h"
#include "support/suite.h"

static MPI_Comm part; /* the ranks of the same parity, in reversed order */
static int parity, world_rank;
static uint64_t final_sum;

static void init(void *state, tw_lp *lp)
{
    (void)state;
    tw_event_send(tw_event_new(lp->gid, 0.5 + tw_rand_exponential(lp->rng, 1.0), lp));
}

static void event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    uint64_t *sum = state;
    (void)bf;
    *(uint64_t *)msg = *sum;
    *sum = (*sum ^ (uint64_t)(tw_now(lp) * 1e6)) * 0x9e3779b97f4a7c15u;
    tw_lpid dest = tw_rand_ulong(lp->rng, 0, g_tw_total_lps - 1);
    tw_event_send(tw_event_new(dest, 0.5 + tw_rand_exponential(lp->rng, 1.0), lp));
}

static void reverse(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    *(uint64_t *)state = *(uint64_t *)msg;
    tw_rand_reverse_unif(lp->rng);
    tw_rand_reverse_unif(lp->rng);
}

static void final(void *state, tw_lp *lp)
{
    final_sum += *(uint64_t *)state * (2 * lp->gid + 1);
}

static tw_lptype type = {init, NULL, event, reverse, NULL, final, NULL, sizeof(uint64_t)};

/* Returns the sum over the ranks of comm. */
static uint64_t simulate(MPI_Comm comm, tw_synch synch, tw_lpid lps, double end, const char *path)
{
    struct part_run run = {.comm = comm,
                           .synch = synch,
                           .total_lps = lps,
                           .msg_bytes = sizeof(uint64_t),
                           .type = &type,
                           .end = end,
                           .lookahead = 0.5,
                           .options = {"--gvt-interval=4"}};
    if (path != NULL) {
        static char option[64];
        snprintf(option, sizeof option, "--stats-path=%s", path);
        run.options[1] = "--event-trace=3";
        run.options[2] = "--enable-gvt-stats";
        run.options[3] = option;
    }
    final_sum = 0;
    mpi_watching = true;
    part_simulate(&run);
    mpi_watching = false;
    uint64_t sum = final_sum;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, comm);
    return sum;
}

/* Both halves at once, each against a reference of its own. */
static void test_halves(void)
{
    tw_lpid lps = parity == 0 ? 10 : 17;
    double end = parity == 0 ? 40.0 : 90.0;
    uint64_t wanted = simulate(MPI_COMM_SELF, SEQUENTIAL, lps, end, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int turn = 0; turn < 3; turn++) {
        tw_synch synch = (parity + turn) % 2 == 0 ? OPTIMISTIC : CONSERVATIVE;
        CU_ASSERT_EQUAL(simulate(part, synch, lps, end, NULL), wanted);
    }
    CU_ASSERT_EQUAL(mpi_world_used, 0);
}

/* Each half records into a directory of its own. */
static void test_recordings(void)
{
    char path[64], file[128];
    struct stat about;
    int me;
    MPI_Comm_rank(part, &me);
    snprintf(path, sizeof path, "split-%d-%d-%d", world_rank, (int)getpid(), parity);
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, part);
    uint64_t wanted = simulate(MPI_COMM_SELF, SEQUENTIAL, 12, 50.0, NULL);
    CU_ASSERT_EQUAL(simulate(part, OPTIMISTIC, 12, 50.0, path), wanted);
    CU_ASSERT_EQUAL(mpi_world_used, 0);
    MPI_Barrier(part);
    static const char *const names[] = {"evtrace.bin", "gvt.bin", "README.txt"};
    for (int i = 0; i < 3 && me == 0; i++) {
        snprintf(file, sizeof file, "%s/warpscope-%s", path, names[i]);
        CU_ASSERT(stat(file, &about) == 0 && about.st_size > 0);
        unlink(file);
    }
    CU_ASSERT(me != 0 || rmdir(path) == 0);
}

/* Meanwhile the other ranks communicate over their part of MPI_COMM_WORLD, with tags that the
 * engine uses. */
static void test_others_work(void)
{
    uint64_t wanted = simulate(MPI_COMM_SELF, SEQUENTIAL, 9, 60.0, NULL);
    if (parity == 0) {
        CU_ASSERT_EQUAL(simulate(part, OPTIMISTIC_REALTIME, 9, 60.0, NULL), wanted);
    } else {
        int value = world_rank, all = 0;
        for (int i = 0; i < 100; i++) {
            MPI_Sendrecv(&value, 1, MPI_INT, world_rank, i % 4, &all, 1, MPI_INT, world_rank, i % 4,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CU_ASSERT_EQUAL(all, value);
        }
    }
    CU_ASSERT_EQUAL(mpi_world_used, 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"two simulations at once", test_halves},
        {"two recordings at once", test_recordings},
        {"the other ranks do something else", test_others_work},
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    parity = world_rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, parity, -world_rank, &part);
    int status = suite_run("split", tests, sizeof tests / sizeof *tests);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return status;
}
