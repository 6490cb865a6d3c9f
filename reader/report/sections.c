/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sections.c - writes curves, memory, phases, times ahead of GVT, the model's values and tasks as
 * JSON; see report.h.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/report.h"

/* ---- Curves ---------------------------------------------------------------------------------- */

static void curve_open(struct json_writer *json, const char *name, const char *words,
                       const char *unit, enum ws_clock clock, bool rate)
{
    char per[64];
    snprintf(per, sizeof per, "%s%s", unit,
             !rate              ? ""
             : clock == WS_WALL ? "/s"
                                : " per unit of virtual time");
    json_line(json);
    json_object_open(json, NULL);
    json_put_string(json, "name", name);
    json_put_string(json, "words", words);
    json_put_string(json, "unit", per);
}

/* Writes the curves of efficiency and of the advance of GVT, which follow from other curves. */
static void derived_json(struct json_writer *json, const struct ws_figures *run,
                         enum ws_clock clock)
{
    const struct ws_curves *c = &run->curves;
    double values[WS_BINS];
    if (c->known[WS_PROCESSED] && c->known[WS_UNDONE]) {
        for (uint32_t i = 0; i < WS_BINS; i++) {
            double executed = c->counts[clock][WS_PROCESSED][i];
            double undone = c->counts[clock][WS_UNDONE][i];
            values[i] = ws_efficiency(executed, undone);
        }
        curve_open(json, "efficiency", "Efficiency", "%", clock, false);
        report_put_numbers(json, "values", values, WS_BINS, 6);
        json_object_close(json);
    }
    if (clock == WS_WALL && run->has_clock) {
        double step = (run->axes[clock].high - run->axes[clock].low) / WS_BINS;
        for (uint32_t i = 0; i < WS_BINS; i++) {
            bool covered = ws_is_covered(&run->clock_source, &run->axes[clock], i);
            values[i] = covered ? (run->clock[i + 1] - run->clock[i]) / step : (double)NAN;
        }
        curve_open(json, "gvt_advance", "Advance of GVT", "virtual time", clock, true);
        report_put_numbers(json, "values", values, WS_BINS, 6);
        json_object_close(json);
    }
}

static void level_json(struct json_writer *json, const struct ws_figures *run, enum ws_clock clock,
                       enum ws_level_kind kind)
{
    assert(clock < WS_CLOCKS && kind < WS_LEVELS);
    const struct ws_level *level = &run->curves.levels[clock][kind];
    double values[WS_BINS];
    if (!run->curves.level_known[kind]) {
        return;
    }
    for (uint32_t i = 0; i < WS_BINS; i++) {
        values[i] = level->weight[i] > 0.0 ? level->sum[i] / level->weight[i] : (double)NAN;
    }
    const struct ws_level_name *name = &ws_level_names[kind];
    curve_open(json, name->name, name->words, name->unit, clock, false);
    report_put_numbers(json, "values", values, WS_BINS, 6);
    json_object_close(json);
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
        curve_open(json, name->name, name->words, name->unit, clock, true);
        const char *counter = has_samples && name->field != NULL ? name->field : name->traced;
        if (counter != NULL) {
            json_put_string(json, "counter", counter);
        }
        report_put_numbers(json, "values", values, WS_BINS, 6);
        json_object_close(json);
    }
    derived_json(json, run, clock);
    level_json(json, run, clock, WS_LEVEL_QUEUE);
    json_array_close(json);
}

static bool any_curve(const struct ws_figures *run)
{
    bool any = run->curves.level_known[WS_LEVEL_QUEUE];
    for (int k = 0; k < WS_COUNTS; k++) {
        any |= run->curves.known[k];
    }
    return any;
}

void report_curves_json(struct json_writer *json, const struct ws_figures *run)
{
    if (!any_curve(run)) {
        return;
    }
    json_line(json);
    json_object_open(json, "series");
    clock_curves_json(json, run, WS_WALL);
    clock_curves_json(json, run, WS_VIRTUAL);
    json_object_close(json);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Writes an array that has, for each row of PEs, an array with one number per bin; null for a bin
 * without a sample. mean: true if `rows` has integrals over time, which are then divided by the
 * length of time. */
static void rows_json(struct json_writer *json, const struct ws_figures *run, const char *name,
                      const double rows[WS_PE_ROWS][WS_CELLS], bool mean)
{
    json_array_open(json, name);
    for (uint32_t row = 0; row < run->places.pe_rows; row++) {
        double values[WS_CELLS];
        for (uint32_t i = 0; i < WS_CELLS; i++) {
            double weight = run->memory.weight[row][i];
            values[i] = !(weight > 0.0) ? (double)NAN : mean ? rows[row][i] / weight : rows[row][i];
        }
        report_put_numbers(json, NULL, values, WS_CELLS, 4);
    }
    json_array_close(json);
}

void report_memory_json(struct json_writer *json, const struct ws_figures *run)
{
    if (!run->curves.level_known[WS_LEVEL_EVENTS]) {
        return;
    }
    json_line(json);
    json_object_open(json, "memory");
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
    json_object_close(json);
}

/* ---- PEs and KPs over time ------------------------------------------------------------------- */

static void phases_json(struct json_writer *json, const struct ws_figures *run)
{
    const struct ws_phases *phases = &run->phases;
    json_line(json);
    json_object_open(json, "phases");
    report_pes_json(json, &run->places);
    json_array_open(json, "names");
    for (uint32_t k = 0; k < phases->n; k++) {
        json_put_string(json, NULL, phases->names[k]);
    }
    json_array_close(json);
    json_array_open(json, "words");
    for (uint32_t k = 0; k < phases->n; k++) {
        json_put_string(json, NULL, phases->words[k]);
    }
    json_array_close(json);
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
    json_array_open(json, "wall");
    for (uint32_t pe = 0; pe < run->places.pe_rows; pe++) {
        json_array_open(json, NULL);
        for (uint32_t k = 0; k < phases->n; k++) {
            report_put_numbers(json, NULL, phases->cells[pe][k], WS_CELLS, 4);
        }
        json_array_close(json);
    }
    json_array_close(json);
    json_object_close(json);
}

static void ahead_json(struct json_writer *json, const struct ws_figures *run)
{
    const struct ws_places *places = &run->places;
    json_line(json);
    json_object_open(json, "ahead");
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
            double values[WS_CELLS];
            for (uint32_t i = 0; i < WS_CELLS; i++) {
                double weight = run->ahead.weight[c][row][i];
                values[i] = weight > 0.0 ? run->ahead.sum[c][row][i] / weight : (double)NAN;
            }
            if (places->kp_seen[row]) {
                report_put_numbers(json, NULL, values, WS_CELLS, 4);
            }
        }
        json_array_close(json);
    }
    json_object_close(json);
}

void report_places_json(struct json_writer *json, const struct ws_figures *run)
{
    if (run->phases.n > 0) {
        phases_json(json, run);
    }
    if (run->ahead.used) {
        ahead_json(json, run);
    }
}

/* ---- The model ------------------------------------------------------------------------------- */

/* Computes the curves of a field: mean (or rate), minimum, and maximum. A bin in which a level has
 * no sample gets the values of the next bin that has one. */
static void field_curves(const struct ws_figures *run, const struct ws_model_field *f,
                         double values[3][WS_BINS])
{
    const struct ws_source source = {&ws_figures_file_of(run, FMT_STREAM_MODEL)->stream, NULL};
    const struct ws_stats_axis *axis = &run->axes[WS_VIRTUAL];
    double step = (axis->high - axis->low) / WS_BINS;
    bool counter = f->field->measure == FMT_COUNTER;
    const struct ws_model_curve *curve = f->curve;
    for (uint32_t i = WS_BINS; i-- > 0;) {
        bool none = !counter && curve->n[i] == 0, after = i + 1 < WS_BINS;
        values[0][i] = counter ? curve->sum[i] / step
                       : none  ? after ? values[0][i + 1] : (double)NAN
                               : curve->sum[i] / (double)curve->n[i];
        values[1][i] = none ? after ? values[1][i + 1] : (double)NAN : curve->low[i];
        values[2][i] = none ? after ? values[2][i + 1] : (double)NAN : curve->high[i];
    }
    for (uint32_t i = 0; i < WS_BINS; i++) {
        if (!ws_is_covered(&source, axis, i)) {
            values[0][i] = values[1][i] = values[2][i] = (double)NAN;
        }
    }
}

static void field_json(struct json_writer *json, const struct ws_figures *run,
                       const struct ws_model_field *f)
{
    double values[3][WS_BINS];
    bool counter = f->field->measure == FMT_COUNTER;
    char unit[128];
    field_curves(run, f, values);
    snprintf(unit, sizeof unit, "%.64s%s", f->field->unit,
             counter ? " per unit of virtual time, all LPs" : "");
    json_line(json);
    json_object_open(json, NULL);
    json_put_string(json, "type", f->desc->owner);
    json_put_string(json, "field", f->field->name);
    json_put_string(json, "words", "");
    json_put_string(json, "unit", unit);
    json_put_string(json, "measure", counter ? "counter" : "level");
    report_put_numbers(json, "values", values[0], WS_BINS, 6);
    if (!counter) {
        report_put_numbers(json, "low", values[1], WS_BINS, 6);
        report_put_numbers(json, "high", values[2], WS_BINS, 6);
    }
    json_array_open(json, "worst");
    for (uint32_t i = 0; i < f->curve->n_worst; i++) {
        json_object_open(json, NULL);
        json_put_u64(json, "lp", f->curve->worst[i].lp);
        report_put_number(json, "value", f->curve->worst[i].value, 6);
        json_object_close(json);
    }
    json_array_close(json);
    json_object_close(json);
}

void report_model_json(struct json_writer *json, const struct ws_figures *run, uint32_t n_runs)
{
    assert(n_runs > 0 && n_runs <= REPORT_RUNS_MAX);
    const struct ws_figures_file *file = ws_figures_file_of(run, FMT_STREAM_MODEL);
    uint32_t shown = 0, most = WS_MODEL_CURVES / n_runs;
    for (size_t i = 0; file != NULL && i < file->model->n_fields; i++) {
        const struct ws_model_field *f = &file->model->fields[i];
        if (f->curve != NULL && f->curve->n_worst > 0 && shown < most) {
            if (shown++ == 0) {
                json_line(json);
                json_array_open(json, "model_fields");
            }
            field_json(json, run, f);
        }
    }
    if (shown > 0) {
        json_array_close(json);
    }
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

static void kind_json(struct json_writer *json, const struct ws_tasks *tasks,
                      const struct ws_task_kind *kind, uint32_t join)
{
    const char *name = tasks->names.names[kind->name];
    const struct ws_tasks_group *group = tasks->groups.list[kind->name];
    const struct ws_histogram *d = &group->durations;
    const struct ws_bars bars = {kind->durations.first, 1, kind->durations.n};
    json_object_open(json, NULL);
    json_put_string(json, "kind", name);
    json_put_string(json, "what", name + strlen(name) + 1);
    json_put_u64(json, "count", group->ended);
    report_put_number(json, "mean", ws_histogram_mean(d), 6);
    report_put_number(json, "p90", ws_histogram_quantile(d, 0.9), 6);
    report_put_number(json, "largest", d->n > 0 ? d->max : 0.0, 6);
    json_put_u64(json, "first", bars.first);
    json_put_u64(json, "bars", bars.n);
    report_spread_json(json, &kind->durations, &bars, join);
    json_object_close(json);
}

/* Returns the number of bins that must share a cell so that all kinds of tasks together have at
 * most `max` cells. */
static uint32_t kinds_join(const struct ws_figures *run, uint32_t max)
{
    static const uint32_t joins[] = {1, 2, 3, 6, 12, 20, 30, 60};
    size_t at = 0;
    uint32_t n;
    do {
        n = 0;
        for (uint32_t i = 0; i < run->n_kinds; i++) {
            const struct ws_dists *d = &run->kinds[i].durations;
            const struct ws_bars bars = {d->first, 1, d->n};
            n += report_spread_cells(d, &bars, joins[at]);
        }
    } while (n > max && ++at < sizeof joins / sizeof joins[0] - 1);
    return joins[at];
}

void report_tasks_json(struct json_writer *json, struct ws_figures *run, uint32_t n_runs)
{
    assert(n_runs > 0 && n_runs <= REPORT_RUNS_MAX);
    const struct ws_figures_file *file = ws_figures_file_of(run, FMT_STREAM_TASK);
    if (file == NULL || file->tasks->names.n == 0) {
        return;
    }
    const struct ws_stats_axis *axis = &run->axes[WS_VIRTUAL];
    double step = (axis->high - axis->low) / WS_BINS;
    json_line(json);
    json_object_open(json, "tasks");
    uint32_t join = kinds_join(run, REPORT_CELLS_MAX / n_runs);
    json_put_u64(json, "cell_step", join);
    json_array_open(json, "kinds");
    for (uint32_t i = 0; i < run->n_kinds; i++) {
        kind_json(json, file->tasks, &run->kinds[i], join);
    }
    json_array_close(json);
    json_array_open(json, "busy");
    for (uint32_t i = 0; i < run->n_busy; i++) {
        double values[WS_BINS];
        for (uint32_t k = 0; k < WS_BINS; k++) {
            values[k] = run->busy[i].bins[k] / step;
        }
        json_object_open(json, NULL);
        json_put_string(json, "place", run->busy[i].text);
        report_put_number(json, "busy", run->busy[i].busy, 6);
        report_put_numbers(json, "values", values, WS_BINS, 4);
        json_object_close(json);
    }
    json_array_close(json);
    json_object_close(json);
}
