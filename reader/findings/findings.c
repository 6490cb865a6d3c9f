/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.c - the table of rules, and what it makes of evidence; see findings.h.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/cell.h"
#include "findings/rules.h"

const char *const ws_verdict_names[WS_VERDICTS] = {
    [WS_CHANGE] = "change", [WS_KEEP] = "keep", [WS_UNKNOWN] = "not_judged"};

#define FIRST 4u /* number of rules whose statements come first: they bear on all others */

/* All rules, in the order of statements with equal weight.
 * docs/tuning.md describes them. view: the view with details on the page of "warpscope report". */
static const struct {
    const char *name, *view;
    ws_rule_f *judge;
} rules[] = {
    {"ranks", "phases", ws_rule_ranks},
    {"incomplete", "rates", ws_rule_incomplete},
    {"records-lost", "rates", ws_rule_lost},
    {"shared", "phases", ws_rule_shared},
    {"random-rollbacks", "rollbacks", ws_rule_random},
    {"nkp", "rollbacks", ws_rule_kps},
    {"max-opt-lookahead", "rollbacks", ws_rule_optimism},
    {"batch", "rates", ws_rule_batch},
    {"gvt-interval", "rates", ws_rule_gvt},
    {"placement", "traffic", ws_rule_placement},
    {"type-traffic", "traffic", ws_rule_types},
    {"rollback-pair", "rollbacks", ws_rule_pair},
    {"slow-rank", "phases", ws_rule_slow},
    {"hot-lps", "traffic", ws_rule_hot},
    {"synch", "phases", ws_rule_synch},
    {"lookahead", "offsets", ws_rule_lookahead},
    {"rollback-kp", "rollbacks", ws_rule_kp},
    {"efficiency-period", "rates", ws_rule_period},
    {"undo-slow", "phases", ws_rule_undo},
    {"waiting", "phases", ws_rule_waiting},
    {"network-time", "phases", ws_rule_network},
    {"state-saving", "phases", ws_rule_states},
    {"recording-time", "phases", ws_rule_recording_time},
    {"queue-grows", "rates", ws_rule_queue},
    {"phases-exact", "phases", ws_rule_phases_exact},
};
#define N_RULES (sizeof rules / sizeof rules[0])
_Static_assert(N_RULES == WS_FINDINGS_MAX, "a list has one statement per rule");

const char *ws_findings_rule(size_t i)
{
    return i < N_RULES ? rules[i].name : NULL;
}

const char *ws_finding_advice(char to[WS_FINDING_TEXT], const struct ws_finding *f)
{
    ws_sentence(to, "%s", f->advice);
    if (f->verdict == WS_CHANGE && f->measure != NULL && f->most > 0.0) {
        if (f->least < f->most) {
            ws_sentence_more(to, "Expected: %.0f to at most %.0f %% fewer %s.",
                             ws_percent(f->least), ws_percent(f->most), f->measure);
        } else {
            ws_sentence_more(to, "Expected: %.0f %% fewer %s.", ws_percent(f->most), f->measure);
        }
    }
    return to;
}

/* ---- Statements ------------------------------------------------------------------------------ */

size_t ws_findings_judge(const struct ws_evidence *e, struct ws_finding list[WS_FINDINGS_MAX])
{
    size_t n = 0, first = 0;
    for (size_t i = 0; i < N_RULES; i++) {
        struct ws_finding f = {
            .rule = rules[i].name, .view = rules[i].view, .verdict = WS_KEEP, .weight = 0.0};
        rules[i].judge(&f, e);
        assert(f.verdict < WS_VERDICTS);
        if (f.text[0] == '\0') {
            continue;
        }
        /* Damaged input can contain any values. */
        f.weight = f.verdict == WS_KEEP ? 0.0 : fmin(fmax(ws_or(f.weight, 0.0), 0.0), 1.0);
        size_t at = n++;
        for (; at > first && list[at - 1].weight < f.weight; at--) {
            list[at] = list[at - 1];
        }
        list[at] = f;
        first += i < FIRST;
    }
    return n;
}

size_t ws_findings_find(const struct ws_evidence *e, struct ws_finding *list, size_t max)
{
    struct ws_finding all[WS_FINDINGS_MAX];
    size_t n = ws_findings_judge(e, all), shown = 0;
    for (size_t i = 0; i < n && shown < max; i++) {
        /* The need of one rank is worth knowing also where nothing is to be changed. */
        bool is_first = all[i].rule == rules[0].name && ws_alone_is_known(e);
        if (is_first || all[i].verdict == WS_CHANGE || all[i].weight > 0.0) {
            list[shown++] = all[i];
        }
    }
    return shown;
}

void ws_findings_json(struct json_writer *json, const struct ws_finding *list, size_t n)
{
    json_array_open(json, "findings");
    for (size_t i = 0; i < n; i++) {
        const struct ws_finding *f = &list[i];
        char advice[WS_FINDING_TEXT];
        ws_finding_advice(advice, f);
        json_object_open(json, NULL);
        ws_put(json, "rule|verdict|weight|text|advice|options|launcher|view", doc_name(f->rule),
               doc_name(ws_verdict_names[f->verdict]), doc_real(rint(1e4 * f->weight) / 1e4),
               doc_name(f->text), doc_if(advice[0] != '\0', doc_name(advice)),
               doc_if(f->options[0] != '\0', doc_name(f->options)),
               doc_if(f->launcher[0] != '\0', doc_name(f->launcher)), doc_name(f->view));
        if (f->to > f->from) {
            ws_put_array(json, "wall", doc_real(f->from), doc_real(f->to));
        }
        json_object_close(json);
    }
    json_array_close(json);
}

void ws_findings_put(struct json_writer *json, const struct ws_evidence *e)
{
    struct ws_finding list[WS_FINDINGS_MAX];
    ws_findings_json(json, list, ws_findings_find(e, list, WS_FINDINGS_MAX));
}
