/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_stats.h - model statistics: records of LPs at sampling points (--model-stats).
 *
 * The first sample has a record of every LP with model data. In later samples, an LP whose payload
 * holds (payload_types.h) has a record only if it has executed or undone events since its last record.
 * The first of these LPs always has one, so that each sampling point of a PE has a record.
 */
#ifndef WARPSCOPE_RECORD_SAMPLE_MODEL_STATS_H
#define WARPSCOPE_RECORD_SAMPLE_MODEL_STATS_H

#include "engine/probe.h"
#include "record/buffer/channel.h"
#include "record/describe/payload_types.h"
#include "record/sample/sampler.h"

/* Calls of models by the samples after the first one, for LPs whose payloads do not hold. */
struct model_calls {
    uint64_t all;
    uint64_t due; /* calls for LPs that have executed or undone events since the sample before */
};

/* Samples of one PE. A zero-initialised object samples nothing. */
struct model_stats {
    struct record_channel *channel;
    const struct payload_slot *slots; /* [i]: payload slot of local LP i; n_lps entries */
    tw_lpid n_lps;
    uint32_t pe;
    /* Owned; sets with one bit per LP. changed: LPs that have executed or undone events since their
     * last record; always: LPs that are sampled even if they have not. */
    uint64_t *changed, *always;
    bool has_data; /* true if any LP has model data */
    struct model_calls calls;
};

/* Values of the field "kind" in records of model statistics. */
enum model_stats_kind {
    MODEL_STATS_GVT = 1,
    MODEL_STATS_REAL_TIME = 2,
    MODEL_STATS_VIRTUAL_TIME = 3 /* sampled at virtual times, see vt_sampling.h */
};

/* Initialises samples for `channel`. slots: as above; must outlive the samples. Returns TW_OK or
 * TW_ERR_MEMORY. Release with model_stats_fini(). */
enum tw_status model_stats_init(struct model_stats *stats, struct record_channel *channel,
                                const struct payload_slot *slots, tw_lpid n_lps, uint32_t pe);
void model_stats_fini(struct model_stats *stats);

/* Adds to the probes of table the functions that note which LPs have executed or undone events. */
void model_stats_attach(struct model_stats *stats, struct probe_table *table);
/* Removes these functions, if they were added, and ends the samples. */
void model_stats_end(struct model_stats *stats, struct probe_table *table);

/* Calls model_stat_fn for each local LP in `lps` that is to be sampled, in the order of `lps`, and
 * records the results. at: the sampling point. */
void model_stats_sample(struct model_stats *stats, tw_lp *const *lps, enum model_stats_kind kind,
                        const struct sample_point *at);

#endif
