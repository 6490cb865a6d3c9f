/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks added as a whole, as subscribers to beginnings and ends get them.
 *
 * test: alone=yes
 */
#include <string.h>

#include "support/task_run.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Records of one subscriber. */
struct got {
    unsigned n;
    st_type types[8];
    uint64_t numbers[8];
    tw_stime starts[8];
    uint64_t task_numbers[8];
    char kinds[8][8];
};

static void take(const st_record *record, void *arg)
{
    struct got *got = arg;
    st_task_record task;
    CU_ASSERT_TRUE_FATAL(st_task_unpack(record, &task));
    if (got->n < 8) {
        got->types[got->n] = record->type;
        got->numbers[got->n] = record->number;
        got->starts[got->n] = task.start;
        got->task_numbers[got->n] = task.id.number;
        snprintf(got->kinds[got->n], sizeof got->kinds[0], "%s",
                 task.kind == NULL ? "" : task.kind);
        got->n++;
    }
}

static void subscribe(st_type type, st_class records, struct got *got)
{
    CU_ASSERT_EQUAL(st_subscribe(st_stream_find(ST_TASK_STREAM), type, records, take, got), ST_OK);
}

/* An event of LP 1 at time 5 that adds a task which began at 2. */
static void tell(struct fake_event *event, st_task_id *id)
{
    st_task_id none = {0, 0, 0};
    *id = none;
    fake_event_init(event, 0, 1, 0.0, 5.0, NULL);
    fake_enter(PROBE_IN_EVENT, event);
    CU_ASSERT_EQUAL(st_task_add(&fake.lps[1], id, none, "stay", "job", NULL, 2.0, NULL, 0), ST_OK);
    fake_execute(event);
    fake_leave();
}

static void test_both_ends(void)
{
    for (int records = ST_SPECULATIVE; records <= ST_COMMITTED; records++) {
        struct got both = {0}, ends = {0}, all = {0}, whole = {0};
        struct fake_event event;
        st_task_id id;
        begin();
        subscribe(ST_TASK_BEGIN, (st_class)records, &both);
        subscribe(ST_TASK_END, (st_class)records, &both);
        subscribe(ST_TASK_END, (st_class)records, &ends);
        subscribe(ST_ALL_TYPES, (st_class)records, &all);
        subscribe(ST_GRAPH, (st_class)records, &whole);
        subscribe(ST_TASK_BEGIN, (st_class)records, &whole); /* the subscriber has it already */
        tell(&event, &id);
        commit(&event);
        CU_ASSERT_EQUAL(both.n, 2);
        CU_ASSERT_EQUAL(both.types[0], ST_TASK_BEGIN);
        CU_ASSERT_EQUAL(both.types[1], ST_TASK_END);
        CU_ASSERT_EQUAL(both.numbers[0], both.numbers[1]);
        CU_ASSERT_EQUAL(both.starts[0], 2.0);
        CU_ASSERT_STRING_EQUAL(both.kinds[0], "stay");
        CU_ASSERT_EQUAL(both.task_numbers[1], id.number);
        CU_ASSERT_EQUAL(ends.n, 1);
        CU_ASSERT_EQUAL(ends.types[0], ST_TASK_END);
        CU_ASSERT_EQUAL(all.n, 1);
        CU_ASSERT_EQUAL(all.types[0], ST_GRAPH);
        CU_ASSERT_EQUAL(all.numbers[0], both.numbers[0]);
        CU_ASSERT_EQUAL(whole.n, 1);
        CU_ASSERT_EQUAL(whole.types[0], ST_GRAPH);
        fake_end();
    }
}

/* No state remains after the last subscriber has left, and records resume for the next one. */
static void test_comes_and_goes(void)
{
    struct got got = {0};
    struct fake_event event;
    st_task_id id;
    begin();
    st_stream_id stream = st_stream_find(ST_TASK_STREAM);
    CU_ASSERT_FALSE(st_enabled(stream, ST_GRAPH));
    subscribe(ST_TASK_BEGIN, ST_COMMITTED, &got);
    CU_ASSERT_TRUE(st_enabled(stream, ST_GRAPH));
    CU_ASSERT_EQUAL(st_unsubscribe(stream, ST_TASK_BEGIN, ST_COMMITTED, take, &got), ST_OK);
    CU_ASSERT_FALSE(st_enabled(stream, ST_GRAPH));
    CU_ASSERT_FALSE(st_listened(stream));
    CU_ASSERT_EQUAL(st_subscribe(stream, ST_TASK_BEGIN, ST_COMMITTED, take, &got), ST_RESTORED);
    tell(&event, &id);
    CU_ASSERT_EQUAL(got.n, 0);
    commit(&event);
    CU_ASSERT_EQUAL(got.n, 1);
    fake_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"subscribers to both ends get both", test_both_ends},
        {"subscriptions that come and go", test_comes_and_goes},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("whole tasks", tests, COUNT(tests));
    MPI_Finalize();
    return status;
}
