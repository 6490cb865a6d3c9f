/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport_books.h - functions that the transport tests share: messages between ranks, compared
 * with the test's own counts, over every transport: rings, MPI, and rings within pairs of ranks
 * with MPI between the pairs.
 *
 * Every message contains its sender, its number among those of this pair of ranks, its size and its
 * colour, and is filled with bytes derived from these. The receiver thus detects a message that is
 * lost, duplicated, out of order, changed, or counted under the wrong colour.
 */
#ifndef WARPSCOPE_TESTS_TRANSPORT_BOOKS_H
#define WARPSCOPE_TESTS_TRANSPORT_BOOKS_H

#include <mpi.h>
#include <string.h>

#include "comm/transport.h"
#include "support/mpi_seed.h"

#define RANKS_MAX 64
#define LONGEST   ((size_t)1 << 20) /* bytes of a message */

/* Input of comm_init(), and the requested kind. */
struct setting {
    const char *title;
    enum transport_kind kind;
    const char *ranks_per_node; /* WARPSCOPE_RANKS_PER_NODE, or NULL */
};

static uint64_t seed;
static struct comm comm;
static enum transport_kind kind;

struct message {
    uint64_t number;
    uint32_t size;
    uint16_t from;
    uint8_t colour;
    uint8_t echoes; /* remaining number of answers */
};

struct books {
    struct transport *t;
    uint64_t random;
    uint64_t next_to[RANKS_MAX];
    uint64_t next_from[RANKS_MAX];
    int64_t sent[2];
    int64_t received[2];
    uint8_t colour;
    size_t max_size;
    uint64_t delivered;
    uint64_t bytes; /* delivered */
    unsigned bad;
};

/* Returns the bytes of a message, which depend on its number, its sender and the place. */
static const unsigned char *content(const struct message *m)
{
    static unsigned char bytes[LONGEST + 256];
    static bool made;
    for (size_t i = 0; !made && i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(i + (i >> 8));
    }
    made = true;
    return bytes + (m->number * 31 + m->from * 7) % 256;
}

static void send_message(struct books *b, int to, size_t size, unsigned echoes)
{
    struct message *m = transport_reserve(b->t, to, size);
    *m = (struct message){.number = b->next_to[to]++,
                          .size = (uint32_t)size,
                          .from = (uint16_t)comm.rank,
                          .colour = b->colour,
                          .echoes = (uint8_t)echoes};
    memcpy(m + 1, content(m) + sizeof *m, size - sizeof *m);
    b->sent[b->colour]++;
}

/* Mostly small, sometimes larger than a batch of small ones, sometimes the largest. */
static size_t random_size(struct books *b)
{
    size_t most = random_below(&b->random, 60) == 0 ? b->max_size : 600;
    if (random_below(&b->random, 400) == 0) {
        return b->max_size;
    }
    most = most > b->max_size ? b->max_size : most;
    return sizeof(struct message) +
           random_below(&b->random, (most - sizeof(struct message)) / 8 + 1) * 8;
}

static inline int random_peer(struct books *b)
{
    int to = (int)random_below(&b->random, (uint64_t)comm.n_ranks - 1);
    return to < comm.rank ? to : to + 1;
}

static void deliver(void *ctx, int from, const void *bytes)
{
    struct books *b = ctx;
    const struct message *m = bytes;
    b->bad += (uintptr_t)bytes % 8 != 0 || m->from != from;
    b->bad += m->number != b->next_from[from]++;
    b->bad +=
        m->size > b->max_size || memcmp(m + 1, content(m) + sizeof *m, m->size - sizeof *m) != 0;
    b->received[m->colour]++;
    b->delivered++;
    b->bytes += m->size;
    if (m->echoes > 0) { /* the engine answers with anti-messages while it receives */
        send_message(b, from, random_size(b), m->echoes - 1u);
        if (random_below(&b->random, 50) == 0) {
            transport_flush(b->t);
        }
    }
}

/* T1, T2: every message counts from its reservation, under the colour it was reserved under. */
static void check_balance(struct books *b)
{
    for (unsigned c = 0; c < 2; c++) {
        b->bad += transport_balance(b->t, c) != b->sent[c] - b->received[c];
    }
}

static void poll(struct books *b)
{
    uint64_t before = b->delivered;
    bool any = transport_poll(b->t, deliver, b);
    b->bad += any != (b->delivered > before);
    check_balance(b);
}

static void flush(struct books *b)
{
    transport_flush(b->t);
    check_balance(b);
}

/* Polls until all sent messages have arrived, by the test's counts; then T2: no message is in
 * transit. */
static void settle(struct books *b)
{
    int64_t last_total = -1;
    for (;;) {
        flush(b);
        poll(b);
        int64_t sums[2] = {b->sent[0] + b->sent[1], b->received[0] + b->received[1]};
        MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT64_T, MPI_SUM, comm.comm);
        if (sums[0] == sums[1] && sums[0] == last_total) {
            break;
        }
        last_total = sums[0] == sums[1] ? sums[0] : -1;
    }
    int64_t balance[2] = {transport_balance(b->t, 0), transport_balance(b->t, 1)};
    MPI_Allreduce(MPI_IN_PLACE, balance, 2, MPI_INT64_T, MPI_SUM, comm.comm);
    b->bad += balance[0] != 0 || balance[1] != 0;
}

static void books_init(struct books *b, size_t max_size, uint64_t salt)
{
    const char *trouble;
    *b = (struct books){.max_size = max_size, .random = seed ^ salt};
    for (int r = 0; r <= comm.rank; r++) { /* ranks differ */
        b->random = random_bits(&b->random);
    }
    b->t = transport_create(&comm, kind, max_size, &trouble);
    if (b->t == NULL || trouble != NULL) {
        printf("no rings: %s\n", trouble);
        MPI_Abort(comm.comm, 1);
    }
}

static void books_close(struct books *b)
{
    settle(b);
    CU_ASSERT_EQUAL(b->bad, 0);
    transport_destroy(b->t);
}

/* Runs the tests over every transport. Returns the exit status of the program. */
static int books_main(int argc, char **argv, const CU_TestInfo *tests, size_t n_tests)
{
    static const struct setting settings[] = {
        {"rings", TRANSPORT_SHM, NULL},
        {"MPI", TRANSPORT_MPI, NULL},
        {"rings in pairs of ranks, MPI between", TRANSPORT_AUTO, "2"},
    };
    int status = EXIT_SUCCESS;
    MPI_Init(&argc, &argv);
    seed = mpi_suite_seed("transport", MPI_COMM_WORLD);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        unsetenv("WARPSCOPE_RANKS_PER_NODE");
        if (settings[i].ranks_per_node != NULL) {
            setenv("WARPSCOPE_RANKS_PER_NODE", settings[i].ranks_per_node, 1);
        }
        kind = settings[i].kind;
        comm_init(&comm, MPI_COMM_NULL, NULL, NULL);
        if (suite_run(settings[i].title, tests, n_tests) != EXIT_SUCCESS) {
            status = EXIT_FAILURE;
        }
        comm_fini(&comm);
    }
    MPI_Finalize();
    return status;
}

#endif
