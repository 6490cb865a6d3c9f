/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deferred_queue.h - records of a KP's events that have been executed and may still be undone.
 *
 * The uncommitted events of a KP form a double-ended queue, and so do their records: one queue of
 * bytes per KP. The records of an event form a block. Execution appends blocks at the young end,
 * rollback removes blocks at the young end, and commit removes blocks at the old end. A block
 * consists of a header and one entry per record, which are contiguous except at the borders of
 * chunks.
 *
 * Invariants
 *  Q1  The contents of a chunk are its bytes from begin to end, begin < end <= size.
 *  Q2  The chunks of a queue are linked from old to young and hold only blocks, in the order in
 *      which their events were executed. The oldest bytes are a header.
 *  Q3  The entries of a block follow its header; they are linked from the youngest to the first.
 *  Q4  young_event and old_event are the events of the youngest and the oldest block, NULL if there
 *      is none. An event is identified by its address: an event that has a block is neither undone
 *      nor committed, so no other event can have this address.
 *  Q5  pool.bytes is the memory of all chunks in queues, as reported to the engine; pool.blocks is
 *      the number of blocks in them.
 *  Q6  A chunk of order k < DEFERRED_ORDERS takes 256 << k bytes of memory. An empty queue begins
 *      with order 0. Each further chunk has the next higher order, or an even higher one if its
 *      first entry needs the space. Many KPs with few records therefore do not fill
 *      --observer-memory with unused space.
 * Cost: an entry takes 32 bytes in addition to its data; a block takes 40 bytes. Adding or dropping
 * an entry or a block takes some ten instructions; a long queue takes or returns a chunk per 4 KiB.
 * Dropping a block does not read its entries.
 */
#ifndef WARPSCOPE_BUS_DEFERRED_QUEUE_H
#define WARPSCOPE_BUS_DEFERRED_QUEUE_H

#include <assert.h>
#include <stdbool.h>

#include "st_bus.h"

#define DEFERRED_ORDERS 5u /* number of chunk sizes, from 256 bytes to 4 KiB */

struct deferred_chunk {
    struct deferred_chunk *older;
    /* Next chunk towards the young end. In the list of free chunks: the next free chunk. */
    struct deferred_chunk *younger;
    uint32_t begin;
    uint32_t end;
    uint32_t size;
    uint32_t order; /* size class; DEFERRED_ORDERS: larger than all classes */
    _Alignas(16) unsigned char bytes[];
};

/* An entry for a record, followed by the record's data; or an entry that only counts consecutive
 * records of a stream. */
struct deferred_entry {
    struct deferred_entry *before; /* previous entry of the block; NULL: this entry is the first */
    union {
        const st_point *point;
        uint64_t n; /* number of records that the entry counts, if size is DEFERRED_BARE */
    };
    uint64_t number; /* record number of the record, or of the first record that the entry counts */
    st_stream_id stream;
    st_type type;
    /* Size of the data in bytes, with DEFERRED_HAS_VISIT added if a visit precedes the data; or
     * DEFERRED_BARE. */
    uint32_t size;
};

/* Value of size for an entry that only counts records and has no data. */
#define DEFERRED_BARE UINT32_MAX
/* Flag in size: a struct deferred_visit precedes the data. All sizes are smaller than this flag. */
#define DEFERRED_HAS_VISIT (1u << 31)

/* Members of a record that has an instance or a parent. */
struct deferred_visit {
    const st_point *parent;
    uint64_t instance;
};

/* Header of the block with the records of one execution of an event. */
struct deferred_block {
    const tw_event *event;
    struct deferred_block *older;
    struct deferred_entry *youngest;
    uint32_t n;    /* number of entries; 0: no memory for the first entry */
    bool has_data; /* true if at least one entry has data */
    /* True if undoing the block must be reported to subscribers or to functions that
     * deferred_on_undo() registered. */
    bool reports_undone;
};

/* Chunks for the queues of all KPs. Their memory is kept until deferred_pool_fini(). A
 * zero-initialised pool is empty. */
struct deferred_pool {
    /* [k]: list of the free chunks of order k. */
    struct deferred_chunk *free[DEFERRED_ORDERS];
    size_t bytes;
    uint64_t blocks;
};

/* Queue of the records of one KP's events. A zero-initialised queue is empty. */
struct deferred_queue {
    const tw_event *young_event;
    const tw_event *old_event;
    struct deferred_block *youngest;
    struct deferred_chunk *young;
    struct deferred_chunk *old;
};

/* Frees all memory of the pool. All queues must be empty. */
void deferred_pool_fini(struct deferred_pool *pool);

/* Adds an empty block for an event that has no block, at the young end of the queue. Returns the
 * block; NULL if memory is exhausted. */
struct deferred_block *deferred_queue_open(struct deferred_queue *queue, struct deferred_pool *pool,
                                           const tw_event *event);
/* Removes the youngest block of the queue, without delivering its records. */
void deferred_queue_cut(struct deferred_queue *queue, struct deferred_pool *pool);
/* Removes all blocks of the queue, without delivering their records, and returns their memory to
 * the pool. */
void deferred_queue_clear(struct deferred_queue *queue, struct deferred_pool *pool);

/*
 * Begins to consume the oldest block: removes its header and returns it. The caller then calls
 * deferred_queue_next() and deferred_queue_drop() for each entry of the block, and finally
 * deferred_queue_done(). No other function may use the queue meanwhile.
 */
struct deferred_block deferred_queue_take(struct deferred_queue *queue, struct deferred_pool *pool);
/* Returns the oldest entry of the block that is being consumed; valid until
 * deferred_queue_drop(). */
static inline const struct deferred_entry *deferred_queue_next(struct deferred_queue *queue);
/* Removes the oldest entry, which deferred_queue_next() has returned. */
static inline void deferred_queue_drop(struct deferred_queue *queue, struct deferred_pool *pool);
/* Ends the consumption of a block whose entries have all been removed. */
void deferred_queue_done(struct deferred_queue *queue, struct deferred_pool *pool);

/* The next three functions require an entry with data. */

static inline struct deferred_visit *deferred_entry_visit(const struct deferred_entry *entry)
{
    assert(entry->size >= DEFERRED_HAS_VISIT);
    /* The visit precedes the data if DEFERRED_HAS_VISIT is set. */
    return (struct deferred_visit *)(uintptr_t)(entry + 1);
}

static inline void *deferred_entry_data(const struct deferred_entry *entry)
{
    void *behind = (void *)(uintptr_t)(entry + 1);
    return entry->size < DEFERRED_HAS_VISIT ? behind : deferred_entry_visit(entry) + 1;
}

/* Sets those members of `record` that the entry holds. The caller sets the LP and the time, which
 * are those of the event. */
static inline void deferred_entry_read(const struct deferred_entry *entry, st_record *record)
{
    assert(entry->size != DEFERRED_BARE);
    record->stream = entry->stream;
    record->type = entry->type;
    record->point = entry->point;
    record->number = entry->number;
    record->size = entry->size & ~DEFERRED_HAS_VISIT;
    record->data = deferred_entry_data(entry);
    record->parent = NULL;
    record->instance = 0;
    if (__builtin_expect(entry->size >= DEFERRED_HAS_VISIT, 0)) {
        record->parent = deferred_entry_visit(entry)->parent;
        record->instance = deferred_entry_visit(entry)->instance;
    }
}

/* ---- Adding: inline, since it happens for each record ---------------------------------------- */

/* Adds a chunk with space for at least `bytes` bytes at the young end of the queue. Returns false
 * if memory is exhausted. */
bool deferred_queue_grow(struct deferred_queue *queue, struct deferred_pool *pool, uint32_t bytes);

/* Returns space for `bytes` bytes, a multiple of 8, at the young end of the queue; NULL if memory
 * is exhausted. */
static inline void *deferred_queue_push(struct deferred_queue *queue, struct deferred_pool *pool,
                                        uint32_t bytes)
{
    assert(bytes % 8 == 0);
    struct deferred_chunk *c = queue->young;
    if (__builtin_expect(c == NULL || c->size - c->end < bytes, 0)) {
        if (!deferred_queue_grow(queue, pool, bytes)) {
            return NULL;
        }
        c = queue->young;
    }
    void *room = c->bytes + c->end;
    c->end += bytes;
    return room;
}

static inline uint32_t deferred_entry_bytes(uint32_t size)
{
    const uint32_t head = (uint32_t)sizeof(struct deferred_entry);
    if (__builtin_expect(size < DEFERRED_HAS_VISIT, 1)) {
        return head + (size + 7u) / 8u * 8u;
    }
    return size == DEFERRED_BARE ? head
                                 : head + (uint32_t)sizeof(struct deferred_visit) +
                                       ((size & ~DEFERRED_HAS_VISIT) + 7u) / 8u * 8u;
}

/* Adds an entry with space for data of this size (see struct deferred_entry) to the youngest block.
 * Sets size and before; the caller sets all other members. Returns NULL if memory is exhausted. */
static inline struct deferred_entry *deferred_queue_add(struct deferred_queue *queue,
                                                        struct deferred_pool *pool, uint32_t size)
{
    struct deferred_block *block = queue->youngest;
    assert(block != NULL);
    struct deferred_entry *entry = deferred_queue_push(queue, pool, deferred_entry_bytes(size));
    if (entry == NULL) {
        return NULL;
    }
    entry->before = block->youngest;
    entry->size = size;
    block->youngest = entry;
    block->n++;
    block->has_data = block->has_data || size != DEFERRED_BARE;
    return entry;
}

/* ---- Consuming: inline, since it happens for each record ------------------------------------- */

/* Removes the oldest chunk of the queue. The chunk must have no contents left. */
void deferred_queue_drop_old_chunk(struct deferred_queue *queue, struct deferred_pool *pool);

static inline void *deferred_queue_oldest(const struct deferred_queue *queue)
{
    assert(queue->old != NULL && queue->old->begin < queue->old->end);
    return queue->old->bytes + queue->old->begin;
}

static inline void deferred_queue_pop(struct deferred_queue *queue, struct deferred_pool *pool,
                                      uint32_t bytes)
{
    struct deferred_chunk *c = queue->old;
    assert(c != NULL && c->end - c->begin >= bytes);
    c->begin += bytes;
    if (__builtin_expect(c->begin == c->end, 0)) {
        deferred_queue_drop_old_chunk(queue, pool);
    }
}

static inline const struct deferred_entry *deferred_queue_next(struct deferred_queue *queue)
{
    return deferred_queue_oldest(queue);
}

static inline void deferred_queue_drop(struct deferred_queue *queue, struct deferred_pool *pool)
{
    deferred_queue_pop(queue, pool, deferred_entry_bytes(deferred_queue_next(queue)->size));
}

/* Aborts with an error message if an invariant is broken. Adds the number of the queue's blocks to
 * *blocks, and the number of bytes of its chunks to *bytes. For tests. */
void deferred_queue_check(const struct deferred_queue *queue, uint64_t *blocks, size_t *bytes);

#endif
