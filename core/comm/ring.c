/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c - slow paths of rings, see ring.h. */
#include "comm/ring.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ross.h"

/* marker: value of message_header.size if the rest of the ring, up to its end, is unused */
#define MARKER_SIZE UINT32_MAX

void ring_chunks_init(struct ring_chunks *c, size_t chunk_bytes)
{
    *c = (struct ring_chunks){.chunk_bytes = chunk_bytes};
}

void ring_chunks_fini(struct ring_chunks *c)
{
    while (c->free != NULL) {
        struct ring_chunk *chunk = c->free;
        c->free = chunk->next;
        free(chunk);
    }
}

static struct ring_chunk *chunk_get(struct ring_chunks *c)
{
    struct ring_chunk *chunk = c->free;
    if (chunk == NULL) {
        chunk = tw_calloc(TW_LOC, "message buffer", sizeof *chunk + c->chunk_bytes, 1);
        c->n_chunks++;
    } else {
        c->free = chunk->next;
    }
    chunk->next = NULL;
    chunk->used = 0;
    chunk->taken = 0;
    return chunk;
}

static void chunk_put(struct ring_chunks *c, struct ring_chunk *chunk)
{
    chunk->next = c->free;
    c->free = chunk;
}

/* Sets s->stop to the end of the space known to be free: s->limit or the end of the ring, whichever
 * comes first. No space is free while the overflow queue holds messages (invariant R3). */
static void set_stop(struct ring_sender *s)
{
    uint64_t lap_end = (s->tail & ~s->mask) + s->mask + 1;
    s->stop = s->first != NULL ? s->tail : s->limit < lap_end ? s->limit : lap_end;
}

void ring_sender_init(struct ring_sender *s, struct ring_ends *ends, void *bytes, uint64_t capacity,
                      struct ring_chunks *chunks)
{
    assert(capacity > 0 && (capacity & (capacity - 1)) == 0); /* required by invariant R4 */
    *s = (struct ring_sender){
        .bytes = bytes, .mask = capacity - 1, .limit = capacity, .ends = ends, .chunks = chunks};
    set_stop(s);
}

void ring_sender_fini(struct ring_sender *s)
{
    while (s->first != NULL) {
        struct ring_chunk *chunk = s->first;
        s->first = chunk->next;
        chunk_put(s->chunks, chunk);
    }
}

void ring_receiver_init(struct ring_receiver *r, struct ring_ends *ends, const void *bytes,
                        uint64_t capacity)
{
    *r = (struct ring_receiver){.bytes = bytes, .mask = capacity - 1, .ends = ends};
}

static struct message_header *header_at(const struct ring_sender *s, uint64_t position)
{
    return (struct message_header *)(void *)(s->bytes + (position & s->mask));
}

static bool has_room(struct ring_sender *s, uint64_t end)
{
    if (end > s->limit) {
        s->limit = atomic_load_explicit(&s->ends->head, memory_order_acquire) + s->mask + 1;
    }
    return end <= s->limit;
}

/* Reserves `extent` bytes in the ring, after writing a marker if necessary. Returns their address,
 * or NULL if the ring has too little space. */
static struct message_header *place(struct ring_sender *s, size_t extent)
{
    uint64_t to_lap_end = s->mask + 1 - (s->tail & s->mask);
    uint64_t skip = extent > to_lap_end ? to_lap_end : 0;
    if (!has_room(s, s->tail + skip + extent)) {
        return NULL;
    }
    if (skip > 0) {
        header_at(s, s->tail)->size = MARKER_SIZE;
        s->tail += skip;
    }
    struct message_header *at = header_at(s, s->tail);
    s->tail += extent;
    return at;
}

/* Reserves `extent` bytes at the end of the overflow queue, and returns their address. */
static struct message_header *queue(struct ring_sender *s, size_t extent)
{
    assert(extent <= s->chunks->chunk_bytes);
    if (s->first == NULL) {
        s->first = s->last = chunk_get(s->chunks);
        s->chunks->n_overflowing++;
    } else if (s->chunks->chunk_bytes - s->last->used < extent) {
        s->last->next = chunk_get(s->chunks);
        s->last = s->last->next;
    }
    unsigned char *at = s->last->bytes + s->last->used;
    s->last->used += extent;
    return (struct message_header *)(void *)at;
}

struct message_header *ring_reserve_slowly(struct ring_sender *s, size_t extent)
{
    assert(extent <= (s->mask + 1) / 2); /* required by invariant R4 */
    struct message_header *at = s->first == NULL ? place(s, extent) : NULL;
    if (at == NULL) {
        /* The ring has too little space, or older messages wait in the overflow queue. Publishes
         * the messages in the ring, then adds this message to the queue. */
        atomic_store_explicit(&s->ends->tail, s->tail, memory_order_release);
        s->published = s->tail;
        at = queue(s, extent);
    }
    set_stop(s);
    return at;
}

void ring_drain(struct ring_sender *s)
{
    assert(s->first != NULL && s->chunks->n_overflowing > 0);
    while (s->first != NULL) {
        struct ring_chunk *chunk = s->first;
        while (chunk->taken < chunk->used) {
            const void *from = chunk->bytes + chunk->taken;
            size_t extent = message_extent(from);
            struct message_header *to = place(s, extent);
            if (to == NULL) {
                set_stop(s);
                return;
            }
            memcpy(to, from, extent);
            chunk->taken += extent;
        }
        s->first = chunk->next;
        chunk_put(s->chunks, chunk);
    }
    s->chunks->n_overflowing--;
    set_stop(s);
}

const struct message_header *ring_first(struct ring_receiver *r)
{
    assert(r->head != ring_arrived(r));
    const void *at = r->bytes + (r->head & r->mask);
    const struct message_header *first = at;
    if (__builtin_expect(first->size == MARKER_SIZE, 0)) {
        r->head = (r->head | r->mask) + 1;
        at = r->bytes;
        first = at;
    }
    return first;
}

/* Returns true if the bytes from head to tail are complete messages and markers (invariant R2). */
static bool content_check(const struct ring_sender *s, uint64_t head)
{
    bool after_marker = false;
    while (head < s->tail) {
        const struct message_header *m = header_at(s, head);
        uint64_t lap_end = (head | s->mask) + 1;
        if (m->size == MARKER_SIZE) {
            if (after_marker) {
                return false;
            }
            after_marker = true;
            head = lap_end;
            continue;
        }
        after_marker = false;
        if (m->size % 8 != 0 || head + message_extent(m) > lap_end) {
            return false;
        }
        head += message_extent(m);
    }
    return head == s->tail && !after_marker;
}

static bool queue_check(const struct ring_sender *s)
{
    for (const struct ring_chunk *c = s->first; c != NULL; c = c->next) {
        size_t at = c->taken;
        while (at < c->used) {
            at += message_extent((const void *)(c->bytes + at));
        }
        if (at != c->used || c->used > s->chunks->chunk_bytes ||
            (c->next == NULL) != (c == s->last)) {
            return false;
        }
    }
    return true;
}

bool ring_check(const struct ring_sender *s, const struct ring_receiver *r)
{
    uint64_t capacity = s->mask + 1;
    uint64_t tail = atomic_load(&s->ends->tail);
    uint64_t head = atomic_load(&s->ends->head);
    bool positions = (s->mask & capacity) == 0 && s->mask == r->mask && tail == s->published &&
                     head == r->released && head <= r->head && r->head <= tail && tail <= s->tail &&
                     s->tail <= head + capacity && s->limit <= head + capacity &&
                     s->stop <= s->limit && s->stop >= s->tail && head % 8 == 0 && tail % 8 == 0 &&
                     s->tail % 8 == 0;
    bool overflow = s->first == NULL || s->stop == s->tail; /* follows from invariant R3 */
    return positions && overflow && content_check(s, head) && queue_check(s);
}
