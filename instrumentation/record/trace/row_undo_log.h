/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_undo_log.h - rows of a KP's executed events that may still be undone.
 *
 * The queue is double-ended like the history of a KP. Execution adds a row at the young end,
 * undoing removes it there, and commit removes rows at the old end. The rows are contiguous in
 * chunks of one size.
 *
 * Invariants
 *  R1  The rows of a chunk are its bytes from begin to end; begin <= end <= chunk_bytes of the
 *      pool.
 *  R2  The chunks of a queue are linked from old to young; each has rows unless it is the only
 *      chunk.
 * Cost: a comparison and an addition per row; taking or returning a chunk per 2 KiB of rows.
 */
#ifndef WARPSCOPE_RECORD_TRACE_ROW_UNDO_LOG_H
#define WARPSCOPE_RECORD_TRACE_ROW_UNDO_LOG_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct row_chunk {
    struct row_chunk *older;
    /* Next chunk towards the young end. In the list of free chunks: the next free chunk. */
    struct row_chunk *younger;
    size_t begin;
    size_t end;
    _Alignas(16) unsigned char bytes[];
};

/* Free chunks for all queues of a PE. Their memory is kept until row_pool_fini(). Chunks in use
 * count against --observer-memory, except the first chunk of each queue. A zero-initialised pool is
 * empty. */
struct row_pool {
    size_t chunk_bytes; /* size of the space for rows in a chunk, in bytes */
    struct row_chunk *free;
    uint64_t in_use;
    uint64_t allocated;
};

/* The queue of one KP. A zero-initialised queue is empty. */
struct row_undo_log {
    struct row_chunk *old;
    struct row_chunk *young;
};

/* Prepares a pool for rows of at most row_bytes_max bytes. */
void row_pool_init(struct row_pool *pool, size_t row_bytes_max);
/* Frees all memory of the pool. All queues must have been cleared by row_undo_log_clear(). */
void row_pool_fini(struct row_pool *pool);

/* Adds an empty chunk at the young end of the queue. If memory is exhausted, returns false and
 * changes nothing. */
bool row_undo_log_grow(struct row_undo_log *queue, struct row_pool *pool);
/* Removes the chunk at the young end of the queue. The chunk must be empty, and not the only
 * one. */
void row_undo_log_drop_young(struct row_undo_log *queue, struct row_pool *pool);
/* Removes the chunk at the old end of the queue. The chunk must be empty, and not the only one. */
void row_undo_log_drop_old(struct row_undo_log *queue, struct row_pool *pool);
/* Removes all rows and chunks from the queue. */
void row_undo_log_clear(struct row_undo_log *queue, struct row_pool *pool);

/* Adds a row of `bytes` bytes, a multiple of 8, at the young end of the queue. Returns the row,
 * 8-aligned, with undefined contents. If memory is exhausted, returns NULL and changes nothing. */
static inline void *row_undo_log_push(struct row_undo_log *queue, struct row_pool *pool,
                                      size_t bytes)
{
    assert(bytes % 8 == 0 && bytes <= pool->chunk_bytes);
    if (__builtin_expect(queue->young == NULL || queue->young->end + bytes > pool->chunk_bytes,
                         0) &&
        !row_undo_log_grow(queue, pool)) {
        return NULL;
    }
    struct row_chunk *c = queue->young;
    void *row = c->bytes + c->end;
    c->end += bytes;
    return row;
}

/* If the chunk is the only one of its queue, empties it and returns true. Otherwise returns
 * false. */
static inline bool row_chunk_reset(struct row_chunk *c)
{
    bool only = c->older == NULL && c->younger == NULL;
    if (only) {
        c->begin = 0;
        c->end = 0;
    }
    return only;
}

/* Drops the youngest row of the queue. bytes: size of that row. */
static inline void row_undo_log_pop_young(struct row_undo_log *queue, struct row_pool *pool,
                                          size_t bytes)
{
    struct row_chunk *c = queue->young;
    assert(c != NULL && c->end - c->begin >= bytes);
    c->end -= bytes;
    if (c->end == c->begin && !row_chunk_reset(c)) {
        row_undo_log_drop_young(queue, pool);
    }
}

static inline const void *row_undo_log_oldest(const struct row_undo_log *queue)
{
    assert(queue->old != NULL && queue->old->begin < queue->old->end);
    return queue->old->bytes + queue->old->begin;
}

/* Returns the youngest row of the queue. bytes: size of that row. */
static inline const void *row_undo_log_youngest(const struct row_undo_log *queue, size_t bytes)
{
    assert(queue->young != NULL && queue->young->end - queue->young->begin >= bytes);
    return queue->young->bytes + queue->young->end - bytes;
}

/* Drops the oldest row of the queue. bytes: size of that row. */
static inline void row_undo_log_pop_old(struct row_undo_log *queue, struct row_pool *pool,
                                        size_t bytes)
{
    struct row_chunk *c = queue->old;
    assert(c != NULL && c->end - c->begin >= bytes);
    c->begin += bytes;
    if (c->end == c->begin && !row_chunk_reset(c)) {
        row_undo_log_drop_old(queue, pool);
    }
}

/* Returns true if the invariants hold, and sets *bytes to the size of all rows in the queue. */
bool row_undo_log_check(const struct row_undo_log *queue, const struct row_pool *pool,
                        size_t *bytes);

#endif
