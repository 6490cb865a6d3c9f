/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * samples.c - adds up the samples in a file of stream gvt, rt or vt; see figures.h.
 *
 * Records of PEs, KPs and LPs contain the same counts. Totals and curves come from the coarsest kind of
 * record that the file has and that the selection can choose; with --lp, these are records of LPs. Lists
 * of KPs and LPs come from records of KPs and LPs.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/over_time.h"

/* ---- Kinds of records in use ----------------------------------------------------------------- */

/* Returns the kind of record whose name ends with `tail`, if the file has records that the selection can
 * choose; NULL: none. */
static const struct fmt_schema *kind_find(const struct ws_file *file,
                                          const struct ws_select *select, const char *tail)
{
    for (uint32_t i = 0; i < file->sb->n_schemas; i++) {
        const char *name = file->sb->schemas[i]->name;
        const struct ws_select_kind *kind = &select->kinds[i];
        size_t n = strlen(name), k = strlen(tail);
        if (n >= k && strcmp(name + n - k, tail) == 0 && file->kind_records[i] > 0 &&
            kind->by_name && (select->kps.n == 0 || kind->kp >= 0) &&
            (select->lps.n == 0 || kind->lp >= 0)) {
            return file->sb->schemas[i];
        }
    }
    return NULL;
}

const struct fmt_schema *ws_samples_primary(const struct ws_file *file,
                                            const struct ws_select *select)
{
    static const char *const tails[] = {"_pe", "_kp", "_lp"};
    const struct fmt_schema *any = NULL;
    for (int i = 0; i < 3; i++) {
        const struct fmt_schema *kind = kind_find(file, select, tails[i]);
        if (kind != NULL && ws_stream_records(file, kind)) {
            return kind;
        }
        any = any == NULL ? kind : any;
    }
    return any;
}

/* Prepares a list of the KPs or LPs in records whose kind has a name that ends with `tail`, "_kp" or
 * "_lp". */
static void list_init(struct ws_counted *s, struct ws_stats_list *list, const char *tail,
                      const struct ws_stats_options *options, const char *const *usual)
{
    struct ws_stats_counts counts;
    list->schema = kind_find(s->file, s->select, tail);
    if (list->schema != NULL && (list->key = ws_field_find(list->schema, tail + 1)) >= 0) {
        ws_stats_counts_find(&counts, list->schema);
        ws_list_init(list, &counts, options, usual);
    }
}

static void wanted_fill(const struct ws_counted *s, struct fmt_wanted wanted[FMT_SCHEMAS_MAX])
{
    const struct ws_stats_list *const lists[] = {&s->kps, &s->lps};
    for (uint32_t i = 0; i < s->file->sb->n_schemas; i++) {
        const struct fmt_schema *schema = s->file->sb->schemas[i];
        ws_want(&wanted[i], ws_field_find(schema, "time_ahead_gvt"));
        if (schema == s->primary || schema == s->over_ahead) {
            ws_want(&wanted[i], schema->role_field[FMT_ROLE_REAL_TIME]);
            ws_want(&wanted[i], schema->role_field[FMT_ROLE_VIRTUAL_TIME]);
        }
        if (schema == s->over_ahead) {
            ws_want(&wanted[i], ws_field_find(schema, "kp"));
        }
        for (int k = 0; schema == s->primary && k < WS_LEVELS; k++) {
            if (k == WS_LEVEL_QUEUE || s->over_curves) {
                ws_want(&wanted[i], ws_field_find(schema, ws_level_names[k].field));
            }
        }
        for (uint32_t k = 0; schema == s->primary && k < s->counts.n; k++) {
            ws_want(&wanted[i], s->counts.field[k]);
        }
        for (int l = 0; l < 2; l++) {
            if (lists[l]->used && schema == lists[l]->schema) {
                ws_want(&wanted[i], lists[l]->key);
                for (uint32_t k = 0; k < lists[l]->top.n_values; k++) {
                    ws_want(&wanted[i], lists[l]->field[k]);
                }
            }
        }
    }
}

void ws_samples_init(struct ws_counted *s, const struct ws_stats_options *options,
                     struct fmt_wanted wanted[FMT_SCHEMAS_MAX])
{
    static const struct ws_dist_name dists[WS_DISTS] = {
        [WS_DIST_GVT_WALL] = {"seconds_between_gvts", "wall clock between GVTs", true},
        [WS_DIST_GVT_ADVANCE] = {"advance_of_gvt", "advance of GVT", false},
        [WS_DIST_AHEAD] = {"time_ahead_gvt", "KPs ahead of GVT", false},
        [WS_DIST_QUEUE] = {"pq_size", "pending events of a PE", false}};
    static const char *const usual[] = {"total_rollbacks", "events_rolled_back", "events_committed",
                                        NULL};
    s->primary = ws_samples_primary(s->file, s->select);
    if (s->primary != NULL) {
        ws_stats_counts_find(&s->counts, s->primary);
    }
    s->binned[0] = ws_stats_count_find(&s->counts, "events_processed");
    s->binned[1] = ws_stats_count_find(&s->counts, "events_rolled_back");
    s->has_efficiency = s->binned[0] >= 0 && s->binned[1] >= 0;
    s->in_bins[0] = s->has_efficiency ? "events_processed" : "events_committed";
    s->in_bins[1] = s->has_efficiency ? "events_rolled_back" : NULL;
    if (!s->has_efficiency) {
        s->binned[0] = ws_stats_count_find(&s->counts, "events_committed");
        s->binned[1] = -1;
    }
    s->dist_names = dists;
    s->n_dists = WS_DISTS;
    list_init(s, &s->kps, "_kp", options, usual);
    list_init(s, &s->lps, "_lp", options, usual + 1);
    s->lps.moved = s->lps.used && ws_stream_moved(s->file);
    uint64_t points = WS_STATS_BINS;
    if (s->primary != NULL && s->primary == kind_find(s->file, s->select, "_pe")) {
        points = s->file->kind_records[ws_schema_number(s->file->sb, s->primary)] /
                 s->file->sb->layout.n_pes;
    }
    struct ws_stats_clocks clocks;
    ws_stats_clocks_find(&clocks, s->file, s->select, s->primary);
    ws_stats_axis_init(&s->axis, &clocks, !s->select->by_time,
                       s->file->sb->stream == FMT_STREAM_VT ? WS_VIRTUAL : WS_WALL, points);
    s->span = clocks.span;
    if (options->over != NULL && s->primary != NULL) {
        ws_over_init(s, options->over);
    }
    wanted_fill(s, wanted);
}

/* ---- Intervals ------------------------------------------------------------------------------- */

/* Finds the intervals of the loaded records. */
static void intervals_find(const struct ws_counted *s, struct ws_point *point,
                           struct ws_intervals *to)
{
    const struct fmt_schema *schema = s->load.part->columns->schema;
    ws_load_f64(&s->load, schema->role_field[FMT_ROLE_REAL_TIME], to->at[WS_WALL]);
    ws_load_f64(&s->load, schema->role_field[FMT_ROLE_VIRTUAL_TIME], to->at[WS_VIRTUAL]);
    for (uint32_t i = 0; i < s->load.n; i++) {
        const double now[WS_CLOCKS] = {to->at[0][i], to->at[1][i]};
        ws_point_follow(point, s->begin, now);
        to->before[0][i] = point->before[0];
        to->before[1][i] = point->before[1];
    }
}

/* ---- Totals ---------------------------------------------------------------------------------- */

/* Adds the values of a count to bins number k of the counts `to`. */
static void bins_add(const struct ws_counted *s, struct ws_stats_pe *to,
                     const struct ws_intervals *in, const uint64_t *values, int k)
{
    enum ws_clock c = s->axis.clock;
    for (uint32_t i = 0; i < s->load.n; i++) {
        ws_stats_bins_spread(&s->axis, to->bins[k], fmax(in->before[c][i], s->axis.low),
                             in->at[c][i], (double)values[i]);
    }
}

/* Adds the wall-clock time between GVT computations, and the advance of GVT, to their
 * distributions. Both come from consecutive records of a PE. */
static void gvt_add(struct ws_counted *s, const struct ws_intervals *in)
{
    uint64_t rounds[WS_LOAD_MAX];
    const char *name = s->primary->name;
    int32_t num_gvt = ws_field_find(s->primary, "num_gvt");
    if (num_gvt < 0 || strlen(name) < 3 || strcmp(name + strlen(name) - 3, "_pe") != 0) {
        return;
    }
    ws_load_u64(&s->load, num_gvt, rounds);
    for (uint32_t i = 0; i < s->load.n; i++) {
        double real_time = in->at[WS_WALL][i], gvt = in->at[WS_VIRTUAL][i];
        if (s->has_gvt && rounds[i] > 0) {
            double n = (double)rounds[i];
            ws_histogram_add(&s->dists[WS_DIST_GVT_WALL], (real_time - s->last_real_time) / n,
                             rounds[i]);
            ws_histogram_add(&s->dists[WS_DIST_GVT_ADVANCE], (gvt - s->last_gvt) / n, rounds[i]);
        }
        if (rounds[i] > 0 || !s->has_gvt) {
            s->last_real_time = real_time;
            s->last_gvt = gvt;
            s->has_gvt = true;
        }
    }
}

/* ---- Records --------------------------------------------------------------------------------- */

static void primary_add(struct ws_counted *s, uint32_t pe_number)
{
    uint64_t values[WS_LOAD_MAX];
    struct ws_intervals in;
    struct ws_stats_pe *const to[] = {&s->all, ws_stats_pe_get(&s->pes, pe_number)};
    const int n = to[1] == NULL ? 1 : 2;
    intervals_find(s, &s->point, &in);
    for (int t = 0; t < n; t++) {
        to[t]->records += s->load.n;
    }
    for (uint32_t i = 0; i < s->counts.n; i++) {
        ws_load_u64(&s->load, s->counts.field[i], values);
        uint64_t total = 0, most = s->all.sums[i];
        for (uint32_t k = 0; k < s->load.n; k++) {
            total += values[k];
        }
        s->own[i] += total;
        for (int t = 0; t < n; t++) {
            to[t]->sums[i] += total;
            for (int k = 0; k < 2; k++) {
                if ((int32_t)i == s->binned[k]) {
                    bins_add(s, to[t], &in, values, k);
                }
            }
        }
        if (s->counts.collective[i]) {
            s->all.sums[i] = s->own[i] > most ? s->own[i] : most;
        }
        if (s->over != NULL) {
            ws_over_count(s, pe_number, i, &in, values);
        }
    }
    int32_t queue = ws_field_find(s->primary, ws_level_names[WS_LEVEL_QUEUE].field);
    ws_load_u64(&s->load, queue, values);
    for (uint32_t i = 0; queue >= 0 && i < s->load.n; i++) {
        ws_histogram_add(&s->dists[WS_DIST_QUEUE], (double)values[i], 1);
    }
    gvt_add(s, &in);
    if (s->over_curves && s->file != s->over->exact) {
        ws_over_levels(s, pe_number, &in);
    }
}

static void list_add(struct ws_counted *s, struct ws_stats_list *list, uint32_t pe)
{
    assert(list->used && list->top.n_values <= WS_TOP_VALUES_MAX);
    uint64_t keys[WS_LOAD_MAX], values[WS_TOP_VALUES_MAX][WS_LOAD_MAX];
    ws_load_u64(&s->load, list->key, keys);
    for (uint32_t k = 0; k < list->top.n_values; k++) {
        ws_load_u64(&s->load, list->field[k], values[k]);
    }
    for (uint32_t i = 0; i < s->load.n; i++) {
        uint64_t *sums = ws_list_values(list, keys[i]);
        for (uint32_t k = 0; sums != NULL && k < list->top.n_values; k++) {
            sums[k] += values[k][i];
        }
    }
    if (s->over != NULL && list == &s->lps) {
        ws_lps_place(&s->over->lps, pe, keys, NULL, s->load.n);
    }
}

/* Adds the times by which KPs are ahead of GVT, if the loaded records have them. */
static void ahead_add(struct ws_counted *s, const struct fmt_schema *schema, uint32_t pe)
{
    double values[WS_LOAD_MAX];
    uint64_t kps[WS_LOAD_MAX];
    struct ws_intervals in;
    int32_t field = ws_field_find(schema, "time_ahead_gvt");
    if (field < 0) {
        return;
    }
    ws_load_f64(&s->load, field, values);
    for (uint32_t i = 0; i < s->load.n; i++) {
        ws_histogram_add(&s->dists[WS_DIST_AHEAD], values[i], 1);
    }
    if (schema != s->over_ahead) {
        return;
    }
    intervals_find(s, &s->ahead_point, &in);
    ws_load_u64(&s->load, ws_field_find(schema, "kp"), kps);
    ws_over_ahead(s, pe, &in, kps, values);
}

void ws_samples_add(struct ws_counted *s, uint32_t pe)
{
    const struct fmt_schema *schema = s->load.part->columns->schema;
    if (schema == s->primary) {
        primary_add(s, pe);
    }
    if (s->kps.used && schema == s->kps.schema) {
        list_add(s, &s->kps, pe);
    }
    if (s->lps.used && schema == s->lps.schema) {
        list_add(s, &s->lps, pe);
    }
    ahead_add(s, schema, pe);
}
