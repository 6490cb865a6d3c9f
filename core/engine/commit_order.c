/*
 * commit_order.c - see commit_order.h.
 *
 * Invariants
 *  1. entries[at..n) are in event order, and no event of a KP precedes one of them.
 *  2. Events of equal keys (time, priority and first tie number) are in the table together or not
 *     at all, so that the bound need not look at more of them.
 */
#include "engine/commit_order.h"

#define ENTRIES_WANTED 4096u
#define PER_KP_LEAST   16u

static bool make_room(struct commit_order *order, size_t n_per_kp)
{
    struct commit_entry *entries = calloc(order->n_kps * n_per_kp, sizeof *entries);
    struct commit_entry *other = calloc(order->n_kps * n_per_kp, sizeof *other);
    if (entries == NULL || other == NULL) {
        free(entries);
        free(other);
        return false;
    }
    free(order->entries);
    free(order->other);
    order->entries = entries;
    order->other = other;
    order->n_per_kp = n_per_kp;
    return true;
}

bool commit_order_init(struct commit_order *order, tw_kpid n_kps)
{
    size_t n_per_kp = ENTRIES_WANTED / n_kps;
    *order =
        (struct commit_order){.n_kps = n_kps, .run_ends = calloc(n_kps, sizeof *order->run_ends)};
    return order->run_ends != NULL &&
           make_room(order, n_per_kp > PER_KP_LEAST ? n_per_kp : PER_KP_LEAST);
}

void commit_order_fini(struct commit_order *order)
{
    free(order->entries);
    free(order->other);
    free(order->run_ends);
    *order = (struct commit_order){0};
}

void commit_order_begin(struct commit_order *order, struct kp *kps)
{
    order->kps = kps;
    order->at = 0;
    order->n = 0;
}

/* ---- Choosing -----------------------------------------------------------------------------------
 */

/* gvt, or the first event that there is no room for. */
static struct event_key find_bound(const struct commit_order *order, const struct event_key *gvt)
{
    struct event_key bound = *gvt;
    for (tw_kpid k = 0; k < order->n_kps; k++) {
        const struct kp *kp = &order->kps[k];
        if (kp->young - kp->old > order->n_per_kp) {
            struct event_key key = event_key(kp->ring[(kp->old + order->n_per_kp) & kp->mask]);
            bound = event_key_before(&key, &bound) ? key : bound;
        }
    }
    return bound;
}

static inline uint64_t bits_of(double ts)
{
    uint64_t bits;
    ts += 0.0; /* no negative zero */
    memcpy(&bits, &ts, sizeof bits);
    return bits;
}

/* Takes the events before bound from their KPs; the number of KPs that had some. */
static size_t collect(struct commit_order *order, const struct event_key *bound)
{
    size_t n = 0;
    size_t n_runs = 0;
    for (tw_kpid k = 0; k < order->n_kps; k++) {
        struct kp *kp = &order->kps[k];
        size_t start = n;
        for (; !kp_is_empty(kp); kp->old++) {
            tw_event *event = kp_oldest(kp);
            struct event_key key = event_key(event);
            if (!event_key_before(&key, bound)) {
                break;
            }
            order->entries[n++] = (struct commit_entry){bits_of(key.ts), event};
        }
        if (n > start) {
            order->run_ends[n_runs++] = n;
        }
    }
    order->at = 0;
    order->n = n;
    return n_runs;
}

/* ---- Merging ------------------------------------------------------------------------------------
 */

static __attribute__((noinline)) bool tie_before(const struct commit_entry *a,
                                                 const struct commit_entry *b)
{
    return event_compare(a->event, b->event) < 0;
}

/* Merges [a, middle) and [middle, end) to out. Which of the two is next is as good as random. */
static void merge(const struct commit_entry *a, const struct commit_entry *middle,
                  const struct commit_entry *end, struct commit_entry *out)
{
    const struct commit_entry *b = middle;
    while (a < middle && b < end) {
        uint64_t take_b = b->ts_bits < a->ts_bits;
        if (__builtin_expect(b->ts_bits == a->ts_bits, 0)) {
            take_b = tie_before(b, a);
        }
        uint64_t mask = -take_b; /* written out, since compilers make jumps of "?:" here */
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

static void merge_runs(struct commit_order *order, size_t n_runs)
{
    while (n_runs > 1) {
        const struct commit_entry *from = order->entries;
        size_t start = 0;
        size_t n_after = 0;
        for (size_t i = 0; i < n_runs; i += 2) {
            size_t middle = order->run_ends[i];
            size_t end = i + 1 < n_runs ? order->run_ends[i + 1] : middle;
            merge(from + start, from + middle, from + end, order->other + start);
            order->run_ends[n_after++] = end;
            start = end;
        }
        struct commit_entry *merged = order->other;
        order->other = order->entries;
        order->entries = merged;
        n_runs = n_after;
    }
}

bool commit_order_refill(struct commit_order *order, const struct event_key *gvt)
{
    for (;;) {
        struct event_key bound = find_bound(order, gvt);
        size_t n_runs = collect(order, &bound);
        if (n_runs > 0) {
            merge_runs(order, n_runs);
            return true;
        }
        if (!event_key_before(&bound, gvt)) {
            return false;
        }
        /* A KP has more events of one key than there is room for (offset 0): invariant 2. */
        if (!make_room(order, order->n_per_kp * 2)) {
            tw_error(TW_LOC, "out of memory for putting events in order; use fewer KPs");
        }
    }
}
