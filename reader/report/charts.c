/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * charts.c - the table of the charts of a report, and charts of the engine over time; see report.h.
 *
 * A chart more is a row here, with a function that writes the figures of over_time.h as JSON, and a script
 * of the page that draws it.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "report/report.h"

/* ---- Curves ---------------------------------------------------------------------------------- */

/* Writes a curve of WS_BINS values; NaN becomes null. counter: name of the total that it adds up to; high:
 * the largest values of any PE, of which `values` are the means; NULL: none. */
static void curve_json(struct json_writer *json, const struct ws_count_name *name,
                       enum ws_clock clock, bool rate, const char *counter, const double *values,
                       const double *high)
{
    char per[64];
    snprintf(per, sizeof per, "%s%s", name->unit,
             !rate              ? ""
             : clock == WS_WALL ? "/s"
                                : " per unit of virtual time");
    json_object_line(json, NULL);
    ws_put(json, "name|words|unit|counter", doc_name(name->name), doc_name(name->words),
           doc_name(per), doc_if(counter != NULL, doc_name(counter)));
    report_put_numbers(json, "values", values, WS_BINS, 6);
    if (high != NULL) {
        report_put_numbers(json, "high", high, WS_BINS, 6);
    }
    json_object_close(json);
}

/* Writes the curves of efficiency and of the advance of GVT, which follow from other curves. */
static void derived_json(struct json_writer *json, const struct ws_figures *run,
                         enum ws_clock clock)
{
    static const struct ws_count_name efficiency = {"efficiency", "Efficiency", "%", NULL, NULL};
    static const struct ws_count_name lost = {"lost", "Time lost to other threads", "%", NULL,
                                              NULL};
    static const struct ws_count_name advance = {"gvt_advance", "Advance of GVT", "virtual time",
                                                 NULL, NULL};
    const struct ws_curves *c = &run->curves;
    double values[WS_BINS];
    if (c->known[WS_PROCESSED] && c->known[WS_UNDONE]) {
        for (uint32_t i = 0; i < WS_BINS; i++) {
            double executed = c->counts[clock][WS_PROCESSED][i];
            double undone = c->counts[clock][WS_UNDONE][i];
            values[i] = ws_efficiency(executed, undone);
        }
        curve_json(json, &efficiency, clock, false, NULL, values, NULL);
    }
    if (c->known[WS_COVERED] && c->known[WS_LOST]) {
        for (uint32_t i = 0; i < WS_BINS; i++) {
            values[i] =
                ws_lost_share(c->counts[clock][WS_LOST][i], c->counts[clock][WS_COVERED][i]);
        }
        curve_json(json, &lost, clock, false, NULL, values, NULL);
    }
    if (clock == WS_WALL && run->has_clock) {
        double step = (run->axes[clock].high - run->axes[clock].low) / WS_BINS;
        for (uint32_t i = 0; i < WS_BINS; i++) {
            bool covered = ws_is_covered(&run->clock_source, &run->axes[clock], i);
            values[i] = covered ? (run->clock[i + 1] - run->clock[i]) / step : (double)NAN;
        }
        curve_json(json, &advance, clock, true, NULL, values, NULL);
    }
}

static void level_json(struct json_writer *json, const struct ws_figures *run, enum ws_clock clock,
                       enum ws_level_kind kind)
{
    assert(clock < WS_CLOCKS && kind < WS_LEVELS);
    const struct ws_level *level = &run->curves.levels[clock][kind];
    if (run->curves.level_known[kind]) {
        double means[WS_BINS], high[WS_BINS];
        report_means(means, level->sum, level->weight, WS_BINS);
        for (uint32_t i = 0; i < WS_BINS; i++) {
            high[i] = level->weight[i] > 0.0 ? level->peak[i] : (double)NAN;
        }
        curve_json(json, &ws_level_names[kind], clock, false, NULL, means, high);
    }
}

static void clock_curves_json(struct json_writer *json, const struct ws_figures *run,
                              enum ws_clock clock)
{
    assert(clock < WS_CLOCKS);
    const struct ws_curves *c = &run->curves;
    double step = (run->axes[clock].high - run->axes[clock].low) / WS_BINS;
    double values[WS_BINS];
    bool has_samples = c->known[WS_COMMITTED];
    json_array_open(json, clock == WS_WALL ? "wall" : "virtual");
    for (int k = 0; k < WS_COUNTS; k++) {
        const struct ws_count_name *name = &ws_count_names[k];
        /* Each PE counts every GVT computation, since all PEs take part in it. */
        double per = k == WS_GVTS ? step * run->places.n_pes : step;
        if (name->name == NULL || !c->known[k] || (k == WS_GVTS && clock != WS_WALL)) {
            continue;
        }
        for (uint32_t i = 0; i < WS_BINS; i++) {
            bool covered = ws_is_covered(&c->sources[clock][k], &run->axes[clock], i);
            values[i] = covered ? c->counts[clock][k][i] / per : (double)NAN;
        }
        curve_json(json, name, clock, true,
                   has_samples && name->field != NULL ? name->field : name->traced, values, NULL);
    }
    derived_json(json, run, clock);
    level_json(json, run, clock, WS_LEVEL_QUEUE);
    json_array_close(json);
}

static void rates_json(struct json_writer *json, struct ws_figures *run)
{
    clock_curves_json(json, run, WS_WALL);
    clock_curves_json(json, run, WS_VIRTUAL);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Writes an array that has, for each row of PEs, an array with one number per bin; null for a bin
 * without a sample. mean: true if `rows` has integrals over time, which are then divided by the
 * length of time. */
static void rows_json(struct json_writer *json, const struct ws_figures *run, const char *name,
                      double rows[WS_PE_ROWS][WS_CELLS], bool mean)
{
    json_array_open(json, name);
    for (uint32_t row = 0; row < run->places.pe_rows; row++) {
        double weights[WS_CELLS];
        for (uint32_t i = 0; i < WS_CELLS; i++) {
            double weight = run->memory.weight[row][i];
            weights[i] = mean ? weight : weight > 0.0;
        }
        report_put_means(json, NULL, rows[row], weights, WS_CELLS, 4);
    }
    json_array_close(json);
}

static void memory_json(struct json_writer *json, struct ws_figures *run)
{
    for (int c = 0; c < WS_CLOCKS; c++) {
        json_array_open(json, c == WS_WALL ? "wall" : "virtual");
        for (int k = WS_LEVEL_EVENTS; k < WS_LEVELS; k++) {
            level_json(json, run, (enum ws_clock)c, (enum ws_level_kind)k);
        }
        json_array_close(json);
    }
    report_pes_json(json, &run->places);
    rows_json(json, run, "in_use", run->memory.sum, true);
    rows_json(json, run, "peak", run->memory.peak, false);
    rows_json(json, run, "pe_allocated", run->memory.allocated, false);
}

/* ---- PEs and KPs over time ------------------------------------------------------------------- */

/* Writes the share of its time that each row of PEs lost to other threads, in per cent, if known. */
static void lost_json(struct json_writer *json, const struct ws_figures *run)
{
    double sums[2][WS_PE_ROWS] = {{0.0}}, shares[WS_PE_ROWS];
    bool any = false;
    const struct ws_evidence *e = &run->evidence;
    for (size_t i = 0; i < e->n_pes; i++) {
        const uint32_t row = ws_pe_row(&run->places, e->pes[i].pe);
        sums[0][row] += e->pes[i].sum.lost;
        sums[1][row] += e->pes[i].sum.covered;
    }
    for (uint32_t row = 0; row < run->places.pe_rows; row++) {
        shares[row] = ws_lost_share(sums[0][row], sums[1][row]);
        any |= shares[row] >= 0.0;
    }
    if (any) {
        report_put_numbers(json, "lost", shares, run->places.pe_rows, 4);
    }
}

static void phases_json(struct json_writer *json, struct ws_figures *run)
{
    const struct ws_phases *phases = &run->phases;
    report_pes_json(json, &run->places);
    for (int words = 0; words < 2; words++) {
        json_array_open(json, words ? "words" : "names");
        for (uint32_t k = 0; k < phases->n; k++) {
            json_put_string(json, NULL, words ? phases->words[k] : phases->names[k]);
        }
        json_array_close(json);
    }
    json_array_open(json, "seconds");
    for (uint32_t pe = 0; pe < run->places.pe_rows; pe++) {
        double sums[WS_PHASES_MAX] = {0.0};
        for (uint32_t k = 0; k < phases->n; k++) {
            for (uint32_t i = 0; i < WS_CELLS; i++) {
                sums[k] += phases->cells[pe][k][i];
            }
        }
        report_put_numbers(json, NULL, sums, phases->n, 6);
    }
    json_array_close(json);
    lost_json(json, run);
    json_array_open(json, "wall");
    for (uint32_t pe = 0; pe < run->places.pe_rows; pe++) {
        json_array_open(json, NULL);
        for (uint32_t k = 0; k < phases->n; k++) {
            report_put_numbers(json, NULL, phases->cells[pe][k], WS_CELLS, 4);
        }
        json_array_close(json);
    }
    json_array_close(json);
}

static void ahead_json(struct json_writer *json, struct ws_figures *run)
{
    const struct ws_places *places = &run->places;
    json_array_open(json, "kps");
    for (uint32_t row = 0; row < places->pe_rows * places->kp_rows; row++) {
        if (places->kp_seen[row]) {
            report_kp_json(json, places, row);
        }
    }
    json_array_close(json);
    json_put_string(json, "unit", "virtual time");
    for (int c = 0; c < WS_CLOCKS; c++) {
        json_array_open(json, c == WS_WALL ? "wall" : "virtual");
        for (uint32_t row = 0; row < places->pe_rows * places->kp_rows; row++) {
            if (places->kp_seen[row]) {
                report_put_means(json, NULL, run->ahead.sum[c][row], run->ahead.weight[c][row],
                                 WS_CELLS, 4);
            }
        }
        json_array_close(json);
    }
}

/* ---- The table ------------------------------------------------------------------------------- */

/* The data of which a chart needs one kind. */
enum needs { RATES, MEMORY, PHASES, AHEAD, ROLLBACKS, EVENTS, VALUES, TASKS, TRACERS, ANALYSIS };

static bool has(struct ws_figures *run, enum needs what)
{
    static const uint32_t streams[] = {
        [VALUES] = FMT_STREAM_MODEL, [TASKS] = FMT_STREAM_TASK, [TRACERS] = FMT_STREAM_TRACER};
    const struct ws_figures_file *file =
        what >= VALUES && what <= TRACERS ? ws_figures_file_of(run, streams[what]) : NULL;
    bool any = run->curves.level_known[WS_LEVEL_QUEUE];
    switch (what) {
    case RATES:
        for (int k = 0; k < WS_COUNTS; k++) {
            any |= run->curves.known[k];
        }
        return any;
    case MEMORY:
        return run->curves.level_known[WS_LEVEL_EVENTS];
    case PHASES:
        return run->phases.n > 0;
    case AHEAD:
        return run->ahead.used;
    case ROLLBACKS:
        return run->traffic.hits != NULL;
    case EVENTS:
        return run->traffic.pes != NULL;
    case VALUES:
        return file != NULL && file->sums.model->n_curves > 0;
    case TASKS:
        return file != NULL && file->sums.tasks->names.n > 0;
    case TRACERS:
        return file != NULL;
    default:
        return false;
    }
}

/* Returns the number of records in a stream, counting only kinds whose names begin with `kind`. */
static uint64_t recorded(struct ws_figures *run, uint32_t stream, const char *kind)
{
    const struct ws_figures_file *file = ws_figures_file_of(run, stream);
    uint64_t n = 0;
    for (uint32_t i = 0; file != NULL && i < file->stream.sb->n_schemas; i++) {
        bool named = strncmp(file->stream.sb->schemas[i]->name, kind, strlen(kind)) == 0;
        n += named ? file->stream.kind_records[i] : 0;
    }
    return n;
}

static const char *why_no_rollbacks(struct ws_figures *run)
{
    const struct ws_figures_file *trace = ws_figures_file_of(run, FMT_STREAM_EVTRACE);
    bool traced = trace != NULL && trace->sums.counted->has_rollbacks;
    bool optimistic = run->evidence.scheduler == WS_SCHED_OPTIMISTIC ||
                      run->evidence.scheduler == WS_SCHED_UNKNOWN;
    return !optimistic ? "Only optimistic runs roll back: this one was not."
           : traced    ? "No rollback happened to what was traced."
                       : NULL;
}

static const char *why_no_memory(struct ws_figures *run)
{
    uint64_t of_pes =
        recorded(run, FMT_STREAM_GVT, "gvt_pe") + recorded(run, FMT_STREAM_RT, "rt_pe");
    return has(run, RATES) && of_pes > 0
               ? "No memory over time: the samples of PEs chosen here do not state it; an earlier "
                 "version recorded them."
               : NULL;
}

#define EVENTS_LEFT_OUT "No events: the selection leaves out those of this run."
#define EVENTS_ABSENT                                                                              \
    "No events: --event-trace=1 records all that are executed, 3 those that commit."

/* The charts, in the order of the list of those that are absent. */
static const struct chart {
    const char *view; /* name of the view on the page; NULL: the chart is not in that list */
    const char *key;  /* name of the object that is written; NULL: write() makes all of it */
    enum needs needs; /* ANALYSIS: see `why` */
    void (*write)(struct json_writer *json, struct ws_figures *run);
    /* Returns why the run lacks the data, NULL: for the reason below, or for none if `needs` is ANALYSIS. */
    const char *(*why)(struct ws_figures *run);
    /* Reason if the run lacks the data; left_out: if its stream has records, of kinds whose names begin
     * with `kind`, which the user's selection leaves out. */
    const char *reason, *left_out;
    unsigned streams; /* the streams with these records: bits 1 << number */
    const char *kind;
} charts[] = {
    {"rates", "series", RATES, rates_json, NULL,
     "No counters over time: --enable-gvt-stats=1 records them at each GVT, --real-time-samp=10 "
     "every "
     "10 ms.",
     "No counters over time: the selection leaves out the samples of this run.",
     1u << FMT_STREAM_GVT | 1u << FMT_STREAM_RT | 1u << FMT_STREAM_VT, ""},
    {"memory", "memory", MEMORY, memory_json, why_no_memory,
     "No memory over time: --enable-gvt-stats=1 or --real-time-samp=10 records it.",
     "No memory over time: the selection leaves out the samples of this run.",
     1u << FMT_STREAM_GVT | 1u << FMT_STREAM_RT | 1u << FMT_STREAM_VT, ""},
    {"phases", "phases", PHASES, phases_json, NULL,
     "No times by phase: --real-time-samp=10 records where the time of each PE goes.",
     "No times by phase: the selection leaves out the real-time samples of PEs.",
     1u << FMT_STREAM_RT, "rt_pe"},
    {"ahead", "ahead", AHEAD, ahead_json, NULL,
     "No samples of KPs: --real-time-samp=10 records how far each KP is ahead of GVT.",
     "No samples of KPs: the selection leaves out those of this run.", 1u << FMT_STREAM_RT,
     "rt_ahead"},
    {"rollbacks", "rollbacks", ROLLBACKS, report_rollbacks_json, why_no_rollbacks,
     "No rollbacks: --event-trace=2 records each of them.", NULL, 0, ""},
    {"traffic", "traffic", EVENTS, report_traffic_json, NULL, EVENTS_ABSENT, EVENTS_LEFT_OUT,
     1u << FMT_STREAM_EVTRACE, "event"},
    {"offsets", "offsets", EVENTS, report_offsets_json, NULL, EVENTS_ABSENT, EVENTS_LEFT_OUT,
     1u << FMT_STREAM_EVTRACE, "event"},
    {"allows", NULL, ANALYSIS, NULL, report_allows_absent, NULL, NULL, 0, ""},
    {"predicted", NULL, ANALYSIS, NULL, report_predicted_absent, NULL, NULL, 0, ""},
    {"model", NULL, VALUES, report_model_json, NULL,
     "No values of the model: --model-stats=1 records them at GVT, 4 at exact virtual times, if "
     "the "
     "model has any.",
     "No values of the model: the selection leaves out those of this run.", 1u << FMT_STREAM_MODEL,
     ""},
    {"tasks", "tasks", TASKS, report_tasks_json, NULL,
     "No tasks: --task-trace=1 records them, if the model has any.",
     "No tasks: the selection leaves out those of this run.", 1u << FMT_STREAM_TASK, ""},
    {"tracers", NULL, TRACERS, report_tracers_json, NULL,
     "No tracers: --tracer=busy:kind=NAME measures tasks while the model runs.", NULL, 0, ""},
    {NULL, NULL, ANALYSIS, report_allows_json, report_allows_absent, NULL, NULL, 0, ""},
    {NULL, NULL, ANALYSIS, report_predicted_json, report_predicted_absent, NULL, NULL, 0, ""},
};
#define N_CHARTS (sizeof charts / sizeof charts[0])

/* Returns the reason why the run lacks the data of a chart; NULL if it has them. */
static const char *reason_of(const struct chart *chart, struct ws_figures *run)
{
    if (has(run, chart->needs)) {
        return NULL;
    }
    const char *why = chart->why == NULL ? NULL : chart->why(run);
    uint64_t n = 0;
    for (uint32_t stream = 0; stream < 32; stream++) {
        n += (chart->streams >> stream & 1u) != 0 ? recorded(run, stream, chart->kind) : 0;
    }
    return why != NULL                             ? why
           : n > 0 && ws_select_given(run->select) ? chart->left_out
                                                   : chart->reason;
}

void report_absent_json(struct json_writer *json, struct ws_figures *run)
{
    json_line(json);
    json_array_open(json, "absent");
    for (size_t i = 0; i < N_CHARTS; i++) {
        const char *reason = reason_of(&charts[i], run);
        if (charts[i].view != NULL && reason != NULL) {
            ws_put_object(json, NULL, "view|text", doc_name(charts[i].view), doc_name(reason));
        }
    }
    json_array_close(json);
}

void report_charts_json(struct json_writer *json, struct ws_figures *run)
{
    assert(run->n_runs > 0 && run->n_runs <= REPORT_RUNS_MAX);
    for (size_t i = 0; i < N_CHARTS; i++) {
        const char *key = charts[i].key;
        if (charts[i].write == NULL || reason_of(&charts[i], run) != NULL) {
            continue;
        }
        if (key != NULL) {
            json_object_line(json, key);
        }
        charts[i].write(json, run);
        if (key != NULL) {
            json_object_close(json);
        }
    }
}
