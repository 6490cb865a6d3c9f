/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * limit_queue.h - the pending queue of phold_limit: a ladder with two rungs and a sorted front.
 *
 * This queue is faster than a general queue, because it relies on four facts. The number of entries
 * is constant, the mean offset of new entries is known, no entry is cancelled, and time never goes
 * back.
 *
 * Virtual time is divided into days, and 2^day_bits days make a year. A day has about
 * LIMIT_DAY_ENTRIES entries when it becomes the present day. The array `front` holds the sorted
 * entries of the present day. Each later day of the present year has a bucket for its entries.
 * Entries of later years are in n_years buckets, used cyclically: years that are n_years apart
 * share a bucket. Few entries are that far ahead. An entry is thus usually moved at most three
 * times, and each move writes to memory that is small enough to stay in the cache, however many
 * entries there are.
 *
 * A bucket is a list of 256-byte chunks, newest first. The first 16 bytes of a chunk point to the
 * next older chunk. Chunks come from a LIFO free list, so that they are likely in the cache.
 *
 * Invariants:
 * 1. The entries of `front` are sorted from index `next` on, and belong to days up to `day`.
 * 2. The bucket of a day holds entries of that day of the present year. The day is after `day`.
 * 3. The bucket of a year holds entries of that year, and of years that are a multiple of n_years
 *    later. The year is after the present year.
 *
 * Cost: O(1). Source: W. T. Tang, R. S. M. Goh and I. L. Thng, "Ladder queue", ACM TOMACS 15(3),
 * 2005, reduced to the needs of PHOLD.
 */
#ifndef WARPSCOPE_BENCH_LIMIT_QUEUE_H
#define WARPSCOPE_BENCH_LIMIT_QUEUE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/prefetch.h"
#include "support/measure.h"

#define LIMIT_DAY_ENTRIES  8.0
#define LIMIT_DAY_BITS_MAX 9u
/* Minimum span of virtual time that the buckets of years cover, as a multiple of the mean
 * offset. */
#define LIMIT_YEARS_MEANS    8.0
#define LIMIT_RANKED_MAX     48u /* maximum number of entries that are sorted by counting */
#define LIMIT_CHUNK_BYTES    256u
#define LIMIT_CHUNKS_AT_ONCE 256u
#define LIMIT_LOOK_AHEAD     2u /* number of days from the prefetch of an entry to its execution */

struct limit_entry {
    double ts;
    uint32_t lp;  /* index of the LP that receives the event */
    uint32_t ref; /* value for use by the caller */
};

struct limit_chunk {
    struct limit_chunk *older;
    uint64_t unused;
    struct limit_entry entry[LIMIT_CHUNK_BYTES / sizeof(struct limit_entry) - 1];
};

struct limit_bucket {
    struct limit_entry *at; /* position after the newest entry; NULL: empty */
};

struct limit_queue {
    struct limit_entry *front;        /* owned; sorted entries of the present day */
    size_t next, n_front, front_room; /* index of the next entry; length; capacity */
    uint64_t day, year;               /* present day and year, counted from time 0 */
    double days_per_time;             /* number of days per unit of virtual time */
    unsigned day_bits;
    uint64_t day_mask, year_mask; /* number of days in a year, minus 1; n_years minus 1 */
    /* Owned; buckets of days, then buckets of years, each group used cyclically. */
    struct limit_bucket *bucket;
    size_t first_year;        /* index of the first bucket of a year */
    struct limit_chunk *free; /* list of free chunks */
    struct arena arena;
};

/* ---- Chunks ---------------------------------------------------------------------------------- */

static inline void limit_more_chunks(struct limit_queue *q)
{
    struct limit_chunk *chunk =
        arena_alloc(&q->arena, LIMIT_CHUNKS_AT_ONCE * LIMIT_CHUNK_BYTES, LIMIT_CHUNK_BYTES);
    if (chunk == NULL) {
        measure_fail("out of memory");
    }
    for (size_t i = 0; i < LIMIT_CHUNKS_AT_ONCE; i++) {
        chunk[i].older = q->free;
        q->free = &chunk[i];
    }
}

/* Returns true if the newest chunk of the bucket is full, or if the bucket has no chunk. One test
 * covers both cases: the end of a full chunk is a multiple of the chunk size, and so is NULL. */
static inline bool limit_bucket_is_full(const struct limit_bucket *b)
{
    return ((uintptr_t)b->at & (LIMIT_CHUNK_BYTES - 1)) == 0;
}

static inline struct limit_chunk *limit_chunk_before(struct limit_entry *at)
{
    return (struct limit_chunk *)(((uintptr_t)at - 1) & ~(uintptr_t)(LIMIT_CHUNK_BYTES - 1));
}

static inline void limit_bucket_add(struct limit_queue *q, struct limit_bucket *b,
                                    struct limit_entry entry)
{
    if (limit_bucket_is_full(b)) {
        if (q->free == NULL) {
            limit_more_chunks(q);
        }
        struct limit_chunk *chunk = q->free;
        q->free = chunk->older;
        chunk->older = b->at == NULL ? NULL : limit_chunk_before(b->at);
        b->at = chunk->entry;
    }
    *b->at++ = entry;
}

/* ---- Adding entries -------------------------------------------------------------------------- */

static inline void limit_front_reserve(struct limit_queue *q, size_t n)
{
    if (n > q->front_room) {
        q->front_room = 2 * n;
        q->front = realloc(q->front, q->front_room * sizeof *q->front);
        if (q->front == NULL) {
            measure_fail("out of memory");
        }
    }
}

static inline void limit_front_insert(struct limit_queue *q, struct limit_entry entry)
{
    limit_front_reserve(q, q->n_front + 1);
    size_t i = q->n_front++;
    for (; i > q->next && entry.ts < q->front[i - 1].ts; i--) {
        q->front[i] = q->front[i - 1];
    }
    q->front[i] = entry;
}

/* Adds an entry to the queue. Computes the bucket without branches, since a processor could not
 * predict them. */
static inline void limit_push(struct limit_queue *q, struct limit_entry entry)
{
    uint64_t day = (uint64_t)(int64_t)(entry.ts * q->days_per_time);
    uint64_t year = day >> q->day_bits;
    if (day <= q->day) {
        limit_front_insert(q, entry);
        return;
    }
    size_t of_year = q->first_year + (year & q->year_mask);
    size_t i = year == q->year ? day & q->day_mask : of_year;
    limit_bucket_add(q, &q->bucket[i], entry);
}

/* ---- Advancing in time ----------------------------------------------------------------------- */

PREFETCHING void limit_chunk_fetch(const struct limit_chunk *chunk)
{
    for (size_t line = 0; line < LIMIT_CHUNK_BYTES; line += 64) {
        __builtin_prefetch((const char *)chunk + line, 1);
    }
}

/* Empties a bucket, and adds its entries to the queue again. */
static inline void limit_push_again(struct limit_queue *q, struct limit_bucket *b)
{
    struct limit_entry *end = b->at;
    b->at = NULL;
    while (end != NULL) {
        struct limit_chunk *chunk = limit_chunk_before(end);
        struct limit_chunk *older = chunk->older;
        limit_chunk_fetch(older != NULL ? older : chunk);
        for (struct limit_entry *e = chunk->entry; e < end; e++) {
            limit_push(q, *e);
        }
        chunk->older = q->free;
        q->free = chunk;
        end = older == NULL ? NULL : (struct limit_entry *)(older + 1);
    }
}

static int limit_compare(const void *a, const void *b)
{
    double x = ((const struct limit_entry *)a)->ts;
    double y = ((const struct limit_entry *)b)->ts;
    return (x > y) - (x < y);
}

/* Writes the n entries of `in` to `out`, sorted by time. Computes the position of each entry by
 * counting its predecessors, so that no branch depends on the times. Compares the bits of the times
 * as integers; the order is the same because times are not negative. */
static inline void limit_rank(const struct limit_entry *in, size_t n, struct limit_entry *out)
{
    int64_t key[LIMIT_RANKED_MAX];
    uint32_t rank[LIMIT_RANKED_MAX];
    for (size_t i = 0; i < n; i++) {
        memcpy(&key[i], &in[i].ts, sizeof key[i]);
        uint32_t before = 0;
        for (size_t k = 0; k < i; k++) {
            uint32_t later = key[k] > key[i];
            rank[k] += later;
            before += 1 - later;
        }
        rank[i] = before;
    }
    for (size_t i = 0; i < n; i++) {
        out[rank[i]] = in[i];
    }
}

/* Moves the entries of b, the bucket of the present day, to `front`, and sorts them. The bucket
 * must not be empty; `front` must be empty. */
static inline void limit_load_day(struct limit_queue *q, struct limit_bucket *b)
{
    struct limit_entry *end = b->at;
    struct limit_chunk *chunk = limit_chunk_before(end);
    size_t n = (size_t)(end - chunk->entry);
    q->next = 0;
    b->at = NULL;
    if (chunk->older == NULL) {
        limit_rank(chunk->entry, n, q->front);
        q->n_front = n;
        chunk->older = q->free;
        q->free = chunk;
        return;
    }
    q->n_front = 0;
    while (end != NULL) {
        chunk = limit_chunk_before(end);
        n = (size_t)(end - chunk->entry);
        limit_front_reserve(q, q->n_front + n);
        memcpy(&q->front[q->n_front], chunk->entry, n * sizeof *end);
        q->n_front += n;
        struct limit_chunk *older = chunk->older;
        chunk->older = q->free;
        q->free = chunk;
        end = older == NULL ? NULL : (struct limit_entry *)(older + 1);
    }
    struct limit_entry copy[LIMIT_RANKED_MAX];
    if (q->n_front <= LIMIT_RANKED_MAX) {
        memcpy(copy, q->front, q->n_front * sizeof *copy);
        limit_rank(copy, q->n_front, q->front);
    } else {
        qsort(q->front, q->n_front, sizeof *q->front, limit_compare);
    }
}

/* Begins a new year. Distributes the entries in the bucket of this year to the buckets of days.
 * Entries of later years return to the same bucket. */
static inline void limit_next_year(struct limit_queue *q)
{
    q->year++;
    limit_push_again(q, &q->bucket[q->first_year + (q->year & q->year_mask)]);
}

/* Makes the next day that has entries the present day. Called when `front` is empty; the queue must
 * not be empty. */
static inline void limit_advance(struct limit_queue *q)
{
    struct limit_bucket *b;
    q->next = q->n_front = 0;
    do {
        if (((q->day + 1) & q->day_mask) == 0) {
            /* The new year begins before its first day is loaded: the entries of the year must
             * first be in the buckets of days. */
            limit_next_year(q);
        }
        q->day++;
        b = &q->bucket[q->day & q->day_mask];
    } while (b->at == NULL);
    limit_load_day(q, b);
}

/* Returns an array of entries that will be executed soon, in no particular order, and sets *n to
 * its length. The caller can prefetch the memory to which these entries refer. NULL: there are
 * none. */
static inline const struct limit_entry *limit_ahead(const struct limit_queue *q, size_t *n)
{
    uint64_t day = (q->day + LIMIT_LOOK_AHEAD) & q->day_mask;
    struct limit_entry *end = q->bucket[day].at;
    if (end == NULL) {
        *n = 0;
        return NULL;
    }
    struct limit_chunk *chunk = limit_chunk_before(end);
    *n = (size_t)(end - chunk->entry);
    return chunk->entry;
}

/* ---- Setup ----------------------------------------------------------------------------------- */

/* Prepares a queue that always has n entries: when the caller takes an entry, it adds another one.
 * mean: mean difference between the times of these two entries. */
static inline void limit_queue_init(struct limit_queue *q, uint64_t n, double mean)
{
    *q = (struct limit_queue){.days_per_time = (double)n / LIMIT_DAY_ENTRIES / mean};
    arena_init(&q->arena, SIZE_MAX);
    while (q->day_bits < LIMIT_DAY_BITS_MAX &&
           ldexp(LIMIT_DAY_ENTRIES, (int)q->day_bits) < (double)n) {
        q->day_bits++;
    }
    double years = LIMIT_YEARS_MEANS * mean * ldexp(q->days_per_time, -(int)q->day_bits);
    size_t n_years = 2;
    while ((double)n_years < years) {
        n_years *= 2;
    }
    q->day_mask = ((uint64_t)1 << q->day_bits) - 1;
    q->year_mask = n_years - 1;
    q->first_year = (size_t)1 << q->day_bits;
    q->bucket = calloc(q->first_year + n_years, sizeof *q->bucket);
    if (q->bucket == NULL) {
        measure_fail("out of memory");
    }
    limit_front_reserve(q, LIMIT_RANKED_MAX);
}

static inline void limit_queue_fini(struct limit_queue *q)
{
    free(q->front);
    free(q->bucket);
    arena_fini(&q->arena);
}

#endif
