/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events.c - adds up the records in an event trace; see figures.h.
 *
 * A record of an event counts for the LP that received the event, and for the KP of that LP. A
 * record of a rollback counts for the LP and KP that received the event that caused the rollback.
 * Only records of rollbacks have the field events_undone. A record names the LP that sent the event. Its
 * PE and type, for cells of PEs and types over time, are those of its own records: ws_lps_gather() reads
 * these before. Cost: some 30 ns per event in addition to reading it; only the needed columns are decoded.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/over_time.h"

#define BINS_PER_CELL (WS_BINS / WS_CELLS)

/* Indices of the fields in a kind of record; -1: no such field. */
enum { LP, KP, SRC, SRC_PE, SEND_TS, RECV_TS, REAL_TIME, TYPE, KP_TS, UNDONE, CAUSE, FIELDS };

static void fields_find(const struct fmt_schema *schema, int32_t f[FIELDS])
{
    static const char *const names[FIELDS] = {
        [LP] = "dest_lp",      [KP] = "kp",       [SRC] = "src_lp",  [SRC_PE] = "src_pe",
        [SEND_TS] = "send_ts", [KP_TS] = "kp_ts", [CAUSE] = "cause", [UNDONE] = "events_undone"};
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

/* ---- Sums ------------------------------------------------------------------------------------ */

/* The columns of the loaded records that several functions use. */
struct rows {
    uint32_t pe;
    bool rollbacks, by_pe; /* by_pe: true if senders are PEs, not LPs */
    double real_time[WS_LOAD_MAX], recv_ts[WS_LOAD_MAX];
    uint32_t bins[WS_CLOCKS][WS_LOAD_MAX]; /* bins of curves, for figures over time only */
    uint64_t lps[WS_LOAD_MAX], kps[WS_LOAD_MAX], senders[WS_LOAD_MAX];
    uint64_t undone[WS_LOAD_MAX], cause[WS_LOAD_MAX]; /* of rollbacks only */
};

/* Adds the loaded records to a list of the KPs or LPs in `keys`. */
static void list_add(struct ws_counted *e, struct ws_stats_list *list, const struct rows *r,
                     const uint64_t *keys)
{
    uint32_t at[WS_EVENTS_COUNTS]; /* [count]: its place among the values of an entry */
    for (uint32_t i = 0; i < WS_EVENTS_COUNTS; i++) {
        at[list->field[i]] = i;
    }
    for (uint32_t i = 0; i < e->load.n; i++) {
        ws_list_prefetch(list, keys[i + WS_PREFETCH < e->load.n ? i + WS_PREFETCH : i]);
        uint64_t *values = ws_list_values(list, keys[i]);
        if (values == NULL) {
            return;
        }
        if (!r->rollbacks) {
            values[at[WS_EVENTS]]++;
        } else {
            values[at[WS_EVENTS_ROLLBACKS]]++;
            values[at[WS_EVENTS_UNDONE]] += r->undone[i];
            values[at[WS_EVENTS_SECONDARY]] += r->cause[i] == 2;
        }
    }
}

/* Counts the loaded records per payload description. */
static void types_add(struct ws_counted *e, const int32_t f[FIELDS], const struct rows *r)
{
    uint64_t ids[WS_LOAD_MAX];
    ws_load_u64(&e->load, f[TYPE], ids);
    for (uint32_t i = 0; i < e->load.n; i++) {
        e->types[ws_desc_place(&e->file->descs, ids[i])][r->rollbacks]++;
    }
}

/* Adds the loaded records, of which `bins` are the bins, to counts. */
static void sums_add(struct ws_stats_pe *to, const struct ws_counted *e, const struct rows *r,
                     const uint64_t add[WS_EVENTS_COUNTS], const uint32_t *bins)
{
    to->records += e->load.n;
    for (int i = 0; i < WS_EVENTS_COUNTS; i++) {
        to->sums[i] += add[i];
    }
    for (uint32_t i = 0; i < e->load.n; i++) {
        to->bins[r->rollbacks][bins[i]]++;
    }
}

/* Adds the loaded rollbacks to the distributions and to `add`. */
static void rollbacks_add(struct ws_counted *e, const int32_t f[FIELDS], struct rows *r,
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
        ws_histogram_add(&e->dists[WS_DIST_UNDONE], (double)r->undone[i], 1);
        if (r->cause[i] != 2 && f[KP_TS] >= 0) {
            ws_histogram_add(&e->dists[WS_DIST_LATE], kp_ts[i] - r->recv_ts[i], 1);
        }
    }
}

/* Adds the offsets of the loaded events to their distribution. */
static void offsets_add(struct ws_counted *e, const int32_t f[FIELDS], const struct rows *r)
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
        ws_histogram_count(&e->dists[WS_DIST_DELAY], offset, bucket, 1);
        if (e->over != NULL) {
            ws_dists_count(&e->over->traffic.offsets, r->bins[WS_WALL][i] / BINS_PER_CELL, offset,
                           bucket);
        }
    }
}

/* ---- Over time ------------------------------------------------------------------------------- */

/* Returns the row of the PE of an LP. The row of unknown PEs follows that of the last PE. */
static uint32_t row_of(const struct ws_places *places, struct ws_lp lp)
{
    return lp.pe == 0 ? places->pe_rows : ws_pe_row(places, lp.pe - 1);
}

/* Adds the loaded rollbacks to the figures over time. Returns false if out of memory. */
static bool over_rollbacks(struct ws_counted *e, const struct rows *r)
{
    struct ws_figures *over = e->over;
    struct ws_traffic *t = &over->traffic;
    double(*counts)[WS_COUNTS][WS_BINS] = over->curves.counts;
    if (t->hits == NULL && (t->hits = calloc(WS_CELLS, sizeof *t->hits)) == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < e->load.n; i++) {
        uint32_t to, wall = r->bins[WS_WALL][i], virtual = r->bins[WS_VIRTUAL][i];
        double undone = (double)r->undone[i];
        while (!ws_kp_row(&over->places, r->pe, r->kps[i], &to)) {
            ws_places_fold(over);
        }
        uint64_t sender = r->senders[i];
        struct ws_lp src = !r->by_pe ? ws_lp_of(&over->lps, sender)
                           : sender < e->file->sb->layout.n_pes
                               ? (struct ws_lp){.pe = (uint32_t)sender + 1}
                               : (struct ws_lp){.pe = 0};
        uint32_t from = row_of(&over->places, src);
        struct ws_hit *hit = &t->hits[wall / BINS_PER_CELL][from][to];
        over->places.kp_seen[to] = true;
        hit->count++;
        hit->undone += r->undone[i];
        hit->secondary += r->cause[i] == 2;
        ws_dists_add(&t->lengths, wall / BINS_PER_CELL, undone);
        if (e->over_curves) {
            counts[WS_WALL][WS_ROLLBACKS][wall]++;
            counts[WS_VIRTUAL][WS_ROLLBACKS][virtual]++;
            counts[WS_WALL][WS_UNDONE][wall] += undone;
            counts[WS_VIRTUAL][WS_UNDONE][virtual] += undone;
        }
    }
    return true;
}

/* Adds the loaded events to the figures over time. Returns false if out of memory. */
static bool over_events(struct ws_counted *e, const struct rows *r)
{
    struct ws_figures *over = e->over;
    struct ws_traffic *t = &over->traffic;
    double(*counts)[WS_COUNTS][WS_BINS] = over->curves.counts;
    uint32_t to = ws_pe_row(&over->places, r->pe);
    if ((t->pes == NULL && (t->pes = calloc(WS_CELLS, sizeof *t->pes)) == NULL) ||
        (t->types == NULL && (t->types = calloc(WS_CELLS, sizeof *t->types)) == NULL)) {
        return false;
    }
    for (uint32_t i = 0; i < e->load.n; i++) {
        struct ws_lp src = ws_lp_of(&over->lps, r->senders[i]);
        struct ws_lp dest = ws_lp_of(&over->lps, r->lps[i]);
        uint32_t wall = r->bins[WS_WALL][i];
        double *lowest = &t->lowest[wall];
        *lowest = r->recv_ts[i] < *lowest ? r->recv_ts[i] : *lowest;
        counts[WS_WALL][WS_TRACED][wall]++;
        counts[WS_VIRTUAL][WS_TRACED][r->bins[WS_VIRTUAL][i]]++;
        t->pes[wall / BINS_PER_CELL][row_of(&over->places, src)][to]++;
        t->types[wall / BINS_PER_CELL][src.type][dest.type]++;
        if (src.pe > 0 && src.pe != r->pe + 1) {
            t->remote_types[src.type][dest.type]++;
        }
    }
    return true;
}

void ws_events_add(struct ws_counted *e, uint32_t pe)
{
    const struct fmt_schema *schema = e->load.part->columns->schema;
    uint64_t add[WS_EVENTS_COUNTS] = {0};
    uint32_t bins[WS_LOAD_MAX];
    struct rows r; /* large: only what is loaded is set */
    int32_t f[FIELDS];
    fields_find(schema, f);
    r.pe = pe;
    r.rollbacks = is_rollback(schema);
    ws_load_f64(&e->load, f[REAL_TIME], r.real_time);
    ws_load_f64(&e->load, f[RECV_TS], r.recv_ts);
    ws_load_u64(&e->load, f[LP], r.lps);
    ws_load_u64(&e->load, f[KP], r.kps);
    if (e->over != NULL) {
        r.by_pe = f[SRC_PE] >= 0; /* in earlier versions, rollbacks only name the LP */
        ws_load_u64(&e->load, f[r.by_pe ? SRC_PE : SRC], r.senders);
        ws_stats_bins_find(&e->over->axes[WS_WALL], r.real_time, e->load.n, r.bins[WS_WALL]);
        ws_stats_bins_find(&e->over->axes[WS_VIRTUAL], r.recv_ts, e->load.n, r.bins[WS_VIRTUAL]);
    }
    if (r.rollbacks) {
        rollbacks_add(e, f, &r, add);
    } else {
        add[WS_EVENTS] = e->load.n;
        offsets_add(e, f, &r);
    }
    ws_stats_bins_find(&e->axis, r.real_time, e->load.n, bins);
    sums_add(&e->all, e, &r, add, bins);
    struct ws_stats_pe *own = ws_stats_pe_get(&e->pes, pe);
    if (own != NULL) {
        sums_add(own, e, &r, add, bins);
    }
    types_add(e, f, &r);
    if (f[LP] >= 0) {
        list_add(e, &e->lps, &r, r.lps);
    }
    if (f[KP] >= 0) {
        list_add(e, &e->kps, &r, r.kps);
    }
    if (e->over != NULL) {
        e->no_memory |= !(r.rollbacks ? over_rollbacks(e, &r) : over_events(e, &r));
    }
}

/* ---- Gathering ------------------------------------------------------------------------------- */

/* Finds the durations to which the sums apply. They differ only if a part of the stream lacks a
 * kind of record. */
static void spans_find(struct ws_counted *e)
{
    const struct fmt_superblock *sb = e->file->sb;
    e->of_kinds[0] = e->of_kinds[1] = e->span;
    for (uint32_t k = 0; sb->n_schemas > 1 && k < sb->n_schemas; k++) {
        struct ws_stats_clocks clocks;
        ws_stats_clocks_find(&clocks, e->file, e->select, sb->schemas[k]);
        e->of_kinds[is_rollback(sb->schemas[k])] = clocks.span;
    }
}

/* Prepares the figures over time that the trace fills. */
static void over_init(struct ws_counted *e, struct ws_figures *over)
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
void ws_events_finish(struct ws_counted *e)
{
    struct ws_figures *over = e->over;
    double least = (double)INFINITY;
    bool has_events = e->all.sums[WS_EVENTS] > 0,
         has_rollbacks = e->all.sums[WS_EVENTS_ROLLBACKS] > 0;
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

void ws_events_init(struct ws_counted *e, const struct ws_stats_options *options,
                    struct fmt_wanted wanted[FMT_SCHEMAS_MAX])
{
    static const struct ws_dist_name dists[] = {
        [WS_DIST_DELAY] = {"send_to_receive", "from send to receive time", false},
        [WS_DIST_LATE] = {"late_by", "stragglers came late by", false},
        [WS_DIST_UNDONE] = {"undone_at_a_time", "events undone at a time", false}};
    struct ws_stats_clocks clocks;
    bool rollbacks = false;
    e->counts = (struct ws_stats_counts){
        .n = WS_EVENTS_COUNTS, .names = {"events", "rollbacks", "events_undone", "secondary"}};
    e->binned[0] = WS_EVENTS;
    e->binned[1] = WS_EVENTS_ROLLBACKS;
    for (int k = 0; k < 2; k++) {
        e->in_bins[k] = e->counts.names[e->binned[k]];
    }
    e->dist_names = dists;
    e->n_dists = sizeof dists / sizeof dists[0];
    e->types = calloc(e->file->descs.n + 1, sizeof *e->types);
    e->no_memory = e->types == NULL;
    for (uint32_t i = 0; i < e->file->sb->n_schemas; i++) {
        int32_t f[FIELDS];
        fields_find(e->file->sb->schemas[i], f);
        for (int k = 0; k < FIELDS; k++) {
            ws_want(&wanted[i], (k == SRC || k == SRC_PE) && options->over == NULL ? -1 : f[k]);
        }
        rollbacks |= e->file->kind_records[i] > 0 && f[UNDONE] >= 0;
        e->has_events |= f[UNDONE] < 0;
        e->has_rollbacks |= f[UNDONE] >= 0;
    }
    for (int i = 0; i < WS_EVENTS_COUNTS; i++) {
        e->counts.field[i] = i;
        e->counts.unknown[i] = i == WS_EVENTS ? !e->has_events : !e->has_rollbacks;
    }
    const char *const usual[] = {e->counts.names[rollbacks ? WS_EVENTS_ROLLBACKS : WS_EVENTS],
                                 NULL};
    ws_list_init(&e->kps, &e->counts, options, usual);
    ws_list_init(&e->lps, &e->counts, options, usual);
    e->lps.moved = ws_stream_moved(e->file);
    ws_stats_clocks_find(&clocks, e->file, e->select, NULL);
    ws_stats_axis_init(&e->axis, &clocks, !e->select->by_time, WS_WALL, WS_STATS_BINS);
    e->span = clocks.span;
    spans_find(e);
    if (options->over != NULL) {
        over_init(e, options->over);
    }
}
