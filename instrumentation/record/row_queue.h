/*
 * row_queue.h - rows of a KP's events that have been executed and may still be undone.
 *
 * A KP executes, undoes and commits events like a queue with two ends: rows come and go at the
 * young end, and leave for good at the old one. The rows lie one after another in chunks of one
 * size.
 *
 * Invariants
 *  R1  a chunk's rows are its bytes from begin to end, begin <= end <= the pool's chunk_bytes.
 *  R2  the chunks of a queue are linked from old to young; all have rows, but for the only one.
 * Cost: a comparison and an addition per row, a chunk taken or given back per 2 KiB.
 */
#ifndef WARPSCOPE_RECORD_ROW_QUEUE_H
#define WARPSCOPE_RECORD_ROW_QUEUE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct row_chunk {
    struct row_chunk *older;
    struct row_chunk *younger; /* in the free list: the next one */
    size_t begin;
    size_t end;
    _Alignas(16) unsigned char bytes[];
};

/* Chunks for all queues; memory is kept until row_pool_fini(). Those in use count against
 * --observer-memory, but for the first of each queue. Zero-initialised it has none. */
struct row_pool {
    size_t chunk_bytes; /* of rows, in each */
    struct row_chunk *free;
    uint64_t in_use;
    uint64_t allocated;
};

/* Zero-initialised it is empty. */
struct row_queue {
    struct row_chunk *old;
    struct row_chunk *young;
};

/* For rows of at most row_bytes_max. */
void row_pool_init(struct row_pool *pool, size_t row_bytes_max);
/* Gives all memory back; the queues have been emptied by row_queue_clear(). */
void row_pool_fini(struct row_pool *pool);

/* Adds a chunk at the young end; false: out of memory, nothing has changed. */
bool row_queue_grow(struct row_queue *queue, struct row_pool *pool);
/* Takes the empty chunk at one end away; it is not the only one. */
void row_queue_drop_young(struct row_queue *queue, struct row_pool *pool);
void row_queue_drop_old(struct row_queue *queue, struct row_pool *pool);
/* Drops all rows and chunks. */
void row_queue_clear(struct row_queue *queue, struct row_pool *pool);

/* Room for a row at the young end, 8-aligned, contents undefined. bytes: a multiple of 8. NULL: out
 * of memory, nothing has changed. */
static inline void *row_queue_push(struct row_queue *queue, struct row_pool *pool, size_t bytes)
{
    if (__builtin_expect(queue->young == NULL || queue->young->end + bytes > pool->chunk_bytes,
                         0) &&
        !row_queue_grow(queue, pool)) {
        return NULL;
    }
    struct row_chunk *c = queue->young;
    void *row = c->bytes + c->end;
    c->end += bytes;
    return row;
}

/* The only chunk stays, and begins anew. */
static inline bool row_chunk_reset(struct row_chunk *c)
{
    bool only = c->older == NULL && c->younger == NULL;
    if (only) {
        c->begin = 0;
        c->end = 0;
    }
    return only;
}

/* Drops the youngest row, which has this many bytes. */
static inline void row_queue_pop_young(struct row_queue *queue, struct row_pool *pool, size_t bytes)
{
    struct row_chunk *c = queue->young;
    assert(c != NULL && c->end - c->begin >= bytes);
    c->end -= bytes;
    if (c->end == c->begin && !row_chunk_reset(c)) {
        row_queue_drop_young(queue, pool);
    }
}

static inline const void *row_queue_oldest(const struct row_queue *queue)
{
    return queue->old->bytes + queue->old->begin;
}

/* Drops the oldest row, which has this many bytes. */
static inline void row_queue_pop_old(struct row_queue *queue, struct row_pool *pool, size_t bytes)
{
    struct row_chunk *c = queue->old;
    assert(c != NULL && c->end - c->begin >= bytes);
    c->begin += bytes;
    if (c->end == c->begin && !row_chunk_reset(c)) {
        row_queue_drop_old(queue, pool);
    }
}

/* Aborts with a message when an invariant is broken; the bytes of all rows. For tests. */
size_t row_queue_check(const struct row_queue *queue, const struct row_pool *pool);

#endif
