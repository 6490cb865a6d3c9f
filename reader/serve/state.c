/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state.c - the state of a run as JSON for the live page: that of "warpscope top --json", curves and heat
 * maps over the latest minutes, and since when findings hold; see serve.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/report.h"
#include "serve/serve.h"

#define LEAST_SECONDS 30 /* curves cover at least this time */
#define GONE          30.0 /* a finding that comes back within so many seconds was there all the time */

/* ---- The list of runs ------------------------------------------------------------------------ */

void serve_facts_find(struct doc_cell facts[SERVE_FACTS], const struct top_run *run)
{
    const struct top_model *m = &run->model;
    struct top_rates r;
    top_rates_now(run, &r);
    const struct doc_cell all[SERVE_FACTS] = {
        doc_name(run->folder),
        doc_name(top_state_word(run)),
        doc_real(m->gvt),
        doc_real(run->end_time),
        doc_real(run->elapsed),
        doc_count(m->sum.committed),
        doc_real(r.of.committed),
        doc_real(ws_efficiency(r.of.processed, r.of.undone)),
        doc_count(m->n_pes),
        doc_name(run->warning[0] == '\0' ? NULL : run->warning),
        doc_name(top_run_fact(run, "command"))};
    memcpy(facts, all, sizeof all);
}

void serve_list_json(struct json_writer *json, const char *key, const struct serve *serve)
{
    json_array_open(json, key);
    for (uint32_t i = 0; i < serve->n_runs; i++) {
        struct doc_cell facts[SERVE_FACTS];
        serve_facts_find(facts, &serve->runs[i]->top);
        json_object_open(json, NULL);
        json_put_u64(json, "run", i);
        ws_cells_json(json, SERVE_FACT_NAMES, facts, SERVE_FACTS);
        json_object_close(json);
    }
    json_array_close(json);
}

/* ---- Findings as they change ----------------------------------------------------------------- */

/* Returns a number for the rank, PE, KP and LP that a finding names. */
static uint64_t about(const struct ws_finding *f)
{
    static const char *const words[] = {"rank ", "PE ", "KP ", "LP "};
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *at = strstr(f->text, words[i]);
        sum = sum * 1000003 + (at == NULL ? 0 : strtoull(at + strlen(words[i]), NULL, 10) + 1);
    }
    return sum;
}

/* Returns the element of run->since for a finding: the one that it has if it held lately, or one that
 * holds no more. */
static struct serve_since *since_of(struct serve_run *run, const struct ws_finding *f, double now)
{
    struct serve_since *oldest = &run->since[0];
    for (size_t i = 0; i < SERVE_SINCE; i++) {
        struct serve_since *s = &run->since[i];
        if (s->rule == f->rule && s->about == about(f) && now - s->seen < GONE) {
            return s;
        }
        oldest = s->seen < oldest->seen ? s : oldest;
    }
    *oldest = (struct serve_since){f->rule, about(f), now, now, !run->is_settled};
    return oldest;
}

void serve_state_take(struct serve_run *run, double now)
{
    run->n_findings = top_findings(&run->top, run->findings, WS_FINDINGS_MAX);
    for (size_t i = 0; i < run->n_findings; i++) {
        since_of(run, &run->findings[i], now)->seen = now;
    }
}

/* ---- Curves ---------------------------------------------------------------------------------- */

static void curve_json(struct json_writer *json, const struct top_run *run, int what,
                       const struct ws_count_name *name, int64_t from, unsigned n)
{
    double values[SERVE_COLUMNS];
    const int64_t each = (int64_t)(1 / TOP_STEP);
    top_history_values(&run->model.history, what, from * each + 1, each, values, n);
    json_object_open(json, NULL);
    ws_put(json, "name|words|unit", doc_name(name->name), doc_name(name->words),
           doc_name(name->unit));
    report_put_numbers(json, "values", values, n, 6);
    json_object_close(json);
}

/* Writes the curves over the latest minutes: "wall", the range of the clock in seconds, and "series", with
 * a value for each second. */
static void series_json(struct json_writer *json, const struct top_run *run)
{
    static const struct ws_count_name gvt = {.name = "gvt", .words = "GVT", .unit = "virtual time"},
                                      efficiency = {
                                          .name = "efficiency", .words = "Efficiency", .unit = "%"};
    const struct top_model *m = &run->model;
    int64_t to = (int64_t)fmin(fmax(run->elapsed, 0), 1e12) + 1;
    int64_t from = to > SERVE_COLUMNS ? to - SERVE_COLUMNS : 0;
    unsigned n = (unsigned)(to < LEAST_SECONDS ? LEAST_SECONDS : to - from);
    ws_put_array(json, "wall", doc_real((double)from), doc_real((double)(from + n)));
    json_array_open(json, "series");
    if (m->history.any) {
        curve_json(json, run, TOP_GVT, &gvt, from, n);
    }
    for (int i = 0; i < WS_COUNTS; i++) {
        if (ws_count_names[i].name != NULL && top_knows(m, TOP_OF_PES, (enum ws_count)i)) {
            curve_json(json, run, i, &ws_count_names[i], from, n);
        }
        if (i == WS_COMMITTED && top_knows(m, TOP_OF_PES, WS_PROCESSED)) {
            curve_json(json, run, TOP_EFFICIENCY, &efficiency, from, n);
        }
    }
    json_array_close(json);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void lp_json(struct json_writer *json, const struct serve_run *run)
{
    const struct serve_made *made = &run->made[SERVE_LP];
    const struct top_parts *lps = &run->top.model.parts[TOP_OF_LPS];
    const char *name = top_run_lp_name(&run->top, run->lp);
    json_object_open(json, "lp");
    ws_put(json, "lp|lp_name|is_read", doc_count(run->lp), doc_if(name != NULL, doc_name(name)),
           doc_bool(made->is_made));
    for (size_t i = 0; i < lps->n; i++) {
        if (lps->list[i].number == run->lp) {
            top_counts_json(json, &run->top.model, TOP_OF_LPS, &lps->list[i]);
        }
    }
    if (made->text != NULL) {
        json_begin(json, "report");
        fputs(made->text, json->out);
    }
    json_object_close(json);
}

void serve_state_json(struct json_writer *json, struct serve_run *run, bool whole, bool with_lp)
{
    top_members_json(json, &run->top);
    if (run->top.n_files == 0 || run->top.state <= TOP_READING) {
        return;
    }
    ws_findings_json(json, run->findings, run->n_findings);
    json_array_open(json, "since");
    for (size_t i = 0; i < run->n_findings; i++) {
        const struct serve_since *s = since_of(run, &run->findings[i], (double)time(NULL));
        ws_put_object(json, NULL, "since|before", doc_real(s->since), doc_bool(s->before));
    }
    json_array_close(json);
    series_json(json, &run->top);
    serve_heat_json(json, &run->heat, whole);
    if (with_lp) {
        lp_json(json, run);
    }
}
