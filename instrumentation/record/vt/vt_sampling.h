/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_sampling.h - records of the PE, its KPs and LPs, and of the models, at exact virtual times
 * (--vt-interval). They are the same for any number of ranks and in every scheduler.
 */
#ifndef WARPSCOPE_RECORD_VT_VT_SAMPLING_H
#define WARPSCOPE_RECORD_VT_VT_SAMPLING_H

#include "record/buffer/stream.h"
#include "record/options/options.h"
#include "record/vt/vt_timeline.h"

/* State of sampling at virtual times. A zero-initialised object samples nothing. */
struct vt_sampling {
    struct vt_timeline timeline;
    uint64_t recorded; /* number of the last recorded point */
    /* Channels for rows; NULL: no such rows. */
    struct record_channel *pe_channel;
    struct record_channel *kp_channel;
    struct record_channel *lp_channel;
    struct record_channel *model_channel;
    uint32_t pe;
    bool is_on;
    bool takes_end;    /* true if the end of the run is sampled */
    bool has_end_time; /* true if the run has an end time, which determines the number of points */
    tw_lp *const *lps;
    tw_lpid n_lps;
    tw_lpid *order; /* local LP numbers by ascending gid; NULL: LPs are in this order already */
    /* [n_kps] events of each KP since the previous point; used within one point. */
    uint64_t *kp_sums;
    tw_kpid n_kps;
    uint64_t unrecorded;   /* number of a point that is taken but not recorded; 0: none */
    unsigned char *unused; /* owned; space for its data */
};

/*
 * Prepares what the options request. Rows of the engine go to those channels that vt has. slots:
 * data recorded of the models, in the channel of model. All arguments must outlive the sampling.
 * Returns TW_OK or TW_ERR_MEMORY. Release with vt_sampling_fini().
 */
enum tw_status vt_sampling_init(struct vt_sampling *sampling, const struct record_options *options,
                                struct record_stream *vt, struct record_stream *model,
                                struct vt_slots slots);

/* Adds functions to the probes, which starts sampling. */
void vt_sampling_attach(struct vt_sampling *sampling, struct probe_table *table);

/* Begins in the middle of a run, before vt_sampling_attach(). All executed events are before the time
 * `after`, and none of them is undone. The first point after that time is taken but not recorded, as
 * it lacks events; the others are exact. Returns TW_OK or TW_ERR_MEMORY. */
enum tw_status vt_sampling_begin_after(struct vt_sampling *sampling, double after);

/* Ends in the middle of a run, when no executed event can be undone: records the points up to GVT, and
 * removes the functions. Collective. */
void vt_sampling_stop(struct vt_sampling *sampling, const tw_pe *pe, struct probe_table *table);

/*
 * Records the remaining points when everything has committed: up to the end time of the run
 * (--end), or up to its actual end. Adds one sample of the end itself unless --vt-samp-end limits
 * the samples. Collective.
 */
void vt_sampling_finish(struct vt_sampling *sampling, const tw_pe *pe, enum run_end why);

void vt_sampling_fini(struct vt_sampling *sampling);

/* Aborts with a message if an invariant is violated. For tests. */
void vt_sampling_check(const struct vt_sampling *sampling);

#endif
