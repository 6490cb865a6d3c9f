/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples at GVT and by wall clock: their rows, contents and times; model data at both.
 *
 * test: alone=yes
 */
#include "support/sampling_run.h"

/* ---- Rows of the PE -------------------------------------------------------------------------- */

/* The fields that both kinds of rows of a PE share: sums over rows, and the last values of
 * levels. */
struct pe_sums {
    uint64_t processed, committed, num_gvt, anti_sends, ties, pq_size, n;
    struct pe_memory memory;
    struct processor_time processor;
};

/* Adds the figures of *from, which has members of their names, to *sum. */
#define ADD_PROCESSOR_TIMES(to, row)                                                               \
    do {                                                                                           \
        (to)->processor_wall_ns += (row)->processor_wall_ns;                                       \
        (to)->processor_user_ns += (row)->processor_user_ns;                                       \
        (to)->processor_system_ns += (row)->processor_system_ns;                                   \
        (to)->processor_lost_ns += (row)->processor_lost_ns;                                       \
        (to)->switches_voluntary += (row)->switches_voluntary;                                     \
        (to)->switches_involuntary += (row)->switches_involuntary;                                 \
        (to)->page_faults += (row)->page_faults;                                                   \
    } while (0)

#define ADD_PE_ROW(sums, row)                                                                      \
    do {                                                                                           \
        (sums)->processed += (row).events_processed;                                               \
        (sums)->committed += (row).events_committed;                                               \
        (sums)->num_gvt += (row).num_gvt;                                                          \
        (sums)->anti_sends += (row).anti_sends;                                                    \
        (sums)->ties += (row).event_ties;                                                          \
        (sums)->pq_size = (row).pq_size;                                                           \
        (sums)->memory =                                                                           \
            (struct pe_memory){(row).event_bytes, (row).saved_bytes, (row).allocated_bytes};       \
        ADD_PROCESSOR_TIMES(&(sums)->processor, &(row));                                           \
        CU_ASSERT_EQUAL((row).sample, (sums)->n);                                                  \
        (sums)->n++;                                                                               \
    } while (0)

static struct pe_sums sum_pe_rows(const char *path, uint32_t record)
{
    struct pe_sums sums = {0};
    struct read_back back;
    read_back_kind(&back, path, record);
    CU_ASSERT_EQUAL(back.errors, 0);
    for (size_t i = 0; i < back.n; i++) {
        if (record == FMT_RECORD_RT_PE) {
            struct fmt_rt_pe_row row;
            memcpy(&row, back.rows + i * back.row_size, sizeof(row));
            ADD_PE_ROW(&sums, row);
        } else {
            struct fmt_gvt_pe_row row;
            memcpy(&row, back.rows + i * back.row_size, sizeof(row));
            ADD_PE_ROW(&sums, row);
        }
    }
    read_back_free(&back);
    return sums;
}

static void test_pe_rows(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("pe rows", random);
    begin(2);
    g_st_options.gvt_stats = 1;
    g_st_options.real_time_samp = 3600000;
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    turn();
    for (int step = 0; step < 100; step++) {
#define X(name, text) fake.counters.name += random_below(&random, 1000);
        TW_COUNTER_LIST(X)
#undef X
#define X(name, text) fake.processor.name += random_below(&random, 1u << 24);
        PROCESSOR_TIME_LIST(X)
#undef X
        fake.pending = random_below(&random, 50);
        if (step % 3 == 0) {
            fake_gvt(step);
        }
        if (step % 7 == 0) {
            due_turn();
        }
    }
    fake.pending = 77;
    fake.memory = (struct pe_memory){1000, 200, 1ull << 33};
    fake_finish();
    struct tw_counters c = fake.counters;
    const struct processor_time time = fake.processor;
    fake_end();
    struct pe_sums sums[2] = {sum_pe_rows(path_gvt, FMT_RECORD_GVT_PE),
                              sum_pe_rows(path_rt, FMT_RECORD_RT_PE)};
    CU_ASSERT_EQUAL(sums[0].n, 34 + 1);
    CU_ASSERT_EQUAL(sums[1].n, 15 + 1);
    for (int mode = 0; mode < 2; mode++) {
        CU_ASSERT_EQUAL(sums[mode].processed, c.events_processed);
        CU_ASSERT_EQUAL(sums[mode].committed, c.events_committed);
        CU_ASSERT_EQUAL(sums[mode].num_gvt, c.gvt_rounds);
        CU_ASSERT_EQUAL(sums[mode].anti_sends, c.anti_sends);
        CU_ASSERT_EQUAL(sums[mode].ties, c.event_ties);
        CU_ASSERT_EQUAL(sums[mode].pq_size, 77);
        CU_ASSERT_EQUAL(sums[mode].memory.event_bytes, 1000);
        CU_ASSERT_EQUAL(sums[mode].memory.saved_bytes, 200);
        CU_ASSERT_EQUAL(sums[mode].memory.allocated_bytes, 1ull << 33);
        CU_ASSERT_EQUAL(memcmp(&sums[mode].processor, &time, sizeof time), 0);
    }
}

/* Times of phases are changes as well; fields whose names differ between rows are distinguished. */
static void test_cycles(void)
{
    begin(1);
    g_st_options.real_time_samp = 3600000;
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    turn();
    uint64_t random = suite_seed();
    suite_print_seed("cycles", random);
    for (int step = 0; step < 20; step++) {
        for (int phase = 0; phase < TW_PHASES; phase++) {
            fake.phase_ticks.of[phase] += random_below(&random, 1u << 20);
        }
        due_turn();
    }
    fake.phase_ticks.gvt += 5;
    fake_finish();
    struct tw_phase_ticks ticks = fake.phase_ticks;
    CU_ASSERT_EQUAL(fake.phase, TW_PHASE_other); /* a phase that is entered is left */
    fake_end();
    struct read_back back;
    struct fmt_rt_pe_row sum = {0};
    read_back_kind(&back, path_rt, FMT_RECORD_RT_PE);
    CU_ASSERT_EQUAL(back.n, 21);
    for (size_t i = 0; i < back.n; i++) {
        struct fmt_rt_pe_row row;
        memcpy(&row, back.rows + i * back.row_size, sizeof(row));
#define X(name, type, role, unit, text) sum.name += row.name;
        FMT_CYCLES(X)
#undef X
    }
    read_back_free(&back);
    CU_ASSERT_EQUAL(sum.network_read_cc, ticks.network_read);
    CU_ASSERT_EQUAL(sum.gvt_cc, ticks.gvt);
    CU_ASSERT_EQUAL(sum.fossil_collect_cc, ticks.fossil_collect);
    CU_ASSERT_EQUAL(sum.event_abort_cc, ticks.event_abort);
    CU_ASSERT_EQUAL(sum.event_processing_cc, ticks.event_processing);
    CU_ASSERT_EQUAL(sum.priority_queue_cc, ticks.priority_queue);
    CU_ASSERT_EQUAL(sum.rollbacks_cc, ticks.rollbacks);
    CU_ASSERT_EQUAL(sum.cancelq_cc, ticks.cancelq);
    CU_ASSERT_EQUAL(sum.avl_cc, ticks.event_lookup);
    CU_ASSERT_EQUAL(sum.buddy_cc, ticks.state_saving);
    CU_ASSERT_EQUAL(sum.lz4_cc, ticks.recording);
    CU_ASSERT_EQUAL(sum.other_cc, ticks.other + ticks.timing);
}

/* No activity at all: every field is defined. */
static void test_nothing_processed(void)
{
    begin(2);
    g_st_options.gvt_stats = 1;
    g_st_options.granularity = 1;
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    fake_gvt(1.0);
    fake_finish();
    fake_end();
    static const uint32_t kinds[] = {FMT_RECORD_GVT_PE, FMT_RECORD_GVT_KP, FMT_RECORD_GVT_LP};
    for (int k = 0; k < 3; k++) {
        struct read_back back;
        read_back_kind(&back, path_gvt, kinds[k]);
        CU_ASSERT(back.n > 0);
        for (size_t i = 0; i < back.n; i++) {
            const struct fmt_schema *schema = fmt_schema_builtin(kinds[k]);
            for (uint32_t f = 0; f < schema->n_fields; f++) {
                double value;
                memcpy(&value, back.rows + i * back.row_size + schema->fields[f].offset,
                       sizeof(value));
                CU_ASSERT(strcmp(schema->fields[f].name, "efficiency") != 0 || value == 100.0);
            }
        }
        read_back_free(&back);
    }
}

/* A rank without LPs records its KPs. */
static void test_no_lps(void)
{
    begin(0);
    g_st_options.gvt_stats = 1;
    g_st_options.granularity = 1;
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    fake_finish();
    fake_end();
    CU_ASSERT_EQUAL(count_rows(path_gvt, FMT_RECORD_GVT_PE), 1);
    CU_ASSERT_EQUAL(count_rows(path_gvt, FMT_RECORD_GVT_KP), N_KPS);
    CU_ASSERT_EQUAL(count_rows(path_gvt, FMT_RECORD_GVT_LP), 0);
}

/* ---- By wall clock --------------------------------------------------------------------------- */

/* A late turn gives one sample, with its own time. Turns before it is due give none. */
static void test_late_turn(void)
{
    begin(2);
    g_st_options.real_time_samp = 3600000;
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    fake.seconds = 0.001;
    turn();
    turn();
    fake.seconds = 5.5 * 3600;
    due_turn();
    turn();
    turn();
    fake.seconds = 6 * 3600;
    fake_finish();
    fake_end();
    struct read_back back;
    read_back_kind(&back, path_rt, FMT_RECORD_RT_PE);
    CU_ASSERT_EQUAL_FATAL(back.n, 2);
    struct fmt_rt_pe_row row;
    memcpy(&row, back.rows, sizeof(row));
    CU_ASSERT_EQUAL(row.real_time, 5.5 * 3600);
    memcpy(&row, back.rows + back.row_size, sizeof(row));
    CU_ASSERT_EQUAL(row.real_time, 6.0 * 3600);
    read_back_free(&back);
}

/* Time ahead of GVT, in rows of its own or in those of KPs. */
static void run_ahead(bool kp_data)
{
    static const double last_time[N_KPS] = {0.0, 9.5, 10.0, 17.25};
    static const double ahead[N_KPS] = {0.0, 0.0, 0.0, 7.25};
    begin(8);
    g_st_options.real_time_samp = 3600000;
    g_st_options.kp_data = kp_data;
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    turn();
    for (int k = 0; k < N_KPS; k++) {
        fake.kps[k].last_time = last_time[k];
    }
    fake.pe.GVT = 10.0;
    due_turn();
    fake.pe.GVT = DBL_MAX;
    fake_finish();
    fake_end();
    struct read_back back;
    read_back_kind(&back, path_rt, kp_data ? FMT_RECORD_RT_KP : FMT_RECORD_RT_AHEAD);
    CU_ASSERT_EQUAL_FATAL(back.n, 2 * N_KPS);
    for (size_t i = 0; i < back.n; i++) {
        struct fmt_rt_kp_row kp;
        struct fmt_rt_ahead_row row;
        memcpy(&kp, back.rows + i * back.row_size, kp_data ? sizeof(kp) : sizeof(row));
        memcpy(&row, back.rows + i * back.row_size, sizeof(row));
        double value = kp_data ? kp.time_ahead_gvt : row.time_ahead_gvt;
        CU_ASSERT_EQUAL(row.kp, i % N_KPS);
        CU_ASSERT_EQUAL(row.sample, i / N_KPS);
        CU_ASSERT_EQUAL(row.gvt, i < N_KPS ? 10.0 : g_tw_ts_end);
        CU_ASSERT_EQUAL(value, i < N_KPS ? ahead[i] : 0.0);
    }
    read_back_free(&back);
}

static void test_time_ahead(void)
{
    run_ahead(false);
    run_ahead(true);
}

/* ---- The models' data ------------------------------------------------------------------------ */

static unsigned calls;

static void model_stat(void *state, tw_lp *lp, char *buffer)
{
    calls++;
    (void)state;
    memcpy(buffer, &lp->gid, sizeof(lp->gid));
}

static st_model_types types_8 = {.model_stat_fn = model_stat, .mstat_sz = 8};
static st_model_types by_type[] = {{.mstat_sz = 0}, {.model_stat_fn = model_stat, .mstat_sz = 16}};

static tw_lpid type_of(tw_lpid gid)
{
    return gid % 2;
}

/* Both ways of registration together, also LPs without callbacks, in each mode. */
static void run_models(unsigned model_stats)
{
    begin(6); /* 0: its own, 8 bytes; 1, 3, 5: by type, 16; 2, 4: none */
    g_st_model_stats = model_stats;
    g_st_options.rt_interval =
        model_stats == 1 ? 0 : 3600000; /* alone, it also samples the engine */
    g_st_model_types = by_type;
    g_tw_lp_typemap = type_of;
    st_model_settype(0, &types_8);
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    CU_ASSERT_STRING_EQUAL(path_rt, "");
    CU_ASSERT_STRING_EQUAL(path_gvt, "");
    turn();
    fake_gvt(5.0);
    fake.kps[1].last_time = 8.5;
    due_turn();
    due_turn();
    fake_finish();
    fake_end();
    struct read_back back;
    read_back(&back, path_model);
    CU_ASSERT_EQUAL(back.errors, 0);
    unsigned gvt = model_stats != 2 ? 2 : 0; /* points, including the last */
    unsigned rt = model_stats != 1 ? 3 : 0;
    CU_ASSERT_EQUAL(back.n, 4 * (gvt + rt));
    uint64_t n[4] = {0};
    for (size_t i = 0; i < back.n; i++) {
        struct fmt_model_lp_row row;
        uint64_t gid;
        memcpy(&row, back.rows + i * back.row_size, sizeof(row));
        memcpy(&gid, back.payload + back.payload_at[i], sizeof(gid));
        CU_ASSERT_EQUAL(gid, row.lp);
        CU_ASSERT_EQUAL(row.payload_size, row.lp == 0 ? 8 : 16);
        CU_ASSERT_EQUAL_FATAL(row.kind < 3, true);
        CU_ASSERT_EQUAL(row.sample, n[row.kind]++ / 4);
        CU_ASSERT_EQUAL(row.lp_ts,
                        row.lp % 4 == 1 && (row.kind == 2 || row.sample == 1) ? 8.5 : 0.0);
    }
    CU_ASSERT_EQUAL(n[1], 4 * gvt);
    CU_ASSERT_EQUAL(n[2], 4 * rt);
    read_back_free(&back);
}

static void test_models(void)
{
    run_models(1);
    run_models(2);
    run_models(3);
}

/* After a fatal error the last rows are taken, without the model. */
static void test_emergency(void)
{
    begin(3);
    g_st_model_stats = 3;
    g_st_options.gvt_stats = 1;
    g_st_options.real_time_samp = 3600000;
    g_st_options.granularity = 1;
    st_model_settype(0, &types_8);
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    fake_gvt(1.0);
    calls = 0;
    tw_extension.emergency_flush();
    CU_ASSERT_EQUAL(calls, 0);
    fake_end();
    CU_ASSERT_EQUAL(count_rows(path_gvt, FMT_RECORD_GVT_LP), 3); /* those of the first sample */
    CU_ASSERT_EQUAL(count_rows(path_rt, FMT_RECORD_RT_LP), 3);
    CU_ASSERT_EQUAL(count_rows(path_rt, FMT_RECORD_RT_PE), 1);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"pe rows", test_pe_rows},
        {"cycles", test_cycles},
        {"nothing processed", test_nothing_processed},
        {"no lps", test_no_lps},
        {"late turn", test_late_turn},
        {"time ahead", test_time_ahead},
        {"models", test_models},
        {"emergency", test_emergency},
    };
    return root_mpi_run("record/sampling", tests, sizeof(tests) / sizeof(tests[0]));
}
