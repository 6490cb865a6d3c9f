/*
 * commit_order.c - see commit_order.h.
 *
 * Invariants
 *  1. entries[at..n) are in event order, and no event of a KP precedes one of them.
 *  2. Events of equal keys (time, priority and first tie number) are in the table together or not
 *     at all, so that the bound need not look at more of them.
 */
#include "engine/commit_order.h"

#define ENTRIES_WANTED    4096u
#define PER_KP_LEAST      16u
#define PER_INTERVAL_MOST 16u /* exchanging neighbours takes the square of it */

static void free_room(struct commit_order *order)
{
    free(order->entries);
    free(order->other);
    free(order->interval);
    free(order->interval_end);
}

static bool make_room(struct commit_order *order, size_t n_per_kp)
{
    size_t n = order->n_kps * n_per_kp;
    struct commit_order room = *order;
    room.n_per_kp = n_per_kp;
    room.entries = calloc(n, sizeof *room.entries);
    room.other = calloc(n, sizeof *room.other);
    room.interval = calloc(n, sizeof *room.interval);
    room.interval_end = calloc(n, sizeof *room.interval_end);
    if (room.entries == NULL || room.other == NULL || room.interval == NULL ||
        room.interval_end == NULL) {
        free_room(&room);
        return false;
    }
    free_room(order);
    *order = room;
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
    free_room(order);
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

static inline double ts_of(uint64_t bits)
{
    double ts;
    memcpy(&ts, &bits, sizeof ts);
    return ts;
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

static __attribute__((noinline)) bool tie_before(const struct commit_entry *a,
                                                 const struct commit_entry *b)
{
    return event_compare(a->event, b->event) < 0;
}

static inline bool entry_before(const struct commit_entry *a, const struct commit_entry *b)
{
    return a->ts_bits != b->ts_bits ? a->ts_bits < b->ts_bits : tie_before(a, b);
}

static void exchange_tables(struct commit_order *order)
{
    struct commit_entry *entries = order->entries;
    order->entries = order->other;
    order->other = entries;
}

/* ---- Dealing out --------------------------------------------------------------------------------
 */

/* Finds the interval of each entry. False: their times are all the same, or too many of them are in
 * one interval. */
static bool choose_intervals(struct commit_order *order, size_t n_runs)
{
    const struct commit_entry *entries = order->entries;
    double least = INFINITY;
    double most = 0.0;
    size_t begin = 0;
    for (size_t i = 0; i < n_runs; i++) {
        double first = ts_of(entries[begin].ts_bits);
        double last = ts_of(entries[order->run_ends[i] - 1].ts_bits);
        least = first < least ? first : least;
        most = last > most ? last : most;
        begin = order->run_ends[i];
    }
    double scale = (double)(order->n - 1) / (most - least);
    if (!(scale < DBL_MAX)) {
        return false;
    }
    memset(order->interval_end, 0, order->n * sizeof *order->interval_end);
    uint32_t fullest = 0;
    for (size_t i = 0; i < order->n; i++) { /* the later its time the later the interval */
        uint32_t interval = (uint32_t)((ts_of(entries[i].ts_bits) - least) * scale);
        uint32_t full = ++order->interval_end[interval];
        order->interval[i] = interval;
        fullest = full > fullest ? full : fullest;
    }
    return fullest <= PER_INTERVAL_MOST;
}

static void deal_out(struct commit_order *order)
{
    uint32_t n = 0;
    for (size_t i = 0; i < order->n; i++) {
        uint32_t count = order->interval_end[i];
        order->interval_end[i] = n;
        n += count;
    }
    for (size_t i = 0; i < order->n; i++) {
        order->other[order->interval_end[order->interval[i]]++] = order->entries[i];
    }
    exchange_tables(order);
    struct commit_entry *entries = order->entries;
    for (size_t i = 1; i < order->n; i++) { /* in order but for a few steps */
        struct commit_entry entry = entries[i];
        size_t at = i;
        for (; at > 0 && entry_before(&entry, &entries[at - 1]); at--) {
            entries[at] = entries[at - 1];
        }
        entries[at] = entry;
    }
}

/* ---- Merging ------------------------------------------------------------------------------------
 */

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
        exchange_tables(order);
        n_runs = n_after;
    }
}

bool commit_order_refill(struct commit_order *order, const struct event_key *gvt)
{
    for (;;) {
        struct event_key bound = find_bound(order, gvt);
        size_t n_runs = collect(order, &bound);
        if (n_runs > 0) {
            if (n_runs > 1 && choose_intervals(order, n_runs)) {
                deal_out(order);
            } else {
                merge_runs(order, n_runs);
            }
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
