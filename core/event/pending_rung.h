/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pending_rung.h - a rung of the ladder: an interval of the order, divided into equal buckets.
 *
 * A rung spreads entries by one key. This key is the time stamp; or the priority, if all time
 * stamps are equal; or the first tie-breaker, if all priorities are equal as well. A subtraction
 * and a multiplication turn the key of an entry into its position in the rung. Despite rounding,
 * positions never decrease in the order of events. The position alone determines whether an entry
 * belongs to the rung, and to which of its buckets. The boundaries of buckets are never computed,
 * so rounding cannot make them inconsistent.
 *
 * Invariants
 *  R1  For the position of each entry in bucket i, pending_rung_index() returns i. The last bucket
 *      also takes the entries with positions beyond its end.
 *  R2  cur <= i for each bucket i with entries; cur < n_buckets.
 *  R3  Bit i of `used` is set if and only if bucket i has entries. count is the number of entries
 *      in the rung, staged ones included.
 *  R4  A rung that is not on the ladder has empty buckets and no staged entries.
 *  R5  An inserted entry may be staged: included in count, but not in its bucket yet. Buckets are
 *      read only after a pending_rung_flush().
 *
 * Staging hides cache misses: if the queue has 10^6 events, the bucket for a new event is usually
 * not in the cache. An insert only stages the entry and prefetches the pointer of its bucket. Every
 * 16th insert prefetches the 16 places to which these pointers point, then writes the staged
 * entries there.
 *
 * Cost: an insert is O(1). A search for the next bucket that has entries tests 64 buckets at a
 * time, and skips the buckets before cur.
 */
#ifndef WARPSCOPE_EVENT_PENDING_RUNG_H
#define WARPSCOPE_EVENT_PENDING_RUNG_H

#include <assert.h>

#include "event/pending_bag.h"
#include "event/pending_order.h"

#define PENDING_STAGED_MAX 16
/* maximum number of words of `used` that pending_rung_near() reads; a word covers 64 buckets */
#define PENDING_NEAR_WORDS 8

struct pending_staged {
    size_t bucket;
    struct pending_entry entry;
};

struct pending_rung {
    double lo;    /* key at the start of bucket 0 */
    double scale; /* number of buckets per unit of the key; finite, > 0 */
    double cur_x; /* position at which bucket cur starts */
    double last_x;
    enum pending_key by;
    double ts;   /* common time stamp of all entries, unless `by` is PENDING_BY_TS */
    double prio; /* common priority of all entries, if `by` is PENDING_BY_TIE */
    size_t cur;  /* index of the next bucket to take; all earlier buckets have been taken */
    size_t n_buckets;
    size_t count;
    pending_bag *bucket;
    size_t n_staged;
    uint64_t *used;
    size_t capacity; /* number of allocated buckets, a multiple of 64 */
    struct pending_staged staged[PENDING_STAGED_MAX];
};

/* Parameters of a new rung: initial values of the members of struct pending_rung. */
struct pending_plan {
    enum pending_key by;
    double ts;
    double prio;
    double lo;
    double scale;
    size_t n_buckets;
};

/* Returns the position of an entry in a rung whose key is not the time stamp. Returns -1 if a more
 * significant key puts the entry before the rung, INFINITY if such a key puts it after the rung. */
double pending_rung_position_tied(const struct pending_rung *r, const struct pending_entry *entry);

static inline double pending_rung_position(const struct pending_rung *r,
                                           const struct pending_entry *entry)
{
    return r->by == PENDING_BY_TS ? (entry->ts - r->lo) * r->scale
                                  : pending_rung_position_tied(r, entry);
}

/* Returns the index of the bucket for position x, which is at least 0. */
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

/* Moves the staged entries to their buckets. pool: source of new chunks. */
void pending_rung_flush(struct pending_rung *r, struct pending_pool *pool);

/* Inserts an entry at position x of the rung; x is at least cur_x. */
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

/* Makes *r an empty rung with the parameters in *plan and with cur = 0. *r must not be on the
 * ladder. */
void pending_rung_open(struct pending_rung *r, const struct pending_plan *plan);
void pending_rung_free(struct pending_rung *r);

/* Returns the index of the first bucket >= from that has entries; n_buckets if there is none. */
size_t pending_rung_next(const struct pending_rung *r, size_t from);
/* Like pending_rung_next(), but searches only the next few hundred buckets, in time O(1). Returns
 * n_buckets if none of these has entries. */
size_t pending_rung_near(const struct pending_rung *r, size_t from);

/* Makes a bag of n entries the content of bucket i, which must be empty. The position of each entry
 * must lie in bucket i. */
static inline void pending_rung_put(struct pending_rung *r, size_t i, pending_bag bag, size_t n)
{
    assert(i < r->n_buckets && r->bucket[i] == NULL);
    r->bucket[i] = bag;
    r->used[i / 64] |= (uint64_t)1 << (i % 64);
    r->count += n;
}

/* Removes the bag of n entries from bucket i, and returns that bag. */
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
