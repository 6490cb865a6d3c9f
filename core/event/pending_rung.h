/*
 * pending_rung.h - a rung of the ladder: a stretch of the order, cut into equal buckets.
 *
 * A rung spreads entries by one key (time stamp; or priority among equal time stamps; or the first
 * tie-breaker among equal priorities) with one subtraction and one multiplication. That position is
 * monotone in the order of events whatever is rounded, and everything is decided by it alone:
 * whether an entry belongs to the rung, and to which bucket. No edge of a bucket is ever computed,
 * so none can disagree.
 *
 * Invariants
 *  R1  An entry in bucket i has pending_rung_index() i; the last bucket takes what lies beyond.
 *  R2  cur <= i for each bucket i with entries; cur < n_buckets.
 *  R3  Bit i of used says whether bucket i has entries; count is the number of entries in all.
 *  R4  A rung that is not on the ladder has empty buckets and nothing staged.
 *  R5  Inserted entries may be staged: counted, but not in their bucket yet. Buckets are only
 *      read after a pending_rung_flush().
 *
 * Staging hides cache misses: among 10^6 events the bucket of a random one is in no near cache. An
 * insert asks for the bucket's pointer and leaves; every 16th asks for the 16 places behind those
 * pointers and then writes to them.
 *
 * Cost: an insert O(1); the next bucket with entries is found 64 buckets at a time, and empty ones
 * that cur has passed are not looked at again.
 */
#ifndef WARPSCOPE_EVENT_PENDING_RUNG_H
#define WARPSCOPE_EVENT_PENDING_RUNG_H

#include "event/pending_bag.h"
#include "event/pending_order.h"

#define PENDING_STAGED_MAX 16
#define PENDING_NEAR_WORDS 8 /* words of used, 64 buckets each */

struct pending_staged {
    size_t bucket;
    struct pending_entry entry;
};

struct pending_rung {
    double lo;    /* key at position 0 */
    double scale; /* buckets per unit of the key, finite, > 0 */
    double cur_x; /* cur, as a position */
    double last_x;
    enum pending_key by;
    double ts;   /* common to all entries when by > PENDING_BY_TS */
    double prio; /* common to all entries when by > PENDING_BY_PRIO */
    size_t cur;  /* buckets before it have been taken */
    size_t n_buckets;
    size_t count;
    pending_bag *bucket;
    size_t n_staged;
    uint64_t *used;
    size_t capacity; /* buckets there is memory for, a multiple of 64 */
    struct pending_staged staged[PENDING_STAGED_MAX];
};

/* What a new rung is to look like. */
struct pending_plan {
    enum pending_key by;
    double ts;
    double prio;
    double lo;
    double scale;
    size_t n_buckets;
};

/* Position of an entry that need not have the common ts and prio. */
double pending_rung_position_tied(const struct pending_rung *r, const struct pending_entry *entry);

static inline double pending_rung_position(const struct pending_rung *r,
                                           const struct pending_entry *entry)
{
    return r->by == PENDING_BY_TS ? (entry->ts - r->lo) * r->scale
                                  : pending_rung_position_tied(r, entry);
}

/* The bucket of a position >= 0. */
static inline size_t pending_rung_index(const struct pending_rung *r, double x)
{
    return x < r->last_x ? (size_t)(int64_t)x : r->n_buckets - 1;
}

static inline void pending_rung_set_cur(struct pending_rung *r, size_t cur)
{
    r->cur = cur;
    r->cur_x = (double)cur;
}

/* Moves what is staged into its buckets. */
void pending_rung_flush(struct pending_rung *r, struct pending_pool *pool);

/* x: the position of the entry, >= cur_x */
static inline void pending_rung_insert(struct pending_rung *r, struct pending_pool *pool, double x,
                                       struct pending_entry entry)
{
    size_t i = pending_rung_index(r, x);
    __builtin_prefetch(&r->bucket[i], 1);
    r->staged[r->n_staged] = (struct pending_staged){i, entry};
    r->count++;
    if (++r->n_staged == PENDING_STAGED_MAX) {
        pending_rung_flush(r, pool);
    }
}

/* Makes an empty rung of r, which is not on the ladder, with cur 0. */
void pending_rung_open(struct pending_rung *r, const struct pending_plan *plan);
void pending_rung_free(struct pending_rung *r);

/* The first bucket >= from with entries, or n_buckets. */
size_t pending_rung_next(const struct pending_rung *r, size_t from);
/* The same without looking far: n_buckets also when it is hundreds of buckets away. O(1). */
size_t pending_rung_near(const struct pending_rung *r, size_t from);

/* Puts n entries, all of bucket i's positions, into that empty bucket. */
static inline void pending_rung_put(struct pending_rung *r, size_t i, pending_bag bag, size_t n)
{
    r->bucket[i] = bag;
    r->used[i / 64] |= (uint64_t)1 << (i % 64);
    r->count += n;
}

/* Empties bucket i, of n entries; they are the caller's. */
static inline pending_bag pending_rung_take(struct pending_rung *r, size_t i, size_t n)
{
    pending_bag bag = r->bucket[i];
    r->bucket[i] = NULL;
    r->used[i / 64] &= ~((uint64_t)1 << (i % 64));
    r->count -= n;
    return bag;
}

#endif
