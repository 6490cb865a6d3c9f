/* SPDX-License-Identifier: BSD-3-Clause */
/* causes.c - a walk over a trace that finds the cause of each event; see open_events.h. */
#include <stdlib.h>

#include "analyze/open_events.h"
#include "cli/messages.h"

/* The latest event of an LP. */
struct latest {
    double ts;
    uint32_t order; /* its ordinal, from 0, among the events of the LP at this time */
    uint32_t pe;    /* its PE, plus 1; 0: no event yet */
};

struct causes {
    struct analyze_trace *trace;
    struct analyze_opens opens;
    struct latest *lps; /* owned; indexed by LP */
    analyze_with_cause_f take;
    void *ctx;
    uint64_t missing;
};

static enum analyze_taken causes_take(const struct analyze_event *e, bool must,
                                      const struct analyze_event *ahead, void *ctx)
{
    struct causes *w = ctx;
    struct latest *lp = &w->lps[e->lp];
    struct analyze_open *cause;
    if (ahead != NULL) {
        __builtin_prefetch(&w->lps[ahead->lp]);
        if (ahead->send_order >= 0) {
            analyze_open_prefetch(&w->opens, ahead->src, ahead->send_ts,
                                  (uint32_t)ahead->send_order);
        }
    }
    if (!analyze_cause_find(&w->opens, w->trace->n_pes, e, must, &w->lps[e->src].pe, &cause)) {
        return ANALYZE_WAITS;
    }
    const bool is_first = lp->pe == 0, in_order = is_first || !(e->ts < lp->ts);
    lp->order = !is_first && analyze_same_time(lp->ts, e->ts) ? lp->order + 1 : 0;
    lp->ts = e->ts;
    lp->pe = e->pe + 1;
    struct analyze_open now = {.ts = e->ts, .lp = e->lp, .order = lp->order, .left = e->sent};
    w->take(e, cause, &now, w->ctx);
    w->missing += e->send_order >= 0 && cause == NULL;
    if (cause != NULL) {
        analyze_cause_leave(&w->opens, cause);
    }
    if (e->sent > 0 && in_order && !analyze_open_add(&w->opens, &now)) {
        ws_no_memory(NULL);
        return ANALYZE_STOP;
    }
    return ANALYZE_TAKEN;
}

bool analyze_causes_walk(struct analyze_trace *trace, analyze_with_cause_f take, void *ctx,
                         uint64_t *missing)
{
    struct causes w = {.trace = trace, .take = take, .ctx = ctx};
    w.lps = calloc(trace->lps.n + 1, sizeof *w.lps);
    const bool good =
        (w.lps != NULL || ws_no_memory(NULL)) &&
        analyze_trace_walk(trace, ANALYZE_READ_TIMES | ANALYZE_READ_CAUSES, causes_take, &w);
    *missing = w.missing;
    analyze_opens_free(&w.opens);
    free(w.lps);
    return good;
}
