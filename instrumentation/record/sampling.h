/*
 * sampling.h - when samples are taken, at GVT and by wall clock, and of what: the engine's counters
 * and the models' data.
 */
#ifndef WARPSCOPE_RECORD_SAMPLING_H
#define WARPSCOPE_RECORD_SAMPLING_H

#include "record/model_stats.h"
#include "record/options.h"
#include "record/rt_clock.h"
#include "record/sampler.h"

/* Sampling points of one kind. */
struct sampling_mode {
    struct sampler engine; /* without lanes: engine not sampled */
    bool model;            /* sample the models */
    enum model_stats_kind kind;
    uint64_t n_points;
};

/* Zero-initialised it samples nothing. */
struct sampling {
    struct sampling_mode gvt;
    struct sampling_mode rt;
    struct rt_clock clock;
    unsigned num_gvt; /* sample at each Nth GVT */
    unsigned gvts_since_sample;
    struct model_stats *model; /* of the recorder */
    struct lp_counters counters;
};

/*
 * Prepares what the options ask for. gvt, rt: streams whose lanes take the rows (unused ones have
 * none). model must be filled in before sampling_attach(). TW_ERR_MEMORY. Undo with
 * sampling_fini().
 */
enum tw_status sampling_init(struct sampling *sampling, const struct record_options *options,
                             struct record_stream *gvt, struct record_stream *rt,
                             struct model_stats *model);

/* Sets the probes. The objects given must outlive the run. */
void sampling_attach(struct sampling *sampling, struct probe_table *table);

/* The last samples, those of the partial intervals. models: of the models as well. */
void sampling_finish(struct sampling *sampling, const tw_pe *pe, bool models);

void sampling_fini(struct sampling *sampling);

#endif
