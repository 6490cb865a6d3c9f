/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool.h - sort keys in a bounded piece of memory, sorted.
 *
 * Invariants: (1) sort keys lie one after another in the order of arrival; (2) there is one entry
 * per sort key; after ws_pool_sort() entries are in the order of their sort keys. Cost of sorting:
 * n log r, where r is the number of ascending and descending runs that the sort keys come in, or
 * less; none for sort keys in order, or in the opposite one.
 */
#ifndef WARPSCOPE_READER_ORDER_POOL_H
#define WARPSCOPE_READER_ORDER_POOL_H

#include <assert.h>

#include "order/sort_key.h"

struct ws_entry {
    uint64_t time; /* ws_sort_key_time() */
    uint32_t more; /* ws_sort_key_more() */
    uint32_t at;   /* place of the sort key, in units of 8 bytes */
};

struct ws_pool {
    const struct ws_sort_layout *form; /* borrowed */
    uint8_t *memory;                   /* owned, 8-aligned; grows up to size_max bytes */
    size_t size, used, size_max;
    struct ws_entry *entries, *scratch; /* owned; grow up to n_max of each */
    size_t n, n_room, n_max;
    bool failed; /* out of memory while empty */
};

/* Allocates at most bytes of memory in all, on demand. Five eighths of them must hold a sort key
 * with payload_max bytes of payload. Must be freed at the end. */
void ws_pool_init(struct ws_pool *pool, const struct ws_sort_layout *form, size_t bytes,
                  size_t payload_max);
void ws_pool_free(struct ws_pool *pool);

/* Returns space for one more sort key with payload_size bytes of payload (at most
 * payload_max). NULL: the pool is full, or the system is out of memory. An empty pool is full
 * only if it failed. */
struct ws_sort_key *ws_pool_room(struct ws_pool *pool, size_t payload_size);
/* Adds the sort key that was written to that space. */
void ws_pool_add(struct ws_pool *pool);

void ws_pool_sort(struct ws_pool *pool);
static inline struct ws_sort_key *ws_pool_item(const struct ws_pool *pool, size_t i)
{
    assert(i < pool->n);
    return (struct ws_sort_key *)(void *)(pool->memory + (size_t)pool->entries[i].at * 8);
}

/* Removes the first n sort keys (in order). The rest is no longer sorted. */
void ws_pool_drop(struct ws_pool *pool, size_t n);

/* Asserts the invariants; sorted: including that of ws_pool_sort(). */
void ws_pool_check(const struct ws_pool *pool, bool sorted);

#endif
