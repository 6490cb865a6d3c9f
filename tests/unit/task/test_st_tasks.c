/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks, case by case: ids, requests, ancestors, observers, texts.
 *
 * test: alone=yes
 */
#include "support/task_run.h"

/* ---- Observers ------------------------------------------------------------------------------- */

/* A subscriber to LP 1's task tries to begin, extend and end tasks. */
static void meddle(const st_record *record, void *arg)
{
    st_task_id none = {0, 0, 0}, id = none;
    tw_lp *lp = &fake.lps[1];
    (void)record;
    if (++*(unsigned *)arg > 4) {
        return; /* a call for a task of LP 1 itself */
    }
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "a", "b", NULL, &id), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_task_add(lp, &id, none, "a", "b", NULL, 1.0, NULL, 0), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_task_step(lp, id, "c"), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_task_detail(lp, id, "c"), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_task_end(lp, id), ST_WRONG_STATE);
}

/* The ids of a model's tasks do not depend on observers. */
static void test_observers_make_no_tasks(void)
{
    unsigned n = 0;
    struct fake_event event;
    st_task_id none = {0, 0, 0}, first, second;
    begin();
    tw_lp *lp = &fake.lps[1];
    CU_ASSERT_EQUAL(
        st_subscribe(st_stream_find(ST_TASK_STREAM), ST_ALL_TYPES, ST_SPECULATIVE, meddle, &n),
        ST_OK);
    fake_event_init(&event, 0, 1, 0.0, 5.0, NULL);
    fake_enter(PROBE_IN_EVENT, &event);
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "a", "b", NULL, &first), ST_OK);
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "a", "b", NULL, &second), ST_OK);
    CU_ASSERT_EQUAL(second.number, first.number + 1);
    CU_ASSERT_EQUAL(n, 2);
    fake_execute(&event);
    fake_leave();
    commit(&event);
    fake_finish();
    fake_end();
}

/* ---- Ids, requests, ancestors ---------------------------------------------------------------- */

static void ignore(const st_record *record, void *arg)
{
    (void)record;
    (void)arg;
}

/* Subscribers added before the run count from its beginning. */
static void test_listened_before(void)
{
    st_tracer *tracer;
    fake_begin(N_LPS);
    CU_ASSERT_FALSE(st_task_listened());
    CU_ASSERT_EQUAL(st_tracer_create("count", &tracer, NULL, 0), ST_OK);
    CU_ASSERT_FALSE(st_task_listened());
    CU_ASSERT_EQUAL(st_tracer_attach(tracer), ST_OK);
    CU_ASSERT_TRUE(st_task_listened());
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    fake_leave();
    CU_ASSERT_TRUE(st_task_listened());
    st_tracer_destroy(tracer);
    CU_ASSERT_FALSE(st_task_listened());
    fake_finish();
    fake_end();
}

/* Tasks one after another use the same memory in the book. */
static void test_other_kinds(void)
{
    st_tracer *tracer;
    struct fake_event event;
    st_task_id none = {0, 0, 0}, id;
    begin();
    CU_ASSERT_EQUAL(st_tracer_create("count:kind=c", &tracer, NULL, 0), ST_OK);
    CU_ASSERT_EQUAL(st_tracer_attach(tracer), ST_OK);
    for (unsigned i = 0; i < 4; i++) {
        fake_event_init(&event, 0, 3, 0.0, 5.0 + i, NULL);
        fake_enter(PROBE_IN_EVENT, &event);
        CU_ASSERT_EQUAL(st_task_begin(&fake.lps[3], none, i % 2 == 0 ? "a" : "b", "x", NULL, &id),
                        ST_OK);
        CU_ASSERT_EQUAL(st_task_end(&fake.lps[3], id), ST_OK);
        fake_execute(&event);
        fake_leave();
        commit(&event);
    }
    CU_ASSERT_STRING_EQUAL(tracer->others, "a,b");
    fake_finish();
    fake_end();
    st_tracer_destroy(tracer);
}

static void test_ids(void)
{
    st_tracer *tracer;
    st_stream_id other;
    struct fake_event event;
    st_task_id none = {0, 0, 0}, listened[2], asked, chain, whole = none;
    begin();
    tw_lp *lp = &fake.lps[3];
    fake_event_init(&event, 0, 3, 0.0, 5.0, NULL);
    fake_enter(PROBE_IN_EVENT, &event);
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "a", "b", NULL, &listened[0]), ST_OK);
    CU_ASSERT_EQUAL(st_task_end(lp, none), ST_OK); /* no subscriber */
    CU_ASSERT_FALSE(st_task_listened());
    CU_ASSERT_EQUAL(st_stream_open("other", 1, 0, &other), ST_OK);
    CU_ASSERT_EQUAL(st_subscribe(other, ST_ALL_TYPES, ST_COMMITTED, ignore, NULL), ST_OK);
    CU_ASSERT_TRUE(st_trace_enabled());
    CU_ASSERT_FALSE(st_task_listened()); /* a subscription to another stream */
    CU_ASSERT_EQUAL(st_tracer_create("backtrace", &tracer, NULL, 0), ST_OK);
    CU_ASSERT_EQUAL(st_tracer_attach(tracer), ST_OK);
    CU_ASSERT_TRUE(st_task_listened());
    CU_ASSERT_EQUAL(st_task_end(lp, listened[0]), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "a", "b", NULL, &listened[1]), ST_OK);
    CU_ASSERT_EQUAL(listened[1].number, listened[0].number + 1);
    CU_ASSERT_EQUAL(listened[1].lp, lp->gid + 1);

    CU_ASSERT_EQUAL(st_request_initiate(lp, listened[1], "q", &asked), ST_OK);
    st_task_id in = st_request_in(asked, lp->gid);
    CU_ASSERT(in.number == asked.number && in.from == asked.lp && in.lp == lp->gid + 1);
    CU_ASSERT_FALSE(st_task_is_same(in, st_request_in(asked, lp->gid + 1)));
    CU_ASSERT(st_task_is_none(st_request_in(none, lp->gid)));
    CU_ASSERT_EQUAL(st_request_receive(lp, asked, "q"), ST_OK);
    CU_ASSERT_EQUAL(st_request_receive(lp, asked, "q"), ST_DUPLICATE);
    CU_ASSERT_EQUAL(st_task_begin(lp, in, "work", "w", "here", &chain), ST_OK);
    CU_ASSERT_EQUAL(st_task_add(lp, &chain, none, "a", "b", NULL, 1.0, NULL, 0), ST_DUPLICATE);
    CU_ASSERT_EQUAL(st_task_add(lp, &whole, in, "a", "b", NULL, 1.0, NULL, 0), ST_OK);
    CU_ASSERT_EQUAL(whole.number, chain.number + 1);
    fake_execute(&event);
    fake_leave();
    commit(&event);

    st_task_record tasks[8];
    CU_ASSERT_EQUAL(st_tracer_backtrace(tracer, chain, tasks, 8), 4);
    CU_ASSERT_STRING_EQUAL(tasks[0].kind, "work");
    CU_ASSERT_STRING_EQUAL(tasks[0].where, "here");
    CU_ASSERT_STRING_EQUAL(tasks[1].kind, "req_in");
    CU_ASSERT_STRING_EQUAL(tasks[2].kind, "req_out");
    CU_ASSERT_STRING_EQUAL(tasks[2].where, "lp.3");
    CU_ASSERT(st_task_is_same(tasks[3].id, listened[1]));
    CU_ASSERT_EQUAL(st_tracer_backtrace(tracer, chain, tasks, 2), 2);
    CU_ASSERT_EQUAL(st_tracer_backtrace(tracer, whole, tasks, 8), 0);
    CU_ASSERT_EQUAL(st_tracer_backtrace(tracer, none, tasks, 8), 0);

    fake_event_init(&event, 0, 3, 5.0, 6.0, NULL);
    fake_enter(PROBE_IN_EVENT, &event);
    CU_ASSERT_EQUAL(st_request_complete(lp, asked), ST_OK);
    CU_ASSERT_EQUAL(st_request_complete(lp, asked), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_request_finalize(lp, asked), ST_OK);
    fake_execute(&event);
    fake_leave();
    commit(&event);
    CU_ASSERT_EQUAL(st_tracer_backtrace(tracer, chain, tasks, 8), 1);
    fake_finish();
    fake_end();
    st_tracer_destroy(tracer); /* outlives the run */
}

/* Lists steps in the order of their first occurrence, with the number of tasks that had them. */
static void list_steps(const st_tracer_row *row, void *arg)
{
    char *text = arg;
    sprintf(text + strlen(text), "%s %d in %d;", row->step, (int)row->occurrences, (int)row->tasks);
}

static void test_order_of_steps(void)
{
    static const char *const steps[2][5] = {{"z", "m", "z", "z", "b"}, {"m", "a", "z", "m", "b"}};
    st_tracer *tracer;
    struct fake_event event;
    st_task_id none = {0, 0, 0}, id;
    char text[200] = "";
    begin();
    CU_ASSERT_EQUAL(st_tracer_create("steps", &tracer, NULL, 0), ST_OK);
    CU_ASSERT_EQUAL(st_tracer_attach(tracer), ST_OK);
    fake_event_init(&event, 0, 1, 0.0, 5.0, NULL);
    fake_enter(PROBE_IN_EVENT, &event);
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(st_task_begin(&fake.lps[1], none, "a", "b", NULL, &id), ST_OK);
        for (int k = 0; k < 5; k++) {
            CU_ASSERT_EQUAL(st_task_step(&fake.lps[1], id, steps[i][k]), ST_OK);
        }
    }
    fake_execute(&event);
    fake_leave();
    commit(&event);
    st_tracer_read(tracer, 5.0, list_steps, text);
    CU_ASSERT_STRING_EQUAL(text, "z 4 in 2;m 3 in 2;b 2 in 2;a 1 in 1;");
    st_tracer_destroy(tracer);
    fake_finish();
    fake_end();
}

static void test_specs(void)
{
    static const char *const bad[] = {
        "",         "buzy",         "busy:", "busy:kind",   "busy:kind=",
        "busy:a=b", "busy:kind=a,", "Busy",  "busy,kind=a", "count:kind=a,kind=b"};
    st_tracer *tracer = NULL;
    char error[200];
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        error[0] = '\0';
        CU_ASSERT_EQUAL(st_tracer_create(bad[i], &tracer, error, sizeof(error)), ST_INVALID);
        CU_ASSERT(strncmp(error, "--tracer=", 9) == 0 && strchr(error, '\n') == NULL);
        CU_ASSERT_PTR_NULL(tracer);
    }
    CU_ASSERT_EQUAL(st_tracer_create(NULL, &tracer, NULL, 0), ST_INVALID);
    st_tracer_destroy(NULL);
}

/* Commas and semicolons in patterns, behind a backslash. */
static void test_escapes(void)
{
    static const struct {
        const char *spec, *kind, *what;
        bool fits;
    } cases[] = {{"count:kind=a\\,b", "a,b", "x", true},
                 {"count:kind=a\\,b", "a", "x", false},
                 {"count:kind=a\\,b,what=c\\;d", "a,b", "c;d", true},
                 {"count:kind=a\\,b,what=c\\;d", "a,b", "c", false},
                 {"count:what=a\\\\,kind=b", "b", "a\\", true},
                 {"count:what=*\\,what=?", "b", "z,what=q", true}};
    char error[200];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tracer_spec spec;
        const struct task task = {.kind = cases[i].kind, .what = cases[i].what, .where = "w"};
        const char *text = cases[i].spec;
        CU_ASSERT_EQUAL(tracer_spec_length(text, ';'), strlen(text));
        CU_ASSERT_EQUAL_FATAL(tracer_spec_read(&spec, text, strlen(text), error, sizeof(error)),
                              TW_OK);
        CU_ASSERT_EQUAL(tracer_spec_fits(&spec, &task), cases[i].fits);
        tracer_spec_fini(&spec);
    }
    CU_ASSERT_EQUAL(tracer_spec_length("busy:kind=a;count", ';'), 11);
    CU_ASSERT_EQUAL(tracer_spec_length("busy:kind=a\\;b;count", ';'), 14);
    CU_ASSERT_EQUAL(tracer_spec_length("busy\\", ';'), 5);
}

/* Records contain the strings of the call, cut at the end of a character if too long. */
static void take_text(const st_record *record, void *arg)
{
    st_task_record task;
    CU_ASSERT(st_task_unpack(record, &task));
    CU_ASSERT_EQUAL(record->size % 8, 0);
    if (task.kind != NULL) {
        CU_ASSERT_EQUAL(strlen(task.kind), ST_TASK_TEXT_MAX - 1);
        CU_ASSERT_STRING_EQUAL(task.what, "w");
        ++*(unsigned *)arg;
    }
    for (size_t i = 0; i < task.n_steps; i++) {
        st_step step = st_task_record_step(&task, i);
        CU_ASSERT(step.ts >= 1.0 && step.ts <= 5.0);
        CU_ASSERT_EQUAL(strlen(step.what), ST_STEP_TEXT_MAX);
        ++*(unsigned *)arg;
    }
}

static void test_long_texts(void)
{
    static char text[3000], step_text[300];
    st_step steps[ST_TASK_STEPS_MAX + 1];
    struct fake_event event;
    st_task_id none = {0, 0, 0}, id = none;
    unsigned n = 0;
    begin();
    for (size_t i = 0; i + 2 < sizeof(text); i += 2) {
        memcpy(text + i, "\xc3\xa9", 2);
    }
    memset(step_text, 's', sizeof(step_text) - 1);
    for (size_t i = 0; i <= ST_TASK_STEPS_MAX; i++) {
        steps[i] = (st_step){1.0 + (double)i / 100.0, step_text};
    }
    CU_ASSERT_EQUAL(
        st_subscribe(st_stream_find(ST_TASK_STREAM), ST_ALL_TYPES, ST_SPECULATIVE, take_text, &n),
        ST_OK);
    fake_event_init(&event, 0, 1, 0.0, 5.0, NULL);
    fake_enter(PROBE_IN_EVENT, &event);
    tw_lp *lp = &fake.lps[1];
    CU_ASSERT_EQUAL(st_task_add(lp, &id, none, text, "w", text, 1.0, steps, ST_TASK_STEPS_MAX),
                    ST_OK);
    CU_ASSERT_EQUAL(n, ST_TASK_STEPS_MAX + 1);
    CU_ASSERT_EQUAL(st_task_add(lp, NULL, none, text, "w", text, 1.0, steps, ST_TASK_STEPS_MAX + 1),
                    ST_INVALID);
    fake_execute(&event);
    fake_leave();
    commit(&event);
    fake_finish();
    fake_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"observers make no tasks", test_observers_make_no_tasks},
        {"ids, requests, ancestors", test_ids},
        {"kinds that a tracer leaves out", test_other_kinds},
        {"subscribers before the run", test_listened_before},
        {"order of steps", test_order_of_steps},
        {"texts that name tracers", test_specs},
        {"commas in patterns", test_escapes},
        {"long texts", test_long_texts},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("tasks", tests, sizeof(tests) / sizeof(tests[0]));
    MPI_Finalize();
    return status;
}
