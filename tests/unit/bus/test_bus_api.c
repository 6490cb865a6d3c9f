/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of st_bus.h, one by one: emitting, scopes, errors, the switch, points.
 *
 * test: libs=warpscope
 */
#include <stdlib.h>
#include <string.h>

#include "bus/state.h"
#include "support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct seen {
    unsigned n;
    st_record last;
    char data[64];
};

static void see(const st_record *record, void *arg)
{
    struct seen *seen = arg;
    seen->n++;
    seen->last = *record;
    memcpy(seen->data, record->data == NULL ? "" : record->data, record->size);
}

static unsigned evaluated(unsigned *n)
{
    return ++*n;
}

static void test_notify(void)
{
    st_stream_id id = 0;
    unsigned n = 0;
    struct seen seen = {0};
    ST_NOTIFY(0, (st_type)evaluated(&n), NULL, NULL, 0);
    ST_NOTIFY(999, (st_type)evaluated(&n), NULL, NULL, 0);
    CU_ASSERT_EQUAL(st_notify(999, ST_TASK, NULL, NULL, 0), ST_OK);
    CU_ASSERT_EQUAL(st_stream_open("s", 3, 4, &id), ST_OK);
    ST_NOTIFY(id, (st_type)evaluated(&n), NULL, NULL, 0);
    CU_ASSERT_EQUAL(n, 0);
    CU_ASSERT_EQUAL(st_subscribe(id, ST_TASK, ST_COMMITTED, see, &seen), ST_OK);
    const st_point *point = ST_POINT();
    ST_NOTIFY(id, ST_TASK, point, "hallo", (size_t)evaluated(&n) + 5);
    CU_ASSERT_EQUAL(n, 1);
    CU_ASSERT_EQUAL(seen.n, 1);
    CU_ASSERT_EQUAL(seen.last.stream, id);
    CU_ASSERT_EQUAL(seen.last.type, ST_TASK);
    CU_ASSERT_EQUAL(seen.last.size, 6);
    CU_ASSERT_PTR_EQUAL(seen.last.point, point);
    CU_ASSERT_STRING_EQUAL(seen.data, "hallo");
    CU_ASSERT_EQUAL(st_notify(id, ST_TASK_END, NULL, NULL, 0),
                    ST_OK); /* a record of another type */
    CU_ASSERT_EQUAL(seen.n, 1);
    static const char large[65537];
    CU_ASSERT_EQUAL(st_notify(id, ST_TASK, NULL, large, sizeof large), ST_INVALID);
    CU_ASSERT_EQUAL(st_notify(id, ST_TASK, NULL, NULL, 1), ST_INVALID);
    CU_ASSERT_EQUAL(st_notify(id, ST_ALL_TYPES, NULL, NULL, 0), ST_INVALID);
    CU_ASSERT_EQUAL(seen.n, 1);
    bus_fini();
}

static void leave_early(st_stream_id id, int how)
{
    for (int i = 0; i < 3; i++) {
        ST_SCOPE(id, ST_REGION, ST_POINT());
        ST_SCOPE(id, ST_LOCK, ST_POINT());
        if (how == 0) {
            return;
        }
        if (how == 1) {
            break;
        }
        if (how == 2) {
            goto out;
        }
    }
out:
    return;
}

static void test_scope(void)
{
    st_stream_id id = 0;
    struct seen begins = {0}, ends = {0}, locks = {0};
    CU_ASSERT_EQUAL(st_stream_open("s", 1, 0, &id), ST_OK);
    leave_early(id, 0);
    st_subscribe(id, ST_REGION, ST_SPECULATIVE, see, &begins);
    st_subscribe(id, ST_REGION_END, ST_SPECULATIVE, see, &ends);
    st_subscribe(id, ST_LOCK_END, ST_COMMITTED, see, &locks);
    static const unsigned n_wanted[] = {1, 2, 3, 6};
    for (int how = 0; how < 4; how++) {
        leave_early(id, how);
        CU_ASSERT_EQUAL(begins.n, n_wanted[how]);
        CU_ASSERT_EQUAL(ends.n, n_wanted[how]);
        CU_ASSERT_EQUAL(locks.n, n_wanted[how]);
    }
    CU_ASSERT_PTR_NOT_NULL(begins.last.point);
    CU_ASSERT_PTR_EQUAL(begins.last.point, ends.last.point);
    CU_ASSERT_PTR_NOT_EQUAL(begins.last.point, locks.last.point);
    bus_fini();
}

static void test_undone(void)
{
    st_stream_id id = 0;
    struct seen all = {0}, tasks = {0}, rollbacks = {0}, committed = {0};
    st_stream_open("s", 1, 0, &id);
    st_subscribe(id, ST_ALL_TYPES, ST_SPECULATIVE, see, &all);
    st_subscribe(id, ST_TASK, ST_SPECULATIVE, see, &tasks);
    st_subscribe(id, ST_ROLLBACK, ST_SPECULATIVE, see, &rollbacks);
    st_subscribe(id, ST_ALL_TYPES, ST_COMMITTED, see, &committed);
    const st_undone undone = {.lp = 7, .first = 5, .n = 3};
    bus_dispatch_undone(id, &undone, 2.5);
    CU_ASSERT_EQUAL(all.n, 1);
    CU_ASSERT_EQUAL(tasks.n, 0);
    CU_ASSERT_EQUAL(rollbacks.n, 1);
    CU_ASSERT_EQUAL(committed.n, 0);
    CU_ASSERT_EQUAL(rollbacks.last.type, ST_ROLLBACK);
    CU_ASSERT_EQUAL(rollbacks.last.lp, 7);
    CU_ASSERT_EQUAL(rollbacks.last.number, 5);
    CU_ASSERT_EQUAL(rollbacks.last.ts, 2.5);
    CU_ASSERT_EQUAL(memcmp(rollbacks.data, &undone, sizeof undone), 0);
    bus_fini();
}

static void test_errors(void)
{
    st_stream_id id = 0;
    st_stream_open("s", 1, 0, &id);
    st_stream_id unknown = (st_stream_id)(id + 1);
    CU_ASSERT_EQUAL(st_subscribe(id, ST_TASK, ST_COMMITTED, NULL, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_subscribe(id, ST_TASK, (st_class)2, see, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_subscribe(0, ST_TASK, ST_COMMITTED, see, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_subscribe(unknown, ST_TASK, ST_COMMITTED, see, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_unsubscribe(unknown, ST_TASK, ST_COMMITTED, see, NULL), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_unsubscribe(id, ST_TASK, ST_COMMITTED, see, NULL), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_stream_close("unknown"), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_stream_close(NULL), ST_NOT_FOUND);
    st_stream_id next = 0;
    CU_ASSERT_EQUAL(st_stream_open("next", 1, 0, &next), ST_OK);
    CU_ASSERT_EQUAL(next, unknown); /* failed calls took no id */
    CU_ASSERT_STRING_EQUAL(st_stream_name(next), "next");
    CU_ASSERT_PTR_NULL(st_stream_name((st_stream_id)(next + 1)));
    CU_ASSERT_EQUAL(st_stream_find("next"), next);
    CU_ASSERT_STRING_EQUAL(st_result_text(ST_FULL), "the table is full");
    CU_ASSERT_STRING_EQUAL(st_result_text((st_result)77), "unknown result");
    bus_fini();
}

/* ROSS_TRACE_ENABLE is read once in a run. */
static void test_switch(void)
{
    static const struct {
        const char *value;
        bool on;
    } cases[] = {{"0", false},   {"false", false}, {"FALSE", false}, {"False", false},
                 {"off", false}, {"OFF", false},   {"no", false},    {"No", false},
                 {"1", true},    {"true", true},   {"TRUE", true},   {"on", true},
                 {"yes", true},  {"Yes", true},    {"", true},       {NULL, true},
                 {"2", true},    {"offf", true},   {"fals", true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct seen seen = {0};
        st_stream_id id = 0;
        if (cases[i].value != NULL) {
            setenv("ROSS_TRACE_ENABLE", cases[i].value, 1);
        } else {
            unsetenv("ROSS_TRACE_ENABLE");
        }
        CU_ASSERT_EQUAL(st_stream_open("s", 1, 0, &id), ST_OK);
        CU_ASSERT_FALSE(st_trace_enabled());
        CU_ASSERT_EQUAL(st_subscribe(id, ST_TASK, ST_COMMITTED, see, &seen), ST_OK);
        CU_ASSERT_EQUAL(st_trace_enabled(), cases[i].on);
        CU_ASSERT_EQUAL(st_enabled(id, ST_TASK), cases[i].on);
        CU_ASSERT_EQUAL(st_notify(id, ST_TASK, NULL, NULL, 0), ST_OK);
        CU_ASSERT_EQUAL(seen.n, cases[i].on ? 1 : 0);
        bus_fini();
    }
}

/* The bus ignores a value that it does not know; bus_load() warns. */
static void test_switch_words(void)
{
    CU_ASSERT_EQUAL(enable_read("oFF"), BUS_OFF);
    CU_ASSERT_EQUAL(enable_read("oN"), BUS_ON);
    CU_ASSERT_EQUAL(enable_read(NULL), BUS_ON);
    CU_ASSERT_EQUAL(enable_read(""), BUS_ON);
    CU_ASSERT_EQUAL(enable_read("00"), BUS_UNDECIDED);
    CU_ASSERT_EQUAL(enable_read("never"), BUS_UNDECIDED);
    CU_ASSERT_EQUAL(enable_read(" 0"), BUS_UNDECIDED);
}

static void count_keys(const char *key, const char *value, void *arg)
{
    char *text = arg;
    strcat(text, key);
    strcat(text, "=");
    strcat(text, value);
    strcat(text, ";");
}

static const st_point *visit(void)
{
    return ST_POINT_NAMED("visited");
}

static void test_points(void)
{
    uint64_t instance = 0;
    const st_point *point = st_point_make("f", "f.c", 10, 2, &instance);
    CU_ASSERT_EQUAL(instance, 1);
    CU_ASSERT_PTR_EQUAL(st_point_make("f", "f.c", 10, 2, &instance), point);
    CU_ASSERT_EQUAL(instance, 2);
    CU_ASSERT_PTR_EQUAL(st_point_by_id(point->id), point);
    CU_ASSERT_PTR_NULL(st_point_by_id(point->id + 1));
    CU_ASSERT_PTR_NULL(st_point_make(NULL, NULL, 1, 1, NULL));
    CU_ASSERT_EQUAL(st_point_set(point, "unit", "s"), ST_OK);
    CU_ASSERT_EQUAL(st_point_set(point, "kind", "a"), ST_OK);
    CU_ASSERT_EQUAL(st_point_set(point, "unit", "ms"), ST_DUPLICATE);
    CU_ASSERT_STRING_EQUAL(st_point_get(point, "unit"), "ms");
    CU_ASSERT_PTR_NULL(st_point_get(point, "nothing"));
    CU_ASSERT_EQUAL(st_point_set(point, NULL, "x"), ST_INVALID);
    CU_ASSERT_EQUAL(st_point_set(point, "", "x"), ST_INVALID);
    CU_ASSERT_EQUAL(st_point_set(point, "x", NULL), ST_INVALID);
    st_point copy = *point;
    CU_ASSERT_EQUAL(st_point_set(&copy, "x", "x"), ST_INVALID);
    CU_ASSERT_EQUAL(st_point_set(NULL, "x", "x"), ST_INVALID);
    char keys[64] = "";
    st_point_each(point, count_keys, keys);
    CU_ASSERT_STRING_EQUAL(keys, "unit=ms;kind=a;");
    const st_point *here = visit();
    CU_ASSERT_STRING_EQUAL(st_string_text(here->function), "visited");
    CU_ASSERT_PTR_EQUAL(visit(), here);
    CU_ASSERT_PTR_EQUAL(visit(), here);
    st_point_make("visited", st_string_text(here->file), here->line, here->column, &instance);
    CU_ASSERT_EQUAL(instance, 2); /* visit() takes no instance number */
    bus_fini();                   /* points remain, their notes are removed */
    CU_ASSERT_PTR_EQUAL(visit(), here);
    CU_ASSERT_PTR_EQUAL(st_point_by_id(here->id), here);
    CU_ASSERT_PTR_NULL(st_point_get(point, "unit"));
    CU_ASSERT_EQUAL(st_string(NULL), 0);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"records", test_notify},
        {"scopes end however they are left", test_scope},
        {"what was undone", test_undone},
        {"errors change nothing", test_errors},
        {"ROSS_TRACE_ENABLE", test_switch},
        {"words of ROSS_TRACE_ENABLE", test_switch_words},
        {"points and what is noted of them", test_points},
    };
    unsetenv("ROSS_TRACE_ENABLE");
    return suite_run("bus api", tests, COUNT(tests));
}
