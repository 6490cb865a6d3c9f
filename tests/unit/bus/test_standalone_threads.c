/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bus in a program without a simulation: several threads emit, subscribe, unsubscribe, open and
 * close streams at the same time.
 *
 * test: libs=warpscope_bus
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "st_bus.h"
#include "support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

#define THREADS 4
#define RECORDS 20000
#define ROUNDS  300
#define CANARY  0x5ca1ab1eu

static st_stream_id stream;
static uint64_t n_all, n_tasks, wrong; /* this and the following: atomic */
static uint64_t n_emitted, n_tasks_emitted, n_changing;

static void add(uint64_t *to, uint64_t n)
{
    __atomic_fetch_add(to, n, __ATOMIC_RELAXED);
}

static uint64_t take(uint64_t *from)
{
    return __atomic_exchange_n(from, 0, __ATOMIC_RELAXED);
}

/* Checks that a record has the thread's number, its own number, and the right point. */
static void check(const st_record *record, void *arg)
{
    uint64_t data[2];
    memcpy(data, record->data, sizeof data);
    bool is_right = record->stream == stream && record->size == sizeof data && data[0] < THREADS &&
                    record->lp == ST_NO_LP &&
                    strcmp(st_string_text(record->point->function), "emit_all") == 0;
    add(&wrong, !is_right);
    add(arg, 1);
}

struct flapping {
    uint32_t canary;
};

static void flap(const st_record *record, void *arg)
{
    struct flapping *mine = arg;
    add(&wrong, mine->canary != CANARY);
    if (((const uint64_t *)record->data)[1] % 16 == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
        add(&wrong, mine->canary != CANARY);
    }
}

/* Emits until the threads that change subscriptions have ended. */
static void *emit_all(void *arg)
{
    uint64_t i = 0;
    for (; i < RECORDS || __atomic_load_n(&n_changing, __ATOMIC_RELAXED) > 0; i++) {
        const uint64_t data[2] = {(uint64_t)(uintptr_t)arg, i};
        ST_NOTIFY(stream, i % 2 == 0 ? ST_TASK : ST_NODE, ST_POINT(), data, sizeof data);
    }
    add(&n_emitted, i);
    add(&n_tasks_emitted, (i + 1) / 2);
    return NULL;
}

/* Subscribes with memory that becomes invalid after st_settle() has returned. */
static void *flap_all(void *arg)
{
    (void)arg;
    struct flapping *all = calloc(ROUNDS, sizeof *all);
    for (int i = 0; i < ROUNDS; i++) {
        struct flapping *mine = &all[i];
        mine->canary = CANARY;
        add(&wrong, st_subscribe(stream, ST_ALL_TYPES, ST_SPECULATIVE, flap, mine) > ST_RESTORED);
        add(&wrong, !st_enabled(stream, ST_QUEUE));
        add(&wrong, st_unsubscribe(stream, ST_ALL_TYPES, ST_SPECULATIVE, flap, mine) != ST_OK);
        add(&wrong, st_settle() != ST_OK);
        mine->canary = 0;
    }
    free(all);
    add(&n_changing, (uint64_t)-1);
    return NULL;
}

/* Tables: all threads create the same entries. */
static void *fill_tables(void *arg)
{
    (void)arg;
    for (unsigned i = 0; i < ROUNDS; i++) {
        char text[32];
        st_stream_id id;
        st_type type;
        snprintf(text, sizeof text, "text %u", i);
        add(&wrong, strcmp(st_string_text(st_string(text)), text) != 0);
        const st_point *point = st_point_make(text, "file.c", i, 0, NULL);
        add(&wrong, point == NULL || st_point_by_id(point->id) != point);
        add(&wrong, st_point_set(point, "key", "value") > ST_DUPLICATE);
        add(&wrong, strcmp(st_point_get(point, "key"), "value") != 0);
        st_kind kind;
        add(&wrong, st_kind_register("tool", i % 128, &kind) > ST_DUPLICATE);
        add(&wrong, st_point_describe(point, kind, ST_ACTIVITY_SLEEP) > ST_DUPLICATE);
        add(&wrong, st_point_attach(point, &text, &type) != ST_OK);
        add(&wrong, st_point_attached(point, &text) != &type);
        add(&wrong, st_point_attach(point, &text, NULL) != ST_DUPLICATE);
        add(&wrong, st_type_register("tool", i % 128, &type) > ST_DUPLICATE);
        add(&wrong, strncmp(st_type_name(type), "tool ", 5) != 0);
        add(&wrong, st_stream_open(text, 1, 0, &id) > ST_DUPLICATE);
        add(&wrong, strcmp(st_stream_name(id), text) != 0);
        add(&wrong, st_stream_close(text) != ST_OK);
    }
    return NULL;
}

static void run(void *(*const bodies[])(void *), size_t n)
{
    pthread_t threads[THREADS * 3];
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_EQUAL_FATAL(
            pthread_create(&threads[i], NULL, bodies[i], (void *)(uintptr_t)(i % THREADS)), 0);
    }
    for (size_t i = 0; i < n; i++) {
        pthread_join(threads[i], NULL);
    }
}

/* Permanent subscribers get each record once, whatever other threads do. */
static void test_all_at_once(void)
{
    void *(*const bodies[])(void *) = {emit_all, emit_all, emit_all,    emit_all,
                                       flap_all, flap_all, fill_tables, fill_tables};
    CU_ASSERT_EQUAL(st_subscribe(stream, ST_ALL_TYPES, ST_COMMITTED, check, &n_all), ST_OK);
    CU_ASSERT_EQUAL(st_subscribe(stream, ST_TASK, ST_SPECULATIVE, check, &n_tasks), ST_OK);
    n_changing = 2;
    run(bodies, COUNT(bodies));
    CU_ASSERT_EQUAL(take(&wrong), 0);
    CU_ASSERT_EQUAL(take(&n_all), n_emitted);
    CU_ASSERT_EQUAL(take(&n_tasks), n_tasks_emitted);
    CU_ASSERT_EQUAL(st_unsubscribe(stream, ST_ALL_TYPES, ST_COMMITTED, check, &n_all), ST_OK);
    CU_ASSERT_EQUAL(st_unsubscribe(stream, ST_TASK, ST_SPECULATIVE, check, &n_tasks), ST_OK);
    CU_ASSERT_FALSE(st_listened(stream));
    CU_ASSERT_FALSE(st_trace_enabled());
}

/* ---- Visits ---------------------------------------------------------------------------------- */

#define VISITS 1000

static uint64_t visits[THREADS][VISITS];

static void ignore(const st_record *record, void *arg)
{
    (void)record, (void)arg;
}

static void *visit_all(void *arg)
{
    uint64_t *mine = visits[(uintptr_t)arg];
    for (unsigned i = 0; i < VISITS; i++) {
        ST_NOTIFY_INSTANCE(stream, ST_TASK_BEGIN, NULL, ST_POINT(), &mine[i], NULL, 0);
        const uint64_t begun = mine[i];
        ST_NOTIFY_INSTANCE(stream, ST_TASK_END, NULL, ST_POINT(), &mine[i], &"odd"[1], 2);
        add(&wrong, begun == 0 || mine[i] != begun);
    }
    return NULL;
}

static int compare(const void *a, const void *b)
{
    const uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

/* No two visits have the same instance, in one thread or in several. */
static void test_visits(void)
{
    void *(*const bodies[])(void *) = {visit_all, visit_all, visit_all, visit_all};
    CU_ASSERT_EQUAL(st_subscribe(stream, ST_TASK, ST_COMMITTED, ignore, NULL), ST_OK);
    run(bodies, COUNT(bodies));
    CU_ASSERT_EQUAL(st_unsubscribe(stream, ST_TASK, ST_COMMITTED, ignore, NULL), ST_OK);
    CU_ASSERT_EQUAL(take(&wrong), 0);
    uint64_t *all = &visits[0][0];
    size_t same = 0;
    qsort(all, THREADS * VISITS, sizeof *all, compare);
    for (size_t i = 1; i < THREADS * VISITS; i++) {
        same += all[i] == all[i - 1];
    }
    CU_ASSERT_EQUAL(same, 0);
}

/* ---- One after the other --------------------------------------------------------------------- */

static st_result in_callback[3];

static void try_all(const st_record *record, void *arg)
{
    (void)arg;
    st_stream_id id;
    in_callback[0] = st_settle();
    in_callback[1] = st_stream_open("another", 1, 0, &id);
    in_callback[2] = st_stream_close("threads");
    st_unsubscribe(record->stream, ST_ALL_TYPES, ST_SPECULATIVE, try_all, NULL);
    st_notify(record->stream, ST_NODE, NULL, NULL, 0); /* no subscriber is left */
}

static void test_callbacks(void)
{
    CU_ASSERT_EQUAL(st_subscribe(stream, ST_ALL_TYPES, ST_SPECULATIVE, try_all, NULL), ST_OK);
    CU_ASSERT_EQUAL(st_notify(stream, ST_TASK, NULL, NULL, 0), ST_OK);
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(in_callback[i], ST_WRONG_STATE);
    }
    CU_ASSERT_FALSE(st_enabled(stream, ST_TASK));
    CU_ASSERT_EQUAL(st_subscribe(stream, ST_ALL_TYPES, ST_SPECULATIVE, try_all, NULL), ST_RESTORED);
    CU_ASSERT_EQUAL(st_unsubscribe(stream, ST_ALL_TYPES, ST_SPECULATIVE, try_all, NULL), ST_OK);
    CU_ASSERT_EQUAL(st_settle(), ST_OK);
}

static void *end_inside(void *arg)
{
    (void)arg;
    st_notify(stream, ST_TASK, NULL, NULL, 0);
    return NULL;
}

static void leave_thread(const st_record *record, void *arg)
{
    (void)record, (void)arg;
    pthread_exit(NULL);
}

/* A thread that ends inside a callback blocks no other thread. */
static void test_thread_ends_inside(void)
{
    void *(*const bodies[])(void *) = {end_inside};
    CU_ASSERT_EQUAL(st_subscribe(stream, ST_TASK, ST_SPECULATIVE, leave_thread, NULL), ST_OK);
    run(bodies, 1);
    run(bodies, 1);
    CU_ASSERT_EQUAL(st_settle(), ST_OK);
    CU_ASSERT_EQUAL(st_unsubscribe(stream, ST_TASK, ST_SPECULATIVE, leave_thread, NULL), ST_OK);
}

static void test_errors(void)
{
    static char data[65537];
    CU_ASSERT_EQUAL(st_subscribe(stream, ST_TASK, ST_SPECULATIVE, NULL, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_subscribe(999, ST_TASK, ST_SPECULATIVE, check, &n_all), ST_INVALID);
    CU_ASSERT_EQUAL(st_unsubscribe(999, ST_TASK, ST_SPECULATIVE, check, NULL), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_stream_close("unheard of"), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_stream_find("unheard of"), 0);
    CU_ASSERT_EQUAL(st_notify(0, ST_TASK, NULL, NULL, 0), ST_OK);
    CU_ASSERT_EQUAL(st_subscribe(stream, ST_TASK, ST_SPECULATIVE, try_all, data), ST_OK);
    CU_ASSERT_EQUAL(st_notify(stream, ST_TASK, NULL, data, sizeof data), ST_INVALID);
    CU_ASSERT_EQUAL(st_notify(stream, ST_TASK, NULL, NULL, 1), ST_INVALID);
    CU_ASSERT_EQUAL(st_unsubscribe(stream, ST_TASK, ST_SPECULATIVE, try_all, data), ST_OK);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"all at once", test_all_at_once}, {"visits of threads", test_visits},
        {"callbacks", test_callbacks},     {"a thread ends inside", test_thread_ends_inside},
        {"errors", test_errors},
    };
    if (st_stream_open("threads", 1, 0, &stream) != ST_OK) {
        return EXIT_FAILURE;
    }
    return suite_run("standalone threads", tests, COUNT(tests));
}
