/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_transport.c - messages between ranks: random traffic, the largest size, batches, several
 * transports, and the choice or refusal of a transport.
 *
 * test: timeout=240
 */
#include "support/transport_books.h"

/* Returns true if batches to that rank go over MPI, not through a ring. */
static bool by_mpi(int to)
{
    return kind == TRANSPORT_MPI || (kind == TRANSPORT_AUTO && to / 2 != comm.rank / 2);
}

static void storm(size_t max_size, int steps, uint64_t salt)
{
    struct books b;
    books_init(&b, max_size, salt);
    uint64_t habits[3]; /* intervals of polls, flushes and colour changes of this rank, in steps */
    for (int i = 0; i < 3; i++) {
        habits[i] = 1 + random_below(&b.random, i == 2 ? 300 : 60);
    }
    for (int step = 0; step < steps && comm.n_ranks > 1; step++) {
        send_message(&b, random_peer(&b), random_size(&b),
                     random_below(&b.random, 5) == 0 ? (unsigned)random_below(&b.random, 4) : 0);
        if (random_below(&b.random, habits[0]) == 0) {
            poll(&b);
        }
        if (random_below(&b.random, habits[1]) == 0) {
            flush(&b);
        }
        if (random_below(&b.random, habits[2]) == 0) {
            b.colour ^= 1;
            transport_set_colour(b.t, b.colour);
        }
    }
    settle(&b);
    CU_ASSERT(comm.n_ranks == 1 || b.delivered > (uint64_t)steps / 10);
    books_close(&b);
}

static void test_storm_small(void)
{
    for (uint64_t round = 0; round < 6; round += suite_step(3)) {
        storm(1000, 4000, 1 + round);
    }
}

static void test_storm_large(void)
{
    for (uint64_t round = 0; round < 3; round += suite_step(3)) {
        storm(200000, 1500, 100 + round);
    }
}

/* The largest message fills a buffer to its last byte. */
static void test_largest(void)
{
    static const size_t sizes[] = {16, 16384 - 8 - 8, 16384 - 8, 16384, 16392, 65536, 1 << 20};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes && comm.n_ranks > 1; s++) {
        struct books b;
        books_init(&b, sizes[s], s);
        for (int i = 0; i < 40; i++) {
            send_message(&b, random_peer(&b), sizes[s], 0);
            send_message(&b, random_peer(&b), sizeof(struct message), 1);
        }
        books_close(&b);
    }
}

/* Messages over MPI travel in batches; an empty flush sends nothing. Messages in rings need no
 * MPI. */
static void test_batches(void)
{
    struct books b;
    books_init(&b, 1000, 8);
    for (int to = 0; to < comm.n_ranks; to++) {
        if (to == comm.rank) {
            continue;
        }
        uint64_t before = transport_batches_sent(b.t);
        uint64_t one = by_mpi(to);
        for (int i = 0; i < 1000; i++) {
            send_message(&b, to, 56, 0);
        }
        flush(&b);
        uint64_t batches = transport_batches_sent(b.t);
        CU_ASSERT(batches - before >= 2 * one && batches - before <= one * 1000 * 64 / 16384 + one);
        flush(&b);
        transport_set_colour(b.t, b.colour ^= 1);
        send_message(&b, to, 56, 0);
        CU_ASSERT_EQUAL(transport_batches_sent(b.t), batches);
        transport_set_colour(b.t, b.colour ^= 1);
        send_message(&b, to, 56, 0);
        CU_ASSERT_EQUAL(transport_batches_sent(b.t), batches); /* a batch may mix colours */
        flush(&b);
        CU_ASSERT_EQUAL(transport_batches_sent(b.t), batches + one);
    }
    books_close(&b);
}

static bool is_peer(const struct books *b, int rank)
{
    size_t n;
    const int *peers = transport_peers(b->t, &n);
    for (size_t i = 0; i < n; i++) {
        if (peers[i] == rank) {
            return true;
        }
    }
    return false;
}

/* A rank that can be reached by MPI alone becomes a peer with the first message to it, and is listed
 * once however many batches it is sent. */
static void test_peers(void)
{
    struct books b;
    size_t n, rings = 0;
    books_init(&b, 1000, 12);
    for (int to = 0; to < comm.n_ranks; to++) {
        bool ring = to != comm.rank && !by_mpi(to);
        CU_ASSERT_EQUAL(is_peer(&b, to), ring);
        rings += ring;
    }
    transport_peers(b.t, &n);
    CU_ASSERT_EQUAL(n, rings);
    CU_ASSERT(transport_is_flushed(b.t));
    for (int i = 0; i < 100 && comm.n_ranks > 1; i++) {
        int to = (comm.rank + 1) % comm.n_ranks;
        send_message(&b, to, 1000, 0);
        CU_ASSERT(!transport_is_flushed(b.t));
        CU_ASSERT(is_peer(&b, to));
        if (i % 3 == 0) {
            flush(&b);
        }
        transport_peers(b.t, &n);
        CU_ASSERT_EQUAL(n, rings + by_mpi(to));
        CU_ASSERT_EQUAL(transport_sent_to(b.t)[to], (uint64_t)i + 1);
    }
    books_close(&b);
}

/* A single message, sent and flushed once, arrives while its sender only waits. */
static void test_single(void)
{
    struct books b;
    books_init(&b, 64, 9);
    for (int sender = 0; sender < comm.n_ranks && comm.n_ranks > 1; sender++) {
        uint64_t before = b.delivered;
        if (comm.rank == sender) {
            for (int to = 0; to < comm.n_ranks; to++) {
                if (to != sender) {
                    send_message(&b, to, 64, 0);
                }
            }
            flush(&b);
        } else {
            while (b.delivered == before) {
                poll(&b);
            }
        }
        MPI_Barrier(comm.comm);
    }
    CU_ASSERT_EQUAL(b.delivered, (uint64_t)comm.n_ranks - 1);
    books_close(&b);
}

/* Buffers are reused: a long run needs no more of them than a short one. */
static void test_memory(void)
{
    struct books b;
    size_t early = 0;
    books_init(&b, 2000, 10);
    for (int round = 0; round < 60; round++) {
        for (int i = 0; i < 100 && comm.n_ranks > 1; i++) {
            send_message(&b, random_peer(&b), 1000, 0);
        }
        MPI_Barrier(comm.comm); /* no rank polls yet: each round needs equally many */
        settle(&b);
        early = round == 10 ? transport_memory_bytes(b.t) : early;
    }
    CU_ASSERT(transport_memory_bytes(b.t) <= 2 * early);
    CU_ASSERT(comm.n_ranks == 1 || early >= 65536);
    books_close(&b);
}

/* Two transports at once, and one after the other: they do not exchange messages. */
static void test_again(void)
{
    for (int round = 0; round < 3; round++) {
        struct books a, b;
        books_init(&a, 100, 20);
        books_init(&b, 3000, 21);
        transport_destroy(a.t);
        for (int i = 0; i < 100 && comm.n_ranks > 1; i++) {
            send_message(&b, random_peer(&b), random_size(&b), 1);
        }
        books_close(&b);
    }
}

/* Reports the transport in use, and refuses impossible ones. */
static void test_kinds(void)
{
    const char *trouble = "?";
    const char *name = kind == TRANSPORT_MPI   ? "MPI"
                       : kind == TRANSPORT_SHM ? "shared memory"
                                               : "shared memory and MPI";
    struct transport *t = transport_create(&comm, kind, 64, &trouble);
    if (kind == TRANSPORT_AUTO && comm.n_ranks == 2) { /* one pair */
        name = "shared memory";
    }
    CU_ASSERT_STRING_EQUAL(transport_name(t), comm.n_ranks == 1 ? "none" : name);
    CU_ASSERT_PTR_NULL(trouble);
    transport_destroy(t);
    t = transport_create(&comm, TRANSPORT_SHM, 64, &trouble);
    bool refused = kind == TRANSPORT_AUTO && comm.n_ranks > 2;
    CU_ASSERT_EQUAL(t == NULL, refused);
    CU_ASSERT_EQUAL(trouble != NULL, refused);
    if (t != NULL) {
        transport_destroy(t);
    }
}

/* A single rank has no peers; all functions may still be called. */
static void test_alone(void)
{
    struct books b;
    struct comm alone = comm;
    const char *trouble;
    alone.n_ranks = 1;
    alone.rank = 0;
    size_t longest = (size_t)1 << 31; /* more than MPI could send in one call */
    b = (struct books){.t = transport_create(&alone, kind, longest, &trouble)};
    CU_ASSERT_PTR_NULL(trouble);
    CU_ASSERT(!transport_poll(b.t, deliver, &b));
    transport_flush(b.t);
    transport_set_colour(b.t, 1);
    CU_ASSERT_EQUAL(transport_balance(b.t, 0), 0);
    CU_ASSERT_EQUAL(transport_balance(b.t, 1), 0);
    CU_ASSERT_EQUAL(transport_batches_sent(b.t), 0);
    CU_ASSERT(transport_memory_bytes(b.t) < 1000);
    transport_destroy(b.t);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"storm of small messages", test_storm_small},
        {"storm with very large ones", test_storm_large},
        {"the largest message", test_largest},
        {"batches", test_batches},
        {"peers", test_peers},
        {"a single message", test_single},
        {"memory", test_memory},
        {"several transports", test_again},
        {"kinds", test_kinds},
        {"one rank", test_alone},
    };
    return books_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
