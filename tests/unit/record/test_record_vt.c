/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sampling at virtual times: the points of a run for each way in which it can end, and the records
 * of one PE. test_record_vt_timeline.c tests the states of LPs at a point.
 *
 * test: alone=yes
 */
#include <unistd.h>

#include "support/fake_engine.h"
#include "support/read_back.h"
#include "support/root_dir.h"

#define N_LPS 6u

/* ---- Runs ------------------------------------------------------------------------------------ */

/* The state of an LP: its number of executed events. */
static uint64_t *state_of(const tw_lp *lp)
{
    return lp->cur_state;
}

static void stat_fn(void *state, tw_lp *lp, char *buffer)
{
    double now = tw_now(lp);
    memcpy(buffer, &now, 8);
    memcpy(buffer + 8, state, 8);
    buffer[16] = 7; /* bytes that callbacks write, of 21; the others must be zero */
}

static st_model_types stat_types = {.model_stat_fn = stat_fn, .mstat_sz = 21};

/* LPs with gids in descending order. Number of the run, for the name of its directory. */
static unsigned begin(const char *given)
{
    static unsigned number;
    fake_begin(N_LPS);
    fake.given = given;
    for (tw_lpid i = 0; i < N_LPS; i++) {
        fake.lps[i].gid = 10 * (N_LPS - i);
        if (i != 2) {
            st_model_settype(i, &stat_types);
        }
    }
    g_st_options.vt_interval = 1.0;
    snprintf(g_st_options.path, sizeof(g_st_options.path), "%s/run%u", root, number);
    return number++;
}

/* Executed events that are not committed. */
static struct fake_event executed[64];
static size_t n_executed;

static void execute(tw_lpid lp, double ts)
{
    struct fake_event *event = &executed[n_executed++];
    fake_event_init(event, 0, lp, 0.0, ts, NULL);
    if (PROBE_IS_WANTED(&fake.probes, event_starting)) {
        PROBE_CALL(&fake.probes, event_starting, &event->view, NULL);
    }
    fake.lps[lp].kp->last_time = ts;
    ++*state_of(&fake.lps[lp]);
}

/* Undoes the event that was executed last. */
static void undo(void)
{
    struct fake_event *event = &executed[--n_executed];
    tw_lp *lp = event->view.dest_lp;
    lp->kp->last_time = event->view.recv_ts;
    --*state_of(lp);
    if (PROBE_IS_WANTED(&fake.probes, event_undone)) {
        PROBE_CALL(&fake.probes, event_undone, &event->view, false);
    }
}

/* Commits the events before gvt. */
static void commit(double gvt)
{
    size_t n_left = 0;
    for (size_t i = 0; i < n_executed; i++) {
        if (executed[i].view.recv_ts < gvt) {
            PROBE_CALL(&fake.probes, event_retired, &executed[i].view, NULL);
        } else {
            executed[n_left++] = executed[i];
        }
    }
    n_executed = n_left;
}

static void advance(double gvt)
{
    commit(gvt);
    fake_gvt(gvt);
}

/* Ends the run and reads one of its files. The kinds of rows in the file differ in size. */
static void finish(unsigned number, enum run_end why, const char *stream, struct read_back *back)
{
    char path[300];
    commit(INFINITY);
    CU_ASSERT(vt_sampling_check(&context_recorder()->vt));
    tw_extension.finish(&fake.pe, why);
    CU_ASSERT(vt_sampling_check(&context_recorder()->vt));
    fake_end();
    snprintf(path, sizeof path, "%s/run%u/warpscope-%s.bin", root, number, stream);
    read_back(back, path);
    CU_ASSERT_EQUAL(back->errors, 0);
    CU_ASSERT_EQUAL(back->ends, 1);
}

/* Rows of the PE: the times and the numbers of events. */
static void check_pe_rows(const struct read_back *back, size_t n, const double *vt,
                          const uint64_t *events)
{
    CU_ASSERT_EQUAL_FATAL(back->n, n);
    CU_ASSERT_EQUAL_FATAL(back->row_size, sizeof(struct fmt_vt_pe_row));
    for (size_t i = 0; i < n; i++) {
        struct fmt_vt_pe_row row;
        memcpy(&row, back->rows + i * back->row_size, sizeof row);
        CU_ASSERT_EQUAL(row.vt, vt[i]);
        CU_ASSERT_EQUAL(row.sample, i + 1);
        CU_ASSERT_EQUAL(row.events_committed, events[i]);
    }
}

/* Runs with the same events for each way to end: the last event is at 3.5. */
static void run_to_end(enum run_end why, double gvt, size_t n, const double *vt,
                       const uint64_t *events)
{
    struct read_back back;
    g_tw_ts_end = 5.5;
    unsigned number = begin(" vt-interval ");
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    execute(1, 0.5);
    execute(0, 1.0);
    execute(1, 3.5);
    execute(5, 4.5); /* an event that is undone and never executed again */
    advance(2.25);
    CU_ASSERT(vt_sampling_check(&context_recorder()->vt));
    CU_ASSERT_EQUAL(context_recorder()->vt.recorded, 1); /* the point 3.5 is not final yet */
    advance(4.25);
    CU_ASSERT_EQUAL(context_recorder()->vt.recorded, 3);
    undo();
    advance(4.5);
    CU_ASSERT_EQUAL(context_recorder()->vt.recorded, 3);
    fake.pe.GVT = gvt;
    finish(number, why, "vt", &back);
    check_pe_rows(&back, n, vt, events);
    read_back_free(&back);
    g_tw_ts_end = 1000.0;
}

static void test_ends(void)
{
    const double to_end[] = {1, 2, 3, 4, 5, 5.5};
    const uint64_t to_end_events[] = {1, 1, 0, 1, 0, 0};
    run_to_end(RUN_END_TIME, INFINITY, 6, to_end, to_end_events);
    const double until_event[] = {1, 2, 3, 5.5};
    const uint64_t until_event_events[] = {1, 1, 0, 1};
    run_to_end(RUN_END_NO_EVENTS, INFINITY, 4, until_event, until_event_events);
    const double until_gvt[] = {1, 2, 3, 4, 4.75};
    const uint64_t until_gvt_events[] = {1, 1, 0, 1, 0};
    run_to_end(RUN_END_SIGNAL, 4.75, 5, until_gvt, until_gvt_events);
    const double at_gvt[] = {1, 2, 3, 4, 5};
    run_to_end(RUN_END_SIGNAL, 5.0, 5, at_gvt, to_end_events);
}

/* GVT has passed some events of an instant that is a sampling point. */
static void test_end_within_instant(void)
{
    struct read_back back;
    unsigned number = begin(" vt-interval ");
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    execute(1, 0.5);
    execute(1, 2.0);
    execute(0, 2.0);
    advance(2.0);
    fake.pe.GVT = 2.0;
    finish(number, RUN_END_SIGNAL, "vt", &back);
    check_pe_rows(&back, 3, (const double[]){1, 2, 2}, (const uint64_t[]){1, 0, 2});
    read_back_free(&back);

    number = begin(" vt-interval ");
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    execute(1, 0.0);
    fake.pe.GVT = 0.0;
    finish(number, RUN_END_SIGNAL, "vt", &back);
    check_pe_rows(&back, 1, (const double[]){0}, (const uint64_t[]){1});
    read_back_free(&back);

    number = begin(" vt-interval vt-samp-end ");
    g_st_options.vt_samp_end = 2.0; /* with this option there is no point at the end */
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    execute(1, 2.0);
    fake.pe.GVT = 2.0;
    finish(number, RUN_END_SIGNAL, "vt", &back);
    check_pe_rows(&back, 2, (const double[]){1, 2}, (const uint64_t[]){0, 0});
    read_back_free(&back);
}

/* No memory for counts or captures: the run goes on, and missing samples are counted. */
static void run_out_of_memory(bool models)
{
    struct read_back back;
    g_tw_ts_end = 5.5;
    unsigned number = begin(" vt-interval ");
    g_st_model_stats = models ? 4 : 0;
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    struct vt_sampling *vt = &context_recorder()->vt;
    unsigned warnings = fake.warnings;
    execute(1, 1.5);
    advance(2.0);
    CU_ASSERT_EQUAL(vt->recorded, 1);
    for (size_t i = 0; i < vt->timeline.n_pools; i++) {
        vt->timeline.pools[i].free = NULL;
        vt->timeline.pools[i].entry_size = SIZE_MAX / 4;
    }
    vt->counts.n_kps = models ? vt->counts.n_kps : SIZE_MAX;
    execute(0, 2.5);
    execute(1, 2.75);
    undo();
    execute(1, 3.5);
    advance(4.5);
    CU_ASSERT_EQUAL(fake.warnings, warnings + 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(fake.last_message, models ? "out of memory for samples"
                                                            : "out of memory for counts"));
    fake.pe.GVT = INFINITY;
    tw_extension.finish(&fake.pe, RUN_END_TIME);
    const enum record_file_id file = models ? RECORD_MODEL : RECORD_VT;
    const uint64_t rows = models ? N_LPS - 1 : 1;
    struct stream_totals totals = context_recorder()->files[file].totals;
    CU_ASSERT_EQUAL(totals.collected, 6 * rows);
    CU_ASSERT_EQUAL(totals.written, rows);
    CU_ASSERT_EQUAL(totals.dropped, 5 * rows);
    finish(number, RUN_END_TIME, models ? "model" : "vt", &back);
    CU_ASSERT_EQUAL(back.n, rows);
    if (!models) {
        check_pe_rows(&back, 1, (const double[]){1}, (const uint64_t[]){0});
    }
    read_back_free(&back);
    g_tw_ts_end = 1000.0;
}

static void test_out_of_memory(void)
{
    run_out_of_memory(false);
    run_out_of_memory(true);
}

/* A run without end and with --vt-samp-end. */
static void test_no_end(void)
{
    struct read_back back;
    g_tw_ts_end = INFINITY;
    unsigned number = begin(" vt-interval ");
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    execute(3, 2.0);
    fake.pe.GVT = INFINITY;
    finish(number, RUN_END_NO_EVENTS, "vt", &back);
    check_pe_rows(&back, 3, (const double[]){1, 2, INFINITY}, (const uint64_t[]){0, 0, 1});
    read_back_free(&back);

    number = begin(" vt-interval vt-samp-end ");
    g_st_options.vt_samp_end = 2.75;
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    execute(3, 2.0);
    execute(3, 7.0);
    fake.pe.GVT = INFINITY;
    finish(number, RUN_END_NO_EVENTS, "vt", &back);
    check_pe_rows(&back, 2, (const double[]){1, 2}, (const uint64_t[]){0, 0});
    read_back_free(&back);

    /* In a program built for ROSS 8, the samples go on after the last event. */
    number = begin(" vt-interval vt-samp-end engine-stats ");
    g_st_options.built_for_ross8 = true;
    g_st_options.engine_stats = 3;
    g_st_options.vt_samp_end = 5.5;
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    execute(3, 2.0);
    fake.pe.GVT = INFINITY;
    finish(number, RUN_END_NO_EVENTS, "vt", &back);
    check_pe_rows(&back, 5, (const double[]){1, 2, 3, 4, 5}, (const uint64_t[]){0, 0, 1, 0, 0});
    read_back_free(&back);
    g_tw_ts_end = 1000.0;
}

/* Contents of the rows of LPs; rows of KPs are their sums. The first point has rows of all LPs, the
 * others only of those with events. */
static void test_levels(void)
{
    struct read_back back;
    g_tw_ts_end = 2.5;
    for (int level = 0; level < 2; level++) {
        unsigned number = begin(" vt-interval ");
        g_st_options.pe_data = 0;
        g_st_options.kp_data = level == 0;
        g_st_options.lp_data = level == 1;
        CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
        for (tw_lpid i = 0; i < N_LPS; i++) {
            for (tw_lpid n = 0; n < i; n++) {
                execute(i, 0.25);
            }
            if (i % 2 == 0) {
                execute(i, 1.5);
            }
        }
        fake.seconds = 3.0;
        advance(1.75);
        fake.seconds = 4.0;
        fake.pe.GVT = INFINITY;
        finish(number, RUN_END_TIME, "vt", &back);
        /* The fake engine has 4 KPs. */
        CU_ASSERT_EQUAL_FATAL(back.n, level == 0 ? 3 * 4 : N_LPS + N_LPS / 2);
        for (size_t r = 0; r < back.n && level == 0; r++) {
            struct fmt_vt_kp_row row;
            memcpy(&row, back.rows + r * back.row_size, sizeof row);
            /* LP i is in KP i % 4. */
            const uint64_t lps = row.kp == 0 ? 2 : row.kp == 2 ? 1 : 0;
            const uint64_t first = row.kp + (row.kp < 2 ? row.kp + 4 : 0);
            CU_ASSERT_EQUAL(row.kp, r % 4);
            const uint64_t events[] = {first, lps, 0};
            CU_ASSERT_EQUAL(row.events_committed, events[r / 4]);
            CU_ASSERT_EQUAL(row.real_time, r < 4 ? 3.0 : 4.0);
        }
        for (size_t r = 0; r < back.n && level == 1; r++) {
            struct fmt_vt_lp_row row;
            memcpy(&row, back.rows + r * back.row_size, sizeof row);
            /* Ascending gids: descending local ids. */
            const uint64_t i = r < N_LPS ? N_LPS - 1 - r : N_LPS - 2 - 2 * (r - N_LPS);
            CU_ASSERT_EQUAL(row.lp, 10 * (N_LPS - i));
            CU_ASSERT_EQUAL(row.sample, r < N_LPS ? 1 : 2);
            CU_ASSERT_EQUAL(row.kp, i % 4);
            CU_ASSERT_EQUAL(row.events_committed, r < N_LPS ? i : 1);
        }
        read_back_free(&back);
    }
    g_tw_ts_end = 1000.0;
}

static void test_model(void)
{
    struct read_back back;
    g_tw_ts_end = 2.0;
    unsigned number = begin(" vt-interval ");
    g_st_model_stats = 4;
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    CU_ASSERT_FALSE(context_recorder()->files[RECORD_VT].in_use);
    execute(0, 0.5);
    execute(4, 1.0); /* same KP */
    fake.lps[0].kp->last_time = 1.25;
    fake.pe.GVT = INFINITY;
    tw_kp *kp = fake.lps[0].kp;
    commit(INFINITY);
    vt_sampling_finish(&context_recorder()->vt, &fake.pe, RUN_END_TIME);
    CU_ASSERT_EQUAL(kp->last_time, 1.25);
    context_recorder()->vt.is_on = false; /* no more events */
    finish(number, RUN_END_TIME, "model", &back);
    CU_ASSERT_EQUAL_FATAL(back.n, 2 * (N_LPS - 1));
    for (size_t r = 0; r < back.n; r++) {
        struct fmt_model_lp_row row;
        memcpy(&row, back.rows + r * back.row_size, sizeof row);
        const tw_lpid gids[] = {10, 20, 30, 50, 60};
        const tw_lpid gid = gids[r % 5];
        const double vt = r < 5 ? 1.0 : 2.0;
        CU_ASSERT_EQUAL(row.lp, gid);
        CU_ASSERT_EQUAL(row.gvt, vt);
        CU_ASSERT_EQUAL(row.lp_ts, vt);
        CU_ASSERT_EQUAL(row.kind, 3);
        CU_ASSERT_EQUAL(row.sample, r < 5 ? 1 : 2);
        CU_ASSERT_EQUAL(row.payload_size, 21);
        unsigned char want[21] = {[16] = 7};
        const uint64_t events = gid == 60 || (gid == 20 && r >= 5);
        memcpy(want, &vt, 8);
        memcpy(want + 8, &events, 8);
        CU_ASSERT_EQUAL(memcmp(back.payload + back.payload_at[r], want, 21), 0);
    }
    read_back_free(&back);
    g_tw_ts_end = 1000.0;
}

/* Without samples no probe is added. */
static void test_probes(void)
{
    begin(" vt-interval engine-stats ");
    g_st_options.gvt_stats = 1;
    g_st_options.engine_stats = 1;
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    CU_ASSERT_FALSE(PROBE_IS_WANTED(&fake.probes, event_starting));
    CU_ASSERT_FALSE(PROBE_IS_WANTED(&fake.probes, event_undone));
    CU_ASSERT_FALSE(PROBE_IS_WANTED(&fake.probes, event_retired));
    fake_finish();
    fake_end();
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"ends", test_ends},
        {"end within an instant", test_end_within_instant},
        {"out of memory", test_out_of_memory},
        {"no end", test_no_end},
        {"levels", test_levels},
        {"model", test_model},
        {"probes", test_probes},
    };
    return root_mpi_run("record/vt_sampling", tests, sizeof(tests) / sizeof(tests[0]));
}
