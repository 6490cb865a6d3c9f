/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A whole recording, set-up to report: samples at GVT, emergencies, the end.
 *
 * test: alone=yes
 */
#include <signal.h>

#include "base/efficiency.h"
#include "support/record_root.h"

static void model_stat(void *state, tw_lp *lp, char *buffer)
{
    (void)lp;
    memcpy(buffer, state, 12);
}

static st_model_types stat_types = {.model_stat_fn = model_stat, .mstat_sz = 12};
static const st_field stat_fields[] = {
    {"packets", ST_U32, 0, "packets", 1}, {"delay", ST_F64, 4, "s", 1}, {NULL, ST_U8, 0, NULL, 0}};

/* ---- GVT statistics -------------------------------------------------------------------------- */

static void test_efficiency(void)
{
    CU_ASSERT_EQUAL(efficiency_percent(0, 0), 100.0);
    CU_ASSERT_EQUAL(efficiency_percent(10, 0), 100.0);
    CU_ASSERT_EQUAL(efficiency_percent(10, 5), 0.0);
    CU_ASSERT_DOUBLE_EQUAL(efficiency_percent(10, 1), 100.0 * (1.0 - 1.0 / 9.0), 1e-12);
    CU_ASSERT_EQUAL(efficiency_percent(10, 10), 0.0);
    CU_ASSERT_EQUAL(efficiency_percent(10, 11), 0.0);
    CU_ASSERT_EQUAL(efficiency_percent(0, 1), 0.0);
    CU_ASSERT(efficiency_percent(10, 7) < 0.0);
}

static void grow_counters(uint64_t *random)
{
#define X(name, text) fake.counters.name += random_below(random, 1000);
    TW_COUNTER_LIST(X)
#undef X
}

/* The changes of all samples add up to the totals, whichever GVTs are sampled. */
static void run_gvt_stats(unsigned num_gvt, unsigned gvts, uint64_t buffer_size, uint64_t *random)
{
    begin(2);
    g_st_options.gvt_stats = 1;
    g_st_options.num_gvt = num_gvt;
    g_st_options.buffer_size = buffer_size;
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    for (unsigned g = 1; g <= gvts; g++) {
        grow_counters(random);
        fake.seconds = g;
        fake_gvt(10.0 * g);
    }
    grow_counters(random);
    fake.seconds = gvts + 1;
    fake.pe.GVT = DBL_MAX; /* no events left */
    fake_finish();
    struct tw_counters c = fake.counters;
    fake_end();
    struct read_back back;
    read_back(&back, path_gvt);
    CU_ASSERT_EQUAL(back.errors, 0);
    CU_ASSERT_EQUAL_FATAL(back.n, gvts / num_gvt + 1);
    struct gvt_sums s = sum_rows(&back);
    CU_ASSERT_EQUAL(s.all_reduces, c.all_reduces);
    CU_ASSERT_EQUAL(s.processed, c.events_processed);
    CU_ASSERT_EQUAL(s.aborted, c.events_aborted);
    CU_ASSERT_EQUAL(s.rolled_back, c.events_rolled_back);
    CU_ASSERT_EQUAL(s.ties, c.event_ties);
    CU_ASSERT_EQUAL(s.rollbacks, c.primary_rollbacks + c.secondary_rollbacks);
    CU_ASSERT_EQUAL(s.secondary, c.secondary_rollbacks);
    CU_ASSERT_EQUAL(s.fossil, c.fossil_collects);
    CU_ASSERT_EQUAL(s.sends, c.network_sends);
    CU_ASSERT_EQUAL(s.recvs, c.network_recvs);
    CU_ASSERT_EQUAL(s.remote, c.remote_events);
    for (size_t i = 0; i < back.n; i++) {
        struct fmt_gvt_pe_row row;
        memcpy(&row, back.rows + i * back.row_size, sizeof(row));
        bool last = i + 1 == back.n;
        CU_ASSERT_EQUAL(row.gvt, last ? g_tw_ts_end : 10.0 * (double)((i + 1) * num_gvt));
        CU_ASSERT_EQUAL(row.real_time, last ? gvts + 1 : (double)((i + 1) * num_gvt));
        CU_ASSERT_EQUAL(row.efficiency,
                        efficiency_percent(row.events_processed, row.events_rolled_back));
    }
    read_back_free(&back);
}

static void test_gvt_stats(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("gvt stats", random);
    run_gvt_stats(1, 0, 1000, &random);
    run_gvt_stats(1, 50, 1, &random);
    run_gvt_stats(1, 50, 8 << 20, &random);
    run_gvt_stats(7, 50, 200, &random);
    run_gvt_stats(100, 50, 65536, &random);
}

/* ---- Model statistics ------------------------------------------------------------------------ */

static void test_model_stats(void)
{
    enum { N_LPS = 5, GVTS = 4 };
    begin(N_LPS);
    for (tw_lpid i = 1; i < N_LPS; i++) {
        st_model_settype(i, &stat_types);
    }
    st_model_fields(&stat_types, ST_PAYLOAD_MODEL, stat_fields);
    g_st_model_stats = 1;
    g_st_options.num_gvt = 2;
    g_st_options.buffer_size = 100;
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    for (unsigned g = 1; g <= GVTS; g++) {
        for (tw_lpid i = 0; i < N_LPS; i++) {
            memset(fake.states + 64 * i, (int)(10 * g + i), 64);
        }
        fake.seconds = g / 8.0;
        fake_gvt(g);
    }
    fake.pe.GVT = 5.0;
    fake_finish();
    fake_end();
    struct read_back back;
    read_back(&back, path_model);
    CU_ASSERT_EQUAL(back.errors, 0);
    CU_ASSERT_EQUAL_FATAL(back.n, 3 * (N_LPS - 1));
    static const unsigned state_of[] = {2, 4, 4};
    static const double gvt_of[] = {2.0, 4.0, 5.0};
    for (size_t i = 0; i < back.n; i++) {
        struct fmt_model_lp_row row;
        memcpy(&row, back.rows + i * back.row_size, sizeof(row));
        size_t sample = i / (N_LPS - 1);
        tw_lpid lp = 1 + i % (N_LPS - 1);
        CU_ASSERT_EQUAL(row.lp, lp);
        CU_ASSERT_EQUAL(row.kp, lp % 4);
        CU_ASSERT_EQUAL(row.gvt, gvt_of[sample]);
        CU_ASSERT_EQUAL(row.kind, MODEL_STATS_GVT);
        CU_ASSERT_EQUAL(row.payload_size, 12);
        for (size_t b = 0; b < 12; b++) {
            CU_ASSERT_EQUAL(back.payload[back.payload_at[i] + b], 10 * state_of[sample] + lp);
        }
    }
    const struct fmt_payload_desc *desc = fmt_desc_set_find(&back.descs, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(desc);
    CU_ASSERT_EQUAL(desc->kind, FMT_PAYLOAD_MODEL);
    CU_ASSERT_EQUAL(desc->size, 12);
    CU_ASSERT_EQUAL_FATAL(desc->n_fields, 2);
    CU_ASSERT_STRING_EQUAL(desc->fields[1].name, "delay");
    CU_ASSERT_STRING_EQUAL(desc->fields[1].unit, "s");
    read_back_free(&back);
}

/* No callbacks registered: an empty file, no error. */
static void test_nothing_registered(void)
{
    begin(3);
    g_st_model_stats = 1;
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    fake_gvt(1.0);
    fake_finish();
    fake_end();
    struct read_back back;
    read_back(&back, path_model);
    CU_ASSERT_EQUAL(back.errors, 0);
    CU_ASSERT_EQUAL(back.n, 0);
    CU_ASSERT_EQUAL(back.ends, 1);
    read_back_free(&back);
}

/* ---- The end --------------------------------------------------------------------------------- */

static void test_emergency(void)
{
    begin(2);
    g_st_options.gvt_stats = 1;
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    fake_gvt(1.0);
    fake_gvt(2.0);
    fake.counters.events_processed = 17;
    tw_extension.emergency_flush();
    tw_extension.emergency_flush();
    struct read_back back;
    read_back(&back, path_gvt);
    CU_ASSERT_EQUAL(back.errors, 0);
    CU_ASSERT_EQUAL(back.n, 3);
    CU_ASSERT_EQUAL(sum_rows(&back).processed, 17);
    CU_ASSERT_EQUAL(back.ends, 1);
    CU_ASSERT_EQUAL(back.end_code, RUN_END_ERROR);
    read_back_free(&back);
    fake_end();
}

/* Without a recording the emergency call does nothing. */
static void test_emergency_without_recorder(void)
{
    begin(2);
    tw_extension.emergency_flush();
    CU_ASSERT_PTR_NULL(g_st_recorder);
    tw_extension.finish(&fake.pe, RUN_END_TIME);
    fake_end();
}

static void test_report(void)
{
    begin(2);
    g_st_options.gvt_stats = 1;
    g_st_model_stats = 1;
    st_model_settype(0, &stat_types);
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    fake_gvt(1.0);
    fake_finish();
    char text[4000] = "";
    FILE *out = fmemopen(text, sizeof(text), "w");
    tw_extension.report_text(out);
    report_json_print(out);
    fclose(out);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, dir));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "Records in warpscope-gvt.bin (1 KiB)"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, path_gvt));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, path_model));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"recorded\": {\n    \"directory\": \""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"records\": 2,\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"complete\": true"));
    CU_ASSERT_PTR_NULL(strstr(text, "WARNING"));
    fake_end();
}

/* The README names the files, the command and the options. */
static void test_readme(void)
{
    begin(2);
    g_st_options.gvt_stats = 1;
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    fake_finish();
    fake_end();
    char path[RECORD_PATH_MAX + 50];
    char text[8000] = "";
    snprintf(path, sizeof(path), "%s/warpscope-README.txt", dir);
    FILE *in = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    CU_ASSERT(fread(text, 1, sizeof(text) - 1, in) > 0);
    fclose(in);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "warpscope-gvt.bin\n"));
    CU_ASSERT_PTR_NULL(strstr(text, "warpscope-model.bin"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "fake --one '--two three'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "option_buffer_size       8388608"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "warpscope dump"));
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"efficiency", test_efficiency},
        {"gvt stats", test_gvt_stats},
        {"model stats", test_model_stats},
        {"nothing registered", test_nothing_registered},
        {"emergency", test_emergency},
        {"emergency without recorder", test_emergency_without_recorder},
        {"report", test_report},
        {"readme", test_readme},
    };
    return root_mpi_run("record/recorder", tests, sizeof(tests) / sizeof(tests[0]));
}
