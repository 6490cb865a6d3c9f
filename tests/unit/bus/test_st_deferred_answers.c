/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The time of delivery, case by case: outside events, records emitted by subscribers, the number of
 * deferred records, and the release of all of them without subscribers.
 *
 * test: alone=yes
 */
#include "support/deferred_seen.h"
#include "support/suite.h"

#define N_LPS     12u
#define N_STREAMS 2u

/* The first records that a subscriber got. */
struct got {
    struct seen seen[8];
    unsigned n;
};

static st_stream_id streams[N_STREAMS];

static void on_record(const st_record *record, void *arg)
{
    struct got *got = arg;
    if (got->n < 8) {
        got->seen[got->n] = seen_of(record);
    }
    got->n++;
}

static void begin(void)
{
    fake_begin(N_LPS);
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    st_stream_open("asked", 1, 0, &streams[0]);
    st_stream_open("answered", 1, 0, &streams[1]);
    fake_leave();
}

/* Init and final deliver at once; outside of LPs there is no LP. */
static void test_at_once(void)
{
    begin();
    struct got got[2] = {{.n = 0}};
    st_subscribe(streams[0], ST_ALL_TYPES, ST_SPECULATIVE, on_record, &got[0]);
    st_subscribe(streams[0], ST_ALL_TYPES, ST_COMMITTED, on_record, &got[1]);
    fake.now = (struct probe_now){PROBE_IN_INIT, &fake.lps[5], 0.0};
    ST_NOTIFY(streams[0], ST_NODE, NULL, NULL, 0);
    ST_NOTIFY(streams[0], ST_NODE, NULL, NULL, 0);
    fake.now = (struct probe_now){PROBE_IN_FINAL, &fake.lps[5], 9.0};
    ST_NOTIFY(streams[0], ST_NODE, NULL, NULL, 0);
    fake_leave();
    ST_NOTIFY(streams[0], ST_NODE, NULL, NULL, 0);
    for (unsigned i = 0; i < 2; i++) {
        const struct seen *seen = got[i].seen;
        CU_ASSERT_EQUAL_FATAL(got[i].n, 4);
        CU_ASSERT(seen[0].lp == 5 && seen[0].number == 1 && seen[1].number == 2);
        CU_ASSERT(seen[2].lp == 5 && seen[2].number == ST_NUMBER_SETTLED + 1 && seen[2].ts > 8.0);
        CU_ASSERT(seen[3].lp == ST_NO_LP && seen[3].number == 0);
    }
    CU_ASSERT_EQUAL(deferred_check(&g_st_deferred), 0);
    fake_finish();
    fake_end();
}

/* Subscribers emit this record, with the position of the record that they were called for. */

static void answer(const st_record *record, void *arg)
{
    (void)record;
    st_notify(streams[1], ST_EDGE, NULL, arg, 1);
}

static void test_answers(void)
{
    struct got answers = {.n = 0};
    static char speculative[8] = "s";
    static char committing[8] = "c";
    struct fake_event event;
    begin();
    st_subscribe(streams[0], ST_NODE, ST_SPECULATIVE, answer, speculative);
    st_subscribe(streams[0], ST_NODE, ST_COMMITTED, answer, committing);
    st_subscribe(streams[1], ST_EDGE, ST_COMMITTED, on_record, &answers);
    fake_event_init(&event, 0, 3, 0.0, 2.0, NULL);
    fake_enter(PROBE_IN_EVENT, &event);
    ST_NOTIFY(streams[0], ST_NODE, NULL, NULL, 0);
    fake_leave();
    CU_ASSERT_EQUAL(answers.n, 0);
    fake_commit(&event);
    CU_ASSERT_EQUAL_FATAL(answers.n, 2);
    /* The committed subscriber answers the delivered record; the speculative one emitted inside
     * the handler. */
    CU_ASSERT(answers.seen[0].sum == sum_of(committing, 1) && answers.seen[0].number == 1);
    CU_ASSERT(answers.seen[1].sum == sum_of(speculative, 1) && answers.seen[1].number == 1);
    CU_ASSERT(answers.seen[0].lp == 3 && answers.seen[0].ts > 1.9 && answers.seen[0].ts < 2.1);
    fake_finish();
    fake_end();
}

/* A record that a subscriber emits during init follows the record that it was called for. */
static void test_answers_at_init(void)
{
    struct got answers = {.n = 0};
    static char speculative[8] = "s";
    begin();
    st_subscribe(streams[0], ST_NODE, ST_SPECULATIVE, answer, speculative);
    st_subscribe(streams[0], ST_NODE, ST_COMMITTED, on_record, &answers);
    st_subscribe(streams[1], ST_EDGE, ST_COMMITTED, on_record, &answers);
    fake.now = (struct probe_now){PROBE_IN_INIT, &fake.lps[3], 0.0};
    ST_NOTIFY(streams[0], ST_NODE, NULL, NULL, 0);
    fake_leave();
    CU_ASSERT_EQUAL_FATAL(answers.n, 2);
    CU_ASSERT(answers.seen[0].type == ST_NODE && answers.seen[0].number == 1);
    CU_ASSERT(answers.seen[1].type == ST_EDGE && answers.seen[1].number == 1);
    fake_finish();
    fake_end();
}

/* A subscriber that emits during the notice of an undone record: speculative subscribers get that
 * record, at the position of the notice. */
static void test_answers_to_undone(void)
{
    struct got others = {.n = 0};
    struct got answers = {.n = 0};
    static char undone[8] = "u";
    struct fake_event event;
    begin();
    st_subscribe(streams[0], ST_ROLLBACK, ST_SPECULATIVE, answer, undone);
    st_subscribe(streams[0], ST_NODE, ST_SPECULATIVE, on_record, &others);
    st_subscribe(streams[1], ST_EDGE, ST_SPECULATIVE, on_record, &answers);
    st_subscribe(streams[1], ST_EDGE, ST_COMMITTED, on_record, &answers);
    fake_event_init(&event, 0, 3, 0.0, 2.0, NULL);
    fake_enter(PROBE_IN_EVENT, &event);
    ST_NOTIFY(streams[0], ST_NODE, NULL, NULL, 0);
    fake_enter(PROBE_IN_REVERSE, &event);
    fake_undo(&event);
    fake_leave();
    CU_ASSERT_EQUAL_FATAL(answers.n, 1);
    CU_ASSERT(answers.seen[0].sum == sum_of(undone, 1) && answers.seen[0].lp == 3 &&
              answers.seen[0].number == 1);
    CU_ASSERT_EQUAL(deferred_check(&g_st_deferred), 0);
    fake_finish();
    fake_end();
}

/* A KP with one or two deferred records uses little of the observers' memory; more records use
 * more. */
static void test_many_hold_little(void)
{
    struct got others = {.n = 0};
    struct fake_event event[4];
    begin();
    st_subscribe(streams[0], ST_NODE, ST_COMMITTED, on_record, &others);
    for (unsigned k = 0; k < 4; k++) {
        fake_event_init(&event[k], 0, k, 0.0, 2.0, NULL);
        fake_enter(PROBE_IN_EVENT, &event[k]);
        ST_NOTIFY(streams[0], ST_NODE, NULL, NULL, 0);
        fake_leave();
        CU_ASSERT(fake.observer_bytes > 64 * k && fake.observer_bytes <= 256 * (k + 1));
    }
    static const char data[100];
    fake_enter(PROBE_IN_EVENT, &event[3]);
    for (unsigned i = 0; i < 200; i++) {
        ST_NOTIFY(streams[0], ST_NODE, NULL, data, sizeof(data));
    }
    fake_leave();
    CU_ASSERT(fake.observer_bytes > 20000 && fake.observer_bytes < 40000);
    CU_ASSERT_EQUAL(deferred_check(&g_st_deferred), 1 + 1 + 1 + 1);
    for (unsigned k = 0; k < 4; k++) {
        fake_commit(&event[k]);
    }
    CU_ASSERT_EQUAL(fake.observer_bytes, 0);
    fake_finish();
    fake_end();
}

/* The last subscriber leaves while records are deferred: the probes are removed after the last
 * record. */
static void test_undone_without_subscriber(void)
{
    struct got got = {.n = 0};
    struct fake_event event;
    begin();
    st_subscribe(streams[0], ST_ALL_TYPES, ST_SPECULATIVE, on_record, &got);
    fake_event_init(&event, 0, 3, 0.0, 2.0, NULL);
    fake_enter(PROBE_IN_EVENT, &event);
    ST_NOTIFY(streams[0], ST_NODE, NULL, NULL, 0);
    st_unsubscribe(streams[0], ST_ALL_TYPES, ST_SPECULATIVE, on_record, &got);
    CU_ASSERT(probes_of_deferred() != 0);
    fake_enter(PROBE_IN_REVERSE, &event);
    fake_undo(&event);
    fake_leave();
    CU_ASSERT_EQUAL(probes_of_deferred(), 0);
    CU_ASSERT_EQUAL(fake.observer_bytes, 0);
    fake_finish();
    fake_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"at once", test_at_once},
        {"answers", test_answers},
        {"answers at init", test_answers_at_init},
        {"answers to what is undone", test_answers_to_undone},
        {"many KPs that hold little", test_many_hold_little},
        {"undone without a subscriber", test_undone_without_subscriber},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("bus/deferred answers", tests, sizeof(tests) / sizeof(tests[0]));
    MPI_Finalize();
    return status;
}
