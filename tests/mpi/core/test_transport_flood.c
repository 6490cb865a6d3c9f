/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_transport_flood.c - more messages than the buffers can take: no sender waits, no message is
 * lost, and the receiver can still do its own work.
 *
 * test: timeout=240
 */
#include <unistd.h>

#include "support/transport_books.h"

/* No rank polls until all have sent several times the capacity of a ring. From then on all ranks
 * only poll: that must send the waiting messages. */
static void test_flood(void)
{
    struct books b;
    books_init(&b, 128, 7);
    uint64_t each = 8000;
    for (uint64_t i = 0; i < each; i++) {
        for (int to = 0; to < comm.n_ranks; to++) {
            if (to != comm.rank) {
                send_message(&b, to, 128, 0);
            }
        }
        if (random_below(&b.random, 1000) == 0) {
            flush(&b);
        }
    }
    flush(&b);
    MPI_Barrier(comm.comm);
    MPI_Request all_have_all = MPI_REQUEST_NULL;
    for (int done = 0; !done;) {
        poll(&b);
        if (b.delivered == each * (uint64_t)(comm.n_ranks - 1)) {
            if (all_have_all == MPI_REQUEST_NULL) {
                MPI_Ibarrier(comm.comm, &all_have_all);
            }
            MPI_Test(&all_have_all, &done, MPI_STATUS_IGNORE);
        }
    }
    books_close(&b);
}

/* A flood at a slow receiver that polls: some messages enter the ring, others wait. A poll receives
 * only a part, so that the receiver can do its own work. */
static void test_slow_receiver(void)
{
    struct books b;
    books_init(&b, 600, 11);
    bool receiver = comm.rank == comm.n_ranks - 1;
    uint64_t most = 0;
    for (int i = 0; i < 30000 / (int)suite_step(3) && comm.n_ranks > 1 && !receiver; i++) {
        send_message(&b, comm.n_ranks - 1, random_size(&b), 0);
        if (random_below(&b.random, 16) == 0) {
            flush(&b);
        }
    }
    for (int i = 0; i < 100 && receiver; i++) {
        uint64_t before = b.bytes;
        usleep((useconds_t)random_below(&b.random, 300));
        poll(&b);
        most = b.bytes - before > most ? b.bytes - before : most;
    }
    CU_ASSERT(kind != TRANSPORT_SHM || most <= (uint64_t)comm.n_ranks * 70000);
    books_close(&b);
}

/* Overflow queues are reused, too, and counted. */
static void test_overflow_memory(void)
{
    struct books b;
    size_t before, first = 0;
    books_init(&b, 600, 12);
    before = transport_memory_bytes(b.t);
    for (int round = 0; round < 4 - 2 * (suite_step(2) > 1) && comm.n_ranks > 1; round++) {
        for (int i = 0; i < 6000; i++) {
            for (int to = 0; to < comm.n_ranks; to++) {
                if (to != comm.rank) {
                    send_message(&b, to, 600, 0);
                }
            }
        }
        MPI_Barrier(comm.comm); /* all ranks have sent everything before the first poll */
        settle(&b);
        first = round == 0 ? transport_memory_bytes(b.t) : first;
    }
    CU_ASSERT(comm.n_ranks == 1 || first > before);
    CU_ASSERT(kind != TRANSPORT_SHM || transport_memory_bytes(b.t) <= first + first / 4);
    books_close(&b);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"flood", test_flood},
        {"a slow receiver", test_slow_receiver},
        {"memory of overflow queues", test_overflow_memory},
    };
    return books_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
