/*
 * vt_sampling.h - records of the PE, its KPs and LPs, and of the models, at exact virtual times
 * (--vt-interval): the same for any number of ranks and in every scheduler.
 */
#ifndef WARPSCOPE_RECORD_VT_SAMPLING_H
#define WARPSCOPE_RECORD_VT_SAMPLING_H

#include "record/options.h"
#include "record/stream.h"
#include "record/vt_timeline.h"

/* Zero-initialised it samples nothing. */
struct vt_sampling {
    struct vt_timeline timeline;
    uint64_t recorded; /* number of the last point that was recorded */
    /* where rows go; NULL: no such rows */
    struct record_lane *pe_lane;
    struct record_lane *kp_lane;
    struct record_lane *lp_lane;
    struct record_lane *model_lane;
    uint32_t pe;
    bool is_on;
    bool takes_end;    /* a last sample at the end of the run */
    bool has_end_time; /* the number of points follows from it; else the run may have none */
    tw_lp *const *lps;
    tw_lpid n_lps;
    tw_lpid *order;    /* local numbers by ascending gid; NULL: they are in this order */
    uint64_t *kp_sums; /* n_kps, of events since the point before, within one point */
    tw_kpid n_kps;
};

/*
 * Prepares what the options ask for. Rows of the engine go to those lanes that vt has; slots say
 * what is recorded of the models, in model's lane. Everything given must outlive the sampling.
 * TW_ERR_MEMORY. Undo with vt_sampling_fini().
 */
enum tw_status vt_sampling_init(struct vt_sampling *sampling, const struct record_options *options,
                                struct record_stream *vt, struct record_stream *model,
                                struct vt_slots slots);

/* Sets the probes. */
void vt_sampling_attach(struct vt_sampling *sampling, struct probe_table *table);

/*
 * What is left, when everything has committed: the points up to the end time of the run (--end), or
 * as far as it got; and one sample of the end itself unless --vt-samp-end says where to stop.
 * Collective.
 */
void vt_sampling_finish(struct vt_sampling *sampling, const tw_pe *pe, enum run_end why);

void vt_sampling_fini(struct vt_sampling *sampling);

/* Aborts with a message when an invariant is broken. For tests. */
void vt_sampling_check(const struct vt_sampling *sampling);

#endif
