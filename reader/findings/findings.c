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

/* A rule may need more than facts, and times of single PEs: counts of all ranks, which the ends of the PEs
 * state also where records are missing; a whole event trace, for which it asks; all records. */
enum { COUNTS = 1, TRACE = 2, RECORDS = 4 };

/* All rules, in the order of statements with equal weight.
 * docs/tuning.md describes them. view: the view with details on the page of "warpscope report". */
static const struct {
    const char *name, *view;
    ws_rule_f *judge;
    unsigned needs;
} rules[] = {
    {"ranks", "phases", ws_rule_ranks, TRACE},
    {"incomplete", "rates", ws_rule_incomplete, 0},
    {"records-lost", "rates", ws_rule_lost, 0},
    {"shared", "phases", ws_rule_shared, 0},
    {"random-rollbacks", "rollbacks", ws_rule_random, 0},
    {"nkp", "rollbacks", ws_rule_kps, COUNTS},
    {"max-opt-lookahead", "rollbacks", ws_rule_optimism, COUNTS | TRACE},
    {"batch", "rates", ws_rule_batch, COUNTS},
    {"gvt-interval", "rates", ws_rule_gvt, COUNTS},
    {"placement", "traffic", ws_rule_placement, COUNTS | TRACE},
    {"type-traffic", "traffic", ws_rule_types, RECORDS},
    {"rollback-pair", "rollbacks", ws_rule_pair, RECORDS},
    {"slow-rank", "phases", ws_rule_slow, COUNTS | TRACE},
    {"hot-lps", "traffic", ws_rule_hot, RECORDS},
    {"synch", "phases", ws_rule_synch, COUNTS | TRACE},
    {"lookahead", "offsets", ws_rule_lookahead, RECORDS},
    {"rollback-kp", "rollbacks", ws_rule_kp, RECORDS},
    {"efficiency-period", "rates", ws_rule_period, RECORDS},
    {"undo-slow", "phases", ws_rule_undo, 0},
    {"waiting", "phases", ws_rule_waiting, 0},
    {"network-time", "phases", ws_rule_network, 0},
    {"state-saving", "phases", ws_rule_states, 0},
    {"recording-time", "phases", ws_rule_recording_time, 0},
    {"queue-grows", "rates", ws_rule_queue, RECORDS},
    {"phases-exact", "phases", ws_rule_phases_exact, 0},
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

/* Takes back what rule i says, if it rests on more than what is there. */
static void lacks_judge(struct ws_finding *f, const struct ws_evidence *e, size_t i)
{
    const char *lacks = ws_evidence_lacks(e);
    bool is_gone = (rules[i].needs & RECORDS) != 0 ||
                   ((rules[i].needs & COUNTS) != 0 && !e->has_ends && f->verdict != WS_KEEP);
    bool asks = (rules[i].needs & TRACE) != 0 && f->verdict == WS_UNKNOWN;
    if (lacks == NULL || f->text[0] == '\0' || !(is_gone || asks)) {
        return;
    }
    if (is_gone) {
        *f = (struct ws_finding){.rule = f->rule, .view = f->view};
    }
    ws_not_judged(f, f->weight, NULL, "Judge it by a whole recording.");
    ws_sentence_more(f->text, "It was not judged, since %s.", lacks);
}

size_t ws_findings_judge(const struct ws_evidence *e, struct ws_finding list[WS_FINDINGS_MAX])
{
    size_t n = 0, first = 0;
    for (size_t i = 0; i < N_RULES; i++) {
        struct ws_finding f = {
            .rule = rules[i].name, .view = rules[i].view, .verdict = WS_KEEP, .weight = 0.0};
        rules[i].judge(&f, e);
        assert(f.verdict < WS_VERDICTS);
        lacks_judge(&f, e, i);
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

bool ws_stats_json(struct json_writer *json, struct ws_file *streams, size_t n,
                   struct ws_select *select, struct ws_stats_options *options)
{
    struct ws_covers covers = {.what = WS_COVERS_ALL};
    struct ws_evidence evidence;
    bool done = true;
    ws_evidence_init(&evidence);
    options->evidence = ws_evidence_is_of_one_run(streams, n) ? &evidence : NULL;
    ws_document_open(json);
    json_array_open(json, "files");
    for (size_t i = 0; done && i < n; i++) {
        ws_covers_add(&covers, &streams[i]);
        done = ws_stats_file_json(json, &streams[i], select, options);
        ws_file_faults_end(&streams[i]);
    }
    json_array_close(json);
    if (options->evidence != NULL) {
        ws_findings_put(json, &evidence);
    }
    ws_covers_json(json, &covers);
    json_object_close(json);
    ws_evidence_free(&evidence);
    return done;
}
