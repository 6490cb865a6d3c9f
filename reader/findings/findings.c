/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.c - evaluates the rules, and has functions that they share; see findings.h.
 */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "findings/rules.h"

/* All rules, in the order of evaluation. docs/observing.md describes them. */
static const struct ws_rule *const lists[] = {ws_loss_rules, ws_rollback_rules, ws_time_rules,
                                              ws_balance_rules};
#define N_LISTS (sizeof lists / sizeof lists[0])

const char *ws_findings_rule(size_t i)
{
    for (size_t l = 0; l < N_LISTS; l++) {
        for (const struct ws_rule *rule = lists[l]; rule->name != NULL; rule++) {
            if (i-- == 0) {
                return rule->name;
            }
        }
    }
    return NULL;
}

bool ws_found(struct ws_finding *f, double weight, const char *advice, const char *words, ...)
{
    va_list args;
    f->weight = weight;
    snprintf(f->advice, sizeof f->advice, "%s", advice == NULL ? "" : advice);
    va_start(args, words);
    vsnprintf(f->text, sizeof f->text, words, args);
    va_end(args);
    return true;
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
    for (; at > 0 && list[at - 1].weight < f->weight; at--) {
        if (at < max) {
            list[at] = list[at - 1];
        }
    }
    if (at < max) {
        list[at] = *f;
    }
    return n < max ? n + 1 : n;
}

size_t ws_findings_find(const struct ws_evidence *e, struct ws_finding *list, size_t max)
{
    size_t n = 0;
    for (size_t l = 0; l < N_LISTS; l++) {
        for (const struct ws_rule *rule = lists[l]; rule->name != NULL; rule++) {
            struct ws_finding f = {.rule = rule->name, .view = rule->view};
            /* The weight is clamped, because damaged input can contain any values. */
            if (rule->find(e, &f) && f.weight == f.weight) {
                assert(f.text[0] != '\0' && f.advice[0] != '\0');
                f.weight = fmin(fmax(f.weight, 0.0), 1.0);
                n = insert(list, n, max, &f);
            }
        }
    }
    return n;
}
