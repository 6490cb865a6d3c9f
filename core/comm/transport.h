/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport.h - the transport: carries messages with events from rank to rank.
 *
 * Ranks on one node exchange messages through rings in shared memory (transport_shm.c), others
 * through batches over MPI (transport_mpi.c). Messages from one rank to another arrive in the order
 * of sending. Both implementations guarantee this. The transport counts messages per colour for the
 * GVT computation (engine/gvt.h).
 *
 * Sending never waits: messages that the receiver has not taken yet wait in rings, buffers or
 * overflow queues. That memory is not event memory: --max-memory does not limit it. Rings have a
 * fixed size. Buffers and overflow queues grow with the number of messages that are sent and not
 * received, and are kept for reuse until the end. In optimistic runs their size is limited, since a
 * rank executes only a limited distance ahead of GVT. In conservative runs and LP init, only the
 * number of messages that the model sends in a window or in init limits their size.
 *
 * Invariants
 *  T1  Each message carries the colour that was set when its space was reserved.
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

/* Number of message colours, see engine/gvt.h. */
#define TRANSPORT_COLOURS 3u

enum transport_kind {
    /* Rings between the ranks of a node, MPI between nodes; MPI everywhere if rings cannot be
     * made. */
    TRANSPORT_AUTO,
    TRANSPORT_MPI, /* MPI between all ranks */
    TRANSPORT_SHM  /* rings between all ranks; an error if they cannot be made */
};

/* Handles a received message from rank `from`. Messages from the same rank come in the order of
 * sending. `bytes` is 8-aligned and valid only during the call. */
typedef void (*transport_deliver_f)(void *ctx, int from, const void *bytes);

/*
 * Creates the transport. max_message_bytes: length of the longest message, a multiple of 8. Sets
 * *trouble to NULL. If rings are requested but cannot be made, sets *trouble to a static string
 * with the reason; then returns NULL for TRANSPORT_SHM, but uses MPI for TRANSPORT_AUTO. Succeeds
 * or fails on all ranks alike. Collective.
 */
struct transport *transport_create(const struct comm *c, enum transport_kind kind,
                                   size_t max_message_bytes, const char **trouble);
/* Frees the transport. No message may be in transit. Collective. */
void transport_destroy(struct transport *t);

/* Returns space for a message of `size` bytes, a multiple of 8, to rank `to`. The caller must fill
 * the space before it calls another function of the transport. */
void *transport_reserve(struct transport *t, int to, size_t size);
/* Sends all reserved messages. Never waits: later calls of this function and of transport_poll()
 * send messages that found no space. */
void transport_flush(struct transport *t);
/* Returns true if every reserved message has been sent, that is, put into its ring or passed to
 * MPI. */
bool transport_is_flushed(const struct transport *t);
/* Calls `deliver` for messages that have arrived, up to a limit. Returns true if there were any.
 * `deliver` may call transport_reserve() and transport_flush(), but not transport_poll(). */
bool transport_poll(struct transport *t, transport_deliver_f deliver, void *ctx);

/* Sets the colour of messages that are reserved from now on. colour: less than
 * TRANSPORT_COLOURS. */
void transport_set_colour(struct transport *t, unsigned colour);
/* Holds back the messages to this rank that have the rank's current colour, from now until the rank
 * sets another colour. All ranks must share memory. */
void transport_hold_colour(struct transport *t);
/* Returns the number of messages of a colour that this rank has sent since the start, minus the
 * number of those that it has received. */
int64_t transport_balance(const struct transport *t, unsigned colour);

/* Returns an array indexed by rank: number of messages sent to that rank since the start, flushed
 * or not. Only the ranks of transport_peers() have counts other than 0. */
const uint64_t *transport_sent_to(const struct transport *t);
/* Returns the list of the ranks to which this rank has a ring or has reserved a message. Sets *n to
 * the length of the list. The list only grows; transport_reserve() may move it. */
const int *transport_peers(const struct transport *t, size_t *n);

/* Sets boards[r], for every rank r, to the board of rank r in shared memory, which is valid until
 * transport_destroy(). Returns false on all ranks if some ranks share no memory. `boards` may be
 * NULL if only the result is needed. */
bool transport_boards(const struct transport *t, struct comm_board *boards[]);
/* Sets *mine to the caller's board and *first to the board of rank 0, for sleeping and waking (see
 * nap.h). Sets both to NULL if ranks do not sleep on boards. */
void transport_nap_boards(const struct transport *t, struct comm_board **mine,
                          struct comm_board **first);

/* Returns a name for the transports that this run uses: "none", "MPI", "shared memory", or "shared
 * memory and MPI". Equal on all ranks. */
const char *transport_name(const struct transport *t);
/* Returns the memory, in bytes, of buffers, overflow queues and the rings from which this rank
 * receives. */
size_t transport_memory_bytes(const struct transport *t);
/* Returns the number of MPI messages (batches) sent so far. For tests, which can observe batching
 * in no other way. */
uint64_t transport_batches_sent(const struct transport *t);

#endif
