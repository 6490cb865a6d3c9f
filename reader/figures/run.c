/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c - calls the accumulators that read the records of each stream, and adds up those of samples and of
 * event traces; see over_time.h and values.h.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/over_time.h"

/* ---- Clocks ---------------------------------------------------------------------------------- */

/* Sets run->clock where GVT is unknown, by linear interpolation between known values. Also makes
 * GVT non-decreasing. */
static void clock_fill(struct ws_figures *run)
{
    double *clock = run->clock, most = run->axes[WS_VIRTUAL].low;
    uint32_t last = 0;
    bool any = false;
    if (run->has_clock && !run->select->by_time) {
        clock[0] = clock[0] == clock[0] ? clock[0] : run->axes[WS_VIRTUAL].low;
    }
    for (uint32_t i = 0; i <= WS_BINS; i++) {
        if (clock[i] != clock[i]) {
            continue;
        }
        clock[i] = fmin(fmax(clock[i], most), run->axes[WS_VIRTUAL].high);
        for (uint32_t k = last + 1; any && k < i; k++) {
            clock[k] = most + (clock[i] - most) * (k - last) / (i - last);
        }
        most = clock[i];
        last = i;
        any = true;
    }
    for (uint32_t k = last + 1; any && k <= WS_BINS; k++) {
        clock[k] = most;
    }
}

/* ---- Samples and event traces ---------------------------------------------------------------- */

/* Closes the lists for the current PE. A list of LPs that moved between PEs is closed only for the last
 * PE. */
static void pe_close(struct ws_counted *c, bool is_last)
{
    struct ws_stats_list *const lists[] = {&c->kps, &c->lps};
    for (int i = 0; c->pe > 0 && i < 2; i++) {
        if (lists[i]->used && (is_last || !lists[i]->moved)) {
            ws_top_k_close(&lists[i]->top, c->pe - 1);
        }
        c->no_memory |= lists[i]->top.failed;
    }
}

/* Begins part `number` of the stream for PE pe, whose first sample in the part has the changes since the
 * part began. */
static void part_begin(struct ws_counted *c, uint32_t pe, uint32_t number)
{
    struct ws_cover cover = ws_part_cover(ws_stream_part(c->file, number));
    if (c->pe != pe + 1) {
        pe_close(c, false);
        memset(c->own, 0, sizeof c->own);
    }
    c->pe = pe + 1;
    c->part = number;
    c->begin[WS_WALL] = cover.real_from;
    c->begin[WS_VIRTUAL] = cover.virtual_from;
    c->point.has = c->ahead_point.has = c->has_gvt = false;
}

static bool run_part_add(const struct ws_part *part, void *ctx)
{
    struct ws_counted *c = ctx;
    uint32_t pe = part->block->pe;
    if (c->pe != pe + 1 || c->part != part->block->part) {
        part_begin(c, pe, part->block->part);
    }
    if (c->lps.moved) {
        ws_top_k_enter(&c->lps.top, part->block->part, pe);
    }
    for (uint32_t row = 0; ws_load_next(&c->load, part, &row);) {
        if (c->is_trace) {
            ws_events_add(c, pe);
        } else {
            ws_samples_add(c, pe);
        }
    }
    return !c->no_memory;
}

/* Finds the counts that tables show. */
static void columns_find(struct ws_counted *c)
{
    static const char *const shown[2][WS_COLUMNS] = {
        {"events_processed", "events_rolled_back", "total_rollbacks", "remote_events",
         "events_committed"},
        {"events", "rollbacks", "secondary", "events_undone", ""}};
    bool is_short = c->is_trace && c->all.sums[WS_EVENTS_ROLLBACKS] == 0;
    for (uint32_t i = 0; i < (is_short ? 1 : WS_COLUMNS); i++) {
        int32_t count = ws_stats_count_find(&c->counts, shown[c->is_trace][i]);
        if (count >= 0) {
            c->columns[c->n_columns++] = (uint32_t)count;
        }
    }
    c->rank = c->is_trace && !is_short ? WS_EVENTS_UNDONE : c->columns[0];
    for (uint32_t i = 0; i < WS_PROCESSOR_FIELDS; i++) {
        c->processor[i] = ws_stats_count_find(&c->counts, ws_processor_fields[i]);
        if (c->processor[i] >= 0) {
            c->counts.apart[c->processor[i]] = true;
        }
    }
}

static struct ws_counted *counted_gather(struct ws_file *file, const struct ws_select *select,
                                         const struct ws_stats_options *options)
{
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX] = {{{0}, false}};
    struct ws_counted *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return NULL;
    }
    c->file = file;
    c->select = select;
    c->is_trace = file->sb->stream == FMT_STREAM_EVTRACE;
    if (c->is_trace) {
        ws_events_init(c, options, wanted);
    } else {
        ws_samples_init(c, options, wanted);
    }
    if (!c->no_memory) {
        ws_scan(file, select, wanted, run_part_add, c);
    }
    pe_close(c, true);
    columns_find(c);
    if (c->is_trace && c->over != NULL) {
        ws_events_finish(c);
    }
    if (c->no_memory) {
        ws_counted_free(c);
        return NULL;
    }
    return c;
}

/* ---- A stream of any kind -------------------------------------------------------------------- */

static bool sums_gather(struct ws_stats_sums *sums, struct ws_file *file,
                        const struct ws_select *select, const struct ws_stats_options *options)
{
    static const struct ws_tasks_filter all = {.kind = NULL};
    assert(file->pes != NULL);
    *sums = (struct ws_stats_sums){.counted = NULL};
    switch (file->sb->stream) {
    case FMT_STREAM_MODEL:
        return (sums->model = ws_model_gather(file, select, options)) != NULL;
    case FMT_STREAM_TASK:
        return (sums->tasks = ws_tasks_gather(file, select, &all)) != NULL;
    case FMT_STREAM_TRACER:
        return (sums->tracers = ws_tracers_gather(file, select, options)) != NULL;
    default:
        return (sums->counted = counted_gather(file, select, options)) != NULL;
    }
}

bool ws_stats_gather(struct ws_stats_sums *sums, struct ws_file *file,
                     const struct ws_select *select, const struct ws_stats_options *options)
{
    return sums_gather(sums, file, select, options) &&
           (options->evidence == NULL || ws_evidence_stream(options->evidence, file, sums, select));
}

/* ---- Gathering ------------------------------------------------------------------------------- */

/* Returns the mean number, per PE, of the sampling points from which the totals of a stream are
 * computed; 0: none. */
static double points_of(const struct ws_figures *run, const struct ws_figures_file *file)
{
    if (file == NULL) {
        return 0.0;
    }
    const struct ws_file *stream = &file->stream;
    ws_select_file(run->select, stream->sb, &stream->descs);
    const struct fmt_schema *primary = ws_samples_primary(stream, run->select);
    uint64_t n = primary == NULL ? 0 : stream->kind_records[ws_schema_number(stream->sb, primary)];
    return (double)n / (double)stream->sb->layout.n_pes;
}

/* Chooses the streams from which curves come, and the kind of record for times ahead of GVT: of those of
 * samples, the one with the most. */
static void sources_choose(struct ws_figures *run)
{
    const struct ws_figures_file *gvt = ws_figures_file_of(run, FMT_STREAM_GVT);
    const struct ws_figures_file *rt = ws_figures_file_of(run, FMT_STREAM_RT);
    const struct ws_figures_file *vt = ws_figures_file_of(run, FMT_STREAM_VT);
    const struct ws_figures_file *sampled = points_of(run, rt) > points_of(run, gvt) ? rt : gvt;
    const struct ws_figures_file *const of_gvt[] = {rt, gvt};
    uint64_t most = 0;
    run->exact = points_of(run, vt) > 0.0 ? &vt->stream : NULL;
    run->sampled = sampled == NULL ? NULL : &sampled->stream;
    for (int f = 0; f < 2; f++) {
        const struct ws_file *file = of_gvt[f] == NULL ? NULL : &of_gvt[f]->stream;
        for (uint32_t i = 0; file != NULL && i < file->sb->n_schemas; i++) {
            const struct fmt_schema *kind = file->sb->schemas[i];
            if (file->kind_records[i] > most && ws_field_find(kind, "time_ahead_gvt") >= 0 &&
                ws_field_find(kind, "kp") >= 0) {
                most = file->kind_records[i];
                run->ahead.source = (struct ws_source){file, kind};
            }
        }
    }
}

/* Reads the records of a stream. Returns false if out of memory. */
static bool stream_gather(struct ws_figures *run, struct ws_figures_file *file)
{
    const struct ws_stats_options options = {.top = 5, .over = run};
    ws_select_file(run->select, file->stream.sb, &file->stream.descs);
    return ws_stats_gather(&file->sums, &file->stream, run->select, &options) &&
           (file->sums.tasks == NULL || ws_tasks_over_time(run, file));
}

bool ws_figures_gather(struct ws_figures *run)
{
    /* An event trace comes last: it fills the curves that samples leave open, and needs the places of the
     * LPs in all streams. Types of LPs are numbered as it has them. */
    static const uint32_t order[] = {FMT_STREAM_VT,     FMT_STREAM_GVT,  FMT_STREAM_RT,
                                     FMT_STREAM_MODEL,  FMT_STREAM_TASK, FMT_STREAM_TRACER,
                                     FMT_STREAM_EVTRACE};
    struct ws_figures_file *trace = ws_figures_file_of(run, FMT_STREAM_EVTRACE);
    assert(run->first != NULL);
    double kps = ws_fact_number(run->first->stream.sb, "kps_per_pe", (double)NAN);
    ws_figures_axes(run);
    ws_places_init(&run->places, run->first->stream.sb->layout.n_pes,
                   kps >= 1.0 && kps < 0x1p62 ? (uint64_t)kps : 0);
    for (uint32_t i = 0; i <= WS_BINS; i++) {
        run->clock[i] = (double)NAN;
    }
    sources_choose(run);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        struct ws_figures_file *file = ws_figures_file_of(run, order[i]);
        bool good = order[i] != FMT_STREAM_MODEL || trace == NULL ||
                    ws_lps_gather(&run->lps, &trace->stream, run->select);
        if (!good || (file != NULL && !stream_gather(run, file)) || run->lps.no_memory) {
            return false;
        }
    }
    clock_fill(run);
    return ws_figures_evidence(run);
}
