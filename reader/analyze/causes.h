/* SPDX-License-Identifier: BSD-3-Clause */
/* causes.h - functions for passes that follow events to their causes. Used only in
 * reader/analyze. */
#ifndef WARPSCOPE_READER_ANALYZE_CAUSES_H
#define WARPSCOPE_READER_ANALYZE_CAUSES_H

#include "analyze/open_events.h"
#include "analyze/trace.h"

/* Returns a + b, or UINT64_MAX if the sum would overflow, as it can with a hostile trace. */
static inline uint64_t analyze_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Returns true if two times are equal. */
static inline bool analyze_same_time(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* Returns true if event e, whose cause is not open, should wait for it: the cause may be an event
 * of another PE at the same time, which the walk has not reached yet. src_pe: number of the PE of
 * the last event of e->src, plus 1; 0: no event. */
static inline bool analyze_can_wait(const struct analyze_trace *trace,
                                    const struct analyze_event *e, uint32_t src_pe)
{
    return trace->n_pes > 1 && analyze_same_time(e->send_ts, e->ts) && e->lp != e->src &&
           src_pe != e->pe + 1;
}

/* Decrements the number of events that `cause` sent and that the walk has not reached yet. Removes
 * `cause` from the open events when that number is 0. */
static inline void analyze_cause_leave(struct analyze_opens *opens, struct analyze_open *cause)
{
    if (--cause->left == 0) {
        analyze_open_remove(opens, cause);
    }
}

#endif
