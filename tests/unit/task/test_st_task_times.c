/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of tracers, against naive models: the map of ids, unions of intervals.
 */
/* test: libs=warpscope */
#include "support/suite.h"

#include <math.h>

#include "task/busy_time.h"
#include "task/id_map.h"

#define STEPS 20000u

/* ---- The map of ids -------------------------------------------------------------------------- */

static void test_id_map(void)
{
    enum { N = 300 };
    static int values[N];
    bool in[N] = {false};
    uint64_t random = suite_seed();
    suite_print_seed("id map", random);
    struct id_map map = {.n = 0};
    size_t n = 0;
    for (unsigned step = 0; step < STEPS; step++) {
        unsigned i = (unsigned)random_below(&random, N);
        st_task_id id = {i % 7 + 1, i / 7, i % 3 == 0 ? 5 : 0};
        struct id_map_entry *entry = id_map_find(&map, id);
        CU_ASSERT_EQUAL(entry != NULL, in[i]);
        CU_ASSERT(entry == NULL || entry->value == &values[i]);
        if (random_below(&random, 2) == 0) {
            CU_ASSERT(id_map_set(&map, id, &values[i]));
            n += !in[i];
            in[i] = true;
        } else {
            CU_ASSERT_PTR_EQUAL(id_map_remove(&map, id), in[i] ? &values[i] : NULL);
            n -= in[i];
            in[i] = false;
        }
        CU_ASSERT_EQUAL(map.n, n);
        if (step % 64 == 0) {
            CU_ASSERT(id_map_check(&map));
        }
    }
    id_map_fini(&map);
}

/* ---- Unions of intervals --------------------------------------------------------------------- */

static void test_union_example(void)
{
    struct busy_time busy = {.n = 0};
    CU_ASSERT(busy_time_add(&busy, 10.0, 20.0) && busy_time_add(&busy, 15.0, 30.0) &&
              busy_time_add(&busy, 25.0, 40.0));
    CU_ASSERT_DOUBLE_EQUAL(busy_time_length(&busy, INFINITY, 50.0), 30.0, 0.0);
    CU_ASSERT_DOUBLE_EQUAL(busy_time_length(&busy, 45.0, 50.0), 35.0, 0.0);
    CU_ASSERT_DOUBLE_EQUAL(busy_time_length(&busy, 35.0, 50.0), 40.0, 0.0);
    CU_ASSERT(busy_time_add(&busy, 60.0, 61.0) && busy_time_add(&busy, 5.0, 70.0));
    CU_ASSERT_DOUBLE_EQUAL(busy_time_length(&busy, INFINITY, 70.0), 65.0, 0.0);
    CU_ASSERT_EQUAL(busy.n, 1);
    busy_time_fini(&busy);
}

/* Intervals between integers against a line of cells. */
static void test_union_random(void)
{
    enum { CELLS = 400 };
    uint64_t random = suite_seed();
    suite_print_seed("unions", random);
    for (unsigned round = 0; round < 200; round++) {
        bool cells[CELLS] = {false};
        struct busy_time busy = {.n = 0};
        for (unsigned now = 0; now < CELLS; now += (unsigned)random_below(&random, 12)) {
            unsigned back = (unsigned)random_below(&random, random_below(&random, 9) == 0 ? 99 : 6);
            unsigned start = back < now ? now - back : 0;
            CU_ASSERT(busy_time_add(&busy, start, now));
            for (unsigned i = start; i < now; i++) {
                cells[i] = true;
            }
        }
        unsigned from = CELLS - (unsigned)random_below(&random, 50);
        double length = busy_time_length(&busy, INFINITY, CELLS);
        unsigned n = 0, n_more = 0;
        for (unsigned i = 0; i < CELLS; i++) {
            n += cells[i];
            n_more += cells[i] || i >= from;
        }
        CU_ASSERT_DOUBLE_EQUAL(length, n, 0.0);
        CU_ASSERT_DOUBLE_EQUAL(busy_time_length(&busy, from, CELLS), n_more, 0.0);
        CU_ASSERT(busy_time_check(&busy));
        busy_time_fini(&busy);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"map of ids", test_id_map},
                                        {"10-20, 15-30, 25-40 is 30", test_union_example},
                                        {"unions of random intervals", test_union_random}};
    return suite_run("task times", tests, sizeof(tests) / sizeof(tests[0]));
}
