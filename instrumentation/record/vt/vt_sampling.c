/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_sampling.c - records sampling points when they are final.
 *
 * After a GVT computation, the points up to GVT are final. They are recorded in order of time, and
 * each point in order of the LPs' gids. A point is recorded only after an event at or past it has
 * committed on this PE, or after the run has ended. GVT alone does not suffice: it may be the time
 * of an event that is cancelled later. If the run ends because there are no more events, its
 * samples must end with the last committed event. The records thus do not depend on the values of
 * GVT.
 *
 * Invariants
 *  V1  Points up to number `recorded` are recorded for all LPs, later points for none.
 *  V2  A run that reaches its end time records points while k * interval <= end. A run without
 *      further events records points up to the last event, the same on all ranks, or all points if
 *      reaches_samp_end is set. A stopped run records points up to its GVT.
 *  V3  The sum of events_committed over all rows of an LP, KP or PE is the number of its committed
 *      events, because the end is also a sampling point. If a signal ends the run when only a part
 *      of the events at one time has committed, an additional point covers that part.
 * Cost for each point and LP: a cache line, the model's callback and the rows.
 */
#include "record/vt/vt_sampling.h"

#include <assert.h>
#include <string.h>

#include "record/buffer/channel_loss.h"
#include "record/sample/model_stats.h"

/* ---- Rows ------------------------------------------------------------------------------------ */

static void write_lp(const struct vt_sampling *s, const tw_lp *lp, const struct vt_point *at,
                     double real_time, uint64_t events)
{
    assert(s->lp_channel != NULL);
    struct fmt_vt_lp_row *row = channel_reserve(s->lp_channel, sizeof(*row));
    *row = (struct fmt_vt_lp_row){.pe = s->pe,
                                  .kp = (uint32_t)lp->kp->id,
                                  .lp = lp->gid,
                                  .vt = at->ts,
                                  .real_time = real_time,
                                  .sample = at->number,
                                  .events_committed = events};
    channel_commit(s->lp_channel, sizeof(*row));
}

static void write_kp(const struct vt_sampling *s, tw_kpid kp, const struct vt_point *at,
                     double real_time)
{
    assert(kp < s->n_kps);
    struct fmt_vt_kp_row *row = channel_reserve(s->kp_channel, sizeof(*row));
    *row = (struct fmt_vt_kp_row){.pe = s->pe,
                                  .kp = (uint32_t)kp,
                                  .vt = at->ts,
                                  .real_time = real_time,
                                  .sample = at->number,
                                  .events_committed = s->kp_sums[kp]};
    channel_commit(s->kp_channel, sizeof(*row));
    s->kp_sums[kp] = 0;
}

static void write_pe(const struct vt_sampling *s, const struct vt_point *at, double real_time,
                     uint64_t events)
{
    struct fmt_vt_pe_row *row = channel_reserve(s->pe_channel, sizeof(*row));
    *row = (struct fmt_vt_pe_row){.pe = s->pe,
                                  .vt = at->ts,
                                  .real_time = real_time,
                                  .sample = at->number,
                                  .events_committed = events};
    channel_commit(s->pe_channel, sizeof(*row));
}

/* Takes the sample of local LP i at a point, and writes a row of model data if the LP has any.
 * Returns the number of the LP's events since the previous point. */
static uint64_t take_lp(struct vt_sampling *s, tw_lpid i, const struct vt_point *at,
                        double real_time)
{
    const struct vt_source *source = &s->timeline.sources[i];
    if (source->size == 0) {
        return vt_timeline_take(&s->timeline, i, at, NULL);
    }
    const tw_lp *lp = s->lps[i];
    size_t bytes = fmt_row_bytes(sizeof(struct fmt_model_lp_row), source->size);
    struct fmt_model_lp_row *row = channel_reserve(s->model_channel, bytes);
    *row = (struct fmt_model_lp_row){.pe = s->pe,
                                     .kp = (uint32_t)lp->kp->id,
                                     .lp = lp->gid,
                                     .gvt = at->ts,
                                     .real_time = real_time,
                                     .kind = MODEL_STATS_VIRTUAL_TIME,
                                     .payload_type = source->payload_type,
                                     .payload_size = source->size,
                                     .sample = at->number,
                                     .lp_ts = at->ts};
    uint64_t events = vt_timeline_take(&s->timeline, i, at, row + 1);
    channel_commit(s->model_channel, bytes);
    return events;
}

/* Counts the rows of point `number` as lost, because memory was exhausted and the point cannot be
 * taken. */
static void lose_point(struct vt_sampling *s, uint64_t number)
{
    uint64_t n_models = 0;
    for (tw_lpid i = 0; s->model_channel != NULL && i < s->n_lps; i++) {
        n_models += s->timeline.sources[i].size != 0;
    }
    channel_lose(s->model_channel, n_models);
    channel_lose(s->lp_channel, s->n_lps);
    channel_lose(s->kp_channel, s->n_kps);
    channel_lose(s->pe_channel, 1);
    s->recorded = number;
}

/* Takes a point without recording it, so that later points exclude its events. */
static void skip_point(struct vt_sampling *s, const struct vt_point *at)
{
    for (tw_lpid i = 0; i < s->n_lps; i++) {
        vt_timeline_take(&s->timeline, i, at, s->unused);
    }
    s->recorded = at->number;
}

static void record_point(struct vt_sampling *s, const struct vt_point *at)
{
    assert(at->number == s->recorded + 1);
    if (at->number == s->unrecorded && !s->timeline.is_off) {
        skip_point(s, at);
        return;
    }
    if (s->timeline.is_off) {
        lose_point(s, at->number);
        return;
    }
    double real_time = run_seconds();
    uint64_t sum = 0;
    for (tw_lpid n = 0; n < s->n_lps; n++) {
        tw_lpid i = s->order != NULL ? s->order[n] : n;
        uint64_t events = take_lp(s, i, at, real_time);
        assert(s->lps[i]->kp->id < s->n_kps);
        sum += events;
        if (s->lp_channel != NULL) {
            write_lp(s, s->lps[i], at, real_time, events);
        }
        s->kp_sums[s->lps[i]->kp->id] += events;
    }
    for (tw_kpid k = 0; s->kp_channel != NULL && k < s->n_kps; k++) {
        write_kp(s, k, at, real_time);
    }
    if (s->pe_channel != NULL) {
        write_pe(s, at, real_time, sum);
    }
    s->recorded = at->number;
}

static void record_until(struct vt_sampling *s, uint64_t last)
{
    while (s->recorded < last) {
        uint64_t number = s->recorded + 1;
        record_point(s, &(struct vt_point){number, vt_timeline_ts(&s->timeline, number)});
    }
}

/* ---- Times of sampling ----------------------------------------------------------------------- */

/* Called at the probe gvt_advanced: records the points that have become final. */
static void gvt_advanced(void *ctx, const tw_pe *pe, tw_stime gvt)
{
    struct vt_sampling *s = ctx;
    (void)pe;
    while (s->recorded < s->timeline.last && !s->timeline.is_off) {
        uint64_t number = s->recorded + 1;
        if (vt_timeline_ts(&s->timeline, number) > gvt ||
            !vt_timeline_is_passed(&s->timeline, number, gvt)) {
            break;
        }
        record_until(s, number);
    }
}

/* Returns the ordinal number of the last sampling point of the run, see invariant V2.
 * Collective. */
static uint64_t last_point(const struct vt_sampling *s, const tw_pe *pe, enum run_end why)
{
    if (why == RUN_END_SIGNAL || why == RUN_END_UNDONE) {
        return vt_timeline_points_until(&s->timeline, pe->GVT);
    }
    if ((why == RUN_END_TIME && s->has_end_time) ||
        (why == RUN_END_NO_EVENTS && s->reaches_samp_end)) {
        return s->timeline.last;
    }
    uint64_t crossed = vt_timeline_crossed(&s->timeline);
    uint64_t mine = crossed > s->recorded ? crossed : s->recorded;
    uint64_t last = 0;
    MPI_Allreduce(&mine, &last, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_ROSS);
    return last;
}

/*
 * Returns true if the end of the run, at virtual time `end`, needs an additional point. A point
 * contains no events at its own time. The last point therefore does not suffice if a signal ended
 * the run when only a part of the events at that time had committed. Collective; the result is
 * equal on all ranks.
 */
static bool is_end_missing(const struct vt_sampling *s, double end)
{
    int mine = vt_timeline_ts(&s->timeline, s->recorded) < end ||
               vt_timeline_has_untaken_events(&s->timeline);
    int any = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_ROSS);
    return any != 0;
}

void vt_sampling_finish(struct vt_sampling *s, const tw_pe *pe, enum run_end why)
{
    if (!s->is_on) {
        return;
    }
    record_until(s, last_point(s, pe, why));
    double end = probe_virtual_time(pe->GVT);
    if (s->takes_end && is_end_missing(s, end)) {
        record_point(s, &(struct vt_point){s->recorded + 1, end});
    }
    if (s->recorded >= RECORD_VT_POINTS_MAX && pe->id == 0) {
        run_warning("--vt-interval=%g: sampling ended after %llu points, at time %g; "
                    "choose its end with --vt-samp-end=T",
                    s->timeline.interval, (unsigned long long)RECORD_VT_POINTS_MAX,
                    vt_timeline_ts(&s->timeline, RECORD_VT_POINTS_MAX));
    }
}

/* ---- Set-up ---------------------------------------------------------------------------------- */

static int compare_gids(const void *a, const void *b)
{
    tw_lpid left = g_tw_lp[*(const tw_lpid *)a]->gid;
    tw_lpid right = g_tw_lp[*(const tw_lpid *)b]->gid;
    return (left > right) - (left < right);
}

/* Sets s->order, unless the LPs are already in ascending order of their gids. Returns TW_OK or
 * TW_ERR_MEMORY. */
static enum tw_status sort_lps(struct vt_sampling *s)
{
    tw_lpid i = 1;
    while (i < s->n_lps && s->lps[i - 1]->gid < s->lps[i]->gid) {
        i++;
    }
    if (i >= s->n_lps) {
        return TW_OK;
    }
    s->order = calloc(s->n_lps, sizeof(*s->order));
    if (s->order == NULL) {
        return TW_ERR_MEMORY;
    }
    for (i = 0; i < s->n_lps; i++) {
        s->order[i] = i;
    }
    qsort(s->order, s->n_lps, sizeof(*s->order), compare_gids);
    return TW_OK;
}

/* Returns the number of the last point that was recorded before the checkpoint from which this run
 * continues. A run with another interval, or without these samples, recorded none; points before the
 * checkpoint are then in the past. */
static uint64_t point_before(const struct vt_sampling *s)
{
    const struct run_samples before = run_samples_before();
    const double interval = s->timeline.interval;
    const uint64_t past = vt_timeline_points_until(&s->timeline, g_tw_pe->GVT);
    bool is_same = !(before.vt_interval < interval || before.vt_interval > interval);
    return is_same && before.vt < past ? before.vt : past;
}

enum tw_status vt_sampling_init(struct vt_sampling *s, const struct record_options *options,
                                struct record_stream *vt, struct record_stream *model,
                                struct vt_slots slots)
{
    bool models = record_options_model_at_vt(options);
    *s = (struct vt_sampling){
        .pe_channel = stream_channel(vt, FMT_RECORD_VT_PE),
        .kp_channel = stream_channel(vt, FMT_RECORD_VT_KP),
        .lp_channel = stream_channel(vt, FMT_RECORD_VT_LP),
        .model_channel = models ? stream_channel(model, FMT_RECORD_MODEL_LP) : NULL,
        .pe = (uint32_t)g_tw_pe->id,
        .is_on = options->vt_stats != 0 || models,
        .takes_end = options->vt_samp_end >= g_tw_ts_end,
        .has_end_time = options->vt_has_end,
        .reaches_samp_end = options->built_for_ross8 && options->vt_samp_end <= DBL_MAX,
        .lps = g_tw_lp,
        .n_lps = g_tw_nlp,
        .n_kps = g_tw_nkp};
    if (!s->is_on) {
        return TW_OK;
    }
    s->kp_sums = calloc(s->n_kps + 1, sizeof(*s->kp_sums));
    enum tw_status status = s->kp_sums != NULL ? sort_lps(s) : TW_ERR_MEMORY;
    if (status == TW_OK) {
        /* Models that are not sampled at virtual times need no slots here. */
        struct vt_slots of_models = models ? slots : (struct vt_slots){0};
        status = vt_timeline_init(&s->timeline, s->lps, s->n_lps, of_models, options->vt_interval,
                                  options->vt_points);
    }
    if (status == TW_OK && g_tw_pe->GVT > 0.0) { /* the run continues from a checkpoint */
        s->recorded = point_before(s);
        vt_timeline_begin_after(&s->timeline, s->recorded);
    }
    return status;
}

void vt_sampling_attach(struct vt_sampling *s, struct probe_table *table)
{
    assert(!s->is_on || s->kp_sums != NULL);
    if (s->is_on) {
        vt_timeline_attach(&s->timeline, table, true);
        PROBE_ADD(table, gvt_advanced, gvt_advanced, s);
    }
}

void vt_sampling_continue(struct vt_sampling *s, const uint64_t *events)
{
    assert(s->is_on);
    for (tw_lpid i = 0; i < s->n_lps; i++) {
        s->timeline.lps[i].events += events[i];
    }
}

uint64_t vt_sampling_events(const struct vt_sampling *s, tw_lpid lp)
{
    const bool known = s->is_on && !s->timeline.is_off;
    return known ? s->timeline.lps[lp].events - s->timeline.lps[lp].taken_events : 0;
}

enum tw_status vt_sampling_begin_after(struct vt_sampling *s, double after, bool continues)
{
    if (!s->is_on) {
        return TW_OK;
    }
    s->recorded = vt_timeline_points_until(&s->timeline, after);
    vt_timeline_begin_after(&s->timeline, s->recorded);
    if (continues) {
        return TW_OK;
    }
    s->unrecorded = s->recorded + 1;
    s->unused = malloc(s->timeline.bytes_max + 8);
    return s->unused != NULL ? TW_OK : TW_ERR_MEMORY;
}

void vt_sampling_cut(struct vt_sampling *s, const tw_pe *pe, bool is_last)
{
    if (s->is_on) {
        record_until(s, last_point(s, pe, is_last ? RUN_END_NO_EVENTS : RUN_END_SIGNAL));
    }
}

void vt_sampling_stop(struct vt_sampling *s, const tw_pe *pe, struct probe_table *table)
{
    if (s->is_on) {
        s->takes_end = false;
        vt_sampling_cut(s, pe, false);
        vt_timeline_attach(&s->timeline, table, false);
        PROBE_REMOVE(table, gvt_advanced, gvt_advanced, s);
    }
}

void vt_sampling_fini(struct vt_sampling *s)
{
    free(s->unused);
    vt_timeline_fini(&s->timeline);
    free(s->order);
    free(s->kp_sums);
    *s = (struct vt_sampling){0};
}

void vt_sampling_check(const struct vt_sampling *s)
{
    if (s->is_on) {
        vt_timeline_check(&s->timeline, s->recorded);
    }
}
