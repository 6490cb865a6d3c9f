/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_stats.h - model statistics: one record per LP and sampling point (--model-stats).
 */
#ifndef WARPSCOPE_RECORD_SAMPLE_MODEL_STATS_H
#define WARPSCOPE_RECORD_SAMPLE_MODEL_STATS_H

#include "record/buffer/channel.h"
#include "record/describe/payload_types.h"
#include "record/sample/sampler.h"

struct model_stats {
    struct record_channel *channel;
    const struct payload_slot *slots; /* [i]: payload slot of local LP i; n_lps entries */
    tw_lpid n_lps;
    uint32_t pe;
};

/* Values of the field "kind" in records of model statistics. */
enum model_stats_kind {
    MODEL_STATS_GVT = 1,
    MODEL_STATS_REAL_TIME = 2,
    MODEL_STATS_VIRTUAL_TIME = 3 /* sampled at virtual times, see vt_sampling.h */
};

/* Returns the size in bytes of the largest record with a payload of at most payload_max bytes, as
 * fmt_row_bytes() computes it. */
size_t model_stats_row_bytes(size_t payload_max);

/* Calls model_stat_fn for each local LP in `lps` that has this callback, in the order of `lps`, and
 * records the results. at: the sampling point. */
void model_stats_sample(struct model_stats *stats, tw_lp *const *lps, enum model_stats_kind kind,
                        const struct sample_point *at);

#endif
