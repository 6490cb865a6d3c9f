/*
 * ring.h - messages from one process to another through memory that both have mapped.
 *
 * A lock-free ring of bytes with one sender and one receiver (after Lamport, "Specifying concurrent
 * program modules", ACM TOPLAS 5(2), 1983). Positions count bytes from the start and never wrap;
 * position & mask is the place in the ring. The sender owns tail, the receiver head. Each works on
 * a private copy and publishes it now and then; each looks at the other's only when its last look
 * leaves it nothing to do. So a message costs neither side a cache miss but for its own bytes.
 *
 * A message is written in place and never wraps: when the rest of the ring is too short for it, a
 * marker tells the receiver to go on at the start. What does not fit at all goes to an overflow
 * queue in the sender's own memory, and all that follows goes behind it; ring_publish() moves it
 * over as room appears. So sending never waits and keeps the order.
 *
 * Invariants
 *  R1  head <= published tail <= tail <= head + capacity; all multiples of 8.
 *  R2  from head to tail there are whole messages and markers; after a marker comes a message.
 *  R3  while anything is in the overflow queue, nothing is reserved in the ring (stop == tail).
 *  R4  capacity is a power of two, at least twice the longest message.
 *
 * Cost: reserve is one comparison; a publication one store, and one miss of the receiver.
 */
#ifndef WARPSCOPE_COMM_RING_H
#define WARPSCOPE_COMM_RING_H

#include <stdatomic.h>
#include <stdbool.h>

#include "comm/message.h"

#define RING_LINE 128 /* processors fetch cache lines in pairs */

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "a lock in one process would not hold for another");

/* In shared memory, all zero at first; the bytes of the ring are elsewhere. */
struct ring_ends {
    _Alignas(RING_LINE) _Atomic uint64_t tail; /* published by the sender */
    _Alignas(RING_LINE) _Atomic uint64_t head; /* published by the receiver */
};

/* Memory of overflow queues, shared by the senders of one process. Chunks that become empty are
 * kept for the next flood, not given back before the end. */
struct ring_chunk {
    struct ring_chunk *next;
    size_t used;  /* bytes written */
    size_t taken; /* bytes moved to the ring */
    _Alignas(16) unsigned char bytes[];
};

struct ring_chunks {
    struct ring_chunk *free;
    size_t chunk_bytes;
    size_t n_chunks;      /* in all */
    size_t n_overflowing; /* senders with something in their overflow queue */
};

struct ring_sender {
    unsigned char *bytes;
    uint64_t mask; /* capacity - 1 */
    uint64_t tail;
    uint64_t stop;      /* a message that ends at or before it may be written without a look */
    uint64_t published; /* tail as the receiver knows it */
    uint64_t limit;     /* head when last looked at, + capacity */
    struct ring_ends *ends;
    struct ring_chunk *first, *last; /* the overflow queue */
    struct ring_chunks *chunks;
};

struct ring_receiver {
    const unsigned char *bytes;
    uint64_t mask;
    uint64_t head;
    uint64_t released; /* head as the sender knows it */
    struct ring_ends *ends;
};

/* chunk_bytes: at least the longest message. */
void ring_chunks_init(struct ring_chunks *c, size_t chunk_bytes);
/* When no sender has anything in its overflow queue; see ring_sender_fini(). */
void ring_chunks_fini(struct ring_chunks *c);

/* bytes (8-aligned, capacity of them) and ends stay the caller's. */
void ring_sender_init(struct ring_sender *s, struct ring_ends *ends, void *bytes, uint64_t capacity,
                      struct ring_chunks *chunks);
void ring_sender_fini(struct ring_sender *s);
void ring_receiver_init(struct ring_receiver *r, struct ring_ends *ends, const void *bytes,
                        uint64_t capacity);

/* ring_reserve() when the ring has no room, or not known or not in one piece. */
struct message_header *ring_reserve_slowly(struct ring_sender *s, size_t extent);
/* Moves what fits from the overflow queue to the ring. */
void ring_drain(struct ring_sender *s);

/* Room for a message of extent bytes, header included: fill all of it before the next call. */
static inline struct message_header *ring_reserve(struct ring_sender *s, size_t extent)
{
    if (__builtin_expect(s->tail + extent > s->stop, 0)) {
        return ring_reserve_slowly(s, extent);
    }
    unsigned char *at = s->bytes + (s->tail & s->mask);
    s->tail += extent;
    return (struct message_header *)(void *)at;
}

/* Shows the receiver all that was reserved; false when some of it is still in the overflow queue:
 * call again later. */
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

/* The end of what may be taken. */
static inline uint64_t ring_arrived(const struct ring_receiver *r)
{
    return atomic_load_explicit(&r->ends->tail, memory_order_acquire);
}

/* The first message, valid until it is released. There must be one: head != ring_arrived(). */
const struct message_header *ring_first(struct ring_receiver *r);

/* Done with the first message; its bytes may be read until ring_release(). */
static inline void ring_take(struct ring_receiver *r, const struct message_header *first)
{
    r->head += message_extent(first);
}

/* Gives the sender the room of all messages taken. */
static inline void ring_release(struct ring_receiver *r)
{
    if (r->head != r->released) {
        atomic_store_explicit(&r->ends->head, r->head, memory_order_release);
        r->released = r->head;
    }
}

/* Do the invariants hold? For tests; the receiver must not be at work meanwhile. */
bool ring_check(const struct ring_sender *s, const struct ring_receiver *r);

#endif
