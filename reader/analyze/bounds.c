/* SPDX-License-Identifier: BSD-3-Clause */
/* bounds.c - finds bounds on the speed-up of placements; see bounds.h. Paths are found as in
 * forward.c. */
#include "analyze/bounds.h"

#include <assert.h>
#include <stdlib.h>

#include "analyze/open_events.h"
#include "analyze/trace.h"

_Static_assert(ANALYZE_BOUNDS_MAX < ANALYZE_LENGTHS, "an open event has a length per placement");

struct bound_lp {
    /* Length of the longest path that ends with its last event, without a placement. */
    uint64_t length;
    double last_ts;
    uint32_t order; /* ordinal, from 0, of its last event among its events at the same time */
    uint32_t pe;    /* number of the PE of its last event, plus 1; 0: no event yet */
};

/* A rank of a placement. length: length of the longest path that ends with the last event of the
 * rank; work: sum of the weights of its events. */
struct bound_rank {
    uint64_t length, work;
};

struct pass {
    struct analyze_bounds *bounds;
    struct analyze_trace trace;
    struct analyze_opens opens;
    struct bound_lp *lps;                         /* owned; indexed by LP */
    struct bound_rank *ranks[ANALYZE_BOUNDS_MAX]; /* owned; [k][r]: rank r of placement k */
    /* Lengths of the critical path: [0] without a placement, [1 + k] with placement k. */
    uint64_t lengths[ANALYZE_LENGTHS];
    uint64_t work;
    bool no_memory;
};

static inline uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Computes the lengths of the longest paths that end with event e, and stores them in *now, in *lp,
 * and in the rank of the event in each placement. cause: open cause of the event; NULL: none. */
static void lengths_add(struct pass *p, const struct analyze_event *e, struct bound_lp *lp,
                        const struct analyze_open *cause, struct analyze_open *now)
{
    const struct analyze_bounds *b = p->bounds;
    uint64_t weight = b->by_time ? e->handler_time : 1;
    uint64_t from = cause == NULL ? lp->length : larger(lp->length, cause->lengths[0]);
    now->lengths[0] = lp->length = analyze_add(from, weight);
    p->lengths[0] = larger(p->lengths[0], lp->length);
    p->work = analyze_add(p->work, weight);
    for (uint32_t k = 0; k < b->n; k++) {
        const uint32_t *rank_of = b->list[k].rank;
        struct bound_rank *rank = &p->ranks[k][rank_of == NULL ? e->pe : rank_of[e->lp]];
        from = cause == NULL ? rank->length : larger(rank->length, cause->lengths[k + 1]);
        now->lengths[k + 1] = rank->length = analyze_add(from, weight);
        rank->work = analyze_add(rank->work, weight);
        p->lengths[k + 1] = larger(p->lengths[k + 1], rank->length);
    }
}

static enum analyze_taken event_take(const struct analyze_event *e, bool must,
                                     const struct analyze_event *ahead, void *ctx)
{
    struct pass *p = ctx;
    struct bound_lp *lp = &p->lps[e->lp];
    struct analyze_open *cause = NULL;
    bool initial = e->send_order < 0;
    if (ahead != NULL) {
        __builtin_prefetch(&p->lps[ahead->lp]);
        if (ahead->send_order >= 0) {
            analyze_open_prefetch(&p->opens, ahead->src, ahead->send_ts,
                                  (uint32_t)ahead->send_order);
        }
    }
    if (!initial && e->send_ts <= e->ts) {
        cause = analyze_open_find(&p->opens, e->src, e->send_ts, (uint32_t)e->send_order);
        if (cause == NULL && !must && analyze_can_wait(&p->trace, e, p->lps[e->src].pe)) {
            return ANALYZE_WAITS;
        }
    }
    bool is_first = lp->pe == 0, in_order = is_first || !(e->ts < lp->last_ts);
    lp->order = !is_first && analyze_same_time(lp->last_ts, e->ts) ? lp->order + 1 : 0;
    lp->last_ts = e->ts;
    lp->pe = e->pe + 1;
    struct analyze_open now = {.ts = e->ts, .lp = e->lp, .order = lp->order, .left = e->sent};
    lengths_add(p, e, lp, cause, &now);
    p->bounds->missing += !initial && cause == NULL;
    if (cause != NULL) {
        analyze_cause_leave(&p->opens, cause);
    }
    if (e->sent > 0 && in_order && !analyze_open_add(&p->opens, &now)) {
        p->no_memory = true;
        return ANALYZE_STOP;
    }
    return ANALYZE_TAKEN;
}

static double ratio(uint64_t work, uint64_t length)
{
    return length > 0 ? (double)work / (double)length : 0.0;
}

static void results_take(struct pass *p)
{
    struct analyze_bounds *b = p->bounds;
    b->any = ratio(p->work, p->lengths[0]);
    for (uint32_t k = 0; k < b->n; k++) {
        uint64_t most = 0;
        uint32_t n = b->list[k].rank == NULL ? p->trace.n_pes : b->list[k].n_ranks;
        for (uint32_t r = 0; r < n; r++) {
            most = larger(most, p->ranks[k][r].work);
        }
        b->list[k].at_most = ratio(p->work, larger(most, p->lengths[0]));
        b->list[k].in_order = ratio(p->work, p->lengths[k + 1]);
    }
}

static bool pass_run(struct pass *p)
{
    struct analyze_bounds *b = p->bounds;
    b->why = NULL;
    p->no_memory = (p->lps = calloc(p->trace.lps.n, sizeof *p->lps)) == NULL;
    for (uint32_t k = 0; k < b->n; k++) {
        size_t n = b->list[k].rank == NULL ? p->trace.n_pes : b->list[k].n_ranks;
        p->ranks[k] = calloc(n, sizeof *p->ranks[k]);
        p->no_memory |= p->ranks[k] == NULL;
    }
    b->by_time = b->by_time && p->trace.is_timed;
    bool good = !p->no_memory && analyze_trace_walk(&p->trace, ANALYZE_READ_CAUSES, event_take, p);
    b->why = good ? NULL : "out of memory";
    if (good) {
        results_take(p);
    }
    return good;
}

bool analyze_bounds_find(struct analyze_bounds *b, struct ws_file *file)
{
    assert(b->n > 0 && b->n <= ANALYZE_BOUNDS_MAX);
    const struct ws_file *where;
    bool good = false;
    struct pass *p = calloc(1, sizeof *p);
    if (p == NULL) {
        b->why = "out of memory";
        return false;
    }
    p->bounds = b;
    if (ws_trace_problem(file, ANALYZE_NEEDS, &where, &b->why) == NULL) {
        b->why = "record with this version of Warpscope";
        good = analyze_trace_init(&p->trace, file, false) && p->trace.is_exact && pass_run(p);
    }
    analyze_trace_free(&p->trace);
    analyze_opens_free(&p->opens);
    for (uint32_t k = 0; k < b->n; k++) {
        free(p->ranks[k]);
    }
    free(p->lps);
    free(p);
    return good;
}
