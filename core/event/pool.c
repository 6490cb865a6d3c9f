/* pool.c - see pool.h. */
#include "event/pool.h"

#define POOL_GROW_EVENTS    512
#define POOL_NOTE_MIN_BYTES ((size_t)64)

void event_pool_init(struct event_pool *pool, size_t msg_size, size_t limit_bytes)
{
    *pool = (struct event_pool){
        .event_size = (offsetof(tw_event, payload) + msg_size + 63) & ~(size_t)63,
    };
    arena_init(&pool->arena, limit_bytes);
}

void event_pool_fini(struct event_pool *pool)
{
    arena_fini(&pool->arena);
}

tw_event *event_pool_grow(struct event_pool *pool)
{
    size_t count = POOL_GROW_EVENTS;
    if (count * pool->event_size > ((size_t)1 << 20)) {
        count = 1 + ((size_t)1 << 20) / pool->event_size;
    }
    unsigned char *fresh = arena_alloc(&pool->arena, count * pool->event_size, 64);
    if (fresh == NULL) {
        return NULL;
    }
    _Static_assert(EVENT_FREE == 0, "zeroed memory holds free events");
    pool->fresh = fresh;
    pool->fresh_end = fresh + count * pool->event_size;
    pool->allocated += count;
    return event_pool_get(pool);
}

static unsigned note_size_class(size_t size)
{
    size_t need = size + sizeof(struct event_note);
    unsigned size_class = 0;
    while ((POOL_NOTE_MIN_BYTES << size_class) < need) {
        size_class++;
    }
    return size_class;
}

struct event_note *event_pool_add_note(struct event_pool *pool, tw_event *event,
                                       enum note_kind kind, size_t size)
{
    assert(size < UINT32_MAX);
    unsigned size_class = note_size_class(size);
    struct event_note *note = pool->free_notes[size_class];
    if (note != NULL) {
        pool->free_notes[size_class] = note->next;
    } else {
        note = arena_alloc(&pool->arena, POOL_NOTE_MIN_BYTES << size_class, 64);
        if (note == NULL) {
            return NULL;
        }
        note->size_class = (uint16_t)size_class;
    }
    note->kind = (uint16_t)kind;
    note->size = (uint32_t)size;
    note->next = event->notes;
    event->notes = note;
    return note;
}

void event_pool_drop_notes(struct event_pool *pool, tw_event *event, bool lineage)
{
    struct event_note *note = event->notes;
    event->notes = NULL;
    while (note != NULL) {
        struct event_note *next = note->next;
        if (note->kind == NOTE_LINEAGE && !lineage) {
            note->next = NULL; /* an event has one at most */
            event->notes = note;
        } else {
            note->next = pool->free_notes[note->size_class];
            pool->free_notes[note->size_class] = note;
        }
        note = next;
    }
}
