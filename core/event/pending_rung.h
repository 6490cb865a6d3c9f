/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pending_rung.h - a rung of the ladder: an interval of the order, divided into equal buckets.
 *
 * A rung spreads entries by one key: time stamp; or priority among equal time stamps; or first
 * tie-breaker among equal priorities. A subtraction and a multiplication yield the position of an
 * entry. Positions are monotone in the order of events despite rounding. The position alone
 * determines whether an entry belongs to the rung, and to which bucket. Edges of buckets are never
 * computed, so rounding cannot make them inconsistent.
 *
 * Invariants
 *  R1  An entry in bucket i has pending_rung_index() i; the last bucket takes all positions beyond.
 *  R2  cur <= i for each bucket i with entries; cur < n_buckets.
 *  R3  Bit i of used is set if bucket i has entries; count is the total number of entries.
 *  R4  A rung that is not on the ladder has empty buckets and no staged entries.
 *  R5  Inserted entries may be staged: counted, but not in their bucket yet. Buckets are read only
 *      after a pending_rung_flush().
 *
 * Staging hides cache misses: among 10^6 events, the bucket of a random one is not cached. An
 * insert prefetches the bucket's pointer and returns. Every 16th insert prefetches the 16 places
 * behind those pointers and then writes to them.
 *
 * Cost: an insert is O(1). A search for the next bucket with entries tests 64 buckets at a time,
 * and never revisits empty ones before cur.
 */
#ifndef WARPSCOPE_EVENT_PENDING_RUNG_H
#define WARPSCOPE_EVENT_PENDING_RUNG_H

#include <assert.h>

#include "event/pending_bag.h"
#include "event/pending_order.h"

#define PENDING_STAGED_MAX 16
#define PENDING_NEAR_WORDS 8 /* most words of `used` that a short search reads, 64 buckets each */

struct pending_staged {
    size_t bucket;
    struct pending_entry entry;
};

struct pending_rung {
    double lo;    /* key at the start of bucket 0 */
    double scale; /* buckets per unit of the key, finite, > 0 */
    double cur_x; /* position at which bucket cur starts */
    double last_x;
    enum pending_key by;
    double ts;   /* time stamp of all entries, if key is not PENDING_BY_TS */
    double prio; /* priority of all entries, if key is PENDING_BY_TIE */
    size_t cur;  /* next bucket to take; all earlier ones have been taken */
    size_t n_buckets;
    size_t count;
    pending_bag *bucket;
    size_t n_staged;
    uint64_t *used;
    size_t capacity; /* number of allocated buckets, a multiple of 64 */
    struct pending_staged staged[PENDING_STAGED_MAX];
};

/* Parameters of a new rung. */
struct pending_plan {
    enum pending_key by;
    double ts;
    double prio;
    double lo;
    double scale;
    size_t n_buckets;
};

/* Returns the position of an entry that may differ in ts and prio. */
double pending_rung_position_tied(const struct pending_rung *r, const struct pending_entry *entry);

static inline double pending_rung_position(const struct pending_rung *r,
                                           const struct pending_entry *entry)
{
    return r->by == PENDING_BY_TS ? (entry->ts - r->lo) * r->scale
                                  : pending_rung_position_tied(r, entry);
}

/* Returns the bucket of a position >= 0. */
static inline size_t pending_rung_index(const struct pending_rung *r, double x)
{
    assert(x >= 0.0);
    return x < r->last_x ? (size_t)(int64_t)x : r->n_buckets - 1;
}

static inline void pending_rung_set_cur(struct pending_rung *r, size_t cur)
{
    assert(cur <= r->n_buckets);
    r->cur = cur;
    r->cur_x = (double)cur;
}

/* Moves the entries of the staging area to their buckets. */
void pending_rung_flush(struct pending_rung *r, struct pending_pool *pool);

/* Inserts an entry at position x, which is at least cur_x. */
static inline void pending_rung_insert(struct pending_rung *r, struct pending_pool *pool, double x,
                                       struct pending_entry entry)
{
    assert(x >= r->cur_x);
    size_t i = pending_rung_index(r, x);
    __builtin_prefetch(&r->bucket[i], 1);
    r->staged[r->n_staged] = (struct pending_staged){i, entry};
    r->count++;
    if (++r->n_staged == PENDING_STAGED_MAX) {
        pending_rung_flush(r, pool);
    }
}

/* Opens r as an empty rung with cur 0. It must not be on the ladder. */
void pending_rung_open(struct pending_rung *r, const struct pending_plan *plan);
void pending_rung_free(struct pending_rung *r);

/* Returns the first bucket >= from with entries, or n_buckets. */
size_t pending_rung_next(const struct pending_rung *r, size_t from);
/* Like pending_rung_next(), but may also return n_buckets if that bucket is hundreds of buckets
 * away. O(1). */
size_t pending_rung_near(const struct pending_rung *r, size_t from);

/* Puts a bag of n entries into bucket i, which is empty. The position of each entry must lie in
 * bucket i. */
static inline void pending_rung_put(struct pending_rung *r, size_t i, pending_bag bag, size_t n)
{
    assert(i < r->n_buckets && r->bucket[i] == NULL);
    r->bucket[i] = bag;
    r->used[i / 64] |= (uint64_t)1 << (i % 64);
    r->count += n;
}

/* Empties bucket i, which holds n entries. Returns the entries. */
static inline pending_bag pending_rung_take(struct pending_rung *r, size_t i, size_t n)
{
    assert(i < r->n_buckets && r->count >= n);
    pending_bag bag = r->bucket[i];
    r->bucket[i] = NULL;
    r->used[i / 64] &= ~((uint64_t)1 << (i % 64));
    r->count -= n;
    return bag;
}

#endif
