/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - prints the statistics of samples, events and whole files as JSON.
 */
#include <math.h>
#include <string.h>

#include "data/cell.h"
#include "stats/pes.h"
#include "stats/stats.h"
#include "tasks/tasks.h"

static const char *count_name(const struct ws_samples *s, uint32_t i)
{
    return s->counts.schema->fields[s->counts.field[i]].name;
}

/* The sums of a file, with their names. */
struct sums {
    const char *const *names;
    const uint64_t *sums;
    const struct ws_stats_span *spans; /* one duration per sum, or one for all sums */
    uint32_t n, n_spans;
};

/* Prints the rates of all sums as the object `name`; nothing if no duration is known. */
static void rates_json(struct json_writer *json, const char *name, const struct sums *s,
                       bool virtual_time)
{
    bool any = false;
    for (uint32_t i = 0; i < s->n_spans; i++) {
        any |= (virtual_time ? s->spans[i].virtual : s->spans[i].wall) > 0.0;
    }
    if (!any) {
        return;
    }
    json_object_open(json, name);
    for (uint32_t i = 0; i < s->n; i++) {
        const struct ws_stats_span *span = &s->spans[s->n_spans > 1 ? i : 0];
        double per = virtual_time ? span->virtual : span->wall;
        json_put_double(json, s->names[i], per > 0.0 ? (double)s->sums[i] / per : 0.0);
    }
    json_object_close(json);
}

static void sums_json(struct json_writer *json, const char *const *names, const uint64_t *sums,
                      uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        json_put_u64(json, names[i], sums[i]);
    }
}

/* Prints totals, rates, and the counts of each PE. processed, undone: indices of the sums of
 * executed and undone events; -1: none. */
static void counts_json(struct json_writer *json, const struct sums *s,
                        const struct ws_stats_pes *pes, int32_t processed, int32_t undone)
{
    const char *const *names = s->names;
    const uint64_t *sums = s->sums;
    uint32_t n = s->n;
    json_line(json);
    json_object_open(json, "totals");
    sums_json(json, names, sums, n);
    json_object_close(json);
    if (processed >= 0) {
        json_put_double(json, "efficiency",
                        ws_efficiency((double)sums[processed], (double)sums[undone]));
    }
    json_line(json);
    rates_json(json, "per_second", s, false);
    rates_json(json, "per_virtual_time", s, true);
    json_array_open(json, "pes");
    for (uint32_t i = 0; i < pes->n; i++) {
        const struct ws_stats_pe *pe = &pes->list[i];
        json_line(json);
        json_object_open(json, NULL);
        json_put_u64(json, "pe", pe->pe);
        json_put_u64(json, "records", pe->records);
        sums_json(json, names, pe->sums, n);
        if (processed >= 0) {
            json_put_double(json, "efficiency",
                            ws_efficiency((double)pe->sums[processed], (double)pe->sums[undone]));
        }
        json_object_close(json);
    }
    json_array_close(json);
    json_put_u64(json, "pes_left_out", pes->left_out);
}

static void bins_json(struct json_writer *json, const char *name, const double *bins, uint32_t n)
{
    json_array_open(json, name);
    for (uint32_t i = 0; i < n; i++) {
        json_put_double(json, NULL, bins[i]);
    }
    json_array_close(json);
}

static void over_time_json(struct json_writer *json, const struct ws_stats_axis *axis,
                           const struct ws_stats_bins *bins, const char *a, const char *b,
                           bool efficiency)
{
    json_line(json);
    json_object_open(json, "over_time");
    ws_stats_axis_json(json, axis);
    bins_json(json, a, bins->a, axis->n);
    if (b != NULL) {
        bins_json(json, b, bins->b, axis->n);
    }
    if (efficiency) {
        json_array_open(json, "efficiency");
        for (uint32_t i = 0; i < axis->n; i++) {
            json_put_double(json, NULL, ws_efficiency(bins->a[i], bins->b[i]));
        }
        json_array_close(json);
    }
    json_object_close(json);
}

/* Prints for each phase its share of the total time, both measured in ticks of the PEs' clocks.
 * Also prints the ticks per second, and how phases were timed. */
static void cycles_json(struct json_writer *json, const struct ws_samples *s)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < s->counts.n; i++) {
        bool ticks = strcmp(s->counts.schema->fields[s->counts.field[i]].unit, "ticks") == 0;
        total += ticks ? s->sums[i] : 0;
    }
    if (total == 0) {
        return;
    }
    json_line(json);
    json_object_open(json, "part_of_time");
    for (uint32_t i = 0; i < s->counts.n; i++) {
        if (strcmp(s->counts.schema->fields[s->counts.field[i]].unit, "ticks") == 0) {
            json_put_double(json, count_name(s, i), (double)s->sums[i] / (double)total);
        }
    }
    json_object_close(json);
    ws_put(json, "ticks_per_second|phase_times", doc_real(ws_stats_ticks_per_second(s->file->sb)),
           doc_name(ws_fact(s->file->sb, "phase_times")));
}

/* Prints the names of those totals that are the largest count of any PE instead of a sum over the
 * PEs. */
static void collective_json(struct json_writer *json, const struct ws_samples *s)
{
    json_array_open(json, "collective");
    for (uint32_t i = 0; i < s->counts.n; i++) {
        if (s->counts.collective[i]) {
            json_put_string(json, NULL, count_name(s, i));
        }
    }
    json_array_close(json);
}

void ws_samples_json(struct json_writer *json, const struct ws_samples *s)
{
    const char *names[WS_STATS_COUNTS_MAX];
    json_put_u64(json, "records", s->records);
    json_put_string(json, "records_of", s->primary == NULL ? NULL : s->primary->name);
    if (s->primary == NULL) {
        return;
    }
    for (uint32_t i = 0; i < s->counts.n; i++) {
        names[i] = count_name(s, i);
    }
    int32_t processed = -1, undone = -1;
    if (s->has_efficiency) {
        processed = ws_stats_count_find(&s->counts, "events_processed");
        undone = ws_stats_count_find(&s->counts, "events_rolled_back");
    }
    ws_stats_span_json(json, &s->span);
    collective_json(json, s);
    const struct sums sums = {names, s->sums, &s->span, s->counts.n, 1};
    counts_json(json, &sums, &s->pes, processed, undone);
    struct ws_pes_table pes;
    ws_samples_pes(&pes, s, 0);
    ws_stats_pes_spread_json(json, &pes);
    over_time_json(json, &s->axis, &s->bins,
                   s->has_efficiency ? "events_processed" : "events_committed",
                   s->has_efficiency ? "events_rolled_back" : NULL, s->has_efficiency);
    cycles_json(json, s);
    json_line(json);
    ws_stats_dist_json(json, "seconds_between_gvts", &s->gvt_wall);
    ws_stats_dist_json(json, "advance_of_gvt", &s->gvt_advance);
    ws_stats_dist_json(json, "time_ahead_gvt", &s->ahead);
    ws_stats_dist_json(json, "pq_size", &s->queue);
    ws_stats_list_json(json, "kps", &s->kps, "kp");
    ws_stats_list_json(json, "lps", &s->lps, "lp");
}

static void types_json(struct json_writer *json, const struct ws_events *e)
{
    const struct fmt_desc_set *descs = &e->file->descs;
    json_line(json);
    json_array_open(json, "types");
    for (size_t d = 0; d <= descs->n; d++) {
        if (e->types[d][0] + e->types[d][1] > 0) {
            ws_put_object(json, NULL, "owner|events|rollbacks",
                          doc_name(d < descs->n ? descs->descs[d].owner : NULL),
                          doc_count(e->types[d][0]), doc_count(e->types[d][1]));
        }
    }
    json_array_close(json);
}

void ws_events_json(struct json_writer *json, const struct ws_events *e)
{
    json_put_u64(json, "records", e->sums[WS_EVENTS] + e->sums[WS_EVENTS_ROLLBACKS]);
    ws_stats_span_json(json, &e->span);
    const struct sums sums = {ws_events_names, e->sums, e->spans, WS_EVENTS_COUNTS,
                              WS_EVENTS_COUNTS};
    counts_json(json, &sums, &e->pes, -1, -1);
    over_time_json(json, &e->axis, &e->bins, "events", "rollbacks", false);
    json_line(json);
    ws_stats_dist_json(json, "send_to_receive", &e->delay);
    ws_stats_dist_json(json, "late_by", &e->late);
    ws_stats_dist_json(json, "undone_at_a_time", &e->undone);
    struct ws_pes_table pes;
    ws_events_pes(&pes, e, 0);
    ws_stats_pes_spread_json(json, &pes);
    types_json(json, e);
    ws_stats_list_json(json, "kps", &e->kps, "kp");
    ws_stats_list_json(json, "lps", &e->lps, "lp");
}

/* ---- A file ---------------------------------------------------------------------------------- */

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
    if (sums.events != NULL) {
        ws_events_json(json, sums.events);
    } else if (sums.model != NULL) {
        ws_model_json(json, sums.model);
    } else if (sums.tasks != NULL) {
        ws_tasks_json(json, sums.tasks);
    } else if (sums.tracers != NULL) {
        ws_tracers_json(json, sums.tracers);
    } else if (sums.samples != NULL) {
        ws_samples_json(json, sums.samples);
    }
    ws_stats_sums_free(&sums);
    return good;
}

bool ws_stats_file_json(struct json_writer *json, struct ws_file *file, struct ws_select *select,
                        const struct ws_stats_options *options)
{
    bool readable = file->pes != NULL, done = true;
    json_line(json);
    json_object_open(json, NULL);
    json_put_string(json, "path", file->path);
    json_put_bool(json, "readable", readable);
    if (readable) {
        ws_select_file(select, file->sb, &file->descs);
        json_put_string(json, "stream", fmt_stream_name(file->sb->stream));
        ws_stats_parts_json(json, file);
        losses_json(json, file);
        done = stream_json(json, file, select, options);
    }
    json_put_bool(json, "complete", readable && done && ws_file_good(file));
    json_object_close(json);
    return done;
}
