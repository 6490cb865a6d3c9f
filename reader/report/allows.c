/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allows.c - writes the parallelism that the model allows (analyze/analyze.h) as JSON; see
 * report.h.
 *
 * The analysis needs the whole trace, without a selection. It takes about a second for
 * ALLOWS_EVENTS_MAX events, and is omitted for longer traces. "warpscope analyze" has no such
 * limit.
 */
#include <math.h>
#include <string.h>

#include "analyze/analyze.h"
#include "data/number.h"
#include "report/report.h"

#define ALLOWS_EVENTS_MAX 4000000u
#define ALLOWS_LPS_MAX    1000000u

const char *report_allows_absent(struct ws_figures *run)
{
    struct ws_figures_file *file = ws_figures_file_of(run, FMT_STREAM_EVTRACE);
    const struct ws_file *where;
    const char *what_to_do;
    bool has_causes = false;
    unsigned all = WS_TRACE_ALL_LPS | WS_TRACE_ALL_TIMES;
    if (file != NULL &&
        ws_trace_problem(&file->stream, WS_TRACE_COMPLETE, &where, &what_to_do) != NULL) {
        return "Not known: records of the trace are missing.";
    }
    if (file == NULL ||
        ws_trace_problem(&file->stream, ANALYZE_NEEDS & ~all, &where, &what_to_do) != NULL) {
        return "Not known: --event-trace=3 records committed events with their causes, and "
               "--event-times=1 times their handlers.";
    }
    if (ws_trace_problem(&file->stream, all, &where, &what_to_do) != NULL) {
        return "Not known: the trace has a part of the run. Record it without --trace-lps, "
               "--trace-from, --trace-to, --buffer-overwrite, and requests to switch it off.";
    }
    for (uint32_t i = 0; i < file->stream.sb->n_schemas; i++) {
        has_causes |= file->stream.kind_records[i] > 0 &&
                      ws_field_find(file->stream.sb->schemas[i], "send_order") >= 0;
    }
    if (!has_causes) {
        return "Not known: the trace does not name the causes of events. Record it with this "
               "version of Warpscope.";
    }
    if (ws_select_given(run->select)) {
        return "Not known: the selection leaves out events.";
    }
    const char *lps = ws_figures_fact(run, "total_lps");
    uint64_t n_lps;
    if (file->stream.records > ALLOWS_EVENTS_MAX ||
        (lps != NULL && ws_parse_u64(lps, &n_lps) && n_lps > ALLOWS_LPS_MAX)) {
        return "The trace is long: warpscope analyze shows this.";
    }
    return NULL;
}

/* Writes, for each bin of virtual time, the number of events that could run in parallel. */
static void parallelism_json(struct json_writer *json, const struct ws_figures *run,
                             const struct analyze *a)
{
    const struct ws_stats_axis *axis = &run->axes[WS_VIRTUAL];
    double events[WS_BINS] = {0.0}, cycles[WS_BINS] = {0.0};
    for (size_t i = 0; i < a->levels.n; i++) {
        double time = a->levels.list[i].times / fmax(1.0, a->levels.list[i].events);
        uint32_t bin = ws_stats_bin(axis, time);
        if (bin < WS_BINS) {
            events[bin] += a->levels.list[i].events;
            cycles[bin] += (double)((uint64_t)1 << a->levels.shift);
        }
    }
    for (uint32_t i = 0; i < WS_BINS; i++) {
        events[i] = cycles[i] > 0.0 ? events[i] / cycles[i] : (double)NAN;
    }
    report_put_numbers(json, "parallelism", events, WS_BINS, 6);
}

/* Writes a histogram of the number of events per cycle: the edges of its classes, which are powers
 * of two, and the number of cycles in each class. */
static void widths_json(struct json_writer *json, const struct analyze *a)
{
    uint64_t counts[64] = {0}, edge = 1;
    unsigned last = 0;
    for (size_t i = 0; i < a->levels.n; i++) {
        uint64_t width = a->levels.list[i].events >> a->levels.shift;
        unsigned bin = width > 1 ? 63u - (unsigned)__builtin_clzll(width) : 0;
        counts[bin] += (uint64_t)1 << a->levels.shift;
        last = bin > last ? bin : last;
    }
    json_object_open(json, "widths");
    json_array_open(json, "edges");
    for (unsigned i = 0; i <= last + 1; i++, edge *= 2) {
        json_put_u64(json, NULL, edge);
    }
    json_array_close(json);
    json_array_open(json, "counts");
    for (unsigned i = 0; i <= last; i++) {
        json_put_u64(json, NULL, counts[i]);
    }
    json_array_close(json);
    json_object_close(json);
}

static void analysis_json(struct json_writer *json, const struct ws_figures *run,
                          const struct analyze *a)
{
    static const char *const tables[] = {"critical_paths", "types", "values", "lps", "windows"};
    struct doc doc = {.n = 0};
    analyze_tables_make(&doc, a);
    analyze_findings_find(&doc, a);
    json_object_line(json, "allows");
    doc_findings_json(json, &doc);
    parallelism_json(json, run, a);
    widths_json(json, a);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        struct doc_table table = *doc_find(&doc, tables[i]);
        table.n_json = a->options->top;
        doc_table_json(json, &table);
    }
    json_object_close(json);
    doc_free(&doc);
}

void report_allows_json(struct json_writer *json, struct ws_figures *run)
{
    static const struct analyze_options options = {.top = 10};
    struct analyze a;
    if (analyze_run(&a, &ws_figures_file_of(run, FMT_STREAM_EVTRACE)->stream, &options)) {
        analysis_json(json, run, &a);
    }
    analyze_free(&a);
}
