/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - prints the statistics of files as JSON; see values.h.
 */
#include <math.h>
#include <string.h>

#include "data/cell.h"
#include "figures/tasks.h"
#include "figures/values.h"

static void span_json(struct json_writer *json, const struct ws_stats_span *span)
{
    ws_put(json, "seconds|virtual_from|virtual_time", doc_real(span->length[WS_WALL]),
           doc_real(span->from[WS_VIRTUAL]), doc_real(span->length[WS_VIRTUAL]));
}

/* Prints the rates of all counts as the object `name`; nothing if no duration is known. */
static void rates_json(struct json_writer *json, const char *name, const struct ws_counted *v,
                       enum ws_clock clock)
{
    double most = 0.0;
    for (uint32_t i = 0; i < v->counts.n; i++) {
        most = fmax(most, ws_view_span(v, i)->length[clock]);
    }
    if (most > 0.0) {
        json_object_open(json, name);
        for (uint32_t i = 0; i < v->counts.n; i++) {
            double per = ws_view_span(v, i)->length[clock];
            double rate = per > 0.0 ? (double)v->all.sums[i] / per : 0.0;
            json_put_double(json, v->counts.names[i], v->counts.unknown[i] ? (double)NAN : rate);
        }
        json_object_close(json);
    }
}

static void sums_json(struct json_writer *json, const struct ws_counted *v, const uint64_t *sums)
{
    for (uint32_t i = 0; i < v->counts.n; i++) {
        const struct doc_cell cell = doc_known(!v->counts.unknown[i], sums[i]);
        ws_cell_json(json, v->counts.names[i], &cell);
    }
}

static void efficiency_json(struct json_writer *json, const struct ws_counted *v,
                            const uint64_t *sums)
{
    if (v->has_efficiency) {
        json_put_double(json, "efficiency", ws_view_efficiency(v, sums));
    }
    const double lost = ws_view_lost(v, sums);
    if (lost == lost) {
        json_put_double(json, "lost", lost);
    }
}

/* Prints totals, rates, and the counts of each PE. */
static void counts_json(struct json_writer *json, const struct ws_counted *v)
{
    uint64_t net;
    json_object_line(json, "totals");
    sums_json(json, v, v->all.sums);
    if (!v->is_trace && ws_net_remote(v, &net)) {
        json_put_u64(json, "net_remote_events", net);
    }
    json_object_close(json);
    efficiency_json(json, v, v->all.sums);
    json_line(json);
    rates_json(json, "per_second", v, WS_WALL);
    rates_json(json, "per_virtual_time", v, WS_VIRTUAL);
    json_array_open(json, "pes");
    for (uint32_t i = 0; i < v->pes.n; i++) {
        const struct ws_stats_pe *pe = &v->pes.list[i];
        json_object_line(json, NULL);
        ws_put(json, "pe|records", doc_count(pe->pe), doc_count(pe->records));
        sums_json(json, v, pe->sums);
        efficiency_json(json, v, pe->sums);
        json_object_close(json);
    }
    json_array_close(json);
    json_put_u64(json, "pes_left_out", v->pes.left_out);
}

static void spread_json(struct json_writer *json, const struct ws_counted *v)
{
    json_object_open(json, "spread");
    for (uint32_t c = 0; c < v->n_columns; c++) {
        struct ws_spread s;
        if (ws_view_spread(&s, v, v->columns[c])) {
            ws_put_object(json, v->counts.names[v->columns[c]],
                          "least|percent_10|median|percent_90|largest|mean|imbalance",
                          doc_count(s.least), doc_count(s.tenth), doc_count(s.median),
                          doc_count(s.ninetieth), doc_count(s.largest), doc_real(s.mean),
                          doc_real(s.imbalance));
        }
    }
    json_object_close(json);
}

/* Prints an array of n numbers; null if bins is NULL. */
static void bins_json(struct json_writer *json, const char *name, const double *bins, uint32_t n)
{
    if (bins == NULL) {
        json_put_null(json, name);
        return;
    }
    json_array_open(json, name);
    for (uint32_t i = 0; i < n; i++) {
        json_put_double(json, NULL, bins[i]);
    }
    json_array_close(json);
}

static void over_time_json(struct json_writer *json, const struct ws_counted *v)
{
    const struct ws_stats_axis *axis = &v->axis;
    double efficiency[WS_STATS_BINS];
    json_object_line(json, "over_time");
    ws_put(json, "clock|from|step",
           doc_name(axis->clock == WS_VIRTUAL ? "virtual_time" : "real_time"), doc_real(axis->low),
           doc_real((axis->high - axis->low) / axis->n));
    for (int k = 0; k < 2 && v->in_bins[k] != NULL; k++) {
        bool known = !ws_view_unknown(v, v->in_bins[k]);
        bins_json(json, v->in_bins[k], known ? v->all.bins[k] : NULL, axis->n);
    }
    if (v->has_efficiency) {
        for (uint32_t i = 0; i < axis->n; i++) {
            efficiency[i] = ws_efficiency(v->all.bins[0][i], v->all.bins[1][i]);
        }
        bins_json(json, "efficiency", efficiency, axis->n);
    }
    json_object_close(json);
}

static void dists_json(struct json_writer *json, const struct ws_counted *v)
{
    json_line(json);
    for (uint32_t i = 0; i < v->n_dists; i++) {
        const struct ws_histogram *d = &v->dists[i];
        bool any = d->n > 0;
        ws_put_object(json, v->dist_names[i].name, "n|mean|min|median|p90|max", doc_count(d->n),
                      doc_if(any, doc_real(ws_histogram_mean(d))), doc_if(any, doc_real(d->min)),
                      doc_if(any, doc_real(ws_histogram_quantile(d, 0.5))),
                      doc_if(any, doc_real(ws_histogram_quantile(d, 0.9))),
                      doc_if(any, doc_real(d->max)));
    }
}

static void list_json(struct json_writer *json, const char *name, const struct ws_counted *v,
                      const struct ws_stats_list *list, const char *key)
{
    const struct ws_top_k *top = &list->top;
    if (!list->used) {
        return;
    }
    json_object_line(json, name);
    bool is_exact = top->error_most == 0;
    ws_put(json, "ordered_by|different|missing_have_at_most", doc_name(list->names[0]),
           doc_if(is_exact, doc_count(top->keys)), doc_if(!is_exact, doc_count(top->error_most)));
    json_array_open(json, "list");
    for (uint32_t w = 0; w < top->n_winners; w++) {
        const struct ws_top_k_entry *e = &top->winners[w];
        json_object_open(json, NULL);
        json_put_u64(json, "pe", e->group);
        ws_put(json, key, ws_lp_cell(list == &v->lps ? &v->file->descs : NULL, e->key));
        for (uint32_t i = 0; i < top->n_values; i++) {
            const struct doc_cell cell =
                doc_known(!ws_view_unknown(v, list->names[i]), e->values[i]);
            ws_cell_json(json, list->names[i], &cell);
        }
        ws_put(json, "may_be_more_by", doc_if(e->error > 0, doc_count(e->error)));
        json_object_close(json);
    }
    json_array_close(json);
    json_object_close(json);
}

/* ---- What only samples or only events have --------------------------------------------------- */

/* Prints the names of those totals that are the largest count of any PE instead of a sum over the
 * PEs. */
static void collective_json(struct json_writer *json, const struct ws_counted *v)
{
    json_array_open(json, "collective");
    for (uint32_t i = 0; i < v->counts.n; i++) {
        if (v->counts.collective[i]) {
            json_put_string(json, NULL, v->counts.names[i]);
        }
    }
    json_array_close(json);
}

/* Prints for each phase its share of the total time, both measured in ticks of the PEs' clocks.
 * Also prints the ticks per second, and how phases were timed. */
static void phases_json(struct json_writer *json, const struct ws_counted *v)
{
    const struct fmt_superblock *sb = v->file->sb;
    uint64_t total = 0;
    for (uint32_t i = 0; i < v->counts.n; i++) {
        total += v->counts.ticks[i] ? v->all.sums[i] : 0;
    }
    if (total == 0) {
        return;
    }
    json_object_line(json, "part_of_time");
    for (uint32_t i = 0; i < v->counts.n; i++) {
        if (v->counts.ticks[i]) {
            json_put_double(json, v->counts.names[i], (double)v->all.sums[i] / (double)total);
        }
    }
    json_object_close(json);
    ws_put(json, "ticks_per_second|phase_times", doc_real(ws_stats_ticks_per_second(sb)),
           doc_name(ws_fact(sb, "phase_times")));
}

static void types_json(struct json_writer *json, const struct ws_counted *e)
{
    const struct fmt_desc_set *descs = &e->file->descs;
    json_line(json);
    json_array_open(json, "types");
    for (size_t d = 0; d <= descs->n; d++) {
        if (e->types[d][0] + e->types[d][1] > 0) {
            ws_put_object(json, NULL, "owner|events|rollbacks",
                          doc_name(d < descs->n ? descs->descs[d].owner : NULL),
                          doc_known(e->has_events, e->types[d][0]),
                          doc_known(e->has_rollbacks, e->types[d][1]));
        }
    }
    json_array_close(json);
}

/* ---- Samples and events ---------------------------------------------------------------------- */

static void view_json(struct json_writer *json, const struct ws_counted *v)
{
    bool is_samples = !v->is_trace;
    json_put_u64(json, "records", v->all.records);
    if (is_samples) {
        json_put_string(json, "records_of", v->primary->name);
    }
    span_json(json, &v->span);
    if (is_samples) {
        collective_json(json, v);
    }
    counts_json(json, v);
    if (is_samples) {
        spread_json(json, v);
    }
    over_time_json(json, v);
    if (is_samples) {
        phases_json(json, v);
    }
    dists_json(json, v);
    if (!is_samples) {
        spread_json(json, v);
        types_json(json, v);
    }
    list_json(json, "kps", v, &v->kps, "kp");
    list_json(json, "lps", v, &v->lps, "lp");
}

/* ---- What models record: values of LPs, results of tracers ------------------------------------ */

static void counted_json(struct json_writer *json, const struct ws_stats_span *span, double counted)
{
    const double wall = span->length[WS_WALL], virtual = span->length[WS_VIRTUAL];
    ws_put(json, "per_second|per_virtual_time", doc_if(wall > 0.0, doc_real(counted / wall)),
           doc_if(virtual > 0.0, doc_real(counted / virtual)));
}

static void field_json(struct json_writer *json, const struct ws_model *m,
                       const struct ws_model_field *f)
{
    const char *measure = fmt_measure_name(f->field->measure);
    bool any = f->n > 0;
    json_object_open(json, f->field->name);
    ws_put(json, "unit|measure|n", doc_if(f->field->unit[0] != '\0', doc_name(f->field->unit)),
           doc_if(measure != NULL, doc_name(measure)), doc_count(f->n));
    switch (f->field->measure) {
    case FMT_COUNTER:
        ws_put(json, "last|largest_of_lp", doc_real(any ? f->counter.at_last : NAN),
               doc_real(any ? f->counter.most : NAN));
        counted_json(json, ws_model_span(m, f), ws_model_counted(m, f));
        break;
    case FMT_IDENTITY:
        json_put_u64(json, f->ids.ids.n > WS_MODEL_IDS ? "different_at_least" : "different",
                     f->ids.ids.n);
        break;
    case FMT_CHANGE:
        json_put_double(json, "total", f->sum);
        counted_json(json, ws_model_span(m, f), f->sum);
        /* fall through */
    default:
        ws_put(json, "mean|min|max", doc_real(any ? f->sum / (double)f->n : NAN),
               doc_real(any ? f->min : NAN), doc_real(any ? f->max : NAN));
        break;
    }
    json_object_close(json);
}

static void model_json(struct json_writer *json, const struct ws_model *m)
{
    static const char *const names[] = {"other", "gvt", "real_time", "virtual_time"};
    const struct fmt_desc_set *descs = &m->file->descs;
    json_put_u64(json, "records", m->records);
    span_json(json, &m->span);
    json_object_open(json, "samples");
    for (int i = 0; i < 4; i++) {
        json_put_u64(json, names[i], m->kinds[i]);
    }
    json_object_close(json);
    json_array_open(json, "types");
    for (size_t d = 0; d < descs->n; d++) {
        json_object_line(json, NULL);
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

static void tracers_json(struct json_writer *json, const struct ws_tracers *t)
{
    json_array_open(json, "tracers");
    for (uint32_t i = 0; i < t->names.n; i++) {
        const struct ws_tracer_sum *sum = &t->sums[i];
        const char *step = ws_tracers_step(t, i);
        json_object_line(json, NULL);
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

/* ---- A file ---------------------------------------------------------------------------------- */

static void cover_json(struct json_writer *json, struct ws_cover cover)
{
    ws_put(json, "virtual_from|virtual_to|real_from|real_to", doc_real(cover.virtual_from),
           doc_real(cover.virtual_to), doc_real(cover.real_from), doc_real(cover.real_to));
}

static void part_json(struct json_writer *json, const struct ws_file *file, uint32_t number)
{
    const struct ws_file *part = ws_stream_part(file, number);
    json_object_line(json, NULL);
    ws_put(json, "path|readable", doc_name(part->path), doc_bool(part->pes != NULL));
    if (part->pes != NULL) {
        cover_json(json, ws_stream_cover(file, number));
        json_object_open(json, "records");
        for (uint32_t i = 0; i < part->sb->n_schemas; i++) {
            json_put_u64(json, part->sb->schemas[i]->name, part->kind_records[i]);
        }
        json_object_close(json);
    }
    json_object_close(json);
}

/* Writes the parts of a stream and the gaps between them; nothing for a single file. */
static void parts_json(struct json_writer *json, const struct ws_file *file)
{
    struct ws_cover gap;
    if (file->n_parts == 0) {
        return;
    }
    json_array_open(json, "parts");
    for (uint32_t i = 0; i < file->n_parts; i++) {
        part_json(json, file, i);
    }
    json_array_close(json);
    json_array_open(json, "gaps");
    for (uint32_t i = 1; i < file->n_parts; i++) {
        if (ws_stream_gap(file, i, NULL, &gap)) {
            json_object_open(json, NULL);
            cover_json(json, gap);
            json_object_close(json);
        }
    }
    json_array_close(json);
}

static void losses_json(struct json_writer *json, const struct ws_file *file)
{
    bool known = file->pes_unknown_loss == 0;
    ws_put(json, "records_dropped|pes_of_unknown_loss|records_missing",
           doc_known(known, file->dropped), doc_count(file->pes_unknown_loss),
           doc_count(file->missing));
}

/* Prints the members of the current object that depend on the stream of the file. Returns false if
 * out of memory. */
static bool stream_json(struct json_writer *json, struct ws_file *file,
                        const struct ws_select *select, const struct ws_stats_options *options)
{
    struct ws_stats_sums sums;
    bool good = ws_stats_gather(&sums, file, select, options);
    if (sums.counted != NULL && !sums.counted->is_trace && sums.counted->primary == NULL) {
        ws_put(json, "records|records_of", doc_count(0), doc_name(NULL));
    } else if (sums.counted != NULL) {
        view_json(json, sums.counted);
    } else if (sums.model != NULL) {
        model_json(json, sums.model);
    } else if (sums.tasks != NULL) {
        ws_tasks_json(json, sums.tasks);
    } else if (sums.tracers != NULL) {
        tracers_json(json, sums.tracers);
    }
    ws_stats_sums_free(&sums);
    return good;
}

bool ws_stats_file_json(struct json_writer *json, struct ws_file *file, struct ws_select *select,
                        const struct ws_stats_options *options)
{
    bool readable = file->pes != NULL, done = true;
    json_object_line(json, NULL);
    json_put_string(json, "path", file->path);
    json_put_bool(json, "readable", readable);
    if (readable) {
        ws_select_file(select, file->sb, &file->descs);
        json_put_string(json, "stream", fmt_stream_name(file->sb->stream));
        parts_json(json, file);
        losses_json(json, file);
        done = stream_json(json, file, select, options);
    }
    json_put_bool(json, "complete", readable && done && ws_file_good(file));
    json_object_close(json);
    return done;
}
