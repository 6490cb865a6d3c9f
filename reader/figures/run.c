/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c - computes the ranges of both clocks, and calls the accumulators that read the records of each
 * stream; see over_time.h and values.h.
 */
#include <assert.h>
#include <math.h>

#include "figures/over_time.h"

/* ---- Clocks ---------------------------------------------------------------------------------- */

/* Computes the ranges of both clocks, which include the records of all streams. */
static void axes_find(struct ws_figures *run)
{
    struct ws_stats_clocks all = {.virtual_from = (double)INFINITY, .real_from = (double)INFINITY};
    bool whole = !run->select->by_time;
    for (size_t i = 0; i < run->n; i++) {
        struct ws_file *stream = &run->list[i].stream;
        struct ws_stats_clocks clocks;
        if (stream->pes == NULL) {
            continue;
        }
        ws_select_file(run->select, stream->sb, &stream->descs);
        ws_stats_clocks_find(&clocks, stream, run->select, NULL);
        struct ws_range *const to[] = {&all.real_time, &all.virtual_time};
        const struct ws_range *const from[] = {&clocks.real_time, &clocks.virtual_time};
        for (int c = 0; c < 2; c++) {
            if (from[c]->known) {
                ws_range_add(to[c], from[c]->min, from[c]->max);
            }
        }
        all.virtual_from = fmin(all.virtual_from, clocks.virtual_from);
        all.real_from = fmin(all.real_from, clocks.real_from);
        if (whole && stream->pes_ended > 0 && from[0]->known) {
            ws_range_add(&all.real_time, from[0]->min, stream->end_real_time);
        }
        if (whole && stream->pes_ended > 0 && stream->end_code != FMT_END_NO_EVENTS &&
            from[1]->known && isfinite(stream->end_gvt)) {
            ws_range_add(&all.virtual_time, from[1]->min, stream->end_gvt);
        }
    }
    for (int c = 0; c < WS_CLOCKS; c++) {
        ws_stats_axis_init(&run->axes[c], &all, whole, c == WS_VIRTUAL, WS_STATS_BINS);
        run->axes[c].n = WS_BINS;
        run->cell_axes[c] = run->axes[c];
        run->cell_axes[c].n = WS_CELLS;
    }
}

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

/* ---- A stream of any kind -------------------------------------------------------------------- */

static bool sums_gather(struct ws_stats_sums *sums, struct ws_file *file,
                        const struct ws_select *select, const struct ws_stats_options *options)
{
    static const struct ws_tasks_filter all = {.kind = NULL};
    assert(file->pes != NULL);
    *sums = (struct ws_stats_sums){.events = NULL};
    switch (file->sb->stream) {
    case FMT_STREAM_EVTRACE:
        sums->events = ws_events_gather(file, select, options);
        return sums->events != NULL;
    case FMT_STREAM_MODEL:
        sums->model = ws_model_gather(file, select, options);
        return sums->model != NULL;
    case FMT_STREAM_TASK:
        sums->tasks = ws_tasks_gather(file, select, &all);
        return sums->tasks != NULL;
    case FMT_STREAM_TRACER:
        sums->tracers = ws_tracers_gather(file, select, options);
        return sums->tracers != NULL;
    default:
        sums->samples = ws_samples_gather(file, select, options);
        return sums->samples != NULL;
    }
}

bool ws_stats_gather(struct ws_stats_sums *sums, struct ws_file *file,
                     const struct ws_select *select, const struct ws_stats_options *options)
{
    uint64_t faults = file->n_faults;
    if (!sums_gather(sums, file, select, options)) {
        return false;
    }
    if (options->evidence == NULL) {
        return true;
    }
    options->evidence->blocks_damaged += file->n_faults - faults;
    return ws_evidence_stream(options->evidence, file, sums, select);
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

/* Chooses the streams from which curves come: of those of samples, the one with the most. */
static void sources_choose(struct ws_figures *run)
{
    const struct ws_figures_file *gvt = ws_figures_file_of(run, FMT_STREAM_GVT);
    const struct ws_figures_file *rt = ws_figures_file_of(run, FMT_STREAM_RT);
    const struct ws_figures_file *vt = ws_figures_file_of(run, FMT_STREAM_VT);
    uint64_t at_gvt = 0, at_clock = 0;
    const struct ws_figures_file *sampled = points_of(run, rt) > points_of(run, gvt) ? rt : gvt;
    if (gvt != NULL) {
        ws_samples_ahead(&gvt->stream, &at_gvt);
    }
    if (rt != NULL) {
        ws_samples_ahead(&rt->stream, &at_clock);
    }
    const struct ws_figures_file *ahead = at_gvt > at_clock ? gvt : rt;
    run->exact = points_of(run, vt) > 0.0 ? &vt->stream : NULL;
    run->sampled = sampled == NULL ? NULL : &sampled->stream;
    run->ahead_of = ahead == NULL ? NULL : &ahead->stream;
}

/* Reads the records of a stream. Returns false if out of memory. */
static bool stream_gather(struct ws_figures *run, struct ws_figures_file *file)
{
    char known[WS_STATS_BY_MAX] = "";
    bool found = false;
    const struct ws_stats_options options = {
        .top = 5, .by_found = &found, .by_known = known, .over = run};
    ws_select_file(run->select, file->stream.sb, &file->stream.descs);
    return ws_stats_gather(&file->sums, &file->stream, run->select, &options) &&
           (file->sums.tasks == NULL || ws_tasks_over_time(run, file));
}

bool ws_figures_gather(struct ws_figures *run)
{
    /* Samples come first: an event trace fills the curves that they leave open. */
    static const uint32_t order[] = {FMT_STREAM_VT,      FMT_STREAM_GVT,   FMT_STREAM_RT,
                                     FMT_STREAM_EVTRACE, FMT_STREAM_MODEL, FMT_STREAM_TASK,
                                     FMT_STREAM_TRACER};
    assert(run->first != NULL);
    double kps = ws_fact_number(run->first->stream.sb, "kps_per_pe", (double)NAN);
    axes_find(run);
    ws_places_init(&run->places, run->first->stream.sb->layout.n_pes,
                   kps >= 1.0 && kps < 0x1p62 ? (uint64_t)kps : 0);
    for (uint32_t i = 0; i <= WS_BINS; i++) {
        run->clock[i] = (double)NAN;
    }
    sources_choose(run);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        struct ws_figures_file *file = ws_figures_file_of(run, order[i]);
        if (file != NULL && !stream_gather(run, file)) {
            return false;
        }
    }
    struct ws_figures_file *trace = ws_figures_file_of(run, FMT_STREAM_EVTRACE);
    if (run->lps.no_memory || (trace != NULL && !ws_traffic_gather(run, trace))) {
        return false;
    }
    clock_fill(run);
    return ws_figures_evidence(run);
}
