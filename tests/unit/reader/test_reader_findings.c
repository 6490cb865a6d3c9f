/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of the table of rules on synthetic evidence: each rule states what it is for, with its figure, and
 * advises nothing in a healthy run, in one just below its limit, and where its numbers are unknown.
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
    struct ws_evidence_pe pes[8];
    struct ws_study study;
};

/* Sets the number of PEs, each with the same share of a million events and 10 seconds. */
static void pes_set(struct run *r, uint32_t n)
{
    r->e.ranks = n;
    r->e.n_pes = n;
    for (uint32_t i = 0; i < n; i++) {
        r->pes[i] = (struct ws_evidence_pe){
            .pe = i, .sum.processed = 1e6 / n, .sum.committed = 960e3 / n, .seconds = 10.0};
        r->pes[i].phases[WS_PHASE_EXECUTE] = 7.0;
        r->pes[i].phases[WS_PHASE_GVT] = 1.0;
        r->pes[i].phases[WS_PHASE_REST] = 1.0;
        r->pes[i].phases[WS_PHASE_NETWORK] = 0.5;
        r->pes[i].phases[WS_PHASE_UNDO] = 0.25;
    }
}

/* A run of 4 PEs and a million events in which nothing is remarkable. */
static void healthy(struct run *r)
{
    ws_evidence_init(&r->e);
    r->e.pes = r->pes;
    pes_set(r, PES);
    r->e.scheduler = WS_SCHED_OPTIMISTIC;
    r->e.processors = 8;
    r->e.kps_per_pe = 64;
    r->e.lps = 2048;
    r->e.batch = 16;
    r->e.gvt_interval = 64;
    r->e.run_seconds = 10.0;
    r->e.span = 1000;
    r->e.alone_seconds = 28.0;
    r->e.lost_part = r->e.lost_most = 0.02;
    r->e.lookahead = 0.5;
    r->e.sum.processed = 1e6;
    r->e.sum.committed = 960e3;
    r->e.sum.undone = 40e3;
    r->e.sum.rollbacks = 10e3;
    r->e.sum.secondary = 1e3;
    r->e.sum.gvts = 1000;
    r->e.sum.remote = 200e3;
    r->e.kp_rollbacks = 300;
    r->e.kp_all = 10e3;
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

/* The same with what passes over an event trace add, which changes nothing. */
static void studied(struct run *r)
{
    r->e.study = &r->study;
    r->study = (struct ws_study){.bound = (double)NAN,
                                 .has_placement = true,
                                 .events = 1e6,
                                 .remote_now = 20e3,
                                 .remote_new = 15e3,
                                 .balance_now = 1.04,
                                 .balance_new = 1.01,
                                 .speed_up = 100,
                                 .in_order = 3.8,
                                 .lookahead = 0.5,
                                 .window_events = 40,
                                 .slow_rank = 1,
                                 .slow_times = 1.1,
                                 .hot_lp = 7,
                                 .path_lp = 8,
                                 .path_type = "router",
                                 .hot_part = 0.002,
                                 .map = "found.map"};
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
static void random_rollbacks(struct run *r, bool enough)
{
    r->e.sum.undone = 600e3;
    r->e.random_rollbacks = enough;
}
static void kps(struct run *r, bool enough)
{
    r->e.kps_per_pe = 2;
    r->e.sum.undone = enough ? 310e3 : 99e3;
}
static void kps_of_few(struct run *r, bool enough)
{
    r->e.sum.undone = 310e3;
    r->e.lps = enough ? 2048 : 2044; /* 8 LPs per KP, and fewer */
}
/* Many events were undone, but the KPs are many. */
static void stormy(struct run *r)
{
    r->e.sum.undone = 310e3;
    r->e.kps_per_pe = 512;
    studied(r);
}
static void optimism(struct run *r, bool enough)
{
    stormy(r);
    r->e.study = NULL;
    r->e.sum.undone = enough ? 310e3 : 199e3;
    r->e.sum.secondary = 7200;
}
static void bound(struct run *r, bool enough)
{
    stormy(r);
    r->e.sum.undone = enough ? 310e3 : 199e3;
    r->e.sum.gvts = 1500;
    r->study.has_bound = true;
    r->study.bound = 0.5;
}
static void bound_cost(struct run *r, bool enough)
{
    bound(r, true);
    /* A third more GVT computations, which took 10 % of the time, and two thirds more */
    r->e.sum.gvts = enough ? 1500 : 1200;
}
static void bound_rounds(struct run *r, bool enough)
{
    bound(r, true);
    r->e.n_pes = 0;
    r->e.sum.gvts = enough ? 501 : 499; /* a quarter of those that the bound needs */
}
static void bound_given(struct run *r, bool enough)
{
    bound(r, true);
    r->e.max_optimism = enough ? 0.6 : 0.4;
}
static void bound_tight(struct run *r, bool enough)
{
    r->e.max_optimism = 0.1;
    r->e.sum.gvts = 2500; /* one after 100 events of a rank */
    for (int pe = 0; pe < PES; pe++) {
        r->pes[pe].phases[WS_PHASE_GVT] = enough ? 1.8 : 1.5; /* 0.11, 0.09 of the time */
    }
}
static void batch_large(struct run *r, bool enough)
{
    stormy(r);
    r->e.is_batch_given = true;
    r->e.batch = enough ? 1024 : 1023;
}
static void batch_waste(struct run *r, bool enough)
{
    batch_large(r, true);
    r->e.sum.undone = enough ? 110e3 : 90e3;
}
static void batch_small(struct run *r, bool enough)
{
    r->e.is_batch_given = true;
    r->e.batch = enough ? 3 : 4;
}
static void gvt_often(struct run *r, bool enough)
{
    r->e.is_gvt_given = true;
    r->e.gvt_interval = enough ? 3 : 4;
    r->e.sum.gvts = 8000;
}
static void gvt_given(struct run *r, bool enough)
{
    gvt_often(r, true);
    r->e.is_gvt_given = enough; /* an adaptive interval is as it must be */
}
static void gvt_rare(struct run *r, bool enough)
{
    r->e.is_gvt_given = true;
    r->e.gvt_interval = 5000;
    r->e.sum.gvts = enough ? 50 : 65;
}
static void gvt_time(struct run *r, bool enough)
{
    r->pes[1].phases[WS_PHASE_GVT] = enough ? 3.8 : 1.9;
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
static void undo(struct run *r, bool enough)
{
    for (int i = 0; i < PES; i++) { /* 28 us per event forwards; 3 or 1.9 times that to undo */
        r->pes[i].phases[WS_PHASE_UNDO] = 10e3 * 28e-6 * (enough ? 3.0 : 1.9);
    }
}
static void undo_states(struct run *r, bool enough)
{
    undo(r, enough);
    r->e.state_saves = 1e6;
}
static void alone(struct run *r, bool enough)
{
    /* Of the 10 s, other programs took 2 s: what they took is no reason for fewer ranks. */
    r->e.lost_part = r->e.lost_most = 0.2;
    r->e.alone_seconds = enough ? 6.5 : 6.8;
}
/* 0.29 s, without 40 ns for each of 960000 events, and 110 ns more where handlers were timed. */
static void alone_timed(struct run *r, bool enough)
{
    r->e.run_seconds = 0.3;
    r->e.alone_seconds = 0.29;
    r->e.handlers_timed = enough;
    for (int pe = 0; pe < PES; pe++) {
        r->pes[pe].seconds *= 0.03;
        for (int phase = 0; phase < WS_PHASE_COUNT; phase++) {
            r->pes[pe].phases[phase] *= 0.03;
        }
    }
}
static void ranks_processors(struct run *r, bool enough)
{
    r->e.processors = enough ? 2 : 4;
}
static void ranks_path(struct run *r, bool enough)
{
    studied(r);
    pes_set(r, 6);
    r->study.speed_up = enough ? 4.2 : 5.2;
}
static void ranks_none(struct run *r, bool enough)
{
    studied(r);
    pes_set(r, 2);
    r->study.speed_up = enough ? 1.1 : 1.3;
}
/* 28 s of handlers and queue on 8 ranks, where 7 s are the bound: the rest is for messages and GVT. */
static void ranks_more(struct run *r, bool enough)
{
    studied(r);
    r->study.more_ranks = 8;
    r->study.more_in_order = enough ? 4.1 : 3.9;
    r->study.more_remote = 0.03;
}
static void ranks_more_gain(struct run *r, bool enough)
{
    ranks_more(r, true);
    r->e.run_seconds = enough ? 10 : 8.2;
}
static void ranks_more_remote(struct run *r, bool enough)
{
    ranks_more(r, true);
    r->e.run_seconds = 9.5;
    r->study.more_remote = enough ? 0.1 : 0.9; /* an event between ranks takes 10 us */
}
static void shared(struct run *r, bool enough)
{
    r->e.lost_pe = 2;
    r->e.lost_most = enough ? 0.43 : 0.09;
    r->e.lost_part = enough ? 0.3 : 0.08;
}
static void waiting(struct run *r, bool enough)
{
    r->pes[3].phases[WS_PHASE_REST] = enough ? 4.5 : 3.4;
}
static void waiting_shared(struct run *r, bool enough)
{
    waiting(r, true);
    r->e.lost_most = enough ? 0.09 : 0.43; /* then the machine is the cause */
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
static void queue(struct run *r, bool enough)
{
    r->e.queue_middle = enough ? 10e3 : 6e3;
    r->e.queue_last = enough ? 40e3 : 9e3;
}
static void imbalance(struct run *r, bool enough)
{
    r->pes[3].sum.committed *= 10; /* time is what counts */
    r->pes[3].phases[WS_PHASE_EXECUTE] = enough ? 14.0 : 9.0;
    r->e.phases_exact = false;
}
static void imbalance_events(struct run *r, bool enough)
{
    r->e.lost_most = 0.3;                                         /* the times say little */
    r->pes[3].sum.committed = enough ? 240e3 * 4.5 : 240e3 * 1.3; /* 2.4 and 1.2 times the mean */
}
static void imbalance_timed(struct run *r, bool enough)
{
    imbalance_events(r, true);
    r->e.handlers_timed = !enough; /* then events do not tell */
}
static void remote(struct run *r, bool enough)
{
    r->e.sum.remote = enough ? 630e3 : 390e3;
}
static void placement_remote(struct run *r, bool enough)
{
    studied(r);
    r->study.remote_now = 200e3;
    r->study.remote_new = enough ? 139e3 : 141e3;
}
static void placement_uneven(struct run *r, bool enough)
{
    studied(r);
    r->study.balance_now = 1.6;
    r->study.balance_new = enough ? 1.27 : 1.29;
    r->study.is_by_time = true;
}
static void placement_worse(struct run *r, bool enough)
{
    placement_remote(r, true);
    r->study.balance_new = enough ? 1.1 : 1.2; /* uneven for the sake of few remote events */
}
static void types(struct run *r, bool enough)
{
    r->e.types_most = enough ? 94e3 : 79e3;
}
static void slow(struct run *r, bool enough)
{
    studied(r);
    r->study.slow_times = enough ? 1.6 : 1.4;
}
static void busiest(struct run *r, bool enough)
{
    r->e.lp_events = enough ? 430e3 : 270e3;
}
static void busiest_timed(struct run *r, bool enough)
{
    busiest(r, true);
    r->e.handlers_timed = !enough; /* events do not tell the load then */
}
static void hot(struct run *r, bool enough)
{
    studied(r);
    r->study.hot_by_time = true;
    r->study.hot_part = enough ? 0.6 : 0.27;
}
static void hot_path(struct run *r, bool enough)
{
    studied(r);
    pes_set(r, 8);
    r->study.speed_up = enough ? 5.5 : 8.5;
    r->study.path_lps = 2;
}
static void hot_path_many(struct run *r, bool enough)
{
    hot_path(r, true);
    r->study.path_lps = enough ? 4 : 0; /* more than can be named */
}
static void one_rank(struct run *r, bool enough)
{
    pes_set(r, 1);
    r->e.scheduler = enough ? WS_SCHED_OPTIMISTIC : WS_SCHED_SEQUENTIAL;
}
static void conservative(struct run *r)
{
    r->e.scheduler = WS_SCHED_CONSERVATIVE;
    r->e.sum.undone = 0;
}
static void windows_narrow(struct run *r, bool enough)
{
    conservative(r);
    r->e.sum.gvts = enough ? 31700 : 31000; /* 7.9 and 8.1 events of a rank */
}
static void windows_waits(struct run *r, bool enough)
{
    conservative(r);
    for (int i = 0; i < PES; i++) {
        r->pes[i].phases[WS_PHASE_GVT] = enough ? 2.1 : 1.9;
    }
}
static void windows_wide(struct run *r, bool enough)
{
    stormy(r);
    r->study.window_events = enough ? 260 : 252;
}
static void windows_waste(struct run *r, bool enough)
{
    windows_wide(r, true);
    r->e.sum.undone = enough ? 210e3 : 190e3;
}
static void windows_later(struct run *r, bool enough)
{
    windows_wide(r, true);
    r->e.kps_per_pe = enough ? 512 : 2; /* more KPs first */
}
static void lookahead(struct run *r, bool enough)
{
    conservative(r);
    r->e.lookahead = enough ? 0.002 : 0.11;
}
static void lookahead_least(struct run *r, bool enough)
{
    lookahead(r, true);
    r->e.offset_least = enough ? 0.0041 : 0.0039;
}

static const struct {
    const char *rule;
    void (*change)(struct run *r, bool enough);
    const char *options, *launcher;
    const char *figure; /* in the sentence */
    const char *advice; /* in the advice */
    bool has_condition, is_judged;
} cases[] = {
    {"ranks", alone, "--synch=1", "-n 1",
     "70 % of the time was model code; one rank alone would need about 6.5 s for handlers and "
     "queue; "
     "this run took 10 s on 4.",
     "--synch=1", true, true},
    {"ranks", alone_timed, "--synch=1", "-n 1",
     "one rank alone would need about 0.15 s for handlers and queue; this run took 0.3 s on 4.",
     "--synch=1", true, true},
    {"ranks", ranks_processors, "", "-n 2", "4 ranks shared 2 processors", "2 ranks", false, true},
    {"ranks", ranks_path, "", "-n 5", "4.200 times", "Run on 5 ranks.", false, true},
    {"ranks", ranks_none, "--synch=1", "-n 1", "1.100 times", "Run on 1 rank, with --synch=1.",
     true, true},
    {"ranks", ranks_more, "", "-n 8", "reach 4.1 times", "partition --ranks=8", false, true},
    {"ranks", ranks_more_gain, "", "-n 8", "that is about 6.9 s", "Run on 8 ranks", false, true},
    {"ranks", ranks_more_remote, "", "-n 8", "10.0 % of the events", "Run on 8 ranks", false, true},
    {"incomplete", incomplete, "", "", "2 PEs", "warpscope recover", false, true},
    {"records-lost", lost, "", "", "1234 records", "--buffer-full", false, true},
    {"shared", shared, "", "", "PE 2 was ready to run, but had no processor, for 43 %",
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

static const struct ws_finding *find(const struct ws_finding *list, size_t n, const char *rule)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i].rule, rule) == 0) {
            return &list[i];
        }
    }
    return NULL;
}

/* Checks what holds for every list: sentences, gains, order, and each option at most once. */
static void list_check(const struct ws_finding *list, size_t n, const char *name)
{
    char seen[4096] = " ";
    for (size_t i = 0; i < n; i++) {
        const struct ws_finding *f = &list[i];
        size_t text = strlen(f->text), advice = strlen(f->advice);
        bool is_late = i > 0 && f->weight > list[i - 1].weight &&
                       strcmp(list[i - 1].rule, "ranks") != 0 &&
                       strcmp(list[i - 1].rule, "shared") != 0;
        bool good = text > 0 && text + 1 < sizeof f->text && advice + 1 < sizeof f->advice &&
                    f->text[text - 1] == '.' && (f->verdict == WS_KEEP) == (advice == 0) &&
                    (advice == 0 || f->advice[advice - 1] == '.') && f->least >= 0.0 &&
                    f->least <= f->most && f->most <= 1.0 && f->weight >= 0.0 && f->weight <= 1.0 &&
                    (f->verdict == WS_CHANGE || f->options[0] == '\0') && !is_late &&
                    strstr(f->text, "nan") == NULL && strstr(f->text, "  ") == NULL;
        char copy[WS_FINDING_OPTIONS];
        snprintf(copy, sizeof copy, "%s", f->has_condition ? "" : f->options);
        for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
            char option[WS_FINDING_OPTIONS + 2];
            snprintf(option, sizeof option, " %.*s=", (int)strcspn(word, "="), word);
            good = good && strstr(seen, option) == NULL;
            strncat(seen, option, sizeof seen - strlen(seen) - 1);
        }
        if (!good) {
            printf("%s: %s %g: %s | %s | %s\n", name, f->rule, f->weight, f->text, f->advice,
                   f->options);
        }
        CU_ASSERT_TRUE(good);
    }
}

static size_t judge(struct ws_finding list[WS_FINDINGS_MAX], const struct run *r, const char *name)
{
    size_t n = ws_findings_judge(&r->e, list);
    list_check(list, n, name);
    return n;
}

/* Returns true if a statement is shown as a cost, or as a change. */
static bool is_said(const struct ws_finding *f)
{
    return f != NULL && (f->verdict == WS_CHANGE || f->weight > 0.0);
}

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
    double *const none[] = {&r.study.bound,     &r.study.speed_up,   &r.study.in_order,
                            &r.study.lookahead, &r.study.slow_times, &r.study.hot_part};
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

/* The statement about one rank needs enough timed turns with events. */
static void test_few_turns(void)
{
    struct ws_finding list[WS_FINDINGS_MAX];
    for (int i = 0; i < 4; i++) {
        struct run r;
        healthy(&r);
        r.e.batch = i == 0 ? 780 : 785; /* a million events: 20.03 or 19.9 timed turns */
        r.e.phases_exact = i == 2;
        r.e.sum.gvts = i == 3 ? 1000 : 100; /* 250 events between them, in a turn or more */
        bool known = find(list, ws_findings_find(&r.e, list, WS_FINDINGS_MAX), "ranks") != NULL;
        CU_ASSERT_EQUAL(known, i != 1);
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
        studied(&r);
        r.e.study = NULL;
        double *numbers[] = {&r.e.lookahead,
                             &r.e.sum.processed,
                             &r.e.sum.undone,
                             &r.e.sum.rollbacks,
                             &r.e.sum.secondary,
                             &r.e.sum.gvts,
                             &r.e.sum.remote,
                             &r.e.kp_rollbacks,
                             &r.e.pair_all,
                             &r.e.pair_most,
                             &r.e.lp_events,
                             &r.e.lps_events,
                             &r.e.types_all,
                             &r.e.types_most,
                             &r.e.offset_mean,
                             &r.e.offset_least,
                             &r.e.low_efficiency,
                             &r.e.queue_first,
                             &r.e.queue_middle,
                             &r.e.queue_last,
                             &r.e.records_lost,
                             &r.pes[1].seconds,
                             &r.pes[1].phases[1],
                             &r.pes[2].sum.committed,
                             &r.e.alone_seconds,
                             &r.e.lost_part,
                             &r.e.lost_most,
                             &r.e.records_damaged,
                             &r.e.batch,
                             &r.e.gvt_interval,
                             &r.e.max_optimism,
                             &r.e.kp_all,
                             &r.study.bound,
                             &r.study.speed_up,
                             &r.study.hot_part,
                             &r.study.slow_times,
                             &r.study.more_in_order,
                             &r.e.span};
        for (int k = 0; k < 4; k++) {
            uint64_t which = random_below(&seed, 7);
            *numbers[random_below(&seed, sizeof numbers / sizeof numbers[0])] =
                which < 6 ? odd[which] : (double)NAN;
        }
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
        {"all rules have cases", test_all_have_cases},
        {"nothing known", test_unknown},
        {"each rule and its limit", test_cases},
        {"the same with and without a study", test_study},
        {"more ranks", test_more},
        {"no map", test_no_map},
        {"implausible times", test_implausible_times},
        {"records missing", test_lacks},
        {"few turns", test_few_turns},
        {"words", test_words},
        {"order", test_order},
        {"numbers without meaning", test_random},
    };
    return suite_run("reader_findings", tests, sizeof tests / sizeof tests[0]);
}
