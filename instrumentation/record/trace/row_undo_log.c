/* SPDX-License-Identifier: BSD-3-Clause */
/* row_undo_log.c - allocation of chunks, see row_undo_log.h. */
#include "record/trace/row_undo_log.h"

#include "engine/probe.h"
#include "store/check.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* Size of the space for rows in a chunk, in bytes; about 2 KiB with the chunk's header. */
#define CHUNK_BYTES 2000u

void row_pool_init(struct row_pool *pool, size_t row_bytes_max)
{
    size_t bytes = row_bytes_max > CHUNK_BYTES ? row_bytes_max : CHUNK_BYTES;
    *pool = (struct row_pool){.chunk_bytes = bytes};
}

void row_pool_fini(struct row_pool *pool)
{
    assert(pool->in_use == 0);
    while (pool->free != NULL) {
        struct row_chunk *next = pool->free->younger;
        free(pool->free);
        pool->free = next;
    }
    *pool = (struct row_pool){0};
}

/* Adds the size of a chunk to the memory that observers hold if `change` is 1; subtracts it if
 * `change` is -1. The first chunk of each queue is permanent and does not count. */
static void hold_chunk(const struct row_pool *pool, int change)
{
    probe_hold_bytes(change * (int64_t)(sizeof(struct row_chunk) + pool->chunk_bytes));
}

static void pool_put(struct row_pool *pool, struct row_chunk *c)
{
    assert(pool->in_use > 0);
    c->younger = pool->free;
    pool->free = c;
    pool->in_use--;
}

bool row_undo_log_grow(struct row_undo_log *queue, struct row_pool *pool)
{
    struct row_chunk *c = pool->free;
    if (c != NULL) {
        pool->free = c->younger;
    } else {
        c = malloc(sizeof(*c) + pool->chunk_bytes);
        if (c == NULL) {
            return false;
        }
        pool->allocated++;
    }
    pool->in_use++;
    c->begin = 0;
    c->end = 0;
    c->younger = NULL;
    assert(queue->young == NULL || queue->young->begin < queue->young->end);
    c->older = queue->young;
    if (queue->young != NULL) {
        queue->young->younger = c;
        hold_chunk(pool, 1);
    } else {
        queue->old = c;
    }
    queue->young = c;
    return true;
}

void row_undo_log_drop_young(struct row_undo_log *queue, struct row_pool *pool)
{
    assert(queue->young->older != NULL && queue->young->begin == queue->young->end);
    struct row_chunk *c = queue->young;
    queue->young = c->older;
    c->older->younger = NULL;
    hold_chunk(pool, -1);
    pool_put(pool, c);
}

void row_undo_log_drop_old(struct row_undo_log *queue, struct row_pool *pool)
{
    assert(queue->old->younger != NULL && queue->old->begin == queue->old->end);
    struct row_chunk *c = queue->old;
    queue->old = c->younger;
    c->younger->older = NULL;
    hold_chunk(pool, -1);
    pool_put(pool, c);
}

void row_undo_log_clear(struct row_undo_log *queue, struct row_pool *pool)
{
    while (queue->old != NULL) {
        struct row_chunk *next = queue->old->younger;
        hold_chunk(pool, next != NULL ? -1 : 0);
        pool_put(pool, queue->old);
        queue->old = next;
    }
    queue->young = NULL;
}

bool row_undo_log_check(const struct row_undo_log *queue, const struct row_pool *pool,
                        size_t *bytes)
{
    const struct row_chunk *older = NULL;
    *bytes = 0;
    for (const struct row_chunk *c = queue->old; c != NULL; c = c->younger) {
        HOLDS(c->older == older);
        HOLDS(c->begin <= c->end && c->end <= pool->chunk_bytes);           /* R1 */
        HOLDS(c->begin < c->end || (c == queue->old && c == queue->young)); /* R2 */
        *bytes += c->end - c->begin;
        older = c;
    }
    HOLDS(queue->young == older);
    return true;
}
