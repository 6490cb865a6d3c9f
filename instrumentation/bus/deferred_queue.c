/* SPDX-License-Identifier: BSD-3-Clause */
/* deferred_queue.c - blocks of records in chunks, see deferred_queue.h. */
#include "bus/deferred_queue.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/probe.h"

/* Minimum memory of a chunk in bytes, including the chunk's header and that of malloc(). */
#define CHUNK_MEMORY_LEAST 256u
#define MALLOC_BYTES       16u

_Static_assert(sizeof(struct deferred_entry) % 8 == 0, "data follows the entry");
_Static_assert(sizeof(struct deferred_block) % 8 == 0, "entries follow the block");

/* ---- Chunks ---------------------------------------------------------------------------------- */

static size_t chunk_memory(const struct deferred_chunk *c)
{
    return sizeof(*c) + c->size;
}

static uint32_t bytes_of_order(uint32_t order)
{
    return (CHUNK_MEMORY_LEAST << order) - MALLOC_BYTES - (uint32_t)sizeof(struct deferred_chunk);
}

/* Returns the order (size class) of the chunk that follows `young`; young == NULL: of the first
 * chunk. The chunk must have space for at least `bytes` bytes. */
static uint32_t order_after(const struct deferred_chunk *young, uint32_t bytes)
{
    uint32_t order = young == NULL ? 0 : young->order + 1;
    order = order < DEFERRED_ORDERS ? order : DEFERRED_ORDERS - 1;
    while (order < DEFERRED_ORDERS && bytes_of_order(order) < bytes) {
        order++;
    }
    return order;
}

/* Returns a chunk of this order with space for at least `bytes` bytes; NULL if memory is exhausted.
 * A chunk of order DEFERRED_ORDERS has exactly `bytes` bytes. */
static struct deferred_chunk *pool_get(struct deferred_pool *pool, uint32_t order, uint32_t bytes)
{
    assert(order <= DEFERRED_ORDERS);
    struct deferred_chunk *c = order < DEFERRED_ORDERS ? pool->free[order] : NULL;
    if (c != NULL) {
        pool->free[order] = c->younger;
    } else {
        uint32_t size = order < DEFERRED_ORDERS ? bytes_of_order(order) : bytes;
        c = malloc(sizeof(*c) + size);
        if (c == NULL) {
            return NULL;
        }
        c->size = size;
        c->order = order;
    }
    pool->bytes += chunk_memory(c);
    probe_hold_bytes((int64_t)chunk_memory(c));
    return c;
}

static void pool_put(struct deferred_pool *pool, struct deferred_chunk *c)
{
    assert(c->order <= DEFERRED_ORDERS && pool->bytes >= chunk_memory(c));
    pool->bytes -= chunk_memory(c);
    probe_hold_bytes(-(int64_t)chunk_memory(c));
    if (c->order == DEFERRED_ORDERS) {
        free(c);
        return;
    }
    c->younger = pool->free[c->order];
    pool->free[c->order] = c;
}

void deferred_pool_fini(struct deferred_pool *pool)
{
    assert(pool->bytes == 0 && pool->blocks == 0);
    for (unsigned order = 0; order < DEFERRED_ORDERS; order++) {
        while (pool->free[order] != NULL) {
            struct deferred_chunk *next = pool->free[order]->younger;
            free(pool->free[order]);
            pool->free[order] = next;
        }
    }
    *pool = (struct deferred_pool){0};
}

bool deferred_queue_grow(struct deferred_queue *queue, struct deferred_pool *pool, uint32_t bytes)
{
    struct deferred_chunk *c = pool_get(pool, order_after(queue->young, bytes), bytes);
    if (c == NULL) {
        return false;
    }
    c->begin = 0;
    c->end = 0;
    c->younger = NULL;
    c->older = queue->young;
    if (queue->young != NULL) {
        queue->young->younger = c;
    } else {
        queue->old = c;
    }
    queue->young = c;
    return true;
}

static void drop_young_chunk(struct deferred_queue *queue, struct deferred_pool *pool)
{
    assert(queue->young != NULL);
    struct deferred_chunk *c = queue->young;
    queue->young = c->older;
    if (c->older != NULL) {
        c->older->younger = NULL;
    } else {
        queue->old = NULL;
    }
    pool_put(pool, c);
}

void deferred_queue_drop_old_chunk(struct deferred_queue *queue, struct deferred_pool *pool)
{
    assert(queue->old != NULL && queue->old->begin == queue->old->end);
    struct deferred_chunk *c = queue->old;
    queue->old = c->younger;
    if (c->younger != NULL) {
        c->younger->older = NULL;
    } else {
        queue->young = NULL;
    }
    pool_put(pool, c);
}

/* ---- Young end ------------------------------------------------------------------------------- */

struct deferred_block *deferred_queue_open(struct deferred_queue *queue, struct deferred_pool *pool,
                                           const tw_event *event)
{
    assert(event != NULL && queue->young_event != event);
    struct deferred_block *block = deferred_queue_push(queue, pool, sizeof(*block));
    if (block == NULL) {
        return NULL;
    }
    *block = (struct deferred_block){.event = event, .older = queue->youngest};
    queue->youngest = block;
    queue->young_event = event;
    if (block->older == NULL) {
        queue->old_event = event;
    }
    pool->blocks++;
    return block;
}

static bool is_in_chunk(const struct deferred_chunk *c, const void *at)
{
    return (uintptr_t)at - (uintptr_t)c->bytes < c->size;
}

void deferred_queue_cut(struct deferred_queue *queue, struct deferred_pool *pool)
{
    struct deferred_block *block = queue->youngest;
    assert(block != NULL);
    struct deferred_block *older = block->older;
    while (!is_in_chunk(queue->young, block)) {
        drop_young_chunk(queue, pool);
    }
    struct deferred_chunk *c = queue->young;
    c->end = (uint32_t)((uintptr_t)block - (uintptr_t)c->bytes);
    if (c->end == c->begin) {
        drop_young_chunk(queue, pool);
    }
    queue->youngest = older;
    queue->young_event = older != NULL ? older->event : NULL;
    if (older == NULL) {
        queue->old_event = NULL;
    }
    pool->blocks--;
}

void deferred_queue_clear(struct deferred_queue *queue, struct deferred_pool *pool)
{
    while (queue->youngest != NULL) {
        deferred_queue_cut(queue, pool);
    }
}

/* ---- Old end --------------------------------------------------------------------------------- */

struct deferred_block deferred_queue_take(struct deferred_queue *queue, struct deferred_pool *pool)
{
    assert(queue->old_event != NULL);
    struct deferred_block block = *(struct deferred_block *)deferred_queue_oldest(queue);
    deferred_queue_pop(queue, pool, sizeof(block));
    return block;
}

void deferred_queue_done(struct deferred_queue *queue, struct deferred_pool *pool)
{
    assert(pool->blocks > 0);
    pool->blocks--;
    if (queue->old == NULL) {
        *queue = (struct deferred_queue){0};
        return;
    }
    struct deferred_block *block = deferred_queue_oldest(queue);
    block->older = NULL;
    queue->old_event = block->event;
}

/* ---- Checking -------------------------------------------------------------------------------- */

static void require(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "queue of deferred records: %s\n", what);
        abort();
    }
}

/* A position in a queue during a walk from old to young. */
struct cursor {
    const struct deferred_chunk *chunk;
    uint32_t at;
};

static const void *cursor_take(struct cursor *cursor, uint32_t bytes)
{
    if (cursor->at == cursor->chunk->end) {
        cursor->chunk = cursor->chunk->younger;
        require(cursor->chunk != NULL, "Q2: a block ends early");
        cursor->at = cursor->chunk->begin;
    }
    const void *here = cursor->chunk->bytes + cursor->at;
    cursor->at += bytes;
    require(cursor->at <= cursor->chunk->end, "Q2: something goes over the end of its chunk");
    return here;
}

static bool cursor_is_at_end(const struct cursor *cursor)
{
    return cursor->at == cursor->chunk->end && cursor->chunk->younger == NULL;
}

/* Checks the block at the cursor and returns its header. older: header of the block before. */
static const struct deferred_block *check_block(struct cursor *cursor,
                                                const struct deferred_block *older)
{
    const struct deferred_block *block = cursor_take(cursor, sizeof(*block));
    require(block->older == older, "Q2: a block is not linked with the one before");
    const struct deferred_entry *before = NULL;
    bool has_data = false;
    for (uint32_t i = 0; i < block->n; i++) {
        struct cursor look = *cursor;
        const struct deferred_entry *entry = cursor_take(&look, sizeof(*entry));
        entry = cursor_take(cursor, deferred_entry_bytes(entry->size));
        require(entry->before == before, "Q3: an entry is not linked with the one before");
        has_data = has_data || entry->size != DEFERRED_BARE;
        before = entry;
    }
    require(block->youngest == before, "Q3: another entry is said to be the youngest");
    require(block->has_data == has_data, "has_data is wrong");
    return block;
}

void deferred_queue_check(const struct deferred_queue *queue, uint64_t *blocks, size_t *bytes)
{
    const struct deferred_chunk *older = NULL;
    for (const struct deferred_chunk *c = queue->old; c != NULL; c = c->younger) {
        require(c->older == older, "Q2: a chunk is not linked with the one before");
        require(c->begin < c->end && c->end <= c->size, "Q1");
        require(c->order <= DEFERRED_ORDERS, "Q6: no such order");
        require(c->order == DEFERRED_ORDERS ? c->size > bytes_of_order(DEFERRED_ORDERS - 1)
                                            : c->size == bytes_of_order(c->order),
                "Q6: a chunk is not of its order's size");
        require(older == NULL || c->order >= DEFERRED_ORDERS - 1 || c->order > older->order,
                "Q6: chunks do not grow");
        *bytes += chunk_memory(c);
        older = c;
    }
    require(queue->young == older, "Q2: the youngest chunk is another");
    const struct deferred_block *block = NULL;
    struct cursor cursor = {queue->old, queue->old != NULL ? queue->old->begin : 0};
    while (queue->old != NULL && !cursor_is_at_end(&cursor)) {
        bool first = block == NULL;
        block = check_block(&cursor, block);
        require(!first || queue->old_event == block->event, "Q4: old_event");
        ++*blocks;
    }
    require(queue->youngest == block, "Q2: the youngest block is another");
    require(queue->young_event == (block != NULL ? block->event : NULL), "Q4: young_event");
    require(block != NULL || queue->old_event == NULL, "Q4: old_event of nothing");
}
