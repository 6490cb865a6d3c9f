/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of the table of rules, case by case: each rule states what it is for, with its figure, and advises
 * nothing just below its limit.
 *
 * test: libs=warpscope_reading
 */
#include "support/findings_changes.h"
#include "support/suite.h"

static const struct {
    const char *rule;
    void (*change)(struct run *r, bool enough);
    const char *options, *launcher;
    const char *figure; /* in the sentence */
    const char *advice; /* in the advice */
    bool has_condition, is_judged;
} cases[] = {
    {"ranks", alone, "--synch=1", "-n 1",
     "70 % of the time was model code; one rank alone would need about 5.6 s for handlers and "
     "queue; "
     "this run took 10 s on 4.",
     "--synch=1", true, true},
    {"ranks", alone_kept, "--synch=1", "-n 1",
     "one rank alone would need about 0.24 s for handlers and queue; this run took 0.35 s on 4.",
     "--synch=1", true, true},
    {"ranks", alone_kept_unknown, "--synch=1", "-n 1", "about 0.24 s", "--synch=1", true, true},
    {"ranks", alone_handlers, "--synch=1", "-n 1", "about 0.24 s", "--synch=1", true, true},
    {"ranks", alone_states, "--synch=1", "-n 1", "about 0.24 s", "--synch=1", true, true},
    {"ranks", alone_states_most, "--synch=1", "-n 1", "about 0.24 s", "--synch=1", true, true},
    {"ranks", alone_states_few, "--synch=1", "-n 1", "about 0.24 s", "--synch=1", true, true},
    {"ranks", alone_recording, "--synch=1", "-n 1",
     "about 0.24 s for handlers and queue; this run took 0.41 s on 4, about 0.055 s of it for "
     "recording.",
     "--synch=1", true, true},
    {"ranks", ranks_processors, "", "-n 2", "4 ranks shared 2 processors", "2 ranks", false, true},
    {"ranks", ranks_path, "", "-n 5", "4.200 times", "Run on 5 ranks.", false, true},
    {"ranks", ranks_none, "--synch=1", "-n 1", "1.100 times", "Run on 1 rank, with --synch=1.",
     true, true},
    {"ranks", ranks_more, "--synch=3", "-n 8", "reach 4.1 times", "partition --ranks=8", true,
     true},
    {"ranks", ranks_more_gain, "--synch=3", "-n 8", "that is about 7 s", "Run on 8 ranks", true,
     true},
    {"ranks", ranks_more_remote, "--synch=3", "-n 8", "10.0 % of the events", "Run on 8 ranks",
     true, true},
    {"ranks", ranks_more_predicted, "--synch=3", "-n 8", "that is about 3 s", "Run on 8 ranks",
     true, true},
    {"incomplete", incomplete, "", "", "2 PEs", "warpscope recover", false, true},
    {"records-lost", lost, "", "", "1234 records", "--buffer-full", false, true},
    {"shared", shared, "", "", "PE 2 was ready to run, but had no processor, for 43 %",
     "free processors", false, true},
    {"shared", shared_by_ranks, "", "", "turns of other ranks: for 81 % of the time",
     "free processors", false, true},
    {"random-rollbacks", random_rollbacks, "--random-rollbacks=0", "", "60 %", "out", false, true},
    {"nkp", kps, "--nkp=16", "", "31 % of the executed", "16 KPs per rank instead of 2", false,
     true},
    {"nkp", kps_of_few, "--nkp=256", "", "8 LPs share a KP", "256 KPs", false, true},
    {"max-opt-lookahead", optimism, "", "", "72 % of the rollbacks are secondary",
     "--event-trace=2", false, false},
    {"max-opt-lookahead", bound, "--max-opt-lookahead=0.5", "",
     "need at least 2000 GVT computations instead of 1500, which took 10 % of the time.", "wait",
     false, true},
    {"max-opt-lookahead", bound_cost, "--max-opt-lookahead=0.5", "", "31 %", "0.5", false, true},
    {"max-opt-lookahead", bound_rounds, "--max-opt-lookahead=0.5", "", "31 %", "0.5", false, true},
    {"max-opt-lookahead", bound_given, "--max-opt-lookahead=0.5", "", "31 %", "0.5", false, true},
    {"max-opt-lookahead", bound_tight, "--max-opt-lookahead=0", "",
     "The bound of 0.1 leaves 100 events of a rank between two of the 2500 GVT", "efficiency",
     false, true},
    {"batch", batch_large, "--batch=16", "", "after 1024 events", "batches of 16", false, true},
    {"batch", batch_waste, "--batch=16", "", "11 %", "batches of 16", false, true},
    {"batch", batch_small, "--batch=16", "", "every 3 of its", "batches of 16", false, true},
    {"gvt-interval", gvt_often, "--gvt-interval=64", "", "every 31.2", "adapts", false, true},
    {"gvt-interval", gvt_given, "--gvt-interval=64", "", "8000 GVT", "adapts", false, true},
    {"gvt-interval", gvt_rare, "--gvt-interval=64", "", "5e+03 executed", "adapts", false, true},
    {"gvt-interval", gvt_time, "", "", "PE 1 spends 38 %", "waiting", false, false},
    {"placement", imbalance, "", "", "PE 3 executes events for 1.6 times as long as the mean PE",
     "warpscope advise", false, false},
    {"placement", imbalance_events, "", "", "PE 3 commits 2.4 times", "warpscope advise", false,
     false},
    {"placement", imbalance_timed, "", "", "PE 3 commits 2.4 times", "warpscope advise", false,
     false},
    {"placement", remote, "", "", "63 %", "warpscope advise", false, false},
    {"placement", placement_remote, "--lp-map=found.map", "", "200000", "map", false, true},
    {"placement", placement_uneven, "--lp-map=found.map", "",
     "Handler time of the busiest rank beside the mean: 1.60, with METIS 1.27", "map", false, true},
    {"placement", placement_worse, "--lp-map=found.map", "", "139000", "map", false, true},
    {"type-traffic", types, "", "", "47 % of the events between ranks go from router to host", "",
     false, false},
    {"rollback-pair", pair, "", "", "55 % of the rollbacks hit PE 2 because of events from PE 1",
     "", false, false},
    {"slow-rank", slow, "", "", "Rank 1 takes 1.6 times", "processor", false, true},
    {"hot-lps", busiest, "", "",
     "LP 12 has 43 % of the events: whatever the placement, no run is more than 2.326 times",
     "No option mends that", false, true},
    {"hot-lps", busiest_timed, "", "", "LP 12 has 43 %", "No option mends that", false, true},
    {"hot-lps", hot, "", "",
     "LP 7 has 60 % of the handler time: whatever the placement, no run is more than 1.667 times",
     "No option mends that", false, true},
    {"hot-lps", hot_path, "", "", "2 LPs have half of the critical path, LP 8 (router) most",
     "No option mends that", false, true},
    {"hot-lps", hot_path_many, "", "", "4 LPs have half", "No option mends that", false, true},
    {"synch", one_rank, "--synch=1", "", "no event can come late", "sequential", false, true},
    {"synch", windows_narrow, "--synch=3", "", "7.9 events", "optimistic", true, true},
    {"synch", windows_waits, "", "", "21 % of the time", "optimistic", false, false},
    {"synch", windows_kept, "--synch=2", "", "about 2001 windows, with 120 events of a rank each",
     "does not keep to its lookahead", true, true},
    {"synch", windows_gain, "--synch=2", "", "about 7.7 s", "conservative", true, true},
    {"synch", windows_shared, "--synch=2", "", "about 7.7 s", "conservative", true, true},
    {"synch", windows_alone, "--synch=2", "", "about 2.6 s", "conservative", true, true},
    {"synch", windows_wide, "--synch=2 --cons-lookahead=0.499999", "", "65 events of a rank",
     "conservative", true, true},
    {"synch", windows_waste, "--synch=2 --cons-lookahead=0.499999", "", "21.0 %", "conservative",
     true, true},
    {"synch", windows_later, "--synch=2 --cons-lookahead=0.499999", "", "31.0 %", "conservative",
     true, true},
    {"lookahead", lookahead, "", "", "The lookahead, 0.002, is small", "--cons-lookahead", false,
     true},
    {"lookahead", lookahead_least, "", "", "recorded is 0.0041", "--cons-lookahead", false, true},
    {"rollback-kp", kp, "", "", "KP 12 of PE 1 takes part in 61 % of all rollbacks", "KPs", false,
     true},
    {"efficiency-period", period, "", "", "31 %", "period", false, true},
    {"undo-slow", undo, "", "", "3 times", "no longer than the event", false, true},
    {"undo-slow", undo_states, "", "", "3 times", "without a reverse handler", false, true},
    {"waiting", waiting, "", "", "PE 3 spends 45 %", "core of its own", false, true},
    {"waiting", waiting_shared, "", "", "PE 3 spends 45 %", "core of its own", false, true},
    {"network-time", network, "", "", "PE 0 spends 31 %", "--transport", false, true},
    {"state-saving", states, "", "", "PE 2 spends 22 %", "reverse handlers", false, true},
    {"recording-time", recording, "", "", "PE 2 spends 12 %", "--writer-thread", false, true},
    {"queue-grows", queue, "", "", "5e+03 to 4e+04", "--max-memory", false, true},
    {"phases-exact", exact, "", "", "exactly", "--phase-times=sampled", false, true},
};
#define N_CASES (sizeof cases / sizeof cases[0])

/* Each rule of the table has a case, in the order of the table. */
static void test_all_have_cases(void)
{
    size_t n = 0, at = 0;
    for (; ws_findings_rule(n) != NULL; n++) {
        bool any = false;
        for (; at < N_CASES && strcmp(cases[at].rule, ws_findings_rule(n)) == 0; at++) {
            any = true;
        }
        if (!any) {
            printf("no case for %s\n", ws_findings_rule(n));
        }
        CU_ASSERT_TRUE(any);
    }
    CU_ASSERT_EQUAL(n, WS_FINDINGS_MAX);
    CU_ASSERT_EQUAL(at, N_CASES);
}

static void test_cases(void)
{
    for (size_t i = 0; i < N_CASES; i++) {
        struct run r;
        struct ws_finding list[WS_FINDINGS_MAX];
        healthy(&r);
        cases[i].change(&r, true);
        size_t n = judge(list, &r, cases[i].rule);
        const struct ws_finding *f = find(list, n, cases[i].rule);
        bool good = f != NULL && strstr(f->text, cases[i].figure) != NULL &&
                    strstr(f->advice, cases[i].advice) != NULL &&
                    strcmp(f->options, cases[i].options) == 0 &&
                    strcmp(f->launcher, cases[i].launcher) == 0 && f->weight > 0.0 &&
                    f->has_condition == cases[i].has_condition &&
                    f->verdict == (cases[i].is_judged ? WS_CHANGE : WS_UNKNOWN);
        if (!good) {
            printf("case %zu, %s: %d %g \"%s\" \"%s\" %s %s\n", i, cases[i].rule,
                   f == NULL ? 0 : (int)f->verdict, f == NULL ? 0.0 : f->weight,
                   f == NULL ? "nothing" : f->text, f == NULL ? "" : f->advice,
                   f == NULL ? "" : f->options, f == NULL ? "" : f->launcher);
            CU_FAIL("a rule does not find its case");
            continue;
        }
        if (strcmp(f->rule, "efficiency-period") == 0) {
            CU_ASSERT_DOUBLE_EQUAL(f->from, 1.0, 0);
            CU_ASSERT_DOUBLE_EQUAL(f->to, 2.0, 0);
        } else {
            CU_ASSERT_DOUBLE_EQUAL(f->to - f->from, 0.0, 0);
        }
        healthy(&r);
        cases[i].change(&r, false);
        n = judge(list, &r, cases[i].rule);
        f = find(list, n, cases[i].rule);
        if (is_said(f)) {
            printf("case %zu, %s: \"%s\"\n", i, cases[i].rule, f->text);
            CU_FAIL("a rule finds what is not enough");
        }
    }
}

/* Statements that rest on counters are the same with and without passes over a trace. */
static void test_study(void)
{
    for (size_t i = 0; i < N_CASES; i++) {
        struct run r;
        struct ws_finding with[WS_FINDINGS_MAX], without[WS_FINDINGS_MAX];
        healthy(&r);
        cases[i].change(&r, true);
        r.e.study = NULL;
        size_t n = judge(without, &r, cases[i].rule);
        if (!r.study.has_placement || i == 0 || r.study.events <= 0.0) {
            studied(&r);
        }
        r.e.study = &r.study;
        size_t n_with = judge(with, &r, cases[i].rule);
        for (size_t k = 0; k < n; k++) {
            const struct ws_finding *f = find(with, n_with, without[k].rule);
            bool same = without[k].verdict == WS_UNKNOWN ||
                        (f != NULL && f->verdict == without[k].verdict &&
                         strcmp(f->text, without[k].text) == 0);
            /* A hot LP by events may yet be one by the critical path or by times. */
            same |= strcmp(without[k].rule, "hot-lps") == 0 && without[k].verdict == WS_KEEP;
            if (!same) {
                printf("case %zu, %s: %s: \"%s\", with a study \"%s\"\n", i, cases[i].rule,
                       without[k].rule, without[k].text, f == NULL ? "" : f->text);
            }
            CU_ASSERT_TRUE(same);
        }
    }
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
    r.e.scheduler = WS_SCHED_OPTIMISTIC;
    r.e.study = NULL;
    r.e.random_rollbacks = false;
    r.e.pes_open = 0; /* rules that need all records are judged, too */
    r.e.records_lost = 0;
    size_t n = ws_findings_find(&r.e, list, WS_FINDINGS_MAX);
    CU_ASSERT_TRUE(n >= 8);
    list_check(list, n, "all at once");
    CU_ASSERT_STRING_EQUAL(list[0].rule, "ranks");
    CU_ASSERT_EQUAL(ws_findings_find(&r.e, few, 3), 3);
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_STRING_EQUAL(few[i].rule, list[i].rule);
    }
    CU_ASSERT_EQUAL(ws_findings_find(&r.e, few, 0), 0);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"all rules have cases", test_all_have_cases},
        {"each rule and its limit", test_cases},
        {"the same with and without a study", test_study},
        {"order", test_order},
    };
    return suite_run("reader_findings_cases", tests, sizeof tests / sizeof tests[0]);
}
