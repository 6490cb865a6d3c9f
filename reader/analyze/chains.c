/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chains.c - counts chains of events of an LP, and events per cycle; see analyze.h.
 *
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
#include <assert.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "store/array.h"

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
        bool two = 2 * i + 1 < levels->n;
        levels->counts[i] = levels->counts[2 * i] + (two ? levels->counts[2 * i + 1] : 0);
        levels->times[i] = levels->times[2 * i] + (two ? levels->times[2 * i + 1] : 0.0);
    }
    if (n < levels->n) { /* without elements there are no arrays */
        memset(levels->counts + n, 0, (levels->n - n) * sizeof *levels->counts);
        memset(levels->times + n, 0, (levels->n - n) * sizeof *levels->times);
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
        if (!array_reserve_zero(&levels->counts, &levels->room_counts, i + 1,
                                sizeof *levels->counts) ||
            !array_reserve_zero(&levels->times, &levels->room_times, i + 1,
                                sizeof *levels->times)) {
            return false;
        }
        levels->n = i + 1;
    }
    levels->counts[i]++;
    levels->times[i] += ts;
    return true;
}

void analyze_levels_free(struct analyze_levels *levels)
{
    free(levels->counts);
    free(levels->times);
    *levels = (struct analyze_levels){0};
}
