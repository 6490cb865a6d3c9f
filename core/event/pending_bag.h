/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pending_bag.h - bags: unordered sets of entries of the pending queue. Their memory consists of
 * small chunks from a pool that all bags of a queue share.
 *
 * A bag is represented by a pointer to the address just behind its newest entry; NULL: an empty
 * bag. Each chunk is aligned to its size, and filled from its start. The pointer alone thus
 * determines where the newest chunk starts, and whether that chunk is full.
 *
 * Invariants
 *  B1  All chunks of a bag except the newest are full; the newest has at least one entry.
 *  B2  A chunk is in one bag or in the free list of the pool.
 *
 * Cost: a push is a load and two stores; every 15th push also takes a chunk from the free list,
 * last in, first out.
 */
#ifndef WARPSCOPE_EVENT_PENDING_BAG_H
#define WARPSCOPE_EVENT_PENDING_BAG_H

#include <assert.h>

#include "base/arena.h"
#include "base/prefetch.h"
#include "event/pending.h"

#define PENDING_CHUNK_BYTES   256
#define PENDING_CHUNK_ENTRIES 15

struct pending_chunk {
    /* In a bag: the next older chunk, which is full. In the free list: the next free chunk. */
    struct pending_chunk *older;
    /* In a bag filled by pending_bag_push_long(): the chunk that is four chunks older than this
     * one, for prefetching. In other bags: NULL. */
    struct pending_chunk *ahead;
    struct pending_entry entry[PENDING_CHUNK_ENTRIES];
};

_Static_assert(sizeof(struct pending_chunk) == PENDING_CHUNK_BYTES, "chunks tell their own end");

typedef struct pending_entry *pending_bag;

struct pending_pool {
    struct pending_chunk *free;
    struct arena arena;
};

/* Prints the error message that memory is exhausted, and aborts the program. */
_Noreturn void pending_out_of_memory(void);

/* Adds a chunk to the bag `full`, which must be empty or have a full newest chunk. Returns the
 * address of the first entry in the new chunk. pending_bag_extend_long() also sets the member
 * `ahead` of the chunk. */
struct pending_entry *pending_bag_extend(struct pending_pool *pool, pending_bag full);
struct pending_entry *pending_bag_extend_long(struct pending_pool *pool, pending_bag full);

/* Moves all entries of the bag `from` to the bag *to. */
void pending_bag_pour(struct pending_pool *pool, pending_bag from, pending_bag *to);

/* Returns true if the next push to the bag needs another chunk. */
static inline bool pending_bag_is_full(pending_bag bag)
{
    return ((uintptr_t)bag & (PENDING_CHUNK_BYTES - 1)) == 0;
}

static inline void pending_bag_push(struct pending_pool *pool, pending_bag *bag,
                                    struct pending_entry entry)
{
    struct pending_entry *end = *bag;
    if (pending_bag_is_full(end)) {
        end = pending_bag_extend(pool, end);
    }
    *end = entry;
    *bag = end + 1;
}

/* Like pending_bag_push(), for bags that will be long: also sets the member `ahead` of each new
 * chunk. */
static inline void pending_bag_push_long(struct pending_pool *pool, pending_bag *bag,
                                         struct pending_entry entry)
{
    struct pending_entry *end = *bag;
    if (pending_bag_is_full(end)) {
        end = pending_bag_extend_long(pool, end);
    }
    *end = entry;
    *bag = end + 1;
}

PREFETCHING void pending_chunk_prefetch(const struct pending_chunk *chunk)
{
    for (size_t i = 0; i < PENDING_CHUNK_ENTRIES; i += 4) {
        __builtin_prefetch(&chunk->entry[i]);
    }
}

/* Returns the newest chunk of a non-empty bag. */
static inline struct pending_chunk *pending_bag_chunk(pending_bag bag)
{
    assert(bag != NULL);
    uintptr_t last = (uintptr_t)(bag - 1);
    return (struct pending_chunk *)(last & ~(uintptr_t)(PENDING_CHUNK_BYTES - 1));
}

/* Returns the number of entries in the newest chunk of a non-empty bag. */
static inline size_t pending_bag_newest(pending_bag bag)
{
    return (size_t)(bag - pending_bag_chunk(bag)->entry);
}

/* Returns the bag without its newest chunk. */
static inline pending_bag pending_bag_older(pending_bag bag)
{
    struct pending_chunk *older = pending_bag_chunk(bag)->older;
    return older == NULL ? NULL : older->entry + PENDING_CHUNK_ENTRIES;
}

/* Frees the newest chunk of a bag, and returns the bag without that chunk. The entries in the freed
 * chunk stay readable until the next push to any bag of the queue. */
static inline pending_bag pending_bag_release_newest(struct pending_pool *pool, pending_bag bag)
{
    struct pending_chunk *chunk = pending_bag_chunk(bag);
    pending_bag rest = pending_bag_older(bag);
    chunk->older = pool->free;
    pool->free = chunk;
    return rest;
}

/* Returns the number of entries in a bag. If the bag has more than `enough` entries, the result may
 * be too small, but it is greater than `enough`. */
static inline size_t pending_bag_count(pending_bag bag, size_t enough)
{
    size_t n = 0;
    while (bag != NULL && n <= enough) {
        n += pending_bag_newest(bag);
        bag = pending_bag_older(bag);
    }
    return n;
}

#endif
