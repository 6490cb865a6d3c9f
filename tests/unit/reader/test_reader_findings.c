/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of the findings: each rule finds what it is for, with the right figure, and finds nothing
 * in a healthy run, in one just below its limit, and where its numbers are unknown.
 *
 * test: libs=warpscope_reading
 */
#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "findings/findings.h"
#include "support/suite.h"

#define PES 4

struct run {
    struct ws_evidence e;
    struct ws_evidence_pe pes[PES];
};

/* A run of 4 PEs and a million events in which nothing is remarkable. */
static void healthy(struct run *r)
{
    ws_evidence_init(&r->e);
    for (uint32_t i = 0; i < PES; i++) {
        r->pes[i] = (struct ws_evidence_pe){
            .pe = i, .sum.processed = 250e3, .sum.committed = 240e3, .seconds = 10.0};
        r->pes[i].phases[WS_PHASE_EXECUTE] = 7.0;
        r->pes[i].phases[WS_PHASE_GVT] = 1.0;
        r->pes[i].phases[WS_PHASE_REST] = 1.0;
        r->pes[i].phases[WS_PHASE_NETWORK] = 0.5;
        r->pes[i].phases[WS_PHASE_UNDO] = 0.25;
    }
    r->e.pes = r->pes;
    r->e.n_pes = PES;
    r->e.scheduler = WS_SCHED_OPTIMISTIC;
    r->e.ranks = PES;
    r->e.processors = 8;
    r->e.kps_per_pe = 16;
    r->e.lps = 1000;
    r->e.run_seconds = 10.0;
    r->e.alone_seconds = 28.0;
    r->e.lost_part = r->e.lost_most = 0.02;
    r->e.lookahead = 0.5;
    r->e.sum.processed = 1e6;
    r->e.sum.undone = 40e3;
    r->e.sum.rollbacks = 10e3;
    r->e.sum.secondary = 1e3;
    r->e.sum.gvts = 1000;
    r->e.sum.remote = 200e3;
    r->e.kp_rollbacks = 300;
    r->e.kps = 64;
    r->e.pair_all = 10e3;
    r->e.pair_most = 1500;
    r->e.pair_from = 1;
    r->e.pair_to = 2;
    r->e.pairs = 12;
    r->e.lp = 12;
    r->e.lp_events = 2e3;
    r->e.lps_events = 1e6;
    r->e.types_all = 200e3;
    r->e.types_most = 70e3;
    r->e.type_from = "router";
    r->e.type_to = "host";
    r->e.types = 3;
    r->e.offset_mean = 1.0;
    r->e.offset_least = 0.5;
    r->e.low_from = 1.0;
    r->e.low_to = 2.0;
    r->e.low_efficiency = 90.0;
    r->e.queue_first = r->e.queue_middle = r->e.queue_last = 5000.0;
    r->e.records_lost = r->e.records_damaged = 0.0;
}

/* ---- What a rule is for, and what is just not enough ----------------------------------------- */

static void incomplete(struct run *r, bool enough)
{
    r->e.pes_open = enough ? 2 : 0;
}
static void lost(struct run *r, bool enough)
{
    r->e.records_lost = enough ? 1234 : 0;
}
static void efficiency(struct run *r, bool enough)
{
    r->e.sum.undone = enough ? 310e3 : 99e3;
}
static void period(struct run *r, bool enough)
{
    r->e.sum.undone = 99e3; /* 89 % over the run */
    r->e.low_efficiency = enough ? 31.0 : 61.0;
}
static void kp(struct run *r, bool enough)
{
    r->e.kp = 12;
    r->e.kp_pe = 1;
    r->e.kp_rollbacks = enough ? 6100 : 2900;
}
static void pair(struct run *r, bool enough)
{
    r->e.pair_most = enough ? 5500 : 3900;
}
static void secondary(struct run *r, bool enough)
{
    r->e.sum.undone = 60e3;
    r->e.sum.secondary = enough ? 7200 : 4900;
}
static void random_rollbacks(struct run *r, bool enough)
{
    r->e.random_rollbacks = enough;
}
static void reverse(struct run *r, bool enough)
{
    for (int i = 0; i < PES; i++) { /* 28 us per event forwards; 3 or 1.9 times that to undo */
        r->pes[i].phases[WS_PHASE_UNDO] = 10e3 * 28e-6 * (enough ? 3.0 : 1.9);
    }
}
static void one_rank(struct run *r, bool enough)
{
    /* Of the 10 s, other programs took 2 s: what they took is no reason for fewer ranks. */
    r->e.lost_part = r->e.lost_most = 0.2;
    r->e.alone_seconds = enough ? 6.5 : 6.8;
}
static void shared(struct run *r, bool enough)
{
    r->e.lost_pe = 2;
    r->e.lost_most = enough ? 0.43 : 0.09;
    r->e.lost_part = enough ? 0.3 : 0.08;
}
static void gvt_time(struct run *r, bool enough)
{
    r->pes[1].phases[WS_PHASE_GVT] = enough ? 3.8 : 1.9;
}
static void gvt_often(struct run *r, bool enough)
{
    r->e.sum.gvts = enough ? 10e3 : 3900;
}
static void gvt_rare(struct run *r, bool enough)
{
    r->e.sum.gvts = enough ? 2 : 3;
}
static void waiting(struct run *r, bool enough)
{
    r->pes[3].phases[WS_PHASE_REST] = enough ? 4.5 : 3.4;
}
static void crowded(struct run *r, bool enough)
{
    r->e.processors = enough ? 2 : 4;
}
static void network(struct run *r, bool enough)
{
    r->pes[0].phases[WS_PHASE_NETWORK] = enough ? 3.1 : 2.4;
}
static void states(struct run *r, bool enough)
{
    r->pes[2].phases[WS_PHASE_STATES] = enough ? 2.2 : 1.4;
}
static void recording(struct run *r, bool enough)
{
    r->pes[2].phases[WS_PHASE_RECORDS] = enough ? 1.2 : 0.9;
}
static void exact(struct run *r, bool enough)
{
    r->e.phases_exact = enough;
}
static void imbalance(struct run *r, bool enough)
{
    r->pes[3].sum.committed = enough ? 240e3 * 4.5 : 240e3 * 1.3; /* 2.4 and 1.2 times the mean */
}
static void busiest(struct run *r, bool enough)
{
    r->e.lp_events = enough ? 430e3 : 149e3;
}
static void types(struct run *r, bool enough)
{
    r->e.types_most = enough ? 94e3 : 79e3;
}
static void remote(struct run *r, bool enough)
{
    r->e.sum.remote = enough ? 630e3 : 390e3;
}
static void queue(struct run *r, bool enough)
{
    r->e.queue_middle = enough ? 10e3 : 6e3;
    r->e.queue_last = enough ? 40e3 : 9e3;
}
static void lookahead(struct run *r, bool enough)
{
    r->e.scheduler = WS_SCHED_CONSERVATIVE;
    r->e.lookahead = enough ? 0.002 : 0.11;
}

static const struct {
    const char *rule;
    void (*change)(struct run *r, bool enough);
    const char *figure; /* in the sentence */
    const char *advice; /* in what to try */
} cases[] = {
    {"incomplete", incomplete, "2 PEs", "warpscope recover"},
    {"records-lost", lost, "1234 records", "--buffer-full"},
    {"efficiency", efficiency, "undone; efficiency, 1 - undone / committed, is 55 %",
     "--nkp=64 instead of 16"},
    {"efficiency-period", period, "31 %", "period"},
    {"rollback-kp", kp, "KP 12 of PE 1 takes part in 61 % of all rollbacks", "--nkp=64"},
    {"rollback-pair", pair, "55 %", "PE 2"},
    {"rollback-secondary", secondary, "72 %", "--max-opt-lookahead"},
    {"rollback-random", random_rollbacks, "on purpose", "option"},
    {"reverse-slow", reverse, "3 times", "reverse handlers"},
    {"one-rank", one_rank, "about 6.5 s for handlers and queue; this run took 10 s on 4",
     "--synch=1"},
    {"shared", shared, "PE 2 was ready to run, but had no processor, for 43 %", "free processors"},
    {"gvt-time", gvt_time, "PE 1 spends 38 %", "--gvt-interval"},
    {"gvt-often", gvt_often, "every 25 executed", "--gvt-interval"},
    {"gvt-rare", gvt_rare, "1.2e+05", "--gvt-interval"},
    {"waiting", waiting, "PE 3 spends 45 %", "fewer ranks"},
    {"crowded", crowded, "4 ranks shared 2 processors", "at most 2 ranks"},
    {"network-time", network, "PE 0 spends 31 %", "--transport"},
    {"state-saving", states, "PE 2 spends 22 %", "reverse handlers"},
    {"recording-time", recording, "PE 2 spends 12 %", "--writer-thread"},
    {"phases-exact", exact, "exactly", "--phase-times=sampled"},
    {"imbalance", imbalance, "PE 3 commits 2.4 times", "Map LPs"},
    {"busiest-lp", busiest, "LP 12 gets 43 %", "divide"},
    {"type-traffic", types, "47 % of remote events go from router to host", "PE"},
    {"remote", remote, "63 %", "fewer ranks"},
    {"queue-grows", queue, "5e+03 to 4e+04", "--max-memory"},
    {"lookahead", lookahead, "0.002", "--cons-lookahead"},
};
#define N_CASES (sizeof cases / sizeof cases[0])

static const struct ws_finding *find(const struct ws_finding *list, size_t n, const char *rule)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i].rule, rule) == 0) {
            return &list[i];
        }
    }
    return NULL;
}

static void test_healthy(void)
{
    struct run r;
    struct ws_finding list[WS_FINDINGS_MAX];
    healthy(&r);
    size_t n = ws_findings_find(&r.e, list, WS_FINDINGS_MAX);
    CU_ASSERT_EQUAL(n, 0);
    for (size_t i = 0; i < n; i++) {
        printf("found in a healthy run: %s: %s\n", list[i].rule, list[i].text);
    }
    ws_evidence_init(&r.e);
    CU_ASSERT_EQUAL(ws_findings_find(&r.e, list, WS_FINDINGS_MAX), 0);
}

/* Each rule of the table has a case. */
static void test_all_have_cases(void)
{
    size_t n = 0;
    for (; ws_findings_rule(n) != NULL; n++) {
        CU_ASSERT_STRING_EQUAL(ws_findings_rule(n), cases[n < N_CASES ? n : 0].rule);
    }
    CU_ASSERT(n == N_CASES && n <= WS_FINDINGS_MAX);
}

static void test_cases(void)
{
    for (size_t i = 0; i < N_CASES; i++) {
        struct run r;
        struct ws_finding list[WS_FINDINGS_MAX];
        healthy(&r);
        cases[i].change(&r, true);
        size_t n = ws_findings_find(&r.e, list, WS_FINDINGS_MAX);
        const struct ws_finding *f = find(list, n, cases[i].rule);
        if (f == NULL || strstr(f->text, cases[i].figure) == NULL ||
            strstr(f->advice, cases[i].advice) == NULL) {
            printf("%s: \"%s\" \"%s\"\n", cases[i].rule, f == NULL ? "nothing" : f->text,
                   f == NULL ? "" : f->advice);
            CU_FAIL("a rule does not find its case");
            continue;
        }
        if (strcmp(f->rule, "efficiency-period") == 0) {
            CU_ASSERT_DOUBLE_EQUAL(f->from, 1.0, 0);
            CU_ASSERT_DOUBLE_EQUAL(f->to, 2.0, 0);
        } else {
            CU_ASSERT_DOUBLE_EQUAL(f->to - f->from, 0.0, 0);
        }
        CU_ASSERT_TRUE(f->weight > 0.0 && f->weight <= 1.0);
        CU_ASSERT_TRUE(strlen(f->text) + 1 < sizeof f->text);
        CU_ASSERT_TRUE(strlen(f->advice) + 1 < sizeof f->advice);
        healthy(&r);
        cases[i].change(&r, false);
        n = ws_findings_find(&r.e, list, WS_FINDINGS_MAX);
        if (find(list, n, cases[i].rule) != NULL) {
            printf("%s: \"%s\"\n", cases[i].rule, find(list, n, cases[i].rule)->text);
            CU_FAIL("a rule finds what is not enough");
        }
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
        r.e.run_seconds = (double)NAN;
        CU_ASSERT_PTR_NOT_NULL(
            find(list, ws_findings_find(&r.e, list, WS_FINDINGS_MAX), "waiting"));
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
    r.e.sum.undone = 600e3; /* more than were committed */
    n = ws_findings_find(&r.e, list, WS_FINDINGS_MAX);
    f = find(list, n, "efficiency");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_PTR_NOT_NULL(strstr(f->text, "is 0 % or less."));
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
    r.e.records_lost = 3;
    n = ws_findings_find(&r.e, list, WS_FINDINGS_MAX);
    f = find(list, n, "records-lost");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_PTR_NOT_NULL(strstr(f->advice, "--buffer-full"));
}

/* All at once: the heaviest first; a short list has the heaviest. */
static void test_order(void)
{
    struct run r;
    struct ws_finding list[WS_FINDINGS_MAX], few[3];
    healthy(&r);
    for (size_t i = 0; i < N_CASES; i++) {
        cases[i].change(&r, true);
    }
    size_t n = ws_findings_find(&r.e, list, WS_FINDINGS_MAX);
    CU_ASSERT_TRUE(n >= 18);
    for (size_t i = 1; i < n; i++) {
        CU_ASSERT_TRUE(list[i - 1].weight >= list[i].weight);
    }
    CU_ASSERT_EQUAL(ws_findings_find(&r.e, few, 3), 3);
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_STRING_EQUAL(few[i].rule, list[i].rule);
    }
    CU_ASSERT_EQUAL(ws_findings_find(&r.e, few, 0), 0);
}

/* Numbers without meaning cause no finding with NaN in it, and no weight out of range. */
static void test_random(void)
{
    static const double odd[] = {0.0, 1.0, -1.0, 1e300, 1e-300, 1e6};
    uint64_t seed = suite_seed(), wrong = 0;
    suite_print_seed("reader_findings", seed);
    for (int round = 0; round < 20000; round++) {
        struct run r;
        struct ws_finding list[WS_FINDINGS_MAX];
        healthy(&r);
        double *numbers[] = {
            &r.e.lookahead,      &r.e.sum.processed, &r.e.sum.undone,     &r.e.sum.rollbacks,
            &r.e.sum.secondary,  &r.e.sum.gvts,      &r.e.sum.remote,     &r.e.kp_rollbacks,
            &r.e.pair_all,       &r.e.pair_most,     &r.e.lp_events,      &r.e.lps_events,
            &r.e.types_all,      &r.e.types_most,    &r.e.offset_mean,    &r.e.offset_least,
            &r.e.low_efficiency, &r.e.queue_first,   &r.e.queue_middle,   &r.e.queue_last,
            &r.e.records_lost,   &r.pes[1].seconds,  &r.pes[1].phases[1], &r.pes[2].sum.committed,
            &r.e.alone_seconds,  &r.e.lost_part,     &r.e.lost_most,      &r.e.records_damaged};
        for (int k = 0; k < 4; k++) {
            uint64_t which = random_below(&seed, 7);
            *numbers[random_below(&seed, sizeof numbers / sizeof numbers[0])] =
                which < 6 ? odd[which] : (double)NAN;
        }
        r.e.lps = random_below(&seed, 3) * 500;
        r.e.ranks = (uint32_t)random_below(&seed, 5);
        size_t n = ws_findings_find(&r.e, list, WS_FINDINGS_MAX);
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
        {"all rules have cases", test_all_have_cases},
        {"each rule and its limit", test_cases},
        {"implausible times", test_implausible_times},
        {"words", test_words},
        {"order", test_order},
        {"numbers without meaning", test_random},
    };
    return suite_run("reader_findings", tests, sizeof tests / sizeof tests[0]);
}
