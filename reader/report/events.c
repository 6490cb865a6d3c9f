/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events.c - reads rollbacks and communication from an event trace; see report.h.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/lps.h"

struct pass {
    struct report_run *run;
    struct report_lps lps;
    /* True if the curves of rollbacks are computed from this trace, because there are no samples
     * with rollbacks. */
    bool curves;
    bool offsets; /* true if the current records have the send time as well as the receive time */
    struct ws_load load;
    uint64_t src[WS_LOAD_MAX], dest[WS_LOAD_MAX], kps[WS_LOAD_MAX];
    uint64_t undone[WS_LOAD_MAX], cause[WS_LOAD_MAX];
    double real_time[WS_LOAD_MAX], virtual_time[WS_LOAD_MAX], send_time[WS_LOAD_MAX];
};

static bool is_rollback(const struct fmt_schema *schema)
{
    return ws_field_find(schema, "events_undone") >= 0;
}

static void columns_load(struct pass *p)
{
    const struct fmt_schema *schema = p->load.part->columns->schema;
    ws_load_u64(&p->load, ws_field_find(schema, "src_lp"), p->src);
    ws_load_u64(&p->load, ws_field_find(schema, "dest_lp"), p->dest);
    ws_load_f64(&p->load, schema->role_field[FMT_ROLE_REAL_TIME], p->real_time);
    ws_load_f64(&p->load, schema->role_field[FMT_ROLE_VIRTUAL_TIME], p->virtual_time);
    if (is_rollback(schema)) {
        ws_load_u64(&p->load, ws_field_find(schema, "kp"), p->kps);
        ws_load_u64(&p->load, ws_field_find(schema, "events_undone"), p->undone);
        ws_load_u64(&p->load, ws_field_find(schema, "cause"), p->cause);
    } else if (p->offsets) {
        ws_load_f64(&p->load, ws_field_find(schema, "send_ts"), p->send_time);
    }
}

/* Returns the row of the PE of an LP. The row of unknown PEs follows that of the last PE. */
static uint32_t row_of(const struct pass *p, struct report_lp lp)
{
    const struct report_places *places = &p->run->places;
    return lp.pe == 0 ? places->pe_rows : report_pe_row(places, lp.pe - 1);
}

static void rollbacks_add(struct pass *p, uint32_t pe)
{
    struct report_run *run = p->run;
    for (uint32_t i = 0; i < p->load.n; i++) {
        uint32_t to, bin = ws_stats_bin(&run->cell_axes[REPORT_WALL], p->real_time[i]);
        while (!report_kp_row(&run->places, pe, p->kps[i], &to)) {
            report_places_fold(run);
        }
        uint32_t from = row_of(p, report_lp_of(&p->lps, p->src[i]));
        struct report_hit *hit = &run->events.hits[bin][from][to];
        run->places.kp_seen[to] = true;
        hit->count++;
        hit->undone += p->undone[i];
        hit->secondary += p->cause[i] == 2;
        report_spread_add(&run->events.lengths, bin, (double)p->undone[i]);
        for (int c = 0; p->curves && c < REPORT_CLOCKS; c++) {
            double at = c == REPORT_WALL ? p->real_time[i] : p->virtual_time[i];
            uint32_t step = ws_stats_bin(&run->axes[c], at);
            run->curves.counts[c][REPORT_ROLLBACKS][step]++;
            run->curves.counts[c][REPORT_UNDONE][step] += (double)p->undone[i];
        }
    }
}

static void events_add(struct pass *p, uint32_t pe)
{
    struct report_run *run = p->run;
    struct report_events *e = &run->events;
    uint32_t to = report_pe_row(&run->places, pe);
    double *wall = run->curves.counts[REPORT_WALL][REPORT_EVENTS];
    double *virtual = run->curves.counts[REPORT_VIRTUAL][REPORT_EVENTS];
    for (uint32_t i = 0; i < p->load.n; i++) {
        struct report_lp src = report_lp_of(&p->lps, p->src[i]);
        struct report_lp dest = report_lp_of(&p->lps, p->dest[i]);
        uint32_t bin = ws_stats_bin(&run->cell_axes[REPORT_WALL], p->real_time[i]);
        uint32_t step = ws_stats_bin(&run->axes[REPORT_WALL], p->real_time[i]);
        wall[step]++;
        virtual[ws_stats_bin(&run->axes[REPORT_VIRTUAL], p->virtual_time[i])]++;
        e->lowest[step] = fmin(e->lowest[step], p->virtual_time[i]);
        e->traffic[bin][row_of(p, src)][to]++;
        e->types[bin][src.type][dest.type]++;
        if (p->offsets) {
            report_spread_add(&e->offsets, bin, p->virtual_time[i] - p->send_time[i]);
        }
        if (src.pe > 0 && src.pe != pe + 1) {
            e->remote_types[src.type][dest.type]++;
        }
    }
}

static bool part_add(struct ws_file *stream, const struct ws_part *part, void *ctx)
{
    struct pass *p = ctx;
    bool rollbacks = is_rollback(part->columns->schema);
    (void)stream;
    if (rollbacks ? p->run->events.hits == NULL : p->run->events.traffic == NULL) {
        /* The previous pass found no records of this kind, since a column that it needs could not
         * be decoded. */
        return true;
    }
    p->offsets = ws_field_find(part->columns->schema, "send_ts") >= 0;
    for (uint32_t row = 0; ws_load_next(&p->load, part, &row);) {
        columns_load(p);
        if (rollbacks) {
            rollbacks_add(p, part->block->pe);
        } else {
            events_add(p, part->block->pe);
        }
    }
    return true;
}

static bool tables_make(struct report_events *e, const struct ws_events *sums)
{
    e->hits = e->has_rollbacks ? calloc(REPORT_CELLS, sizeof *e->hits) : NULL;
    e->traffic = e->has_events ? calloc(REPORT_CELLS, sizeof *e->traffic) : NULL;
    e->types = e->has_events ? calloc(REPORT_CELLS, sizeof *e->types) : NULL;
    for (uint32_t i = 0; i < REPORT_BINS; i++) {
        e->lowest[i] = (double)INFINITY;
    }
    return report_spread_init(&e->lengths, report_bars_of(&sums->undone, true)) &&
           report_spread_init(&e->offsets, report_bars_of(&sums->delay, false)) &&
           (e->hits != NULL || !e->has_rollbacks) &&
           ((e->traffic != NULL && e->types != NULL) || !e->has_events);
}

static void wanted_fill(const struct fmt_superblock *sb, struct fmt_wanted wanted[FMT_SCHEMAS_MAX])
{
    static const char *const names[] = {"src_lp", "dest_lp",       "kp",
                                        "cause",  "events_undone", "send_ts"};
    static const enum fmt_role roles[] = {FMT_ROLE_REAL_TIME, FMT_ROLE_VIRTUAL_TIME};
    for (uint32_t s = 0; s < sb->n_schemas; s++) {
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            int32_t field = ws_field_find(sb->schemas[s], names[i]);
            if (field >= 0) {
                fmt_wanted_add(&wanted[s], (uint32_t)field);
            }
        }
        for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
            int32_t field = sb->schemas[s]->role_field[roles[i]];
            if (field >= 0) {
                fmt_wanted_add(&wanted[s], (uint32_t)field);
            }
        }
    }
}

/* Sets GVT at the edges of the bins of wall-clock time. Called if samples do not state GVT. The
 * smallest receive time of all records after a moment is an upper bound of GVT at that moment. */
static void clock_from_events(struct report_run *run)
{
    double least = (double)INFINITY;
    for (uint32_t i = REPORT_BINS; i-- > 0;) {
        least = fmin(least, run->events.lowest[i]);
        run->clock[i] = isfinite(least) ? least : (double)NAN;
    }
}

/* Returns true if the curves of rollbacks come from samples. */
static bool have_samples(const struct report_run *run)
{
    return run->curves.known[REPORT_ROLLBACKS];
}

/* Sets run->curves.sources for those curves over `clock` that are computed from the trace. */
static void sources_set(struct report_run *run, enum report_clock clock,
                        const struct ws_file *trace)
{
    struct report_source *sources = run->curves.sources[clock];
    for (uint32_t i = 0; i < trace->sb->n_schemas; i++) {
        const struct fmt_schema *schema = trace->sb->schemas[i];
        struct report_source source = {trace, schema};
        if (!is_rollback(schema)) {
            sources[REPORT_EVENTS] = source;
        } else if (!have_samples(run)) {
            sources[REPORT_ROLLBACKS] = sources[REPORT_UNDONE] = source;
        }
    }
}

bool report_events_gather(struct report_run *run)
{
    struct report_file *file = report_file_of(run, FMT_STREAM_EVTRACE);
    struct report_events *e = &run->events;
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX] = {{{0}, false}};
    if (file == NULL || file->events == NULL) {
        return true;
    }
    e->has_events = file->events->sums[WS_EVENTS] > 0;
    e->has_rollbacks = file->events->sums[WS_EVENTS_ROLLBACKS] > 0;
    struct pass *p = calloc(1, sizeof *p);
    bool good = p != NULL && tables_make(e, file->events) && report_lps_gather(&p->lps, run);
    if (good) {
        bool has_clock = run->has_clock;
        p->run = run;
        p->curves = !have_samples(run);
        ws_select_file(run->select, file->stream.sb, &file->stream.descs);
        wanted_fill(file->stream.sb, wanted);
        ws_scan(&file->stream, run->select, wanted, part_add, p);
        for (int c = 0; c < REPORT_CLOCKS; c++) {
            sources_set(run, (enum report_clock)c, &file->stream);
        }
        run->curves.known[REPORT_EVENTS] = e->has_events;
        run->curves.known[REPORT_ROLLBACKS] |= e->has_rollbacks;
        run->curves.known[REPORT_UNDONE] |= e->has_rollbacks;
        if (!has_clock && e->has_events) {
            clock_from_events(run);
            run->clock_source = run->curves.sources[REPORT_WALL][REPORT_EVENTS];
            run->has_clock = true;
        }
        e->unplaced = p->lps.unplaced;
    }
    if (p != NULL) {
        report_lps_free(&p->lps);
    }
    free(p);
    return good;
}
