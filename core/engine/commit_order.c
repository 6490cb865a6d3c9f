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
    room.interval_end = calloc(n + 2, sizeof *room.interval_end);
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

/* ---- Choosing -----------------------------------------------------------------------------------
 */

/* What a part consists of. */
struct part {
    struct event_key
        bound;       /* events before this: gvt, or the first one that there is no room for */
    double first_ts; /* no event before this */
    double last_ts;  /* no event of it after this */
    size_t n_most;   /* events at most that are between the two */
};

static struct part find_part(const struct commit_order *order, struct kp *kps,
                             const struct event_key *gvt)
{
    struct part part = {.bound = *gvt, .first_ts = INFINITY};
    for (tw_kpid k = 0; k < order->n_kps; k++) {
        const struct kp *kp = &kps[k];
        uint64_t n = kp->young - kp->old;
        if (n == 0) {
            continue;
        }
        if (n > order->n_per_kp) {
            struct event_key key = event_key(kp->ring[(kp->old + order->n_per_kp) & kp->mask]);
            part.bound = event_key_before(&key, &part.bound) ? key : part.bound;
            n = order->n_per_kp;
        }
        double first = kp_oldest(kp)->recv_ts;
        double last = kp->ring[(kp->old + n - 1) & kp->mask]->recv_ts;
        part.first_ts = first < part.first_ts ? first : part.first_ts;
        part.last_ts = last > part.last_ts ? last : part.last_ts;
        part.n_most += n;
    }
    return part;
}

static inline uint64_t bits_of(double ts)
{
    uint64_t bits;
    ts += 0.0; /* no negative zero */
    memcpy(&bits, &ts, sizeof bits);
    return bits;
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

/* Intervals of time of a part: equally long, the later a time the later its interval. */
struct intervals {
    double first_ts;
    double per_time;
    size_t n;
};

/* About as many as there will be events, n_most + 2 at most. A single one if they cannot be told
 * apart by time. */
static struct intervals choose_intervals(const struct part *part)
{
    double most_ts = part->bound.ts < part->last_ts ? part->bound.ts : part->last_ts;
    double share = (most_ts - part->first_ts) / (part->last_ts - part->first_ts);
    double n = share * (double)part->n_most;
    double per_time = n / (most_ts - part->first_ts);
    if (!(n >= 1.0 && per_time < DBL_MAX)) {
        return (struct intervals){part->first_ts, 0.0, 1};
    }
    return (struct intervals){part->first_ts, per_time, (size_t)n + 2}; /* one for rounding */
}

/* Takes the part from the KPs. The number of KPs that had some of it; *fullest: the most events of
 * an interval. */
static size_t collect(struct commit_order *order, struct kp *kps, const struct part *part,
                      const struct intervals *intervals, uint32_t *fullest)
{
    struct commit_entry *const entries = order->entries;
    uint32_t *const interval_of = order->interval;
    uint32_t *const count = order->interval_end;
    size_t n = 0;
    size_t n_runs = 0;
    uint32_t most = 0;
    memset(count, 0, intervals->n * sizeof *count);
    for (tw_kpid k = 0; k < order->n_kps; k++) {
        struct kp *kp = &kps[k];
        tw_event *const *ring = kp->ring;
        size_t start = n;
        uint64_t old = kp->old;
        for (; old != kp->young; old++) {
            tw_event *event = ring[old & kp->mask];
            double ts = event->recv_ts;
            if (ts >= part->bound.ts) {
                struct event_key key = event_key(event);
                if (!event_key_before(&key, &part->bound)) {
                    break;
                }
            }
            uint32_t interval = (uint32_t)((ts - intervals->first_ts) * intervals->per_time);
            uint32_t full = ++count[interval];
            most = full > most ? full : most;
            interval_of[n] = interval;
            entries[n++] = (struct commit_entry){bits_of(ts), event};
        }
        kp->old = old;
        if (n > start) {
            order->run_ends[n_runs++] = n;
        }
    }
    order->at = 0;
    order->n = n;
    *fullest = most;
    return n_runs;
}

static void deal_out(struct commit_order *order, size_t n_intervals)
{
    const size_t n_entries = order->n;
    const struct commit_entry *const from = order->entries;
    const uint32_t *const interval_of = order->interval;
    struct commit_entry *const to = order->other;
    uint32_t *const next = order->interval_end;
    uint32_t n = 0;
    for (size_t i = 0; i < n_intervals; i++) {
        uint32_t count = next[i];
        next[i] = n;
        n += count;
    }
    for (size_t i = 0; i < n_entries; i++) {
        to[next[interval_of[i]]++] = from[i];
    }
    for (size_t i = 1; i < n_entries; i++) { /* in order but for a few steps */
        if (!entry_before(&to[i], &to[i - 1])) {
            continue;
        }
        struct commit_entry entry = to[i];
        size_t at = i;
        do {
            to[at] = to[at - 1];
            at--;
        } while (at > 0 && entry_before(&entry, &to[at - 1]));
        to[at] = entry;
    }
    exchange_tables(order);
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

bool commit_order_next(struct commit_order *order, struct kp *kps, const struct event_key *gvt)
{
    for (;;) {
        struct part part = find_part(order, kps, gvt);
        if (part.n_most == 0) {
            return false;
        }
        struct intervals intervals = choose_intervals(&part);
        uint32_t fullest;
        size_t n_runs = collect(order, kps, &part, &intervals, &fullest);
        if (n_runs > 0) {
            if (n_runs > 1 && fullest <= PER_INTERVAL_MOST) {
                deal_out(order, intervals.n);
            } else {
                merge_runs(order, n_runs);
            }
            return true;
        }
        if (!event_key_before(&part.bound, gvt)) {
            return false;
        }
        /* A KP has more events of one key than there is room for (offset 0): invariant 2. */
        if (!make_room(order, order->n_per_kp * 2)) {
            tw_error(TW_LOC, "out of memory for putting events in order; use fewer KPs");
        }
    }
}
