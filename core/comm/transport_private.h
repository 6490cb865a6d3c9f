/* SPDX-License-Identifier: BSD-3-Clause */
/* transport_private.h - the two parts of the transport: rings and batches. For transport*.c only. */
#ifndef WARPSCOPE_COMM_TRANSPORT_PRIVATE_H
#define WARPSCOPE_COMM_TRANSPORT_PRIVATE_H

#include <assert.h>

#include "comm/message.h"
#include "comm/transport.h"

/* Destination of received messages, and the counts of these messages. */
struct transport_sink {
    transport_deliver_f deliver;
    void *ctx;
    int64_t *received; /* [colour]: number of messages received, incremented before the delivery */
    /* colour whose messages stay in their rings for now; TRANSPORT_HOLDS_NONE: no such colour */
    uint32_t held_colour;
};

#define TRANSPORT_HOLDS_NONE UINT32_MAX

static inline void transport_sink_put(const struct transport_sink *sink, int from,
                                      const struct message_header *m)
{
    assert(m->colour < TRANSPORT_COLOURS);
    sink->received[m->colour]++;
    sink->deliver(sink->ctx, from, m + 1);
}

/* ---- Batches over MPI (transport_mpi.c). Create and destroy are collective ------------------- */

struct batches;

struct batches *batches_create(const struct comm *c, size_t max_message_bytes);
void batches_destroy(struct batches *b);
/* Returns space for a message in the open batch to rank `to`. extent: length of the message in
 * bytes, header included. Sets *is_first to true if no batch to that rank was opened before;
 * otherwise leaves *is_first unchanged. */
struct message_header *batches_reserve(struct batches *b, int to, size_t extent, bool *is_first);
/* Sends all open batches. Takes time proportional to the number of open batches, independent of the
 * number of ranks. */
void batches_flush(struct batches *b);
/* Returns true if no batch is open. */
bool batches_are_flushed(const struct batches *b);
bool batches_poll(struct batches *b, const struct transport_sink *sink);
size_t batches_memory_bytes(const struct batches *b);
uint64_t batches_sent(const struct batches *b);

/* ---- Rings between ranks of a node (transport_shm.c); create, destroy are collective --------- */

struct rings;
struct ring_sender;

/* Creates the rings. If some node has no shared memory for them, returns NULL on all ranks and sets
 * *trouble to the reason. */
struct rings *rings_create(const struct comm *c, size_t max_message_bytes, const char **trouble);
void rings_destroy(struct rings *r);
/* Returns the number of rings in which this rank sends: one to each other rank of its node. */
int rings_count(const struct rings *r);
/* Returns the sender's side of ring i (from 0), and sets *rank to the rank that receives from this
 * ring. The receiving ranks ascend with i. */
struct ring_sender *rings_at(struct rings *r, int i, int *rank);
/* Returns the board of a rank of this node. node_rank: the rank's index within the node. */
struct comm_board *rings_board(const struct rings *r, int node_rank);
/* Delivers messages that have arrived in rings. Also moves messages from overflow queues to rings
 * that have space. Returns true if it delivered any message. */
bool rings_poll(struct rings *r, const struct transport_sink *sink);
size_t rings_memory_bytes(const struct rings *r);

#endif
