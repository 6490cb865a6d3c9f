/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.h - messages from one process to another through shared memory.
 *
 * A lock-free ring of bytes with one sender and one receiver (after Lamport, "Specifying concurrent
 * program modules", ACM TOPLAS 5(2), 1983). Positions count bytes from the start and never wrap;
 * position & mask is the place in the ring. The sender owns tail, the receiver head. Each side
 * works on a private copy of its position, and publishes this copy from time to time. A side reads
 * the position of the other side only when the last value that it has read leaves it nothing to do.
 * Thus most messages cause cache misses only for their own bytes.
 *
 * A message is written in place and never wraps. If the rest of the ring is too short for it, a
 * marker sends the receiver to the start. If the ring has no space at all, the message goes to an
 * overflow queue in the sender's own memory, and so do all later ones. ring_publish() moves them to
 * the ring as space appears. Sending thus never waits and preserves the order.
 *
 * Invariants
 *  R1  head <= published tail <= tail <= head + capacity; all multiples of 8.
 *  R2  From head to tail there are complete messages and markers; a message follows each marker.
 *  R3  While the overflow queue is not empty, no space is reserved in the ring (stop == tail).
 *  R4  capacity is a power of two, at least twice the longest message.
 *
 * Cost: a reservation is one comparison; a publication is one store, and one cache miss of the
 * receiver.
 */
#ifndef WARPSCOPE_COMM_RING_H
#define WARPSCOPE_COMM_RING_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "comm/message.h"

/* Bytes that the positions of the two sides must be apart: processors fetch cache lines of 64 bytes
 * in pairs. */
#define RING_LINE 128

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "a lock in one process would not hold for another");

/* The two positions of a ring, in shared memory, initially zero. The bytes of the ring are
 * elsewhere. */
struct ring_ends {
    /* End of the messages that the sender has published. */
    _Alignas(RING_LINE) _Atomic uint64_t tail;
    /* Start of the messages that the receiver has not released. */
    _Alignas(RING_LINE) _Atomic uint64_t head;
};

/* Memory of overflow queues, shared by the senders of one process. Empty chunks are kept for reuse
 * until the end. */
struct ring_chunk {
    struct ring_chunk *next;
    size_t used;  /* number of bytes written */
    size_t taken; /* number of bytes moved to the ring */
    _Alignas(16) unsigned char bytes[];
};

struct ring_chunks {
    struct ring_chunk *free;
    size_t chunk_bytes;
    size_t n_chunks;      /* number of chunks, used and free */
    size_t n_overflowing; /* number of senders with a non-empty overflow queue */
};

struct ring_sender {
    unsigned char *bytes;
    uint64_t mask; /* capacity of the ring - 1 */
    uint64_t tail;
    uint64_t stop;      /* messages that end at or before this position need no check for space */
    uint64_t published; /* value of tail that was published last */
    uint64_t limit;     /* last known head, plus the capacity */
    struct ring_ends *ends;
    struct ring_chunk *first, *last; /* chunks of the overflow queue */
    struct ring_chunks *chunks;
};

struct ring_receiver {
    const unsigned char *bytes;
    uint64_t mask;
    uint64_t head;
    uint64_t released; /* value of head that was published last */
    struct ring_ends *ends;
};

/* Initialises the chunks of overflow queues. chunk_bytes: at least the length of the longest
 * message. */
void ring_chunks_init(struct ring_chunks *c, size_t chunk_bytes);
/* Frees the chunks. All overflow queues must be empty; see ring_sender_fini(). */
void ring_chunks_fini(struct ring_chunks *c);

/* Initialises the sender's side. The caller owns ends and bytes, which are 8-aligned and `capacity`
 * long. */
void ring_sender_init(struct ring_sender *s, struct ring_ends *ends, void *bytes, uint64_t capacity,
                      struct ring_chunks *chunks);
void ring_sender_fini(struct ring_sender *s);
void ring_receiver_init(struct ring_receiver *r, struct ring_ends *ends, const void *bytes,
                        uint64_t capacity);

/* Slow path of ring_reserve(): the ring has no known contiguous space. */
struct message_header *ring_reserve_slowly(struct ring_sender *s, size_t extent);
/* Moves messages that fit from the overflow queue to the ring. */
void ring_drain(struct ring_sender *s);

/* Returns space for a message of extent bytes, including the header. The caller must fill it before
 * the next call. */
static inline struct message_header *ring_reserve(struct ring_sender *s, size_t extent)
{
    assert(extent % 8 == 0); /* required by invariant R1 */
    if (__builtin_expect(s->tail + extent > s->stop, 0)) {
        return ring_reserve_slowly(s, extent);
    }
    unsigned char *at = s->bytes + (s->tail & s->mask);
    s->tail += extent;
    return (struct message_header *)(void *)at;
}

/* Publishes all reserved messages. Returns false if some are still in the overflow queue; the
 * caller must then call again later. */
static inline bool ring_publish(struct ring_sender *s)
{
    if (s->first != NULL) {
        ring_drain(s);
    }
    if (s->tail != s->published) {
        atomic_store_explicit(&s->ends->tail, s->tail, memory_order_release);
        s->published = s->tail;
    }
    return s->first == NULL;
}

/* Returns the position at the end of the published messages. */
static inline uint64_t ring_arrived(const struct ring_receiver *r)
{
    return atomic_load_explicit(&r->ends->tail, memory_order_acquire);
}

/* Returns the first message, valid until it is released. Requires head != ring_arrived(). */
const struct message_header *ring_first(struct ring_receiver *r);

/* Consumes the first message. Its bytes stay readable until ring_release(). */
static inline void ring_take(struct ring_receiver *r, const struct message_header *first)
{
    r->head += message_extent(first);
}

/* Returns the space of all consumed messages to the sender. */
static inline void ring_release(struct ring_receiver *r)
{
    assert(r->head >= r->released);
    if (r->head != r->released) {
        atomic_store_explicit(&r->ends->head, r->head, memory_order_release);
        r->released = r->head;
    }
}

/* Returns true if the invariants hold. For tests; the receiver must be idle. */
bool ring_check(const struct ring_sender *s, const struct ring_receiver *r);

#endif
