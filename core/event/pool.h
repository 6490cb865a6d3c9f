/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool.h - memory of events and their notes: LIFO free lists on an arena.
 *
 * All events of a PE have one size: header and payload of the run's message size, rounded up to
 * cache lines. Notes have size classes, powers of two from 64 bytes. When the arena is at its
 * limit, free notes are split into smaller ones or become events.
 *
 * A pool may be overdrawn: at the limit, it takes further memory for handlers and messages, up to a
 * bound. The caller ensures that the memory in use returns below the limit.
 *
 * Cost: a get or put is two loads and two stores, and no system call unless the arena grows.
 */
#ifndef WARPSCOPE_EVENT_POOL_H
#define WARPSCOPE_EVENT_POOL_H

#include <assert.h>

#include "base/arena.h"
#include "event/event.h"

#define POOL_NOTE_CLASSES 40

struct event_pool {
    tw_event *free;       /* free events, linked by sibling */
    unsigned char *fresh; /* start of memory that no event has used yet */
    unsigned char *fresh_end;
    size_t event_size;  /* size of an event in bytes, a multiple of 64 */
    uint64_t in_use;    /* number of events out of the pool */
    uint64_t allocated; /* number of events made so far */
    struct event_note *free_notes[POOL_NOTE_CLASSES];
    unsigned largest_class;  /* largest size class of any note so far */
    size_t free_large_bytes; /* size of the free notes of the largest class, in bytes */
    size_t free_note_bytes;  /* size of all free notes, in bytes */
    size_t note_bytes;       /* size of all notes, free or in use, in bytes */
    size_t limit_bytes;
    size_t overdraft_left; /* bytes by which the arena may still grow beyond the limit */
    size_t fence_at;       /* offset of the fence from the start of its event, in bytes */
    size_t fence_bytes;    /* size of the fence in bytes; 0: events have no fence */
    struct arena arena;
};

void event_pool_init(struct event_pool *pool, size_t msg_size, size_t limit_bytes);
/* Adds a fence of `bytes` bytes behind the message of each event, see base/fence.h. msg_size: size
 * of a message in bytes. Called before the first event. */
void event_pool_fence(struct event_pool *pool, size_t msg_size, size_t bytes);
void event_pool_fini(struct event_pool *pool);
/* Permits an overdraft of at most this many bytes from now on. */
void event_pool_allow_overdraft(struct event_pool *pool, size_t bytes);
/* Returns the bytes in use beyond the arena's limit. */
size_t event_pool_overdrawn_bytes(const struct event_pool *pool);
/* Returns the bytes that the arena has allocated beyond its limit, in use or not. */
static inline size_t event_pool_overdraft_bytes(const struct event_pool *pool)
{
    assert(pool->arena.limit_bytes >= pool->limit_bytes);
    return pool->arena.limit_bytes - pool->limit_bytes;
}

/* Returns an event from fresh memory; NULL if memory is exhausted. Not on the hot path. */
tw_event *event_pool_grow(struct event_pool *pool);

/* Returns an event in state EVENT_NEW with its other members undefined; NULL if memory is
 * exhausted. */
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

/* Returns the bytes that can still become events, or notes of any size used so far. Free pieces
 * that are too small for the largest note do not count. */
size_t event_pool_left_bytes(const struct event_pool *pool);
/* Returns the size in bytes of a note of the largest class requested so far; 0 if that is the
 * smallest class. */
size_t event_pool_largest_note_bytes(const struct event_pool *pool);

/* Returns the bytes of the events that are in use, without their notes. */
static inline size_t event_pool_event_bytes(const struct event_pool *pool)
{
    return pool->in_use * pool->event_size;
}

/* Returns the bytes of the notes that are in use, rounded up to their size classes. */
static inline size_t event_pool_saved_bytes(const struct event_pool *pool)
{
    assert(pool->note_bytes >= pool->free_note_bytes);
    return pool->note_bytes - pool->free_note_bytes;
}

/* Frees the notes of an event. If lineage is false, the notes about its lineage are kept. Not
 * inlined, to keep the stack frames of event_pool_put() callers small. */
void event_pool_drop_notes(struct event_pool *pool, tw_event *event, bool lineage)
    __attribute__((noinline));

/* Frees an event in any state, with its notes. */
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

/* Adds a note of size bytes (contents undefined) at the head of the event's list. Returns NULL if
 * memory is exhausted. */
struct event_note *event_pool_add_note(struct event_pool *pool, tw_event *event,
                                       enum note_kind kind, size_t size);
/* Sets the event's lineage[1..n] from doubles. Returns false if memory is exhausted; a part of the
 * lineage may then be set. */
bool event_pool_add_lineage(struct event_pool *pool, tw_event *event, const void *doubles,
                            size_t n);

#endif
