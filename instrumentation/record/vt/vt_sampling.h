/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_sampling.h - records of the PE, its KPs and LPs, and of the models, at exact virtual times
 * (--vt-interval). These records are the same for any number of ranks and in every scheduler.
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
    bool takes_end;    /* true if the end of the run gets a sample of its own */
    bool has_end_time; /* true if the run has an end time, which determines the number of points */
    tw_lp *const *lps;
    tw_lpid n_lps;
    tw_lpid *order; /* local LP ids by ascending gid; NULL: LPs are in this order already */
    /* [n_kps] events of each KP since the previous point; used within one point. */
    uint64_t *kp_sums;
    tw_kpid n_kps;
    /* Number of the point that is taken but not recorded, see vt_sampling_begin_after(); 0:
     * none. */
    uint64_t unrecorded;
    unsigned char *unused; /* owned; memory for the data of the point `unrecorded` */
};

/*
 * Prepares the samples that the options request. Rows of the engine go to those channels that vt
 * has. slots: payloads of the LPs' model data, whose rows go to the channel of model. All arguments
 * must outlive the sampling. Returns TW_OK or TW_ERR_MEMORY. Release with vt_sampling_fini().
 */
enum tw_status vt_sampling_init(struct vt_sampling *sampling, const struct record_options *options,
                                struct record_stream *vt, struct record_stream *model,
                                struct vt_slots slots);

/* Adds functions to the probes, which starts sampling. */
void vt_sampling_attach(struct vt_sampling *sampling, struct probe_table *table);

/* Begins sampling during the run, before vt_sampling_attach(). All executed events must be before
 * the time `after`, and final. The first point after that time is taken but not recorded, because
 * its counts would lack earlier events; later points are exact. Returns TW_OK or TW_ERR_MEMORY. */
enum tw_status vt_sampling_begin_after(struct vt_sampling *sampling, double after);

/* Ends sampling during the run. No executed event may still be undone. Records the points up to
 * GVT, and removes the functions from the probes. Collective. */
void vt_sampling_stop(struct vt_sampling *sampling, const tw_pe *pe, struct probe_table *table);

/*
 * Records the remaining points after the last commit: up to the end time of the run (--end), or up
 * to the time at which it really ended. Adds one sample of the end itself unless --vt-samp-end
 * limits the samples. Collective.
 */
void vt_sampling_finish(struct vt_sampling *sampling, const tw_pe *pe, enum run_end why);

void vt_sampling_fini(struct vt_sampling *sampling);

/* Aborts with a message if an invariant is violated. For tests. */
void vt_sampling_check(const struct vt_sampling *sampling);

#endif
