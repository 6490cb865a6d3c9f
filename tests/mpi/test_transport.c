/*
 * test_transport.c - messages between ranks against the test's own books, over every transport:
 * rings, MPI, and rings within pairs of ranks with MPI between the pairs.
 *
 * Every message says who sent it, its number among those of this pair of ranks, its size and its
 * colour, and is filled with bytes that follow from these. So the receiver sees what is lost, comes
 * twice, out of order, changed, or is counted under the wrong colour.
 *
 * test: timeout=240
 */
#include <mpi.h>
#include <string.h>

#include "comm/transport.h"
#include "support/suite.h"

#define RANKS_MAX 64

/* What comm_init() reads, and the kind asked for. */
struct setting {
    const char *title;
    enum transport_kind kind;
    const char *ranks_per_node; /* WARPSCOPE_RANKS_PER_NODE, or NULL */
};

static const struct setting settings[] = {
    {"rings", TRANSPORT_SHM, NULL},
    {"MPI", TRANSPORT_MPI, NULL},
    {"rings in pairs of ranks, MPI between", TRANSPORT_AUTO, "2"},
};

static uint64_t seed;
static struct comm comm;
static enum transport_kind kind;

struct message {
    uint64_t number;
    uint32_t size;
    uint16_t from;
    uint8_t colour;
    uint8_t echoes; /* how often it is still to be answered */
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
    unsigned bad;
};

/* Does a batch over MPI go to that rank, not a ring? */
static bool by_mpi(int to)
{
    return kind == TRANSPORT_MPI || (kind == TRANSPORT_AUTO && to / 2 != comm.rank / 2);
}

static unsigned char fill_byte(const struct message *m, size_t i)
{
    return (unsigned char)(m->number * 31 + m->from * 7 + i + (i >> 8));
}

static void send_message(struct books *b, int to, size_t size, unsigned echoes)
{
    struct message *m = transport_reserve(b->t, to, size);
    *m = (struct message){.number = b->next_to[to]++,
                          .size = (uint32_t)size,
                          .from = (uint16_t)comm.rank,
                          .colour = b->colour,
                          .echoes = (uint8_t)echoes};
    unsigned char *bytes = (unsigned char *)m;
    for (size_t i = sizeof *m; i < size; i++) {
        bytes[i] = fill_byte(m, i);
    }
    b->sent[b->colour]++;
}

/* Mostly small, at times larger than a batch of small ones, at times the largest. */
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

static int random_peer(struct books *b)
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
    b->bad += m->size > b->max_size;
    for (size_t i = sizeof *m; i < m->size; i++) {
        if (((const unsigned char *)bytes)[i] != fill_byte(m, i)) {
            b->bad++;
            break;
        }
    }
    b->received[m->colour]++;
    b->delivered++;
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

/* Until all that was sent has arrived, going by the books; then T2: nothing is in transit. */
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

static void storm(size_t max_size, int steps, uint64_t salt)
{
    struct books b;
    books_init(&b, max_size, salt);
    uint64_t habits[3]; /* how often this rank polls, flushes, changes colour: 1 in so many steps */
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
    for (uint64_t round = 0; round < 6; round++) {
        storm(1000, 4000, 1 + round);
    }
}

static void test_storm_large(void)
{
    for (uint64_t round = 0; round < 3; round++) {
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

/* Nobody listens until all have sent everything, several times what a ring holds. */
static void test_flood(void)
{
    struct books b;
    books_init(&b, 128, 7);
    for (int i = 0; i < 30000 && comm.n_ranks > 1; i++) {
        send_message(&b, random_peer(&b), 128, 0);
        if (random_below(&b.random, 1000) == 0) {
            flush(&b);
        }
    }
    flush(&b);
    MPI_Barrier(comm.comm);
    books_close(&b);
}

/* A flood while the receiver, slow as it is, listens: some messages go into the ring, some wait. A
 * poll takes in no more than a part, so that the receiver gets on with its own work. */
static void test_slow_receiver(void)
{
    struct books b;
    books_init(&b, 600, 11);
    bool receiver = comm.rank == comm.n_ranks - 1;
    uint64_t most = 0;
    for (int i = 0; i < 30000 && comm.n_ranks > 1; i++) {
        if (!receiver) {
            send_message(&b, comm.n_ranks - 1, random_size(&b), 0);
            if (random_below(&b.random, 16) == 0) {
                flush(&b);
            }
        } else if (random_below(&b.random, 100) == 0) {
            uint64_t before = b.delivered;
            poll(&b);
            most = b.delivered - before > most ? b.delivered - before : most;
        }
    }
    uint64_t bound = (uint64_t)(comm.n_ranks - 1) * (65536 + 600 + 8) / 24;
    CU_ASSERT(kind != TRANSPORT_SHM || most <= bound);
    books_close(&b);
}

/* Messages over MPI travel together; an empty flush sends nothing. Those in rings need no MPI. */
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

/* One message, sent and flushed once, arrives though its sender does nothing but wait. */
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

/* Buffers are used again: a long run needs no more of them than a short one. */
static void test_memory(void)
{
    struct books b;
    size_t early = 0;
    books_init(&b, 2000, 10);
    for (int round = 0; round < 60; round++) {
        for (int i = 0; i < 100 && comm.n_ranks > 1; i++) {
            send_message(&b, random_peer(&b), 1000, 0);
        }
        settle(&b);
        early = round == 10 ? transport_memory_bytes(b.t) : early;
    }
    CU_ASSERT(transport_memory_bytes(b.t) <= 2 * early);
    CU_ASSERT(comm.n_ranks == 1 || early >= 65536);
    books_close(&b);
}

/* Overflow queues are used again, too, and counted. */
static void test_overflow_memory(void)
{
    struct books b;
    size_t before, first = 0;
    books_init(&b, 600, 12);
    before = transport_memory_bytes(b.t);
    for (int round = 0; round < 4 && comm.n_ranks > 1; round++) {
        for (int i = 0; i < 6000; i++) {
            for (int to = 0; to < comm.n_ranks; to++) {
                if (to != comm.rank) {
                    send_message(&b, to, 600, 0);
                }
            }
        }
        MPI_Barrier(comm.comm); /* all have sent everything, before anybody listens */
        settle(&b);
        first = round == 0 ? transport_memory_bytes(b.t) : first;
    }
    CU_ASSERT(comm.n_ranks == 1 || first > before);
    CU_ASSERT(kind != TRANSPORT_SHM || transport_memory_bytes(b.t) <= first + first / 4);
    books_close(&b);
}

/* Two at once, and one after the other: nothing of one gets into the next. */
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

/* What is in use, and what is refused. */
static void test_kinds(void)
{
    enum transport_kind parsed = TRANSPORT_MPI;
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
    CU_ASSERT(transport_kind_parse("auto", &parsed) && parsed == TRANSPORT_AUTO);
    CU_ASSERT(transport_kind_parse("mpi", &parsed) && parsed == TRANSPORT_MPI);
    CU_ASSERT(transport_kind_parse("shm", &parsed) && parsed == TRANSPORT_SHM);
    CU_ASSERT(!transport_kind_parse("", &parsed) && !transport_kind_parse("MPI", &parsed));
    CU_ASSERT_EQUAL(parsed, TRANSPORT_SHM);
}

/* Alone there is nobody to talk to; everything may be called all the same. */
static void test_alone(void)
{
    struct books b;
    struct comm alone = comm;
    const char *trouble;
    alone.n_ranks = 1;
    alone.rank = 0;
    b = (struct books){.t = transport_create(&alone, kind, 100, &trouble)};
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

static int run(const struct setting *setting)
{
    static const CU_TestInfo tests[] = {
        {"storm of small messages", test_storm_small},
        {"storm with very large ones", test_storm_large},
        {"the largest message", test_largest},
        {"flood", test_flood},
        {"a slow receiver", test_slow_receiver},
        {"batches", test_batches},
        {"a single message", test_single},
        {"memory", test_memory},
        {"memory of overflow queues", test_overflow_memory},
        {"several transports", test_again},
        {"kinds", test_kinds},
        {"one rank", test_alone},
    };
    if (setting->ranks_per_node != NULL) {
        setenv("WARPSCOPE_RANKS_PER_NODE", setting->ranks_per_node, 1);
    } else {
        unsetenv("WARPSCOPE_RANKS_PER_NODE");
    }
    kind = setting->kind;
    comm_init(&comm, MPI_COMM_NULL, NULL, NULL);
    int status = suite_run(setting->title, tests, sizeof tests / sizeof *tests);
    comm_fini(&comm);
    return status;
}

int main(int argc, char **argv)
{
    int rank;
    int status = EXIT_SUCCESS;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    seed = suite_seed();
    MPI_Bcast(&seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        suite_print_seed("transport", seed);
    }
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (run(&settings[i]) != EXIT_SUCCESS) {
            status = EXIT_FAILURE;
        }
    }
    MPI_Finalize();
    return status;
}
