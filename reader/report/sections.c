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

static const struct {
    enum report_count count;
    const char *name, *words, *unit;
    /* The curve shows the rate of a total. counter: name of this total in samples; traced: its name
     * in an event trace. */
    const char *counter;
    const char *traced;
} curves[] = {
    {REPORT_COMMITTED, "committed", "Events committed", "events", "events_committed", NULL},
    {REPORT_EXECUTED, "executed", "Events executed", "events", "events_processed", NULL},
    {REPORT_EVENTS, "events", "Events in the trace", "events", NULL, "trace_events"},
    {REPORT_UNDONE, "undone", "Events undone", "events", "events_rolled_back",
     "trace_events_undone"},
    {REPORT_ROLLBACKS, "rollbacks", "Rollbacks", "rollbacks", "total_rollbacks", "trace_rollbacks"},
    {REPORT_GVTS, "gvt_rate", "GVT computations", "computations", "num_gvt", NULL},
    {REPORT_REMOTE, "remote", "Events sent to other ranks", "events", "remote_events", NULL},
};

static void curve_open(struct json_writer *json, const char *name, const char *words,
                       const char *unit, enum report_clock clock, bool rate)
{
    char per[64];
    snprintf(per, sizeof per, "%s%s", unit,
             !rate                  ? ""
             : clock == REPORT_WALL ? "/s"
                                    : " per unit of virtual time");
    json_line(json);
    json_object_open(json, NULL);
    json_put_string(json, "name", name);
    json_put_string(json, "words", words);
    json_put_string(json, "unit", per);
}

/* Writes the curves of efficiency and of the advance of GVT, which follow from other curves. */
static void derived_json(struct json_writer *json, const struct report_run *run,
                         enum report_clock clock)
{
    const struct report_curves *c = &run->curves;
    double values[REPORT_BINS];
    if (c->known[REPORT_EXECUTED] && c->known[REPORT_UNDONE]) {
        for (uint32_t i = 0; i < REPORT_BINS; i++) {
            double executed = c->counts[clock][REPORT_EXECUTED][i];
            double undone = c->counts[clock][REPORT_UNDONE][i];
            values[i] = ws_efficiency(executed, undone);
        }
        curve_open(json, "efficiency", "Efficiency", "%", clock, false);
        report_put_numbers(json, "values", values, REPORT_BINS, 6);
        json_object_close(json);
    }
    if (clock == REPORT_WALL && run->has_clock) {
        double step = (run->axes[clock].high - run->axes[clock].low) / REPORT_BINS;
        for (uint32_t i = 0; i < REPORT_BINS; i++) {
            bool covered = report_is_covered(&run->clock_source, &run->axes[clock], i);
            values[i] = covered ? (run->clock[i + 1] - run->clock[i]) / step : (double)NAN;
        }
        curve_open(json, "gvt_advance", "Advance of GVT", "virtual time", clock, true);
        report_put_numbers(json, "values", values, REPORT_BINS, 6);
        json_object_close(json);
    }
}

static void level_json(struct json_writer *json, const struct report_run *run,
                       enum report_clock clock, enum report_level_kind kind, const char *name,
                       const char *words)
{
    assert(clock < REPORT_CLOCKS && kind < REPORT_LEVELS);
    const struct report_level *level = &run->curves.levels[clock][kind];
    double values[REPORT_BINS];
    if (!run->curves.level_known[kind]) {
        return;
    }
    for (uint32_t i = 0; i < REPORT_BINS; i++) {
        values[i] = level->weight[i] > 0.0 ? level->sum[i] / level->weight[i] : (double)NAN;
    }
    curve_open(json, name, words, kind == REPORT_QUEUE ? "events" : "bytes", clock, false);
    report_put_numbers(json, "values", values, REPORT_BINS, 6);
    json_object_close(json);
}

static void clock_curves_json(struct json_writer *json, const struct report_run *run,
                              enum report_clock clock)
{
    assert(clock < REPORT_CLOCKS);
    const struct report_curves *c = &run->curves;
    double step = (run->axes[clock].high - run->axes[clock].low) / REPORT_BINS;
    double values[REPORT_BINS];
    bool has_samples = c->known[REPORT_COMMITTED];
    json_array_open(json, clock == REPORT_WALL ? "wall" : "virtual");
    for (size_t k = 0; k < sizeof curves / sizeof curves[0]; k++) {
        /* Each PE counts every GVT computation, since all PEs take part in it. */
        double per = curves[k].count == REPORT_GVTS ? step * run->places.n_pes : step;
        if (!c->known[curves[k].count] ||
            (curves[k].count == REPORT_GVTS && clock != REPORT_WALL)) {
            continue;
        }
        for (uint32_t i = 0; i < REPORT_BINS; i++) {
            bool covered =
                report_is_covered(&c->sources[clock][curves[k].count], &run->axes[clock], i);
            values[i] = covered ? c->counts[clock][curves[k].count][i] / per : (double)NAN;
        }
        const char *counter = has_samples ? curves[k].counter : curves[k].traced;
        curve_open(json, curves[k].name, curves[k].words, curves[k].unit, clock, true);
        if (counter != NULL || curves[k].traced != NULL) {
            json_put_string(json, "counter", counter == NULL ? curves[k].traced : counter);
        }
        report_put_numbers(json, "values", values, REPORT_BINS, 6);
        json_object_close(json);
    }
    derived_json(json, run, clock);
    level_json(json, run, clock, REPORT_QUEUE, "queue", "Pending events per PE");
    json_array_close(json);
}

static bool any_curve(const struct report_run *run)
{
    bool any = run->curves.level_known[REPORT_QUEUE];
    for (int k = 0; k < REPORT_COUNTS; k++) {
        any |= run->curves.known[k];
    }
    return any;
}

void report_curves_json(struct json_writer *json, const struct report_run *run)
{
    if (!any_curve(run)) {
        return;
    }
    json_line(json);
    json_object_open(json, "series");
    clock_curves_json(json, run, REPORT_WALL);
    clock_curves_json(json, run, REPORT_VIRTUAL);
    json_object_close(json);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static const struct {
    const char *name, *words; /* NULL if the level is not one of memory */
} memory_levels[REPORT_LEVELS] = {
    [REPORT_MEMORY_EVENTS] = {"events", "Events"},
    [REPORT_MEMORY_SAVED] = {"saved", "Saved states and other data"},
    [REPORT_MEMORY_ALLOCATED] = {"allocated", "Allocated"},
};

/* Writes an array that has, for each row of PEs, an array with one number per bin; null for a bin
 * without a sample. mean: true if `rows` has integrals over time, which are then divided by the
 * length of time. */
static void rows_json(struct json_writer *json, const struct report_run *run, const char *name,
                      const double rows[REPORT_PE_ROWS][REPORT_CELLS], bool mean)
{
    json_array_open(json, name);
    for (uint32_t row = 0; row < run->places.pe_rows; row++) {
        double values[REPORT_CELLS];
        for (uint32_t i = 0; i < REPORT_CELLS; i++) {
            double weight = run->memory.weight[row][i];
            values[i] = !(weight > 0.0) ? (double)NAN : mean ? rows[row][i] / weight : rows[row][i];
        }
        report_put_numbers(json, NULL, values, REPORT_CELLS, 4);
    }
    json_array_close(json);
}

void report_memory_json(struct json_writer *json, const struct report_run *run)
{
    if (!run->curves.level_known[REPORT_MEMORY_EVENTS]) {
        return;
    }
    json_line(json);
    json_object_open(json, "memory");
    for (int c = 0; c < REPORT_CLOCKS; c++) {
        json_array_open(json, c == REPORT_WALL ? "wall" : "virtual");
        for (int k = REPORT_MEMORY_EVENTS; k < REPORT_LEVELS; k++) {
            level_json(json, run, (enum report_clock)c, (enum report_level_kind)k,
                       memory_levels[k].name, memory_levels[k].words);
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

static void phases_json(struct json_writer *json, const struct report_run *run)
{
    const struct report_phases *phases = &run->phases;
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
        double sums[REPORT_PHASES_MAX] = {0.0};
        for (uint32_t k = 0; k < phases->n; k++) {
            for (uint32_t i = 0; i < REPORT_CELLS; i++) {
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
            report_put_numbers(json, NULL, phases->cells[pe][k], REPORT_CELLS, 4);
        }
        json_array_close(json);
    }
    json_array_close(json);
    json_object_close(json);
}

static void ahead_json(struct json_writer *json, const struct report_run *run)
{
    const struct report_places *places = &run->places;
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
    for (int c = 0; c < REPORT_CLOCKS; c++) {
        json_array_open(json, c == REPORT_WALL ? "wall" : "virtual");
        for (uint32_t row = 0; row < places->pe_rows * places->kp_rows; row++) {
            double values[REPORT_CELLS];
            for (uint32_t i = 0; i < REPORT_CELLS; i++) {
                double weight = run->ahead.weight[c][row][i];
                values[i] = weight > 0.0 ? run->ahead.sum[c][row][i] / weight : (double)NAN;
            }
            if (places->kp_seen[row]) {
                report_put_numbers(json, NULL, values, REPORT_CELLS, 4);
            }
        }
        json_array_close(json);
    }
    json_object_close(json);
}

void report_places_json(struct json_writer *json, const struct report_run *run)
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
static void field_curves(const struct report_run *run, const struct report_field *f,
                         double values[3][REPORT_BINS])
{
    const struct ws_stats_axis *axis = &run->axes[REPORT_VIRTUAL];
    double step = (axis->high - axis->low) / REPORT_BINS;
    bool counter = f->field->measure == FMT_COUNTER;
    for (uint32_t i = REPORT_BINS; i-- > 0;) {
        bool none = !counter && f->n[i] == 0, after = i + 1 < REPORT_BINS;
        values[0][i] = counter ? f->sum[i] / step
                       : none  ? after ? values[0][i + 1] : (double)NAN
                               : f->sum[i] / (double)f->n[i];
        values[1][i] = none ? after ? values[1][i + 1] : (double)NAN : f->low[i];
        values[2][i] = none ? after ? values[2][i + 1] : (double)NAN : f->high[i];
    }
    for (uint32_t i = 0; i < REPORT_BINS; i++) {
        if (!report_is_covered(&run->model.source, axis, i)) {
            values[0][i] = values[1][i] = values[2][i] = (double)NAN;
        }
    }
}

static void field_json(struct json_writer *json, const struct report_run *run,
                       const struct report_field *f)
{
    double values[3][REPORT_BINS];
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
    report_put_numbers(json, "values", values[0], REPORT_BINS, 6);
    if (!counter) {
        report_put_numbers(json, "low", values[1], REPORT_BINS, 6);
        report_put_numbers(json, "high", values[2], REPORT_BINS, 6);
    }
    json_array_open(json, "worst");
    for (uint32_t i = 0; i < f->n_worst; i++) {
        json_object_open(json, NULL);
        json_put_u64(json, "lp", f->worst[i].lp);
        report_put_number(json, "value", f->worst[i].value, 6);
        json_object_close(json);
    }
    json_array_close(json);
    json_object_close(json);
}

void report_model_json(struct json_writer *json, const struct report_run *run, uint32_t n_runs)
{
    assert(n_runs > 0 && n_runs <= REPORT_RUNS_MAX);
    uint32_t shown = 0, most = REPORT_MODEL_FIELDS / n_runs;
    for (uint32_t i = 0; i < run->model.n_fields; i++) {
        const struct report_field *f = &run->model.fields[i];
        if (f->n_worst > 0 && shown < most) {
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
                      const struct report_task_kind *kind, uint32_t join)
{
    const char *name = tasks->names.names[kind->name];
    const struct ws_tasks_group *group = tasks->groups.list[kind->name];
    const struct ws_histogram *d = &group->durations;
    json_object_open(json, NULL);
    json_put_string(json, "kind", name);
    json_put_string(json, "what", name + strlen(name) + 1);
    json_put_u64(json, "count", group->ended);
    report_put_number(json, "mean", ws_histogram_mean(d), 6);
    report_put_number(json, "p90", ws_histogram_quantile(d, 0.9), 6);
    report_put_number(json, "largest", d->n > 0 ? d->max : 0.0, 6);
    json_put_u64(json, "first", kind->durations.bars.first);
    json_put_u64(json, "bars", kind->durations.bars.n);
    report_spread_json(json, &kind->durations, join);
    json_object_close(json);
}

/* Returns the number of bins that must share a cell so that all kinds of tasks together have at
 * most `max` cells. */
static uint32_t kinds_join(const struct report_run *run, uint32_t max)
{
    static const uint32_t joins[] = {1, 2, 3, 6, 12, 20, 30, 60};
    size_t at = 0;
    uint32_t n;
    do {
        n = 0;
        for (uint32_t i = 0; i < run->n_kinds; i++) {
            n += report_spread_cells(&run->kinds[i].durations, joins[at]);
        }
    } while (n > max && ++at < sizeof joins / sizeof joins[0] - 1);
    return joins[at];
}

void report_tasks_json(struct json_writer *json, struct report_run *run, uint32_t n_runs)
{
    assert(n_runs > 0 && n_runs <= REPORT_RUNS_MAX);
    const struct report_file *file = report_file_of(run, FMT_STREAM_TASK);
    if (file == NULL || file->tasks == NULL || file->tasks->names.n == 0) {
        return;
    }
    const struct ws_stats_axis *axis = &run->axes[REPORT_VIRTUAL];
    double step = (axis->high - axis->low) / REPORT_BINS;
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
        double values[REPORT_BINS];
        for (uint32_t k = 0; k < REPORT_BINS; k++) {
            values[k] = run->busy[i].bins[k] / step;
        }
        json_object_open(json, NULL);
        json_put_string(json, "place", run->busy[i].text);
        report_put_number(json, "busy", run->busy[i].busy, 6);
        report_put_numbers(json, "values", values, REPORT_BINS, 4);
        json_object_close(json);
    }
    json_array_close(json);
    json_object_close(json);
}
