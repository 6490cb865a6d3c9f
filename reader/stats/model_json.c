/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_json.c - statistics of what models record as JSON: values of LPs, results of tracers.
 */
#include <math.h>

#include "stats/stats.h"

static void rates_json(struct json_writer *json, const struct ws_stats_span *span, double counted)
{
    if (span->wall > 0.0) {
        json_put_double(json, "per_second", counted / span->wall);
    }
    if (span->virtual > 0.0) {
        json_put_double(json, "per_virtual_time", counted / span->virtual);
    }
}

static void field_json(struct json_writer *json, const struct ws_model *m,
                       const struct ws_model_field *f)
{
    const char *measure = fmt_measure_name(f->field->measure);
    json_object_open(json, f->field->name);
    if (measure != NULL) {
        json_put_string(json, "measure", measure);
    }
    json_put_u64(json, "n", f->n);
    switch (f->field->measure) {
    case FMT_COUNTER:
        json_put_double(json, "last", f->n == 0 ? NAN : f->counter.at_last);
        json_put_double(json, "largest_of_lp", f->n == 0 ? NAN : f->counter.most);
        rates_json(json, ws_model_span(m, f), ws_model_counted(m, f));
        break;
    case FMT_IDENTITY:
        json_put_u64(json, f->ids.ids.n > WS_MODEL_IDS ? "different_at_least" : "different",
                     f->ids.ids.n);
        break;
    case FMT_CHANGE:
        json_put_double(json, "total", f->sum);
        rates_json(json, ws_model_span(m, f), f->sum);
        /* fall through */
    default:
        json_put_double(json, "mean", f->n == 0 ? NAN : f->sum / (double)f->n);
        json_put_double(json, "min", f->n == 0 ? NAN : f->min);
        json_put_double(json, "max", f->n == 0 ? NAN : f->max);
        break;
    }
    json_object_close(json);
}

void ws_model_json(struct json_writer *json, const struct ws_model *m)
{
    static const char *const names[] = {"other", "gvt", "real_time", "virtual_time"};
    const struct fmt_desc_set *descs = &m->file->descs;
    json_put_u64(json, "records", m->records);
    ws_stats_span_json(json, &m->span);
    json_object_open(json, "samples");
    for (int i = 0; i < 4; i++) {
        json_put_u64(json, names[i], m->kinds[i]);
    }
    json_object_close(json);
    json_array_open(json, "types");
    for (size_t d = 0; d < descs->n; d++) {
        json_line(json);
        json_object_open(json, NULL);
        json_put_string(json, "owner", descs->descs[d].owner);
        json_put_u64(json, "records", m->types[d]);
        json_object_open(json, "values");
        for (size_t i = m->first_field[d]; i < m->first_field[d + 1]; i++) {
            field_json(json, m, &m->fields[i]);
        }
        json_object_close(json);
        json_object_close(json);
    }
    json_array_close(json);
}

void ws_tracers_json(struct json_writer *json, const struct ws_tracers *t)
{
    json_array_open(json, "tracers");
    for (uint32_t i = 0; i < t->names.n; i++) {
        const struct ws_tracer_sum *sum = &t->sums[i];
        const char *step = ws_tracers_step(t, i);
        json_line(json);
        json_object_open(json, NULL);
        json_put_u64(json, "tracer", sum->tracer);
        json_put_string(json, "spec", t->names.names[i]);
        json_put_u64(json, "places", sum->places);
        if (step != NULL) {
            json_put_string(json, "step", step);
            json_put_u64(json, "occurrences", sum->occurrences);
            json_put_u64(json, "tasks", sum->tasks);
        } else {
            json_put_u64(json, "begun", sum->begun);
            json_put_u64(json, "ended", sum->ended);
            json_put_double(json, "busy", sum->busy);
            json_put_double(json, "total", sum->total);
            json_put_double(json, "average", ws_tracers_mean(sum));
        }
        json_object_close(json);
    }
    json_array_close(json);
}
