/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.h - messages from one process to another through shared memory.
 *
 * A lock-free ring of bytes with one sender and one receiver (after Lamport, "Specifying concurrent
 * program modules", ACM TOPLAS 5(2), 1983). Positions count bytes since the start of the run and
 * never wrap; position & mask is the offset in the ring. The sender owns the position tail, the
 * receiver the position head. Each side works on a private copy of its position, and publishes this
 * copy from time to time. Each side keeps the value that it last read of the other side's position.
 * It reads that position again only when the kept value leaves it no space, or no message. Thus
 * most messages cause cache misses only for their own bytes.
 *
 * A message is written directly into the ring, and never wraps. If too little space is left before
 * the end of the ring, a marker sends the receiver to the start of the ring. If the ring has too
 * little free space, the message goes to an overflow queue in the sender's own memory. Later
 * messages follow it there until ring_publish() has moved all queued messages to the ring. Sending
 * thus never waits, and preserves the order.
 *
 * Invariants
 *  R1  head <= published tail <= tail <= head + capacity; all multiples of 8.
 *  R2  Between head and tail there are only complete messages and markers; a message follows each
 *      marker.
 *  R3  While the overflow queue is not empty, no space is reserved in the ring (stop == tail).
 *  R4  capacity is a power of two, at least twice the longest message.
 *
 * Cost: a reservation takes one comparison; a publication takes one store, and causes one cache
 * miss at the receiver.
 */
#ifndef WARPSCOPE_COMM_RING_H
#define WARPSCOPE_COMM_RING_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "comm/message.h"

/* Minimum distance in bytes between the variables of the sender and those of the receiver, against
 * false sharing: processors fetch cache lines of 64 bytes in pairs. */
#define RING_LINE 128

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "a lock in one process would not hold for another");

/* The two positions of a ring, in shared memory, initially zero. The bytes of the ring are
 * elsewhere. */
struct ring_ends {
    /* Position of the end of the messages that the sender has published. */
    _Alignas(RING_LINE) _Atomic uint64_t tail;
    /* Position of the start of the messages that the receiver has not released. */
    _Alignas(RING_LINE) _Atomic uint64_t head;
};

/* Piece of memory for overflow queues. All senders of a process share the chunks; empty chunks are
 * kept for reuse until the end of the run. */
struct ring_chunk {
    struct ring_chunk *next;
    size_t used;  /* number of bytes written to the chunk */
    size_t taken; /* number of these bytes that were already moved to the ring */
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
    uint64_t mask; /* capacity of the ring in bytes, minus 1 */
    uint64_t tail;
    uint64_t stop;      /* messages that end at or before this position need no check for space */
    uint64_t published; /* value of tail that was published last */
    uint64_t limit;     /* end of the free space: last known head plus capacity */
    struct ring_ends *ends;
    /* first and last chunk of the overflow queue; `first` is NULL if the queue is empty */
    struct ring_chunk *first, *last;
    struct ring_chunks *chunks;
};

struct ring_receiver {
    const unsigned char *bytes;
    uint64_t mask;
    uint64_t head;
    uint64_t released; /* value of head that was published last */
    struct ring_ends *ends;
};

/* Initialises the chunks of overflow queues. chunk_bytes: capacity of a chunk, at least the length
 * of the longest message with its header. */
void ring_chunks_init(struct ring_chunks *c, size_t chunk_bytes);
/* Frees the chunks. All overflow queues must be empty; see ring_sender_fini(). */
void ring_chunks_fini(struct ring_chunks *c);

/* Initialises the sender's side of a ring. The caller owns `ends` and `bytes`; `bytes` is 8-aligned
 * and `capacity` bytes long. */
void ring_sender_init(struct ring_sender *s, struct ring_ends *ends, void *bytes, uint64_t capacity,
                      struct ring_chunks *chunks);
void ring_sender_fini(struct ring_sender *s);
void ring_receiver_init(struct ring_receiver *r, struct ring_ends *ends, const void *bytes,
                        uint64_t capacity);

/* Slow path of ring_reserve(), if the ring is not known to have contiguous space for the
 * message. */
struct message_header *ring_reserve_slowly(struct ring_sender *s, size_t extent);
/* Moves messages from the overflow queue to the ring, as far as the ring has space. */
void ring_drain(struct ring_sender *s);

/* Returns space for a message of `extent` bytes, including the header. The caller must fill the
 * space before it calls another function for this sender. */
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

/* Publishes all reserved messages. Returns false if the overflow queue still holds some of them;
 * the caller must then call this function again later. */
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

/* Returns the position of the end of the published messages. */
static inline uint64_t ring_arrived(const struct ring_receiver *r)
{
    return atomic_load_explicit(&r->ends->tail, memory_order_acquire);
}

/* Returns the oldest message that has not been consumed. The message is valid until ring_release().
 * Requires head != ring_arrived(). */
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
