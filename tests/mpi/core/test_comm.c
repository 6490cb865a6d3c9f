/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_comm.c - agreement, votes, and notices of a fatal error, on a communicator of our own.
 */
#include <math.h>
#include <mpi.h>
#include <sched.h>

#include "comm/comm.h"
#include "comm/nap.h"
#include "comm/transport.h"
#include "support/mpi_seed.h"

/* Limits for waiting, and for an answer: the machine may be slow or busy. */
#define LONG_S 120.0
#define SOON_S 100.0

static uint64_t seed;
static struct comm comm;

static void test_init(void)
{
    int size, rank, result;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CU_ASSERT_EQUAL(comm.n_ranks, size);
    CU_ASSERT_EQUAL(comm.rank, rank);
    CU_ASSERT(comm.owns_mpi);
    CU_ASSERT(comm.ranks_on_node >= 1 && comm.ranks_on_node <= size);
    MPI_Comm_compare(comm.comm, MPI_COMM_WORLD, &result);
    CU_ASSERT_EQUAL(result, MPI_CONGRUENT); /* the same ranks, other messages */
}

/* A communicator of some ranks in another order. The other ranks take no part. MPI stays
 * initialised. */
static void test_parent(void)
{
    MPI_Comm parent;
    int all = comm.n_ranks;
    int outsider = all > 1 ? all - 1 : -1;
    MPI_Comm_split(comm.comm, comm.rank == outsider ? MPI_UNDEFINED : 0, -comm.rank, &parent);
    if (parent != MPI_COMM_NULL) {
        struct comm part;
        int members = outsider < 0 ? all : all - 1;
        comm_init(&part, parent, NULL, NULL);
        CU_ASSERT_EQUAL(part.n_ranks, members);
        CU_ASSERT_EQUAL(part.rank, members - 1 - comm.rank);
        CU_ASSERT(!part.owns_mpi);
        CU_ASSERT_EQUAL(comm_agree(&part, TW_OK), TW_OK);
        comm_fini(&part);
        MPI_Comm_free(&parent);
    }
    int finalised = 1;
    MPI_Finalized(&finalised);
    CU_ASSERT(!finalised);
    MPI_Barrier(comm.comm);
}

static void test_agree(void)
{
    for (int failing = 0; failing < comm.n_ranks; failing++) {
        enum tw_status mine = comm.rank == failing ? TW_ERR_USAGE : TW_OK;
        CU_ASSERT_EQUAL(comm_agree(&comm, mine), TW_ERR_USAGE);
        mine = comm.rank == failing ? TW_ERR_DATA : TW_ERR_IO;
        CU_ASSERT_EQUAL(comm_agree(&comm, mine), TW_ERR_DATA);
    }
    CU_ASSERT_EQUAL(comm_agree(&comm, TW_OK), TW_OK);
}

/* Returns the vote of a rank in a round, equal on every rank. */
static struct comm_vote vote_of(int rank, int round)
{
    uint64_t random = seed ^ (uint64_t)(rank * 1000003 + round);
    struct comm_vote v = {
        .in_transit = (int64_t)random_below(&random, 2000) - 1000,
        .processed = random_bits(&random) >> 8,
        .net = random_bits(&random) >> 8,
        .past_end = random_bits(&random) >> 8,
        .least = {.ts = random_below(&random, 3) == 0 ? (double)INFINITY
                                                      : 0.25 * (double)random_below(&random, 4),
                  .prio = 0.5 * (double)random_below(&random, 3),
                  .tie = random_unit(&random)},
        .room = random_below(&random, 1000000),
        .overdrawn_bytes = random_below(&random, 1000000),
        .signal = random_below(&random, 16),
        .hook_requests = random_below(&random, 1000),
        .lost_ns = random_below(&random, 1000000),
        .ranks_per_core = random_below(&random, 8),
    };
    return v;
}

static struct comm_vote expected_vote(int round)
{
    struct comm_vote all = {.least = vote_of(0, round).least, .room = UINT64_MAX};
    for (int rank = 0; rank < comm.n_ranks; rank++) {
        struct comm_vote v = vote_of(rank, round);
        all.in_transit += v.in_transit;
        all.processed += v.processed;
        all.net += v.net;
        all.past_end += v.past_end;
        all.least = event_key_before(&v.least, &all.least) ? v.least : all.least;
        all.room = v.room < all.room ? v.room : all.room;
        all.overdrawn_bytes =
            v.overdrawn_bytes > all.overdrawn_bytes ? v.overdrawn_bytes : all.overdrawn_bytes;
        all.signal = v.signal > all.signal ? v.signal : all.signal;
        all.hook_requests += v.hook_requests;
        all.lost_ns += v.lost_ns;
        all.ranks_per_core =
            v.ranks_per_core > all.ranks_per_core ? v.ranks_per_core : all.ranks_per_core;
    }
    return all;
}

static bool votes_equal(const struct comm_vote *a, const struct comm_vote *b)
{
    return a->in_transit == b->in_transit && a->processed == b->processed && a->net == b->net &&
           a->past_end == b->past_end && !event_key_before(&a->least, &b->least) &&
           !event_key_before(&b->least, &a->least) && a->room == b->room &&
           a->overdrawn_bytes == b->overdrawn_bytes && a->signal == b->signal &&
           a->hook_requests == b->hook_requests && a->lost_ns == b->lost_ns &&
           a->ranks_per_core == b->ranks_per_core;
}

/* Ranks that wait leave the processors to those that have not voted yet. */
static void finish(struct comm_reduction *r)
{
    while (!comm_reduction_test(r)) {
        sched_yield();
    }
}

static void check_reductions(struct comm_board **boards)
{
    struct comm_reduction r;
    unsigned bad = 0;
    comm_reduction_init(&r);
    comm_reduction_share(&r, boards, false);
    for (int round = 0; round < 2000; round++) {
        struct comm_vote mine = vote_of(comm.rank, round);
        struct comm_vote wanted = expected_vote(round);
        uint64_t random = seed + (uint64_t)round / 3; /* equal on all ranks */
        bool wakes = boards != NULL && random_below(&random, 2) != 0;
        if (boards != NULL) {
            comm_reduction_wake(&r, wakes);
        }
        comm_reduction_start(&r, &comm, &mine);
        mine.in_transit = 12345; /* the vote was copied */
        for (unsigned naps = 0; wakes && !comm_reduction_test(&r); naps++) {
            nap_take_until_ended(&r, naps);
        }
        finish(&r);
        bad += !votes_equal(&r.all, &wanted);
        bad += !comm_reduction_test(&r); /* the result stays */
    }
    comm_reduction_fini(&r);
    CU_ASSERT_EQUAL(bad, 0);
}

/* Two ranks that share one processor, here in one process. The first sees no vote before the other
 * has voted, and the last to vote wakes the other only when it waits itself. */
static void test_turns(void)
{
    static struct comm_board places[2];
    struct comm_board *boards[2] = {&places[0], &places[1]};
    struct comm_reduction r[2];
    for (int i = 0; i < 2; i++) {
        comm_reduction_init(&r[i]);
        comm_reduction_share(&r[i], boards, true);
    }
    for (int round = 0; round < 100; round++) {
        const int last = round % 3 % 2;
        for (int i = 0; i < 2; i++) {
            const int rank = i == 0 ? 1 - last : last;
            const struct comm c = {.rank = rank, .n_ranks = 2, .cores = 1, .takes_turns = true};
            const struct comm_vote mine = vote_of(rank, round);
            CU_ASSERT_EQUAL(comm_reduction_is_begun(&r[rank]), i == 1);
            places[1 - rank].asleep = 1;
            places[0].n_asleep = 1;
            comm_reduction_start(&r[rank], &c, &mine);
            CU_ASSERT_EQUAL(places[1 - rank].asleep, 1);
            CU_ASSERT_EQUAL(comm_reduction_pass(&r[rank]), i == 1);
            CU_ASSERT_EQUAL(places[1 - rank].asleep, i == 0);
            CU_ASSERT(!comm_reduction_pass(&r[rank]));
            places[1 - rank].asleep = 0;
        }
        CU_ASSERT(comm_reduction_test(&r[0]) && comm_reduction_test(&r[1]));
    }
    comm_reduction_fini(&r[0]);
    comm_reduction_fini(&r[1]);
}

/* There is no result before the last rank has voted. No rank waits meanwhile. */
static void check_reductions_wait(struct comm_board **boards)
{
    struct comm_reduction r;
    comm_reduction_init(&r);
    comm_reduction_share(&r, boards, false);
    for (int last = 0; last < comm.n_ranks; last++) {
        struct comm_vote mine = vote_of(comm.rank, last);
        if (comm.rank != last) {
            comm_reduction_start(&r, &comm, &mine);
            for (int i = 0; i < 1000; i++) {
                CU_ASSERT(!comm_reduction_test(&r));
            }
        }
        MPI_Barrier(comm.comm); /* this rank has checked */
        if (comm.rank == last) {
            comm_reduction_start(&r, &comm, &mine);
        }
        finish(&r);
        struct comm_vote wanted = expected_vote(last);
        CU_ASSERT(votes_equal(&r.all, &wanted));
    }
    comm_reduction_fini(&r);
}

static void test_reduction(void)
{
    check_reductions(NULL);
}

static void test_reduction_waits_for_all(void)
{
    check_reductions_wait(NULL);
}

/* Reductions through shared memory, where the ranks have it. */
static void test_boards(void)
{
    const char *trouble;
    struct transport *t = transport_create(&comm, TRANSPORT_AUTO, 64, &trouble);
    struct comm_board **boards = calloc((size_t)comm.n_ranks, sizeof *boards);
    if (transport_boards(t, boards)) {
        check_reductions(boards);
        MPI_Barrier(comm.comm);
        memset((void *)boards[comm.rank], 0, sizeof *boards[comm.rank]); /* as at first */
        MPI_Barrier(comm.comm);
        check_reductions_wait(boards);
    }
    MPI_Barrier(comm.comm);
    free(boards);
    transport_destroy(t);
}

/* Returns the count that a rank has for another in a round; most have none. */
static uint64_t count_for(int from, int to, int round)
{
    uint64_t random = seed ^ (uint64_t)((from * 61 + to) * 1009 + round);
    return from != to && random_below(&random, 3) == 0 ? random_below(&random, 1000) : 0;
}

static void check_sums(int dense_most)
{
    uint64_t *counts = calloc((size_t)comm.n_ranks, sizeof *counts);
    int *ranks = calloc((size_t)comm.n_ranks, sizeof *ranks);
    for (int round = 0; round < 20; round++) {
        size_t n = 0;
        uint64_t wanted = 0;
        for (int rank = comm.n_ranks - 1; rank >= 0; rank--) {
            counts[rank] = count_for(comm.rank, rank, round);
            wanted += count_for(rank, comm.rank, round);
            if (counts[rank] != 0 || (rank + round) % 2 == 0) { /* a listed count may be 0 */
                ranks[n++] = rank;
            }
        }
        CU_ASSERT_EQUAL(comm_sum_for_me(&comm, counts, ranks, n, dense_most), wanted);
    }
    free(counts);
    free(ranks);
}

static void test_sums(void)
{
    check_sums(COMM_DENSE_RANKS);
    check_sums(0);
}

/* One rank fails. The others get the notice, flush and acknowledge; the failing rank does not wait
 * longer. */
static void test_abort(void)
{
    for (int failing = 0; failing < comm.n_ranks; failing++) {
        MPI_Barrier(comm.comm);
        for (int i = 0; i < 1000; i++) {
            CU_ASSERT(!comm_abort_poll(&comm)); /* no rank has failed yet */
        }
        MPI_Barrier(comm.comm);
        if (comm.rank == failing) {
            double start = MPI_Wtime();
            comm_abort_notify(&comm);
            comm_abort_wait(&comm, LONG_S, NULL);
            CU_ASSERT(MPI_Wtime() - start < SOON_S);
        } else {
            while (!comm_abort_poll(&comm)) {
                sched_yield();
            }
            comm_abort_acknowledge(&comm);
        }
    }
    MPI_Barrier(comm.comm);
    int left = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm.comm, &left, MPI_STATUS_IGNORE);
    CU_ASSERT(!left);
}

/* A rank that never answers is awaited for the given time. */
static void test_abort_patience(void)
{
    MPI_Barrier(comm.comm);
    if (comm.rank == 0) { /* a single rank waits for none */
        const double seconds = comm.n_ranks == 1 ? LONG_S : 0.2;
        double start = MPI_Wtime();
        bool heard[8];
        comm_abort_wait(&comm, seconds, heard);
        double waited = MPI_Wtime() - start;
        CU_ASSERT(comm.n_ranks == 1 ? waited < SOON_S : waited >= 0.2);
        CU_ASSERT(waited < SOON_S);
        CU_ASSERT(heard[0]);
        for (int rank = 1; rank < comm.n_ranks; rank++) {
            CU_ASSERT(!heard[rank]);
        }
    }
    MPI_Barrier(comm.comm);
}

/* All ranks fail at once: each takes the others' notices for their acknowledgements. */
static void test_all_abort(void)
{
    MPI_Barrier(comm.comm);
    double start = MPI_Wtime();
    bool heard[8] = {false};
    comm_abort_notify(&comm);
    comm_abort_wait(&comm, LONG_S, heard);
    CU_ASSERT(MPI_Wtime() - start < SOON_S);
    for (int rank = 0; rank < comm.n_ranks; rank++) {
        CU_ASSERT(heard[rank]);
    }
    MPI_Barrier(comm.comm);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"all ranks", test_init},
        {"some ranks, MPI of the caller", test_parent},
        {"the worst status", test_agree},
        {"votes", test_reduction},
        {"a vote waits for the last", test_reduction_waits_for_all},
        {"votes on boards", test_boards},
        {"ranks that take turns", test_turns},
        {"counts for other ranks", test_sums},
        {"one rank fails", test_abort},
        {"no rank answers", test_abort_patience},
        {"all ranks fail", test_all_abort},
    };
    comm_init(&comm, MPI_COMM_NULL, &argc, &argv);
    seed = mpi_suite_seed("comm", comm.comm);
    int status = suite_run("comm", tests, sizeof tests / sizeof *tests);
    comm_fini(&comm);
    int finalised = 0;
    MPI_Finalized(&finalised);
    return finalised ? status : EXIT_FAILURE;
}
