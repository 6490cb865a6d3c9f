/* SPDX-License-Identifier: BSD-3-Clause */
/* pool.c - see pool.h. */
#include "event/pool.h"

#include <assert.h>

#include "base/fence.h"

#define POOL_GROW_EVENTS    512
#define POOL_NOTE_MIN_BYTES ((size_t)64)
/* Minimum number of bytes by which an overdraft extends the arena. */
#define OVERDRAFT_BYTES ((size_t)256 << 10)

void event_pool_init(struct event_pool *pool, size_t msg_size, size_t limit_bytes)
{
    *pool = (struct event_pool){
        .event_size = (sizeof(tw_event) + msg_size + 63) & ~(size_t)63,
        .limit_bytes = limit_bytes,
    };
    arena_init(&pool->arena, limit_bytes);
}

void event_pool_fence(struct event_pool *pool, size_t msg_size, size_t bytes)
{
    assert(pool->allocated == 0 && pool->fence_bytes == 0);
    pool->fence_at = sizeof(tw_event) + msg_size;
    pool->fence_bytes = bytes;
    pool->event_size = (pool->fence_at + bytes + 63) & ~(size_t)63;
}

void event_pool_fini(struct event_pool *pool)
{
    arena_fini(&pool->arena);
}

void event_pool_allow_overdraft(struct event_pool *pool, size_t bytes)
{
    pool->overdraft_left = bytes;
}

/* Allocates `size` bytes beyond the limit. Returns NULL if the overdraft would exceed its bound or
 * the system refuses. */
static void *overdraw(struct event_pool *pool, size_t size)
{
    struct arena *arena = &pool->arena;
    size_t bytes = size > SIZE_MAX / 4 ? SIZE_MAX / 2 : (size + 16383) & ~(size_t)8191;
    bytes = bytes > OVERDRAFT_BYTES ? bytes : OVERDRAFT_BYTES;
    if (bytes > pool->overdraft_left) {
        return NULL;
    }
    size_t limit = arena->limit_bytes;
    /* Fewer than `size` bytes are left within the limit, so the arena needs a new chunk. */
    arena->limit_bytes = arena->total_bytes + bytes;
    void *memory = arena_alloc(arena, size, 64);
    if (memory == NULL) {
        arena->limit_bytes = limit;
        return NULL;
    }
    assert(arena->limit_bytes > limit);
    pool->overdraft_left -= arena->limit_bytes - limit;
    return memory;
}

static size_t class_bytes(unsigned size_class)
{
    return POOL_NOTE_MIN_BYTES << size_class;
}

/* Takes a free note of this size class, or of the next larger class that has a free note. Returns
 * NULL if there is no such note. */
static struct event_note *take_free_note(struct event_pool *pool, unsigned size_class)
{
    for (unsigned c = size_class; c <= pool->largest_class; c++) {
        struct event_note *note = pool->free_notes[c];
        if (note != NULL) {
            pool->free_notes[c] = note->next;
            pool->free_large_bytes -= c == pool->largest_class ? class_bytes(c) : 0;
            pool->free_note_bytes -= class_bytes(c);
            return note;
        }
    }
    return NULL;
}

static void put_free_note(struct event_pool *pool, struct event_note *note)
{
    assert(note->size_class <= pool->largest_class);
    note->next = pool->free_notes[note->size_class];
    pool->free_notes[note->size_class] = note;
    pool->free_large_bytes +=
        note->size_class == pool->largest_class ? class_bytes(note->size_class) : 0;
    pool->free_note_bytes += class_bytes(note->size_class);
}

/* Returns the number of bytes of the arena that are not in use: unused space, free events and free
 * notes. */
static size_t unused_bytes(const struct event_pool *pool)
{
    assert(pool->allocated >= pool->in_use);
    const struct arena *arena = &pool->arena;
    return arena->limit_bytes - arena->total_bytes + (size_t)(arena->end - arena->next) +
           (pool->allocated - pool->in_use) * pool->event_size + pool->free_note_bytes;
}

size_t event_pool_overdrawn_bytes(const struct event_pool *pool)
{
    size_t overdraft = event_pool_overdraft_bytes(pool);
    size_t unused = overdraft > 0 ? unused_bytes(pool) : 0;
    return overdraft > unused ? overdraft - unused : 0;
}

size_t event_pool_left_bytes(const struct event_pool *pool)
{
    const struct arena *arena = &pool->arena;
    size_t left = arena->limit_bytes - arena->total_bytes + (size_t)(arena->end - arena->next);
    left += pool->free_large_bytes;
    if (class_bytes(pool->largest_class) <= pool->event_size) {
        left += (pool->allocated - pool->in_use) * pool->event_size;
    }
    size_t overdraft = event_pool_overdraft_bytes(pool);
    return left > overdraft ? left - overdraft : 0;
}

size_t event_pool_largest_note_bytes(const struct event_pool *pool)
{
    return pool->largest_class == 0 ? 0 : class_bytes(pool->largest_class);
}

/* Turns a free note into zeroed memory for events, and sets *count to the number of events. Returns
 * that memory; NULL if no free note is large enough. */
static unsigned char *events_from_note(struct event_pool *pool, size_t *count)
{
    unsigned size_class = 0;
    while (class_bytes(size_class) < pool->event_size) {
        size_class++;
    }
    struct event_note *note = take_free_note(pool, size_class);
    if (note == NULL) {
        return NULL;
    }
    size_t bytes = class_bytes(note->size_class);
    pool->note_bytes -= bytes;
    *count = bytes / pool->event_size;
    return memset((void *)note, 0, bytes);
}

/* Fills the fences of the events in fresh memory. */
static void fill_fences(const struct event_pool *pool)
{
    for (unsigned char *at = pool->fresh; at != pool->fresh_end; at += pool->event_size) {
        fence_fill(at + pool->fence_at, pool->fence_bytes);
    }
}

tw_event *event_pool_grow(struct event_pool *pool)
{
    size_t count = POOL_GROW_EVENTS;
    if (count * pool->event_size > ((size_t)1 << 20)) {
        count = 1 + ((size_t)1 << 20) / pool->event_size;
    }
    unsigned char *fresh = arena_alloc(&pool->arena, count * pool->event_size, 64);
    while (fresh == NULL && count > 1) { /* near the limit, fewer events may fit */
        count /= 2;
        fresh = arena_alloc(&pool->arena, count * pool->event_size, 64);
    }
    if (fresh == NULL) {
        fresh = events_from_note(pool, &count);
    }
    if (fresh == NULL) {
        count = 1;
        fresh = overdraw(pool, pool->event_size);
    }
    if (fresh == NULL) {
        return NULL;
    }
    _Static_assert(EVENT_FREE == 0, "zeroed memory holds free events");
    pool->fresh = fresh;
    pool->fresh_end = fresh + count * pool->event_size;
    pool->allocated += count;
    if (pool->fence_bytes > 0) {
        fill_fences(pool);
    }
    return event_pool_get(pool);
}

static unsigned note_size_class(size_t size)
{
    size_t need = size + sizeof(struct event_note);
    unsigned size_class = 0;
    while (class_bytes(size_class) < need) {
        size_class++;
    }
    return size_class;
}

/* Divides the memory of a free event into notes of this size class. Returns one of them; the others
 * become free notes. Returns NULL if there is no free event, or if an event is too small. */
static struct event_note *notes_from_event(struct event_pool *pool, unsigned size_class)
{
    unsigned char *bytes = (unsigned char *)pool->free;
    size_t count = pool->event_size / class_bytes(size_class);
    if (bytes == NULL || count == 0) {
        return NULL;
    }
    pool->free = pool->free->prev;
    pool->allocated--;
    pool->note_bytes += count * class_bytes(size_class);
    for (size_t i = 0; i < count; i++) {
        struct event_note *note =
            (struct event_note *)(void *)(bytes + i * class_bytes(size_class));
        note->size_class = (uint16_t)size_class;
        put_free_note(pool, note);
    }
    return take_free_note(pool, size_class);
}

/* Initialises a note of this size class in new memory, and returns the note. Returns NULL if
 * `memory` is NULL. */
static struct event_note *new_note(struct event_pool *pool, void *memory, unsigned size_class)
{
    struct event_note *note = memory;
    if (note != NULL) {
        note->size_class = (uint16_t)size_class;
        pool->note_bytes += class_bytes(size_class);
    }
    return note;
}

/* Returns a note of this size class. At the limit of the arena, the note comes from a larger free
 * note, a free event or an overdraft. Returns NULL if memory is exhausted. */
static struct event_note *get_note(struct event_pool *pool, unsigned size_class)
{
    assert(size_class < POOL_NOTE_CLASSES);
    if (size_class > pool->largest_class) {
        pool->largest_class = size_class;
        pool->free_large_bytes = 0;
    }
    struct event_note *note = pool->free_notes[size_class];
    if (note != NULL) {
        return take_free_note(pool, size_class);
    }
    size_t bytes = class_bytes(size_class);
    note = new_note(pool, arena_alloc(&pool->arena, bytes, 64), size_class);
    note = note != NULL ? note : take_free_note(pool, size_class);
    note = note != NULL ? note : notes_from_event(pool, size_class);
    return note != NULL ? note : new_note(pool, overdraw(pool, bytes), size_class);
}

struct event_note *event_pool_add_note(struct event_pool *pool, tw_event *event,
                                       enum note_kind kind, size_t size)
{
    assert(size < UINT32_MAX);
    struct event_note *note = get_note(pool, note_size_class(size));
    if (note == NULL) {
        return NULL;
    }
    note->kind = (uint16_t)kind;
    note->size = (uint32_t)size;
    note->next = event->notes;
    event->notes = note;
    return note;
}

bool event_pool_add_lineage(struct event_pool *pool, tw_event *event, const void *doubles, size_t n)
{
    /* Starts with the last part of the lineage, because each note is added at the head of the
     * list. */
    while (n > 0) {
        size_t first = (n - 1) / LINEAGE_OF_NOTE * LINEAGE_OF_NOTE;
        size_t size = (n - first) * sizeof(double);
        struct event_note *note = event_pool_add_note(pool, event, NOTE_LINEAGE, size);
        if (note == NULL) {
            return false;
        }
        memcpy(note->bytes, (const unsigned char *)doubles + first * sizeof(double), size);
        n = first;
    }
    return true;
}

void event_pool_drop_notes(struct event_pool *pool, tw_event *event, bool lineage)
{
    struct event_note *note = event->notes;
    struct event_note **kept = &event->notes;
    while (note != NULL) {
        struct event_note *next = note->next;
        if (note->kind == NOTE_LINEAGE && !lineage) {
            *kept = note;
            kept = &note->next;
        } else {
            put_free_note(pool, note);
        }
        note = next;
    }
    *kept = NULL;
}
