/*
 * transport_parts.h - the two ways of transport.c to other ranks. For transport*.c alone.
 */
#ifndef WARPSCOPE_COMM_TRANSPORT_PARTS_H
#define WARPSCOPE_COMM_TRANSPORT_PARTS_H

#include "comm/message.h"
#include "comm/transport.h"

/* Where arrived messages go. */
struct transport_sink {
    transport_deliver_f deliver;
    void *ctx;
    int64_t *received; /* per colour, counted before the delivery */
};

static inline void transport_sink_put(const struct transport_sink *sink, int from,
                                      const struct message_header *m)
{
    sink->received[m->colour]++;
    sink->deliver(sink->ctx, from, m + 1);
}

/* ---- Batches over MPI: transport_mpi.c. Collective: create and destroy. ---------------------- */

struct batches;

struct batches *batches_create(const struct comm *c, size_t max_message_bytes);
void batches_destroy(struct batches *b);
/* Room in the open batch to a rank; extent includes the header. */
struct message_header *batches_reserve(struct batches *b, int to, size_t extent);
/* Sends the open batch to a rank, if there is one. */
void batches_send(struct batches *b, int to);
bool batches_poll(struct batches *b, const struct transport_sink *sink);
size_t batches_memory_bytes(const struct batches *b);
uint64_t batches_sent(const struct batches *b);

/* ---- Rings between the ranks of a node: transport_shm.c. Collective: create and destroy. ----- */

struct rings;
struct ring_sender;

/* NULL, on all ranks, when some node has no shared memory for them: *trouble says why. */
struct rings *rings_create(const struct comm *c, size_t max_message_bytes, const char **trouble);
void rings_destroy(struct rings *r);
/* The ring to a rank; NULL when it is on another node, or this one. */
struct ring_sender *rings_to(struct rings *r, int rank);
/* What the rank of this number on the node shows to the others. */
struct comm_board *rings_board(const struct rings *r, int node_rank);
/* Also moves on what waits for room. */
bool rings_poll(struct rings *r, const struct transport_sink *sink);
size_t rings_memory_bytes(const struct rings *r);

#endif
