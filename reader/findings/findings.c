/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.c - the table of rules, and functions that rules share; see findings.h.
 */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "findings/rules.h"

/* Rules in the order of evaluation. view: name of the view with details on the page of "warpscope
 * report". docs/observing.md describes the rules. */
static const struct rule {
    const char *name, *view;
    ws_rule_f find;
} rules[] = {
    {"incomplete", "rates", ws_rule_incomplete},
    {"records-lost", "rates", ws_rule_records_lost},
    {"efficiency", "rates", ws_rule_efficiency},
    {"efficiency-period", "rates", ws_rule_efficiency_period},
    {"rollback-kp", "rollbacks", ws_rule_rollback_kp},
    {"rollback-pair", "rollbacks", ws_rule_rollback_pair},
    {"rollback-secondary", "rollbacks", ws_rule_rollback_secondary},
    {"rollback-random", "rollbacks", ws_rule_rollback_random},
    {"reverse-slow", "phases", ws_rule_reverse_slow},
    {"gvt-time", "phases", ws_rule_gvt_time},
    {"gvt-often", "rates", ws_rule_gvt_often},
    {"gvt-rare", "rates", ws_rule_gvt_rare},
    {"waiting", "phases", ws_rule_waiting},
    {"crowded", "phases", ws_rule_crowded},
    {"network-time", "phases", ws_rule_network_time},
    {"state-saving", "phases", ws_rule_state_saving},
    {"recording-time", "phases", ws_rule_recording_time},
    {"phases-exact", "phases", ws_rule_phases_exact},
    {"imbalance", "phases", ws_rule_imbalance},
    {"busiest-lp", "traffic", ws_rule_busiest_lp},
    {"type-traffic", "traffic", ws_rule_type_traffic},
    {"remote", "traffic", ws_rule_remote},
    {"queue-grows", "rates", ws_rule_queue_grows},
    {"lookahead", "offsets", ws_rule_lookahead},
};
#define N_RULES (sizeof rules / sizeof rules[0])
_Static_assert(N_RULES <= WS_FINDINGS_MAX, "a list of findings has room for all rules");

const char *ws_findings_rule(size_t i)
{
    return i < N_RULES ? rules[i].name : NULL;
}

void ws_finding_text(struct ws_finding *f, const char *words, ...)
{
    va_list args;
    va_start(args, words);
    vsnprintf(f->text, sizeof f->text, words, args);
    va_end(args);
}

void ws_finding_advice(struct ws_finding *f, const char *words, ...)
{
    va_list args;
    va_start(args, words);
    vsnprintf(f->advice, sizeof f->advice, words, args);
    va_end(args);
}

/* Returns true if the times of a PE are plausible. Sampled times can be far off: each timed turn
 * stands for 64 turns, and another program may have used the processor during a timed turn. */
static bool is_plausible(const struct ws_evidence *e, const struct ws_evidence_pe *pe)
{
    double ratio = pe->seconds / e->run_seconds;
    return e->phases_exact || !(ratio > 1.5 || ratio < 1.0 / 1.5);
}

const struct ws_evidence_pe *ws_evidence_worst(const struct ws_evidence *e, enum ws_phase phase,
                                               double *part)
{
    assert(phase < WS_PHASE_COUNT);
    const struct ws_evidence_pe *worst = NULL;
    *part = (double)NAN;
    for (size_t i = 0; i < e->n_pes; i++) {
        double share = e->pes[i].phases[phase] / e->pes[i].seconds;
        if (e->pes[i].seconds > 0.0 && is_plausible(e, &e->pes[i]) &&
            (worst == NULL ? share == share : share > *part)) {
            worst = &e->pes[i];
            *part = share;
        }
    }
    return worst;
}

double ws_evidence_part(const struct ws_evidence *e, enum ws_phase phase)
{
    assert(phase < WS_PHASE_COUNT);
    double sum = 0.0, all = 0.0;
    for (size_t i = 0; i < e->n_pes; i++) {
        if (is_plausible(e, &e->pes[i])) {
            sum += e->pes[i].phases[phase];
            all += e->pes[i].seconds;
        }
    }
    return all > 0.0 ? sum / all : (double)NAN;
}

/* Inserts a finding into list, which is sorted by descending weight, after findings of equal
 * weight. list has n findings, and space for max. If list is full, drops the finding with the
 * smallest weight, which is possibly *f. Returns the new number of findings. */
static size_t insert(struct ws_finding *list, size_t n, size_t max, const struct ws_finding *f)
{
    size_t at = n;
    while (at > 0 && list[at - 1].weight < f->weight) {
        at--;
    }
    if (at == max) {
        return n;
    }
    for (size_t i = n < max ? n : max - 1; i > at; i--) {
        list[i] = list[i - 1];
    }
    list[at] = *f;
    return n < max ? n + 1 : n;
}

size_t ws_findings_find(const struct ws_evidence *e, struct ws_finding *list, size_t max)
{
    size_t n = 0;
    for (size_t i = 0; i < N_RULES; i++) {
        struct ws_finding f = {.rule = rules[i].name, .view = rules[i].view};
        /* The weight is clamped, because damaged input can contain any values. */
        if (rules[i].find(e, &f) && f.weight == f.weight) {
            assert(f.text[0] != '\0' && f.advice[0] != '\0');
            f.weight = fmin(fmax(f.weight, 0.0), 1.0);
            n = insert(list, n, max, &f);
        }
    }
    return n;
}
