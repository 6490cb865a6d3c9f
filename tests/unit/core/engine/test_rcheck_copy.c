/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_rcheck_copy.c - copies of LPs for --synch=6 and --synch=4: the stored part of a state, whole
 * or by functions of the model, and the comparison.
 */
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "engine/process/run.h"
#include "engine/rcheck.h"
#include "support/suite.h"

enum { WORDS = 3, CORE = 1, STREAMS = 2 };

static struct pe pe;
static uint64_t state[WORDS];
static uint64_t large_state[1000];
static tw_lptype type = {.state_sz = sizeof state};
static tw_lptype large_type = {.state_sz = sizeof large_state};
/* LPs with their streams, as the engine lays them out. */
struct block {
    tw_lp lp;
    tw_rng_stream streams[CORE + STREAMS];
};
static struct block small = {
    .lp = {.cur_state = state, .type = &type, .rng = small.streams + CORE}};
static struct block large = {
    .lp = {.cur_state = large_state, .type = &large_type, .rng = large.streams + CORE}};
static unsigned n_saved, n_cleaned, n_checked;

/* Keeps the first word. */
static void save_first(void *checkpoint, const void *from)
{
    static const uint64_t zero;
    CU_ASSERT_EQUAL(memcmp(checkpoint, &zero, sizeof zero), 0);
    memcpy(checkpoint, from, sizeof(uint64_t));
    n_saved++;
}

static void clean(void *checkpoint)
{
    (void)checkpoint;
    n_cleaned++;
}

/* Compares the last word. */
static bool check_last(void *now, const void *checkpoint)
{
    n_checked++;
    return ((uint64_t *)now)[WORDS - 1] == ((const uint64_t *)checkpoint)[WORDS - 1];
}

static void begin(void)
{
    free((void *)pe.checkpointers);
    pe = (struct pe){.n_streams = STREAMS};
    g_tw_pe = &pe.head;
    g_tw_nRNG_core_per_lp = CORE;
    for (unsigned i = 0; i < WORDS; i++) {
        state[i] = i + 1;
    }
    for (unsigned i = 0; i < CORE + STREAMS; i++) {
        small.streams[i] = (tw_rng_stream){{i, 2, 3, 4}, 5, 6};
        large.streams[i] = small.streams[i];
    }
    n_saved = n_cleaned = n_checked = 0;
}

static enum rcheck_part part(const struct rcheck_copy *copy)
{
    return rcheck_copy_compare(&pe, copy, &small.lp).part;
}

/* Returns the words that are compared, as a bit mask. */
static unsigned words_compared(const struct rcheck_copy *copy)
{
    unsigned found = 0;
    CU_ASSERT_EQUAL(part(copy), RCHECK_SAME);
    for (unsigned i = 0; i < WORDS; i++) {
        state[i] ^= (uint64_t)1 << 40;
        found |= part(copy) == RCHECK_STATE ? 1u << i : 0;
        state[i] ^= (uint64_t)1 << 40;
    }
    return found;
}

static void test_whole_states(void)
{
    struct rcheck_copy copy = {0};
    begin();
    rcheck_copy_take(&pe, &copy, &small.lp);
    CU_ASSERT_EQUAL(copy.size, sizeof state);
    CU_ASSERT_TRUE(rcheck_copy_is_state(&copy));
    CU_ASSERT_EQUAL(words_compared(&copy), 7);
    rcheck_copy_take(&pe, &copy, &large.lp); /* the copy grows */
    CU_ASSERT_EQUAL(copy.size, sizeof large_state);
    CU_ASSERT_TRUE(copy.room >= copy.size);
    CU_ASSERT_EQUAL(rcheck_copy_compare(&pe, &copy, &large.lp).part, RCHECK_SAME);
    rcheck_copy_take(&pe, &copy, &small.lp); /* its space stays allocated */
    CU_ASSERT_EQUAL(copy.size, sizeof state);
    CU_ASSERT_EQUAL(copy.room, sizeof large_state);
    CU_ASSERT_EQUAL(words_compared(&copy), 7);
    rcheck_copy_free(&copy);
    CU_ASSERT_PTR_NULL(copy.bytes);
}

static void test_streams(void)
{
    struct rcheck_copy copy = {0};
    begin();
    rcheck_copy_take(&pe, &copy, &small.lp);
    for (unsigned i = 0; i < CORE + STREAMS; i++) {
        enum rcheck_part wanted = i < CORE ? RCHECK_CORE_STREAM : RCHECK_STREAM;
        for (unsigned field = 0; field < 3; field++) {
            tw_rng_stream before = small.streams[i];
            small.streams[i].c[3] += field == 0;
            small.streams[i].count += field == 1;
            small.streams[i].reserved += field == 2;
            struct rcheck_difference d = rcheck_copy_compare(&pe, &copy, &small.lp);
            CU_ASSERT_EQUAL(d.part, wanted);
            CU_ASSERT_EQUAL(d.stream, i < CORE ? i : i - CORE);
            small.streams[i] = before;
        }
    }
    CU_ASSERT_EQUAL(part(&copy), RCHECK_SAME);
    rcheck_copy_free(&copy);
}

/* Expects that these functions keep this many bytes, and that these words are compared. */
static void expect(crv_checkpointer how, size_t size, unsigned words)
{
    struct rcheck_copy copy = {0};
    begin();
    crv_checkpointer other = {.lptype = &large_type, .check_lps = check_last};
    how.lptype = &type;
    crv_add_custom_state_checkpoint(&other);
    crv_add_custom_state_checkpoint(&how);
    crv_add_custom_state_checkpoint(&how);
    CU_ASSERT_EQUAL(pe.n_checkpointers, 2);
    for (unsigned round = 0; round < 2; round++) { /* into space that was used before */
        rcheck_copy_take(&pe, &copy, &small.lp);
        CU_ASSERT_EQUAL(copy.size, size);
        CU_ASSERT_EQUAL(words_compared(&copy), words);
    }
    CU_ASSERT_EQUAL(rcheck_copy_is_state(&copy), how.save_lp == NULL && how.check_lps == NULL);
    CU_ASSERT_EQUAL(n_checked > 0, how.check_lps != NULL);
    rcheck_copy_free(&copy);
    CU_ASSERT_EQUAL(n_cleaned, how.clean_lp == NULL ? 0 : how.save_lp == NULL ? 2 : n_saved);
}

static void test_models_way(void)
{
    expect((crv_checkpointer){.sz_storage = 0}, sizeof state, 7);
    expect((crv_checkpointer){.sz_storage = 8}, sizeof state, 7);
    expect((crv_checkpointer){.sz_storage = 80, .clean_lp = clean}, 80, 7);
    expect((crv_checkpointer){.sz_storage = 8, .save_lp = save_first}, 8, 1);
    expect((crv_checkpointer){.save_lp = save_first}, sizeof state, 1);
    expect((crv_checkpointer){.sz_storage = 80, .save_lp = save_first, .clean_lp = clean}, 80, 1);
    expect((crv_checkpointer){.check_lps = check_last}, sizeof state, 4);
    expect((crv_checkpointer){.sz_storage = 16, .check_lps = check_last}, sizeof state, 4);
}

/* The later registration takes effect. */
static void test_replaced(void)
{
    begin();
    crv_checkpointer first = {.lptype = &type, .check_lps = check_last};
    crv_checkpointer second = {.lptype = &type, .sz_storage = 8, .save_lp = save_first};
    crv_add_custom_state_checkpoint(&first);
    crv_add_custom_state_checkpoint(&second);
    CU_ASSERT_EQUAL(pe.n_checkpointers, 1);
    CU_ASSERT_PTR_EQUAL(pe.checkpointers[0], &second);
}

/* Expects that the process ends with this message on stderr. */
static void expect_error(crv_checkpointer *checkpointer, const char *text)
{
    char said[1000] = "";
    FILE *err = tmpfile();
    CU_ASSERT_PTR_NOT_NULL_FATAL(err);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(fileno(err), STDERR_FILENO);
        g_run.failing = true; /* no run is in progress */
        crv_add_custom_state_checkpoint(checkpointer);
        _exit(0);
    }
    int status = 0;
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    rewind(err);
    said[fread(said, 1, sizeof said - 1, err)] = '\0';
    fclose(err);
    CU_ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == TW_EXIT_MODEL);
    if (strstr(said, text) == NULL) {
        printf("wanted \"%s\", got: %s\n", text, said);
        CU_FAIL("another message");
    }
}

static void test_misuse(void)
{
    crv_checkpointer typeless = {.sz_storage = 8};
    begin();
    expect_error(NULL, "the checkpointer is NULL");
    expect_error(&typeless, "lptype is NULL");
    g_tw_pe = NULL;
    expect_error(&typeless, "before tw_init()");
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"whole states", test_whole_states},
        {"random streams", test_streams},
        {"as the model says", test_models_way},
        {"the later checkpointer", test_replaced},
        {"misuse", test_misuse},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("rcheck copy", tests, sizeof tests / sizeof tests[0]);
    free((void *)pe.checkpointers);
    MPI_Finalize();
    return status;
}
