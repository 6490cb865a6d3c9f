/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport.c - measures the rate of messages between two ranks, and the time of a round trip, over
 * MPI and over shared memory.
 *
 *     mpirun -n 2 bench_transport [--quick]
 *
 * A rank writes messages of 128 bytes, flushes after each batch, then polls once, like the
 * optimistic scheduler; the receiver reads every byte. The sender is at most WINDOW messages ahead
 * of the receiver, which acknowledges each ACK_EVERY messages by a message of 8 bytes. Rates count
 * the messages that both ranks together receive. The transports take many short turns, and the best
 * turn counts, since other programs on the machine can only slow a turn down.
 */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "comm/transport.h"
#include "support/measure.h"

#define WORDS     16u   /* number of words in a message */
#define WINDOW    1024u /* maximum number of messages in flight, less than a ring buffer holds */
#define ACK_EVERY 128u
#define KINDS     2u

/* A rank yields the core after this number of polls in a row that found no message. */
#define IDLE_POLLS 1000u

static const enum transport_kind kinds[KINDS] = {TRANSPORT_MPI, TRANSPORT_SHM};

struct settings {
    /* Number of messages per turn and direction; smaller for batches of fewer than 16 messages. */
    uint64_t messages;
    uint64_t trips; /* number of round trips per turn */
    unsigned turns;
};

struct end {
    struct transport *t;
    int peer;
    uint64_t sent;         /* number of messages sent */
    uint64_t acknowledged; /* number of messages that the peer has acknowledged */
    uint64_t received;     /* number of messages received */
    uint64_t sum;  /* sum of received words; its use keeps the compiler from removing the reads */
    unsigned idle; /* number of polls in a row without a message */
};

struct message {
    uint64_t is_data; /* 1: data follow; 0: an acknowledgement, which has no other word */
    uint64_t words[WORDS - 1];
};

static void send_ack(struct end *e)
{
    uint64_t *word = transport_reserve(e->t, e->peer, sizeof *word);
    *word = 0;
}

static void deliver(void *ctx, int from, const void *bytes)
{
    struct end *e = ctx;
    const struct message *m = bytes;
    (void)from;
    if (!m->is_data) {
        e->acknowledged += ACK_EVERY;
        return;
    }
    for (unsigned i = 0; i < WORDS - 1; i++) {
        e->sum += m->words[i];
    }
    if (++e->received % ACK_EVERY == 0) {
        send_ack(e);
    }
}

static void poll(struct end *e)
{
    if (transport_poll(e->t, deliver, e)) {
        e->idle = 0;
    } else if (++e->idle > IDLE_POLLS) {
        sched_yield();
    }
}

static void send_data(struct end *e)
{
    struct message *m = transport_reserve(e->t, e->peer, sizeof *m);
    m->is_data = 1;
    for (unsigned i = 0; i < WORDS - 1; i++) {
        m->words[i] = e->sent + i;
    }
    e->sent++;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Creates a transport to the other rank. If that fails on one rank, ends the program on both ranks.
 * Collective. */
static struct end end_open(const struct comm *c, enum transport_kind kind)
{
    const char *trouble;
    struct end e = {.peer = 1 - c->rank};
    e.t = transport_create(c, kind, sizeof(struct message), &trouble);
    if (e.t == NULL) {
        fprintf(stderr, "bench_transport: %s\n", trouble);
        exit(1);
    }
    return e;
}

/* Sends `send` messages, flushing after each `batch` messages, and receives `receive` messages.
 * Returns the duration in seconds. Collective. */
static double run(const struct comm *c, enum transport_kind kind, uint64_t send, uint64_t receive,
                  uint64_t batch)
{
    struct end e = end_open(c, kind);
    MPI_Barrier(c->comm);
    double start = MPI_Wtime();
    while (e.sent < send || e.received < receive) {
        uint64_t room = e.acknowledged + WINDOW - e.sent;
        for (uint64_t n = smaller(batch, smaller(room, send - e.sent)); n > 0; n--) {
            send_data(&e);
        }
        transport_flush(e.t);
        poll(&e);
    }
    transport_flush(e.t);
    while (e.acknowledged + ACK_EVERY <= send) { /* acknowledgements are still to come */
        poll(&e);
    }
    MPI_Barrier(c->comm);
    double seconds = MPI_Wtime() - start;
    transport_destroy(e.t);
    return seconds;
}

/* Makes `trips` round trips, in which rank 1 answers each message at once. Returns the seconds per
 * round trip. Collective. */
static double run_trips(const struct comm *c, enum transport_kind kind, uint64_t trips)
{
    struct end e = end_open(c, kind);
    MPI_Barrier(c->comm);
    double start = MPI_Wtime();
    for (uint64_t i = 0; i < trips; i++) {
        if (c->rank == 0) {
            send_data(&e);
            transport_flush(e.t);
        }
        while (e.received == i) {
            poll(&e);
        }
        if (c->rank == 1) {
            send_data(&e);
        }
        transport_flush(e.t); /* also sends acknowledgements */
    }
    while (e.acknowledged + ACK_EVERY <= trips) {
        poll(&e);
    }
    double seconds = (MPI_Wtime() - start) / (double)trips;
    MPI_Barrier(c->comm);
    transport_destroy(e.t);
    return seconds;
}

static void print_rates(const struct comm *c, const struct settings *s, bool both, uint64_t batch)
{
    double best[KINDS] = {0};
    uint64_t messages = batch < 16 ? s->messages / 16 * batch : s->messages;
    uint64_t forth = both || c->rank == 0 ? messages : 0;
    uint64_t back = both || c->rank == 1 ? messages : 0;
    for (unsigned turn = 0; turn < s->turns; turn++) {
        for (unsigned k = 0; k < KINDS; k++) {
            double seconds = run(c, kinds[k], forth, back, batch);
            best[k] = fmax(best[k], 1e-6 * (double)(both ? 2 * messages : messages) / seconds);
        }
    }
    if (c->rank == 0) {
        printf("%-10s %9llu %9.2f %9.2f %9.2f\n", both ? "both ways" : "one way",
               (unsigned long long)batch, best[0], best[1], best[1] / best[0]);
        measure_flush();
    }
}

static void print_trips(const struct comm *c, const struct settings *s)
{
    double best[KINDS] = {INFINITY, INFINITY};
    for (unsigned turn = 0; turn < s->turns; turn++) {
        for (unsigned k = 0; k < KINDS; k++) {
            best[k] = fmin(best[k], 1e6 * run_trips(c, kinds[k], s->trips));
        }
    }
    if (c->rank == 0) {
        printf("\nmicroseconds there and back\n%-20s %9.2f %9.2f %9.2f\n", "", best[0], best[1],
               best[1] / best[0]);
        measure_flush();
    }
}

static void measure(const struct comm *c, const struct settings *s)
{
    static const uint64_t batches[] = {1, 4, 16, 64, 256};
    if (c->rank == 0) {
        printf("million messages of 128 bytes per second between two ranks\n");
        printf("%-10s %9s %9s %9s %9s\n", "direction", "per flush", "MPI", "shm", "shm/MPI");
    }
    for (int both = 0; both < 2; both++) {
        for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
            print_rates(c, s, both != 0, batches[i]);
        }
    }
    print_trips(c, s);
}

static const char about[] =
    "Messages per second between two ranks of one node, through MPI and through\n"
    "shared memory, for several numbers of messages per flush; and the time of one\n"
    "there and back. To be run as mpirun -n 2 bench_transport.";

int main(int argc, char **argv)
{
    struct comm comm;
    struct settings settings = {.messages = 200000, .trips = 5000, .turns = 25};
    unsigned quick = 0;
    const tw_optdef table[] = {TWOPT_GROUP("Measuring"),
                               TWOPT_FLAG("quick", quick, "fewer messages and turns"), TWOPT_END()};
    comm_init(&comm, MPI_COMM_NULL, &argc, &argv);
    int status = measure_options(table, about, argc, argv, comm.rank != 0);
    if (status != MEASURE_GO_ON) {
        comm_fini(&comm);
        return status;
    }
    status = 0;
    if (quick != 0) {
        settings = (struct settings){.messages = 5000, .trips = 100, .turns = 3};
    }
    if (comm.n_ranks != 2) {
        if (comm.rank == 0) {
            fprintf(stderr, "bench_transport: needs two ranks: mpirun -n 2 bench_transport\n");
        }
        status = 2;
    } else {
        measure(&comm, &settings);
    }
    comm_fini(&comm);
    return status;
}
