/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_checkpoint_hostile.c - restarts from files with right checksums and impossible contents: each
 * is refused, with the reason, before anything else of the engine sees it.
 *
 * test: alone=yes
 */
#define _GNU_SOURCE /* memfd_create */
#include <math.h>
#include <stddef.h>

#include "support/checkpoint_engine.h"
#include "support/checkpoint_reseal.h"
#include "support/suite.h"

#define ROOM ((size_t)64 << 10)

/* Places in the records of LPs and events, see core/checkpoint/record.c. */
#define AT_RECV_TS 8
#define AT_SEND_TS 16
#define AT_PRIO    24
#define AT_TIE     32
#define AT_SRC     40
#define AT_DEST    48
#define AT_LINEAGE 88
#define AT_GID     8
/* Offsets in the course of the run, see course.c. */
#define AT_HOOK_WHEN   16
#define AT_HOOK_TIME   24
#define AT_VT_INTERVAL 64
#define RUN_AT(m)      offsetof(struct ckpt_run, m)
#define HEAD_AT(at)    ((int)(at) - (int)CKPT_BLOCK_HEAD) /* in the head of the block */

static uint8_t data[ROOM];
static size_t size;
static char error[CKPT_ERROR_SIZE];

/* Puts a whole checkpoint file into data, with the contents of blocks as they are. */
static void file_make(void)
{
    size_t at[CKPT_BLOCKS_MAX];
    engine_fill();
    engine_write();
    engine_empty();
    size = engine_get(data, ROOM);
    for (size_t i = 0; i < ckpt_blocks_find(data, size, at); i++) {
        size = ckpt_unpack(data, size, ROOM, at[i]);
    }
    ckpt_reseal(data, size);
}

/* Reads the changed file. Returns true if it is accepted. */
static bool file_is_accepted(void)
{
    ckpt_reseal(data, size);
    engine_put(data, size);
    bool good = engine_read(error);
    engine_empty();
    return good;
}

/* The contents of the first block of a kind. */
static uint8_t *block_of(enum ckpt_kind kind)
{
    size_t at[CKPT_BLOCKS_MAX];
    size_t n = ckpt_blocks_find(data, size, at);
    for (size_t i = 0; i < n; i++) {
        if (reseal_get(data + at[i], 4) == (uint64_t)kind) {
            return data + at[i] + CKPT_BLOCK_HEAD;
        }
    }
    CU_FAIL_FATAL("there is a block of each kind");
    return NULL;
}

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static void test_whole(void)
{
    file_make();
    CU_ASSERT(file_is_accepted());
    CU_ASSERT_STRING_EQUAL(error, "");
}

static void test_numbers(void)
{
    const struct {
        const char *says;
        enum ckpt_kind kind;
        int at;
        uint64_t value;
    } cases[] = {
        {"the time of the checkpoint is damaged", CKPT_RUN, RUN_AT(at), bits_of(-INFINITY)},
        {"the time of the checkpoint is damaged", CKPT_RUN, RUN_AT(at), bits_of(-1.0)},
        {"the time of the checkpoint is damaged", CKPT_RUN, RUN_AT(at), bits_of((double)NAN)},
        {"the time of the run is damaged", CKPT_RUN, RUN_AT(run_seconds), bits_of(INFINITY)},
        {"the time of the run is damaged", CKPT_RUN, RUN_AT(run_seconds), bits_of((double)NAN)},
        {"the time of the run is damaged", CKPT_RUN, RUN_AT(run_seconds), bits_of(-1.0)},
        {"the course of the run is damaged", CKPT_COURSE, AT_HOOK_WHEN, GVT_HOOK_MODEL + 1},
        {"the course of the run is damaged", CKPT_COURSE, AT_HOOK_WHEN, GVT_HOOK_EVERY},
        {"the course of the run is damaged", CKPT_COURSE, AT_HOOK_TIME, bits_of((double)NAN)},
        {"the course of the run is damaged", CKPT_COURSE, AT_VT_INTERVAL, bits_of(-1.0)},
        {"a record of an event is damaged", CKPT_EVENTS, AT_RECV_TS, bits_of(INFINITY)},
        {"a record of an event is damaged", CKPT_EVENTS, AT_SEND_TS, bits_of(-INFINITY)},
        {"a record of an event is damaged", CKPT_EVENTS, AT_PRIO, bits_of((double)NAN)},
        {"a record of an event is damaged", CKPT_EVENTS, AT_PRIO, bits_of(1.5)},
        {"a record of an event is damaged", CKPT_EVENTS, AT_TIE, bits_of((double)NAN)},
        {"it has an LP 6; the largest number here is 5", CKPT_EVENTS, AT_SRC, LPS},
        {"it has an LP 6; the largest number here is 5", CKPT_EVENTS, AT_DEST, LPS},
        {"it has an LP 6; the largest number here is 5", CKPT_LPS, AT_GID, LPS},
        {"a block has an impossible size", CKPT_EVENTS, HEAD_AT(CKPT_AT_RAW), 1u << 30},
        {"a block has an impossible size", CKPT_EVENTS, HEAD_AT(CKPT_AT_RAW), 8},
        {"a block has an impossible size", CKPT_EVENTS, HEAD_AT(CKPT_AT_RAW), UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        file_make();
        reseal_put(block_of(cases[i].kind) + cases[i].at, cases[i].value);
        CU_ASSERT_FALSE(file_is_accepted());
        CU_ASSERT_PTR_NOT_NULL(strstr(error, cases[i].says));
        if (strstr(error, cases[i].says) == NULL) {
            printf("case %zu: \"%s\" lacks \"%s\"\n", i, error, cases[i].says);
        }
    }
}

/* The order of events compares the numbers of a lineage. */
static void test_lineage(void)
{
    file_make();
    uint8_t *record = block_of(CKPT_EVENTS);
    while (reseal_get(record, 8) <= AT_LINEAGE) {
        record += reseal_get(record, 8);
    }
    reseal_put(record + AT_LINEAGE, bits_of((double)NAN));
    CU_ASSERT_FALSE(file_is_accepted());
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "a record of an event is damaged"));
}

/* The last part of the first LP's record. */
static void test_observers(void)
{
    file_make();
    uint8_t *record = block_of(CKPT_LPS);
    uint8_t *part = record + reseal_get(record, 8) - 8;
    CU_ASSERT_EQUAL(reseal_get(part, 8), KNOWN);
    reseal_put(part, KNOWN + 1);
    CU_ASSERT_FALSE(file_is_accepted());
    CU_ASSERT_PTR_NOT_NULL(
        strstr(error, "what observers know of LP 0 is damaged, or of a newer version"));
    reseal_put(part, 3 * KNOWN);
    ckpt_reseal(data, size);
    engine_put(data, size);
    CU_ASSERT(engine_read(error));
    CU_ASSERT(known[0] == 3 * KNOWN && known[4] == 4 * KNOWN && known[1] == 0);
    engine_empty();
}

/* Events in a block of an unknown kind, which the last block does not count. */
static void test_kind(void)
{
    file_make();
    uint8_t *events = block_of(CKPT_EVENTS), *end = block_of(CKPT_END);
    memcpy(events - CKPT_BLOCK_HEAD, &(uint32_t){77}, 4);
    reseal_put(end - CKPT_BLOCK_HEAD + 40, 0);
    CU_ASSERT_FALSE(file_is_accepted());
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "is of a newer version of Warpscope"));
}

/* Puts into text, of `room` bytes, what a comparison of options prints on stderr. */
static void compare_options(const char *theirs, const char *ours, char *text, size_t room)
{
    fflush(stderr);
    int before = dup(2), file = memfd_create("stderr", MFD_CLOEXEC);
    dup2(file, 2);
    model_options_compare(theirs, ours);
    fflush(stderr);
    dup2(before, 2);
    ssize_t n = pread(file, text, room - 1, 0);
    text[n < 0 ? 0 : n] = '\0';
    close(before);
    close(file);
}

/* An option that was empty, and now has a default, differs only if it is given. */
static void test_options(void)
{
    static char workload[16] = "none";
    static const tw_optdef table[] = {TWOPT_CHAR("workload", workload, "a workload"), TWOPT_END()};
    char text[512], *words[] = {(char[]){"program"}, (char[]){"--workload=tree"}, NULL};
    int argc = 2;
    compare_options("workload=\nn=1\n", "workload=none\nn=1\n", text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "");
    compare_options("workload=\nn=1\n", "workload=none\nn=2\n", text, sizeof text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "checkpoint: --n=2 (was 1)\n"));
    options_add(&g_run.options, table);
    CU_ASSERT_EQUAL(options_parse(&g_run.options, &argc, words, text, sizeof text), TW_OK);
    compare_options("workload=\n", "workload=tree\n", text, sizeof text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "checkpoint: --workload=tree (was )\n"));
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"a whole file is accepted", test_whole}, {"impossible numbers", test_numbers},
        {"an impossible lineage", test_lineage},  {"an unknown kind of block", test_kind},
        {"what observers know", test_observers},  {"options with new defaults", test_options},
    };
    MPI_Init(&argc, &argv);
    engine_begin();
    int status = suite_run("checkpoint_hostile", tests, sizeof tests / sizeof tests[0]);
    hand_end();
    return status;
}
