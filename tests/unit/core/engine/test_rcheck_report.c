/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_rcheck_report.c - the exact messages of --synch=6 and --synch=4 about a mistake: the bytes
 * that differ, their LP and event, and the line at the end.
 */
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "engine/process/run.h"
#include "engine/rcheck.h"
#include "support/suite.h"

enum { BYTES = 200, LPS = 4, SAID_MAX = 4000 };

static struct pe pe;
static unsigned char should[BYTES], is[BYTES];
static tw_lptype types[3] = {{.state_sz = 4}, {.state_sz = 24}, {.state_sz = 40}};
/* LPs with their streams, as the engine lays them out. */
static struct block {
    tw_lp lp;
    tw_rng_stream streams[4];
} blocks[LPS];
static tw_lp *lp_list[LPS] = {&blocks[0].lp, &blocks[1].lp, &blocks[2].lp, &blocks[3].lp};

static void begin(void)
{
    char program[] = "prog";
    free(g_run.program);
    g_run.program = strdup(program);
    g_run.failing = true; /* no run is in progress */
    pe = (struct pe){.n_streams = 3};
    g_tw_pe = &pe.head;
    g_tw_lp = lp_list;
    g_tw_nlp = LPS;
    g_tw_msg_sz = 20;
    g_tw_nRNG_core_per_lp = 1;
    for (unsigned i = 0; i < LPS; i++) {
        blocks[i].lp = (tw_lp){
            .gid = 10 + i, .type = &types[i % 3], .cur_state = is, .rng = blocks[i].streams + 1};
    }
    for (unsigned i = 0; i < BYTES; i++) {
        should[i] = is[i] = (unsigned char)i;
    }
}

/* Runs act in its own process. Returns its stderr output. *status: its exit status. */
static const char *said_by(void (*act)(void), int *status)
{
    static char said[SAID_MAX];
    FILE *err = tmpfile();
    CU_ASSERT_PTR_NOT_NULL_FATAL(err);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(fileno(err), STDERR_FILENO);
        act();
        fflush(stderr);
        _exit(0);
    }
    CU_ASSERT_EQUAL(waitpid(child, status, 0), child);
    rewind(err);
    said[fread(said, 1, sizeof said - 1, err)] = '\0';
    fclose(err);
    return said;
}

static void judge(const char *said, const char *wanted, size_t length)
{
    bool same = strncmp(said, wanted, length) == 0;
    CU_ASSERT(same);
    if (!same) {
        printf("\n---- wanted:\n%s---- said:\n%s----\n", wanted, said);
    }
}

static void expect(void (*act)(void), const char *wanted)
{
    int status = -1;
    const char *said = said_by(act, &status);
    CU_ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    judge(said, wanted, strlen(wanted) + 1);
}

/* Ends the run; the place in the source at the end of the line is not compared. */
static void expect_end(void (*act)(void), const char *wanted)
{
    int status = -1;
    const char *said = said_by(act, &status);
    CU_ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == TW_EXIT_MODEL);
    judge(said, wanted, strlen(wanted));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, " (rcheck_report.c:"));
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static size_t n_bytes;

static void say_bytes(void)
{
    const struct rcheck_bytes bytes = {"was", "is now", should, is, n_bytes};
    rcheck_say_bytes("state", &bytes);
}

static void test_bytes(void)
{
    begin();
    n_bytes = 20;
    is[19] = 0xff;
    expect(say_bytes, "  state, 20 bytes: 1 differs, at offset 19\n"
                      "    was      00000010  10 11 12 13\n"
                      "    is now   00000010  10 11 12 ff\n");
    is[0] = is[3] = is[4] = 0xfe;
    expect(say_bytes, "  state, 20 bytes: 4 differ, at offset 0, 3-4, 19\n"
                      "    was      00000000  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f\n"
                      "    is now   00000000  fe 01 02 fe fe 05 06 07 08 09 0a 0b 0c 0d 0e 0f\n"
                      "    was      00000010  10 11 12 13\n"
                      "    is now   00000010  10 11 12 ff\n");
    is[18] = 0xff; /* up to the last byte */
    n_bytes = 20;
    is[0] = 0;
    is[3] = 3;
    is[4] = 4;
    expect(say_bytes, "  state, 20 bytes: 2 differ, at offset 18-19\n"
                      "    was      00000010  10 11 12 13\n"
                      "    is now   00000010  10 11 ff ff\n");
}

/* Six ranges take four rows; a line says that there are more. */
static void test_many_bytes(void)
{
    static const char rows[] =
        "    was      00000000  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f\n"
        "    is now   00000000  01 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f\n"
        "    was      00000010  10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f\n"
        "    is now   00000010  10 11 12 13 15 15 16 17 18 19 1a 1b 1c 1d 1e 1f\n"
        "    was      00000020  20 21 22 23 24 25 26 27 28 29 2a 2b 2c 2d 2e 2f\n"
        "    is now   00000020  20 21 22 23 24 25 26 27 29 29 2a 2b 2c 2d 2e 2f\n"
        "    was      00000030  30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f\n"
        "    is now   00000030  30 31 32 33 34 35 36 37 38 39 3a 3b 3d 3d 3e 3f\n";
    char wanted[1000];
    begin();
    n_bytes = BYTES;
    for (unsigned i = 0; i < 6; i++) {
        is[i * 20]++;
    }
    snprintf(wanted, sizeof wanted,
             "  state, 200 bytes: 6 differ, at offset 0, 20, 40, 60, 80, 100\n%s", rows);
    expect(say_bytes, wanted);
    is[120]++;
    snprintf(wanted, sizeof wanted,
             "  state, 200 bytes: 7 differ, at offset 0, 20, 40, 60, 80, 100, ...\n%s", rows);
    expect(say_bytes, wanted);
}

/* ---- Places ---------------------------------------------------------------------------------- */

static struct rcheck_event event = {
    .recv_ts = 2.5, .send_ts = 0.1, .prio = 3, .src = 77, .message = should};
static struct rcheck_place place = {.lp = &blocks[1].lp, .event = &event, .option = "--synch=6"};

static void say_place(void)
{
    rcheck_say_place(&place);
}

static void print_event(FILE *out, const char *prefix, void *state, void *msg)
{
    fprintf(out, "%smy event %d %d\n", prefix, *(unsigned char *)state, ((unsigned char *)msg)[7]);
}

#define EVENT "  event at 2.5, priority 3, from LP 77 at 0.10000000000000001\n"

static void test_places(void)
{
    begin();
    expect(say_place,
           "prog: --synch=6 has found a difference\n"
           "  LP 11, state of 24 bytes, LP type 2 of 3\n" EVENT "  its message, 20 bytes:\n"
           "             00000000  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f\n"
           "             00000010  10 11 12 13\n");
    g_tw_nlp = 2;
    g_tw_msg_sz = 70;
    place.lp = &blocks[0].lp;
    expect(say_place, "prog: --synch=6 has found a difference\n"
                      "  LP 10, state of 4 bytes, LP type 1 of 2\n" EVENT
                      "  its message, 70 bytes, the first of them:\n"
                      "             00000000  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f\n"
                      "             00000010  10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f\n"
                      "             00000020  20 21 22 23 24 25 26 27 28 29 2a 2b 2c 2d 2e 2f\n"
                      "             00000030  30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f\n");
    g_tw_nlp = 1;
    place.event = NULL;
    expect(say_place, "prog: --synch=6 has found a difference\n  LP 10, state of 4 bytes\n");
}

/* A model prints the events of its own types only. */
static void test_models_event(void)
{
    begin();
    crv_checkpointer others = {.lptype = &types[0], .print_event = print_event};
    crv_checkpointer mine = {.lptype = &types[1], .print_event = print_event};
    crv_add_custom_state_checkpoint(&others);
    place.lp = &blocks[1].lp;
    place.event = &event;
    g_tw_msg_sz = 1;
    is[0] = 5;
    expect(say_place, "prog: --synch=6 has found a difference\n"
                      "  LP 11, state of 24 bytes, LP type 2 of 3\n" EVENT
                      "  its message, 1 bytes:\n             00000000  00\n");
    crv_add_custom_state_checkpoint(&mine);
    expect(say_place, "prog: --synch=6 has found a difference\n"
                      "  LP 11, state of 24 bytes, LP type 2 of 3\n" EVENT "    my event 5 7\n");
    free((void *)pe.checkpointers);
}

/* ---- The end --------------------------------------------------------------------------------- */

static struct rcheck_difference difference;
static tw_rng_stream streams_before[4];

static void fail_copy(void)
{
    struct rcheck_copy copy = {.bytes = should, .size = 24, .streams = streams_before};
    rcheck_fail_copy(&pe, &place, &copy, difference, "after it", "the handler");
}

#define PLACE                                                                                      \
    "prog: --synch=6 has found a difference\n"                                                     \
    "  LP 11, state of 24 bytes, LP type 2 of 3\n" EVENT "  its message, 1 bytes:\n"               \
    "             00000000  00\n"
#define ERROR "prog: error: LP 11 at time 2.5, event from LP 77:\n"

static void test_ends(void)
{
    begin();
    g_tw_msg_sz = 1;
    place = (struct rcheck_place){.lp = &blocks[1].lp, .event = &event, .option = "--synch=6"};
    is[16] = 0xab;
    difference = (struct rcheck_difference){RCHECK_STATE, 0};
    expect_end(fail_copy, PLACE
               "  state, 24 bytes: 1 differs, at offset 16\n"
               "    before   00000010  10 11 12 13 14 15 16 17\n"
               "    after    00000010  ab 11 12 13 14 15 16 17\n" ERROR
               "  after it the state is not as before: the byte at offset 16 of 24 was 10 and\n"
               "  is ab; see the handler");
    difference = (struct rcheck_difference){RCHECK_CORE_STREAM, 0};
    blocks[1].streams[0].count = 9;
    streams_before[0].count = 7;
    expect_end(fail_copy,
               PLACE "  core stream 0: 7 draws before, 9 after\n" ERROR
                     "  after it core stream 0 is 2 draws ahead: too few were given back; see the\n"
                     "  handler");
    difference = (struct rcheck_difference){RCHECK_STREAM, 1};
    blocks[1].streams[2].count = 4;
    streams_before[2].count = 5;
    expect_end(fail_copy, PLACE
               "  random stream 1: 5 draws before, 4 after\n" ERROR
               "  after it random stream 1 is 1 draw behind: too many were given back; see the\n"
               "  handler");
    blocks[1].streams[2].count = 5;
    expect_end(fail_copy, PLACE
               "  random stream 1: 5 draws before, 5 after\n" ERROR
               "  after it random stream 1 is not as before, though as many draws were given\n"
               "  back; see the handler");
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"bytes", test_bytes},   {"many bytes", test_many_bytes},
        {"places", test_places}, {"events that the model shows", test_models_event},
        {"ends", test_ends},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("rcheck report", tests, sizeof tests / sizeof tests[0]);
    free(g_run.program);
    MPI_Finalize();
    return status;
}
