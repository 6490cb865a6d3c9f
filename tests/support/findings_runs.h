/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings_runs.h - synthetic evidence of runs in which nothing is remarkable, and checks of the statements
 * about them.
 */
#ifndef WARPSCOPE_TESTS_FINDINGS_RUNS_H
#define WARPSCOPE_TESTS_FINDINGS_RUNS_H

#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "findings/findings.h"

#define PES 4

struct run {
    struct ws_evidence e;
    struct ws_evidence_pe pes[8];
    struct ws_study study;
};

/* Sets the number of PEs, each with the same share of a million events and 10 seconds. */
static inline void pes_set(struct run *r, uint32_t n)
{
    r->e.ranks = n;
    r->e.n_pes = n;
    for (uint32_t i = 0; i < n; i++) {
        r->pes[i] = (struct ws_evidence_pe){.pe = i,
                                            .sum.processed = 1e6 / n,
                                            .sum.committed = 960e3 / n,
                                            .sum.remote = 200e3 / n,
                                            .sum.gvts = 1000,
                                            .seconds = 10.0};
        r->pes[i].phases[WS_PHASE_EXECUTE] = 7.0;
        r->pes[i].phases[WS_PHASE_GVT] = 1.0;
        r->pes[i].phases[WS_PHASE_REST] = 1.0;
        r->pes[i].phases[WS_PHASE_NETWORK] = 0.5;
        r->pes[i].phases[WS_PHASE_UNDO] = 0.25;
    }
}

/* A run of 4 PEs and a million events in which nothing is remarkable. */
static inline void healthy(struct run *r)
{
    ws_evidence_init(&r->e);
    r->e.pes = r->pes;
    pes_set(r, PES);
    r->e.scheduler = WS_SCHED_OPTIMISTIC;
    r->e.processors = 8;
    r->e.kps_per_pe = 64;
    r->e.lps = 2048;
    r->e.batch = 16;
    r->e.stride = 64;
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
static inline void studied(struct run *r)
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

static inline const struct ws_finding *find(const struct ws_finding *list, size_t n,
                                            const char *rule)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i].rule, rule) == 0) {
            return &list[i];
        }
    }
    return NULL;
}

/* Checks what holds for every list: sentences, gains, order, and each option at most once. */
static inline void list_check(const struct ws_finding *list, size_t n, const char *name)
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

static inline size_t judge(struct ws_finding list[WS_FINDINGS_MAX], const struct run *r,
                           const char *name)
{
    size_t n = ws_findings_judge(&r->e, list);
    list_check(list, n, name);
    return n;
}

/* Returns true if a statement is shown as a cost, or as a change. */
static inline bool is_said(const struct ws_finding *f)
{
    return f != NULL && (f->verdict == WS_CHANGE || f->weight > 0.0);
}

#endif
