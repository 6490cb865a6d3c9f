/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_counts.c - counts committed events between sampling points.
 *
 * Invariants
 *  N1  The sets from `oldest` on have ascending numbers, all greater than `done`. Each has events.
 *  N2  An event counts for its LP or, if LPs are not counted, for its KP. A set contains an LP at
 *      most once. cursors[i] is the entry of LP i in the set with the largest number that contains
 *      it: events of an LP commit in order.
 *  N3  `now` is a set from `oldest` on, or `past`. `past` stays empty: it stands for the events
 *      before the point `done`, which do not count.
 * Cost per event: about ten instructions; 20 and two cache lines if LPs are counted. Per point: some
 * 20 instructions for each LP that has events, to put these into order; a word for 4096 others.
 */
#include "record/vt/vt_counts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/base/probe_set.h"
#include "store/array.h"
#include "store/check.h"

#define FEW_LPS 32u /* number of LPs up to which insertion is the fastest way to sort */

/* ---- Sets ------------------------------------------------------------------------------------ */

static struct vt_count_set *make_set(const struct vt_counts *counts)
{
    if (counts->n_kps > SIZE_MAX / 16) {
        return NULL;
    }
    return calloc(1, sizeof(struct vt_count_set) + counts->n_kps * sizeof(uint64_t));
}

static void free_set(struct vt_count_set *set)
{
    if (set != NULL) {
        free(set->lps);
        free(set);
    }
}

static size_t groups_of(const struct vt_counts *counts)
{
    return counts->n_lps / 4096 + 1;
}

enum tw_status vt_counts_init(struct vt_counts *counts, struct vt_points points, tw_kpid n_kps,
                              tw_lpid n_lps, const uint32_t *ranks, bool by_lp)
{
    assert(points.interval > 0.0);
    *counts = (struct vt_counts){.points = points, .n_kps = n_kps, .n_lps = n_lps, .ranks = ranks};
    counts->past = n_lps < UINT32_MAX ? make_set(counts) : NULL;
    if (by_lp) {
        counts->cursors = calloc(n_lps + 1, sizeof(*counts->cursors));
        counts->places = calloc(n_lps + 1, sizeof(*counts->places));
        counts->seen = calloc(groups_of(counts) * 65, sizeof(*counts->seen));
    }
    if (counts->past == NULL ||
        (by_lp && (counts->cursors == NULL || counts->places == NULL || counts->seen == NULL))) {
        vt_counts_fini(counts);
        return TW_ERR_MEMORY;
    }
    counts->past->from = INFINITY; /* the first event looks for its set */
    counts->now = counts->past;
    return TW_OK;
}

void vt_counts_fini(struct vt_counts *counts)
{
    while (counts->oldest != NULL) {
        struct vt_count_set *set = counts->oldest;
        counts->oldest = set->later;
        free_set(set);
    }
    free_set(counts->spare);
    free_set(counts->past);
    free(counts->cursors);
    free(counts->places);
    free(counts->seen);
    *counts = (struct vt_counts){0};
}

static __attribute__((noinline)) void switch_off(struct vt_counts *counts)
{
    if (!counts->is_off) {
        tw_warning(TW_LOC,
                   "PE %u: out of memory for counts of samples at virtual times; the run goes on "
                   "without them",
                   (unsigned)g_tw_pe->id);
        counts->is_off = true;
    }
}

/* Returns an empty set for point `number`; NULL if memory is exhausted. */
static struct vt_count_set *new_set(struct vt_counts *counts, uint64_t number)
{
    struct vt_count_set *set = counts->spare != NULL ? counts->spare : make_set(counts);
    counts->spare = NULL;
    if (set == NULL) {
        return NULL;
    }
    set->number = number;
    set->n_lps = 0;
    set->from = number > 1 ? vt_points_ts(&counts->points, number - 1) : -(double)INFINITY;
    set->to =
        number <= counts->points.last ? vt_points_ts(&counts->points, number) : (double)INFINITY;
    memset(set->kps, 0, counts->n_kps * sizeof(set->kps[0]));
    return set;
}

/* Makes `now` the set for events at the time ts, which is created if necessary. */
static __attribute__((noinline)) struct vt_count_set *find_set(struct vt_counts *counts, double ts)
{
    const uint64_t number = vt_points_until(&counts->points, ts) + 1;
    struct vt_count_set *before = counts->now;
    counts->now = counts->past;
    if (number <= counts->done) {
        return counts->past;
    }
    counts->latest = number > counts->latest ? number : counts->latest;
    if (counts->is_off) {
        return counts->past;
    }
    const bool is_later = before != counts->past && before->number < number;
    struct vt_count_set **link = is_later ? &before->later : &counts->oldest;
    while (*link != NULL && (*link)->number < number) {
        link = &(*link)->later;
    }
    if (*link == NULL || (*link)->number > number) {
        struct vt_count_set *set = new_set(counts, number);
        if (set == NULL) {
            switch_off(counts);
            return counts->past;
        }
        set->later = *link;
        *link = set;
    }
    counts->now = *link;
    return *link;
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* Adds an entry for an LP that has none in the set. */
static __attribute__((noinline)) void add_lp(struct vt_counts *counts, struct vt_count_set *set,
                                             const tw_lp *lp, uint64_t events)
{
    if (!array_reserve(&set->lps, &set->capacity, set->n_lps + 1u, sizeof(*set->lps))) {
        switch_off(counts);
        return;
    }
    counts->cursors[lp->id] = (struct vt_cursor){(uint32_t)set->number, set->n_lps};
    set->lps[set->n_lps++] =
        (struct vt_count){.gid = lp->gid,
                          .events = events,
                          .lp = (uint32_t)lp->id,
                          .rank = counts->ranks != NULL ? counts->ranks[lp->id] : (uint32_t)lp->id,
                          .kp = (uint32_t)lp->kp->id};
}

static void event_retired(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    struct vt_counts *counts = ctx;
    struct vt_count_set *set = counts->now;
    const tw_lp *lp = e->dest_lp;
    if (__builtin_expect(!(e->recv_ts >= set->from && e->recv_ts < set->to), 0)) {
        set = find_set(counts, e->recv_ts);
    }
    if (__builtin_expect(set == counts->past, 0)) {
        return;
    }
    assert(lp->id < counts->n_lps && lp->kp->id < counts->n_kps);
    if (counts->cursors == NULL) {
        set->kps[lp->kp->id]++;
        return;
    }
    probe_prefetch(ahead, counts->cursors, sizeof(struct vt_cursor));
    const struct vt_cursor *cursor = &counts->cursors[lp->id];
    if (cursor->number == (uint32_t)set->number) {
        set->lps[cursor->at].events++;
    } else {
        add_lp(counts, set, lp, 1);
    }
}

void vt_counts_attach(struct vt_counts *counts, struct probe_table *table, bool on)
{
    PROBE_SET(on, table, event_retired, event_retired, counts);
}

void vt_counts_begin_after(struct vt_counts *counts, uint64_t number)
{
    assert(counts->oldest == NULL);
    counts->done = number;
}

void vt_counts_add(struct vt_counts *counts, const tw_lp *lp, uint64_t n, bool of_kp)
{
    assert(lp->id < counts->n_lps);
    struct vt_count_set *set = counts->oldest;
    if (set == NULL) {
        set = new_set(counts, counts->done + 1);
        if (set == NULL) {
            switch_off(counts);
            return;
        }
        set->later = NULL;
        counts->oldest = set;
        counts->latest = set->number;
    }
    if (of_kp || counts->cursors == NULL) {
        set->kps[lp->kp->id] += n;
    } else {
        add_lp(counts, set, lp, n);
    }
}

uint64_t vt_counts_of_kp(const struct vt_counts *counts, tw_kpid kp)
{
    const struct vt_count_set *set = counts->oldest;
    assert(set == NULL || set->later == NULL);
    return set != NULL && !counts->is_off ? set->kps[kp] : 0;
}

uint64_t vt_counts_of_lp(const struct vt_counts *counts, tw_lpid lp)
{
    const struct vt_count_set *set = counts->oldest;
    if (set == NULL || counts->cursors == NULL || counts->is_off) {
        return 0;
    }
    assert(set->later == NULL && lp < counts->n_lps);
    const struct vt_cursor *cursor = &counts->cursors[lp];
    return cursor->number == (uint32_t)set->number ? set->lps[cursor->at].events : 0;
}

/* ---- Points ---------------------------------------------------------------------------------- */

/* Stores the LPs of a set in `sorted`, in the order of their ranks. */
static void sort_few(const struct vt_count_set *set, struct vt_count *sorted)
{
    for (uint32_t i = 0; i < set->n_lps; i++) {
        uint32_t at = i;
        for (; at > 0 && sorted[at - 1].rank > set->lps[i].rank; at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = set->lps[i];
    }
}

/* Likewise: sets a bit for each rank, and visits the bits. A bit of a group stands for a word of
 * 64 ranks. */
static void sort_many(struct vt_counts *counts, const struct vt_count_set *set,
                      struct vt_count *sorted)
{
    const size_t n_groups = groups_of(counts);
    uint64_t *groups = counts->seen, *words = groups + n_groups;
    for (uint32_t i = 0; i < set->n_lps; i++) {
        const uint32_t rank = set->lps[i].rank;
        groups[rank / 4096] |= 1ull << rank / 64 % 64;
        words[rank / 64] |= 1ull << rank % 64;
        counts->places[rank] = i;
    }
    for (size_t g = 0; g < n_groups; g++) {
        for (; groups[g] != 0; groups[g] &= groups[g] - 1) {
            const size_t w = 64 * g + (unsigned)__builtin_ctzll(groups[g]);
            for (uint64_t word = words[w]; word != 0; word &= word - 1) {
                *sorted++ = set->lps[counts->places[64 * w + (unsigned)__builtin_ctzll(word)]];
            }
            words[w] = 0;
        }
    }
}

/* Puts the LPs of a set into the order of their gids. Returns false if memory is exhausted. */
static bool sort_lps(struct vt_counts *counts, struct vt_count_set *set)
{
    const uint32_t n = set->n_lps;
    bool is_sorted = true;
    for (uint32_t i = 1; i < n && is_sorted; i++) {
        is_sorted = set->lps[i - 1].rank < set->lps[i].rank;
    }
    if (is_sorted) {
        return true;
    }
    struct vt_count *sorted = malloc(set->capacity * sizeof(*sorted));
    if (sorted == NULL) {
        return false;
    }
    if (n <= FEW_LPS) {
        sort_few(set, sorted);
    } else {
        sort_many(counts, set, sorted);
    }
    free(set->lps);
    set->lps = sorted;
    return true;
}

const struct vt_count_set *vt_counts_take(struct vt_counts *counts, bool in_order)
{
    struct vt_count_set *set = counts->oldest;
    counts->done++;
    if (counts->is_off || set == NULL || set->number != counts->done) {
        assert(counts->is_off || set == NULL || set->number > counts->done);
        return NULL;
    }
    if (in_order && !sort_lps(counts, set)) {
        switch_off(counts);
        return NULL;
    }
    for (uint32_t i = 0; i < set->n_lps; i++) {
        set->kps[set->lps[i].kp] += set->lps[i].events;
    }
    counts->oldest = set->later;
    counts->now = counts->now == set ? counts->past : counts->now;
    free_set(counts->spare);
    counts->spare = set;
    return set;
}

bool vt_counts_check(const struct vt_counts *counts)
{
    uint64_t before = counts->done;
    bool is_known = counts->now == counts->past;
    for (const struct vt_count_set *set = counts->oldest; set != NULL && !counts->is_off;
         set = set->later) {
        HOLDS(set->number > before); /* N1 */
        before = set->number;
        is_known |= set == counts->now;
        for (uint32_t i = 0; i < set->n_lps; i++) {
            const struct vt_count *lp = &set->lps[i];
            const struct vt_cursor *cursor = &counts->cursors[lp->lp];
            HOLDS(lp->events > 0 && lp->lp < counts->n_lps && lp->kp < counts->n_kps);
            HOLDS(cursor->number > (uint32_t)set->number || /* N2 */
                  (cursor->number == (uint32_t)set->number && cursor->at == i));
        }
    }
    HOLDS(is_known || counts->is_off); /* N3 */
    return true;
}
