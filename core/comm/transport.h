/*
 * transport.h - events on their way between ranks.
 *
 * Ranks on one node pass messages through rings in shared memory (transport_shm.c), others through
 * batches over MPI (transport_mpi.c). What one rank sends to another arrives in the order in which
 * it was sent; that holds by construction, see there. The transport counts messages per colour for
 * the GVT computation (engine/gvt.h).
 *
 * Sending never waits: what a receiver has not taken yet waits in rings, buffers or overflow
 * queues. That memory is not event memory: no limit of --max-memory holds for it, and no rank
 * counts it as room. Rings have a fixed size; the rest grows with what is sent and not received,
 * and is kept for later use until the end. Optimistic runs bound it by how far a rank may lead GVT;
 * conservative ones and LP init by nothing but what the model sends in a window, or to begin with.
 *
 * Invariants
 *  T1  each message carries the colour that was set when it was reserved.
 *  T2  sent[c] summed over ranks - received[c] summed over ranks = messages of colour c in transit.
 *      A message is in transit from its reservation, flushed or not, until it is delivered.
 */
#ifndef WARPSCOPE_COMM_TRANSPORT_H
#define WARPSCOPE_COMM_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "comm/comm.h"

struct transport;

enum transport_kind {
    TRANSPORT_AUTO, /* rings between ranks of a node, MPI between nodes or where rings fail */
    TRANSPORT_MPI,  /* MPI for all */
    TRANSPORT_SHM   /* rings for all, or nothing */
};

/* Called for each arrived message, in order per sender. bytes is 8-aligned, valid during the
 * call. */
typedef void (*transport_deliver_f)(void *ctx, int from, const void *bytes);

/* "auto", "mpi", "shm"; false for anything else. */
bool transport_kind_parse(const char *text, enum transport_kind *kind);

/*
 * Collective, with the same result on all ranks. max_message_bytes: the longest message, a multiple
 * of 8. *trouble: why there are no rings between ranks of a node though kind asks for them (static
 * text), else NULL; then the result is NULL for TRANSPORT_SHM and does without for TRANSPORT_AUTO.
 */
struct transport *transport_create(const struct comm *c, enum transport_kind kind,
                                   size_t max_message_bytes, const char **trouble);
/* Collective, when nothing is in transit. */
void transport_destroy(struct transport *t);

/* Room for a message of size bytes (a multiple of 8) to rank to: fill it before the next call. */
void *transport_reserve(struct transport *t, int to, size_t size);
/* Sends all that was reserved. Never waits: what finds no room is sent by later calls of this and
 * of transport_poll(). */
void transport_flush(struct transport *t);
/* Has nothing to be sent found no room so far? */
bool transport_is_flushed(const struct transport *t);
/* Delivers what has arrived, up to a bound; true when there was something. deliver may reserve and
 * flush, but not poll. */
bool transport_poll(struct transport *t, transport_deliver_f deliver, void *ctx);

/* Messages from now on have this colour, 0 or 1. */
void transport_set_colour(struct transport *t, unsigned colour);
/* Messages of a colour sent minus received by this rank since the start. */
int64_t transport_balance(const struct transport *t, unsigned colour);

/* [n_ranks] Messages to each rank since the start, flushed or not. */
const uint64_t *transport_sent_to(const struct transport *t);

/* boards[rank] := memory that this rank shares with all others, for every rank; false, on all
 * ranks, when some of them share none. It lasts as long as the transport. */
bool transport_boards(const struct transport *t, struct comm_board *boards[]);
/* The boards by which idle ranks sleep and are woken (see nap.h), the caller's and that of rank 0;
 * NULL when there are none. */
void transport_nap_boards(const struct transport *t, struct comm_board **mine,
                          struct comm_board **first);

/* What the ranks of this run use, the same text on all: "none", "MPI", "shared memory", "shared
 * memory and MPI". */
const char *transport_name(const struct transport *t);
/* Bytes of buffers, of the rings that this rank receives from, of overflow queues. */
size_t transport_memory_bytes(const struct transport *t);
/* MPI messages (batches) sent so far. For tests: how many events travel together shows in time
 * only. */
uint64_t transport_batches_sent(const struct transport *t);

#endif
