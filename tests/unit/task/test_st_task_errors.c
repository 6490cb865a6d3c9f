/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks: results of invalid calls, and tracers that are destroyed during a delivery.
 *
 * test: alone=yes
 */
#include "support/task_run.h"

/* ---- Wrong calls ----------------------------------------------------------------------------- */

/* Each kind of misuse has its result, and changes nothing. */
static void test_wrong_calls(void)
{
    st_tracer *tracer;
    struct fake_event event, other;
    st_task_id none = {0, 0, 0}, task, elsewhere, untouched = {7, 7, 7};
    begin();
    tw_lp *lp = &fake.lps[2];
    CU_ASSERT_EQUAL(st_tracer_create("count", &tracer, NULL, 0), ST_OK);
    CU_ASSERT_EQUAL(st_tracer_attach(tracer), ST_OK);
    fake_event_init(&other, 0, 5, 0.0, 4.0, NULL);
    fake_enter(PROBE_IN_EVENT, &other);
    CU_ASSERT_EQUAL(st_task_begin(&fake.lps[5], none, "a", "b", NULL, &elsewhere), ST_OK);
    fake_execute(&other);
    fake_event_init(&event, 0, 2, 0.0, 5.0, NULL);
    fake_enter(PROBE_IN_EVENT, &event);
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "a", "b", NULL, &task), ST_OK);
    size_t n_open = task_context()->open.n;
    uint64_t numbers = fake.numbers[2];
    static const char *const empty[] = {NULL, ""};
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(st_task_begin(lp, none, empty[i], "b", NULL, &untouched), ST_INVALID);
        CU_ASSERT_EQUAL(st_task_begin(lp, none, "a", empty[i], NULL, &untouched), ST_INVALID);
        CU_ASSERT_EQUAL(st_task_add(lp, &untouched, none, empty[i], "b", NULL, 1, NULL, 0),
                        ST_INVALID);
        CU_ASSERT_EQUAL(st_task_add(lp, &untouched, none, "a", empty[i], NULL, 1, NULL, 0),
                        ST_INVALID);
        CU_ASSERT_EQUAL(st_task_step(lp, task, empty[i]), ST_INVALID);
        CU_ASSERT_EQUAL(st_task_detail(lp, task, empty[i]), ST_INVALID);
        CU_ASSERT_EQUAL(st_request_initiate(lp, none, empty[i], &untouched), ST_INVALID);
        CU_ASSERT_EQUAL(st_request_receive(lp, task, empty[i]), ST_INVALID);
    }
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "a", "b", NULL, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_tracer_attach(NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_tracer_filter(NULL, NULL, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_request_initiate(lp, none, "a", NULL), ST_INVALID);
    st_task_id unknown = {lp->gid + 1, 99, 0};
    const st_task_id strange[] = {none, unknown, elsewhere, {lp->gid + 1, task.number, 4}};
    for (size_t i = 0; i < sizeof(strange) / sizeof(strange[0]); i++) {
        CU_ASSERT_EQUAL(st_task_step(lp, strange[i], "s"), ST_NOT_FOUND);
        CU_ASSERT_EQUAL(st_task_detail(lp, strange[i], "s"), ST_NOT_FOUND);
        CU_ASSERT_EQUAL(st_task_end(lp, strange[i]), ST_NOT_FOUND);
        CU_ASSERT_EQUAL(st_request_complete(lp, strange[i]), ST_NOT_FOUND);
        CU_ASSERT_EQUAL(st_request_finalize(lp, strange[i]), ST_NOT_FOUND);
    }
    CU_ASSERT_EQUAL(st_task_end(&fake.lps[5], elsewhere),
                    ST_WRONG_STATE); /* not the handler of this LP */
    CU_ASSERT_EQUAL(task_context()->open.n, n_open);
    CU_ASSERT_EQUAL(fake.numbers[2], numbers);
    CU_ASSERT(untouched.lp == 7 && untouched.number == 7 && untouched.from == 7);
    CU_ASSERT_EQUAL(st_task_end(lp, task), ST_OK);
    CU_ASSERT_EQUAL(st_task_end(lp, task), ST_NOT_FOUND); /* a second end */
    CU_ASSERT_EQUAL(st_task_step(lp, task, "late"), ST_NOT_FOUND);
    fake_execute(&event);
    fake_leave();
    commit(&other);
    commit(&event);
    CU_ASSERT_EQUAL(task_context()->book.open.n, 1);
    st_tracer_destroy(tracer);
    fake_finish();
    fake_end();
}

/* Without subscribers only these errors are detected: strings, and the context of the call. */
static void test_wrong_calls_without_subscriber(void)
{
    struct fake_event event;
    st_task_id none = {0, 0, 0}, id, unknown = {3, 99, 0};
    begin();
    tw_lp *lp = &fake.lps[2];
    fake_event_init(&event, 0, 2, 0.0, 5.0, NULL);
    fake_enter(PROBE_IN_EVENT, &event);
    CU_ASSERT_EQUAL(st_task_end(lp, unknown), ST_OK);
    CU_ASSERT_EQUAL(st_task_step(lp, unknown, "s"), ST_OK);
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "", "b", NULL, &id), ST_INVALID);
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "a", "b", NULL, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_request_initiate(lp, none, "a", NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_task_end(&fake.lps[5], unknown), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(task_context()->open.n, 0);
    fake_leave();
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "a", "b", NULL, &id), ST_WRONG_STATE);
    fake_finish();
    fake_end();
}

/* ---- Tracers that go ------------------------------------------------------------------------- */

struct destroyer {
    st_tracer *victims[3];
    unsigned asked;
};

/* A filter that destroys tracers, also its own, at the second task. */
static bool destroy_some(const st_task_record *task, void *arg)
{
    struct destroyer *d = arg;
    if (++d->asked == 2) {
        for (int i = 0; i < 3; i++) {
            st_tracer_destroy(d->victims[i]);
        }
    }
    return task->kind[0] == 'a';
}

static void count_begun(const st_tracer_row *row, void *arg)
{
    *(uint64_t *)arg += row->begun;
}

/* first .. last: the tracers that are destroyed, of five. The remaining ones miss no task. */
static void destroy_from_filter(unsigned first, unsigned last, bool is_whole)
{
    struct destroyer d = {.asked = 0};
    st_tracer *tracers[5];
    struct fake_event event;
    st_task_id none = {0, 0, 0}, ids[4];
    st_step steps[1] = {{1.0, "s"}};
    begin();
    for (unsigned i = 0; i < 5; i++) {
        CU_ASSERT_EQUAL(st_tracer_create(i % 2 == 0 ? "steps" : "busy", &tracers[i], NULL, 0),
                        ST_OK);
        CU_ASSERT_EQUAL(st_tracer_filter(tracers[i], i == 1 ? destroy_some : NULL, &d), ST_OK);
        CU_ASSERT_EQUAL(st_tracer_attach(tracers[i]), ST_OK);
    }
    for (unsigned i = first; i <= last; i++) {
        d.victims[i - first] = tracers[i];
    }
    fake_event_init(&event, 0, 1, 0.0, 5.0, NULL);
    fake_enter(PROBE_IN_EVENT, &event);
    for (unsigned i = 0; i < 4; i++) {
        ids[i] = none;
        st_result result =
            is_whole ? st_task_add(&fake.lps[1], &ids[i], none, "a", "b", NULL, 1.0, steps, 1)
                     : st_task_begin(&fake.lps[1], none, "a", "b", NULL, &ids[i]);
        CU_ASSERT_EQUAL(result, ST_OK);
        CU_ASSERT(is_whole || st_task_step(&fake.lps[1], ids[i], "s") == ST_OK);
    }
    fake_execute(&event);
    fake_leave();
    commit(&event);
    CU_ASSERT_EQUAL(d.asked, first <= 1 && last >= 1 ? 2 : 4);
    for (unsigned i = 0; i < 5; i++) {
        if (i < first || i > last) {
            uint64_t begun = 0;
            st_tracer_read(tracers[i], 5.0, count_begun, &begun);
            CU_ASSERT_EQUAL(begun, 4);
            st_tracer_destroy(tracers[i]);
        }
    }
    CU_ASSERT_EQUAL(task_context()->book.n_sinks, 0);
    CU_ASSERT_FALSE(st_enabled(st_stream_find(ST_TASK_STREAM), ST_TASK));
    fake_finish();
    fake_end();
}

static void test_destroyed_from_filter(void)
{
    for (int whole = 0; whole < 2; whole++) {
        destroy_from_filter(1, 1, whole != 0); /* its own tracer */
        destroy_from_filter(0, 2, whole != 0); /* also its neighbours */
        destroy_from_filter(2, 4, whole != 0); /* later tracers */
        destroy_from_filter(0, 0, whole != 0);
    }
}

/* The only tracer: the last subscriber is removed during a record. */
static void test_last_destroyed_from_filter(void)
{
    struct destroyer d = {.asked = 1};
    struct fake_event event;
    st_task_id none = {0, 0, 0}, id;
    begin();
    CU_ASSERT_EQUAL(st_tracer_create("busy", &d.victims[0], NULL, 0), ST_OK);
    CU_ASSERT_EQUAL(st_tracer_filter(d.victims[0], destroy_some, &d), ST_OK);
    CU_ASSERT_EQUAL(st_tracer_attach(d.victims[0]), ST_OK);
    fake_event_init(&event, 0, 1, 0.0, 5.0, NULL);
    fake_enter(PROBE_IN_EVENT, &event);
    CU_ASSERT_EQUAL(st_task_begin(&fake.lps[1], none, "a", "b", NULL, &id), ST_OK);
    CU_ASSERT_EQUAL(st_task_begin(&fake.lps[1], none, "a", "b", NULL, &id), ST_OK);
    fake_execute(&event);
    fake_leave();
    commit(&event);
    CU_ASSERT_EQUAL(d.asked, 2);
    CU_ASSERT_EQUAL(task_context()->book.open.n, 0);
    CU_ASSERT_FALSE(st_enabled(st_stream_find(ST_TASK_STREAM), ST_TASK));
    fake_finish();
    fake_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"wrong calls", test_wrong_calls},
        {"wrong calls without a subscriber", test_wrong_calls_without_subscriber},
        {"tracers that a filter destroys", test_destroyed_from_filter},
        {"the last tracer goes", test_last_destroyed_from_filter},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("task errors", tests, sizeof(tests) / sizeof(tests[0]));
    MPI_Finalize();
    return status;
}
