/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool.h - a pool of sort keys in bounded memory, which can be sorted.
 *
 * Invariants: (1) sort keys lie one after another in the order of arrival; (2) there is one entry
 * per sort key; after ws_pool_sort() entries are in the order of their sort keys. Cost of sorting n
 * sort keys: n for each of their first 12 bytes that differs between them, and n log n for those that are
 * equal in these bytes. Sort keys that arrive in order are only compared with their neighbours.
 */
#ifndef WARPSCOPE_READER_ORDER_POOL_H
#define WARPSCOPE_READER_ORDER_POOL_H

#include <assert.h>
#include <stdbool.h>

#include "order/sort_key.h"

struct ws_entry {
    uint64_t time; /* virtual time as a number: ws_sort_key_time() */
    /* In the higher half, further bytes to compare: ws_sort_key_more(). In the lower half, the position
     * of the sort key in memory, in units of 8 bytes. */
    uint64_t rest;
};

struct ws_pool {
    const struct ws_sort_layout *layout; /* borrowed; layout of the sort keys */
    uint8_t *memory; /* owned, 8-aligned; the sort keys; grows up to size_max bytes */
    size_t size, used, size_max;
    /* Owned; entries and memory for sorting them; each grows up to n_max elements. */
    struct ws_entry *entries, *scratch;
    size_t n, n_room, n_max;
    bool failed; /* true if memory was exhausted while the pool was empty */
};

/* Creates an empty pool. It allocates at most `bytes` bytes, on demand. Five eighths of them must
 * suffice for a sort key with payload_max bytes of payload. Must be freed at the end. */
void ws_pool_init(struct ws_pool *pool, const struct ws_sort_layout *layout, size_t bytes,
                  size_t payload_max);
void ws_pool_free(struct ws_pool *pool);

/* Grows to `needed` bytes of sort keys, and one more entry. Returns false if the pool is full or
 * memory is exhausted. */
bool ws_pool_grow(struct ws_pool *pool, size_t needed);
/* Returns space for one more sort key with payload_size bytes of payload (at most payload_max).
 * Returns NULL if the pool is full or memory is exhausted. For an empty pool, NULL means that
 * memory is exhausted. */
static inline struct ws_sort_key *ws_pool_room(struct ws_pool *pool, size_t payload_size)
{
    const size_t needed = pool->used + ws_sort_key_size(pool->layout, payload_size);
    const bool good =
        (pool->n < pool->n_room && needed <= pool->size) || ws_pool_grow(pool, needed);
    return good ? (struct ws_sort_key *)(void *)(pool->memory + pool->used) : NULL;
}
/* Adds the sort key that the caller has written to the space from ws_pool_room(). */
static inline void ws_pool_add(struct ws_pool *pool)
{
    assert(pool->n < pool->n_room && pool->used < pool->size);
    const struct ws_sort_key *item = (const void *)(pool->memory + pool->used);
    pool->entries[pool->n++] =
        (struct ws_entry){ws_sort_key_time(pool->layout, item),
                          (uint64_t)ws_sort_key_more(pool->layout, item) << 32 | pool->used / 8};
    pool->used += item->size;
}

void ws_pool_sort(struct ws_pool *pool);
static inline struct ws_sort_key *ws_pool_item(const struct ws_pool *pool, size_t i)
{
    assert(i < pool->n);
    return (struct ws_sort_key *)(void *)(pool->memory +
                                          (size_t)(uint32_t)pool->entries[i].rest * 8);
}

/* Removes the first n sort keys of the sorted pool. The others are then no longer sorted. */
void ws_pool_drop(struct ws_pool *pool, size_t n);

/* Returns true if the invariants hold. sorted: true to check that the entries are sorted. */
bool ws_pool_check(const struct ws_pool *pool, bool sorted);

/* ---- Sorting by numbers: deal.c -------------------------------------------------------------- */

/* Sorts n elements of WS_DEAL_SIZE bytes by the uint64_t at an offset in each, without its lowest
 * `shift` bits, a multiple of 8. Elements that are equal in that keep their order. to: memory for n
 * elements. Returns the sorted elements, which are in `from` or `to`. */
#define WS_DEAL_SIZE 16u
void *ws_deal(void *from, void *to, size_t n, size_t offset, unsigned shift);

#endif
