/*
 * transport.h - events on their way between ranks.
 *
 * Messages to one rank travel together in batches. What one rank sends to another arrives in the
 * order in which it was sent; that holds by construction, see transport_mpi.c. The transport counts
 * messages per colour for the GVT computation (engine/gvt.h).
 *
 * Invariants
 *  T1  all messages of a batch have one colour: transport_set_colour() flushes first.
 *  T2  sent[c] summed over ranks - received[c] summed over ranks = messages of colour c in transit.
 */
#ifndef WARPSCOPE_COMM_TRANSPORT_H
#define WARPSCOPE_COMM_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

#include "comm/comm.h"

struct transport;

/* Called for each arrived message, in order per sender. bytes is 8-aligned, valid during the call.
 */
typedef void (*transport_deliver_f)(void *ctx, int from, const void *bytes);

/* Collective. max_message_bytes: the longest message, a multiple of 8. */
struct transport *transport_create(const struct comm *c, size_t max_message_bytes);
/* Collective, when nothing is in transit. */
void transport_destroy(struct transport *t);

/* Room for a message of size bytes (a multiple of 8) to rank to: fill it before the next call. */
void *transport_reserve(struct transport *t, int to, size_t size);
/* Sends all batches that hold something. */
void transport_flush(struct transport *t);
/* Delivers what has arrived; true when there was something. deliver may reserve and flush, but
 * not poll. */
bool transport_poll(struct transport *t, transport_deliver_f deliver, void *ctx);

/* Messages from now on have this colour, 0 or 1. */
void transport_set_colour(struct transport *t, unsigned colour);
/* Messages of a colour sent minus received by this rank since the start. */
int64_t transport_balance(const struct transport *t, unsigned colour);
/* Bytes of buffers. */
size_t transport_memory_bytes(const struct transport *t);
/* MPI messages (batches) sent so far. */
uint64_t transport_batches_sent(const struct transport *t);

#endif
