/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport.c - see transport.h: the route to each rank, and the message counts per colour.
 *
 * For each other rank there is a pointer to the ring to that rank (NULL: messages go in batches
 * over MPI), and a bit that is set while messages to that rank are not flushed. A flush scans the
 * bits, 64 ranks at a time.
 */
#include "comm/transport.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "comm/nap.h"
#include "comm/ring.h"
#include "comm/transport_parts.h"
#include "ross.h"

struct transport {
    unsigned colour;
    /* True if messages of the current colour are held back, see transport_hold_colour(). */
    bool holds_colour;
    struct ring_sender **ring_to; /* ring to each rank; NULL: messages go in batches over MPI */
    struct comm_board **sleepers; /* board of each rank; NULL: the rank does not sleep on a board */
    /* One bit per rank, set if there are unflushed messages to it. */
    uint64_t *unflushed;
    size_t n_words; /* number of words of unflushed */
    int64_t sent[2], received[2];
    uint64_t *sent_to;       /* number of messages sent to each rank, of both colours */
    struct rings *rings;     /* NULL if no other rank is on this node, or if rings are not used */
    struct batches *batches; /* NULL if all ranks are on this node */
    const struct comm *comm;
    const char *name;
};

/* Returns the largest number of ranks on a node. */
static int largest_node(const struct comm *c)
{
    int n;
    MPI_Comm_size(c->node, &n);
    MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_MAX, c->comm);
    return n;
}

static void choose(struct transport *t, enum transport_kind kind, size_t max_message_bytes,
                   const char **trouble)
{
    const struct comm *c = t->comm;
    t->name = "none";
    if (c->n_ranks == 1) {
        return;
    }
    int on_node = largest_node(c);
    bool one_node = on_node == c->n_ranks;
    if (kind == TRANSPORT_SHM && !one_node) {
        *trouble = "not all ranks are on one node";
        return;
    }
    if (kind != TRANSPORT_MPI && on_node > 1) {
        t->rings = rings_create(c, max_message_bytes, trouble);
        if (t->rings == NULL && kind == TRANSPORT_SHM) {
            return;
        }
    }
    if (t->rings == NULL || !one_node) {
        t->batches = batches_create(c, max_message_bytes);
    }
    t->name = t->rings == NULL ? "MPI" : one_node ? "shared memory" : "shared memory and MPI";
}

struct transport *transport_create(const struct comm *c, enum transport_kind kind,
                                   size_t max_message_bytes, const char **trouble)
{
    size_t n = (size_t)c->n_ranks;
    if (c->n_ranks > 1 && max_message_bytes > INT_MAX / 2) {
        tw_error(TW_LOC, "events of %zu bytes are too large to be sent to other ranks",
                 max_message_bytes);
    }
    struct transport *t = tw_calloc(TW_LOC, "transport", sizeof *t, 1);
    t->comm = c;
    t->n_words = (n + 63) / 64;
    t->unflushed = tw_calloc(TW_LOC, "transport", sizeof *t->unflushed, t->n_words);
    t->sent_to = tw_calloc(TW_LOC, "transport", sizeof *t->sent_to, n);
    t->ring_to = tw_calloc(TW_LOC, "transport", sizeof(struct ring_sender *), n);
    *trouble = NULL;
    choose(t, kind, max_message_bytes, trouble);
    if (*trouble != NULL && kind == TRANSPORT_SHM) {
        transport_destroy(t);
        return NULL;
    }
    for (int rank = 0; t->rings != NULL && rank < c->n_ranks; rank++) {
        t->ring_to[rank] = rings_to(t->rings, rank);
    }
    if (c->crowded && t->rings != NULL && t->batches == NULL) {
        t->sleepers = tw_calloc(TW_LOC, "transport", sizeof *t->sleepers, n);
        transport_boards(t, t->sleepers);
    }
    return t;
}

void transport_destroy(struct transport *t)
{
    if (t->rings != NULL) {
        rings_destroy(t->rings);
    }
    if (t->batches != NULL) {
        batches_destroy(t->batches);
    }
    free(t->sent_to);
    free(t->unflushed);
    free(t->ring_to);
    free((void *)t->sleepers);
    free(t);
}

void *transport_reserve(struct transport *t, int to, size_t size)
{
    assert(size % 8 == 0 && to != t->comm->rank);
    assert(to >= 0 && to < t->comm->n_ranks);
    struct ring_sender *ring = t->ring_to[to];
    size_t extent = sizeof(struct message_header) + size;
    struct message_header *m =
        ring != NULL ? ring_reserve(ring, extent) : batches_reserve(t->batches, to, extent);
    m->size = (uint32_t)size;
    m->colour = t->colour;
    t->unflushed[to / 64] |= (uint64_t)1 << to % 64;
    t->sent[t->colour]++;
    t->sent_to[to]++;
    return m + 1;
}

static inline void publish(struct transport *t, int to)
{
    if (!ring_publish(t->ring_to[to])) {
        t->unflushed[to / 64] |= (uint64_t)1 << to % 64;
    }
    if (t->sleepers != NULL) {
        nap_wake_for_message(t->sleepers[to], t->sleepers[0], t->comm);
    }
}

void transport_flush(struct transport *t)
{
    for (size_t i = 0; i < t->n_words; i++) {
        uint64_t ranks = t->unflushed[i];
        t->unflushed[i] = 0;
        for (; ranks != 0; ranks &= ranks - 1) {
            int to = (int)(64 * i) + __builtin_ctzll(ranks);
            if (t->ring_to[to] == NULL) {
                batches_send(t->batches, to);
            } else {
                publish(t, to);
            }
        }
    }
}

bool transport_is_flushed(const struct transport *t)
{
    for (size_t i = 0; i < t->n_words; i++) {
        if (t->unflushed[i] != 0) {
            return false;
        }
    }
    return true;
}

bool transport_poll(struct transport *t, transport_deliver_f deliver, void *ctx)
{
    struct transport_sink sink = {.deliver = deliver,
                                  .ctx = ctx,
                                  .received = t->received,
                                  .held_colour =
                                      t->holds_colour ? t->colour : TRANSPORT_HOLDS_NONE};
    bool any = t->rings != NULL && rings_poll(t->rings, &sink);
    if (t->batches != NULL && batches_poll(t->batches, &sink)) {
        any = true;
    }
    return any;
}

void transport_set_colour(struct transport *t, unsigned colour)
{
    assert(colour <= 1);
    t->colour = colour;
}

void transport_hold_colour(struct transport *t)
{
    assert(t->batches == NULL);
    t->holds_colour = true;
}

int64_t transport_balance(const struct transport *t, unsigned colour)
{
    assert(colour <= 1);
    return t->sent[colour] - t->received[colour];
}

const uint64_t *transport_sent_to(const struct transport *t)
{
    return t->sent_to;
}

bool transport_boards(const struct transport *t, struct comm_board *boards[])
{
    if (t->rings == NULL || t->batches != NULL) {
        return false;
    }
    for (int rank = 0; rank < t->comm->n_ranks; rank++) {
        boards[rank] = rings_board(t->rings, rank);
    }
    return true;
}

void transport_nap_boards(const struct transport *t, struct comm_board **mine,
                          struct comm_board **first)
{
    *mine = t->sleepers != NULL ? t->sleepers[t->comm->rank] : NULL;
    *first = t->sleepers != NULL ? t->sleepers[0] : NULL;
}

const char *transport_name(const struct transport *t)
{
    return t->name;
}

size_t transport_memory_bytes(const struct transport *t)
{
    return (t->rings != NULL ? rings_memory_bytes(t->rings) : 0) +
           (t->batches != NULL ? batches_memory_bytes(t->batches) : 0);
}

uint64_t transport_batches_sent(const struct transport *t)
{
    return t->batches != NULL ? batches_sent(t->batches) : 0;
}
