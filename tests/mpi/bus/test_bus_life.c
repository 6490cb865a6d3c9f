/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_bus_life.c - consecutive runs in one process with subscriber libraries. Each run starts with
 * no state of the previous one, and its libraries, files and memory are released at its end.
 *
 * test: libs=warpscope ranks=1,2
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bus/state.h"
#include "support/suite.h"

static st_stream_id stream;
static st_type tick;
static uint64_t received;
static uint64_t executed;

static void init(void *state, tw_lp *lp)
{
    (void)state;
    tw_event_send(tw_event_new(lp->gid, 1.0, lp));
}

static void event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state, (void)bf, (void)msg;
    ST_SCOPE(stream, ST_REGION, ST_POINT());
    ST_NOTIFY(stream, tick, ST_POINT(), &lp->gid, sizeof lp->gid);
    tw_event_send(tw_event_new((lp->gid + 1) % g_tw_total_lps, 1.0, lp));
}

static void commit(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state, (void)bf, (void)msg, (void)lp;
    executed++;
}

static tw_lptype type = {.init = init, .event = event, .commit = commit, .state_sz = 8};

static void receive(const st_record *record, void *arg)
{
    CU_ASSERT_PTR_EQUAL(arg, &received);
    CU_ASSERT_EQUAL(record->lp, *(const tw_lpid *)record->data);
    received++;
}

/* Returns the lines of this rank's log and removes it. Returns -1 if there is none. */
static long take_log(const char *directory)
{
    char path[256];
    snprintf(path, sizeof path, "%s/collector-%u.txt", directory, (unsigned)g_tw_mynode);
    FILE *file = fopen(path, "r");
    long lines = file == NULL ? -1 : 0;
    for (int c = file == NULL ? EOF : getc(file); c != EOF; c = getc(file)) {
        lines += c == '\n';
    }
    if (file != NULL) {
        fclose(file);
    }
    unlink(path);
    return lines;
}

static void simulate(const char *subscribers, const char *directory)
{
    char name[] = "life", quiet[] = "--quiet", end[] = "--end=20", synch[] = "--synch=3";
    char libraries[4096], path[300];
    snprintf(libraries, sizeof libraries, "--subscribers=%s",
             subscribers == NULL ? "" : subscribers);
    snprintf(path, sizeof path, "--stats-path=%s", directory);
    char *args[] = {name, quiet, end, synch, path, libraries, NULL};
    char **argv = args;
    int argc = subscribers == NULL ? 5 : 6;
    received = executed = 0;
    tw_init(&argc, &argv);
    CU_ASSERT_EQUAL(st_stream_open("life", 1, 0, &stream), ST_OK);
    CU_ASSERT_EQUAL(st_type_register("life", 0, &tick), ST_OK);
    CU_ASSERT_EQUAL(st_subscribe(stream, tick, ST_COMMITTED, receive, &received), ST_OK);
    tw_define_lps(3, 8);
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &type);
    }
    tw_run();
    CU_ASSERT_TRUE(bus_check());
    tw_end();
    CU_ASSERT_TRUE(bus_check());
    CU_ASSERT_FALSE(st_trace_enabled());
    CU_ASSERT_EQUAL(st_stream_find("life"), 0);
    CU_ASSERT_EQUAL(received, executed);
    CU_ASSERT(executed > 0);
}

static void test_runs(void)
{
    const char *build = getenv("WS_BUILD");
    char libraries[4096];
    snprintf(libraries, sizeof libraries, "%s/lib/warpscope/st_collector.so", build);
    int rank = 0, n = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    char directory[64];
    snprintf(directory, sizeof directory, "bus-life-%d-%ld", n, (long)getpid());
    MPI_Bcast(directory, sizeof directory, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int run = 0; run < 3; run++) {
        simulate(libraries, directory);
        CU_ASSERT_EQUAL(take_log(directory), (long)executed * 3);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            CU_ASSERT_EQUAL(rmdir(directory),
                            0); /* otherwise the next run would choose another directory */
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    simulate(NULL, directory); /* no library of the earlier runs is loaded */
    struct stat status;
    CU_ASSERT_NOT_EQUAL(stat(directory, &status), 0);
    CU_ASSERT_EQUAL(take_log(directory), -1);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"runs with subscriber libraries in one process", test_runs},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("bus life", tests, 1);
    MPI_Finalize();
    return status;
}
