/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pending_spread.c - distributes many unsorted entries over buckets; chooses the key, and the width
 * and number of the buckets.
 *
 * The bucket width of a new rung does not depend on the whole range of keys. It depends on the
 * density of entries between the smallest key and the median of a small sample of keys. The next
 * events matter most, and one event in the far future must not put all others into one bucket.
 * Entries beyond the buckets stay in top, or go into the last bucket to be spread later. At most
 * about half of the entries are beyond the buckets. An entry is therefore spread O(log n) times at
 * worst, and typically once or twice.
 *
 * If the median equals the smallest key, the entries with greater keys go into a rung of a single
 * bucket. Entries that are all equal in one key are spread by the next key: after the time stamp
 * comes the priority, then the first tie-breaker. Entries that are equal in all three keys, or too
 * close for a finite scale, go into the heap.
 */
#include <assert.h>

#include "event/pending_ladder.h"

#define PENDING_SAMPLES        32 /* approximate number of entries in a sample */
#define PENDING_SAMPLES_MAX    48
#define PENDING_BUCKET_ENTRIES 24.0 /* target for the number of entries per bucket */
/* A rung for n entries has at most about PENDING_BUCKETS_FACTOR * n / PENDING_BUCKET_ENTRIES
 * buckets. */
#define PENDING_BUCKETS_FACTOR 4.0
/* number of spare buckets that pending_plan_room() adds for each bucket of the plan */
#define PENDING_ROOM_FACTOR 4

/* Statistics of the keys in a bag. */
struct pending_keys {
    double min;
    double max;
    double middle; /* approximate median of the keys */
};

static double pending_median(double *sample, size_t n)
{
    assert(n > 0 && n <= PENDING_SAMPLES_MAX);
    for (size_t i = 1; i < n; i++) {
        double x = sample[i];
        size_t k = i;
        while (k > 0 && sample[k - 1] > x) {
            sample[k] = sample[k - 1];
            k--;
        }
        sample[k] = x;
    }
    return sample[n / 2];
}

/* Prefetches the data that are needed when keys are read: an older chunk of the bag and, unless the
 * key is the time stamp, the events of the newest chunk. */
PREFETCHING void pending_prefetch_keys(pending_bag bag, enum pending_key by)
{
    const struct pending_chunk *chunk = pending_bag_chunk(bag);
    if (chunk->ahead != NULL) {
        pending_chunk_prefetch(chunk->ahead);
    }
    if (by != PENDING_BY_TS) {
        for (const struct pending_entry *e = chunk->entry; e < bag; e++) {
            __builtin_prefetch(e->event);
        }
    }
}

static struct pending_keys pending_measure(pending_bag bag, size_t n, enum pending_key by)
{
    assert(bag != NULL && n > 0);
    double sample[PENDING_SAMPLES_MAX] = {pending_key_of(bag - 1, by)};
    size_t n_samples = 1;
    size_t stride = n / PENDING_SAMPLES + 1;
    size_t wait = stride;
    /* Makes the distances between samples irregular, since the entries may follow a regular
     * pattern. */
    uint32_t weyl = 0;
    struct pending_keys keys = {INFINITY, -INFINITY, 0.0};
    while (bag != NULL) {
        pending_prefetch_keys(bag, by);
        for (const struct pending_entry *e = pending_bag_chunk(bag)->entry; e < bag; e++) {
            double key = pending_key_of(e, by);
            keys.min = key < keys.min ? key : keys.min;
            keys.max = key > keys.max ? key : keys.max;
            if (--wait == 0 && n_samples < PENDING_SAMPLES_MAX) {
                sample[n_samples++] = key;
                weyl += 0x9E3779B9U;
                wait = 1 + (size_t)(((uint64_t)weyl * (2 * stride - 1)) >> 32);
            }
        }
        bag = pending_bag_older(bag);
    }
    keys.middle = pending_median(sample, n_samples);
    return keys;
}

/* Sets lo, scale and n_buckets of *plan for n entries with these keys. keys->min must be less than
 * keys->middle. Returns false if the scale would not be finite. */
static bool pending_plan_scale(struct pending_plan *plan, const struct pending_keys *keys, size_t n)
{
    assert(keys->min < keys->middle);
    double half = fmin(keys->middle - keys->min, DBL_MAX);
    double want = (double)n / PENDING_BUCKET_ENTRIES;
    plan->lo = keys->min;
    plan->scale = want / 2.0 / half;
    if (!(plan->scale <= DBL_MAX)) {
        return false;
    }
    double most = fmax(PENDING_BUCKETS_FACTOR * want, 8.0);
    double last = (keys->max - keys->min) * plan->scale;
    plan->n_buckets = (size_t)fmin(most, last) + 1;
    return true;
}

/* Moves those entries of a bag that belong to rung r into the rung, and subtracts their number from
 * *n. Returns a bag with the other entries. */
static pending_bag pending_distribute(struct pending_ladder *l, struct pending_rung *r,
                                      pending_bag bag, size_t *n)
{
    pending_bag rest = NULL;
    size_t before = r->count;
    while (bag != NULL) {
        pending_prefetch_keys(bag, r->by);
        for (const struct pending_entry *e = pending_bag_chunk(bag)->entry; e < bag; e++) {
            double x = pending_rung_position(r, e);
            if (x >= r->cur_x) {
                pending_rung_insert(r, &l->pool, x, *e);
            } else {
                pending_bag_push(&l->pool, &rest, *e);
            }
        }
        bag = pending_bag_release_newest(&l->pool, bag);
    }
    *n -= r->count - before;
    return rest;
}

static void pending_spread_to_heap(struct pending_ladder *l, pending_bag bag)
{
    while (bag != NULL) {
        for (const struct pending_entry *e = pending_bag_chunk(bag)->entry; e < bag; e++) {
            pending_heap_push(&l->heap, *e);
        }
        bag = pending_bag_release_newest(&l->pool, bag);
    }
}

/* Adds spare buckets to the plan, before the smallest entry, for events that the current rollback
 * will push. Returns the number of spare buckets; 0 if rounding prevents them. */
static size_t pending_plan_room(struct pending_plan *plan)
{
    size_t room = PENDING_ROOM_FACTOR * plan->n_buckets;
    double lo = plan->lo - (double)room / plan->scale;
    double first = (plan->lo - lo) * plan->scale;
    if (!(first >= 0.0 && first <= (double)room + 1.0)) {
        return 0;
    }
    plan->lo = lo;
    plan->n_buckets += room;
    return (size_t)first;
}

void pending_spread(struct pending_ladder *l, pending_bag bag, size_t n, bool room)
{
    struct pending_plan plan = {.by = PENDING_BY_TS};
    while (l->n_rungs < PENDING_RUNGS_MAX) {
        struct pending_keys keys = pending_measure(bag, n, plan.by);
        struct pending_rung *r = &l->rung[l->n_rungs];
        if (keys.min == keys.max) {
            if (plan.by + 1 == PENDING_KEYS) {
                break;
            }
            plan.ts = plan.by == PENDING_BY_TS ? keys.min : plan.ts;
            plan.prio = plan.by == PENDING_BY_PRIO ? keys.min : plan.prio;
            plan.by++;
            continue;
        }
        size_t cur = 0;
        if (keys.min == keys.middle) {
            plan.lo = nextafter(keys.min, INFINITY);
            plan.scale = 1.0;
            plan.n_buckets = 1;
        } else if (!pending_plan_scale(&plan, &keys, n)) {
            break;
        } else if (room && plan.by == PENDING_BY_TS) {
            cur = pending_plan_room(&plan);
        }
        pending_rung_open(r, &plan);
        pending_rung_set_cur(r, cur);
        l->n_rungs++;
        bag = pending_distribute(l, r, bag, &n);
        if (bag == NULL) {
            return;
        }
    }
    pending_spread_to_heap(l, bag);
}

/* Moves the entries of `top` with time stamps before ts into rung r, or into *bag if r is NULL.
 * Sets top_ts to ts. Returns the number of entries moved. */
static size_t pending_split_top(struct pending_ladder *l, double ts, struct pending_rung *r,
                                pending_bag *bag)
{
    pending_bag top = l->top;
    size_t n = 0;
    l->top = NULL;
    while (top != NULL) {
        pending_prefetch_keys(top, PENDING_BY_TS);
        for (const struct pending_entry *e = pending_bag_chunk(top)->entry; e < top; e++) {
            if (e->ts >= ts) {
                pending_bag_push_long(&l->pool, &l->top, *e);
                continue;
            }
            n++;
            if (r != NULL) {
                pending_rung_insert(r, &l->pool, pending_rung_position(r, e), *e);
            } else {
                pending_bag_push(&l->pool, bag, *e);
            }
        }
        top = pending_bag_release_newest(&l->pool, top);
    }
    l->n_top -= n;
    l->top_ts = ts;
    return n;
}

void pending_start_epoch(struct pending_ladder *l)
{
    assert(l->n_rungs == 0 && l->heap.n == 0 && l->n_top > 0);
    struct pending_plan plan = {.by = PENDING_BY_TS};
    struct pending_keys keys = pending_measure(l->top, l->n_top, PENDING_BY_TS);
    if (keys.min < keys.middle && pending_plan_scale(&plan, &keys, l->n_top)) {
        double end = plan.lo + (double)plan.n_buckets / plan.scale;
        if (!(end > keys.middle)) { /* true if rounding moved end to the median or below */
            end = nextafter(keys.max, INFINITY);
        }
        pending_rung_open(&l->rung[0], &plan);
        l->n_rungs = 1;
        (void)pending_split_top(l, end, &l->rung[0], NULL);
        return;
    }
    pending_bag bag = NULL;
    size_t n = pending_split_top(l, nextafter(keys.middle, INFINITY), NULL, &bag);
    pending_spread(l, bag, n, false);
}
