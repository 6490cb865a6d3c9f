/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - writes a run as JSON: what its recording lacks, its facts, totals and findings; see
 * report.h.
 */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "access/journals.h"
#include "access/stream_files.h"
#include "data/known.h"
#include "render/text.h"
#include "report/report.h"

#define FAULTS_SHOWN 3u /* maximum number of faults to write per stream */

/* ---- Completeness ---------------------------------------------------------------------------- */

/* Writes what a stream lacks, or the whole run if s is NULL, in words made from a printf() format. */
__attribute__((format(printf, 3, 4))) static void
problem_put(struct json_writer *json, const struct ws_file *s, const char *words, ...)
{
    char text[512];
    size_t used = (size_t)snprintf(text, sizeof text, "%.200s%s",
                                   s == NULL ? "" : ws_path_name(s->path), s == NULL ? "" : ": ");
    WS_FORMAT(text + used, sizeof text - used, words);
    json_put_string(json, NULL, text);
}

/* Writes why the streams together do not cover the whole run. */
static void covers_problems(struct json_writer *json, const struct ws_figures *run)
{
    bool journals = false;
    const struct fmt_change *change = NULL;
    const struct ws_covers covers = ws_figures_covers(run);
    for (size_t i = 0; i < run->n; i++) {
        const struct ws_file *s = &run->list[i].stream;
        for (uint32_t k = 0; s->pes != NULL && k < ws_stream_parts(s); k++) {
            const struct ws_file *part = ws_stream_part(s, k);
            journals |= part->pes != NULL && ws_journals_count(part) > 0;
        }
        for (size_t k = 0; k < s->n_changes && change == NULL; k++) {
            change = strncmp(s->changes[k].text, "set ", 4) == 0 ? &s->changes[k] : NULL;
        }
    }
    if (covers.is_running) {
        problem_put(json, NULL, "the run is still going on; this is its state at GVT %.6g",
                    covers.gvt);
    } else if (journals) {
        json_put_string(json, NULL,
                        "the run was killed: \"warpscope recover\" adds what was in its "
                        "buffers");
    }
    for (uint32_t i = 0; i < covers.n_clauses; i++) {
        json_put_string(json, NULL, covers.clauses[i]);
    }
    if (change != NULL) {
        problem_put(json, NULL,
                    "a request changed what the run records at GVT %.6g: see \"warpscope info\"",
                    change->gvt);
    }
}

/* Writes what a stream lacks, and its faults. */
static void file_problems(struct json_writer *json, const struct ws_file *s)
{
    char number[WS_COUNT_MAX];
    if (s->pes != NULL && s->dropped > 0) {
        problem_put(json, s, "%s records were lost while recording",
                    ws_count_text(number, s->dropped));
    }
    if (s->pes != NULL && s->missing > 0) {
        problem_put(json, s, "%s records were lost to damage", ws_count_text(number, s->missing));
    }
    if (s->pes != NULL && s->pes_unknown_loss > 0) {
        problem_put(json, s, "records of %" PRIu32 " PE%s may be missing", s->pes_unknown_loss,
                    s->pes_unknown_loss == 1 ? "" : "s");
    }
    /* Each PE without an END block was counted as a fault. */
    uint64_t open = s->pes == NULL ? 0 : s->sb->layout.n_pes - s->pes_ended;
    for (uint64_t i = 0; s->n_faults > open && i < s->n_faults && i < FAULTS_SHOWN; i++) {
        size_t length = strlen(s->path); /* most faults begin with the path */
        bool named = strncmp(s->faults[i].text, s->path, length) == 0 &&
                     strncmp(s->faults[i].text + length, ": ", 2) == 0;
        problem_put(json, s, "%s", s->faults[i].text + (named ? length + 2 : 0));
    }
    if (s->n_faults > open && s->n_faults > FAULTS_SHOWN) {
        problem_put(json, s, "%" PRIu64 " more faults", s->n_faults - FAULTS_SHOWN);
    }
}

/* Writes the array "problems": one string for each thing that the recording lacks. */
static void problems_json(struct json_writer *json, const struct ws_figures *run)
{
    json_array_open(json, "problems");
    covers_problems(json, run);
    for (size_t i = 0; i < run->n; i++) {
        file_problems(json, &run->list[i].stream);
    }
    json_array_close(json);
}

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
    problems_json(json, run);
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
    char name[4096] = "";
    if (program != NULL) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(program, " "), program);
    }
    json_put_string(json, "model", program == NULL ? NULL : ws_path_name(name));
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
    const struct ws_counted *s = ws_figures_totals(run);
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
        const struct fmt_field *field = &s->primary->fields[s->counts.field[i]];
        if (strcmp(field->unit, "ticks") != 0 && strcmp(field->unit, "ns") != 0) {
            counter_put(json, field->name, field->unit, s->all.sums[i]);
        }
    }
    if (s != NULL && ws_net_remote(s, &net)) {
        counter_put(json, "net_remote_events", "events", net);
    }
    for (int i = 0; trace != NULL && i < WS_EVENTS_COUNTS; i++) {
        const struct ws_count_name *name = &ws_count_names[traced[i]];
        if (trace->sums.counted->all.sums[i == WS_EVENTS ? WS_EVENTS : WS_EVENTS_ROLLBACKS] > 0) {
            counter_put(json, name->traced, name->unit, trace->sums.counted->all.sums[i]);
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

void report_run_json(struct json_writer *json, struct ws_figures *run)
{
    assert(run->n_runs > 0 && run->n_runs <= REPORT_RUNS_MAX && run->first != NULL);
    json_object_line(json, NULL);
    identity_json(json, run);
    counters_json(json, run);
    json_line(json);
    ws_findings_put(json, &run->evidence);
    report_absent_json(json, run);
    axes_json(json, run);
    report_charts_json(json, run);
    json_object_close(json);
}
