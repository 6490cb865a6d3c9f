/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of KPs and LPs, and their counters: exact, against counts of the test beside the probes.
 *
 * test: alone=yes
 */
#include "base/efficiency.h"
#include "support/sampling_run.h"

enum { N_LPS = 131, STEPS = 3000 };

/* ---- Counts of the calls of probes ----------------------------------------------------------- */

/* A row of an LP that a sample must have. */
struct lp_row {
    uint64_t sample, lp;
    struct lp_counts change;
};

/* The samples of one mode, as the test takes them. */
struct lp_samples {
    uint64_t n_samples;
    struct lp_counts last[N_LPS];
    struct lp_row rows[STEPS / 10 * N_LPS];
    size_t n_rows;
};

enum { AT_GVT, AT_TURN, MODES };

struct books {
    struct lp_counts lps[N_LPS];
    uint64_t rollbacks[N_KPS][2];
    struct lp_samples samples[MODES];
    bool has_all_lps; /* true if each sample has rows of all LPs */
};

static void add_counts(struct lp_counts *to, const struct lp_counts *from)
{
#define X(name) to->name += from->name;
    LP_COUNT_LIST(X)
#undef X
}

static bool counts_are_equal(const struct lp_counts *a, const struct lp_counts *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

/* Counts an occurrence at an LP in the probes, in the test and in the PE's counters. */
static void something_happens(struct books *books, uint64_t *random)
{
    tw_lpid i = random_below(random, N_LPS);
    tw_lp *lp = &fake.lps[i];
    struct lp_counts *counts = &books->lps[i];
    struct fake_event event;
    fake_event_init(&event, 0, i, 0.0, 1.0, NULL);
    switch (random_below(random, 7)) {
    case 0:
    case 1:
        counts->events_processed++;
        fake.counters.events_processed++;
        fake_execute(&event);
        break;
    case 2:
        counts->events_rolled_back++;
        fake.counters.events_rolled_back++;
        PROBE_CALL(&fake.probes, event_undone, &event.view, false);
        break;
    case 3:
        counts->events_aborted++;
        fake.counters.events_aborted++;
        PROBE_CALL(&fake.probes, event_cancelled, lp);
        break;
    case 4: {
        bool anti = random_below(random, 2) != 0;
        counts->network_sends++;
        counts->remote_events += !anti;
        fake.counters.network_sends++;
        fake.counters.remote_events += !anti;
        fake.counters.anti_sends += anti;
        PROBE_CALL(&fake.probes, message_sent, lp, anti);
        break;
    }
    case 5:
        counts->network_recvs++;
        fake.counters.network_recvs++;
        PROBE_CALL(&fake.probes, message_received, lp, random_below(random, 2) != 0);
        break;
    default: {
        bool secondary = random_below(random, 2) != 0;
        books->rollbacks[lp->kp->id][secondary]++;
        fake.counters.primary_rollbacks += !secondary;
        fake.counters.secondary_rollbacks += secondary;
        PROBE_CALL(&fake.probes, rollback_begin, &event.view,
                   secondary ? PROBE_ROLLBACK_SECONDARY : PROBE_ROLLBACK_PRIMARY);
    }
    }
}

/* Takes a sample of the test's counts: the LPs whose counts have changed, in the first one all. */
static void sample_lps(struct books *books, int mode)
{
    static const struct lp_counts none;
    struct lp_samples *s = &books->samples[mode];
    for (uint64_t lp = 0; lp < N_LPS; lp++) {
        struct lp_counts change;
#define X(name) change.name = books->lps[lp].name - s->last[lp].name;
        LP_COUNT_LIST(X)
#undef X
        if (s->n_samples == 0 || books->has_all_lps || !counts_are_equal(&change, &none)) {
            CU_ASSERT_FATAL(s->n_rows < sizeof(s->rows) / sizeof(s->rows[0]));
            s->rows[s->n_rows++] = (struct lp_row){s->n_samples, lp, change};
        }
        s->last[lp] = books->lps[lp];
    }
    s->n_samples++;
}

/* The rows of LPs are those of the test, and their sums the test's counts. Rows of both modes have
 * the same fields. */
static void check_lp_rows(const struct books *books, const char *path, uint32_t record, int mode)
{
    struct read_back back;
    struct lp_counts sums[N_LPS] = {0};
    const struct lp_samples *samples = &books->samples[mode];
    read_back_kind(&back, path, record);
    CU_ASSERT_EQUAL(back.errors, 0);
    CU_ASSERT_EQUAL_FATAL(back.n, samples->n_rows);
    for (size_t i = 0; i < back.n; i++) {
        struct fmt_gvt_lp_row row;
        memcpy(&row, back.rows + i * back.row_size, sizeof(row));
        CU_ASSERT_EQUAL_FATAL(row.lp, samples->rows[i].lp);
        CU_ASSERT_EQUAL(row.kp, row.lp % N_KPS);
        CU_ASSERT_EQUAL(row.sample, samples->rows[i].sample);
        CU_ASSERT_EQUAL(row.efficiency,
                        efficiency_percent(row.events_processed, row.events_rolled_back));
        struct lp_counts change = {
#define X(name) .name = row.name,
            LP_COUNT_LIST(X)
#undef X
        };
        CU_ASSERT_TRUE(counts_are_equal(&change, &samples->rows[i].change));
        add_counts(&sums[row.lp], &change);
    }
    for (size_t lp = 0; lp < N_LPS; lp++) {
        CU_ASSERT_TRUE(counts_are_equal(&sums[lp], &books->lps[lp]));
    }
    read_back_free(&back);
}

static void check_kp_rows(const struct books *books, const char *path, uint32_t record,
                          size_t points)
{
    struct read_back back;
    struct lp_counts sums[N_KPS] = {0};
    struct lp_counts wanted[N_KPS] = {0};
    uint64_t rollbacks[N_KPS][2] = {0};
    read_back_kind(&back, path, record);
    CU_ASSERT_EQUAL(back.errors, 0);
    CU_ASSERT_EQUAL_FATAL(back.n, points * N_KPS);
    for (size_t i = 0; i < back.n; i++) {
        struct fmt_gvt_kp_row row;
        memcpy(&row, back.rows + i * back.row_size, sizeof(row));
        CU_ASSERT_EQUAL(row.kp, i % N_KPS);
        CU_ASSERT_EQUAL(row.sample, i / N_KPS);
        CU_ASSERT_EQUAL(row.efficiency,
                        efficiency_percent(row.events_processed, row.events_rolled_back));
        struct lp_counts change = {
#define X(name) .name = row.name,
            LP_COUNT_LIST(X)
#undef X
        };
        add_counts(&sums[row.kp], &change);
        rollbacks[row.kp][0] += row.total_rollbacks - row.secondary_rollbacks;
        rollbacks[row.kp][1] += row.secondary_rollbacks;
    }
    for (size_t lp = 0; lp < N_LPS; lp++) {
        add_counts(&wanted[lp % N_KPS], &books->lps[lp]);
    }
    for (size_t kp = 0; kp < N_KPS; kp++) {
        CU_ASSERT_TRUE(counts_are_equal(&sums[kp], &wanted[kp]));
        CU_ASSERT_EQUAL(rollbacks[kp][0], books->rollbacks[kp][0]);
        CU_ASSERT_EQUAL(rollbacks[kp][1], books->rollbacks[kp][1]);
    }
    read_back_free(&back);
}

/* Both modes, sampled independently of each other, with these levels. */
static void run_levels(bool kps, bool lps, bool ross8, uint64_t *random)
{
    struct books *books = calloc(1, sizeof(*books));
    CU_ASSERT_PTR_NOT_NULL_FATAL(books);
    books->has_all_lps = ross8;
    begin(N_LPS);
    if (ross8) {
        g_st_options.format = RECORD_FORMAT_BOTH;
    }
    g_st_options.gvt_stats = 1;
    g_st_options.real_time_samp = 3600000;
    g_st_options.kp_data = kps;
    g_st_options.lp_data = lps;
    g_st_options.buffer_size = 1 + random_below(random, 10000);
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    turn(); /* the first call only sets the clock */
    for (int step = 0; step < STEPS; step++) {
        if (random_below(random, 40) == 0) {
            sample_lps(books, AT_GVT);
            fake_gvt(step);
        } else if (random_below(random, 60) == 0) {
            sample_lps(books, AT_TURN);
            due_turn();
        } else {
            turn();
            something_happens(books, random);
        }
    }
    sample_lps(books, AT_GVT);
    sample_lps(books, AT_TURN);
    size_t gvts = books->samples[AT_GVT].n_samples, turns = books->samples[AT_TURN].n_samples;
    fake_finish();
    fake_end();
    CU_ASSERT_EQUAL(count_rows(path_gvt, FMT_RECORD_GVT_PE), gvts);
    CU_ASSERT_EQUAL(count_rows(path_rt, FMT_RECORD_RT_PE), turns);
    CU_ASSERT_EQUAL(count_rows(path_rt, FMT_RECORD_RT_AHEAD), kps ? 0 : turns * N_KPS);
    if (lps) {
        check_lp_rows(books, path_gvt, FMT_RECORD_GVT_LP, AT_GVT);
        check_lp_rows(books, path_rt, FMT_RECORD_RT_LP, AT_TURN);
    }
    if (kps) {
        check_kp_rows(books, path_gvt, FMT_RECORD_GVT_KP, gvts);
        check_kp_rows(books, path_rt, FMT_RECORD_RT_KP, turns);
    }
    free(books);
}

static void test_levels(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("levels", random);
    for (int levels = 1; levels < 4; levels++) {
        for (int run = 0; run < 5; run++) {
            run_levels((levels & 1) != 0, (levels & 2) != 0, run == 4, &random);
        }
    }
}

/* Probes of events are set only for rows of KPs and LPs, the probe of turns only for samples by
 * wall clock. */
static void test_probes_as_needed(void)
{
    begin(N_LPS);
    g_st_options.gvt_stats = 1;
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    CU_ASSERT_EQUAL(fake.probes.wanted, PROBE_BIT(gvt_advanced));
    fake_end();
    begin(N_LPS);
    g_st_options.real_time_samp = 10;
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    CU_ASSERT_EQUAL(fake.probes.wanted, PROBE_BIT(gvt_advanced) | PROBE_BIT(turn));
    fake_end();
    begin(N_LPS);
    g_st_options.kp_data = 1; /* of nothing */
    g_st_model_stats = 1;
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    CU_ASSERT_EQUAL(fake.probes.wanted, PROBE_BIT(gvt_advanced));
    fake_end();
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"levels", test_levels},
        {"probes as needed", test_probes_as_needed},
    };
    return root_mpi_run("record/levels", tests, sizeof(tests) / sizeof(tests[0]));
}
