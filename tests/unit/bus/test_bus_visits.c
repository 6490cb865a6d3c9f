/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Visits of points through st_bus.h, outside of simulations: instances and parents of records, and
 * scopes with data. In runs: mpi/test_st_deferred_ranks.c.
 * test: libs=warpscope
 */
#include <string.h>

#include "bus/state.h"
#include "support/suite.h"

#define SEEN_MAX 8

struct seen {
    unsigned n;
    st_record records[SEEN_MAX];
    uint64_t words[SEEN_MAX];
};

static void see(const st_record *record, void *arg)
{
    struct seen *seen = arg;
    if (seen->n < SEEN_MAX) {
        seen->records[seen->n] = *record;
        memcpy(&seen->words[seen->n], record->size == 0 ? "" : record->data, record->size);
    }
    seen->n++;
}

static unsigned evaluated(unsigned *n)
{
    return ++*n;
}

/* Beginning and end share an instance that no other visit has. */
static void test_instances(void)
{
    st_stream_id id = 0;
    struct seen seen = {0};
    uint64_t first = 0, second = 0, unseen = 0, none = 0, own = 77;
    unsigned n = 0;
    st_stream_open("s", 1, 0, &id);
    ST_NOTIFY_INSTANCE(id, (st_type)evaluated(&n), NULL, NULL, &first, NULL, 0);
    CU_ASSERT_EQUAL(n, 0);
    CU_ASSERT_EQUAL(st_notify_instance(id, ST_TASK, NULL, NULL, &first, NULL, 0), ST_OK);
    CU_ASSERT_EQUAL(first, 0); /* no subscriber */
    st_subscribe(id, ST_ALL_TYPES, ST_COMMITTED, see, &seen);
    const st_point *parent = ST_POINT();
    const st_point *point = ST_POINT();
    ST_NOTIFY_INSTANCE(id, ST_TASK_BEGIN, parent, point, &first, NULL, 0);
    ST_NOTIFY_INSTANCE(id, ST_TASK_BEGIN, NULL, point, &second, NULL, 0);
    ST_NOTIFY_INSTANCE(id, ST_TASK_END, parent, point, &first, "7 bytes", 8);
    ST_NOTIFY_INSTANCE(id, ST_TASK_END, NULL, point, &unseen, NULL, 0);
    ST_NOTIFY_INSTANCE(id, ST_TASK_BEGIN, NULL, point, &own, NULL, 0);
    ST_NOTIFY_INSTANCE(id, ST_TASK_BEGIN, parent, point, NULL, NULL, 0);
    ST_NOTIFY(id, ST_TASK_BEGIN, point, NULL, 0);
    const uint64_t wanted[] = {first, second, first, 0, 77, 0, 0};
    const st_point *parents[] = {parent, NULL, parent, NULL, NULL, parent, NULL};
    CU_ASSERT_EQUAL_FATAL(seen.n, 7);
    for (unsigned i = 0; i < 7; i++) {
        CU_ASSERT_EQUAL(seen.records[i].instance, wanted[i]);
        CU_ASSERT_PTR_EQUAL(seen.records[i].parent, parents[i]);
        CU_ASSERT_PTR_EQUAL(seen.records[i].point, point);
    }
    CU_ASSERT(first != 0 && second != 0 && first != second);
    CU_ASSERT_EQUAL(unseen, 0);
    CU_ASSERT_EQUAL(own, 77);
    static const char large[65537];
    CU_ASSERT_EQUAL(st_notify_instance(id, ST_TASK, NULL, NULL, &none, large, sizeof large),
                    ST_INVALID);
    CU_ASSERT_EQUAL(st_notify_instance(id, ST_TASK, NULL, NULL, &none, NULL, 1), ST_INVALID);
    CU_ASSERT_EQUAL(st_notify_instance(id, ST_ALL_TYPES, NULL, NULL, &none, NULL, 0), ST_INVALID);
    CU_ASSERT_EQUAL(none, 0);
    CU_ASSERT_EQUAL(seen.n, 7);
    bus_fini();
}

/* Subscribers of both classes, and several subscribers, get the same instance. */
static void test_classes(void)
{
    st_stream_id id = 0;
    struct seen seen = {0};
    uint64_t visit = 0;
    st_stream_open("s", 1, 0, &id);
    st_subscribe(id, ST_ALL_TYPES, ST_COMMITTED, see, &seen);
    st_subscribe(id, ST_TASK, ST_SPECULATIVE, see, &seen);
    st_subscribe(id, ST_TASK, ST_COMMITTED, see, &seen);
    ST_NOTIFY_INSTANCE(id, ST_TASK, NULL, NULL, &visit, NULL, 0);
    CU_ASSERT_EQUAL(seen.n, 3);
    for (unsigned i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(seen.records[i].instance, visit);
    }
    bus_fini();
}

static void scopes(st_stream_id id, const st_point *parent, bool leave)
{
    struct {
        char skewed;
        char text[8]; /* at an odd address */
    } data = {0, "begin"};
    uint64_t sum = 1;
    ST_SCOPE_DATA(id, ST_REGION, parent, ST_POINT(), &sum, sizeof sum);
    ST_SCOPE_DATA(id, ST_FUNCTION, NULL, ST_POINT(), data.text, sizeof data.text);
    sum += 4;
    strcpy(data.text, "end");
    if (leave) {
        return;
    }
    sum = 9;
}

/* The data pointer is read at the beginning and at the end, however control leaves the block. */
static void test_scopes(void)
{
    st_stream_id id = 0;
    struct seen seen = {0};
    st_stream_open("s", 1, 0, &id);
    st_subscribe(id, ST_ALL_TYPES, ST_SPECULATIVE, see, &seen);
    const st_point *parent = ST_POINT();
    scopes(id, parent, true);
    CU_ASSERT_EQUAL_FATAL(seen.n, 4);
    const st_record *r = seen.records;
    CU_ASSERT(r[0].type == ST_REGION && r[3].type == ST_REGION_END);
    CU_ASSERT(r[1].type == ST_FUNCTION && r[2].type == ST_FUNCTION_END);
    CU_ASSERT(seen.words[0] == 1 && seen.words[3] == 5);
    CU_ASSERT_STRING_EQUAL((char *)&seen.words[1], "begin");
    CU_ASSERT_STRING_EQUAL((char *)&seen.words[2], "end");
    CU_ASSERT(r[0].instance != 0 && r[0].instance == r[3].instance);
    CU_ASSERT(r[1].instance != 0 && r[1].instance == r[2].instance);
    CU_ASSERT_NOT_EQUAL(r[0].instance, r[1].instance);
    CU_ASSERT(r[0].parent == parent && r[3].parent == parent && r[1].parent == NULL);
    CU_ASSERT(r[0].point == r[3].point && r[0].point != r[1].point);
    scopes(id, NULL, false);
    CU_ASSERT_EQUAL(seen.words[7], 9);
    bus_fini();
    seen.n = 0;
    scopes(id, parent, false);
    CU_ASSERT_EQUAL(seen.n, 0);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"instances and parents", test_instances},
        {"both classes", test_classes},
        {"scopes with data", test_scopes},
    };
    return suite_run("bus visits", tests, sizeof(tests) / sizeof(tests[0]));
}
