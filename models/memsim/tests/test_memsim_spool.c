/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Committed accesses on several ranks, in any order, some twice, some not at all. The traces have
 * those of all ranks in order. If rank 0 has no space there are no traces, and all ranks report the
 * reason.
 *
 * test: libs=memsim_model,warpscope ranks=1,3
 */
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "script.h"
#include "spool.h"
#include "support/mpi_seed.h"

enum { STREAMS = 2, LAUNCHES = 6, ACCESSES = 60000 };

static uint64_t seed;
static int rank, ranks;
static struct ms_script script;
static struct ms_item items[ACCESSES]; /* by number, the same on all ranks */
static unsigned stream_of[ACCESSES], launch_of[ACCESSES];
static bool is_done[ACCESSES];

static char prefix[64]; /* other runs of this test use the same directory */

static void test_script(void)
{
    struct model_error error;
    unsigned n = 0;
    CU_ASSERT_TRUE(ms_script_init(&script, STREAMS, 1, "", &error));
    for (unsigned stream = 0; stream < STREAMS; stream++) {
        for (unsigned launch = 0; launch < LAUNCHES; launch++) {
            ms_script_launch(&script, stream, launch % 2 == 0 ? "even" : "odd");
            for (unsigned i = 0; i < ACCESSES / (STREAMS * LAUNCHES); i++, n++) {
                struct memtrace_access a = {random_bits(&seed), random_below(&seed, 100), 0,
                                            1 + (uint32_t)random_below(&seed, 9),
                                            (uint32_t)random_below(&seed, 3)};
                CU_ASSERT_TRUE(ms_script_add(&script, stream, &a, true, &error));
                items[n] = (struct ms_item){n, a.address, a.cta, a.sm, a.size, a.type, 0};
                stream_of[n] = stream;
                launch_of[n] = launch;
            }
        }
    }
    CU_ASSERT_TRUE(ms_script_seal(&script, &error));
}

/* In an order that all ranks know. Each access is done on one rank. */
static void items_commit(void)
{
    static unsigned order[ACCESSES];
    for (unsigned i = 0; i < ACCESSES; i++) {
        unsigned other = (unsigned)random_below(&seed, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    for (unsigned i = 0; i < ACCESSES; i++) {
        unsigned n = order[i];
        unsigned times =
            (unsigned)random_below(&seed, 10); /* 0: not committed; 1: committed twice */
        is_done[n] = times > 0;
        bool is_mine = random_below(&seed, (uint64_t)ranks) == (uint64_t)rank;
        for (unsigned k = 0; is_mine && k < (times == 1 ? 2 : times > 0); k++) {
            unsigned stream = stream_of[n];
            ms_script_done(&script, stream, 0, n - stream * (ACCESSES / STREAMS));
        }
    }
}

static void path_fill(char path[80], unsigned stream)
{
    snprintf(path, 80, "%s-%u", prefix, stream + 1);
}

static void trace_check(unsigned stream, unsigned begun)
{
    char path[80], error[256];
    struct memtrace_access a;
    enum memtrace_item item;
    unsigned n = 0, bad = 0, launches = 0;
    path_fill(path, stream);
    struct memtrace_reader *r = memtrace_reader_open(path, error, sizeof error);
    CU_ASSERT_PTR_NOT_NULL(r);
    while (r != NULL && (item = memtrace_reader_next(r, &a)) < MEMTRACE_ITEM_END) {
        if (item == MEMTRACE_ITEM_LAUNCH) {
            bad += strcmp(memtrace_reader_kernel(r), launches++ % 2 == 0 ? "even" : "odd") != 0;
            continue;
        }
        while (n < ACCESSES && (stream_of[n] != stream || !is_done[n])) {
            n++;
        }
        bad += n == ACCESSES || launch_of[n] != launches - 1 || items[n].address != a.address ||
               items[n].cta != a.cta || items[n].size != a.size || items[n].type != a.type;
        n++;
    }
    while (n < ACCESSES && (stream_of[n] != stream || !is_done[n] || launch_of[n] >= begun)) {
        n++;
    }
    CU_ASSERT_EQUAL(n, ACCESSES); /* no access is missing */
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT_EQUAL(launches, begun);
    if (r != NULL) {
        CU_ASSERT_EQUAL(item, MEMTRACE_ITEM_END);
    }
    memtrace_reader_close(r);
}

static bool spool_run(struct model_error *error, const char *scratch)
{
    const uint64_t begun[STREAMS] = {LAUNCHES, 2};
    CU_ASSERT_TRUE(ms_spool_check(prefix, STREAMS, MPI_COMM_WORLD, error));
    return ms_spool_write(&script, begun, prefix, scratch, MPI_COMM_WORLD, error);
}

static void test_traces(void)
{
    struct model_error error;
    items_commit();
    CU_ASSERT_TRUE(spool_run(&error, ""));
    if (rank == 0) {
        trace_check(0, LAUNCHES);
        trace_check(1, 2);
        for (unsigned stream = 0; stream < STREAMS; stream++) {
            char path[80];
            path_fill(path, stream);
            remove(path);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 0 has space for a quarter of the accesses. */
static void test_no_room(void)
{
    struct model_error error = {""};
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY}, little = {700000, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, rank == 0 ? &little : &all), 0);
    CU_ASSERT_FALSE(spool_run(&error, ""));
    setrlimit(RLIMIT_FSIZE, &all);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "temporary file for --trace-out: File too large"));
    MPI_Barrier(MPI_COMM_WORLD);
    for (unsigned stream = 0; stream < STREAMS; stream++) {
        char path[80];
        path_fill(path, stream);
        CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    }
}

/* An obstacle at a trace's name is found before the run, and on all ranks. */
static void test_no_target(void)
{
    struct model_error error = {""};
    CU_ASSERT_FALSE(ms_spool_check("no/such", STREAMS, MPI_COMM_WORLD, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no/such-1: no file can be made"));
    CU_ASSERT_FALSE(spool_run(&error, "no/such"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "choose a directory with --scratch"));
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"a script", test_script}, /* the seed of the tests below */
        {"traces of several ranks", test_traces},
        {"no room on rank 0", test_no_room},
        {"no target", test_no_target},
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    seed = mpi_suite_seed("memsim spool", MPI_COMM_WORLD);
    snprintf(prefix, sizeof prefix, "spooled-%016" PRIx64 "-%d", seed, ranks);
    int status = suite_run("memsim spool", tests, sizeof tests / sizeof *tests);
    ms_script_fini(&script);
    MPI_Finalize();
    return status;
}
