/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool.h - where events and their notes live: LIFO free lists on an arena.
 *
 * All events of a PE have one size: header, payload of the run's message size, rounded up to cache
 * lines. Notes come in size classes, powers of two from 64 bytes. When the arena is at its limit,
 * free notes serve smaller ones and become events.
 *
 * A pool may be overdrawn: what a handler or a message needs at the limit comes from beyond it, up
 * to a bound. The caller sees to it that the memory in use comes back below the limit.
 *
 * Cost: a get or put is two loads and two stores; no system call except when the arena grows.
 */
#ifndef WARPSCOPE_EVENT_POOL_H
#define WARPSCOPE_EVENT_POOL_H

#include "base/arena.h"
#include "event/event.h"

#define POOL_NOTE_CLASSES 40

struct event_pool {
    tw_event *free;       /* linked by sibling */
    unsigned char *fresh; /* events never used yet */
    unsigned char *fresh_end;
    size_t event_size;  /* bytes, a multiple of 64 */
    uint64_t in_use;    /* events out of the pool */
    uint64_t allocated; /* events made so far */
    struct event_note *free_notes[POOL_NOTE_CLASSES];
    unsigned largest_class;  /* of the notes so far */
    size_t free_large_bytes; /* free notes of that class */
    size_t free_note_bytes;  /* free notes of all classes */
    size_t limit_bytes;
    size_t overdraft_left; /* bytes by which the arena may still grow beyond the limit */
    size_t fence_at;       /* offset of an event's fence */
    size_t fence_bytes;    /* 0: events have none */
    struct arena arena;
};

void event_pool_init(struct event_pool *pool, size_t msg_size, size_t limit_bytes);
/* Puts a fence behind the message of each event, see base/fence.h: from the first byte after the
 * message, bytes long. Before the first event. */
void event_pool_fence(struct event_pool *pool, size_t msg_size, size_t bytes);
void event_pool_fini(struct event_pool *pool);
/* From now on the pool may be overdrawn by so many bytes. */
void event_pool_allow_overdraft(struct event_pool *pool, size_t bytes);
/* Bytes in use beyond the limit. */
size_t event_pool_overdrawn_bytes(const struct event_pool *pool);
/* Bytes taken from beyond the limit so far, in use or not. */
static inline size_t event_pool_overdraft_bytes(const struct event_pool *pool)
{
    return pool->arena.limit_bytes - pool->limit_bytes;
}

/* More fresh events, or NULL when there is no more memory. Out of the hot path. */
tw_event *event_pool_grow(struct event_pool *pool);

/* An event in state EVENT_NEW, its other fields undefined; NULL when there is no more memory. */
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

/* Bytes that can still become events and notes of every size seen so far: what is scattered over
 * free pieces too small for the largest note does not count. */
size_t event_pool_left_bytes(const struct event_pool *pool);
/* Bytes of a note of the largest class asked for so far; the smallest class counts as 0. */
size_t event_pool_largest_note_bytes(const struct event_pool *pool);

/* Gives the notes of an event back; with lineage false, all but those of its lineage. Out of the
 * frames of those who call event_pool_put(). */
void event_pool_drop_notes(struct event_pool *pool, tw_event *event, bool lineage)
    __attribute__((noinline));

/* Takes an event back, from whatever state, with its notes. */
static inline void event_pool_put(struct event_pool *pool, tw_event *event)
{
    if (event->notes != NULL) {
        event_pool_drop_notes(pool, event, true);
    }
    event->state.owner = EVENT_FREE;
    event->prev = pool->free;
    pool->free = event;
    pool->in_use--;
}

/* A note of size bytes (contents undefined), first in the event's list; NULL without memory. */
struct event_note *event_pool_add_note(struct event_pool *pool, tw_event *event,
                                       enum note_kind kind, size_t size);
/* The event's lineage[1..n] from doubles; false without memory, and then a part of it may be
 * there. */
bool event_pool_add_lineage(struct event_pool *pool, tw_event *event, const void *doubles,
                            size_t n);

#endif
