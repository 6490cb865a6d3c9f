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
 * Cost per event: about ten instructions; 20 and two cache lines if LPs are counted. Per point: a
 * sort of the LPs that have events, about 40 instructions each; nothing for other LPs.
 */
#include "record/vt/vt_counts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/base/probe_set.h"
#include "store/array.h"
#include "store/check.h"

#define DIGIT_BITS 8u
#define DIGITS     (1u << DIGIT_BITS)
#define FEW_KEYS   32u /* number of keys up to which insertion is the fastest way to sort */

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

enum tw_status vt_counts_init(struct vt_counts *counts, struct vt_points points, tw_kpid n_kps,
                              tw_lpid n_lps, const uint32_t *ranks, bool by_lp)
{
    assert(points.interval > 0.0);
    *counts = (struct vt_counts){.points = points, .n_kps = n_kps, .n_lps = n_lps, .ranks = ranks};
    counts->past = n_lps < UINT32_MAX ? make_set(counts) : NULL;
    counts->cursors = by_lp ? calloc(n_lps + 1, sizeof(*counts->cursors)) : NULL;
    if (counts->past == NULL || (by_lp && counts->cursors == NULL)) {
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
    free(counts->keys);
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

/* Sorts n keys, which are different. */
static void sort_few(uint64_t *keys, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        const uint64_t key = keys[i];
        uint32_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) {
            keys[at] = keys[at - 1];
        }
        keys[at] = key;
    }
}

/* Sorts n keys by their upper halves, digit by digit. most: the largest upper half. Returns the
 * sorted keys, which are in `keys` or in the n entries behind them. */
static uint64_t *sort_many(uint64_t *keys, uint32_t n, uint64_t most)
{
    uint64_t *from = keys, *to = keys + n;
    for (unsigned shift = 32; most >> (shift - 32) != 0; shift += DIGIT_BITS) {
        uint32_t places[DIGITS] = {0};
        for (uint32_t i = 0; i < n; i++) {
            places[from[i] >> shift & (DIGITS - 1)]++;
        }
        for (uint32_t digit = 0, sum = 0; digit < DIGITS; digit++) {
            const uint32_t here = places[digit];
            places[digit] = sum;
            sum += here;
        }
        for (uint32_t i = 0; i < n; i++) {
            to[places[from[i] >> shift & (DIGITS - 1)]++] = from[i];
        }
        uint64_t *other = from;
        from = to;
        to = other;
    }
    return from;
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
    if (n > counts->n_keys) {
        free(counts->keys);
        counts->keys = malloc(2 * (size_t)n * sizeof(*counts->keys));
        counts->n_keys = counts->keys != NULL ? n : 0;
    }
    struct vt_count *sorted = counts->keys != NULL ? malloc(set->capacity * sizeof(*sorted)) : NULL;
    if (sorted == NULL) {
        return false;
    }
    uint64_t *keys = counts->keys;
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = (uint64_t)set->lps[i].rank << 32 | i;
    }
    if (n <= FEW_KEYS) {
        sort_few(keys, n);
    } else {
        keys = sort_many(keys, n, counts->n_lps - 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        sorted[i] = set->lps[(uint32_t)keys[i]];
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
