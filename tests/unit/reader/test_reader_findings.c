/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of the table of rules on synthetic evidence: no rule advises anything in a healthy run, where its
 * numbers are unknown or without meaning, or where records are missing. test_reader_findings_cases.c has the
 * cases of each rule.
 *
 * test: libs=warpscope_reading
 */
#include "figures/values.h"
#include "support/findings_changes.h"
#include "support/suite.h"

static void test_healthy(void)
{
    struct run r;
    struct ws_finding list[WS_FINDINGS_MAX];
    for (int with = 0; with < 2; with++) {
        healthy(&r);
        if (with > 0) {
            studied(&r);
        }
        size_t n = judge(list, &r, "healthy");
        CU_ASSERT_TRUE(n > 8);
        for (size_t i = 0; i < n; i++) {
            if (is_said(&list[i])) {
                printf("found in a healthy run: %s: %s\n", list[i].rule, list[i].text);
            }
            CU_ASSERT_FALSE(is_said(&list[i]));
        }
        n = ws_findings_find(&r.e, list, WS_FINDINGS_MAX);
        CU_ASSERT_TRUE(n == 1 && strcmp(list[0].rule, "ranks") == 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(list[0].text, "one rank alone would need about 28 s"));
    }
}

/* Where nothing was recorded, no rule says a thing. */
static void test_unknown(void)
{
    static const enum ws_scheduler schedulers[] = {WS_SCHED_OPTIMISTIC, WS_SCHED_CONSERVATIVE,
                                                   WS_SCHED_SEQUENTIAL, WS_SCHED_UNKNOWN};
    struct run r = {.study = {.placement_why = "record with --event-trace=3",
                              .speed_up_why = "Not known: record it."}};
    struct ws_finding list[WS_FINDINGS_MAX];
    double *const none[] = {&r.study.bound, &r.study.speed_up, &r.study.lookahead,
                            &r.study.slow_times, &r.study.hot_part};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        *none[i] = (double)NAN;
    }
    for (int kind = 0; kind < 8; kind++) {
        ws_evidence_init(&r.e);
        r.e.scheduler = schedulers[kind / 2];
        r.e.ranks = kind / 2 == 2 ? 1 : 3;
        r.e.study = kind % 2 == 0 ? NULL : &r.study;
        size_t n = judge(list, &r, "unknown");
        CU_ASSERT_EQUAL(find(list, n, "hot-lps")->verdict, WS_UNKNOWN);
        CU_ASSERT_EQUAL(ws_findings_find(&r.e, list, WS_FINDINGS_MAX), 0);
    }
}

/* Sampled times that are far from the time of the run are noise; exact ones never are. */
static void test_implausible_times(void)
{
    static const double factors[] = {1.0, 1.45, 0.7, 1.6, 0.6, 1.6, 0.6};
    struct ws_finding list[WS_FINDINGS_MAX];
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        struct run r;
        healthy(&r);
        for (int pe = 0; pe < PES; pe++) {
            r.pes[pe].seconds *= factors[i];
            for (int phase = 0; phase < WS_PHASE_COUNT; phase++) {
                r.pes[pe].phases[phase] *= factors[i];
            }
            r.pes[pe].phases[WS_PHASE_REST] = 0.5 * r.pes[pe].seconds;
        }
        r.e.phases_exact = i >= 5;
        bool found = find(list, ws_findings_find(&r.e, list, WS_FINDINGS_MAX), "waiting") != NULL;
        CU_ASSERT_EQUAL(found, i < 3 || i >= 5);
        bool alone = find(list, ws_findings_find(&r.e, list, WS_FINDINGS_MAX), "ranks") != NULL;
        CU_ASSERT_EQUAL(alone, found); /* the statement about one rank rests on these times */
        for (int pe = 0; pe < PES; pe++) {
            r.pes[pe].lost = 0.5; /* of which timed turns may have none */
        }
        found = find(list, ws_findings_find(&r.e, list, WS_FINDINGS_MAX), "waiting") != NULL;
        CU_ASSERT_EQUAL(found, i < 3 || i >= 4);
        r.e.run_seconds = (double)NAN;
        CU_ASSERT_PTR_NOT_NULL(
            find(list, ws_findings_find(&r.e, list, WS_FINDINGS_MAX), "waiting"));
    }
}

/* Where records are missing, nothing is said that only all of them tell: no cause, and no advice. Counts of
 * all ranks are still good if the PEs ended. */
static void test_lacks(void)
{
    static const struct {
        void (*change)(struct run *r, bool enough);
        const char *rule;
        bool by_ends; /* judged if the PEs ended */
    } rests[] = {{kps, "nkp", true},
                 {batch_small, "batch", true},
                 {gvt_often, "gvt-interval", true},
                 {windows_narrow, "synch", true},
                 {types, "type-traffic", false},
                 {pair, "rollback-pair", false},
                 {busiest, "hot-lps", false},
                 {kp, "rollback-kp", false},
                 {period, "efficiency-period", false},
                 {queue, "queue-grows", false},
                 {lookahead, "lookahead", false}};
    static const char *const why[] = {"since records are missing.", "disks of other hosts.",
                                      "not all PEs ended their part.", "was chosen."};
    for (size_t i = 0; i < 8 * sizeof rests / sizeof rests[0]; i++) {
        struct run r;
        struct ws_finding list[WS_FINDINGS_MAX];
        healthy(&r);
        rests[i / 8].change(&r, true);
        r.e.records_damaged = i % 4 == 0 ? 7.0 : 0.0;
        r.e.pes_absent = i % 4 == 1;
        r.e.pes_open = i % 4 == 2;
        r.e.is_chosen = i % 4 == 3;
        r.e.has_ends = i % 8 >= 4;
        size_t n = judge(list, &r, "lacks");
        const struct ws_finding *f = find(list, n, rests[i / 8].rule);
        bool is_judged = rests[i / 8].by_ends && r.e.has_ends;
        CU_ASSERT_EQUAL(f->verdict, is_judged ? WS_CHANGE : WS_UNKNOWN);
        CU_ASSERT_EQUAL(strstr(f->text, why[i % 4]) == NULL, is_judged);
        CU_ASSERT_EQUAL(is_said(f), is_judged);
        r.e.is_running = true; /* records are still to come */
        judge(list, &r, "running");
        f = find(list, n, rests[i / 8].rule);
        bool is_asked =
            strcmp(f->rule, "type-traffic") == 0 || strcmp(f->rule, "rollback-pair") == 0;
        CU_ASSERT_TRUE(i % 4 != 2 || f->verdict == (is_asked ? WS_UNKNOWN : WS_CHANGE));
    }
    struct run r;
    struct ws_finding list[WS_FINDINGS_MAX];
    healthy(&r);
    imbalance(&r, true);
    r.e.records_lost = 9.0;
    r.e.has_ends = true;
    const struct ws_finding *f = find(list, judge(list, &r, "lacks"), "placement");
    CU_ASSERT_PTR_NOT_NULL(strstr(f->text, "1.6 times as long"));
    CU_ASSERT_STRING_EQUAL(f->advice, "Judge it by a whole recording.");
    /* Half of the PEs have half of the events: a rank has as many as before. */
    healthy(&r);
    r.e.sum.processed *= 0.5;
    r.e.n_pes = PES / 2;
    r.e.is_chosen = true;
    f = find(list, judge(list, &r, "chosen"), "gvt-interval");
    CU_ASSERT_PTR_NOT_NULL(strstr(f->text, "250 events of a rank per GVT computation"));
}

/* A stream of several parts can have the ends of PEs of which an earlier part is elsewhere. */
static void test_open(void)
{
    static const uint32_t cases[][3] = {{0, 4, 0}, {0, 1, 3}, {2, 2, 0}, {2, 1, 1}, {2, 4, 0}};
    const struct fmt_superblock sb = {.layout.n_pes = 4};
    const struct ws_select select = {.by_time = true};
    const struct ws_stats_sums sums = {.counted = NULL};
    struct ws_pe pes[4] = {{.records = 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ws_file file = {
            .sb = &sb, .pes = pes, .pes_absent = cases[i][0], .pes_ended = cases[i][1]};
        struct ws_evidence e;
        ws_evidence_init(&e);
        CU_ASSERT_TRUE(ws_evidence_stream(&e, &file, &sums, &select));
        CU_ASSERT_EQUAL(e.pes_open, cases[i][2]);
        ws_evidence_free(&e);
    }
}

/* The statement about one rank needs enough timed turns with events. */
static void test_few_turns(void)
{
    struct ws_finding list[WS_FINDINGS_MAX];
    for (int i = 0; i < 4; i++) {
        struct run r;
        healthy(&r);
        r.e.batch = i == 0 ? 780 : 785; /* a million events: 20.03 or 19.9 timed turns */
        r.e.phases_exact = i == 2;
        r.e.stride = i == 2 ? 1.0 : 64.0;
        r.e.sum.gvts = i == 3 ? 1000 : 100; /* 250 events between them, in a turn or more */
        bool known = find(list, ws_findings_find(&r.e, list, WS_FINDINGS_MAX), "ranks") != NULL;
        CU_ASSERT_EQUAL(known, i != 1);
        /* The number of ranks is not judged by the model alone. */
        studied(&r);
        const struct ws_finding *f = find(list, judge(list, &r, "few turns"), "ranks");
        CU_ASSERT_EQUAL(f->verdict, i != 1 ? WS_KEEP : WS_UNKNOWN);
        CU_ASSERT_PTR_NOT_NULL(strstr(f->text, "The model allows at most 100.000 times"));
        r.e.handlers_timed = true; /* then phases have the time that timing takes */
        f = find(list, judge(list, &r, "timed"), "ranks");
        CU_ASSERT_EQUAL(f->verdict, WS_UNKNOWN);
        CU_ASSERT_PTR_NOT_NULL(strstr(f->advice, "--event-times=1"));
        r.e.handler_seconds = 20e-6;
        f = find(list, judge(list, &r, "handlers"), "ranks");
        CU_ASSERT_EQUAL(f->verdict, WS_KEEP);
        CU_ASSERT_EQUAL(strstr(f->text, "of the time was model code") != NULL, i != 1);
    }
}

static void test_words(void)
{
    struct run r;
    struct ws_finding list[WS_FINDINGS_MAX];
    healthy(&r);
    r.e.sum.undone = 99e3;
    r.e.low_efficiency = 0.0;
    size_t n = ws_findings_find(&r.e, list, WS_FINDINGS_MAX);
    const struct ws_finding *f = find(list, n, "efficiency-period");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_PTR_NOT_NULL(strstr(f->text, "falls to 0 % or less"));
    healthy(&r);
    r.e.blocks_damaged = 1;
    n = ws_findings_find(&r.e, list, WS_FINDINGS_MAX);
    f = find(list, n, "records-lost");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_PTR_NOT_NULL(strstr(f->text, "1 block of this recording cannot be read"));
    healthy(&r);
    r.e.records_damaged = 12; /* not lost while recording: other buffers would not help */
    n = ws_findings_find(&r.e, list, WS_FINDINGS_MAX);
    f = find(list, n, "records-lost");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_PTR_NOT_NULL(strstr(f->text, "12 records are missing"));
    CU_ASSERT_PTR_NOT_NULL(strstr(f->advice, "verify"));
    CU_ASSERT_PTR_NULL(strstr(f->advice, "--buffer-full"));
    r.e.blocks_damaged = 1; /* their records are missing as well, and not counted */
    ws_findings_find(&r.e, list, WS_FINDINGS_MAX);
    CU_ASSERT_PTR_NOT_NULL(strstr(find(list, n, "records-lost")->text, "At least 12 records"));
    r.e.records_lost = 3;
    n = ws_findings_find(&r.e, list, WS_FINDINGS_MAX);
    f = find(list, n, "records-lost");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_PTR_NOT_NULL(strstr(f->advice, "--buffer-full"));
}

/* More ranks: as the processors, the model, and the LPs allow. */
static void test_more(void)
{
    static const struct {
        double speed_up, undone;
        uint64_t lps;
        uint32_t processors, wanted;
    } more[] = {{100, 40e3, 2048, 8, 8}, {9.9, 40e3, 2048, 8, 4},  {7.9, 40e3, 2048, 8, 0},
                {100, 40e3, 47, 8, 5},   {100, 210e3, 2048, 8, 0}, /* rollbacks first */
                {100, 40e3, 2048, 3, 0}};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        struct run r;
        healthy(&r);
        studied(&r);
        r.e.ranks = 2;
        r.study.speed_up = more[i].speed_up;
        r.e.sum.undone = more[i].undone;
        r.e.lps = more[i].lps;
        r.e.processors = more[i].processors;
        CU_ASSERT_EQUAL(ws_ranks_more(&r.e), more[i].wanted);
    }
}

/* Without a map, the placement is advice in words only. */
static void test_no_map(void)
{
    struct run r;
    struct ws_finding list[WS_FINDINGS_MAX];
    healthy(&r);
    placement_remote(&r, true);
    r.study.map = NULL;
    const struct ws_finding *f = find(list, judge(list, &r, "no map"), "placement");
    CU_ASSERT_TRUE(f->verdict == WS_CHANGE && f->options[0] == '\0');
    CU_ASSERT_PTR_NOT_NULL(strstr(f->advice, "--map=FILE"));
}

/* Gives four numbers of a run values without meaning, which ones and which values by the seed. */
static void make_odd(struct run *r, uint64_t *seed)
{
    static const double odd[] = {0.0, 1.0, -1.0, 1e300, 1e-300, 1e6};
    double *numbers[] = {&r->e.lookahead,     &r->e.sum.processed,   &r->e.sum.undone,
                         &r->e.sum.rollbacks, &r->e.sum.secondary,   &r->e.sum.gvts,
                         &r->e.sum.remote,    &r->e.kp_rollbacks,    &r->e.pair_all,
                         &r->e.pair_most,     &r->e.lp_events,       &r->e.lps_events,
                         &r->e.types_all,     &r->e.types_most,      &r->e.offset_mean,
                         &r->e.offset_least,  &r->e.low_efficiency,  &r->e.queue_first,
                         &r->e.queue_middle,  &r->e.queue_last,      &r->e.records_lost,
                         &r->pes[1].seconds,  &r->pes[1].phases[1],  &r->pes[2].sum.committed,
                         &r->e.alone_seconds, &r->e.handler_seconds, &r->e.stride,
                         &r->e.lost_part,     &r->e.lost_most,       &r->e.records_damaged,
                         &r->e.batch,         &r->e.gvt_interval,    &r->e.max_optimism,
                         &r->e.kp_all,        &r->study.bound,       &r->study.speed_up,
                         &r->study.hot_part,  &r->study.slow_times,  &r->study.more[0].in_order,
                         &r->e.span};
    for (int k = 0; k < 4; k++) {
        uint64_t which = random_below(seed, 7);
        *numbers[random_below(seed, sizeof numbers / sizeof numbers[0])] =
            which < 6 ? odd[which] : (double)NAN;
    }
}

/* Numbers without meaning cause no finding with NaN in it, and no weight out of range. */
static void test_random(void)
{
    uint64_t seed = suite_seed(), wrong = 0;
    suite_print_seed("reader_findings", seed);
    for (int round = 0; round < 20000; round++) {
        struct run r;
        struct ws_finding list[WS_FINDINGS_MAX];
        healthy(&r);
        studied(&r);
        r.e.study = NULL;
        make_odd(&r, &seed);
        r.e.lps = random_below(&seed, 3) * 500;
        r.e.ranks = (uint32_t)random_below(&seed, 5);
        if (round % 2 == 0) {
            r.e.study = &r.study;
        }
        r.study.more_ranks = 5;
        size_t n = ws_findings_judge(&r.e, list);
        for (size_t i = 0; i < n; i++) {
            bool bad = !(list[i].weight >= 0.0 && list[i].weight <= 1.0) ||
                       strstr(list[i].text, "nan") != NULL;
            wrong += bad;
            if (bad && wrong < 4) {
                printf("%s %g: %s\n", list[i].rule, list[i].weight, list[i].text);
            }
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"healthy runs", test_healthy},
        {"nothing known", test_unknown},
        {"more ranks", test_more},
        {"no map", test_no_map},
        {"implausible times", test_implausible_times},
        {"records missing", test_lacks},
        {"PEs without an end", test_open},
        {"few turns", test_few_turns},
        {"words", test_words},
        {"numbers without meaning", test_random},
    };
    return suite_run("reader_findings", tests, sizeof tests / sizeof tests[0]);
}
