/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The event trace in its three modes, against lists of the expected records.
 *
 * test: alone=yes
 */
#include <unistd.h>

#include "support/fake_engine.h"
#include "support/read_back.h"
#include "support/root_dir.h"

#define N_LPS 12u

/* A message: the payload that callbacks copy, and whether they record the event. */
struct message {
    uint64_t number;
    int wanted;
};

static void trace_small(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    const struct message *m = *(struct message *const *)msg;
    (void)lp;
    CU_ASSERT_EQUAL(*collect_flag, 1);
    memcpy(buffer, &m->number, sizeof(m->number));
    *collect_flag = m->wanted;
}

static size_t odd_size; /* bytes that trace_odd() registers, at least 3 */

/* Writes three of its bytes: the rest must be zeros. */
static void trace_odd(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    const struct message *m = *(struct message *const *)msg;
    buffer[0] = (char)lp->gid;
    buffer[1] = (char)m->number;
    buffer[odd_size - 1] = 99;
    *collect_flag = m->wanted;
}

static st_model_types small_types = {
    .rbev_trace = trace_small, .rbev_sz = 8, .ev_trace = trace_small, .ev_sz = 8};
static st_model_types odd_types = {.rbev_trace = trace_odd, .ev_trace = trace_odd};

static bool skips_even; /* trace LPs with odd numbers only */
static bool has_window; /* trace events in [WINDOW_FROM, WINDOW_TO) only */
#define WINDOW_FROM 250.5
#define WINDOW_TO   900.5

static unsigned event_times;

static void begin(unsigned mode, uint64_t buffer_size)
{
    static unsigned number;
    static const size_t odd_sizes[] = {21, 3, 15, 32, 33, 100, 3000};
    static const char odd[] = "1,3,5-5,7,9,11-100";
    fake_begin(N_LPS);
    fake.probes.wanted |= PROBE_ENGINE_HISTORY;
    odd_size = odd_sizes[number % (sizeof(odd_sizes) / sizeof(odd_sizes[0]))];
    odd_types.rbev_sz = odd_size;
    odd_types.ev_sz = odd_size;
    for (tw_lpid i = 0; i < N_LPS; i++) {
        if (i % 3 != 0) { /* every third LP has no registration */
            st_model_settype(i, i % 3 == 1 ? &small_types : &odd_types);
        }
    }
    g_st_ev_trace = mode;
    g_st_options.event_times = event_times;
    strcpy(g_st_options.trace_lps, skips_even ? odd : "all");
    g_st_options.buffer_size = buffer_size;
    if (has_window) {
        g_st_options.trace_from = WINDOW_FROM;
        g_st_options.trace_to = WINDOW_TO;
        fake.given = " trace-from trace-to ";
    }
    snprintf(g_st_options.path, sizeof(g_st_options.path), "%s/run%u", root, number++);
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
}

/* Expected contents of the file, in order. Rows of events are prefixes of these. */
struct expected {
    size_t row_size;
    struct fmt_rollback_row rows[20000];
    uint64_t numbers[20000];
    size_t n;
};

/* Returns the new row, or a dummy that does not count. */
static struct fmt_rollback_row *expect(struct expected *all, const struct fake_event *event,
                                       double real_time)
{
    static struct fmt_rollback_row none;
    const tw_event *e = &event->view;
    const struct message *m = event->msg;
    bool outside = has_window && (e->recv_ts < WINDOW_FROM || e->recv_ts >= WINDOW_TO);
    if ((m->wanted == 0 && e->dest_lpid % 3 != 0) || (skips_even && e->dest_lpid % 2 == 0) ||
        outside) {
        return &none;
    }
    const uint32_t size[] = {0, 8, (uint32_t)odd_size};
    all->rows[all->n] = (struct fmt_rollback_row){.src_lp = e->send_lp,
                                                  .dest_lp = e->dest_lpid,
                                                  .send_ts = e->send_ts,
                                                  .recv_ts = e->recv_ts,
                                                  .prio = e->prio,
                                                  .real_time = real_time,
                                                  .kp = (uint32_t)(e->dest_lpid % 4),
                                                  .payload_size = size[e->dest_lpid % 3],
                                                  .payload_type = (uint32_t)(e->dest_lpid % 3)};
    all->numbers[all->n] = m->number;
    return &all->rows[all->n++];
}

/* Sets the fields that only records of events have, in a row of `expected`. */
static void expect_event(struct fmt_rollback_row *row, int32_t send_order)
{
    struct fmt_event_row *event = (struct fmt_event_row *)(void *)row;
    event->send_order = send_order;
    event->handler_time = -1;
}

static bool payload_is_right(const unsigned char *bytes, const struct fmt_rollback_row *row,
                             uint64_t number)
{
    unsigned char want[4000] = {0};
    if (row->payload_size == 8) {
        memcpy(want, &number, 8);
    } else if (row->payload_size == odd_size) {
        want[0] = (unsigned char)row->dest_lp;
        want[1] = (unsigned char)number;
        want[odd_size - 1] = 99;
    }
    return memcmp(bytes, want, row->payload_size) == 0;
}

/* Ends the run and compares the file with the list. */
static void check_file(const struct expected *all)
{
    char path[RECORD_PATH_MAX];
    fake_finish();
    snprintf(path, sizeof(path), "%s", context_recorder()->files[RECORD_EVTRACE].path);
    struct stream_totals totals = context_recorder()->files[RECORD_EVTRACE].totals;
    fake_end();
    CU_ASSERT_EQUAL(totals.collected, all->n);
    CU_ASSERT_EQUAL(totals.written, all->n);
    CU_ASSERT_EQUAL(totals.lost, 0);
    struct read_back back;
    read_back(&back, path);
    CU_ASSERT_EQUAL(back.errors, 0);
    CU_ASSERT_EQUAL(back.ends, 1);
    CU_ASSERT_EQUAL(back.end_code, RUN_END_TIME);
    CU_ASSERT_EQUAL_FATAL(back.n, all->n);
    CU_ASSERT_EQUAL_FATAL(back.row_size, all->row_size);
    unsigned wrong = 0;
    for (size_t i = 0; i < back.n; i++) {
        struct fmt_rollback_row row;
        memcpy(&row, back.rows + i * back.row_size, all->row_size);
        wrong += memcmp(&row, &all->rows[i], all->row_size) != 0;
        wrong += !payload_is_right(back.payload + back.payload_at[i], &row, all->numbers[i]);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    read_back_free(&back);
}

static struct message random_message(uint64_t *random, uint64_t number)
{
    return (struct message){number, random_below(random, 4) != 0};
}

static const uint64_t buffer_sizes[] = {1, 70, 1000, 65536, 8 << 20, 5000, 300000};
#define N_BUFFER_SIZES 7u /* as many runs as payload sizes in begin() */

static struct expected *expect_rows(size_t row_size)
{
    struct expected *all = calloc(1, sizeof(*all));
    all->row_size = row_size;
    return all;
}

/* Mode 1: one record per execution. */
static void run_executed(uint64_t buffer_size, uint64_t *random)
{
    struct expected *all = expect_rows(sizeof(struct fmt_event_row));
    begin(1, buffer_size);
    for (uint64_t i = 0; i < 5000; i++) {
        struct fake_event event;
        struct message m = random_message(random, i);
        fake_event_init(&event, random_below(random, 1000), random_below(random, N_LPS), (double)i,
                        (double)i + 0.5, &m);
        fake.seconds += 0.25;
        fake_execute(&event);
        fake_rollback(&event, PROBE_ROLLBACK_PRIMARY, 1);
        fake_commit(&event);
        expect_event(expect(all, &event, fake.seconds), 0);
        if (random_below(random, 100) == 0) {
            fake_gvt((double)i);
        }
    }
    check_file(all);
    free(all);
}

/* Mode 2: one record per rollback. */
static void run_rollbacks(uint64_t buffer_size, uint64_t *random)
{
    struct expected *all = expect_rows(sizeof(struct fmt_rollback_row));
    begin(2, buffer_size);
    for (uint64_t i = 0; i < 5000; i++) {
        struct fake_event event;
        struct message m = random_message(random, i);
        fake_event_init(&event, random_below(random, 1000), random_below(random, N_LPS), (double)i,
                        (double)i + 0.5, &m);
        uint64_t undone = 1 + random_below(random, 100);
        enum probe_rollback why =
            random_below(random, 2) == 0 ? PROBE_ROLLBACK_PRIMARY : PROBE_ROLLBACK_SECONDARY;
        double kp_ts = (double)random_below(random, 1000);
        event.view.dest_lp->kp->last_time = kp_ts;
        fake.seconds += 0.25;
        fake_execute(&event);
        fake.cause = (struct probe_rollback_cause){.trigger = 1 + (enum probe_trigger)(i % 6),
                                                   .src_pe = (int32_t)(i % 5),
                                                   .cause_pe = (int32_t)(i % 3) - 1,
                                                   .cause_number = i / 2,
                                                   .travel_seconds = 0.125 * (double)(i % 4)};
        fake.counters.primary_rollbacks += why == PROBE_ROLLBACK_PRIMARY;
        fake.counters.secondary_rollbacks += why == PROBE_ROLLBACK_SECONDARY;
        fake_rollback(&event, why, undone);
        fake_commit(&event);
        struct fmt_rollback_row *row = expect(all, &event, fake.seconds);
        row->trigger = (uint32_t)fake.cause.trigger;
        row->number = i + 1;
        row->src_pe = fake.cause.src_pe;
        row->cause_pe = fake.cause.cause_pe;
        row->cause_number = fake.cause.cause_number;
        row->send_time = fake.seconds - fake.cause.travel_seconds;
        row->passed_time = fake.seconds;
        row->undone_time = -1;
        row->kp_ts = kp_ts;
        row->events_undone = undone;
        row->cause = (uint32_t)why;
    }
    check_file(all);
    free(all);
}

/* Executes event i of a window, with a new message each time. */
static void execute_again(struct fake_event *event, struct message *m, double *executed_at,
                          uint64_t *random)
{
    *m = random_message(random, random_below(random, 1000));
    fake.seconds += 1.0;
    *executed_at = fake.seconds;
    fake_execute(event);
}

/*
 * Mode 3: events are executed; some are undone and executed again with another message, some never
 * commit. The record has the payload of the last execution.
 */
static void run_committed(uint64_t buffer_size, uint64_t *random)
{
    enum { WINDOW = 200 };
    struct expected *all = expect_rows(sizeof(struct fmt_event_row));
    struct fake_event *events = calloc(WINDOW, sizeof(*events));
    struct message messages[WINDOW];
    double executed_at[WINDOW];
    begin(3, buffer_size);
    for (uint64_t round = 0; round < 30; round++) {
        uint64_t n = 0;
        while (n < WINDOW) {
            double t = (double)(round * WINDOW + n);
            fake_event_init(&events[n], round, random_below(random, N_LPS), t, t + 1.0,
                            &messages[n]);
            events[n].view.send_order = (int32_t)(round % 3) - 1;
            execute_again(&events[n], &messages[n], &executed_at[n], random);
            n++;
            uint64_t undone = random_below(random, 10) == 0 ? random_below(random, n + 1) : 0;
            uint64_t cancelled = undone > 0 ? random_below(random, ROSS_MIN(undone, 8)) : 0;
            for (uint64_t i = 0; i < undone; i++) {
                fake_undo(&events[n - 1 - i]);
            }
            for (uint64_t i = n - undone; i < n - cancelled; i++) {
                execute_again(&events[i], &messages[i], &executed_at[i], random);
            }
            n -= cancelled;
        }
        fake.seconds += 1.0;
        for (uint64_t i = 0; i < WINDOW; i++) {
            fake_commit(&events[i]);
            expect_event(expect(all, &events[i], executed_at[i]), (int32_t)(round % 3) - 1);
        }
        fake_gvt((double)((round + 1) * WINDOW));
    }
    check_file(all);
    free(events);
    free(all);
}

/* Runs the given modes (bit m: mode m) with several sizes of buffers. */
static void run_modes(const char *name, unsigned modes)
{
    static void (*const runs[])(uint64_t, uint64_t *) = {NULL, run_executed, run_rollbacks,
                                                         run_committed};
    uint64_t random = suite_seed();
    suite_print_seed(name, random);
    for (size_t b = 0; b < N_BUFFER_SIZES; b += suite_step(3)) {
        for (unsigned mode = 1; mode <= 3; mode++) {
            if ((modes >> mode & 1) != 0) {
                runs[mode](buffer_sizes[b], &random);
            }
        }
    }
}

static void test_executed(void)
{
    run_modes("event-trace=1", 1u << 1);
}

static void test_rollbacks(void)
{
    run_modes("event-trace=2", 1u << 2);
}

static void test_committed(void)
{
    run_modes("event-trace=3", 1u << 3);
}

/* Mode 3 without memory for pending rows: the run goes on, the loss is counted. */
static void test_out_of_memory(void)
{
    enum { N = 40, BEFORE = 10, UNDONE = 5 };
    struct fake_event events[N];
    struct message messages[N] = {0};
    begin(3, 1 << 20);
    struct event_trace *trace = &context_recorder()->trace;
    trace->clock.every = 3;
    unsigned warnings = fake.warnings;
    for (uint64_t i = 0; i < N; i++) {
        fake_event_init(&events[i], 0, i % N_LPS, 0.0, (double)(i + 1), &messages[i]);
        if (i == BEFORE) { /* earlier events have committed or are pending */
            for (uint64_t c = 0; c < BEFORE / 2; c++) {
                fake_commit(&events[c]);
            }
            for (tw_kpid k = 0; k < trace->n_kps; k++) {
                row_undo_log_clear(&trace->waiting[k], &trace->pool);
            }
            row_pool_fini(&trace->pool);
            trace->pool.chunk_bytes = SIZE_MAX / 4;
        }
        fake_execute(&events[i]);
    }
    for (uint64_t i = N; i-- > N - UNDONE;) {
        fake_undo(&events[i]);
    }
    CU_ASSERT(trace->is_off);
    CU_ASSERT_EQUAL(fake.warnings, warnings + 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(fake.last_message, "out of memory for the trace"));
    uint64_t collected = trace->channel->n_records;
    for (uint64_t i = BEFORE / 2; i < N - UNDONE; i++) {
        fake_commit(&events[i]);
    }
    fake_finish();
    struct stream_totals totals = context_recorder()->files[RECORD_EVTRACE].totals;
    CU_ASSERT_EQUAL(totals.collected, collected + N - UNDONE - BEFORE / 2);
    CU_ASSERT_EQUAL(totals.dropped, N - UNDONE - BEFORE / 2);
    CU_ASSERT_EQUAL(totals.written, collected);
    fake_end();
}

/* Only some LPs are traced, in every mode. */
static void test_some_lps(void)
{
    skips_even = true;
    run_modes("--trace-lps", 1u << 1 | 1u << 2 | 1u << 3);
    skips_even = false;
}

/* Only events of a window of virtual time are traced, in every mode. */
static void test_window(void)
{
    has_window = true;
    run_modes("--trace-from, --trace-to", 1u << 1 | 1u << 2 | 1u << 3);
    has_window = false;
}

/* Each mode adds only the probes that it needs. */
static void test_probes(void)
{
    for (unsigned mode = 1; mode <= 3; mode++) {
        begin(mode, 1000);
        CU_ASSERT_TRUE(PROBE_IS_WANTED(&fake.probes, event_executed));
        CU_ASSERT_TRUE(PROBE_IS_WANTED(&fake.probes, event_undone));
        CU_ASSERT_EQUAL(PROBE_IS_WANTED(&fake.probes, event_tied), mode != 2);
        CU_ASSERT_FALSE(PROBE_IS_WANTED(&fake.probes, event_starting));
        CU_ASSERT_EQUAL(PROBE_IS_WANTED(&fake.probes, rollback_begin), mode == 2);
        CU_ASSERT_EQUAL(PROBE_IS_WANTED(&fake.probes, rollback_end), mode == 2);
        CU_ASSERT_EQUAL(PROBE_IS_WANTED(&fake.probes, event_committed), mode == 3);
        CU_ASSERT(PROBE_IS_WANTED(&fake.probes, gvt_advanced));
        fake_finish();
        fake_end();
    }
    fake_begin(1);
    CU_ASSERT_EQUAL(fake_setup(), TW_OK);
    CU_ASSERT_FALSE(PROBE_IS_WANTED(&fake.probes, event_executed));
    CU_ASSERT_FALSE(PROBE_IS_WANTED(&fake.probes, gvt_advanced));
    fake_end();
}

/* Executes an event `seconds` after the turn began, then ends the turn and rolls the event back.
 * Returns the time that its stamp is behind the beginning of the turn. */
static double stamp_behind(double seconds)
{
    struct message m = {0, 1};
    struct fake_event event;
    fake_event_init(&event, 1, 0, 0.0, 1.0, &m);
    const double began = fake.seconds;
    fake.seconds += seconds;
    fake.counters.events_processed++;
    fake_execute(&event);
    PROBE_CALL(&fake.probes, turn, &fake.pe);
    fake_undo(&event);
    return context_recorder()->trace.passed_seconds - began;
}

/* Mode 2: events of short turns have the time when the turn began; after two long turns, each has
 * its own. Turns without events do not count. */
static void test_stamps(void)
{
    /* Seconds of a turn until its event (0: a turn without one), seconds until the stamp. */
    static const double turns[][2] = {{0.0, 0.0},  {1e-6, 1e-6}, {1e-6, 0.0}, {1.0, 0.0},
                                      {1e-6, 0.0}, {1.0, 0.0},   {1.0, 0.0},  {0.0, 0.0},
                                      {1.0, 1.0},  {1e-6, 1e-6}, {1.0, 0.0}};
    begin(2, 65536);
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        if (turns[i][0] == 0.0) {
            PROBE_CALL(&fake.probes, turn, &fake.pe);
        } else {
            CU_ASSERT_DOUBLE_EQUAL(stamp_behind(turns[i][0]), turns[i][1], 1e-9);
        }
    }
    fake_finish();
    fake_end();
}

/* The time of undone handlers is the sum of all that were timed, also of those that are marked. */
static void test_undone_time(void)
{
    static const int64_t times[] = {500, HANDLER_NOT_TIMED, -20000, 0};
    enum { EVENTS = sizeof times / sizeof *times };
    struct fake_event events[EVENTS];
    struct message m = {0, 1};
    struct read_back back;
    struct fmt_rollback_row row;
    char path[RECORD_PATH_MAX];
    event_times = 3;
    begin(2, 65536);
    event_times = 0;
    struct event_trace *trace = &context_recorder()->trace;
    for (unsigned i = 0; i < EVENTS; i++) {
        fake_event_init(&events[i], 1, 0, i, i + 0.5, &m);
        struct executed_row *executed = kp_log_push(&trace->executed, &events[i].view);
        CU_ASSERT_PTR_NOT_NULL_FATAL(executed);
        executed->handler_ns = times[i];
    }
    PROBE_CALL(&fake.probes, rollback_begin, &events[0].view, PROBE_ROLLBACK_PRIMARY);
    for (unsigned i = EVENTS; i-- > 0;) {
        fake_undo(&events[i]);
    }
    PROBE_CALL(&fake.probes, rollback_end, events[0].view.dest_lp->kp, PROBE_ROLLBACK_PRIMARY,
               EVENTS);
    fake_finish();
    snprintf(path, sizeof(path), "%s", context_recorder()->files[RECORD_EVTRACE].path);
    fake_end();
    read_back(&back, path);
    CU_ASSERT_EQUAL_FATAL(back.n, 1);
    memcpy(&row, back.rows, sizeof row);
    CU_ASSERT_EQUAL(row.events_undone, EVENTS);
    CU_ASSERT_EQUAL(row.undone_time, 3 * 20500);
    read_back_free(&back);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"executed", test_executed},   {"rollbacks", test_rollbacks},
        {"committed", test_committed}, {"out of memory", test_out_of_memory},
        {"some LPs", test_some_lps},   {"window", test_window},
        {"probes", test_probes},       {"undone time", test_undone_time},
        {"stamps", test_stamps},
    };
    return root_mpi_run("record/event_trace", tests, sizeof(tests) / sizeof(tests[0]));
}
