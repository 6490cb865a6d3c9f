/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Impossible messages, which an optimistic LP may receive: handlers recognise them, change no state
 * forwards or backwards, send no event, and refuse to commit them.
 */
/* test: libs=memsim_model,warpscope */
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "slice.h"
#include "support/suite.h"

enum { SMS = 2, STREAMS = 2 };

/* The model's defaults, without input. */
static const struct ms_model *model_begin(void)
{
    char name[] = "memsim";
    char *argv[] = {name, NULL};
    struct model_error error;
    ((struct ms_model *)(uintptr_t)ms_model())->workload = MS_PRODUCER;
    g_tw_ts_end = MS_DEFAULT_END;
    CU_ASSERT_TRUE_FATAL(ms_settings_check(1, argv, &error));
    ms_model_set_input(SMS, STREAMS);
    return ms_model();
}

typedef void (*handler)(void *state, tw_bf *bf, void *msg, tw_lp *lp);

/* revent NULL: the engine saves the state. There is no engine: sending an event ends the test. */
static void expect_impossible(const char *what, handler event, handler revent, void *state,
                              size_t state_bytes, const struct ms_message *given)
{
    tw_lp lp = {.gid = 1};
    tw_bf bf = {0};
    struct ms_message message = *given;
    unsigned char *before = malloc(state_bytes);
    memcpy(before, state, state_bytes);
    event(state, &bf, &message, &lp);
    bool noticed = MS_IMPOSSIBLE(&bf);
    bool kept = memcmp(before, state, state_bytes) == 0;
    if (revent != NULL) {
        revent(state, &bf, &message, &lp);
    }
    bool undone = memcmp(before, state, state_bytes) == 0;
    bool same = memcmp(&message, given, sizeof message) == 0;
    if (!noticed || !kept || !undone || !same) {
        printf("%s: noticed %d, state kept %d, kept backwards %d, message kept %d\n", what, noticed,
               kept, undone, same);
    }
    CU_ASSERT_TRUE(noticed && kept && undone && same);
    free(before);
}

static void test_launcher(void)
{
    struct ms_launcher l = {.begun = 1};
    struct ms_message done = {.kind = MS_DONE, .stream = 1};
    expect_impossible("an SM that is done when none is waited for", ms_launcher_event, NULL, &l,
                      sizeof l, &done);
}

/* ---- Slices ---------------------------------------------------------------------------------- */

static size_t slice_bytes(const struct ms_model *m)
{
    return sizeof(struct ms_slice) + (size_t)m->sets * m->ways * sizeof(struct ms_way) +
           m->mshrs * sizeof(struct ms_mshr) + ms_places(m) * sizeof(struct ms_request);
}

static void test_slice(void)
{
    const struct ms_model *m = model_begin();
    struct ms_slice *s = calloc(1, slice_bytes(m));
    ms_slice_init(s, NULL);
    struct ms_mshr *mshr = &ms_mshrs(m, s)[3];
    struct ms_message fill = {.kind = MS_FILL, .mshr = 3, .request = {.address = 40}};
    expect_impossible("a line for an MSHR that is free", ms_slice_event, ms_slice_revent, s,
                      slice_bytes(m), &fill);
    struct ms_slice_undo undo;
    struct ms_request r = {.bytes = 4};
    ms_list_append(m, s, &mshr->waiting, &r, &undo);
    mshr->line = 39 + 1;
    s->mshrs_used = 1;
    expect_impossible("a line for an MSHR that waits for another", ms_slice_event, ms_slice_revent,
                      s, slice_bytes(m), &fill);
    mshr->line = 40 + 1;
    mshr->draining = 1;
    expect_impossible("a line that has come", ms_slice_event, ms_slice_revent, s, slice_bytes(m),
                      &fill);
    while (s->free != 0) {
        ms_list_append(m, s, &s->stalled, &r, &undo);
    }
    s->retrying = 1;
    struct ms_message lookup = {.kind = MS_LOOKUP, .request = {.address = 4096, .bytes = 4}};
    expect_impossible("more requests than can be", ms_slice_event, ms_slice_revent, s,
                      slice_bytes(m), &lookup);
    free(s);
}

/* ---- SMs ------------------------------------------------------------------------------------- */

static size_t sm_bytes(const struct ms_model *m)
{
    return sizeof(struct ms_sm) + m->n_streams * sizeof(struct ms_task) +
           ms_n_slots(m) * sizeof(struct ms_slot);
}

static void expect_no_start(const char *what, struct ms_task task)
{
    const struct ms_model *m = ms_model();
    struct ms_sm *sm = calloc(1, sm_bytes(m));
    ms_sm_init(sm, NULL);
    sm->tasks[1] = task;
    struct ms_message start = {.kind = MS_START, .stream = 1};
    expect_impossible(what, ms_sm_event, ms_sm_revent, sm, sm_bytes(m), &start);
    free(sm);
}

static void test_sm_starts(void)
{
    model_begin();
    expect_no_start("a launch while one is active", (struct ms_task){.active = 1});
    expect_no_start("a launch while answers are to come", (struct ms_task){.pending = 1});
    expect_no_start("a launch while something is to be issued", (struct ms_task){.end = 1});
}

static void test_sm_answers(void)
{
    const struct ms_model *m = model_begin();
    struct ms_sm *sm = calloc(1, sm_bytes(m));
    ms_sm_init(sm, NULL);
    struct ms_message reply = {.kind = MS_REPLY, .request = {.slot = 2, .bytes = 4}};
    expect_impossible("a reply without a request", ms_sm_event, ms_sm_revent, sm, sm_bytes(m),
                      &reply);
    struct ms_message arrived = {.kind = MS_ARRIVED, .request = {.slot = 2, .bytes = 4}};
    expect_impossible("an answer without a request", ms_sm_event, ms_sm_revent, sm, sm_bytes(m),
                      &arrived);
    free(sm);
}

/* ---- Commit ---------------------------------------------------------------------------------- */

static void test_commit(void)
{
    tw_lp lp = {.gid = 7};
    struct ms_message message = {.kind = MS_FILL};
    tw_bf bf = {0};
    bf.c0 = bf.c1 = bf.c5 = 1;
    ms_commit_check(NULL, &bf, &message, &lp); /* the call returns */
    CU_ASSERT_EQUAL(message.kind, MS_FILL);
    fflush(NULL);
    for (unsigned sm = 0; sm < 2; sm++) {
        pid_t child = fork();
        if (child == 0) {
            MS_IMPOSSIBLE(&bf) = 1;
            fclose(stderr);
            (sm ? ms_sm_commit : ms_commit_check)(NULL, &bf, &message, &lp);
            _exit(0); /* must not be reached */
        }
        int status = 0;
        CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
        CU_ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == TW_EXIT_MODEL);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"launchers", test_launcher},      {"slices", test_slice},
        {"SMs: launches", test_sm_starts}, {"SMs: answers", test_sm_answers},
        {"commit", test_commit},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("memsim impossible", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
