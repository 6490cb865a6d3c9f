/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pending.c - a ladder queue with a sorted front.
 *
 *     earliest                                                          latest
 *     front          heap   finest rung  ...  coarsest rung                top
 *     sorted array          buckets, each of them unsorted            unsorted
 *
 * A push adds the entry to the latest part that covers its position: top, a rung, or the front.
 * When the front is empty, a refill sorts the next buckets into it. A bucket with too many entries
 * first becomes a finer rung. When the ladder is empty, the earlier part of top becomes its
 * coarsest rung (pending_spread.c). The heap holds entries that no rung can separate, and is empty
 * in practice.
 *
 * A rollback pushes events that precede all others and extend the front. When the front is full,
 * its later part returns to the ladder. Normally it returns to the buckets from which it came: the
 * finest rung is wound back. If that part precedes the finest rung, the whole front becomes a new
 * finer rung with spare buckets at its start. The new rung absorbs each following rung that has at
 * most twice as many entries. The number of rungs thus stays small, and an entry returns to the
 * ladder O(log n) times at worst.
 *
 * Apart from the entries that it moves, a refill reads a bounded number of buckets and entries.
 * This matters if a chain of single events approaches many events with a common time stamp: each
 * event of the chain then causes a refill.
 *
 * Invariants
 *  Q1  Order of the parts: front, heap, rungs from the last to the first, top. Each entry of a part
 *      is before each entry of the next. An entry is in top if and only if its ts >= top_ts.
 *  Q2  An entry that is not in top is in the first rung in which its pending_rung_position() >=
 *      cur_x, if there is such a rung.
 *  Q3  The front is sorted by event_compare(), smallest last.
 *  Q4  n_live entries have an event in state EVENT_PENDING; n_cancelled entries have an event in
 *      state EVENT_CANCELLED. After each call that cancels an event or refills the front,
 *      n_cancelled <= n_live + a constant.
 *
 * Cost: amortised O(1) per operation if the time stamps, or the tie-breakers of equal time stamps,
 * have a probability density; otherwise O(log n). The mix "hold" of bench/queue.c pops the smallest
 * event and pushes it again with a later time, at an exponentially distributed offset. On a core of
 * an AMD EPYC (Zen 5), one such operation takes 14 to 16 ns with 10^2 to 10^5 pending events. The
 * operation takes 26 ns with 10^6 events, and 36 ns with 10^7. With 10^2, 10^3, ... 10^7 events, a
 * 4-ary heap takes 3, 6, 8, 14, 12 and 16 times as long.
 */
#include "event/pending_ladder.h"

#include <assert.h>
#include <stdlib.h>

/* a refill takes further buckets until the front has this number of entries */
#define PENDING_FRONT_FEW 16
/* maximum number of entries that pending_spill() leaves in the front, and that pending_take_heap()
 * moves to the front */
#define PENDING_FRONT_KEEP     32
#define PENDING_CANCELLED_FREE 1024

struct pending *pending_create(pending_drop_f drop, void *ctx)
{
    struct pending_ladder *l = calloc(1, sizeof *l);
    if (l == NULL) {
        return NULL;
    }
    arena_init(&l->pool.arena, SIZE_MAX);
    l->q.drop = drop;
    l->q.drop_ctx = ctx;
    l->top_ts = -INFINITY;
    return &l->q;
}

void pending_destroy(struct pending *q)
{
    if (q == NULL) {
        return;
    }
    struct pending_ladder *l = (struct pending_ladder *)q;
    for (size_t i = 0; i < PENDING_RUNGS_MAX; i++) {
        pending_rung_free(&l->rung[i]);
    }
    free(l->heap.entry);
    arena_fini(&l->pool.arena);
    free(l);
}

size_t pending_memory_bytes(const struct pending *q)
{
    const struct pending_ladder *l = (const struct pending_ladder *)q;
    size_t bytes = sizeof *l + l->heap.capacity * sizeof *l->heap.entry + l->pool.arena.total_bytes;
    for (size_t i = 0; i < PENDING_RUNGS_MAX; i++) {
        bytes += l->rung[i].capacity * sizeof(pending_bag) + l->rung[i].capacity / 8;
    }
    return bytes;
}

static inline void pending_purge_if_due(struct pending_ladder *l)
{
    if (l->q.n_cancelled > l->q.n_live + PENDING_CANCELLED_FREE) {
        pending_purge(l);
    }
}

/* ---- Push and spill -------------------------------------------------------------------------- */

/* Moves all entries of the finest rung to *bag, and removes the rung from the ladder. Returns the
 * number of entries moved. */
static size_t pending_absorb_rung(struct pending_ladder *l, pending_bag *bag)
{
    assert(l->n_rungs > 0);
    struct pending_rung *r = &l->rung[--l->n_rungs];
    size_t n = r->count;
    pending_rung_flush(r, &l->pool);
    for (size_t i = r->cur; r->count > 0; i++) {
        i = pending_rung_next(r, i);
        size_t n_bucket = pending_bag_count(r->bucket[i], SIZE_MAX);
        pending_bag_pour(&l->pool, pending_rung_take(r, i, n_bucket), bag);
    }
    return n;
}

/* Moves the n latest entries of the front, and those that share a bucket with them, back to the
 * finest rung. If that rung does not cover these n entries, moves nothing and returns false. */
static bool pending_wind_back(struct pending_ladder *l, size_t n)
{
    struct pending *q = &l->q;
    struct pending_rung *r = &l->rung[l->n_rungs - 1];
    double x = pending_rung_position(r, &q->front[n - 1]);
    if (!(x >= 0.0)) {
        return false;
    }
    size_t cur = pending_rung_index(r, x);
    pending_rung_set_cur(r, cur);
    size_t k = 0;
    while (k < q->n_front && (x = pending_rung_position(r, &q->front[k])) >= r->cur_x) {
        pending_rung_insert(r, &l->pool, x, q->front[k]);
        k++;
    }
    q->n_front -= k;
    memmove(q->front, q->front + k, q->n_front * sizeof *q->front);
    return true;
}

/* Makes space in the full front: moves its latest entries to the heap or the ladder. */
static void pending_spill(struct pending_ladder *l)
{
    struct pending *q = &l->q;
    assert(q->n_front == PENDING_FRONT_MAX);
    size_t n = q->n_front - PENDING_FRONT_KEEP;
    if (l->heap.n > 0) {
        for (size_t k = 0; k < n; k++) {
            pending_heap_push(&l->heap, q->front[k]);
        }
        q->n_front = PENDING_FRONT_KEEP;
        memmove(q->front, q->front + n, q->n_front * sizeof *q->front);
        return;
    }
    if (l->n_rungs > 0 && pending_wind_back(l, n)) {
        return;
    }
    pending_bag bag = NULL;
    n = q->n_front;
    for (size_t k = 0; k < n; k++) {
        pending_bag_push(&l->pool, &bag, q->front[k]);
    }
    q->n_front = 0;
    while (l->n_rungs > 0 && l->rung[l->n_rungs - 1].count <= 2 * n) {
        n += pending_absorb_rung(l, &bag);
    }
    pending_spread(l, bag, n, true);
}

/* Inserts an entry that precedes the whole ladder into the front, which must not be full. */
static void pending_front_insert(struct pending *q, const struct pending_entry *entry)
{
    assert(q->n_front < PENDING_FRONT_MAX);
    size_t n = q->n_front;
    if (n > 0 && pending_entry_before(&q->front[n - 1], entry)) {
        size_t low = 0; /* entries at smaller indices are later than the new entry */
        size_t high = n - 1;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (pending_entry_before(entry, &q->front[middle])) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        memmove(&q->front[low + 1], &q->front[low], (n - low) * sizeof *q->front);
        n = low;
    }
    q->front[n] = *entry;
    q->n_front++;
}

static void pending_place(struct pending_ladder *l, const struct pending_entry *entry)
{
    if (entry->ts >= l->top_ts) {
        pending_bag_push_long(&l->pool, &l->top, *entry);
        l->n_top++;
        return;
    }
    for (size_t i = 0; i < l->n_rungs; i++) {
        struct pending_rung *r = &l->rung[i];
        double x = pending_rung_position(r, entry);
        if (x >= r->cur_x) {
            pending_rung_insert(r, &l->pool, x, *entry);
            return;
        }
    }
    struct pending *q = &l->q;
    if (l->heap.n > 0 && (q->n_front == 0 || pending_entry_before(&q->front[0], entry))) {
        pending_heap_push(&l->heap, *entry);
    } else if (q->n_front < PENDING_FRONT_MAX) {
        pending_front_insert(q, entry);
    } else {
        pending_spill(l);
        pending_place(l, entry);
    }
}

void pending_push(struct pending *q, tw_event *event)
{
    assert(isfinite(event->recv_ts));
    assert(event->state.owner == EVENT_NEW || event->state.owner == EVENT_PROCESSING ||
           event->state.owner == EVENT_PROCESSED || event->state.owner == EVENT_PENDING);
    struct pending_entry entry = {event->recv_ts, event};
    event_move(event, (enum event_state)event->state.owner, EVENT_PENDING);
    q->n_live++;
    pending_place((struct pending_ladder *)q, &entry);
}

/* ---- Refill ---------------------------------------------------------------------------------- */

/* Copies the entries of a bag to `out` and frees the chunks of the bag. Returns the number of
 * entries. Also prefetches the LPs of the events. Events from buckets are already in the cache, see
 * pending_prefetch_buckets(). Events that come directly from `top` cause cache misses. */
static size_t pending_unpack(struct pending_ladder *l, pending_bag bag, struct pending_entry *out)
{
    size_t n = 0;
    while (bag != NULL) {
        for (const struct pending_entry *e = pending_bag_chunk(bag)->entry; e < bag; e++) {
            /* Computes with an integer: events in tests may have no LP, and pointer arithmetic on
             * NULL is undefined. */
            const uintptr_t lp = (uintptr_t)e->event->dest_lp;
            __builtin_prefetch((const void *)lp, 1);
            __builtin_prefetch((const void *)(lp + 64), 1);
            out[n++] = *e;
        }
        bag = pending_bag_release_newest(&l->pool, bag);
    }
    return n;
}

/*
 * Prefetches data for the next refills. Bucket `next` is in the third stage, the two buckets after
 * it are in the second and the first stage. Each refill advances a bucket by one stage. The first
 * stage prefetches the header of the bucket's newest chunk. The second prefetches that chunk and
 * the next older one. The third prefetches the events, whose LPs are prefetched when the bucket is
 * unpacked.
 *
 * If a bucket has at most two chunks, as nearly all buckets do, each stage reads only data that the
 * previous stage fetched. The third stage omits a bucket with too many entries to sort, since that
 * bucket will be spread over a finer rung.
 */
PREFETCHING void pending_prefetch_buckets(const struct pending_rung *r, size_t next)
{
    if (next >= r->n_buckets) {
        return;
    }
    pending_bag bag = r->bucket[next];
    if (pending_bag_count(bag, PENDING_SORT_MAX) > PENDING_SORT_MAX) {
        bag = NULL;
    }
    for (; bag != NULL; bag = pending_bag_older(bag)) {
        for (const struct pending_entry *e = pending_bag_chunk(bag)->entry; e < bag; e++) {
            __builtin_prefetch(e->event, 1);
            __builtin_prefetch(&e->event->caused_by_me, 1);
        }
    }
    next = pending_rung_near(r, next + 1);
    if (next >= r->n_buckets) {
        return;
    }
    const struct pending_chunk *newest = pending_bag_chunk(r->bucket[next]);
    pending_chunk_prefetch(newest);
    if (newest->older != NULL) {
        pending_chunk_prefetch(newest->older);
    }
    next = pending_rung_near(r, next + 1);
    if (next < r->n_buckets) {
        __builtin_prefetch(pending_bag_chunk(r->bucket[next]));
    }
}

/* Moves the entries of the next buckets of the finest rung to the empty front, sorted. If the first
 * of these buckets has too many entries, spreads it over a finer rung instead. */
static void pending_take_buckets(struct pending_ladder *l)
{
    assert(l->n_rungs > 0 && l->q.n_front == 0);
    struct pending_entry unsorted[PENDING_SORT_MAX];
    struct pending_rung *r = &l->rung[l->n_rungs - 1];
    size_t n = 0;
    pending_rung_flush(r, &l->pool);
    size_t next = pending_rung_next(r, r->cur);
    while (next < r->n_buckets && n < PENDING_FRONT_FEW) {
        size_t i = next;
        size_t more = pending_bag_count(r->bucket[i], PENDING_SORT_MAX);
        if (n + more > PENDING_SORT_MAX) {
            if (n > 0) {
                break;
            }
            more = pending_bag_count(r->bucket[i], SIZE_MAX);
        }
        pending_bag bag = pending_rung_take(r, i, more);
        next = pending_rung_near(r, i);
        pending_rung_set_cur(r, i + 1);
        if (i + 1 == r->n_buckets) {
            l->n_rungs--;
        }
        if (more > PENDING_SORT_MAX) {
            pending_spread(l, bag, more, false);
            return;
        }
        n += pending_unpack(l, bag, unsorted + n);
    }
    pending_prefetch_buckets(r, next);
    pending_sort(l->q.front, unsorted, n);
    l->q.n_front = n;
}

/* Moves all entries of `top` to the empty front, sorted. Called only if there are at most
 * PENDING_SORT_MAX entries. */
static void pending_take_top(struct pending_ladder *l)
{
    assert(l->n_top > 0 && l->n_top <= PENDING_SORT_MAX);
    struct pending_entry unsorted[PENDING_SORT_MAX];
    size_t n = pending_unpack(l, l->top, unsorted);
    pending_sort(l->q.front, unsorted, n);
    l->q.n_front = n;
    l->top = NULL;
    l->n_top = 0;
    l->top_ts = nextafter(l->q.front[0].ts, INFINITY);
}

static void pending_take_heap(struct pending_ladder *l)
{
    struct pending *q = &l->q;
    assert(q->n_front == 0);
    q->n_front = l->heap.n < PENDING_FRONT_KEEP ? l->heap.n : PENDING_FRONT_KEEP;
    for (size_t k = q->n_front; k-- > 0;) {
        q->front[k] = pending_heap_pop(&l->heap);
    }
}

/* Makes one step towards filling the empty front. Returns false if the queue is empty. */
static bool pending_refill(struct pending_ladder *l)
{
    pending_purge_if_due(l);
    if (l->heap.n > 0) {
        pending_take_heap(l);
    } else if (l->n_rungs > 0) {
        if (l->rung[l->n_rungs - 1].count == 0) {
            l->n_rungs--;
        } else {
            pending_take_buckets(l);
        }
    } else if (l->n_top > PENDING_SORT_MAX) {
        pending_start_epoch(l);
    } else if (l->n_top > 0) {
        pending_take_top(l);
    } else {
        l->top_ts = -INFINITY;
        return false;
    }
    return true;
}

bool pending_settle(struct pending *q)
{
    struct pending_ladder *l = (struct pending_ladder *)q;
    do {
        while (q->n_front > 0) {
            tw_event *event = q->front[q->n_front - 1].event;
            if (event->state.owner != EVENT_CANCELLED) {
                return true;
            }
            q->n_front--;
            q->n_cancelled--;
            q->drop(q->drop_ctx, event);
        }
    } while (pending_refill(l));
    return false;
}

/* ---- Cancel ---------------------------------------------------------------------------------- */

void pending_drop_cancelled(struct pending *q)
{
    if (q->n_cancelled > 0) {
        pending_purge((struct pending_ladder *)q);
    }
}

void pending_cancel(struct pending *q, tw_event *event)
{
    assert(q->n_live > 0);
    pending_purge_if_due((struct pending_ladder *)q);
    event_move(event, EVENT_PENDING, EVENT_CANCELLED);
    q->n_live--;
    q->n_cancelled++;
}
