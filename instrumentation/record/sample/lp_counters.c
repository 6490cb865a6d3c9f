/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_counters.c - counts by LP or KP, from probes.
 *
 * The counts of an LP share one cache line: an event touches one line here, besides the LP itself.
 * If only records of KPs are wanted, there are no lines of LPs, and an event counts for its KP at
 * once: the cost of a sample then depends on the number of KPs, not LPs. If records of both are
 * wanted, sums over the LPs give the counts of the KPs.
 *
 * Invariants
 *  C1  Each count only grows, by one for each call of its probe.
 *  C2  Counts are kept in lps or in kps, never in both; rollbacks always in kps.
 * Cost: about five instructions and a cache line per call.
 */
#include "record/sample/lp_counters.h"

#include <assert.h>
#include <stdlib.h>

/* Returns memory for max(n, 1) lines of line_bytes bytes, zeroed and 64-aligned; NULL if memory is
 * exhausted. */
static void *make_lines(uint64_t n, size_t line_bytes)
{
    assert(line_bytes % 64 == 0);
    if (n > SIZE_MAX / 2 / line_bytes) {
        return NULL;
    }
    size_t bytes = (n == 0 ? 1 : (size_t)n) * line_bytes;
    void *lines = aligned_alloc(64, bytes);
    if (lines != NULL) {
        memset(lines, 0, bytes);
    }
    return lines;
}

enum tw_status lp_counters_init(struct lp_counters *counters, tw_lp *const *lps, tw_lpid n_lps,
                                tw_kpid n_kps, bool by_lp)
{
    *counters = (struct lp_counters){.n_kps = n_kps};
    counters->kps = make_lines(n_kps, sizeof(struct kp_line));
    if (by_lp) {
        counters->lps = make_lines(n_lps, sizeof(struct lp_line));
    }
    if (counters->kps == NULL || (by_lp && counters->lps == NULL)) {
        lp_counters_fini(counters);
        return TW_ERR_MEMORY;
    }
    for (tw_lpid i = 0; by_lp && i < n_lps; i++) {
        counters->lps[i].gid = lps[i]->gid;
        counters->lps[i].kp = (uint32_t)lps[i]->kp->id;
    }
    counters->n_lps = by_lp ? n_lps : 0;
    return TW_OK;
}

static inline struct lp_counts *counts_of(const struct lp_counters *counters, const tw_lp *lp)
{
    assert(counters->lps == NULL ? lp->kp->id < counters->n_kps : lp->id < counters->n_lps);
    return counters->lps != NULL ? &counters->lps[lp->id].counts
                                 : &counters->kps[lp->kp->id].counts;
}

static void count_executed(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    const struct lp_counters *counters = ctx;
    if (counters->lps != NULL) {
        probe_prefetch(ahead, counters->lps, sizeof(struct lp_line));
    }
    counts_of(counters, e->dest_lp)->events_processed++;
}

static void count_undone(void *ctx, const tw_event *e, bool state_restored)
{
    (void)state_restored;
    counts_of(ctx, e->dest_lp)->events_rolled_back++;
}

static void count_cancelled(void *ctx, tw_lp *lp)
{
    counts_of(ctx, lp)->events_aborted++;
}

static void count_rollback(void *ctx, const tw_event *e, enum probe_rollback why)
{
    const struct lp_counters *counters = ctx;
    assert(why == PROBE_ROLLBACK_PRIMARY || why == PROBE_ROLLBACK_SECONDARY);
    counters->kps[e->dest_lp->kp->id].rollbacks[why - PROBE_ROLLBACK_PRIMARY]++;
}

static void count_sent(void *ctx, tw_lp *source, bool anti)
{
    struct lp_counts *counts = counts_of(ctx, source);
    counts->network_sends++;
    counts->remote_events += !anti;
}

static void count_received(void *ctx, tw_lp *dest, bool anti)
{
    (void)anti;
    counts_of(ctx, dest)->network_recvs++;
}

void lp_counters_attach(struct lp_counters *counters, struct probe_table *table)
{
    PROBE_ADD(table, event_executed, count_executed, counters);
    PROBE_ADD(table, event_undone, count_undone, counters);
    PROBE_ADD(table, event_cancelled, count_cancelled, counters);
    PROBE_ADD(table, rollback_begin, count_rollback, counters);
    PROBE_ADD(table, message_sent, count_sent, counters);
    PROBE_ADD(table, message_received, count_received, counters);
}

void lp_counters_detach(struct lp_counters *counters, struct probe_table *table)
{
    PROBE_REMOVE(table, event_executed, count_executed, counters);
    PROBE_REMOVE(table, event_undone, count_undone, counters);
    PROBE_REMOVE(table, event_cancelled, count_cancelled, counters);
    PROBE_REMOVE(table, rollback_begin, count_rollback, counters);
    PROBE_REMOVE(table, message_sent, count_sent, counters);
    PROBE_REMOVE(table, message_received, count_received, counters);
}

void lp_counters_fini(struct lp_counters *counters)
{
    free(counters->lps);
    free(counters->kps);
    *counters = (struct lp_counters){0};
}

_Static_assert(sizeof(struct lp_line) == 64, "one cache line");
_Static_assert(sizeof(struct kp_line) == 64, "one cache line");
