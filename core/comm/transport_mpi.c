/*
 * transport_mpi.c - batches of messages over MPI point-to-point.
 *
 * Sending: one open batch per rank, sent with MPI_Isend when full or flushed; its buffer returns to
 * a free list when the send has completed. Sends complete in any order; the ring of sends in flight
 * is tested from its oldest end.
 *
 * Receiving: a ring of posted MPI_Irecv(MPI_ANY_SOURCE) of one tag. MPI matches messages of one
 * sender to receives in the order of posting (MPI 3.1, 3.5), so batches are taken from the ring in
 * the order of posting, never in the order in which they happen to complete. Each batch carries a
 * number per pair of ranks, checked on arrival.
 *
 * Batch: header {count u32, colour u32, number u32, used u32}, then messages back to back:
 * {size u32, pad u32, bytes}.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "comm/transport.h"
#include "ross.h"

#define BATCH_BYTES     ((size_t)16384)
#define RECEIVES_POSTED 32u

struct batch_header {
    uint32_t count;
    uint32_t colour;
    uint32_t number;
    uint32_t used; /* bytes, header included */
};

struct batch {
    struct batch *next; /* in the free list */
    _Alignas(16) unsigned char bytes[];
};

struct send {
    MPI_Request request;
    struct batch *batch;
};

struct transport {
    const struct comm *comm;
    size_t batch_bytes;
    struct batch **open; /* per rank: the batch being filled, or NULL */
    int *filled;         /* ranks whose open batch holds something: a stack */
    int n_filled;
    struct batch *free;
    struct send *sends; /* ring of sends in flight, oldest at first_send */
    size_t first_send, n_sends, sends_capacity;
    MPI_Request *receives; /* ring of posted receives, the next to complete at first_receive */
    struct batch **receive_batches;
    unsigned first_receive;
    uint32_t *numbers_sent; /* per rank */
    uint32_t *numbers_received;
    unsigned colour;
    int64_t sent[2], received[2];
    size_t n_batches;
    uint64_t n_batches_sent;
};

static struct batch *batch_get(struct transport *t)
{
    struct batch *batch = t->free;
    if (batch != NULL) {
        t->free = batch->next;
        return batch;
    }
    t->n_batches++;
    return tw_calloc(TW_LOC, "message buffer", sizeof(struct batch) + t->batch_bytes, 1);
}

static void batch_put(struct transport *t, struct batch *batch)
{
    batch->next = t->free;
    t->free = batch;
}

static struct batch_header *batch_header(struct batch *batch)
{
    return (struct batch_header *)(void *)batch->bytes;
}

static void receive_post(struct transport *t, unsigned i)
{
    MPI_Irecv(t->receive_batches[i]->bytes, (int)t->batch_bytes, MPI_BYTE, MPI_ANY_SOURCE,
              COMM_TAG_EVENTS, t->comm->comm, &t->receives[i]);
}

struct transport *transport_create(const struct comm *c, size_t max_message_bytes)
{
    size_t n = (size_t)c->n_ranks;
    struct transport *t = tw_calloc(TW_LOC, "transport", sizeof *t, 1);
    t->comm = c;
    t->batch_bytes = BATCH_BYTES;
    size_t need = sizeof(struct batch_header) + 8 + max_message_bytes;
    if (need > t->batch_bytes) {
        t->batch_bytes = need;
    }
    if (t->batch_bytes > INT_MAX) {
        tw_error(TW_LOC, "events of %zu bytes are too large to be sent to other ranks",
                 max_message_bytes);
    }
    t->open = tw_calloc(TW_LOC, "transport", sizeof(struct batch *), n);
    t->filled = tw_calloc(TW_LOC, "transport", sizeof(int), n);
    t->numbers_sent = tw_calloc(TW_LOC, "transport", sizeof(uint32_t), n);
    t->numbers_received = tw_calloc(TW_LOC, "transport", sizeof(uint32_t), n);
    t->sends_capacity = 256;
    t->sends = tw_calloc(TW_LOC, "transport", sizeof(struct send), t->sends_capacity);
    if (c->n_ranks > 1) {
        t->receives = tw_calloc(TW_LOC, "transport", sizeof(MPI_Request), RECEIVES_POSTED);
        t->receive_batches = tw_calloc(TW_LOC, "transport", sizeof(void *), RECEIVES_POSTED);
        for (unsigned i = 0; i < RECEIVES_POSTED; i++) {
            t->receive_batches[i] = batch_get(t);
            receive_post(t, i);
        }
    }
    return t;
}

void transport_destroy(struct transport *t)
{
    while (t->n_sends > 0) {
        struct send *send = &t->sends[t->first_send];
        MPI_Wait(&send->request, MPI_STATUS_IGNORE);
        batch_put(t, send->batch);
        t->first_send = (t->first_send + 1) % t->sends_capacity;
        t->n_sends--;
    }
    for (unsigned i = 0; t->receives != NULL && i < RECEIVES_POSTED; i++) {
        MPI_Cancel(&t->receives[i]);
        MPI_Wait(&t->receives[i], MPI_STATUS_IGNORE);
        batch_put(t, t->receive_batches[i]);
    }
    if (t->receives != NULL) { /* or the receives of a slow rank take what comes next on comm */
        MPI_Barrier(t->comm->comm);
    }
    for (int rank = 0; rank < t->comm->n_ranks; rank++) {
        free(t->open[rank]);
    }
    while (t->free != NULL) {
        struct batch *batch = t->free;
        t->free = batch->next;
        free(batch);
    }
    free(t->open);
    free(t->filled);
    free(t->numbers_sent);
    free(t->numbers_received);
    free(t->sends);
    free(t->receives);
    free(t->receive_batches);
    free(t);
}

static void sends_grow(struct transport *t)
{
    struct send *grown =
        tw_calloc(TW_LOC, "list of sends", sizeof(struct send), 2 * t->sends_capacity);
    for (size_t i = 0; i < t->n_sends; i++) {
        grown[i] = t->sends[(t->first_send + i) % t->sends_capacity];
    }
    free(t->sends);
    t->sends = grown;
    t->first_send = 0;
    t->sends_capacity *= 2;
}

/* Buffers of completed sends become free again, oldest first. */
static void sends_reap(struct transport *t)
{
    while (t->n_sends > 0) {
        struct send *send = &t->sends[t->first_send];
        int done = 0;
        MPI_Test(&send->request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            return;
        }
        batch_put(t, send->batch);
        t->first_send = (t->first_send + 1) % t->sends_capacity;
        t->n_sends--;
    }
}

/* Sends the open batch of a rank. */
static void batch_send(struct transport *t, int to)
{
    struct batch *batch = t->open[to];
    struct batch_header *header = batch_header(batch);
    t->open[to] = NULL;
    header->number = t->numbers_sent[to]++;
    t->sent[header->colour] += header->count;
    t->n_batches_sent++;
    if (t->n_sends == t->sends_capacity) {
        sends_grow(t);
    }
    struct send *send = &t->sends[(t->first_send + t->n_sends++) % t->sends_capacity];
    send->batch = batch;
    MPI_Isend(batch->bytes, (int)header->used, MPI_BYTE, to, COMM_TAG_EVENTS, t->comm->comm,
              &send->request);
}

void *transport_reserve(struct transport *t, int to, size_t size)
{
    assert(size % 8 == 0 && to != t->comm->rank);
    struct batch *batch = t->open[to];
    if (batch != NULL && batch_header(batch)->used + 8 + size > t->batch_bytes) {
        batch_send(t, to);
        batch = NULL;
        for (int i = 0; i < t->n_filled; i++) {
            if (t->filled[i] == to) {
                t->filled[i] = t->filled[--t->n_filled];
                break;
            }
        }
    }
    if (batch == NULL) {
        sends_reap(t);
        batch = t->open[to] = batch_get(t);
        *batch_header(batch) =
            (struct batch_header){.colour = t->colour, .used = sizeof(struct batch_header)};
        t->filled[t->n_filled++] = to;
    }
    struct batch_header *header = batch_header(batch);
    uint32_t *message = (uint32_t *)(void *)(batch->bytes + header->used);
    message[0] = (uint32_t)size;
    message[1] = 0;
    header->used += (uint32_t)(8 + size);
    header->count++;
    return message + 2;
}

void transport_flush(struct transport *t)
{
    while (t->n_filled > 0) {
        batch_send(t, t->filled[--t->n_filled]);
    }
}

static void batch_deliver(struct transport *t, int from, const struct batch *batch, size_t size,
                          transport_deliver_f deliver, void *ctx)
{
    const struct batch_header *header = (const struct batch_header *)(const void *)batch->bytes;
    if (size < sizeof *header || header->used != size ||
        header->number != t->numbers_received[from]) {
        tw_error(TW_LOC, "message %u from rank %d came as number %u with %zu of %u bytes",
                 t->numbers_received[from], from, header->number, size, header->used);
    }
    t->numbers_received[from]++;
    t->received[header->colour] += header->count;
    size_t at = sizeof *header;
    for (uint32_t i = 0; i < header->count; i++) {
        uint32_t length;
        memcpy(&length, batch->bytes + at, sizeof length);
        deliver(ctx, from, batch->bytes + at + 8);
        at += 8 + length;
    }
}

bool transport_poll(struct transport *t, transport_deliver_f deliver, void *ctx)
{
    bool any = false;
    /* No more than a ring's length at a time: a flood must not keep us from our own work. */
    for (unsigned n = 0; t->receives != NULL && n < RECEIVES_POSTED; n++) {
        unsigned i = t->first_receive;
        int done = 0;
        MPI_Status status;
        MPI_Test(&t->receives[i], &done, &status);
        if (!done) {
            break;
        }
        int size = 0;
        MPI_Get_count(&status, MPI_BYTE, &size);
        batch_deliver(t, status.MPI_SOURCE, t->receive_batches[i], (size_t)size, deliver, ctx);
        receive_post(t, i);
        t->first_receive = (i + 1) % RECEIVES_POSTED;
        any = true;
    }
    return any;
}

void transport_set_colour(struct transport *t, unsigned colour)
{
    transport_flush(t);
    t->colour = colour;
}

int64_t transport_balance(const struct transport *t, unsigned colour)
{
    return t->sent[colour] - t->received[colour];
}

size_t transport_memory_bytes(const struct transport *t)
{
    return t->n_batches * (sizeof(struct batch) + t->batch_bytes);
}

uint64_t transport_batches_sent(const struct transport *t)
{
    return t->n_batches_sent;
}
