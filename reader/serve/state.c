/* SPDX-License-Identifier: BSD-3-Clause */
/* state.c - the state of a run as JSON for the live page, and its findings as they change; see state.h. */
#include "serve/state.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/report.h"
#include "top/panes.h"

#define LEAST_SECONDS 30 /* curves cover at least this time */
#define COLUMNS_FEW   5  /* columns of heat maps that each state repeats */
#define GONE          30.0 /* a finding that comes back within so many seconds was there all the time */
#define SHORT         5.0 /* a finding that held for less is not listed once it is over */
#define PAST_SHOWN    8u

/* ---- Findings -------------------------------------------------------------------------------- */

/* Stores the subject of a finding: its rule, and the numbers after "rank", "PE", "KP" and "LP". */
static void subject_find(char to[64], const struct ws_finding *f)
{
    static const char *const words[] = {"rank ", "PE ", "KP ", "LP "};
    size_t used = (size_t)snprintf(to, 64, "%.30s", f->rule);
    for (const char *at = f->text; *at != '\0'; at++) {
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            size_t length = strlen(words[i]);
            if (strncmp(at, words[i], length) == 0 && isdigit((unsigned char)at[length]) &&
                used < 44) {
                size_t digits = strspn(at + length, "0123456789");
                used += (size_t)snprintf(to + used, 64 - used, " %c%.*s", at[0],
                                         (int)(digits < 12 ? digits : 12), at + length);
            }
        }
    }
}

/* Returns the change of a subject; a new one in place of the oldest that is over if there is none. */
static struct serve_change *change_of(struct serve_live *live, const char *subject, double now)
{
    struct serve_change *oldest = NULL;
    for (size_t i = 0; i < live->n_changes; i++) {
        struct serve_change *c = &live->changes[i];
        if (strcmp(c->subject, subject) == 0 && (c->until <= 0 || now - c->until < GONE)) {
            return c;
        }
        if (c->until > 0 && (oldest == NULL || c->until < oldest->until)) {
            oldest = c;
        }
    }
    if (live->n_changes < SERVE_CHANGES) {
        oldest = &live->changes[live->n_changes++];
    } else if (oldest == NULL) {
        return NULL;
    }
    *oldest = (struct serve_change){.since = now, .before = !live->is_read};
    snprintf(oldest->subject, sizeof oldest->subject, "%s", subject);
    return oldest;
}

/* Takes the findings of the latest pass over all records or, before there is one, those that follow from
 * the sums; notes which are new, and which are over. */
static void findings_take(struct serve_live *live, const struct top_run *run)
{
    double now = (double)time(NULL);
    if (live->study.all != NULL) {
        live->n_findings = live->study.n;
        memcpy(live->findings, live->study.all, live->study.n * sizeof *live->findings);
    } else {
        live->n_findings = top_findings(run, live->findings, WS_FINDINGS_MAX);
    }
    for (size_t i = 0; i < live->n_findings; i++) {
        char subject[64];
        subject_find(subject, &live->findings[i]);
        struct serve_change *c = change_of(live, subject, now);
        if (c != NULL) {
            c->seen = now;
            c->until = 0;
            memcpy(c->text, live->findings[i].text, sizeof c->text);
        }
    }
    for (size_t i = 0; i < live->n_changes; i++) {
        struct serve_change *c = &live->changes[i];
        c->until = c->until <= 0 && c->seen < now ? c->seen : c->until;
    }
    live->is_read = true;
}

static void changes_json(struct json_writer *json, struct serve_live *live, double now)
{
    json_array_open(json, "since");
    for (size_t i = 0; i < live->n_findings; i++) {
        char subject[64];
        subject_find(subject, &live->findings[i]);
        const struct serve_change *c = change_of(live, subject, now);
        ws_put_object(json, NULL, "since|before", doc_real(c == NULL ? NAN : c->since),
                      doc_bool(c != NULL && c->before));
    }
    json_array_close(json);
    json_array_open(json, "past");
    for (size_t i = live->n_changes, n = 0; i-- > 0 && n < PAST_SHOWN;) {
        const struct serve_change *c = &live->changes[i];
        if (c->until > 0 && now - c->until >= GONE && c->until - c->since >= SHORT) {
            ws_put_object(json, NULL, "text|since|until|before", doc_name(c->text),
                          doc_real(c->since), doc_real(c->until), doc_bool(c->before));
            n++;
        }
    }
    json_array_close(json);
}

/* ---- Curves and phases ----------------------------------------------------------------------- */

static void curve_json(struct json_writer *json, const struct top_run *run, int what,
                       const struct ws_count_name *name, int64_t from, unsigned n)
{
    double values[SERVE_COLUMNS];
    const int64_t each = (int64_t)(1 / TOP_STEP);
    top_history_values(&run->model.history, what, from * each + 1, each, values, n);
    unsigned known = (unsigned)fmin(fmax(run->elapsed - (double)from, 0), n);
    for (unsigned i = 1; what == TOP_GVT && i < known; i++) { /* GVT holds until it advances */
        values[i] = isnan(values[i]) ? values[i - 1] : values[i];
    }
    json_object_open(json, NULL);
    ws_put(json, "name|words|unit", doc_name(name->name), doc_name(name->words),
           doc_name(name->unit));
    report_put_numbers(json, "values", values, n, 6);
    json_object_close(json);
}

/* Writes the curves over the latest minutes, as in a report: "wall", the range of the clock, and
 * "series". Columns are those of heat maps. */
static void series_json(struct json_writer *json, const struct top_run *run)
{
    static const struct ws_count_name gvt = {.name = "gvt", .words = "GVT", .unit = "virtual time"},
                                      efficiency = {
                                          .name = "efficiency", .words = "Efficiency", .unit = "%"};
    const struct top_model *m = &run->model;
    int64_t to = (int64_t)fmin(fmax(run->elapsed, 0), 1e12) + 1, from = to - SERVE_COLUMNS;
    from = from > 0 ? from : 0;
    to = to < LEAST_SECONDS ? LEAST_SECONDS : to;
    unsigned n = (unsigned)(to - from);
    ws_put_array(json, "wall", doc_real((double)from), doc_real((double)to));
    json_object_open(json, "series");
    json_array_open(json, "wall");
    if (m->history.any) {
        curve_json(json, run, TOP_GVT, &gvt, from, n);
    }
    for (int i = 0; i < WS_COUNTS; i++) {
        struct ws_count_name name = ws_count_names[i];
        char unit[64];
        snprintf(unit, sizeof unit, "%s/s", name.unit);
        name.unit = unit;
        if (name.name != NULL && top_knows(m, TOP_OF_PES, (enum ws_count)i)) {
            curve_json(json, run, i, &name, from, n);
        }
        if (i == WS_COMMITTED && top_knows(m, TOP_OF_PES, WS_PROCESSED)) {
            curve_json(json, run, TOP_EFFICIENCY, &efficiency, from, n);
        }
    }
    json_array_close(json);
    json_object_close(json);
}

/* Writes how long each PE was in each phase lately, as in a report. */
static void phases_json(struct json_writer *json, const struct top_run *run)
{
    const struct top_model *m = &run->model;
    if (!m->has_phases) {
        return;
    }
    const double ticks = ws_stats_ticks_per_second(run->files[0].live->sb);
    json_object_open(json, "phases");
    json_array_open(json, "pes");
    for (uint32_t i = 0; i < m->n_pes && i < WS_PE_ROWS; i++) {
        json_put_u64(json, NULL, i);
    }
    json_array_close(json);
    json_array_open(json, "names");
    for (int k = 0; k < WS_PHASE_COUNT; k++) {
        json_put_string(json, NULL, ws_phase_names[k].json);
    }
    json_array_close(json);
    json_array_open(json, "words");
    for (int k = 0; k < WS_PHASE_COUNT; k++) {
        json_put_string(json, NULL, ws_phase_names[k].words);
    }
    json_array_close(json);
    json_array_open(json, "seconds");
    for (uint32_t i = 0; i < m->n_pes && i < WS_PE_ROWS; i++) {
        double seconds[WS_PHASE_COUNT];
        for (int k = 0; k < WS_PHASE_COUNT; k++) {
            seconds[k] = m->pes[i].phases[k] / ticks;
        }
        report_put_numbers(json, NULL, seconds, WS_PHASE_COUNT, 4);
    }
    json_array_close(json);
    json_object_close(json);
}

/* ---- The chosen LP --------------------------------------------------------------------------- */

static void lp_json(struct json_writer *json, const struct serve_study *study,
                    const struct top_run *run)
{
    const char *name = top_run_lp_name(run, study->lp);
    json_object_open(json, "lp");
    ws_put(json, "lp|lp_name|is_read", doc_count(study->lp), doc_if(name != NULL, doc_name(name)),
           doc_bool(study->lp_known));
    for (size_t i = 0; i < run->model.parts[TOP_OF_LPS].n; i++) {
        const struct top_part *part = &run->model.parts[TOP_OF_LPS].list[i];
        if (part->number == study->lp) {
            top_counts_json(json, &run->model, TOP_OF_LPS, part);
        }
    }
    if (study->fields != NULL) {
        json_begin(json, "fields");
        fputs(study->fields, json->out);
    }
    json_object_close(json);
}

/* ---- A run ----------------------------------------------------------------------------------- */

bool serve_live_tick(struct serve_live *live, const struct top_run *run)
{
    if (live->heat.cells != NULL && live->heat.followed != run->followed) { /* another run */
        serve_study_free(&live->study, live->passes);
        live->n_changes = live->n_findings = 0;
        live->is_read = false;
    }
    serve_heat_tick(&live->heat, run);
    bool news = serve_study_tick(&live->study, live->passes, run);
    if (run->n_files > 0 && run->state > TOP_READING) {
        findings_take(live, run);
    }
    return news;
}

void serve_live_json(struct json_writer *json, struct serve_live *live, const struct top_run *run,
                     bool whole, const uint64_t *lp)
{
    json_put_bool(json, "control", live->control);
    top_members_json(json, run);
    if (run->n_files == 0 || run->state <= TOP_READING) {
        return;
    }
    ws_findings_json(json, live->findings, live->n_findings);
    changes_json(json, live, (double)time(NULL));
    series_json(json, run);
    phases_json(json, run);
    serve_heat_json(json, &live->heat, run, whole ? 0 : live->heat.latest - COLUMNS_FEW + 1);
    if (lp != NULL) {
        serve_study_choose(&live->study, *lp);
        lp_json(json, &live->study, run);
    }
}

void serve_live_free(struct serve_live *live)
{
    serve_heat_free(&live->heat);
    serve_study_free(&live->study, live->passes);
}
