/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deferred_queue.h - records of a KP's events that have been executed and may still be undone.
 *
 * A KP executes, undoes and commits events like a queue with two ends, so what its events emitted
 * is one queue of bytes: the records of an event form a block, blocks come and go at the young end,
 * and leave for good at the old one. A block is its header and one entry per record, one after
 * another, over as many chunks as that takes.
 *
 * Invariants
 *  Q1  a chunk's contents are its bytes from begin to end, begin < end <= size.
 *  Q2  the chunks of a queue are linked from old to young and hold nothing but blocks, in the order
 *      in which their events were executed. The oldest bytes are a header.
 *  Q3  a block's entries follow it; they are linked from the youngest to the first.
 *  Q4  young_event and old_event are those of the youngest and of the oldest block, NULL when there
 *      is none.
 *        An event is told by its address: one that has a block is neither undone nor committed, so
 *      no other can be at this address.
 *  Q5  pool.bytes is the memory of all chunks in queues, as told to the engine; pool.blocks are the
 *      blocks in them.
 *  Q6  a chunk of order k < DEFERRED_ORDERS takes 256 << k bytes of memory. An empty queue begins with
 *      order 0 and each further chunk is of the next order, or of a higher one if more must go in:
 *      thus very many KPs that hold little do not fill --observer-memory with room for more.
 * Cost: an entry takes 32 bytes beside its data, a block 40; adding and dropping one some ten
 * instructions each, a chunk per 4 KiB once a queue has that much. Cutting a block off takes no
 * look at its entries.
 */
#ifndef WARPSCOPE_BUS_DEFERRED_QUEUE_H
#define WARPSCOPE_BUS_DEFERRED_QUEUE_H

#include <assert.h>
#include <stdbool.h>

#include "st_bus.h"

#define DEFERRED_ORDERS 5u /* sizes of chunks: 256 bytes to 4 KiB */

struct deferred_chunk {
    struct deferred_chunk *older;
    struct deferred_chunk *younger; /* in the free list: the next one */
    uint32_t begin;
    uint32_t end;
    uint32_t size;
    uint32_t order; /* DEFERRED_ORDERS: larger than usual */
    _Alignas(16) unsigned char bytes[];
};

/* One record, whose data follows; or some of a stream in a row, of which only that is known. */
struct deferred_entry {
    struct deferred_entry *before; /* of the same block; NULL: this is the first */
    union {
        const st_point *point;
        uint64_t n; /* DEFERRED_BARE: so many records */
    };
    uint64_t number; /* of the record, or of the first of them */
    st_stream_id stream;
    st_type type;
    uint32_t size; /* bytes of data, with DEFERRED_HAS_VISIT or not, or DEFERRED_BARE */
};

/* In place of the size: data was not kept, only that there were records. */
#define DEFERRED_BARE UINT32_MAX
/* Added to the size: a struct deferred_visit lies before the data. Sizes alone are less. */
#define DEFERRED_HAS_VISIT (1u << 31)

/* What only some records say. */
struct deferred_visit {
    const st_point *parent;
    uint64_t instance;
};

/* The records of one execution of an event. */
struct deferred_block {
    const tw_event *event;
    struct deferred_block *older;
    struct deferred_entry *youngest;
    uint32_t n;    /* entries; 0: there was no memory for the first */
    bool has_data; /* some entry is not bare */
    bool is_told;  /* somebody wants to know when it is undone */
};

/* Chunks for all queues; memory is kept until deferred_pool_fini(). Zero-initialised it has none. */
struct deferred_pool {
    struct deferred_chunk *free[DEFERRED_ORDERS];
    size_t bytes;
    uint64_t blocks;
};

/* Zero-initialised it is empty. */
struct deferred_queue {
    const tw_event *young_event;
    const tw_event *old_event;
    struct deferred_block *youngest;
    struct deferred_chunk *young;
    struct deferred_chunk *old;
};

/* Gives all memory back; the queues have been emptied. */
void deferred_pool_fini(struct deferred_pool *pool);

/* Opens a block for an event that has none; it becomes the youngest. NULL: out of memory. */
struct deferred_block *deferred_queue_open(struct deferred_queue *queue, struct deferred_pool *pool,
                                           const tw_event *event);
/* Drops the youngest block. */
void deferred_queue_cut(struct deferred_queue *queue, struct deferred_pool *pool);
/* Drops all blocks. */
void deferred_queue_clear(struct deferred_queue *queue, struct deferred_pool *pool);

/*
 * Consumes the oldest block: deferred_queue_take() returns its header, then that many calls of
 * deferred_queue_next() its entries, each valid until the next call, then deferred_queue_done(). In between
 * nothing may be done with the queue.
 */
struct deferred_block deferred_queue_take(struct deferred_queue *queue, struct deferred_pool *pool);
static inline const struct deferred_entry *deferred_queue_next(struct deferred_queue *queue);
/* What _next() returned. */
static inline void deferred_queue_drop(struct deferred_queue *queue, struct deferred_pool *pool);
void deferred_queue_done(struct deferred_queue *queue, struct deferred_pool *pool);

/* All of the following are for entries that are not bare. */

static inline struct deferred_visit *deferred_entry_visit(const struct deferred_entry *entry)
{
    return (struct deferred_visit *)(uintptr_t)(entry + 1); /* of DEFERRED_HAS_VISIT */
}

static inline void *deferred_entry_data(const struct deferred_entry *entry)
{
    void *behind = (void *)(uintptr_t)(entry + 1);
    return entry->size < DEFERRED_HAS_VISIT ? behind : deferred_entry_visit(entry) + 1;
}

/* Fills in what the entry says; the LP and the time are its event's. */
static inline void deferred_entry_read(const struct deferred_entry *entry, st_record *record)
{
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

/* ---- Adding: inline, for each record does it ------------------------------------------------- */

/* Another chunk at the young end, with room for so many bytes. False: no memory. */
bool deferred_queue_grow(struct deferred_queue *queue, struct deferred_pool *pool, uint32_t bytes);

/* Room at the young end; bytes: a multiple of 8. */
static inline void *deferred_queue_push(struct deferred_queue *queue, struct deferred_pool *pool,
                                        uint32_t bytes)
{
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

/* Adds an entry to the youngest block; with room for what size says (see deferred_entry). All but
 * size and before are up to the caller. NULL: out of memory. */
static inline struct deferred_entry *deferred_queue_add(struct deferred_queue *queue,
                                                        struct deferred_pool *pool, uint32_t size)
{
    struct deferred_block *block = queue->youngest;
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

/* ---- Consuming: inline, for the same reason -------------------------------------------------- */

/* The oldest chunk is empty. */
void deferred_queue_drop_old_chunk(struct deferred_queue *queue, struct deferred_pool *pool);

static inline void *deferred_queue_oldest(const struct deferred_queue *queue)
{
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

/* Aborts with a message when an invariant is broken; adds the blocks and the bytes of its chunks.
 * For tests. */
void deferred_queue_check(const struct deferred_queue *queue, uint64_t *blocks, size_t *bytes);

#endif
