/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool.h - memory for events and their notes: LIFO free lists, filled from an arena.
 *
 * All events of a PE have the same size: header plus message, rounded up to whole cache lines.
 * Sizes of notes are rounded up to size classes: powers of two, at least 64 bytes. When the arena
 * is at its limit, a larger free note may serve as a note. A free event may also be divided into
 * notes, or a free note into events.
 *
 * A pool may be overdrawn: while handlers run and messages arrive, it then takes memory beyond its
 * limit, up to a bound. The caller ensures that the memory in use returns below the limit.
 *
 * Cost: taking or freeing an event requires two loads and two stores, and no system call unless the
 * arena grows.
 */
#ifndef WARPSCOPE_EVENT_POOL_H
#define WARPSCOPE_EVENT_POOL_H

#include <assert.h>

#include "base/arena.h"
#include "event/event.h"

#define POOL_NOTE_CLASSES 40

struct event_pool {
    tw_event *free;       /* list of free events, linked by their member prev */
    unsigned char *fresh; /* start of memory that no event has used yet */
    unsigned char *fresh_end;
    size_t event_size;  /* size of an event in bytes, a multiple of 64 */
    uint64_t in_use;    /* number of events that are not free */
    uint64_t allocated; /* number of events, free or not */
    struct event_note *free_notes[POOL_NOTE_CLASSES];
    unsigned largest_class;  /* largest size class of all notes requested so far */
    size_t free_large_bytes; /* size of all free notes of largest_class, in bytes */
    size_t free_note_bytes;  /* size of all free notes, in bytes */
    size_t note_bytes;       /* size of all notes, free or in use, in bytes */
    size_t limit_bytes;
    size_t overdraft_left; /* number of bytes by which the arena may still grow beyond the limit */
    size_t fence_at;       /* offset of the fence from the start of an event, in bytes */
    size_t fence_bytes;    /* size of the fence in bytes; 0: events have no fence */
    struct arena arena;
};

void event_pool_init(struct event_pool *pool, size_t msg_size, size_t limit_bytes);
/* Adds a fence of `bytes` bytes behind the message of each event, see base/fence.h. msg_size: size
 * of a message in bytes. Call this function before the first event is taken. */
void event_pool_fence(struct event_pool *pool, size_t msg_size, size_t bytes);
void event_pool_fini(struct event_pool *pool);
/* From now on, permits the arena to grow by at most `bytes` bytes beyond its limit. */
void event_pool_allow_overdraft(struct event_pool *pool, size_t bytes);
/* Returns the number of bytes in use beyond the limit of the pool. */
size_t event_pool_overdrawn_bytes(const struct event_pool *pool);
/* Returns the number of bytes by which the arena has grown beyond the limit of the pool, in use or
 * not. */
static inline size_t event_pool_overdraft_bytes(const struct event_pool *pool)
{
    assert(pool->arena.limit_bytes >= pool->limit_bytes);
    return pool->arena.limit_bytes - pool->limit_bytes;
}

/* Slow path of event_pool_get(): extends the pool and returns a new event; NULL if memory is
 * exhausted. */
tw_event *event_pool_grow(struct event_pool *pool);

/* Takes an event from the pool. Its state is EVENT_NEW; its other members are undefined. Returns
 * NULL if memory is exhausted. */
static inline tw_event *event_pool_get(struct event_pool *pool)
{
    tw_event *event = pool->free;
    if (event != NULL) {
        pool->free = event->prev;
        event_move(event, EVENT_FREE, EVENT_NEW);
    } else if (pool->fresh != pool->fresh_end) {
        event = (tw_event *)(void *)pool->fresh;
        pool->fresh += pool->event_size;
        event_move(event, EVENT_FREE, EVENT_NEW);
    } else {
        return event_pool_grow(pool);
    }
    pool->in_use++;
    return event;
}

/* Returns the number of bytes from which the pool can still make events, or notes of any size
 * requested so far. Free events and free notes that are smaller than the largest note do not
 * count. */
size_t event_pool_left_bytes(const struct event_pool *pool);
/* Returns the size in bytes of notes of the largest size class requested so far; 0 if that is the
 * smallest class. */
size_t event_pool_largest_note_bytes(const struct event_pool *pool);

/* Returns the size of all events in use, in bytes, without their notes. */
static inline size_t event_pool_event_bytes(const struct event_pool *pool)
{
    return pool->in_use * pool->event_size;
}

/* Returns the size of all notes in use, in bytes, rounded up to their size classes. */
static inline size_t event_pool_saved_bytes(const struct event_pool *pool)
{
    assert(pool->note_bytes >= pool->free_note_bytes);
    return pool->note_bytes - pool->free_note_bytes;
}

/* Frees the notes of an event. lineage: false to keep the notes of kind NOTE_LINEAGE. Not inlined,
 * to keep the stack frames of functions that call event_pool_put() small. */
void event_pool_drop_notes(struct event_pool *pool, tw_event *event, bool lineage)
    __attribute__((noinline));

/* Returns an event in any state to the pool, with its notes. */
static inline void event_pool_put(struct event_pool *pool, tw_event *event)
{
    assert(pool->in_use > 0);
    if (event->notes != NULL) {
        event_pool_drop_notes(pool, event, true);
    }
    event->state.owner = EVENT_FREE;
    event->prev = pool->free;
    pool->free = event;
    pool->in_use--;
}

/* Adds a note with `size` undefined bytes at the head of the event's list of notes. Returns the
 * note; NULL if memory is exhausted. */
struct event_note *event_pool_add_note(struct event_pool *pool, tw_event *event,
                                       enum note_kind kind, size_t size);
/* Adds n numbers, copied from the array `doubles`, to the event's lineage after its first number.
 * The numbers are stored in notes. Returns false if memory is exhausted; the event may then have
 * only some of these numbers. */
bool event_pool_add_lineage(struct event_pool *pool, tw_event *event, const void *doubles,
                            size_t n);

#endif
