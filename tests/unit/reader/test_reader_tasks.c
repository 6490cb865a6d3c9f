/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of a trace of tasks: numbers of names against a list, busy times against a line of cells,
 * and ids in the form that users write.
 */
/* test: libs=warpscope_reading */
#include "support/suite.h"

#include <string.h>

#include "data/intern.h"
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
    ws_intern_check(&names);
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
    static const char *const good[] = {"0.1", "7.12", "7.12.3", "123456789012.1.0"};
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

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"numbers of names", test_names}, {"busy times", test_busy}, {"ids", test_ids}};
    return suite_run("reader tasks", tests, sizeof tests / sizeof tests[0]);
}
