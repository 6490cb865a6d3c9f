/* SPDX-License-Identifier: BSD-3-Clause */
/* kp_log.c - see kp_log.h. */
#include "record/trace/kp_log.h"

#include <stdlib.h>
#include <string.h>

bool kp_log_init(struct kp_log *log, tw_kpid n_kps, size_t row_bytes)
{
    assert(row_bytes >= sizeof(double) && row_bytes % 8 == 0);
    *log = (struct kp_log){.n_kps = n_kps, .row_bytes = row_bytes};
    log->kps = calloc(n_kps + 1, sizeof(*log->kps));
    row_pool_init(&log->pool, row_bytes);
    return log->kps != NULL;
}

void kp_log_clear(struct kp_log *log)
{
    for (tw_kpid k = 0; log->kps != NULL && k < log->n_kps; k++) {
        row_undo_log_clear(&log->kps[k], &log->pool);
    }
}

void kp_log_fini(struct kp_log *log)
{
    kp_log_clear(log);
    row_pool_fini(&log->pool);
    free(log->kps);
    *log = (struct kp_log){0};
}

/* Returns true if the events of all rows in a chunk precede gvt. The chunk must have rows; they are
 * in ascending order of time. */
static bool chunk_is_past(const struct kp_log *log, const struct row_chunk *c, double gvt)
{
    double youngest;
    assert(c->begin < c->end);
    memcpy(&youngest, c->bytes + c->end - log->row_bytes, sizeof(youngest));
    return youngest < gvt;
}

void kp_log_trim(struct kp_log *log, double gvt)
{
    for (tw_kpid k = 0; k < log->n_kps; k++) {
        struct row_undo_log *kp = &log->kps[k];
        while (kp->old != kp->young && chunk_is_past(log, kp->old, gvt)) {
            kp->old->begin = kp->old->end;
            row_undo_log_drop_old(kp, &log->pool);
        }
        if (kp->old != NULL && kp->old == kp->young && kp->old->begin < kp->old->end &&
            chunk_is_past(log, kp->old, gvt)) {
            row_chunk_reset(kp->old);
        }
    }
}
