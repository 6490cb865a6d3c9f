/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_sampling.h - records of the PE, its KPs and LPs, and of the models, at exact virtual times
 * (--vt-interval). The records are the same for any number of ranks and under every scheduler.
 */
#ifndef WARPSCOPE_RECORD_VT_VT_SAMPLING_H
#define WARPSCOPE_RECORD_VT_VT_SAMPLING_H

#include "record/buffer/stream.h"
#include "record/options/options.h"
#include "record/sample/model_stats.h"
#include "record/vt/vt_counts.h"
#include "record/vt/vt_timeline.h"

/* State of sampling at virtual times. A zero-initialised object samples nothing. */
struct vt_sampling {
    struct vt_points points;
    struct vt_counts counts;     /* committed events */
    struct vt_timeline timeline; /* states of models; unused unless model_channel is set */
    uint64_t recorded;           /* ordinal number of the point recorded last; 0: none */
    /* Channels for rows; NULL: a sample has no such rows. */
    struct record_channel *pe_channel;
    struct record_channel *kp_channel;
    struct record_channel *lp_channel;
    struct record_channel *model_channel;
    uint32_t pe;
    bool is_on;
    bool takes_end;    /* true if the end of the run gets an additional sample */
    bool has_end_time; /* true if the run has an end time, which determines the number of points */
    /* True if a run without further events records the points up to --vt-samp-end, as in ROSS 8. */
    bool reaches_samp_end;
    tw_lp *const *lps;
    tw_lpid n_lps;
    /* Owned; local LP ids in ascending order of gids; NULL: the LPs are in this order already. */
    tw_lpid *order;
    uint32_t *ranks; /* owned; [i]: place of local LP i in `order`; NULL as `order` */
    tw_kpid n_kps;
    tw_lpid *kp_firsts; /* owned; [k]: first local LP of KP k */
    /* Ordinal number of the point that has rows for all LPs, see vt_sampling.c; 0: none. */
    uint64_t complete;
    /* Ordinal number of the point that has the models' rows of all LPs, see vt_models.c. */
    uint64_t first_models;
    tw_lpid n_models;          /* number of LPs with data of models */
    tw_lpid first_held;        /* first LP, in the order of gids, whose data hold; n_lps: none */
    bool holds;                /* true if the data of any LP hold */
    bool holds_all;            /* true if, beside, all LPs with data have data that hold */
    struct model_calls *calls; /* not owned; counts of calls; NULL: they are not counted */
    /* Ordinal number of the point that is taken but not recorded, see vt_sampling_begin_after(); 0:
     * none. */
    uint64_t unrecorded;
    unsigned char *unused; /* owned; memory for the data of the point `unrecorded` */
};

/*
 * Initialises the sampling that the options request. vt: stream for the rows of the engine; kinds
 * of rows without a channel in vt are not recorded. model: stream for the rows with model data.
 * slots: payloads of the local LPs, from which these rows are made. vt, model and the arrays of
 * slots must outlive the sampling. Returns TW_OK or TW_ERR_MEMORY. Release with vt_sampling_fini().
 */
enum tw_status vt_sampling_init(struct vt_sampling *sampling, const struct record_options *options,
                                struct record_stream *vt, struct record_stream *model,
                                struct vt_slots slots);

/* Starts sampling: adds functions to the probes of table. */
void vt_sampling_attach(struct vt_sampling *sampling, struct probe_table *table);

/* Prepares sampling that begins during the run. Call it before vt_sampling_attach(). All executed
 * events must be before the virtual time `after`, and final. Unless the sampling continues, the first
 * point after that time is taken but not recorded, because its counts would lack earlier events; later
 * points are exact. Returns TW_OK or TW_ERR_MEMORY. */
enum tw_status vt_sampling_begin_after(struct vt_sampling *sampling, double after, bool continues);
/* Events since the last point that a local LP carries to a restarted run or to another rank. */
struct vt_carried {
    uint64_t of_lp;
    /* Events of all LPs of its KP, if LPs are not counted; 0 except for the first LP of a KP. */
    uint64_t of_kp;
};
/* Adds events to those since the last point, before any event. carried: [i], those of local LP i. */
void vt_sampling_continue(struct vt_sampling *sampling, const struct vt_carried *carried);
/* Returns the events of a local LP since the last point; none if nothing is sampled. Callable when no
 * executed event can be undone any more. */
struct vt_carried vt_sampling_carried(const struct vt_sampling *sampling, tw_lpid lp);

/* Records the points up to a cut, at GVT: states must include the effects of sample_event_fn before
 * they are copied, and before g_tw_gvt_hook may change them. is_last: the run has no event at the cut
 * or later; then records the points up to the last event. Collective. */
void vt_sampling_cut(struct vt_sampling *sampling, const tw_pe *pe, bool is_last);

/* Ends sampling during the run, when no executed event can be undone any more. Records the points
 * up to GVT, and removes the functions from the probes of table. Collective. */
void vt_sampling_stop(struct vt_sampling *sampling, const tw_pe *pe, struct probe_table *table);

/*
 * Records the remaining points after the last commit: up to the end time of the run (--end), or up
 * to the virtual time at which the run really ended; in a program built for ROSS 8 up to
 * --vt-samp-end, if it was given. Adds one sample of the end itself unless
 * --vt-samp-end limits the samples. Collective.
 */
void vt_sampling_finish(struct vt_sampling *sampling, const tw_pe *pe, enum run_end why);

void vt_sampling_fini(struct vt_sampling *sampling);

/* Returns true if the invariants hold. */
bool vt_sampling_check(const struct vt_sampling *sampling);

#endif
