/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * samples.c - sums of the samples in a file of stream gvt, rt or vt; see stats.h.
 *
 * Records of PEs, KPs and LPs contain the same counts. Totals come from the coarsest kind of record
 * that the file has and that the selection can choose; with --lp, these are records of LPs. Lists
 * of KPs and LPs come from records of KPs and LPs.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "data/known.h"
#include "stats/stats.h"

/* ---- Kinds of records in use ----------------------------------------------------------------- */

/* Returns true if the selection can choose records of kind number `number`. */
static bool kind_takes_part(const struct ws_samples *s, uint32_t number)
{
    assert(number < s->file->sb->n_schemas);
    const struct ws_select_kind *kind = &s->select->kinds[number];
    return s->file->kind_records[number] > 0 && kind->by_name &&
           (s->select->kps.n == 0 || kind->kp >= 0) && (s->select->lps.n == 0 || kind->lp >= 0);
}

static bool ends_with(const char *name, const char *tail)
{
    size_t n = strlen(name), k = strlen(tail);
    return n >= k && strcmp(name + n - k, tail) == 0;
}

static const struct fmt_schema *kind_find(const struct ws_samples *s, const char *tail)
{
    const struct fmt_superblock *sb = s->file->sb;
    for (uint32_t i = 0; i < sb->n_schemas; i++) {
        if (ends_with(sb->schemas[i]->name, tail) && kind_takes_part(s, i)) {
            return sb->schemas[i];
        }
    }
    return NULL;
}

/* Prepares a list of the KPs or LPs in records of the kind `schema`. key: name of the field that
 * identifies the KP or LP. The list is ordered by the field options->by or, without it, by the
 * first field in `usual` that the kind has. */
static void list_init(struct ws_stats_list *list, const struct fmt_schema *schema, const char *key,
                      const struct ws_stats_options *options, const char *const usual[3])
{
    struct ws_stats_counts counts;
    int32_t rank = -1;
    *list = (struct ws_stats_list){.schema = schema};
    if (schema == NULL || (list->key = ws_field_find(schema, key)) < 0) {
        return;
    }
    ws_stats_counts_find(&counts, schema);
    if (options->by != NULL) {
        rank = ws_stats_count_find(&counts, options->by);
        *options->by_found |= rank >= 0;
        for (uint32_t i = 0; i < counts.n; i++) {
            ws_known_add(options->by_known, WS_STATS_BY_MAX, schema->fields[counts.field[i]].name);
        }
    }
    for (int i = 0; rank < 0 && i < 3 && usual[i] != NULL; i++) {
        rank = ws_stats_count_find(&counts, usual[i]);
    }
    if (rank < 0) {
        return;
    }
    uint32_t n = 0;
    /* The field that determines the order comes first. */
    list->field[n++] = counts.field[rank];
    for (uint32_t i = 0; i < counts.n && n < WS_TOP_VALUES_MAX; i++) {
        if (counts.field[i] != counts.field[rank]) {
            list->field[n++] = counts.field[i];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        list->names[i] = schema->fields[list->field[i]].name;
    }
    ws_top_k_init(&list->top, n, 0, WS_STATS_KEYS, options->top);
    list->used = true;
}

/* Returns the coarsest kind that all parts record; if there is none, the coarsest kind that any
 * part records. */
static const struct fmt_schema *primary_choose(const struct ws_samples *s,
                                               const struct fmt_schema *pe,
                                               const struct fmt_schema *kp,
                                               const struct fmt_schema *lp)
{
    const struct fmt_schema *const kinds[] = {pe, kp, lp};
    const struct fmt_schema *any = NULL;
    for (int i = 0; i < 3; i++) {
        if (kinds[i] != NULL && ws_stream_records(s->file, kinds[i])) {
            return kinds[i];
        }
        any = any == NULL ? kinds[i] : any;
    }
    return any;
}

static void samples_init(struct ws_samples *s, const struct ws_stats_options *options)
{
    static const char *const by_rollbacks[] = {"total_rollbacks", "events_rolled_back",
                                               "events_committed"};
    static const char *const by_undone[] = {"events_rolled_back", "events_committed", NULL};
    const struct fmt_schema *pe = kind_find(s, "_pe"), *kp = kind_find(s, "_kp");
    const struct fmt_schema *lp = kind_find(s, "_lp");
    s->primary = primary_choose(s, pe, kp, lp);
    if (s->primary != NULL) {
        ws_stats_counts_find(&s->counts, s->primary);
    }
    s->has_efficiency = ws_stats_count_find(&s->counts, "events_processed") >= 0 &&
                        ws_stats_count_find(&s->counts, "events_rolled_back") >= 0;
    list_init(&s->kps, kp, "kp", options, by_rollbacks);
    list_init(&s->lps, lp, "lp", options, by_undone);
    s->lps.moved = s->lps.used && ws_stream_moved(s->file);
    uint64_t points = 0;
    if (s->primary != NULL) {
        points = s->file->kind_records[ws_schema_number(s->file->sb, s->primary)] /
                 s->file->sb->layout.n_pes;
    }
    if (s->primary != pe) {
        points = WS_STATS_BINS;
    }
    struct ws_stats_clocks clocks;
    bool whole = !s->select->by_time;
    ws_stats_clocks_find(&clocks, s->file, s->select, s->primary);
    ws_stats_axis_init(&s->axis, &clocks, whole, s->file->sb->stream == FMT_STREAM_VT, points);
    s->span = clocks.span;
}

static void want(struct fmt_wanted *wanted, int32_t field)
{
    if (field >= 0) {
        fmt_wanted_add(wanted, (uint32_t)field);
    }
}

static void want_role(struct fmt_wanted *wanted, const struct fmt_schema *schema,
                      enum fmt_role role)
{
    want(wanted, schema->role_field[role]);
}

static void wanted_fill(const struct ws_samples *s, struct fmt_wanted wanted[FMT_SCHEMAS_MAX])
{
    const struct fmt_superblock *sb = s->file->sb;
    const struct ws_stats_list *const lists[] = {&s->kps, &s->lps};
    for (uint32_t i = 0; i < sb->n_schemas; i++) {
        want(&wanted[i], ws_field_find(sb->schemas[i], "time_ahead_gvt"));
        if (sb->schemas[i] == s->primary) {
            want(&wanted[i], ws_field_find(s->primary, "pq_size"));
            want(&wanted[i], ws_field_find(s->primary, "num_gvt"));
            want_role(&wanted[i], s->primary, FMT_ROLE_REAL_TIME);
            want_role(&wanted[i], s->primary, FMT_ROLE_VIRTUAL_TIME);
            for (uint32_t k = 0; k < s->counts.n; k++) {
                want(&wanted[i], s->counts.field[k]);
            }
        }
        for (int l = 0; l < 2; l++) {
            if (lists[l]->used && sb->schemas[i] == lists[l]->schema) {
                want(&wanted[i], lists[l]->key);
                for (uint32_t k = 0; k < lists[l]->top.n_values; k++) {
                    want(&wanted[i], lists[l]->field[k]);
                }
            }
        }
    }
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static uint64_t sum(const uint64_t *values, uint32_t n)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < n; i++) {
        total += values[i];
    }
    return total;
}

static int32_t clock_field(const struct fmt_schema *schema, bool virtual_time)
{
    return schema->role_field[virtual_time ? FMT_ROLE_VIRTUAL_TIME : FMT_ROLE_REAL_TIME];
}

/* Sets point[i] to the sampling point of loaded record i, and before[i] to the PE's sampling point
 * before that one. */
static void points_find(struct ws_samples *s, double *before, double *point)
{
    assert(s->primary != NULL);
    ws_load_f64(&s->load, clock_field(s->primary, s->axis.virtual_time), point);
    for (uint32_t i = 0; i < s->load.n; i++) {
        if (!s->has_last || point[i] != s->point) {
            s->before = s->has_last ? s->point : s->begin;
            s->point = point[i];
            s->has_last = true;
        }
        before[i] = s->before;
    }
}

/* Adds the values of a field to the bins of the file, and to those of the PE unless pe is NULL. b:
 * true for the bins b, false for the bins a. */
static void bins_add(struct ws_samples *s, struct ws_stats_pe *pe, const double *before,
                     const double *point, const uint64_t *values, bool b)
{
    double *all = b ? s->bins.b : s->bins.a;
    double *own = pe == NULL ? NULL : b ? pe->bins.b : pe->bins.a;
    for (uint32_t i = 0; i < s->load.n; i++) {
        double count = (double)values[i];
        ws_stats_bins_spread(&s->axis, all, before[i], point[i], count);
        if (own != NULL) {
            ws_stats_bins_spread(&s->axis, own, before[i], point[i], count);
        }
    }
}

/* Adds the wall-clock time between GVT computations, and the advance of GVT, to their
 * distributions. Both come from consecutive records of a PE. */
static void gvt_add(struct ws_samples *s, const struct fmt_schema *schema)
{
    double real_time[WS_LOAD_MAX], gvt[WS_LOAD_MAX];
    uint64_t rounds[WS_LOAD_MAX];
    int32_t num_gvt = ws_field_find(schema, "num_gvt");
    if (num_gvt < 0 || s->primary != schema || !ends_with(schema->name, "_pe")) {
        return;
    }
    ws_load_f64(&s->load, clock_field(schema, false), real_time);
    ws_load_f64(&s->load, clock_field(schema, true), gvt);
    ws_load_u64(&s->load, num_gvt, rounds);
    for (uint32_t i = 0; i < s->load.n; i++) {
        if (s->has_gvt && rounds[i] > 0) {
            double n = (double)rounds[i];
            ws_histogram_add(&s->gvt_wall, (real_time[i] - s->last_real_time) / n, rounds[i]);
            ws_histogram_add(&s->gvt_advance, (gvt[i] - s->last_gvt) / n, rounds[i]);
        }
        if (rounds[i] > 0 || !s->has_gvt) {
            s->last_real_time = real_time[i];
            s->last_gvt = gvt[i];
            s->has_gvt = true;
        }
    }
}

static void primary_add(struct ws_samples *s, uint32_t pe_number)
{
    uint64_t values[WS_LOAD_MAX];
    double before[WS_LOAD_MAX], point[WS_LOAD_MAX];
    int32_t a = ws_stats_count_find(&s->counts,
                                    s->has_efficiency ? "events_processed" : "events_committed");
    int32_t b = s->has_efficiency ? ws_stats_count_find(&s->counts, "events_rolled_back") : -1;
    struct ws_stats_pe *pe = ws_stats_pe_get(&s->pes, pe_number);
    points_find(s, before, point);
    s->records += s->load.n;
    if (pe != NULL) {
        pe->records += s->load.n;
    }
    for (uint32_t i = 0; i < s->counts.n; i++) {
        ws_load_u64(&s->load, s->counts.field[i], values);
        uint64_t total = sum(values, s->load.n);
        if (s->counts.collective[i]) {
            s->own[i] += total;
            s->sums[i] = s->own[i] > s->sums[i] ? s->own[i] : s->sums[i];
        } else {
            s->sums[i] += total;
        }
        if (pe != NULL) {
            pe->sums[i] += total;
        }
        if ((int32_t)i == a || (int32_t)i == b) {
            bins_add(s, pe, before, point, values, (int32_t)i == b);
        }
    }
    int32_t queue = ws_field_find(s->primary, "pq_size");
    ws_load_u64(&s->load, queue, values);
    for (uint32_t i = 0; queue >= 0 && i < s->load.n; i++) {
        ws_histogram_add(&s->queue, (double)values[i], 1);
    }
    gvt_add(s, s->primary);
}

static void list_add(struct ws_samples *s, struct ws_stats_list *list)
{
    assert(list->used && list->top.n_values <= WS_TOP_VALUES_MAX);
    uint64_t keys[WS_LOAD_MAX], values[WS_TOP_VALUES_MAX][WS_LOAD_MAX];
    ws_load_u64(&s->load, list->key, keys);
    for (uint32_t k = 0; k < list->top.n_values; k++) {
        ws_load_u64(&s->load, list->field[k], values[k]);
    }
    for (uint32_t i = 0; i < s->load.n; i++) {
        uint64_t *sums = ws_top_k_values(&list->top, keys[i]);
        for (uint32_t k = 0; sums != NULL && k < list->top.n_values; k++) {
            sums[k] += values[k][i];
        }
    }
}

static void ahead_add(struct ws_samples *s, const struct fmt_schema *schema)
{
    double values[WS_LOAD_MAX];
    int32_t field = ws_field_find(schema, "time_ahead_gvt");
    if (field < 0) {
        return;
    }
    ws_load_f64(&s->load, field, values);
    for (uint32_t i = 0; i < s->load.n; i++) {
        ws_histogram_add(&s->ahead, values[i], 1);
    }
}

/* Closes the lists for the current PE. A list of LPs that moved between PEs is closed only for the
 * last PE. */
static void pe_close(struct ws_samples *s, bool is_last)
{
    struct ws_stats_list *const lists[] = {&s->kps, &s->lps};
    for (int i = 0; i < 2 && s->pe > 0; i++) {
        if (lists[i]->used && (is_last || !lists[i]->moved)) {
            ws_top_k_close(&lists[i]->top, s->pe - 1);
            s->no_memory |= lists[i]->top.failed;
        }
    }
}

/* Begins part `number` of the stream for the current PE, whose first sample in the part has the
 * changes since the part began. */
static void part_begin(struct ws_samples *s, uint32_t number)
{
    struct ws_cover cover = ws_part_cover(ws_stream_part(s->file, number));
    double begin = s->axis.virtual_time ? cover.virtual_from : cover.real_from;
    s->part = number;
    s->begin = number > 0 && begin > s->axis.low ? begin : s->axis.low;
    s->has_last = s->has_gvt = false;
}

static bool part_add(struct ws_file *file, const struct ws_part *part, void *ctx)
{
    struct ws_samples *s = ctx;
    const struct fmt_schema *schema = part->columns->schema;
    (void)file;
    bool new_pe = s->pe != part->block->pe + 1;
    if (new_pe) {
        pe_close(s, false);
        memset(s->own, 0, sizeof s->own);
        s->pe = part->block->pe + 1;
    }
    if (s->lps.moved) {
        ws_top_k_enter(&s->lps.top, part->block->part, part->block->pe);
    }
    if (new_pe || s->part != part->block->part) {
        part_begin(s, part->block->part);
    }
    for (uint32_t row = 0; ws_load_next(&s->load, part, &row);) {
        if (schema == s->primary) {
            primary_add(s, part->block->pe);
        }
        if (s->kps.used && schema == s->kps.schema) {
            list_add(s, &s->kps);
        }
        if (s->lps.used && schema == s->lps.schema) {
            list_add(s, &s->lps);
        }
        ahead_add(s, schema);
    }
    return !s->no_memory;
}

struct ws_samples *ws_samples_gather(struct ws_file *file, const struct ws_select *select,
                                     const struct ws_stats_options *options)
{
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX] = {{{0}, false}};
    struct ws_samples *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->file = file;
    s->select = select;
    samples_init(s, options);
    wanted_fill(s, wanted);
    ws_scan(file, select, wanted, part_add, s);
    pe_close(s, true);
    if (s->no_memory) {
        ws_samples_free(s);
        return NULL;
    }
    return s;
}

void ws_samples_free(struct ws_samples *s)
{
    if (s != NULL) {
        ws_top_k_free(&s->kps.top);
        ws_top_k_free(&s->lps.top);
        free(s->pes.list);
        free(s);
    }
}
