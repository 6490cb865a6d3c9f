/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * commit_order.c - see commit_order.h.
 *
 * Invariants, while events are listed
 *  1. Each event in the history of a KP has exactly one entry in the list, at the index that the KP
 *     stores for the event in `places`. All other entries are struck off, or before first_live.
 *  2. The indices of the events of a KP, from oldest to youngest, ascend.
 *  3. All entries before first_live are struck off, or were taken where they are.
 *  4. first[0..n) are in event order, and no event in the list precedes any of them. Entries of
 *     `first` that have not been taken are the oldest events of their KPs.
 */
#include "engine/pe/commit_order.h"

#include <assert.h>

#define CAPACITY_FIRST 1024u
/* Maximum average number of moves per entry in a sort by insertion. Beyond this limit, merging is
 * faster. */
#define MOVES_PER_ENTRY 8u

static void free_ready(struct commit_order *order)
{
    free(order->ready);
    free(order->merged);
    free(order->run_ends);
}

void commit_order_fini(struct commit_order *order)
{
    free(order->list);
    free_ready(order);
    *order = (struct commit_order){0};
}

/* ---- The list -------------------------------------------------------------------------------- */

void commit_order_grow(struct commit_order *order)
{
    size_t capacity = order->capacity == 0 ? CAPACITY_FIRST : 2 * order->capacity;
    struct commit_entry *list = tw_calloc(TW_LOC, "executed events", sizeof(struct commit_entry),
                                          capacity + COMMIT_AHEAD_EVENTS);
    if (order->n_list > 0) {
        memcpy(list, order->list, order->n_list * sizeof *list);
    }
    free(order->list);
    order->list = list;
    order->capacity = capacity;
}

void commit_order_begin(struct commit_order *order, struct kp *kps, tw_kpid n_kps)
{
    assert(order->n_list == 0 && order->n == 0);
    for (tw_kpid k = 0; k < n_kps; k++) {
        struct kp *kp = &kps[k];
        uint64_t end = kp->young;
        kp_keep_places(kp);
        for (kp->young = kp->old; kp->young != end;) {
            commit_order_push(order, kp, kp->ring[kp->young & kp->mask]);
        }
    }
}

void commit_order_end(struct commit_order *order, struct kp *kps, tw_kpid n_kps)
{
    for (tw_kpid k = 0; k < n_kps; k++) {
        kp_drop_places(&kps[k]);
    }
    commit_order_fini(order);
}

/* ---- Sorting --------------------------------------------------------------------------------- */

static __attribute__((noinline)) bool tie_before(const struct commit_entry *a,
                                                 const struct commit_entry *b)
{
    return event_compare(a->event, b->event) < 0;
}

static inline bool entry_before(const struct commit_entry *a, const struct commit_entry *b)
{
    return a->ts_bits != b->ts_bits ? a->ts_bits < b->ts_bits : tie_before(a, b);
}

/* Merges the sorted runs [a, middle) and [middle, end) into out. Has no branch for the choice of
 * the smaller entry, since that choice is unpredictable. */
static void merge(const struct commit_entry *a, const struct commit_entry *middle,
                  const struct commit_entry *end, struct commit_entry *out)
{
    const struct commit_entry *b = middle;
    while (a < middle && b < end) {
        uint64_t take_b = b->ts_bits < a->ts_bits;
        if (__builtin_expect(b->ts_bits == a->ts_bits, 0)) {
            take_b = tie_before(b, a);
        }
        uint64_t mask = -take_b; /* explicit mask, since compilers turn "?:" into a jump here */
        uintptr_t event = (uintptr_t)a->event;
        event ^= (event ^ (uintptr_t)b->event) & mask;
        out->ts_bits = a->ts_bits ^ ((a->ts_bits ^ b->ts_bits) & mask);
        out->event = (tw_event *)event;
        out++;
        b += take_b;
        a += 1 - take_b;
    }
    memcpy(out, a, (size_t)(middle - a) * sizeof *out);
    memcpy(out + (middle - a), b, (size_t)(end - b) * sizeof *out);
}

static size_t find_runs(struct commit_order *order)
{
    size_t n_runs = 0;
    for (size_t i = 1; i < order->n; i++) {
        if (entry_before(&order->ready[i], &order->ready[i - 1])) {
            order->run_ends[n_runs++] = i;
        }
    }
    order->run_ends[n_runs++] = order->n;
    return n_runs;
}

static void merge_runs(struct commit_order *order)
{
    size_t n_runs = find_runs(order);
    while (n_runs > 1) {
        const struct commit_entry *from = order->ready;
        size_t start = 0;
        size_t n_after = 0;
        for (size_t i = 0; i < n_runs; i += 2) {
            size_t middle = order->run_ends[i];
            size_t end = i + 1 < n_runs ? order->run_ends[i + 1] : middle;
            merge(from + start, from + middle, from + end, order->merged + start);
            order->run_ends[n_after++] = end;
            start = end;
        }
        order->ready = order->merged;
        order->merged = (struct commit_entry *)(uintptr_t)from;
        n_runs = n_after;
    }
}

/* Inserts the entry at `from` into the ordered entries before it. Returns the number of entries
 * moved. */
static __attribute__((noinline)) size_t insert(struct commit_entry *ready, size_t from)
{
    assert(from > 0);
    struct commit_entry entry = ready[from];
    size_t at = from;
    do {
        ready[at] = ready[at - 1];
        at--;
    } while (at > 0 && entry_before(&entry, &ready[at - 1]));
    ready[at] = entry;
    return from - at;
}

/* Sorts the entries of `ready` from index `from` on; the entries before that index are in order. */
static void put_in_order(struct commit_order *order, size_t from)
{
    assert(from > 0); /* holds because the first entry alone is already in order */
    size_t moves_left = MOVES_PER_ENTRY * order->n;
    for (size_t i = from; i < order->n; i++) {
        if (!entry_before(&order->ready[i], &order->ready[i - 1])) {
            continue;
        }
        size_t moves = insert(order->ready, i);
        if (moves > moves_left) {
            merge_runs(order);
            return;
        }
        moves_left -= moves;
    }
}

/* ---- Collecting ------------------------------------------------------------------------------ */

static void make_ready_room(struct commit_order *order)
{
    if (order->ready_capacity >= order->n_list) {
        return;
    }
    size_t capacity = order->capacity;
    size_t room = capacity + COMMIT_AHEAD_EVENTS;
    free_ready(order);
    order->ready = tw_calloc(TW_LOC, "events to commit", sizeof(struct commit_entry), room);
    order->merged = tw_calloc(TW_LOC, "events to commit", sizeof(struct commit_entry), room);
    order->run_ends = tw_calloc(TW_LOC, "events to commit", sizeof(size_t), capacity);
    order->ready_capacity = capacity;
}

static inline bool is_before(const struct commit_entry *entry, const struct event_key *gvt,
                             uint64_t gvt_bits)
{
    if (__builtin_expect(entry->ts_bits == gvt_bits, 0)) {
        struct event_key key = event_key(entry->event);
        return event_key_before(&key, gvt);
    }
    return entry->ts_bits < gvt_bits;
}

/* Moves the events before gvt from the list to `ready`. Returns the number of leading entries of
 * `ready` that are in order; SIZE_MAX if all are. */
static size_t strike_off(struct commit_order *order, const struct event_key *gvt)
{
    const uint64_t gvt_bits = commit_ts_bits(gvt->ts);
    make_ready_room(order);
    assert(order->ready_capacity >= order->n_list && order->first_live <= order->n_list);
    struct commit_entry *const ready = order->ready;
    size_t n = 0;
    size_t in_order = SIZE_MAX;
    size_t first_live = order->n_list;
    uint64_t last_bits = 0;
    for (size_t i = order->first_live; i < order->n_list; i++) {
        struct commit_entry *entry = &order->list[i];
        if (entry->event == NULL) {
            continue;
        }
        if (!is_before(entry, gvt, gvt_bits)) {
            first_live = first_live < i ? first_live : i;
            continue;
        }
        if (entry->ts_bits <= last_bits && n > 0 && in_order == SIZE_MAX) {
            in_order = n; /* compares only time stamps; ties are sorted later */
        }
        last_bits = entry->ts_bits;
        ready[n++] = *entry;
        entry->event = NULL;
    }
    order->first_live = first_live;
    order->n = n;
    order->n_struck += n;
    return in_order;
}

/* Stores copies of the last of n entries behind it, so that commit_order_lp_ahead() needs no test
 * for the end of the list. */
static void repeat_last(struct commit_entry *entries, size_t n)
{
    for (size_t i = 0; i < COMMIT_AHEAD_EVENTS && n > 0; i++) {
        entries[n + i] = entries[n - 1];
    }
}

/* Returns true if the list has an event before gvt from index i on, or is struck off at one of the
 * next entries, at which commit_order_take() looks. */
static bool is_broken_behind(const struct commit_order *order, size_t i,
                             const struct event_key *gvt, uint64_t gvt_bits)
{
    for (size_t at = i; at < order->n_list; at++) {
        const struct commit_entry *entry = &order->list[at];
        if (entry->event != NULL ? is_before(entry, gvt, gvt_bits) : at < i + COMMIT_AHEAD_EVENTS) {
            return true;
        }
    }
    return false;
}

/* If the events before gvt follow each other in the list, with ascending times, takes them where
 * they are. Otherwise returns false. Most collections without rollbacks find them so. */
static bool take_in_place(struct commit_order *order, const struct event_key *gvt)
{
    const uint64_t gvt_bits = commit_ts_bits(gvt->ts);
    const size_t begin = order->first_live, end = order->n_list;
    uint64_t least = 0;
    size_t i = begin;
    for (; i < end; i++) {
        const struct commit_entry *entry = &order->list[i];
        if (entry->event == NULL || entry->ts_bits >= gvt_bits || entry->ts_bits < least) {
            break;
        }
        least = entry->ts_bits + 1;
    }
    if (i == begin || is_broken_behind(order, i, gvt, gvt_bits)) {
        return false;
    }
    if (end - i < COMMIT_AHEAD_EVENTS) {
        repeat_last(order->list, end);
    }
    order->first = order->list + begin;
    order->first_live = i;
    order->n = i - begin;
    order->n_struck += order->n;
    return true;
}

size_t commit_order_collect(struct commit_order *order, const struct event_key *gvt)
{
    order->n = 0;
    if (gvt->ts >= 0.0 && !take_in_place(order, gvt)) { /* the first is true if GVT is known */
        put_in_order(order, strike_off(order, gvt));
        repeat_last(order->ready, order->n);
        order->first = order->ready;
    }
    return order->n;
}

/* Removes entries that are struck off, if they are more than half of the list. By invariant 2, the
 * events of each KP are visited in order, so that their indices can be updated. */
void commit_order_close_up(struct commit_order *order)
{
    assert(order->n_struck <= order->n_list);
    order->n = 0;
    if (order->n_struck <= order->n_list / 2) {
        return;
    }
    for (size_t i = order->first_live; i < order->n_list; i++) {
        const tw_event *event = order->list[i].event;
        if (event != NULL) {
            struct kp *kp = kp_of(event->dest_lp->kp);
            kp->next_place = kp->old;
        }
    }
    size_t n = 0;
    for (size_t i = order->first_live; i < order->n_list; i++) {
        struct commit_entry entry = order->list[i];
        if (entry.event != NULL) {
            struct kp *kp = kp_of(entry.event->dest_lp->kp);
            kp->places[kp->next_place++ & kp->mask] = n;
            order->list[n++] = entry;
        }
    }
    order->n_list = n;
    order->n_struck = 0;
    order->first_live = 0;
}

static __attribute__((cold, noreturn)) void broken(const char *what, tw_kpid kp, uint64_t place)
{
    fprintf(stderr, "commit order: %s (KP %lu, event %" PRIu64 ")\n", what, (unsigned long)kp,
            place);
    abort();
}

void commit_order_check(const struct commit_order *order, const struct kp *kps, tw_kpid n_kps)
{
    size_t n_live = 0;
    for (tw_kpid k = 0; k < n_kps; k++) {
        const struct kp *kp = &kps[k];
        for (uint64_t i = kp->old; i != kp->young; i++) {
            uint64_t place = kp->places[i & kp->mask];
            if (place >= order->n_list || order->list[place].event != kp->ring[i & kp->mask]) {
                broken("an event is not in its place", k, i - kp->old);
            }
            if (i != kp->old && place <= kp->places[(i - 1) & kp->mask]) {
                broken("a KP's events are not listed in their order", k, i - kp->old);
            }
            n_live++;
        }
    }
    size_t n_listed = 0;
    if (order->n > 0) {
        broken("events that were ready have been forgotten", n_kps, order->n);
    }
    for (size_t i = 0; i < order->n_list; i++) {
        n_listed += i >= order->first_live && order->list[i].event != NULL;
    }
    if (n_live != order->n_list - order->n_struck || n_listed != n_live) {
        broken("events are listed that no KP holds", n_kps, n_listed);
    }
}
