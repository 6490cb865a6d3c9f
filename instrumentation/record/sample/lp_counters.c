/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_counters.c - counters per LP or per KP, updated at probes.
 *
 * The counts of an LP share one cache line: an event thus accesses one line here, besides the LP
 * itself. If only records of KPs are wanted, LPs have no lines, and an event counts directly for
 * its KP: the cost of a sample then depends on the number of KPs, not LPs. If records of KPs and
 * LPs are wanted, sums over the LPs give the counts of the KPs.
 *
 * Invariants
 *  C1  A count grows by one for each call of its probe. A reader sets the counts of LPs to 0.
 *  C2  Counts are kept in lps or in kps, never in both; rollbacks always in kps.
 *  C3  An LP with counts above 0 is in the set `changed`.
 *  C4  With two readers, the changes of an LP for a reader are the sum of the LP's counts and the
 *      LP's entry in `changes` of that reader. Changes that a reader takes from the counts are
 *      added to the other reader's `changes`. With only one reader, `changes` is unused.
 * Cost: about ten instructions and a cache line per call of a probe. Two readers double the cost of
 * taking the counts.
 */
#include "record/sample/lp_counters.h"

#include <assert.h>
#include <stdlib.h>

#include "record/base/probe_set.h"

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

/* Returns an empty set with space for n_lps LPs, one bit per LP; NULL if memory is exhausted. */
static uint64_t *make_set(uint64_t n_lps)
{
    return make_lines((n_lps + 511) / 512, 64);
}

static void reader_drop(struct lp_reader *reader)
{
    free(reader->changes);
    free(reader->changed);
    *reader = (struct lp_reader){0};
}

enum tw_status lp_counters_init(struct lp_counters *counters, tw_lp *const *lps, tw_lpid n_lps,
                                tw_kpid n_kps, bool by_lp)
{
    *counters = (struct lp_counters){.n_kps = n_kps};
    counters->kps = make_lines(n_kps, sizeof(struct kp_line));
    bool complete = counters->kps != NULL;
    if (by_lp) {
        counters->lps = make_lines(n_lps, sizeof(struct lp_line));
        counters->changed = make_set(n_lps);
        complete = complete && counters->lps != NULL && counters->changed != NULL;
    }
    if (!complete) {
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

/* Returns the counts to which events of lp contribute: those of lp or, if LPs have no counts, those
 * of its KP. Marks the LP as changed, because the caller is about to change its counts. */
static inline struct lp_counts *counts_of(const struct lp_counters *counters, const tw_lp *lp)
{
    assert(counters->lps == NULL ? lp->kp->id < counters->n_kps : lp->id < counters->n_lps);
    if (counters->lps == NULL) {
        return &counters->kps[lp->kp->id].counts;
    }
    counters->changed[lp->id / 64] |= 1ull << lp->id % 64;
    return &counters->lps[lp->id].counts;
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

void lp_counters_attach(struct lp_counters *counters, struct probe_table *table, bool on)
{
    PROBE_SET(on, table, event_executed, count_executed, counters);
    PROBE_SET(on, table, event_undone, count_undone, counters);
    PROBE_SET(on, table, event_cancelled, count_cancelled, counters);
    PROBE_SET(on, table, rollback_begin, count_rollback, counters);
    PROBE_SET(on, table, message_sent, count_sent, counters);
    PROBE_SET(on, table, message_received, count_received, counters);
}

void lp_counters_fini(struct lp_counters *counters)
{
    free(counters->lps);
    free(counters->changed);
    reader_drop(&counters->readers[0]);
    reader_drop(&counters->readers[1]);
    free(counters->kps);
    *counters = (struct lp_counters){0};
}

/* ---- Readers --------------------------------------------------------------------------------- */

/* Moves the counts of all LPs to the `changes` of a reader. */
static void counts_move(struct lp_counters *counters, unsigned to)
{
    struct lp_reader *reader = &counters->readers[to];
    for (uint64_t i = 0; i < counters->n_lps; i++) {
        lp_counts_add(&reader->changes[i], &counters->lps[i].counts);
        counters->lps[i].counts = (struct lp_counts){0};
    }
    for (uint64_t w = 0; w < lp_counters_words(counters); w++) {
        reader->changed[w] |= counters->changed[w];
        counters->changed[w] = 0;
    }
}

static bool reader_prepare(struct lp_reader *reader, uint64_t n_lps)
{
    reader->changes = calloc(n_lps + 1, sizeof(*reader->changes));
    reader->changed = make_set(n_lps);
    return reader->changes != NULL && reader->changed != NULL;
}

enum tw_status lp_counters_join(struct lp_counters *counters, unsigned reader)
{
    assert(reader < LP_READERS_MAX && !counters->is_read[reader] && counters->lps != NULL);
    unsigned other = 1 - reader;
    counters->is_read[reader] = true;
    if (!counters->is_read[other]) {
        for (uint64_t i = 0; i < counters->n_lps; i++) {
            counters->lps[i].counts = (struct lp_counts){0};
        }
        memset(counters->changed, 0, lp_counters_words(counters) * sizeof(*counters->changed));
        return TW_OK;
    }
    if (!reader_prepare(&counters->readers[reader], counters->n_lps) ||
        !reader_prepare(&counters->readers[other], counters->n_lps)) {
        return TW_ERR_MEMORY;
    }
    counts_move(counters, other);
    return TW_OK;
}

void lp_counters_leave(struct lp_counters *counters, unsigned reader)
{
    assert(reader < LP_READERS_MAX && counters->is_read[reader]);
    struct lp_reader *other = &counters->readers[1 - reader];
    counters->is_read[reader] = false;
    if (other->changes != NULL && other->changed != NULL) {
        for (uint64_t i = 0; i < counters->n_lps; i++) {
            lp_counts_add(&counters->lps[i].counts, &other->changes[i]);
        }
        for (uint64_t w = 0; w < lp_counters_words(counters); w++) {
            counters->changed[w] |= other->changed[w];
        }
    }
    reader_drop(&counters->readers[0]);
    reader_drop(&counters->readers[1]);
}

uint64_t lp_counters_take_word(struct lp_counters *counters, unsigned reader, uint64_t w)
{
    assert(counters->is_read[reader] && w < lp_counters_words(counters));
    uint64_t word = counters->changed[w];
    counters->changed[w] = 0;
    uint64_t *mine = counters->readers[reader].changed;
    if (mine != NULL) {
        counters->readers[1 - reader].changed[w] |= word;
        word |= mine[w];
        mine[w] = 0;
    }
    return word;
}

_Static_assert(sizeof(struct lp_line) == 64, "one cache line");
_Static_assert(sizeof(struct kp_line) == 64, "one cache line");
