/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling.c - decides when to take samples.
 *
 * At GVT: after each Nth GVT computation (--num-gvt), with the events committed until then. GVT may
 * lie between events with the same time stamp, so a sample at GVT may lack events whose time stamp
 * is GVT.
 * By wall clock: at the first turn of the scheduler's loop after the interval has elapsed.
 *
 * Invariants
 *  P1  Engine and models are sampled at the same points, with the same kinds, numbers and times.
 *  P2  At the end of the run, a last sample of each kind is taken for the time since the previous
 *      point, even if nothing has happened since then. So it is when a checkpoint is written; a run
 *      that continues from it continues the numbers of the samples.
 * Cost: by wall clock, an occasional reading of the tick counter (rt_clock.h); nothing else between
 * samples.
 */
#include "record/sampling.h"

#include <assert.h>

#include "base/clock.h"
#include "record/recorder.h"

static bool mode_is_on(const struct sampling_mode *mode)
{
    return mode->model || mode->engine.pe_channel != NULL || mode->engine.kp_channel != NULL ||
           mode->engine.lp_channel != NULL || mode->engine.ahead_channel != NULL;
}

static enum tw_status mode_init(struct sampling_mode *mode, struct sampling *sampling,
                                struct record_stream *stream)
{
    return sampler_init(&mode->engine, stream, &sampling->counters, g_tw_kp, g_tw_nkp,
                        sampling->has_all_lps);
}

enum tw_status sampling_init(struct sampling *sampling, const struct record_options *options,
                             struct record_stream *gvt, struct record_stream *rt,
                             struct model_stats *model)
{
    *sampling = (struct sampling){.gvt = {.kind = MODEL_STATS_GVT,
                                          .model = record_options_model_at_gvt(options),
                                          .n_points = run_samples_before().gvt},
                                  .rt = {.kind = MODEL_STATS_REAL_TIME,
                                         .model = record_options_model_at_rt(options),
                                         .n_points = run_samples_before().rt},
                                  .clock = {.interval_seconds = options->rt_interval_ms * 1e-3},
                                  .num_gvt = options->num_gvt,
                                  .has_all_lps = options->format != RECORD_FORMAT_WARPSCOPE,
                                  .model = model};
    bool engine = options->gvt_stats != 0 || options->rt_stats != 0;
    enum tw_status status = TW_OK;
    if (engine && (options->kp_data != 0 || options->lp_data != 0)) {
        status = lp_counters_init(&sampling->counters, g_tw_lp, g_tw_nlp, g_tw_nkp,
                                  options->lp_data != 0);
    }
    if (status == TW_OK) {
        status = mode_init(&sampling->gvt, sampling, gvt);
    }
    if (status == TW_OK) {
        status = mode_init(&sampling->rt, sampling, rt);
    }
    return status;
}

/* Takes a sample of the engine and, if models is true, of the models. The time that this takes
 * counts as recording. */
static void take_sample(struct sampling *sampling, struct sampling_mode *mode, const tw_pe *pe,
                        bool models)
{
    assert(!mode->model || sampling->model != NULL);
    enum tw_phase before = probe_phase_enter(TW_PHASE_recording);
    struct sample_point at = {
        .number = mode->n_points++, .gvt = probe_virtual_time(pe->GVT), .real_time = run_seconds()};
    sampler_sample(&mode->engine, pe, &at);
    if (models && mode->model) {
        model_stats_sample(sampling->model, g_tw_lp, mode->kind, &at);
    }
    probe_phase_enter(before);
}

/* Called at the probe gvt_advanced. */
static void sample_at_gvt(void *ctx, const tw_pe *pe, tw_stime gvt)
{
    assert(((struct sampling *)ctx)->num_gvt > 0);
    struct sampling *sampling = ctx;
    (void)gvt;
    if (++sampling->gvts_since_sample >= sampling->num_gvt) {
        sampling->gvts_since_sample = 0;
        take_sample(sampling, &sampling->gvt, pe, true);
    }
}

/* Called at the probe turn, at each turn of the scheduler's loop. */
static void sample_at_turn(void *ctx, const tw_pe *pe)
{
    struct sampling *sampling = ctx;
    struct rt_clock *clock = &sampling->clock;
    assert(clock->interval_seconds > 0.0);
    if (!rt_clock_looks(clock) || !rt_clock_is_due(clock, clock_ticks())) {
        return;
    }
    /* At the first reading of the clock, due_ticks is 0 and no sample is due. */
    if (clock->due_ticks != 0) {
        take_sample(sampling, &sampling->rt, pe, true);
    }
    rt_clock_set_next(clock, clock_ticks(), run_seconds());
}

void sampling_attach(struct sampling *sampling, struct probe_table *table)
{
    sampling->clock.ticks_per_second = run_ticks_per_second();
    if (sampling->counters.n_kps > 0) {
        lp_counters_attach(&sampling->counters, table, true);
    }
    if (mode_is_on(&sampling->gvt)) {
        PROBE_ADD(table, gvt_advanced, sample_at_gvt, sampling);
    }
    if (mode_is_on(&sampling->rt)) {
        PROBE_ADD(table, turn, sample_at_turn, sampling);
    }
}

/* ---- Changes during the run ------------------------------------------------------------------ */

void sampling_set_intervals(struct sampling *sampling, const struct record_options *options)
{
    sampling->num_gvt = options->num_gvt;
    double interval_seconds = options->rt_interval_ms * 1e-3;
    if (interval_seconds < sampling->clock.interval_seconds ||
        interval_seconds > sampling->clock.interval_seconds) {
        sampling->clock = (struct rt_clock){.interval_seconds = interval_seconds,
                                            .ticks_per_second = run_ticks_per_second()};
    }
}

void sampling_pause(struct sampling *sampling, const tw_pe *pe, struct probe_table *table,
                    struct sampling_kinds kinds)
{
    if (kinds.gvt && mode_is_on(&sampling->gvt)) {
        take_sample(sampling, &sampling->gvt, pe, true);
        PROBE_REMOVE(table, gvt_advanced, sample_at_gvt, sampling);
        sampler_fini(&sampling->gvt.engine);
        sampling->gvt.model = false;
    }
    if (kinds.rt && mode_is_on(&sampling->rt)) {
        take_sample(sampling, &sampling->rt, pe, true);
        PROBE_REMOVE(table, turn, sample_at_turn, sampling);
        sampler_fini(&sampling->rt.engine);
        sampling->rt.model = false;
    }
}

void sampling_lps_leave(struct sampling *sampling, struct probe_table *table)
{
    if (sampling->counters.n_kps > 0) {
        lp_counters_attach(&sampling->counters, table, false);
        lp_counters_fini(&sampling->counters);
    }
}

/* Creates or frees the counters of LPs and KPs, as the options request. Returns TW_OK or
 * TW_ERR_MEMORY. */
static enum tw_status renew_counters(struct sampling *sampling, struct probe_table *table,
                                     const struct record_options *o)
{
    bool wanted = (o->gvt_stats != 0 || o->rt_stats != 0) && (o->kp_data != 0 || o->lp_data != 0);
    struct lp_counters *counters = &sampling->counters;
    bool fits = wanted == (counters->n_kps > 0) &&
                (!wanted || (o->lp_data != 0) == (counters->lps != NULL));
    if (fits) {
        return TW_OK;
    }
    if (counters->n_kps > 0) {
        lp_counters_attach(counters, table, false);
        lp_counters_fini(counters);
    }
    if (!wanted) {
        return TW_OK;
    }
    enum tw_status status =
        lp_counters_init(counters, g_tw_lp, g_tw_nlp, g_tw_nkp, o->lp_data != 0);
    if (status == TW_OK) {
        lp_counters_attach(counters, table, true);
    }
    return status;
}

static enum tw_status resume_mode(struct sampling *sampling, struct sampling_mode *mode,
                                  struct record_stream *stream, const tw_pe *pe, bool model)
{
    assert(!mode_is_on(mode));
    enum tw_status status = mode_init(mode, sampling, stream);
    if (status == TW_OK) {
        sampler_begin(&mode->engine, pe);
        mode->model = model;
    }
    return status;
}

enum tw_status sampling_resume(struct sampling *sampling, const tw_pe *pe,
                               struct probe_table *table, const struct record_options *options,
                               struct record_stream *gvt, struct record_stream *rt,
                               struct sampling_kinds kinds)
{
    sampling_set_intervals(sampling, options);
    enum tw_status status = renew_counters(sampling, table, options);
    if (status == TW_OK && kinds.gvt) {
        status =
            resume_mode(sampling, &sampling->gvt, gvt, pe, record_options_model_at_gvt(options));
    }
    if (status == TW_OK && kinds.rt) {
        status = resume_mode(sampling, &sampling->rt, rt, pe, record_options_model_at_rt(options));
    }
    if (kinds.gvt && mode_is_on(&sampling->gvt)) {
        sampling->gvts_since_sample = 0;
        PROBE_ADD(table, gvt_advanced, sample_at_gvt, sampling);
    }
    if (kinds.rt && mode_is_on(&sampling->rt)) {
        sampling->clock.due_ticks = 0;
        sampling->clock.to_skip = 0;
        PROBE_ADD(table, turn, sample_at_turn, sampling);
    }
    return status;
}

void sampling_cut(struct sampling *sampling)
{
    if (mode_is_on(&sampling->rt)) {
        MPI_Allreduce(MPI_IN_PLACE, &sampling->rt.n_points, 1, MPI_UINT64_T, MPI_MAX,
                      MPI_COMM_ROSS);
    }
}

void sampling_checkpoint(struct sampling *sampling, const tw_pe *pe, struct run_samples *samples)
{
    sampling_finish(sampling, pe, true);
    sampling->gvts_since_sample = 0;
    samples->gvt = sampling->gvt.n_points;
    samples->rt = sampling->rt.n_points;
}

void sampling_finish(struct sampling *sampling, const tw_pe *pe, bool models)
{
    (void)run_processor_time(true); /* the last samples have all of it */
    if (mode_is_on(&sampling->gvt)) {
        take_sample(sampling, &sampling->gvt, pe, models);
    }
    if (mode_is_on(&sampling->rt)) {
        take_sample(sampling, &sampling->rt, pe, models);
    }
}

void sampling_fini(struct sampling *sampling)
{
    sampler_fini(&sampling->gvt.engine);
    sampler_fini(&sampling->rt.engine);
    lp_counters_fini(&sampling->counters);
    *sampling = (struct sampling){0};
}
