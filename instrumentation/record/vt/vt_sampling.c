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
 * The engine's rows come from counts of committed events (vt_counts.h), those of models from the
 * states of LPs (vt_models.h, vt_timeline.h).
 *
 * Invariants
 *  V1  Points up to number `recorded` are recorded for all LPs, later points for none.
 *  V2  A run that reaches its end time records points while k * interval <= end. A run without
 *      further events records points up to the last event, the same on all ranks, or all points if
 *      reaches_samp_end is set. A stopped run records points up to its GVT.
 *  V3  The sum of events_committed over all rows of an LP, KP or PE is the number of its committed
 *      events, because the end is also a sampling point. If a signal ends the run when only a part
 *      of the events at one time has committed, an additional point covers that part.
 *  V4  The engine's rows of a point are those of the PE, of all KPs, and of the LPs with events
 *      since the point before. Point `complete`, the first one of the recording, has rows of all
 *      LPs.
 * Cost for each point: that of its rows.
 */
#include "record/vt/vt_sampling.h"

#include <assert.h>
#include <string.h>

#include "record/base/probe_set.h"
#include "record/buffer/channel_loss.h"
#include "record/vt/vt_models.h"

/* ---- Rows of the engine ---------------------------------------------------------------------- */

static void write_lp(const struct vt_sampling *s, const struct vt_recording *r, uint64_t gid,
                     uint32_t kp, uint64_t events)
{
    assert(s->lp_channel != NULL);
    struct fmt_vt_lp_row *row = channel_reserve(s->lp_channel, sizeof(*row));
    *row = (struct fmt_vt_lp_row){.pe = s->pe,
                                  .kp = kp,
                                  .lp = gid,
                                  .vt = r->at.ts,
                                  .real_time = r->real_time,
                                  .sample = r->at.number,
                                  .events_committed = events};
    channel_commit(s->lp_channel, sizeof(*row));
}

static void write_lps_with_events(const struct vt_sampling *s, const struct vt_recording *r)
{
    for (uint32_t i = 0; r->counts != NULL && i < r->counts->n_lps; i++) {
        const struct vt_count *lp = &r->counts->lps[i];
        write_lp(s, r, lp->gid, lp->kp, lp->events);
    }
}

static void write_all_lps(const struct vt_sampling *s, const struct vt_recording *r)
{
    uint32_t next = 0; /* entry of the counts */
    for (tw_lpid n = 0; n < s->n_lps; n++) {
        const tw_lp *lp = s->lps[s->order != NULL ? s->order[n] : n];
        bool has_events =
            r->counts != NULL && next < r->counts->n_lps && r->counts->lps[next].lp == lp->id;
        write_lp(s, r, lp->gid, (uint32_t)lp->kp->id, has_events ? r->counts->lps[next].events : 0);
        next += has_events;
    }
}

static void write_kp(const struct vt_sampling *s, const struct vt_recording *r, tw_kpid kp,
                     uint64_t events)
{
    assert(kp < s->n_kps);
    struct fmt_vt_kp_row *row = channel_reserve(s->kp_channel, sizeof(*row));
    *row = (struct fmt_vt_kp_row){.pe = s->pe,
                                  .kp = (uint32_t)kp,
                                  .vt = r->at.ts,
                                  .real_time = r->real_time,
                                  .sample = r->at.number,
                                  .events_committed = events};
    channel_commit(s->kp_channel, sizeof(*row));
}

static void write_pe(const struct vt_sampling *s, const struct vt_recording *r, uint64_t events)
{
    struct fmt_vt_pe_row *row = channel_reserve(s->pe_channel, sizeof(*row));
    *row = (struct fmt_vt_pe_row){.pe = s->pe,
                                  .vt = r->at.ts,
                                  .real_time = r->real_time,
                                  .sample = r->at.number,
                                  .events_committed = events};
    channel_commit(s->pe_channel, sizeof(*row));
}

static void record_engine(const struct vt_sampling *s, const struct vt_recording *r)
{
    if (s->counts.is_off) { /* memory was exhausted, and the counts are incomplete */
        channel_lose(s->lp_channel, s->n_lps);
        channel_lose(s->kp_channel, s->n_kps);
        channel_lose(s->pe_channel, 1);
        return;
    }
    if (s->lp_channel != NULL && r->at.number == s->complete) {
        write_all_lps(s, r);
    } else if (s->lp_channel != NULL) {
        write_lps_with_events(s, r);
    }
    uint64_t sum = 0;
    for (tw_kpid k = 0; k < s->n_kps; k++) {
        const uint64_t events = r->counts != NULL ? r->counts->kps[k] : 0;
        sum += events;
        if (s->kp_channel != NULL) {
            write_kp(s, r, k, events);
        }
    }
    if (s->pe_channel != NULL) {
        write_pe(s, r, sum);
    }
}

/* ---- Points ---------------------------------------------------------------------------------- */

static void record_point(struct vt_sampling *s, const struct vt_point *at)
{
    assert(at->number == s->recorded + 1);
    struct vt_recording r = {.at = *at,
                             .real_time = run_seconds(),
                             .counts =
                                 vt_counts_take(&s->counts, s->lp_channel != NULL || s->holds)};
    const bool has_models = s->model_channel != NULL;
    if (at->number != s->unrecorded) {
        if (has_models) {
            vt_models_record(s, &r);
        }
        record_engine(s, &r);
    } else if (has_models) {
        vt_models_skip(s, &r);
    }
    s->recorded = at->number;
}

static void record_until(struct vt_sampling *s, uint64_t last)
{
    while (s->recorded < last) {
        uint64_t number = s->recorded + 1;
        record_point(s, &(struct vt_point){number, vt_points_ts(&s->points, number)});
    }
}

/* ---- Times of sampling ----------------------------------------------------------------------- */

/* Called at the probe gvt_advanced: records the points that have become final. */
static void gvt_advanced(void *ctx, const tw_pe *pe, tw_stime gvt)
{
    struct vt_sampling *s = ctx;
    (void)pe, (void)gvt;
    while (s->recorded < s->points.last && vt_counts_are_past(&s->counts, s->recorded + 1)) {
        assert(vt_points_ts(&s->points, s->recorded + 1) <= gvt);
        record_until(s, s->recorded + 1);
    }
}

/* Returns the ordinal number of the last sampling point of the run, see invariant V2.
 * Collective. */
static uint64_t last_point(const struct vt_sampling *s, const tw_pe *pe, enum run_end why)
{
    if (why == RUN_END_SIGNAL || why == RUN_END_UNDONE) {
        return vt_points_until(&s->points, pe->GVT);
    }
    if ((why == RUN_END_TIME && s->has_end_time) ||
        (why == RUN_END_NO_EVENTS && s->reaches_samp_end)) {
        return s->points.last;
    }
    uint64_t mine = s->recorded;
    if (vt_counts_are_past(&s->counts, s->recorded)) {
        mine = s->counts.latest - 1;
    }
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
    int mine = vt_points_ts(&s->points, s->recorded) < end ||
               (!s->counts.is_off && vt_counts_are_left(&s->counts));
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
                    s->points.interval, (unsigned long long)RECORD_VT_POINTS_MAX,
                    vt_points_ts(&s->points, RECORD_VT_POINTS_MAX));
    }
}

/* ---- Set-up ---------------------------------------------------------------------------------- */

static int compare_gids(const void *a, const void *b)
{
    tw_lpid left = g_tw_lp[*(const tw_lpid *)a]->gid;
    tw_lpid right = g_tw_lp[*(const tw_lpid *)b]->gid;
    return (left > right) - (left < right);
}

/* Sets s->order and s->ranks, unless the LPs are already in ascending order of their gids. Returns
 * TW_OK or TW_ERR_MEMORY. */
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
    s->ranks = calloc(s->n_lps, sizeof(*s->ranks));
    if (s->order == NULL || s->ranks == NULL) {
        return TW_ERR_MEMORY;
    }
    for (i = 0; i < s->n_lps; i++) {
        s->order[i] = i;
    }
    qsort(s->order, s->n_lps, sizeof(*s->order), compare_gids);
    for (i = 0; i < s->n_lps; i++) {
        s->ranks[s->order[i]] = (uint32_t)i;
    }
    return TW_OK;
}

/* Sets s->kp_firsts. Returns false if memory is exhausted. */
static bool find_kp_firsts(struct vt_sampling *s)
{
    s->kp_firsts = calloc(s->n_kps + 1, sizeof(*s->kp_firsts));
    for (tw_lpid i = s->n_lps; s->kp_firsts != NULL && i-- > 0;) {
        s->kp_firsts[s->lps[i]->kp->id] = i;
    }
    return s->kp_firsts != NULL;
}

/* Prepares a run that continues from a checkpoint, from which the points recorded before are known.
 * A run with another interval, or without these samples, recorded none; points before the
 * checkpoint are then in the past. */
static void continue_run(struct vt_sampling *s)
{
    const struct run_samples before = run_samples_before();
    const double interval = s->points.interval;
    const uint64_t past = vt_points_until(&s->points, g_tw_pe->GVT);
    bool is_same = !(before.vt_interval < interval || before.vt_interval > interval);
    s->recorded = is_same && before.vt < past ? before.vt : past;
    s->complete = is_same ? s->complete : s->recorded + 1;
    s->first_models = s->recorded + 1;
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
        .points = {options->vt_interval, options->vt_points},
        .complete = 1,
        .first_models = 1,
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
    enum tw_status status = find_kp_firsts(s) ? sort_lps(s) : TW_ERR_MEMORY;
    if (status == TW_OK && s->model_channel != NULL) {
        status = vt_timeline_init(&s->timeline, s->lps, s->n_lps, slots, s->points);
    }
    if (status == TW_OK) {
        const bool holds = s->model_channel != NULL && vt_models_find(s);
        status = vt_counts_init(&s->counts, s->points, s->n_kps, s->n_lps, s->ranks,
                                s->lp_channel != NULL || holds);
    }
    if (status == TW_OK && g_tw_pe->GVT > 0.0) {
        continue_run(s);
        vt_counts_begin_after(&s->counts, s->recorded);
        vt_timeline_begin_after(&s->timeline, s->recorded);
    }
    return status;
}

/* Adds functions to the probes of table; on == false: removes them. */
static void attach(struct vt_sampling *s, struct probe_table *table, bool on)
{
    vt_counts_attach(&s->counts, table, on);
    if (s->model_channel != NULL) {
        vt_timeline_attach(&s->timeline, table, on);
    }
    PROBE_SET(on, table, gvt_advanced, gvt_advanced, s);
}

void vt_sampling_attach(struct vt_sampling *s, struct probe_table *table)
{
    if (s->is_on) {
        attach(s, table, true);
    }
}

void vt_sampling_continue(struct vt_sampling *s, const struct vt_carried *carried)
{
    assert(s->is_on);
    for (tw_lpid i = 0; i < s->n_lps; i++) {
        if (carried[i].of_lp > 0) {
            vt_counts_add(&s->counts, s->lps[i], carried[i].of_lp, false);
        }
        if (carried[i].of_kp > 0) {
            vt_counts_add(&s->counts, s->lps[i], carried[i].of_kp, true);
        }
    }
}

struct vt_carried vt_sampling_carried(const struct vt_sampling *s, tw_lpid lp)
{
    struct vt_carried carried = {0, 0};
    if (s->is_on) {
        const tw_kpid kp = s->lps[lp]->kp->id;
        carried.of_lp = vt_counts_of_lp(&s->counts, lp);
        carried.of_kp = s->kp_firsts[kp] == lp ? vt_counts_of_kp(&s->counts, kp) : 0;
    }
    return carried;
}

enum tw_status vt_sampling_begin_after(struct vt_sampling *s, double after, bool continues)
{
    if (!s->is_on) {
        return TW_OK;
    }
    s->recorded = vt_points_until(&s->points, after);
    s->complete = 1;
    s->first_models = s->recorded + 1;
    vt_counts_begin_after(&s->counts, s->recorded);
    vt_timeline_begin_after(&s->timeline, s->recorded);
    if (continues) {
        return TW_OK;
    }
    s->unrecorded = s->recorded + 1;
    s->complete = s->first_models = s->recorded + 2;
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
        attach(s, table, false);
    }
}

void vt_sampling_fini(struct vt_sampling *s)
{
    free(s->unused);
    vt_counts_fini(&s->counts);
    vt_timeline_fini(&s->timeline);
    free(s->order);
    free(s->ranks);
    free(s->kp_firsts);
    *s = (struct vt_sampling){0};
}

bool vt_sampling_check(const struct vt_sampling *s)
{
    return !s->is_on ||
           (vt_counts_check(&s->counts) &&
            (s->model_channel == NULL || vt_timeline_check(&s->timeline, s->recorded)));
}
