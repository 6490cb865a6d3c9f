/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - writes a run as JSON: its facts, totals and findings, and a list of the sections that
 * the page omits for lack of data; see report.h.
 */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "access/journals.h"
#include "figures/view.h"
#include "render/plot.h"
#include "report/report.h"

/* ---- Completeness ---------------------------------------------------------------------------- */

static void end_json(struct json_writer *json, const struct ws_figures *run)
{
    const struct ws_file *s = ws_figures_end(run);
    bool complete = run->found && run->n > 0;
    for (size_t i = 0; i < run->n; i++) {
        complete &= ws_file_good(&run->list[i].stream);
    }
    json_put_bool(json, "complete", complete);
    const struct ws_covers covers = ws_figures_covers(run);
    ws_covers_json(json, &covers);
    report_problems_json(json, run);
    json_put_string(json, "end_words",
                    s == NULL                ? "did not end, as far as recorded"
                    : s->end_text[0] != '\0' ? s->end_text
                                             : ws_end_words(s->end_code, s->pes_ended));
    ws_put(json, "end_gvt|wall_seconds",
           doc_real(s == NULL ? run->axes[WS_VIRTUAL].high : s->end_gvt),
           report_real(s == NULL ? run->axes[WS_WALL].high : s->end_real_time, 6));
}

/* ---- Facts ----------------------------------------------------------------------------------- */

static void facts_json(struct json_writer *json, const struct ws_figures *run)
{
    const struct fmt_superblock *sb = run->first->stream.sb;
    json_line(json);
    json_array_open(json, "facts");
    for (uint32_t i = 0; i < sb->n_run; i++) {
        char words[64];
        ws_put_array(json, NULL, doc_name(ws_words(words, sizeof words, sb->run[i].key)),
                     doc_name(sb->run[i].value));
    }
    json_array_close(json);
}

/* Writes the name of the model: the program or, if it is unknown, the first word of the command,
 * without the directory. */
static void model_json(struct json_writer *json, const struct ws_figures *run)
{
    const char *program = ws_figures_fact(run, "program");
    program = program == NULL ? ws_figures_fact(run, "command") : program;
    if (program == NULL) {
        json_put_null(json, "model");
        return;
    }
    char name[128];
    size_t length = strcspn(program, " ");
    const char *begin = program + length;
    while (begin > program && begin[-1] != '/') {
        begin--;
    }
    snprintf(name, sizeof name, "%.*s", (int)(program + length - begin), begin);
    json_put_string(json, "model", name);
}

static void identity_json(struct json_writer *json, const struct ws_figures *run)
{
    ws_put(json, "name|path", doc_name(run->name), doc_name(run->path));
    end_json(json, run);
    model_json(json, run);
    ws_put(json, "scheduler|ranks|lps", doc_name(ws_figures_fact(run, "scheduler")),
           doc_count(run->places.n_pes),
           doc_real(ws_fact_number(run->first->stream.sb, "total_lps", (double)NAN)));
    facts_json(json, run);
}

/* ---- Numbers of the whole run ---------------------------------------------------------------- */

static void counter_put(struct json_writer *json, const char *name, const char *unit,
                        uint64_t value)
{
    char words[64];
    ws_words(words, sizeof words, name);
    words[0] = (char)toupper((unsigned char)words[0]);
    ws_put_object(json, NULL, "name|words|value|unit", doc_name(name), doc_name(words),
                  doc_count(value), doc_name(unit));
}

static void efficiency_put(struct json_writer *json, double executed, double undone)
{
    if (!(executed > 0.0 && undone >= 0.0)) {
        return;
    }
    ws_put_object(json, NULL, "name|words|value|unit", doc_name("efficiency"),
                  doc_name("Efficiency"), doc_real(ws_efficiency(executed, undone)), doc_name("%"));
}

/* Writes all totals that "warpscope stats" prints but times: first those of samples, then those of the
 * event trace. */
static void counters_json(struct json_writer *json, struct ws_figures *run)
{
    const struct ws_samples *s = ws_figures_totals(run);
    const struct ws_figures_file *trace = ws_figures_file_of(run, FMT_STREAM_EVTRACE);
    static const enum ws_count traced[WS_EVENTS_COUNTS] = {WS_TRACED, WS_ROLLBACKS, WS_UNDONE,
                                                           WS_SECONDARY};
    uint64_t net;
    json_line(json);
    json_array_open(json, "counters");
    if (s != NULL) {
        efficiency_put(json, ws_figures_total(s, "events_processed"),
                       ws_figures_total(s, "events_rolled_back"));
    }
    for (uint32_t i = 0; s != NULL && i < s->counts.n; i++) {
        const struct fmt_field *field = &s->counts.schema->fields[s->counts.field[i]];
        if (strcmp(field->unit, "ticks") != 0 && strcmp(field->unit, "ns") != 0) {
            counter_put(json, field->name, field->unit, s->sums[i]);
        }
    }
    if (s != NULL && ws_net_remote(s, &net)) {
        counter_put(json, "net_remote_events", "events", net);
    }
    for (int i = 0; trace != NULL && i < WS_EVENTS_COUNTS; i++) {
        const struct ws_count_name *name = &ws_count_names[traced[i]];
        if (trace->sums.events->sums[i == WS_EVENTS ? WS_EVENTS : WS_EVENTS_ROLLBACKS] > 0) {
            counter_put(json, name->traced, name->unit, trace->sums.events->sums[i]);
        }
    }
    json_array_close(json);
}

/* ---- A run ----------------------------------------------------------------------------------- */

static void axes_json(struct json_writer *json, const struct ws_figures *run)
{
    const struct ws_stats_axis *wall = &run->axes[WS_WALL];
    const struct ws_stats_axis *virtual = &run->axes[WS_VIRTUAL];
    char words[300], step[WS_COUNT_MAX], advance[WS_COUNT_MAX], cell[WS_COUNT_MAX];
    json_line(json);
    ws_put(json, "bins|cell_bins", doc_count(WS_BINS), doc_count(WS_CELLS));
    ws_put_array(json, "wall", doc_real(wall->low), doc_real(wall->high));
    ws_put_array(json, "virtual", doc_real(virtual->low), doc_real(virtual->high));
    if (run->has_clock) {
        report_put_numbers(json, "clock", run->clock, WS_BINS + 1, 6);
    }
    ws_seconds_text(step, (wall->high - wall->low) / WS_BINS);
    ws_seconds_text(cell, (wall->high - wall->low) / WS_CELLS);
    ws_number_text(advance, (virtual->high - virtual->low) / WS_BINS);
    snprintf(words, sizeof words,
             "Curves have %u steps of %s of wall clock, or of %s of virtual time; pictures with "
             "cells have %u steps of %s. Totals are exact.",
             WS_BINS, step, advance, WS_CELLS, cell);
    json_put_string(json, "resolution", words);
}

void report_run_json(struct json_writer *json, struct ws_figures *run, uint32_t n_runs)
{
    assert(n_runs > 0 && n_runs <= REPORT_RUNS_MAX && run->first != NULL);
    json_line(json);
    json_object_open(json, NULL);
    identity_json(json, run);
    counters_json(json, run);
    json_line(json);
    ws_findings_put(json, &run->evidence);
    report_absent_json(json, run);
    axes_json(json, run);
    report_charts_json(json, run, n_runs);
    json_object_close(json);
}
