/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of a trace of tasks: numbers of names against a list, busy times against a line of cells,
 * and ids in the form that users write. Lives of tasks whose records contradict each other.
 */
/* test: libs=warpscope_reading */
#include "support/root_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/intern.h"
#include "figures/tasks.h"
#include "format/format.h"
#include "tasks/tasks.h"

static void test_names(void)
{
    enum { N = 500, MAX = 400 };
    uint64_t random = suite_seed();
    suite_print_seed("names", random);
    struct ws_intern names = {0};
    char list[MAX][8];
    size_t sizes[MAX];
    uint32_t n = 0;
    for (unsigned step = 0; step < 20000; step++) {
        char name[8] = {0};
        uint64_t i = random_below(&random, N);
        size_t size = 1 + i % 7;
        memcpy(name, &i, sizeof i < size ? sizeof i : size); /* may contain zero bytes */
        name[0] = (char)(i / 7);
        uint32_t want = 0;
        while (want < n && (sizes[want] != size || memcmp(list[want], name, size) != 0)) {
            want++;
        }
        uint32_t got = ws_intern_add(&names, name, size, MAX);
        if (want == n && n < MAX) {
            memcpy(list[n], name, sizeof name);
            sizes[n++] = size;
        } else if (want == n) {
            want = WS_NAMES_NONE;
        }
        CU_ASSERT_EQUAL(got, want);
    }
    CU_ASSERT_EQUAL(names.n, n);
    CU_ASSERT(ws_intern_check(&names));
    ws_intern_free(&names);
}

/* The result is exact, or marked as a lower bound; usually exact. */
static void test_busy(void)
{
    enum { CELLS = 3000 };
    uint64_t random = suite_seed();
    suite_print_seed("busy", random);
    unsigned n_exact = 0;
    for (unsigned round = 0; round < 300; round++) {
        static bool cells[CELLS];
        struct ws_busy busy = {.n = 0};
        uint64_t far = random_below(&random, 3) == 0 ? 400 : 20;
        memset(cells, 0, sizeof cells);
        for (unsigned now = 1; now < CELLS; now += (unsigned)random_below(&random, 20)) {
            uint64_t back = random_below(&random, random_below(&random, 50) == 0 ? far : 5);
            unsigned start = back < now ? now - (unsigned)back : 0;
            ws_busy_add(&busy, start, now);
            memset(cells + start, true, now - start);
        }
        double n = 0.0, length = ws_busy_length(&busy);
        for (unsigned i = 0; i < CELLS; i++) {
            n += cells[i];
        }
        n_exact += !busy.at_least;
        CU_ASSERT(busy.at_least ? length <= n : length >= n && length <= n);
        CU_ASSERT(length >= 0.5 * n);
        CU_ASSERT(busy.n <= WS_TASKS_SPANS);
    }
    CU_ASSERT(n_exact > 150);
    struct ws_busy wild = {.n = 0};
    const double nan = strtod("nan", NULL), infinite = strtod("inf", NULL);
    ws_busy_add(&wild, nan, 1.0);
    ws_busy_add(&wild, -infinite, 1.0);
    ws_busy_add(&wild, 1.0, infinite);
    ws_busy_add(&wild, 2.0, 1.0);
    CU_ASSERT_DOUBLE_EQUAL(ws_busy_length(&wild), 0.0, 0.0);
}

static void test_ids(void)
{
    static const char *const good[] = {"0.1",
                                       "7.12",
                                       "7.12.3",
                                       "123456789012.1.0",
                                       "9223372036854775808.1",
                                       "18446744073709551614.7.18446744073709551613"};
    static const char *const bad[] = {"",
                                      "7",
                                      "7.",
                                      ".7",
                                      "7.1.",
                                      "7.1.2.",
                                      "7..1",
                                      "7.1.2.3",
                                      "-1.2",
                                      "a.b",
                                      "7.1x",
                                      "99999999999999999999.1",
                                      "18446744073709551615.1"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct ws_task_id id;
        char text[WS_TASK_ID_MAX];
        CU_ASSERT_FATAL(ws_task_id_parse(good[i], &id));
        CU_ASSERT_STRING_EQUAL(ws_task_id_text(text, id), good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct ws_task_id id;
        CU_ASSERT_FALSE(ws_task_id_parse(bad[i], &id));
    }
}

/* ---- Lives ----------------------------------------------------------------------------------- */

#define LIFE_FILE  "life-task.bin"
#define LIFE_TASKS 30

static const struct fmt_payload_field life_texts[] = {{"kind", "", FMT_CHAR, 0, 4, 0, NULL},
                                                      {"what", "", FMT_CHAR, 4, 4, 0, NULL},
                                                      {"where", "", FMT_CHAR, 8, 4, 0, NULL},
                                                      {"step", "", FMT_CHAR, 12, 4, 0, NULL}};
static const struct fmt_payload_desc life_desc = {1, FMT_PAYLOAD_EV, 16, 4, "task", life_texts};

/* Writes the record of one task of LP 0: task 1 is the parent of the others. The virtual time is 1;
 * NaN for every fifth task. */
static void life_put(struct fmt_writer *w, enum ws_task_what what, uint64_t number, uint64_t order)
{
    const double vt = number % 5 == 0 ? strtod("nan", NULL) : 1.0;
    static const char text[16] = "k\0\0\0w\0\0\0p\0\0\0s";
    struct fmt_task_begin_row begin = {.vt = vt, .start = vt, .number = number, .order = order};
    struct fmt_task_step_row step = {.vt = vt, .at = vt, .number = number, .order = order};
    struct fmt_task_end_row end = {.vt = vt, .start = vt, .number = number, .order = order};
    uint64_t row[40] = {0};
    begin.from = step.from = end.from = begin.parent_from = end.parent_from = -1;
    begin.parent_lp = end.parent_lp = number == 1 ? -1 : 0;
    begin.parent_number = end.parent_number = 1;
    begin.payload_type = step.payload_type = end.payload_type = 1;
    begin.payload_size = step.payload_size = end.payload_size = sizeof text;
    const void *from = what == WS_TASK_BEGIN  ? (const void *)&begin
                       : what == WS_TASK_STEP ? (const void *)&step
                                              : (const void *)&end;
    const uint32_t kind = what == WS_TASK_BEGIN  ? FMT_RECORD_TASK_BEGIN
                          : what == WS_TASK_STEP ? FMT_RECORD_TASK_STEP
                                                 : FMT_RECORD_TASK_END;
    const struct fmt_schema *schema = fmt_schema_builtin(kind);
    memcpy(row, from, schema->row_size);
    memcpy((uint8_t *)row + schema->row_size, text, sizeof text);
    CU_ASSERT_EQUAL_FATAL(fmt_writer_append(w, schema, row,
                                            fmt_row_bytes(schema->row_size, sizeof text), 1.0, NULL,
                                            NULL),
                          FMT_OK);
}

/* Writes three records for each task, all at one time, with random record numbers. */
static void life_write(uint64_t *random)
{
    const struct fmt_schema *schemas[] = {fmt_schema_builtin(FMT_RECORD_TASK_BEGIN),
                                          fmt_schema_builtin(FMT_RECORD_TASK_STEP),
                                          fmt_schema_builtin(FMT_RECORD_TASK_END)};
    struct fmt_superblock sb = {.stream = FMT_STREAM_TASK, .n_schemas = 3, .schemas = schemas};
    struct fmt_file file;
    struct fmt_writer w;
    unlink(LIFE_FILE);
    fmt_layout_init(&sb.layout, sb.stream, 1, *random, 400);
    CU_ASSERT_EQUAL_FATAL(fmt_file_create(&file, LIFE_FILE, NULL), FMT_OK);
    CU_ASSERT_EQUAL_FATAL(fmt_superblock_write(&file.io, &sb, NULL), FMT_OK);
    CU_ASSERT_EQUAL_FATAL(fmt_writer_init(&w, &file.io, schemas, 3, &sb.layout, 0, 400, NULL),
                          FMT_OK);
    CU_ASSERT_EQUAL_FATAL(fmt_writer_meta(&w, &life_desc, 1, NULL), FMT_OK);
    for (uint64_t task = 1; task <= LIFE_TASKS; task++) {
        for (int what = WS_TASK_BEGIN; what <= WS_TASK_END; what++) {
            life_put(&w, (enum ws_task_what)what, task, random_below(random, 1000));
        }
    }
    CU_ASSERT_EQUAL(fmt_writer_end(&w, &(struct fmt_end_info){.text = "done"}, NULL), FMT_OK);
    fmt_writer_fini(&w);
    CU_ASSERT_EQUAL(fmt_file_close(&file, NULL), FMT_OK);
}

static void say(void *ctx, const char *line)
{
    (void)ctx;
    printf("%s\n", line);
}

/* Each task begins, makes its step and ends, in this order, whatever the record numbers say. Times
 * that are no numbers come last. */
static void test_lives(void)
{
    static const char *const words[] = {" begins ", " step ", " ends after "};
    uint64_t random = suite_seed(), wrong = 0;
    suite_print_seed("lives", random);
    for (int round = 0; round < 30; round++) {
        const struct ws_messages messages = {say, NULL};
        struct ws_select select;
        struct ws_file file;
        char line[200];
        unsigned seen[LIFE_TASKS + 1] = {0}, lines = 0;
        FILE *out = tmpfile();
        CU_ASSERT_FATAL(out != NULL);
        life_write(&random);
        ws_file_survey(&file, LIFE_FILE, WS_USUAL, &messages);
        CU_ASSERT_FATAL(file.pes != NULL);
        struct ws_select_texts all = {.from = strtod("nan", NULL), .to = strtod("nan", NULL)};
        struct ws_select_bad bad;
        CU_ASSERT_FATAL(ws_select_set(&select, &all, &bad));
        ws_select_file(&select, file.sb, &file.descs);
        CU_ASSERT(ws_life_print(out, &file, &select, (struct ws_task_id){0, -1, 1}));
        rewind(out);
        for (; fgets(line, sizeof line, out) != NULL; lines++) {
            unsigned task = 0;
            CU_ASSERT_EQUAL_FATAL(sscanf(line, " %*s 0.%u", &task), 1);
            CU_ASSERT_FATAL(task >= 1 && task <= LIFE_TASKS && seen[task] < 3);
            CU_ASSERT_EQUAL(task % 5 == 0, lines >= 3 * (LIFE_TASKS - LIFE_TASKS / 5));
            wrong += strstr(line, words[seen[task]++]) == NULL;
        }
        CU_ASSERT_EQUAL(lines, 3 * LIFE_TASKS);
        fclose(out);
        ws_select_free(&select);
        ws_file_close(&file);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    unlink(LIFE_FILE);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"numbers of names", test_names},
                                        {"busy times", test_busy},
                                        {"ids", test_ids},
                                        {"lives", test_lives}};
    return root_suite_run_inside("reader tasks", tests, sizeof tests / sizeof tests[0]);
}
