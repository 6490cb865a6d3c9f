/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events.c - adds up the records in an event trace; see figures.h.
 *
 * A record of an event counts for the LP that received the event, and for the KP of that LP. A
 * record of a rollback counts for the LP and KP that received the event that caused the rollback.
 * Only records of rollbacks have the field events_undone. Cost: some 30 ns per event in addition to
 * reading it; only the needed columns are decoded.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/over_time.h"

const char *const ws_events_names[WS_EVENTS_COUNTS] = {"events", "rollbacks", "events_undone",
                                                       "secondary"};

#define BINS_PER_CELL (WS_BINS / WS_CELLS)

/* Indices of the fields in a kind of record; -1: no such field. */
enum { LP, KP, SEND_TS, RECV_TS, REAL_TIME, TYPE, KP_TS, UNDONE, CAUSE, FIELDS };

static void fields_find(const struct fmt_schema *schema, int32_t f[FIELDS])
{
    static const char *const names[FIELDS] = {
        [LP] = "dest_lp",  [KP] = "kp",       [SEND_TS] = "send_ts",
        [KP_TS] = "kp_ts", [CAUSE] = "cause", [UNDONE] = "events_undone"};
    for (int i = 0; i < FIELDS; i++) {
        f[i] = names[i] == NULL ? -1 : ws_field_find(schema, names[i]);
    }
    f[RECV_TS] = schema->role_field[FMT_ROLE_VIRTUAL_TIME];
    f[REAL_TIME] = schema->role_field[FMT_ROLE_REAL_TIME];
    f[TYPE] = schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
}

static bool is_rollback(const struct fmt_schema *schema)
{
    return ws_field_find(schema, "events_undone") >= 0;
}

/* Prepares a list of KPs or LPs, ordered by the count that options->by names. If options->by is
 * NULL, the list is ordered by rollbacks, or by events if `rollbacks` is false, which means that
 * the trace has no rollbacks. */
static void list_init(struct ws_stats_list *list, const struct ws_stats_options *options,
                      bool rollbacks)
{
    int32_t rank = ws_list_rank(options, ws_events_names, WS_EVENTS_COUNTS);
    rank = rank >= 0 ? rank : rollbacks ? WS_EVENTS_ROLLBACKS : WS_EVENTS;
    *list = (struct ws_stats_list){.used = true};
    /* The count that determines the order comes first. */
    for (int32_t i = 0, n = 1; i < WS_EVENTS_COUNTS; i++) {
        int32_t place = i == rank ? 0 : n++;
        list->names[place] = ws_events_names[i];
        list->field[i] = place;
    }
    ws_top_k_init(&list->top, WS_EVENTS_COUNTS, 0, WS_STATS_KEYS, options->top);
}

/* ---- Sums ------------------------------------------------------------------------------------ */

/* The columns of the loaded records that several functions use. */
struct rows {
    uint32_t pe;
    bool rollbacks;
    struct ws_stats_pe *sums; /* counts of the PE; NULL: it has none */
    double real_time[WS_LOAD_MAX], recv_ts[WS_LOAD_MAX];
    uint32_t bins[WS_CLOCKS][WS_LOAD_MAX]; /* bins of curves, for figures over time only */
    uint64_t undone[WS_LOAD_MAX], cause[WS_LOAD_MAX]; /* of rollbacks only */
};

/* Adds the loaded records to a list. field: index of the field with the KP or LP. place: true if the LPs
 * are places for the figures over time. */
static void list_add(struct ws_events *e, struct ws_stats_list *list, const struct rows *r,
                     const uint64_t *keys)
{
    for (uint32_t i = 0; i < e->load.n; i++) {
        uint64_t *values = ws_list_values(list, keys[i]);
        if (values == NULL) {
            return;
        }
        if (!r->rollbacks) {
            values[list->field[WS_EVENTS]]++;
        } else {
            values[list->field[WS_EVENTS_ROLLBACKS]]++;
            values[list->field[WS_EVENTS_UNDONE]] += r->undone[i];
            values[list->field[WS_EVENTS_SECONDARY]] += r->cause[i] == 2;
        }
    }
}

/* Counts the loaded records per payload description. types: set to the type of each record's LP if there
 * are figures over time. */
static void types_add(struct ws_events *e, const int32_t f[FIELDS], const struct rows *r,
                      uint32_t *types)
{
    /* [id % 64]: a description found before, with its place among all and its type. */
    struct {
        uint64_t id;
        size_t place;
        uint32_t type;
    } found[64] = {{0, 0, 0}};
    uint64_t ids[WS_LOAD_MAX];
    const struct fmt_desc_set *descs = &e->file->descs;
    ws_load_u64(&e->load, f[TYPE], ids);
    for (uint32_t i = 0; i < 64; i++) {
        found[i].id = i + 1; /* an id that is not of this element */
    }
    for (uint32_t i = 0; i < e->load.n; i++) {
        if (found[ids[i] % 64].id != ids[i]) {
            const struct fmt_payload_desc *desc = fmt_desc_set_find(descs, (uint32_t)ids[i]);
            found[ids[i] % 64].id = ids[i];
            found[ids[i] % 64].place = desc == NULL ? descs->n : (size_t)(desc - descs->descs);
            found[ids[i] % 64].type =
                e->over == NULL || ids[i] == 0 ? WS_TYPES : ws_lps_type(&e->over->lps, desc);
        }
        e->types[found[ids[i] % 64].place][r->rollbacks]++;
        types[i] = found[ids[i] % 64].type;
    }
}

static void bins_add(struct ws_events *e, const struct rows *r)
{
    uint32_t bins[WS_LOAD_MAX];
    double *all = r->rollbacks ? e->bins.b : e->bins.a;
    double *own = r->sums == NULL ? NULL : r->rollbacks ? r->sums->bins.b : r->sums->bins.a;
    ws_stats_bins_find(&e->axis, r->real_time, e->load.n, bins);
    for (uint32_t i = 0; i < e->load.n; i++) {
        all[bins[i]]++;
        if (own != NULL) {
            own[bins[i]]++;
        }
    }
}

/* Adds the loaded rollbacks to the distributions and to `add`. */
static void rollbacks_add(struct ws_events *e, const int32_t f[FIELDS], struct rows *r,
                          uint64_t add[WS_EVENTS_COUNTS])
{
    double kp_ts[WS_LOAD_MAX];
    ws_load_u64(&e->load, f[UNDONE], r->undone);
    ws_load_u64(&e->load, f[CAUSE], r->cause);
    ws_load_f64(&e->load, f[KP_TS], kp_ts);
    add[WS_EVENTS_ROLLBACKS] = e->load.n;
    for (uint32_t i = 0; i < e->load.n; i++) {
        add[WS_EVENTS_UNDONE] += r->undone[i];
        add[WS_EVENTS_SECONDARY] += r->cause[i] == 2;
        ws_histogram_add(&e->undone, (double)r->undone[i], 1);
        if (r->cause[i] != 2 && f[KP_TS] >= 0) {
            ws_histogram_add(&e->late, kp_ts[i] - r->recv_ts[i], 1);
        }
    }
}

/* Adds the offsets of the loaded events to their distribution. */
static void offsets_add(struct ws_events *e, const int32_t f[FIELDS], const struct rows *r)
{
    double send_ts[WS_LOAD_MAX];
    if (f[SEND_TS] < 0 || f[RECV_TS] < 0) {
        return;
    }
    ws_load_f64(&e->load, f[SEND_TS], send_ts);
    for (uint32_t i = 0; i < e->load.n; i++) {
        double offset = r->recv_ts[i] - send_ts[i];
        int32_t bucket = ws_histogram_bucket(offset);
        if (offset != offset) {
            continue;
        }
        ws_histogram_count(&e->delay, offset, bucket, 1);
        if (e->over != NULL) {
            ws_dists_count(&e->over->traffic.offsets, r->bins[WS_WALL][i] / BINS_PER_CELL, offset,
                           bucket);
        }
    }
}

/* Adds the loaded records to the figures over time. */
static void over_add(struct ws_events *e, const struct rows *r)
{
    struct ws_figures *over = e->over;
    double(*counts)[WS_COUNTS][WS_BINS] = over->curves.counts;
    for (uint32_t i = 0; i < e->load.n; i++) {
        uint32_t wall = r->bins[WS_WALL][i], virtual = r->bins[WS_VIRTUAL][i];
        if (!r->rollbacks) {
            double *lowest = &over->traffic.lowest[wall];
            *lowest = r->recv_ts[i] < *lowest ? r->recv_ts[i] : *lowest;
            counts[WS_WALL][WS_TRACED][wall]++;
            counts[WS_VIRTUAL][WS_TRACED][virtual]++;
            continue;
        }
        double undone = (double)r->undone[i];
        ws_dists_add(&over->traffic.lengths, wall / BINS_PER_CELL, undone);
        if (e->over_curves) {
            counts[WS_WALL][WS_ROLLBACKS][wall]++;
            counts[WS_VIRTUAL][WS_ROLLBACKS][virtual]++;
            counts[WS_WALL][WS_UNDONE][wall] += undone;
            counts[WS_VIRTUAL][WS_UNDONE][virtual] += undone;
        }
    }
}

static void load_add(struct ws_events *e, const int32_t f[FIELDS], struct rows *r)
{
    uint64_t keys[WS_LOAD_MAX], add[WS_EVENTS_COUNTS] = {0};
    uint32_t types[WS_LOAD_MAX];
    ws_load_f64(&e->load, f[REAL_TIME], r->real_time);
    ws_load_f64(&e->load, f[RECV_TS], r->recv_ts);
    if (e->over != NULL) {
        ws_stats_bins_find(&e->over->axes[WS_WALL], r->real_time, e->load.n, r->bins[WS_WALL]);
        ws_stats_bins_find(&e->over->axes[WS_VIRTUAL], r->recv_ts, e->load.n, r->bins[WS_VIRTUAL]);
    }
    if (r->rollbacks) {
        rollbacks_add(e, f, r, add);
    } else {
        add[WS_EVENTS] = e->load.n;
        offsets_add(e, f, r);
    }
    r->sums = ws_stats_pe_get(&e->pes, r->pe);
    for (int i = 0; i < WS_EVENTS_COUNTS; i++) {
        e->sums[i] += add[i];
        if (r->sums != NULL) {
            r->sums->sums[i] += add[i];
        }
    }
    if (r->sums != NULL) {
        r->sums->records += e->load.n;
    }
    bins_add(e, r);
    types_add(e, f, r, types);
    if (f[LP] >= 0) {
        ws_load_u64(&e->load, f[LP], keys);
        list_add(e, &e->lps, r, keys);
    }
    if (f[LP] >= 0 && e->over != NULL) {
        ws_lps_place(&e->over->lps, r->pe, keys, types, e->load.n);
    }
    if (f[KP] >= 0) {
        ws_load_u64(&e->load, f[KP], keys);
        list_add(e, &e->kps, r, keys);
    }
    if (e->over != NULL) {
        over_add(e, r);
    }
}

static void pe_close(struct ws_events *e, bool is_last)
{
    if (e->pe > 0) {
        e->no_memory |= !ws_list_close(&e->kps, e->pe - 1, is_last) ||
                        !ws_list_close(&e->lps, e->pe - 1, is_last);
    }
}

static bool part_add(struct ws_file *file, const struct ws_part *part, void *ctx)
{
    struct ws_events *e = ctx;
    struct rows rows; /* large: only what is loaded is set */
    int32_t f[FIELDS];
    (void)file;
    rows.pe = part->block->pe;
    rows.rollbacks = is_rollback(part->columns->schema);
    fields_find(part->columns->schema, f);
    if (e->pe != part->block->pe + 1) {
        pe_close(e, false);
        e->pe = part->block->pe + 1;
    }
    if (e->lps.moved) {
        ws_top_k_enter(&e->lps.top, part->block->part, part->block->pe);
    }
    for (uint32_t row = 0; ws_load_next(&e->load, part, &row);) {
        load_add(e, f, &rows);
    }
    return !e->no_memory && (e->over == NULL || !e->over->lps.no_memory);
}

/* ---- Gathering ------------------------------------------------------------------------------- */

/* Finds the durations to which the sums apply. They differ only if a part of the stream lacks a
 * kind of record. */
static void spans_find(struct ws_events *e, const struct ws_stats_span *all)
{
    const struct fmt_superblock *sb = e->file->sb;
    e->span = *all;
    for (int i = 0; i < WS_EVENTS_COUNTS; i++) {
        e->spans[i] = *all;
    }
    for (uint32_t k = 0; sb->n_schemas > 1 && k < sb->n_schemas; k++) {
        struct ws_stats_clocks clocks;
        ws_stats_clocks_find(&clocks, e->file, e->select, sb->schemas[k]);
        for (int i = 0; i < WS_EVENTS_COUNTS; i++) {
            bool of_rollbacks = i != WS_EVENTS;
            e->spans[i] = is_rollback(sb->schemas[k]) == of_rollbacks ? clocks.span : e->spans[i];
        }
    }
}

/* Prepares the figures over time that the trace fills. */
static void over_init(struct ws_events *e, struct ws_figures *over)
{
    e->over = over;
    e->over_curves = !over->curves.known[WS_ROLLBACKS];
    for (uint32_t i = 0; i < WS_BINS; i++) {
        over->traffic.lowest[i] = (double)INFINITY;
    }
    for (uint32_t i = 0; i < e->file->sb->n_schemas; i++) {
        const struct ws_source source = {e->file, e->file->sb->schemas[i]};
        for (int c = 0; c < WS_CLOCKS; c++) {
            struct ws_source *sources = over->curves.sources[c];
            if (!is_rollback(source.kind)) {
                sources[WS_TRACED] = source;
            } else if (e->over_curves) {
                sources[WS_ROLLBACKS] = sources[WS_UNDONE] = source;
            }
        }
    }
    e->no_memory |= !ws_dists_init(&over->traffic.lengths, 0, WS_DIST_OCTAVES * WS_DIST_BUCKETS) ||
                    !ws_dists_init(&over->traffic.offsets, 0, WS_DIST_OCTAVES * WS_DIST_BUCKETS);
}

/* Completes the figures over time. If samples do not state GVT, the smallest receive time of all records
 * after a moment is an upper bound of GVT at that moment. */
static void over_finish(struct ws_events *e)
{
    struct ws_figures *over = e->over;
    double least = (double)INFINITY;
    bool has_events = e->sums[WS_EVENTS] > 0, has_rollbacks = e->sums[WS_EVENTS_ROLLBACKS] > 0;
    over->curves.known[WS_TRACED] = has_events;
    over->curves.known[WS_ROLLBACKS] |= has_rollbacks;
    over->curves.known[WS_UNDONE] |= has_rollbacks;
    e->no_memory |= over->lps.no_memory;
    if (over->has_clock || !has_events) {
        return;
    }
    for (uint32_t i = WS_BINS; i-- > 0;) {
        least = fmin(least, over->traffic.lowest[i]);
        over->clock[i] = isfinite(least) ? least : (double)NAN;
    }
    over->clock_source = over->curves.sources[WS_WALL][WS_TRACED];
    over->has_clock = true;
}

struct ws_events *ws_events_gather(struct ws_file *file, const struct ws_select *select,
                                   const struct ws_stats_options *options)
{
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX] = {{{0}, false}};
    struct ws_events *e = calloc(1, sizeof *e);
    struct ws_stats_clocks clocks;
    bool rollbacks = false;
    if (e == NULL || (e->types = calloc(file->descs.n + 1, sizeof *e->types)) == NULL) {
        ws_events_free(e);
        return NULL;
    }
    e->file = file;
    e->select = select;
    for (uint32_t i = 0; i < file->sb->n_schemas; i++) {
        int32_t f[FIELDS];
        fields_find(file->sb->schemas[i], f);
        for (int k = 0; k < FIELDS; k++) {
            ws_want(&wanted[i], f[k]);
        }
        rollbacks |= file->kind_records[i] > 0 && f[UNDONE] >= 0;
        e->has_events |= f[UNDONE] < 0;
        e->has_rollbacks |= f[UNDONE] >= 0;
    }
    list_init(&e->kps, options, rollbacks);
    list_init(&e->lps, options, rollbacks);
    e->lps.moved = ws_stream_moved(file);
    ws_stats_clocks_find(&clocks, file, select, NULL);
    ws_stats_axis_init(&e->axis, &clocks, !select->by_time, false, WS_STATS_BINS);
    spans_find(e, &clocks.span);
    if (options->over != NULL) {
        over_init(e, options->over);
    }
    ws_scan(file, select, wanted, part_add, e);
    pe_close(e, true);
    if (e->over != NULL) {
        over_finish(e);
    }
    if (e->no_memory) {
        ws_events_free(e);
        return NULL;
    }
    return e;
}

void ws_events_free(struct ws_events *e)
{
    if (e != NULL) {
        ws_top_k_free(&e->kps.top);
        ws_top_k_free(&e->lps.top);
        free(e->pes.list);
        free(e->types);
        free(e);
    }
}
