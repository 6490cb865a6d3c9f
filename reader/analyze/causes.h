/* SPDX-License-Identifier: BSD-3-Clause */
/* causes.h - what passes that follow events to their causes share (inside analyze only). */
#ifndef WARPSCOPE_READER_ANALYZE_CAUSES_H
#define WARPSCOPE_READER_ANALYZE_CAUSES_H

#include "analyze/open_events.h"
#include "analyze/trace.h"

/* Adds lengths; hostile ones stay at the greatest number. */
static inline uint64_t analyze_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Returns true if the times are equal. */
static inline bool analyze_same_time(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* Returns true if the cause of the event, which is not open, may be an event of another PE at the
 * same time. src_pe: PE of the sender's last event, plus 1; 0: none. */
static inline bool analyze_can_wait(const struct analyze_trace *trace,
                                    const struct analyze_event *e, uint32_t src_pe)
{
    return trace->n_pes > 1 && analyze_same_time(e->send_ts, e->ts) && e->lp != e->src &&
           src_pe != e->pe + 1;
}

/* Counts an event as taken that an open event sent; the last one ends its being open. */
static inline void analyze_cause_leave(struct analyze_opens *opens, struct analyze_open *cause)
{
    if (--cause->left == 0) {
        analyze_open_remove(opens, cause);
    }
}

#endif
