/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.c - finds the greatest costs of the run so far; see panes.h and findings/findings.h.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"
#include "top/panes.h"

static double fact_number(const struct top_run *run, const char *key)
{
    const char *text = top_run_fact(run, key);
    char *end = NULL;
    double v = text == NULL ? NAN : strtod(text, &end);
    return end == NULL || end == text ? NAN : v;
}

static uint64_t whole_fact(const struct top_run *run, const char *key)
{
    double v = fact_number(run, key);
    return v >= 0 && v < 0x1p53 ? (uint64_t)v : 0;
}

static void facts_take(struct ws_evidence *e, const struct top_run *run)
{
    const char *scheduler = top_run_fact(run, "scheduler"), *hosts = top_run_fact(run, "hosts");
    const char *phases = top_run_fact(run, "phase_times"),
               *given = top_run_fact(run, "given_options");
    scheduler = scheduler == NULL ? "" : scheduler;
    e->scheduler = strncmp(scheduler, "optimistic", 10) == 0     ? WS_SCHED_OPTIMISTIC
                   : strncmp(scheduler, "conservative", 12) == 0 ? WS_SCHED_CONSERVATIVE
                   : strncmp(scheduler, "sequential", 10) == 0   ? WS_SCHED_SEQUENTIAL
                                                                 : WS_SCHED_UNKNOWN;
    e->ranks = run->model.n_pes;
    e->processors =
        hosts != NULL && strchr(hosts, ',') == NULL ? (uint32_t)whole_fact(run, "processors") : 0;
    e->kps_per_pe = whole_fact(run, "kps_per_pe");
    e->lps = whole_fact(run, "total_lps");
    e->lookahead = fact_number(run, "lookahead");
    e->phases_exact = phases != NULL && strcmp(phases, "exact") == 0;
    e->random_rollbacks = given != NULL && strstr(given, "--random-rollbacks=") != NULL &&
                          strstr(given, "--random-rollbacks=0") == NULL;
}

static void kps_take(struct ws_evidence *e, const struct top_model *m)
{
    double most = 0;
    for (uint32_t i = 0; i < m->n_pes; i++) {
        for (uint32_t k = 0; k < m->pes[i].n_kps; k++) {
            double rollbacks = (double)m->pes[i].kps[k].counts.rollbacks;
            e->kps += m->pes[i].kps[k].seen;
            if (rollbacks > most) {
                most = rollbacks;
                e->kp_pe = i;
                e->kp = k;
            }
        }
    }
    if (most > 0) {
        e->kp_rollbacks = most;
    }
}

static void pe_take(struct ws_evidence_pe *to, const struct top_model *m, uint32_t number,
                    double ticks)
{
    assert(number < m->n_pes);
    static const enum top_phase phases[WS_PHASE_COUNT] = {
        [WS_PHASE_NETWORK] = TOP_NETWORK,   [WS_PHASE_GVT] = TOP_GVT,
        [WS_PHASE_EXECUTE] = TOP_EXECUTING, [WS_PHASE_UNDO] = TOP_UNDOING,
        [WS_PHASE_STATES] = TOP_SAVING,     [WS_PHASE_RECORDS] = TOP_RECORDING,
        [WS_PHASE_REST] = TOP_REST};
    const struct top_pe *pe = &m->pes[number];
    *to = (struct ws_evidence_pe){.pe = number,
                                  .executed = m->has.counts ? (double)pe->counts.processed : NAN,
                                  .committed = (double)pe->counts.committed,
                                  .seconds = m->has.phases && ticks > 0 ? 0 : NAN};
    for (int i = 0; i < WS_PHASE_COUNT && m->has.phases && ticks > 0; i++) {
        to->phases[i] = pe->times[phases[i]] / ticks;
    }
    for (int i = 0; i < TOP_PHASES && m->has.phases && ticks > 0; i++) {
        to->seconds += pe->times[i] / ticks;
    }
}

size_t top_findings(const struct top_run *run, struct ws_finding *list, size_t max)
{
    assert(max <= WS_FINDINGS_MAX);
    const struct top_model *m = &run->model;
    struct ws_evidence e;
    if (run->n_files == 0 || !m->has.counts || run->state == TOP_READING) {
        return 0;
    }
    struct ws_evidence_pe *pes = calloc(m->n_pes, sizeof *pes);
    if (pes == NULL) {
        return 0;
    }
    double ticks = ws_stats_ticks_per_second(ws_live_superblock(run->files[0].live));
    ws_evidence_init(&e);
    facts_take(&e, run);
    for (uint32_t i = 0; i < m->n_pes; i++) {
        if (!m->pes[i].elsewhere) {
            pe_take(&pes[e.n_pes++], m, i, ticks);
        }
    }
    e.executed = (double)m->sum.processed;
    e.undone = (double)m->sum.undone;
    e.rollbacks = (double)m->sum.rollbacks;
    e.secondary = (double)m->sum.secondary;
    e.remote = (double)m->sum.remote;
    e.gvts = m->gvts;
    e.pes = pes;
    kps_take(&e, m);
    size_t n = ws_findings_find(&e, list, max);
    free(pes);
    return n;
}

int top_draw_findings(struct top_canvas *c, int y, int bottom, const struct top_run *run,
                      bool advice)
{
    struct ws_finding list[WS_FINDINGS_MAX];
    size_t n = top_findings(run, list, WS_FINDINGS_MAX);
    if (n == 0 && advice) {
        top_put(c, y++, 1, TOP_PLAIN, "no finding so far");
    }
    for (size_t i = 0; i < n && y < bottom; i++) {
        int left = bottom - y;
        top_put(c, y, 1, TOP_WARNING, "*");
        y = top_put_lines(c, y, 3, advice ? left : 1, TOP_PLAIN, list[i].text);
        if (advice) {
            y = top_put_lines(c, y, 3, bottom - y, TOP_DIM, list[i].advice);
        }
    }
    return y;
}
