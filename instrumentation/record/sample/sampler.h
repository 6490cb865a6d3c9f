/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampler.h - samples of the engine's counters on one PE, as changes since the previous sample. A
 * sample has a row for the PE, one for each KP, and one for each LP with a change.
 *
 * The first sample has a row for every LP. In later samples, an LP without a row has no change: all
 * its counts are 0.
 *
 * Each way of sampling (at GVT, by wall clock) has its own sampler and accumulators.
 */
#ifndef WARPSCOPE_RECORD_SAMPLE_SAMPLER_H
#define WARPSCOPE_RECORD_SAMPLE_SAMPLER_H

#include "engine/probe.h"
#include "record/buffer/channel.h"
#include "record/buffer/stream.h"
#include "record/sample/lp_counters.h"

/* Number and time of a sampling point, common to all its rows. */
struct sample_point {
    uint64_t number;  /* ordinal number among the points of this kind on this PE, from 0 */
    double gvt;       /* GVT for records, see probe_virtual_time() */
    double real_time; /* seconds of wall-clock time since the start of the run */
};

/* Counters of a KP at the previous sample. */
struct kp_sample {
    struct lp_counts counts; /* unused if counts are kept by LP */
    /* Number of rollbacks, indexed by enum probe_rollback - 1. */
    uint64_t rollbacks[2];
};

/* A sampler of one PE. A zero-initialised sampler samples nothing. */
struct sampler {
    /* Channels for rows; NULL: the sample has no such rows. */
    struct record_channel *pe_channel; /* channel for rows of kind gvt_pe or rt_pe */
    struct record_channel *kp_channel;
    struct record_channel *lp_channel;
    struct record_channel *ahead_channel; /* channel for rows of kind rt_ahead */
    bool has_cycles; /* true if rows of the PE are of kind rt_pe, which has clock cycles */
    uint32_t pe;
    /* Counters at the previous sample; zero at the start. */
    struct tw_counters last;
    struct tw_phase_ticks last_ticks;
    struct processor_time last_processor;
    struct kp_sample *last_kps; /* owned; [k]: counters of KP k at the previous sample */

    /* True if each sample has rows of all LPs, false if only the first sample has. */
    bool has_all_lps;
    bool is_first;   /* true until the first sample */
    bool reads_lps;  /* true if the sampler is a reader of counters that are kept per LP */
    unsigned reader; /* number of the sampler as a reader */
    /* Not owned; current counters of LPs and KPs; NULL: no rows of them. */
    struct lp_counters *counters;
    tw_kp *const *kps; /* not owned; [k]: KP k */
    tw_kpid n_kps;
    /* Owned; [k]: sum of the changes of KP k's LPs; used within one sample. */
    struct lp_counts *kp_sums;
};

/*
 * Initialises a sampler. Rows go to those channels that the stream has: gvt_pe, gvt_kp, gvt_lp or
 * rt_pe, rt_kp, rt_lp, rt_ahead. counters: required for rows of KPs and LPs, otherwise NULL. kps:
 * n_kps KPs. If all_lps is true, each sample has rows of all LPs, as files of ROSS 8 have. All
 * arguments must outlive the sampler. Returns TW_OK or TW_ERR_MEMORY. Release with sampler_fini().
 */
enum tw_status sampler_init(struct sampler *sampler, struct record_stream *stream,
                            struct lp_counters *counters, tw_kp *const *kps, tw_kpid n_kps,
                            bool all_lps);

/* Starts sampling during a run: the next sample has the changes from now on. */
void sampler_begin(struct sampler *sampler, const tw_pe *pe);

/* Adds the rows of the sampling point `at` to the channels. Does not call the model. */
void sampler_sample(struct sampler *sampler, const tw_pe *pe, const struct sample_point *at);

void sampler_fini(struct sampler *sampler);

#endif
