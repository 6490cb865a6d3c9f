/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling.h - samples of the engine's counters and the models' data, at GVT and by wall clock.
 */
#ifndef WARPSCOPE_RECORD_SAMPLING_H
#define WARPSCOPE_RECORD_SAMPLING_H

#include "record/options/options.h"
#include "record/sample/model_stats.h"
#include "record/sample/rt_clock.h"
#include "record/sample/sampler.h"

/* State of sampling at points of one kind: at GVT or by wall clock. */
struct sampling_mode {
    /* Sampler of the engine; it has no channels if the engine is not sampled. */
    struct sampler engine;
    bool model; /* true if the models are sampled at these points */
    enum model_stats_kind kind;
    /* Number of points sampled so far. */
    uint64_t n_points;
};

/* Samples at GVT and by wall clock. A zero-initialised object samples nothing. */
struct sampling {
    struct sampling_mode gvt;
    struct sampling_mode rt;
    struct rt_clock clock;
    bool has_all_lps; /* true if each sample has rows of all LPs, as files of ROSS 8 have */
    unsigned num_gvt; /* N: samples are taken at each Nth GVT computation */
    unsigned gvts_since_sample;
    struct model_stats *model; /* samples of models; owned by the recorder */
    struct lp_counters counters;
};

/*
 * Initialises the samples that the options request. gvt, rt: streams whose channels get the rows;
 * an unused stream has no channels. model must be filled before sampling_attach(). Returns TW_OK or
 * TW_ERR_MEMORY. Release with sampling_fini().
 */
enum tw_status sampling_init(struct sampling *sampling, const struct record_options *options,
                             struct record_stream *gvt, struct record_stream *rt,
                             struct model_stats *model);

/* Starts sampling: adds functions to the probes of table. The arguments must outlive the run. */
void sampling_attach(struct sampling *sampling, struct probe_table *table);

/* The kinds of sampling points that sampling_pause() or sampling_resume() is to affect. */
struct sampling_kinds {
    bool gvt;
    bool rt;
};

/* Stops sampling at points of these kinds until sampling_resume(): takes the last samples, and
 * removes the sampling functions from the probes of table. */
void sampling_pause(struct sampling *sampling, const tw_pe *pe, struct probe_table *table,
                    struct sampling_kinds kinds);

/* Frees the counters of LPs and KPs, which sampling_resume() creates again. Called before LPs move
 * between ranks, and after sampling_pause() of both kinds. */
void sampling_lps_leave(struct sampling *sampling, struct probe_table *table);
/* Begins sampling at points of these kinds again, as the options request. gvt, rt: see
 * sampling_init(). Returns TW_OK or TW_ERR_MEMORY; after TW_ERR_MEMORY, points of these kinds are
 * not sampled. */
enum tw_status sampling_resume(struct sampling *sampling, const tw_pe *pe,
                               struct probe_table *table, const struct record_options *options,
                               struct record_stream *gvt, struct record_stream *rt,
                               struct sampling_kinds kinds);

/* Sets the intervals between samples from the options. */
void sampling_set_intervals(struct sampling *sampling, const struct record_options *options);

/* At a cut, gives the next sample by wall clock the same number on all ranks. Collective. */
void sampling_cut(struct sampling *sampling);
/* Takes a sample of each kind when a checkpoint is written, so that the samples up to it add up to its
 * counters. Sets the numbers of samples in *samples. */
void sampling_checkpoint(struct sampling *sampling, const tw_pe *pe, struct run_samples *samples);

/* Takes the last samples, whose intervals are possibly shorter than usual. models: true to sample
 * models as well. */
void sampling_finish(struct sampling *sampling, const tw_pe *pe, bool models);

void sampling_fini(struct sampling *sampling);

#endif
