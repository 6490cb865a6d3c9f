/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool.c - a pool of sort keys in bounded memory; see pool.h.
 *
 * Entries that arrive out of order are sorted by their bytes (pool.h). Those that are equal in these
 * bytes are then sorted by their whole sort keys.
 */
#define _GNU_SOURCE /* required for qsort_r() */
#include "order/pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/check.h"

#define GROW_MIN  ((size_t)64 << 10) /* size of the first allocation in bytes */
#define DEAD_ITEM 0u /* size of a sort key that was removed; no other sort key has this size */

void ws_pool_init(struct ws_pool *pool, const struct ws_sort_layout *layout, size_t bytes,
                  size_t payload_max)
{
    /* A sort key of an event without payload takes 56 bytes. Its entry takes 16 bytes, and 16 more
     * for sorting. */
    size_t entries = bytes / 8 * 3;
    *pool = (struct ws_pool){.layout = layout, .size_max = (bytes - entries) & ~(size_t)7};
    assert(pool->size_max >= ws_sort_key_size(layout, payload_max) &&
           pool->size_max / 8 < UINT32_MAX);
    (void)payload_max;
    pool->n_max = entries / (2 * sizeof *pool->entries);
}

void ws_pool_free(struct ws_pool *pool)
{
    free(pool->memory);
    free(pool->entries);
    free(pool->scratch);
    *pool = (struct ws_pool){0};
}

/* Enlarges *memory to hold at least `needed` elements of `unit` bytes each, and *room accordingly.
 * Returns false if needed exceeds max, or if out of memory. */
static bool memory_grow(void **memory, size_t *room, size_t needed, size_t max, size_t unit)
{
    assert(unit > 0 && max > 0);
    size_t wanted = *room < GROW_MIN / unit ? GROW_MIN / unit : 2 * *room;
    wanted = wanted < needed ? needed : wanted;
    wanted = wanted < max ? wanted : max;
    void *grown = needed > max ? NULL : realloc(*memory, wanted * unit);
    if (grown == NULL) {
        return false;
    }
    *memory = grown;
    *room = wanted;
    return true;
}

static bool entries_grow(struct ws_pool *pool)
{
    void *entries = pool->entries, *scratch = pool->scratch;
    size_t room = pool->n_room, scratch_room = pool->n_room;
    bool good =
        memory_grow(&scratch, &scratch_room, pool->n + 1, pool->n_max, sizeof *pool->scratch);
    pool->scratch = scratch;
    good = good && memory_grow(&entries, &room, pool->n + 1, pool->n_max, sizeof *pool->entries);
    pool->entries = entries;
    pool->n_room = room;
    return good;
}

bool ws_pool_grow(struct ws_pool *pool, size_t needed)
{
    void *memory = pool->memory;
    bool good = pool->n < pool->n_room || entries_grow(pool);
    if (good && needed > pool->size) {
        good = memory_grow(&memory, &pool->size, needed, pool->size_max, 1);
        pool->memory = memory;
    }
    pool->failed = !good && pool->n == 0;
    return good;
}

/* ---- Sorting --------------------------------------------------------------------------------- */

static inline const struct ws_sort_key *entry_item(const struct ws_pool *pool,
                                                   const struct ws_entry *e)
{
    return (const void *)(pool->memory + (size_t)(uint32_t)e->rest * 8);
}

static inline bool is_before(const struct ws_pool *pool, const struct ws_entry *a,
                             const struct ws_entry *b)
{
    if (a->time != b->time) {
        return a->time < b->time;
    }
    if (a->rest >> 32 != b->rest >> 32) {
        return a->rest < b->rest;
    }
    return ws_sort_key_compare(pool->layout, entry_item(pool, a), entry_item(pool, b)) < 0;
}

#define FEW 8u /* number of entries up to which insertion is faster than a merge sort */

/* Sorts a few entries by their sort keys. */
static void few_sort(const struct ws_pool *pool, struct ws_entry *list, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const struct ws_entry moved = list[i];
        size_t k = i;
        for (; k > 0 && ws_sort_key_compare(pool->layout, entry_item(pool, &moved),
                                            entry_item(pool, &list[k - 1])) < 0;
             k--) {
            list[k] = list[k - 1];
        }
        list[k] = moved;
    }
}

static int by_item(const void *a, const void *b, void *pool)
{
    const struct ws_pool *p = pool;
    return ws_sort_key_compare(p->layout, entry_item(p, a), entry_item(p, b));
}

static void entries_deal(struct ws_pool *pool, size_t offset, unsigned shift)
{
    struct ws_entry *sorted = ws_deal(pool->entries, pool->scratch, pool->n, offset, shift);
    if (sorted != pool->entries) {
        pool->scratch = pool->entries;
        pool->entries = sorted;
    }
}

void ws_pool_sort(struct ws_pool *pool)
{
    size_t sorted = 1;
    while (sorted < pool->n &&
           !is_before(pool, &pool->entries[sorted], &pool->entries[sorted - 1])) {
        sorted++;
    }
    if (sorted >= pool->n) {
        return;
    }
    entries_deal(pool, offsetof(struct ws_entry, rest), 32);
    entries_deal(pool, offsetof(struct ws_entry, time), 0);
    for (size_t first = 0, end; first < pool->n; first = end) {
        const struct ws_entry *e = &pool->entries[first];
        end = first + 1;
        while (end < pool->n && pool->entries[end].time == e->time &&
               pool->entries[end].rest >> 32 == e->rest >> 32) {
            end++;
        }
        if (end - first <= FEW) {
            few_sort(pool, &pool->entries[first], end - first);
        } else {
            qsort_r(&pool->entries[first], end - first, sizeof *e, by_item, pool);
        }
    }
}

/* ---- Removal --------------------------------------------------------------------------------- */

void ws_pool_drop(struct ws_pool *pool, size_t n)
{
    size_t used = pool->used;
    assert(n <= pool->n);
    if (n == 0) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        struct ws_sort_key *item = ws_pool_item(pool, i);
        item->payload_size = item->size; /* the loop below finds the size here */
        item->size = DEAD_ITEM;
    }
    pool->n = pool->used = 0;
    for (size_t at = 0; at < used;) {
        struct ws_sort_key *item = (struct ws_sort_key *)(void *)(pool->memory + at);
        size_t size = item->size == DEAD_ITEM ? item->payload_size : item->size;
        if (item->size != DEAD_ITEM) {
            memmove(pool->memory + pool->used, item, size);
            ws_pool_add(pool);
        }
        at += size;
    }
}

bool ws_pool_check(const struct ws_pool *pool, bool sorted)
{
    size_t at = 0, n = 0;
    for (; at < pool->used; n++) {
        const struct ws_sort_key *item = (const void *)(pool->memory + at);
        HOLDS(item->size % 8 == 0);
        HOLDS(item->size == ws_sort_key_size(pool->layout, item->payload_size));
        at += item->size;
    }
    HOLDS(at == pool->used && n == pool->n);
    for (size_t i = 0; i < pool->n; i++) {
        HOLDS(pool->entries[i].time == ws_sort_key_time(pool->layout, ws_pool_item(pool, i)));
        HOLDS(!sorted || i == 0 || !is_before(pool, &pool->entries[i], &pool->entries[i - 1]));
    }
    return true;
}
