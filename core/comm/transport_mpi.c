/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport_mpi.c - batches of messages over MPI point-to-point.
 *
 * Sending: for each other rank there is at most one open batch, sent by MPI_Isend when it is full
 * or flushed. Its buffer returns to a free list when the send has completed. Sends complete in any
 * order; only the oldest send in flight is tested for completion.
 *
 * Receiving: several MPI_Irecv(MPI_ANY_SOURCE) with one tag are posted cyclically. MPI matches
 * messages of one sender to receives in the order of posting (MPI 3.1, 3.5). Batches are therefore
 * taken in the order of posting, never in the order of completion. Batches are numbered separately
 * for each pair of sender and receiver; the receiver checks the numbers.
 *
 * Memory and time depend on the number of ranks with which this rank exchanges messages. Arrays
 * with an element per rank are sparse, and a flush visits only the ranks to which a batch is open.
 *
 * Format of a batch: struct batch_header, then contiguous messages (message.h).
 */
#include <assert.h>
#include <stdlib.h>

#include "base/sparse.h"
#include "comm/transport_private.h"
#include "ross.h"
#include "store/array.h"

#define BATCH_BYTES     ((size_t)16384)
#define RECEIVES_POSTED 32u

struct batch_header {
    uint32_t number;
    uint32_t used; /* number of bytes used in the batch, header included */
};

struct batch {
    struct batch *next; /* next batch in the free list */
    _Alignas(16) unsigned char bytes[];
};

struct send {
    MPI_Request request;
    struct batch *batch;
};

struct batches {
    const struct comm *comm;
    size_t batch_bytes;
    /* [rank]: batch being filled for that rank, or NULL; sparse, see base/sparse.h */
    struct batch **open;
    int *opened; /* list of the ranks to which a batch is open */
    size_t n_opened, opened_capacity;
    struct batch *free;
    struct send *sends; /* cyclic queue of sends in flight, oldest at index first_send */
    size_t first_send, n_sends, sends_capacity;
    MPI_Request *receives; /* cyclic queue of posted receives, oldest at index first_receive */
    struct batch **receive_batches;
    unsigned first_receive;
    uint32_t *numbers_sent; /* [rank]: number of batches sent to that rank; sparse */
    uint32_t *numbers_received;
    size_t n_batches;
    uint64_t n_batches_sent;
};

static struct batch *batch_get(struct batches *b)
{
    struct batch *batch = b->free;
    if (batch != NULL) {
        b->free = batch->next;
        return batch;
    }
    b->n_batches++;
    return tw_calloc(TW_LOC, "message buffer", sizeof(struct batch) + b->batch_bytes, 1);
}

static void batch_put(struct batches *b, struct batch *batch)
{
    batch->next = b->free;
    b->free = batch;
}

static struct batch_header *batch_header(struct batch *batch)
{
    return (struct batch_header *)(void *)batch->bytes;
}

static void receive_post(struct batches *b, unsigned i)
{
    assert(i < RECEIVES_POSTED);
    MPI_Irecv(b->receive_batches[i]->bytes, (int)b->batch_bytes, MPI_BYTE, MPI_ANY_SOURCE,
              COMM_TAG_EVENTS, b->comm->comm, &b->receives[i]);
}

struct batches *batches_create(const struct comm *c, size_t max_message_bytes)
{
    size_t n = (size_t)c->n_ranks;
    struct batches *b = tw_calloc(TW_LOC, "transport", sizeof *b, 1);
    b->comm = c;
    b->batch_bytes = BATCH_BYTES;
    size_t need = sizeof(struct batch_header) + sizeof(struct message_header) + max_message_bytes;
    if (need > b->batch_bytes) {
        b->batch_bytes = need;
    }
    b->open = sparse_calloc("transport", n, sizeof(struct batch *));
    b->numbers_sent = sparse_calloc("transport", n, sizeof(uint32_t));
    b->numbers_received = sparse_calloc("transport", n, sizeof(uint32_t));
    b->sends_capacity = 256;
    b->sends = tw_calloc(TW_LOC, "transport", sizeof(struct send), b->sends_capacity);
    b->receives = tw_calloc(TW_LOC, "transport", sizeof(MPI_Request), RECEIVES_POSTED);
    b->receive_batches = tw_calloc(TW_LOC, "transport", sizeof(void *), RECEIVES_POSTED);
    for (unsigned i = 0; i < RECEIVES_POSTED; i++) {
        b->receive_batches[i] = batch_get(b);
        receive_post(b, i);
    }
    return b;
}

void batches_destroy(struct batches *b)
{
    while (b->n_sends > 0) {
        struct send *send = &b->sends[b->first_send];
        MPI_Wait(&send->request, MPI_STATUS_IGNORE);
        batch_put(b, send->batch);
        b->first_send = (b->first_send + 1) % b->sends_capacity;
        b->n_sends--;
    }
    for (unsigned i = 0; i < RECEIVES_POSTED; i++) {
        MPI_Cancel(&b->receives[i]);
        MPI_Wait(&b->receives[i], MPI_STATUS_IGNORE);
        batch_put(b, b->receive_batches[i]);
    }
    /* Without this barrier, receives that a slow rank has posted could match later messages on the
     * communicator. */
    MPI_Barrier(b->comm->comm);
    size_t n = (size_t)b->comm->n_ranks;
    for (size_t i = 0; i < b->n_opened; i++) {
        free(b->open[b->opened[i]]);
    }
    while (b->free != NULL) {
        struct batch *batch = b->free;
        b->free = batch->next;
        free(batch);
    }
    sparse_free(b->open, n, sizeof(struct batch *));
    sparse_free(b->numbers_sent, n, sizeof(uint32_t));
    sparse_free(b->numbers_received, n, sizeof(uint32_t));
    free(b->opened);
    free(b->sends);
    free(b->receives);
    free(b->receive_batches);
    free(b);
}

static void sends_grow(struct batches *b)
{
    assert(b->n_sends == b->sends_capacity);
    struct send *grown =
        tw_calloc(TW_LOC, "list of sends", sizeof(struct send), 2 * b->sends_capacity);
    for (size_t i = 0; i < b->n_sends; i++) {
        grown[i] = b->sends[(b->first_send + i) % b->sends_capacity];
    }
    free(b->sends);
    b->sends = grown;
    b->first_send = 0;
    b->sends_capacity *= 2;
}

/* Frees the buffers of completed sends, oldest first, up to the first send that has not
 * completed. */
static void sends_reap(struct batches *b)
{
    while (b->n_sends > 0) {
        struct send *send = &b->sends[b->first_send];
        int done = 0;
        MPI_Test(&send->request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            return;
        }
        batch_put(b, send->batch);
        b->first_send = (b->first_send + 1) % b->sends_capacity;
        b->n_sends--;
    }
}

/* Sends the open batch to rank `to`. */
static void batch_send(struct batches *b, int to)
{
    struct batch *batch = b->open[to];
    assert(batch != NULL);
    struct batch_header *header = batch_header(batch);
    b->open[to] = NULL;
    header->number = b->numbers_sent[to]++;
    b->n_batches_sent++;
    if (b->n_sends == b->sends_capacity) {
        sends_grow(b);
    }
    struct send *send = &b->sends[(b->first_send + b->n_sends++) % b->sends_capacity];
    send->batch = batch;
    MPI_Isend(batch->bytes, (int)header->used, MPI_BYTE, to, COMM_TAG_EVENTS, b->comm->comm,
              &send->request);
}

void batches_flush(struct batches *b)
{
    for (size_t i = 0; i < b->n_opened; i++) {
        batch_send(b, b->opened[i]);
    }
    b->n_opened = 0;
}

bool batches_are_flushed(const struct batches *b)
{
    return b->n_opened == 0;
}

/* Adds rank `to` to the list of ranks with an open batch. Sets *is_first to true if no batch to
 * that rank was sent before. */
static void note_opened(struct batches *b, int to, bool *is_first)
{
    if (!array_reserve(&b->opened, &b->opened_capacity, b->n_opened + 1, sizeof *b->opened)) {
        tw_error(TW_LOC, "out of memory for a list of %zu ranks", b->n_opened + 1);
    }
    b->opened[b->n_opened++] = to;
    *is_first |= b->numbers_sent[to] == 0;
}

/* Opens a batch to rank `to`, and returns that batch. */
static struct batch *batch_open(struct batches *b, int to)
{
    sends_reap(b);
    struct batch *batch = b->open[to] = batch_get(b);
    batch_header(batch)->used = sizeof(struct batch_header);
    return batch;
}

struct message_header *batches_reserve(struct batches *b, int to, size_t extent, bool *is_first)
{
    assert(extent <= b->batch_bytes - sizeof(struct batch_header));
    struct batch *batch = b->open[to];
    if (batch == NULL) {
        note_opened(b, to, is_first);
        batch = batch_open(b, to);
    } else if (batch_header(batch)->used + extent > b->batch_bytes) {
        batch_send(b, to);
        batch = batch_open(b, to);
    }
    struct batch_header *header = batch_header(batch);
    void *at = batch->bytes + header->used;
    header->used += (uint32_t)extent;
    return at;
}

static void batch_deliver(struct batches *b, int from, const struct batch *batch, size_t size,
                          const struct transport_sink *sink)
{
    const struct batch_header *header = (const struct batch_header *)(const void *)batch->bytes;
    if (size < sizeof *header || header->used != size ||
        header->number != b->numbers_received[from]) {
        tw_error(TW_LOC, "message %u from rank %d came as number %u with %zu of %u bytes",
                 b->numbers_received[from], from, header->number, size, header->used);
    }
    b->numbers_received[from]++;
    for (size_t at = sizeof *header; at < size;) {
        const void *m = batch->bytes + at;
        transport_sink_put(sink, from, m);
        at += message_extent(m);
    }
}

bool batches_poll(struct batches *b, const struct transport_sink *sink)
{
    bool any = false;
    /* Looks at each posted receive at most once: many messages must not keep this rank from its
     * other work. */
    for (unsigned n = 0; n < RECEIVES_POSTED; n++) {
        unsigned i = b->first_receive;
        int done = 0;
        MPI_Status status;
        MPI_Test(&b->receives[i], &done, &status);
        if (!done) {
            break;
        }
        int size = 0;
        MPI_Get_count(&status, MPI_BYTE, &size);
        batch_deliver(b, status.MPI_SOURCE, b->receive_batches[i], (size_t)size, sink);
        receive_post(b, i);
        b->first_receive = (i + 1) % RECEIVES_POSTED;
        any = true;
    }
    return any;
}

size_t batches_memory_bytes(const struct batches *b)
{
    return b->n_batches * (sizeof(struct batch) + b->batch_bytes);
}

uint64_t batches_sent(const struct batches *b)
{
    return b->n_batches_sent;
}
