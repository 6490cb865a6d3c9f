/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forward.c - the first pass: finds lengths of paths, and sums over all events; see analyze.h.
 *
 * An event is open from its execution until the walk has reached all events that it sent, which
 * look it up as their cause.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "cli/messages.h"
#include "store/array.h"

/* Returns the LP type that payload description `id` names: index of the type plus 1; 0: unknown. */
static inline uint32_t type_of(const struct analyze *a, uint32_t id)
{
    const struct fmt_desc_set *descs = &a->trace.file->descs;
    const struct fmt_payload_desc *desc = id == 0 ? NULL : fmt_desc_set_find(descs, id);
    return desc == NULL ? 0 : a->type_of[desc - descs->descs];
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* Computes the lengths of the longest paths that end with event e, and stores them in *now, in *lp,
 * and in the rank of the event. Adds the event to the sums of its rank. */
static void lengths_add(struct analyze *a, const struct analyze_event *e, struct analyze_lp *lp,
                        const struct analyze_open *cause, struct analyze_open *now)
{
    uint32_t rank = analyze_rank(a, e->lp, e->pe);
    struct analyze_pe *pe = &a->pes[rank];
    bool is_remote = cause != NULL && analyze_rank(a, e->src, cause->pe) != rank;
    pe->events++;
    pe->handler_time += e->handler_time;
    a->remote += is_remote;
    uint64_t weights[3] = {1, e->handler_time,
                           a->options->latency_time ? e->handler_time : ANALYZE_EVENT_UNITS};
    for (uint32_t k = 0; k < 3; k++) {
        if ((k == 1 && !a->trace.times.is_timed) || (k == 2 && !a->options->has_latency)) {
            continue;
        }
        uint64_t cost = k == 2 && is_remote ? a->latency : 0, lp_from = lp->lengths[k];
        uint64_t pe_from = pe->lengths[k];
        if (cause != NULL) {
            lp_from = analyze_larger(lp_from, analyze_add(cause->lengths[2 * k], cost));
            pe_from = analyze_larger(pe_from, analyze_add(cause->lengths[2 * k + 1], cost));
        }
        now->lengths[2 * k] = lp->lengths[k] = analyze_add(lp_from, weights[k]);
        now->lengths[2 * k + 1] = pe->lengths[k] = analyze_add(pe_from, weights[k]);
        a->lengths[2 * k + 1] = analyze_larger(a->lengths[2 * k + 1], now->lengths[2 * k + 1]);
        if (now->lengths[2 * k] > a->lengths[2 * k] || a->path_end == 0) {
            a->lengths[2 * k] = now->lengths[2 * k];
            a->path_end = a->path_of == 2 * k ? e->number + 1 : a->path_end;
        }
    }
}

/* Stores in a->before the predecessor of event e on the longest path to it. before: length of the
 * longest path that ends with the previous event of the LP. */
static void predecessor_store(struct analyze *a, const struct analyze_event *e,
                              const struct analyze_lp *lp, uint64_t before,
                              const struct analyze_open *cause)
{
    uint64_t *to = ws_pages_at(&a->before, e->number);
    bool by_cause = cause != NULL && (lp->last == 0 || cause->lengths[a->path_of] > before);
    *to = by_cause ? (cause->number + 1) | ANALYZE_BY_CAUSE : lp->last;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static void ties_end(struct analyze_ties *ties)
{
    if (ties->n > 1) {
        ties->groups++;
        ties->events += ties->n;
        ties->largest = analyze_larger(ties->largest, ties->n);
    }
}

static void ties_add(struct analyze *a, double ts)
{
    struct analyze_ties *ties = &a->ties;
    if (ties->n > 0 && analyze_same_time(ties->ts, ts)) {
        ties->n++;
        return;
    }
    ties_end(ties);
    ties->n = 1;
    ties->ts = ts;
}

static void pair_add(struct analyze *a, const struct analyze_event *e, uint32_t src_type,
                     uint32_t dest_type)
{
    assert(src_type <= ANALYZE_TYPES_MAX && dest_type <= ANALYZE_TYPES_MAX);
    struct analyze_pair *pair = &a->pairs[src_type][dest_type];
    double offset = e->ts - e->send_ts;
    if (pair->events++ == 0) {
        pair->min = pair->lookahead = HUGE_VAL;
        pair->max = -HUGE_VAL;
    }
    pair->sum += offset;
    pair->min = offset < pair->min ? offset : pair->min;
    pair->max = offset > pair->max ? offset : pair->max;
    if (e->lp == e->src) {
        pair->self++;
    } else if (offset < pair->lookahead) {
        pair->lookahead = offset;
    }
    ws_histogram_add(&a->offsets, offset, 1);
}

/* Adds an event to the sums of its LP. Returns the ordinal of the event among the events of the LP
 * at the same time. */
static uint32_t lp_add(struct analyze *a, const struct analyze_event *e, struct analyze_lp *lp)
{
    uint32_t type = lp->type == 0 || a->types.n > 1 ? type_of(a, e->type) : 0;
    bool is_tie = lp->last > 0 && analyze_same_time(lp->last_ts, e->ts);
    lp->type = type != 0 ? type : lp->type;
    a->ties.lp_events += is_tie ? (lp->order == 0 ? 2u : 1u) : 0u;
    lp->order = is_tie ? lp->order + 1 : 0;
    a->moves += lp->pe != 0 && lp->pe != e->pe + 1;
    lp->pe = e->pe + 1;
    lp->events++;
    lp->handler_time += e->handler_time;
    a->handler_time += e->handler_time;
    if (a->events++ == 0) {
        a->first_ts = e->ts;
    }
    a->last_ts = e->ts;
    a->n_lps = analyze_larger(a->n_lps, analyze_larger(e->lp, e->src) + (uint64_t)1);
    return lp->order;
}

/* ---- Chains ---------------------------------------------------------------------------------- */

/*
 * A chain is a sequence of consecutive events of an LP that the LP could execute at once, without
 * knowing events of other LPs. Any LP may have sent the first event of a chain. The events after it
 *
 *  local:   were sent by the LP itself, before the time of the chain's first event
 *  linked:  were sent by the LP itself, possibly by events of the chain
 *  global:  were sent by any LP, before the time of the chain's first event
 *
 * An event that does not continue a chain begins the next one, so that each event is in one chain
 * of each kind.
 */

static void chain_end(struct analyze_chains *chains, uint32_t length)
{
    if (length > 0) {
        chains->n++;
        chains->counts[length < ANALYZE_CHAIN_MAX ? length : ANALYZE_CHAIN_MAX]++;
        chains->longest = length > chains->longest ? length : chains->longest;
    }
}

void analyze_chains_add(struct analyze *a, struct analyze_lp *lp, const struct analyze_event *e,
                        bool initial)
{
    bool own = e->lp == e->src;
    bool goes_on[ANALYZE_CHAINS] = {
        [ANALYZE_LOCAL] = own && (initial || e->send_ts < lp->chain_from[0]),
        [ANALYZE_LINKED] = own,
        [ANALYZE_GLOBAL] = initial || e->send_ts < lp->chain_from[1],
    };
    for (uint32_t k = 0; k < ANALYZE_CHAINS; k++) {
        if (lp->chain[k] > 0 && goes_on[k]) {
            lp->chain[k]++;
            continue;
        }
        chain_end(&a->chains[k], lp->chain[k]);
        lp->chain[k] = 1;
        if (k != ANALYZE_LINKED) {
            lp->chain_from[k == ANALYZE_GLOBAL] = e->ts;
        }
    }
}

void analyze_chains_end(struct analyze *a, struct analyze_lp *lp)
{
    for (uint32_t k = 0; k < ANALYZE_CHAINS; k++) {
        chain_end(&a->chains[k], lp->chain[k]);
        lp->chain[k] = 0;
    }
}

/* ---- Cycles ---------------------------------------------------------------------------------- */

/* Halves the number of elements. Each element then covers twice as many cycles. */
static void levels_fold(struct analyze_levels *levels)
{
    assert(levels->n <= levels->n_max);
    size_t n = (levels->n + 1) / 2;
    for (size_t i = 0; i < n; i++) {
        struct analyze_level sum = levels->list[2 * i];
        if (2 * i + 1 < levels->n) {
            sum.events += levels->list[2 * i + 1].events;
            sum.times += levels->list[2 * i + 1].times;
        }
        levels->list[i] = sum;
    }
    levels->n = n;
    levels->shift++;
}

bool analyze_levels_add(struct analyze_levels *levels, uint64_t level, double ts)
{
    assert(level > 0 && levels->n_max >= 2);
    uint64_t i = (level - 1) >> levels->shift;
    while (i >= levels->n_max) {
        levels_fold(levels);
        i = (level - 1) >> levels->shift;
    }
    if (i >= levels->n) {
        if (!array_reserve(&levels->list, &levels->room, i + 1, sizeof *levels->list)) {
            return false;
        }
        memset(levels->list + levels->n, 0, (i + 1 - levels->n) * sizeof *levels->list);
        levels->n = i + 1;
    }
    levels->list[i].events++;
    levels->list[i].times += ts;
    return true;
}

void analyze_levels_free(struct analyze_levels *levels)
{
    free(levels->list);
    *levels = (struct analyze_levels){0};
}

/* ---- Open events ----------------------------------------------------------------------------- */

/* Inlined, because GCC would remove calls to a function that only prefetches. */
static inline __attribute__((always_inline)) void prefetch(const struct analyze *a,
                                                           const struct analyze_event *e)
{
    const struct analyze_event *near = e - ANALYZE_PREFETCH / 2;
    __builtin_prefetch(&a->lps[e->lp]);
    __builtin_prefetch((const char *)&a->lps[e->lp] + 64);
    if (e->send_order >= 0) {
        analyze_open_prefetch(&a->opens, e->src, e->send_ts, (uint32_t)e->send_order);
    }
    if (e->sent > 0) {
        analyze_open_prefetch(&a->opens, e->lp, e->ts, 0);
    }
    if (near->send_order >= 0) {
        analyze_open_prefetch_place(&a->opens, near->src, near->send_ts,
                                    (uint32_t)near->send_order);
    }
}

static enum analyze_taken event_take(const struct analyze_event *e, bool must,
                                     const struct analyze_event *ahead, void *ctx)
{
    struct analyze *a = ctx;
    struct analyze_lp *lp = &a->lps[e->lp];
    struct analyze_open *cause;
    bool initial = e->send_order < 0;
    if (ahead != NULL) {
        prefetch(a, ahead);
    }
    if (!analyze_cause_find(&a->opens, a->trace.n_pes, e, must, &a->lps[e->src].pe, &cause)) {
        return ANALYZE_WAITS;
    }
    uint64_t before = lp->lengths[a->path_of / 2];
    bool in_order = lp->last == 0 || !(e->ts < lp->last_ts);
    struct analyze_open
        now; /* set by members: GCC fills in an initialiser with a slow instruction */
    now.ts = e->ts;
    now.lp = e->lp;
    now.left = e->sent;
    now.pe = e->pe;
    now.real_time = e->real_time;
    now.number = e->number;
    memset(now.lengths, 0, sizeof now.lengths);
    now.order = lp_add(a, e, lp);
    now.type = lp->type;
    lengths_add(a, e, lp, cause, &now);
    predecessor_store(a, e, lp, before, cause);
    bool good = (analyze_levels_add(&a->levels, now.lengths[ANALYZE_EVENTS_LP], e->ts) ||
                 ws_no_memory(&a->failed)) &&
                !a->failed;
    ties_add(a, e->ts);
    analyze_chains_add(a, lp, e, initial);
    if (!initial) {
        pair_add(a, e, cause != NULL ? cause->type : a->lps[e->src].type, lp->type);
        a->self[e->lp] += e->src == e->lp;
        good = good && (e->src == e->lp || ws_edges_add(&a->edges, e->src, e->lp, 1));
    }
    a->initial += initial;
    a->missing += !initial && cause == NULL;
    if (cause != NULL) {
        ws_histogram_add(cause->pe != e->pe ? &a->remote_delay : &a->local_delay,
                         e->real_time - cause->real_time, 1);
        analyze_cause_leave(&a->opens, cause);
    }
    lp->last = e->number + 1;
    lp->last_ts = e->ts;
    good = good && (e->sent == 0 || !in_order || analyze_open_add(&a->opens, &now) ||
                    ws_no_memory(&a->failed));
    return good ? ANALYZE_TAKEN : ANALYZE_STOP;
}

bool analyze_forward(struct analyze *a)
{
    if (!analyze_trace_walk(&a->trace, ANALYZE_READ_TIMES | ANALYZE_READ_CAUSES, event_take, a)) {
        return false;
    }
    ties_end(&a->ties);
    for (uint64_t i = 0; i < a->n_lps; i++) {
        analyze_chains_end(a, &a->lps[i]);
        if (a->lps[i].events > 0) {
            ws_histogram_add(&a->skew, (double)a->lps[i].events, 1);
        }
    }
    a->opens_most = a->opens.most;
    analyze_opens_free(&a->opens);
    return true;
}
