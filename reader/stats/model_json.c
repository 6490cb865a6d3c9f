/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_json.c - statistics of what models record as JSON: values of LPs, results of tracers.
 */
#include <math.h>

#include "data/cell.h"
#include "stats/stats.h"

static void rates_json(struct json_writer *json, const struct ws_stats_span *span, double counted)
{
    ws_put(json, "per_second|per_virtual_time",
           doc_if(span->wall > 0.0, doc_real(counted / span->wall)),
           doc_if(span->virtual > 0.0, doc_real(counted / span->virtual)));
}

static void field_json(struct json_writer *json, const struct ws_model *m,
                       const struct ws_model_field *f)
{
    const char *measure = fmt_measure_name(f->field->measure);
    bool any = f->n > 0;
    json_object_open(json, f->field->name);
    ws_put(json, "measure|n", doc_if(measure != NULL, doc_name(measure)), doc_count(f->n));
    switch (f->field->measure) {
    case FMT_COUNTER:
        ws_put(json, "last|largest_of_lp", doc_real(any ? f->counter.at_last : NAN),
               doc_real(any ? f->counter.most : NAN));
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
        ws_put(json, "mean|min|max", doc_real(any ? f->sum / (double)f->n : NAN),
               doc_real(any ? f->min : NAN), doc_real(any ? f->max : NAN));
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
        ws_put(json, "owner|records", doc_name(descs->descs[d].owner), doc_count(m->types[d]));
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
        ws_put(json, "tracer|spec|places", doc_count(sum->tracer), doc_name(t->names.names[i]),
               doc_count(sum->places));
        if (step != NULL) {
            ws_put(json, "step|occurrences|tasks", doc_name(step), doc_count(sum->occurrences),
                   doc_count(sum->tasks));
        } else {
            ws_put(json, "begun|ended|busy|total|average", doc_count(sum->begun),
                   doc_count(sum->ended), doc_real(sum->busy), doc_real(sum->total),
                   doc_real(ws_tracers_mean(sum)));
        }
        json_object_close(json);
    }
    json_array_close(json);
}
