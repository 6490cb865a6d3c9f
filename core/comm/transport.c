/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport.c - see transport.h: chooses a ring or MPI for each rank, and counts messages per
 * colour.
 *
 * For each other rank there is a pointer to the ring to that rank; NULL: messages go in batches
 * over MPI. A bit array has a bit for each rank, set while messages in the ring to that rank are
 * not flushed. A flush scans those words of the bit array that have bits for ranks of the node, and
 * the list of open batches. Arrays with an element per rank are sparse (base/sparse.h). The cost of
 * a flush and the memory in use thus depend only on how many ranks the node has, and with how many
 * ranks this rank exchanges messages.
 */
#include "comm/transport.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/sparse.h"
#include "comm/nap.h"
#include "comm/ring.h"
#include "comm/transport_private.h"
#include "ross.h"
#include "store/array.h"

struct transport {
    unsigned colour;
    /* True if messages of the current colour are held back, see transport_hold_colour() */
    bool holds_colour;
    /* [rank]: ring to that rank; NULL: messages go in batches over MPI */
    struct ring_sender **ring_to;
    struct comm_board **sleepers; /* [rank]: board of that rank; NULL: no rank sleeps on a board */
    /* Bit array: bit r is set if there are unflushed messages in the ring to rank r. */
    uint64_t *unflushed;
    size_t *words; /* indices of the words of `unflushed` that have bits for ranks with rings */
    size_t n_words;
    int64_t sent[TRANSPORT_COLOURS], received[TRANSPORT_COLOURS];
    uint64_t *sent_to; /* [rank]: number of messages of all colours sent to that rank */
    int *peers;        /* array that transport_peers() returns */
    size_t n_peers, peers_capacity;
    struct rings *rings;     /* NULL if no node has several ranks, or if rings are not used */
    struct batches *batches; /* NULL if there is only one rank, or if rings connect all ranks */
    const struct comm *comm;
    const char *name;
};

/* Returns the number of ranks on the node that has the most ranks. */
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

static void add_peer(struct transport *t, int rank)
{
    if (!array_reserve(&t->peers, &t->peers_capacity, t->n_peers + 1, sizeof *t->peers)) {
        tw_error(TW_LOC, "out of memory for a list of %zu ranks", t->n_peers + 1);
    }
    t->peers[t->n_peers++] = rank;
}

/* Fills the tables ring_to, peers and words with the ranks to which this rank has rings. */
static void list_rings(struct transport *t)
{
    int n = rings_count(t->rings);
    t->words = tw_calloc(TW_LOC, "transport", sizeof *t->words, (size_t)n);
    for (int i = 0; i < n; i++) {
        int rank;
        struct ring_sender *ring = rings_at(t->rings, i, &rank);
        size_t word = (size_t)rank / 64;
        t->ring_to[rank] = ring;
        add_peer(t, rank);
        /* ranks ascend, so equal words follow each other */
        if (t->n_words == 0 || t->words[t->n_words - 1] != word) {
            t->words[t->n_words++] = word;
        }
    }
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
    t->unflushed = sparse_calloc("transport", (n + 63) / 64, sizeof *t->unflushed);
    t->sent_to = sparse_calloc("transport", n, sizeof *t->sent_to);
    t->ring_to = sparse_calloc("transport", n, sizeof(struct ring_sender *));
    *trouble = NULL;
    choose(t, kind, max_message_bytes, trouble);
    if (*trouble != NULL && kind == TRANSPORT_SHM) {
        transport_destroy(t);
        return NULL;
    }
    if (t->rings != NULL) {
        list_rings(t);
    }
    if (t->rings != NULL && t->batches == NULL) {
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
    size_t n = (size_t)t->comm->n_ranks;
    sparse_free(t->sent_to, n, sizeof *t->sent_to);
    sparse_free(t->unflushed, (n + 63) / 64, sizeof *t->unflushed);
    sparse_free(t->ring_to, n, sizeof(struct ring_sender *));
    free(t->words);
    free(t->peers);
    free((void *)t->sleepers);
    free(t);
}

/* Returns space for a message that travels by MPI. Adds the receiving rank to the list of peers if
 * it is not yet there. */
static __attribute__((noinline)) struct message_header *reserve_in_batch(struct transport *t,
                                                                         int to, size_t extent)
{
    bool is_first = false;
    struct message_header *m = batches_reserve(t->batches, to, extent, &is_first);
    if (is_first) {
        add_peer(t, to);
    }
    return m;
}

void *transport_reserve(struct transport *t, int to, size_t size)
{
    assert(size % 8 == 0 && to != t->comm->rank);
    assert(to >= 0 && to < t->comm->n_ranks);
    struct ring_sender *ring = t->ring_to[to];
    size_t extent = sizeof(struct message_header) + size;
    struct message_header *m;
    if (ring != NULL) {
        m = ring_reserve(ring, extent);
        t->unflushed[to / 64] |= (uint64_t)1 << to % 64;
    } else {
        m = reserve_in_batch(t, to, extent);
    }
    m->size = (uint32_t)size;
    m->colour = t->colour;
    t->sent[t->colour]++;
    t->sent_to[to]++;
    return m + 1;
}

static inline void publish(struct transport *t, int to)
{
    if (!ring_publish(t->ring_to[to])) {
        t->unflushed[to / 64] |= (uint64_t)1 << to % 64;
    }
    if (t->sleepers != NULL && t->comm->crowded) {
        nap_wake_for_message(t->sleepers[to], t->sleepers[0], t->comm);
    }
}

void transport_flush(struct transport *t)
{
    for (size_t i = 0; i < t->n_words; i++) {
        size_t word = t->words[i];
        uint64_t ranks = t->unflushed[word];
        t->unflushed[word] = 0;
        for (; ranks != 0; ranks &= ranks - 1) {
            publish(t, (int)(64 * word) + __builtin_ctzll(ranks));
        }
    }
    if (t->batches != NULL) {
        batches_flush(t->batches);
    }
}

bool transport_is_flushed(const struct transport *t)
{
    for (size_t i = 0; i < t->n_words; i++) {
        if (t->unflushed[t->words[i]] != 0) {
            return false;
        }
    }
    return t->batches == NULL || batches_are_flushed(t->batches);
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
    assert(colour < TRANSPORT_COLOURS);
    t->colour = colour;
}

void transport_hold_colour(struct transport *t)
{
    assert(t->batches == NULL);
    t->holds_colour = true;
}

int64_t transport_balance(const struct transport *t, unsigned colour)
{
    assert(colour < TRANSPORT_COLOURS);
    return t->sent[colour] - t->received[colour];
}

const uint64_t *transport_sent_to(const struct transport *t)
{
    return t->sent_to;
}

const int *transport_peers(const struct transport *t, size_t *n)
{
    *n = t->n_peers;
    return t->peers;
}

bool transport_boards(const struct transport *t, struct comm_board *boards[])
{
    if (t->rings == NULL || t->batches != NULL) {
        return false;
    }
    for (int rank = 0; boards != NULL && rank < t->comm->n_ranks; rank++) {
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
