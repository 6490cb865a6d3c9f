/* SPDX-License-Identifier: BSD-3-Clause */
/* values.c - writes charts of what models record: values of LPs, tasks, results of tracers; see report.h. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/report.h"

#define LP_VALUES_MAX 60000u /* values in the curves of single LPs, all runs together */
#define TRACERS_MAX   8u     /* maximum number of tracers that are shown */

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
        if (!ws_is_covered(&source, axis, i) ||
            (counter && axis->low + (i + 0.5) * step < curve->from)) {
            values[0][i] = values[1][i] = values[2][i] = (double)NAN;
        }
    }
}

/* Writes the curves of single LPs, at most `most`. */
static void lps_json(struct json_writer *json, const struct ws_figures *run,
                     const struct ws_model *m, const struct ws_model_curve *curve, bool counter,
                     uint32_t most)
{
    const struct ws_source source = {&ws_figures_file_of(run, FMT_STREAM_MODEL)->stream, NULL};
    const struct ws_stats_axis *axis = &run->axes[WS_VIRTUAL];
    double values[WS_BINS], step = (axis->high - axis->low) / WS_BINS;
    ws_put(json, "all_lps", doc_bool(!curve->more_lps && curve->n_lps <= most));
    json_array_open(json, "lps");
    for (uint32_t i = 0; i < curve->n_lps && i < most; i++) {
        const struct ws_model_lp *row = &curve->lps[i];
        double next =
            (double)NAN; /* a bin without a sample of a level has the value of the next one */
        for (uint32_t k = WS_BINS; k-- > 0;) {
            next = counter          ? row->sum[k] / step
                   : row->n[k] == 0 ? next
                                    : row->sum[k] / (double)row->n[k];
            bool known = ws_is_covered(&source, axis, k) &&
                         !(counter && axis->low + (k + 0.5) * step < row->from);
            values[k] = known ? next : (double)NAN;
        }
        json_object_line(json, NULL);
        ws_put(json, "lp", ws_lp_cell(&m->file->descs, row->lp));
        report_put_numbers(json, "values", values, WS_BINS, 5);
        json_object_close(json);
    }
    json_array_close(json);
}

static void field_json(struct json_writer *json, const struct ws_figures *run,
                       const struct ws_model *m, const struct ws_model_field *f, uint32_t most)
{
    double values[3][WS_BINS];
    bool counter = f->field->measure == FMT_COUNTER;
    char unit[128];
    field_curves(run, f, values);
    snprintf(unit, sizeof unit, "%.64s%s", f->field->unit,
             counter ? " per unit of virtual time, all LPs" : "");
    json_object_line(json, NULL);
    ws_put(json, "type|field|words|unit|measure", doc_name(f->desc->owner),
           doc_name(f->field->name), doc_name(""), doc_name(unit),
           doc_name(counter ? "counter" : "level"));
    report_put_numbers(json, "values", values[0], WS_BINS, 6);
    if (!counter) {
        report_put_numbers(json, "low", values[1], WS_BINS, 6);
        report_put_numbers(json, "high", values[2], WS_BINS, 6);
    }
    json_array_open(json, "worst");
    for (uint32_t i = 0; i < f->curve->n_worst; i++) {
        ws_put_object(json, NULL, "lp|value", ws_lp_cell(&m->file->descs, f->curve->worst[i].lp),
                      report_real(f->curve->worst[i].value, 6));
    }
    json_array_close(json);
    lps_json(json, run, m, f->curve, counter, most);
    json_object_close(json);
}

void report_model_json(struct json_writer *json, struct ws_figures *run)
{
    const struct ws_model *m = ws_figures_file_of(run, FMT_STREAM_MODEL)->sums.model;
    uint32_t shown = 0, most = WS_MODEL_CURVES / run->n_runs;
    uint32_t lps = LP_VALUES_MAX / run->n_runs / WS_BINS / (uint32_t)fmax(1.0, (double)m->n_curves);
    json_line(json);
    json_array_open(json, "model_fields");
    for (size_t i = 0; i < m->n_fields && shown < most; i++) {
        const struct ws_model_field *f = &m->fields[i];
        if (f->curve != NULL && f->curve->n_worst > 0) {
            field_json(json, run, m, f, lps < 2 ? 2 : lps);
            shown++;
        }
    }
    json_array_close(json);
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

static void kind_json(struct json_writer *json, const struct ws_tasks *tasks,
                      const struct ws_task_kind *kind, uint32_t join)
{
    const char *name = tasks->names.names[kind->name];
    const struct ws_tasks_group *group = &tasks->groups[kind->name];
    const struct ws_histogram *d = &group->durations;
    const struct ws_bars bars = {kind->durations.first, 1, kind->durations.n};
    json_object_open(json, NULL);
    ws_put(json, "kind|what|count|mean|p90|largest|first|bars", doc_name(name),
           doc_name(name + strlen(name) + 1), doc_count(group->ended),
           report_real(ws_histogram_mean(d), 6), report_real(ws_histogram_quantile(d, 0.9), 6),
           report_real(d->n > 0 ? d->max : 0.0, 6), doc_count(bars.first), doc_count(bars.n));
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

void report_tasks_json(struct json_writer *json, struct ws_figures *run)
{
    const struct ws_figures_file *file = ws_figures_file_of(run, FMT_STREAM_TASK);
    const struct ws_stats_axis *axis = &run->axes[WS_VIRTUAL];
    double step = (axis->high - axis->low) / WS_BINS;
    uint32_t join = kinds_join(run, REPORT_CELLS_MAX / run->n_runs);
    json_put_u64(json, "cell_step", join);
    json_array_open(json, "kinds");
    for (uint32_t i = 0; i < run->n_kinds; i++) {
        kind_json(json, file->sums.tasks, &run->kinds[i], join);
    }
    json_array_close(json);
    json_array_open(json, "busy");
    for (uint32_t i = 0; i < run->n_busy; i++) {
        double values[WS_BINS];
        for (uint32_t k = 0; k < WS_BINS; k++) {
            values[k] = run->busy[i].bins[k] / step;
        }
        json_object_open(json, NULL);
        ws_put(json, "place|busy", doc_name(run->busy[i].text), report_real(run->busy[i].busy, 6));
        report_put_numbers(json, "values", values, WS_BINS, 4);
        json_object_close(json);
    }
    json_array_close(json);
}

/* ---- Tracers --------------------------------------------------------------------------------- */

static void tracer_json(struct json_writer *json, const char *spec, const struct ws_tracer_sum *sum)
{
    /* Only tracers of the kind "busy" measure the busy time. In the results of other tracers, it is
     * 0. */
    bool has_busy = strncmp(spec, "busy", 4) == 0;
    json_object_line(json, NULL);
    ws_put(json, "name|places", doc_name(spec), doc_count(sum->places));
    ws_put_array(json, "columns", doc_name("place"), doc_name("LP"), doc_name("begun"),
                 doc_name("ended"), doc_name("busy"), doc_name("total"), doc_name("mean"));
    json_array_open(json, "rows");
    for (uint32_t i = 0; i < sum->n_busiest; i++) {
        const struct ws_tracer_place *place = &sum->busiest[i];
        double mean = place->ended > 0 ? place->total / (double)place->ended : 0.0;
        ws_put_array(json, NULL, doc_name(place->where), doc_count(place->lp),
                     doc_count(place->begun), doc_count(place->ended),
                     report_real(has_busy ? place->busy : (double)NAN, 6),
                     report_real(place->total, 6), report_real(mean, 6));
    }
    json_array_close(json);
    json_object_close(json);
}

void report_tracers_json(struct json_writer *json, struct ws_figures *run)
{
    const struct ws_tracers *t = ws_figures_file_of(run, FMT_STREAM_TRACER)->sums.tracers;
    uint32_t shown = 0;
    json_line(json);
    json_array_open(json, "tracers");
    for (uint32_t i = 0; i < t->names.n && shown < TRACERS_MAX; i++) {
        if (t->sums[i].n_busiest > 0) {
            tracer_json(json, t->names.names[i], &t->sums[i]);
            shown++;
        }
    }
    json_array_close(json);
}
