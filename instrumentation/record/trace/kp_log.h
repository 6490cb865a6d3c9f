/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kp_log.h - a log per KP, with a row for each executed event that may still be undone.
 *
 * Execution adds a row, undoing removes it. Commits do not change the log. When GVT advances, the
 * log drops whole chunks of rows whose events GVT has passed, since these will never be undone.
 *
 * Invariants
 *  K1  The youngest rows of a KP are those of its uncommitted events, in the order of execution.
 *  K2  Each row begins with the receive time of its event.
 * Cost: a push and a pop as in row_undo_log.h; a visit to each KP per GVT computation.
 */
#ifndef WARPSCOPE_RECORD_TRACE_KP_LOG_H
#define WARPSCOPE_RECORD_TRACE_KP_LOG_H

#include "record/trace/row_undo_log.h"
#include "ross.h"

/* A zero-initialised log is empty and has no KPs. */
struct kp_log {
    struct row_undo_log *kps; /* owned; [k]: rows of KP k */
    tw_kpid n_kps;
    size_t row_bytes; /* size of a row in bytes, a multiple of 8 */
    struct row_pool pool;
};

/* Initialises a log for n_kps KPs with rows of row_bytes bytes. Returns false if memory is
 * exhausted. Release with kp_log_fini(). */
bool kp_log_init(struct kp_log *log, tw_kpid n_kps, size_t row_bytes);
void kp_log_fini(struct kp_log *log);
/* Drops all rows of all KPs. */
void kp_log_clear(struct kp_log *log);
/* Drops chunks of rows whose events are all before gvt. */
void kp_log_trim(struct kp_log *log, double gvt);

/* Adds a row for the executed event e to the log of its KP, and stores the receive time in it.
 * Returns the row; NULL if memory is exhausted. */
static inline void *kp_log_push(struct kp_log *log, const tw_event *e)
{
    double *row = row_undo_log_push(&log->kps[e->dest_lp->kp->id], &log->pool, log->row_bytes);
    if (row != NULL) {
        *row = e->recv_ts;
    }
    return row;
}

/* Returns true if the youngest row in the log of e's KP has the receive time of e. The row then
 * belongs to e or to a simultaneous event. */
static inline bool kp_log_has(const struct kp_log *log, const tw_event *e)
{
    const struct row_undo_log *kp = &log->kps[e->dest_lp->kp->id];
    if (kp->young == NULL || kp->young->begin == kp->young->end) {
        return false;
    }
    const double *row = row_undo_log_youngest(kp, log->row_bytes);
    return *row >= e->recv_ts && *row <= e->recv_ts;
}

/* Returns the youngest row in the log of e's KP. Called after e was undone: the row is that of
 * e. */
static inline const void *kp_log_youngest(const struct kp_log *log, const tw_event *e)
{
    return row_undo_log_youngest(&log->kps[e->dest_lp->kp->id], log->row_bytes);
}

/* Drops the youngest row in the log of e's KP. */
static inline void kp_log_drop(struct kp_log *log, const tw_event *e)
{
    row_undo_log_pop_young(&log->kps[e->dest_lp->kp->id], &log->pool, log->row_bytes);
}

#endif
