/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bus_threads.c - measures the cost of the operations of the bus while several threads use it at
 * once, in a program that is not a simulation.
 *
 *     bench_bus --num-threads=N [--turns=N] [--quick]
 *
 * bench_bus runs this program, since the bus of simulations is for one thread. In each turn, one
 * thread performs each operation alone, then N threads perform it at the same time. The cost is the
 * time from the first start to the end of the last thread, per operation of a thread. It stays the
 * same where threads do not hinder each other and each has a processor. With more threads than
 * processors it grows by their ratio at least.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "bus_notify.h"
#include "support/measure.h"

#define OPERATIONS_EACH 10000 /* operations of a thread in a turn */
#define POINTS          1000
#define TURNS           51

/* Objects of the bus that all threads share. */
struct shared {
    size_t n; /* operations of a thread */
    struct bus_streams streams;
    char names[POINTS][32];
    uint64_t ids[POINTS];
};

/* Returns the sum of the results; its use keeps the compiler from removing operations. */
typedef uintptr_t (*operation_f)(const struct shared *s, uint32_t seed);

/* ---- Operations: each is performed n times --------------------------------------------------- */

static uint32_t next_point(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % POINTS;
}

#define NOTIFY(stream)                                                                             \
    static uintptr_t notify_##stream(const struct shared *s, uint32_t seed)                        \
    {                                                                                              \
        bus_notify(s->streams.stream, s->n);                                                       \
        return seed + 1;                                                                           \
    }
NOTIFY(silent)
NOTIFY(one)
NOTIFY(two)

static uintptr_t scope_one(const struct shared *s, uint32_t seed)
{
    bus_scopes(s->streams.one, s->n);
    return seed;
}

static uintptr_t string_again(const struct shared *s, uint32_t seed)
{
    uintptr_t sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        sum += st_string(s->names[next_point(&seed)]);
    }
    return sum;
}

static uintptr_t point_find(const struct shared *s, uint32_t seed)
{
    uintptr_t sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        sum += (uintptr_t)st_point_by_id(s->ids[next_point(&seed)]);
    }
    return sum;
}

static const struct {
    const char *name;
    operation_f run;
} operations[] = {
    {"notify, no subscriber", notify_silent}, {"notify, 1 subscriber", notify_one},
    {"notify, 2 subscribers", notify_two},    {"scope begin + end, 1 subscriber", scope_one},
    {"string, insert again", string_again},   {"point, by id", point_find}};
#define OPERATIONS (sizeof operations / sizeof *operations)

/* ---- Threads --------------------------------------------------------------------------------- */

/* The threads of a measurement: all perform the operations in step with the main thread. */
struct crew {
    const struct shared *shared;
    size_t turns;
    unsigned n_working; /* number of threads that perform the operation; the others wait */
    pthread_barrier_t start, end;
};

struct worker {
    struct crew *crew;
    unsigned number;
    uintptr_t sum;
    double begin, end; /* of the latest operation, in seconds */
    pthread_t thread;
};

/* Returns the time from the first beginning of an operation to its last end, in seconds. */
static double span_s(const struct worker *workers, unsigned n)
{
    double begin = workers[0].begin, end = workers[0].end;
    for (unsigned i = 1; i < n; i++) {
        begin = workers[i].begin < begin ? workers[i].begin : begin;
        end = workers[i].end > end ? workers[i].end : end;
    }
    return end - begin;
}

static void *work(void *arg)
{
    struct worker *w = arg;
    for (size_t turn = 0; turn < w->crew->turns; turn++) {
        for (size_t step = 0; step < 2 * OPERATIONS; step++) {
            pthread_barrier_wait(&w->crew->start);
            if (w->number < w->crew->n_working) {
                w->begin = measure_seconds();
                w->sum += operations[step / 2].run(w->crew->shared, w->number);
                w->end = measure_seconds();
            }
            pthread_barrier_wait(&w->crew->end);
        }
    }
    return NULL;
}

/* Measures all operations, alone and by n_threads at once. Stores the nanoseconds of operation o in
 * ns[2 * o * turns...], and those of all threads at once in ns[(2 * o + 1) * turns...]. Returns a
 * sum of results. */
static uintptr_t measure_all(const struct shared *s, unsigned n_threads, size_t turns, double *ns)
{
    struct crew crew = {.shared = s, .turns = turns};
    struct worker *workers = measure_alloc(n_threads, sizeof *workers);
    uintptr_t sum = 0;
    if (pthread_barrier_init(&crew.start, NULL, n_threads + 1) != 0 ||
        pthread_barrier_init(&crew.end, NULL, n_threads + 1) != 0) {
        measure_fail("cannot make barriers for %u threads", n_threads);
    }
    for (unsigned i = 0; i < n_threads; i++) {
        workers[i] = (struct worker){.crew = &crew, .number = i};
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) {
            measure_fail("cannot start %u threads", n_threads);
        }
    }
    for (size_t turn = 0; turn < turns; turn++) {
        for (size_t step = 0; step < 2 * OPERATIONS; step++) {
            crew.n_working = step % 2 == 0 ? 1 : n_threads;
            pthread_barrier_wait(&crew.start);
            pthread_barrier_wait(&crew.end);
            ns[step * turns + turn] = 1e9 * span_s(workers, crew.n_working) / (double)s->n;
        }
    }
    for (unsigned i = 0; i < n_threads; i++) {
        pthread_join(workers[i].thread, NULL);
        sum += workers[i].sum;
    }
    pthread_barrier_destroy(&crew.start);
    pthread_barrier_destroy(&crew.end);
    free(workers);
    return sum;
}

static void print_table(double *ns, unsigned n_threads, size_t turns)
{
    printf("%-33s %12s %9s %21s\n", "operation", "1 thread ns", "median", "all threads ns, each");
    for (size_t o = 0; o < OPERATIONS; o++) {
        double *alone = ns + 2 * o * turns, *together = alone + turns;
        const double alone_median = measure_median(alone, turns);
        measure_median(together, turns); /* sorts, so that the first is the least */
        printf("%-33s %12.2f %9.2f %21.2f\n", operations[o].name, alone[0], alone_median,
               together[0]);
    }
    printf("\n%u threads, the least of %zu turns.\n", n_threads, turns);
}

static void shared_open(struct shared *s)
{
    bus_streams_open(&s->streams);
    for (uint32_t i = 0; i < POINTS; i++) {
        snprintf(s->names[i], sizeof s->names[i], "handler_of_packets_%u", i);
        const st_point *point = st_point_make(s->names[i], "program.c", i, 1, NULL);
        s->ids[i] = point == NULL ? 0 : point->id;
    }
}

static struct shared shared;
static unsigned quick, turns = TURNS, n_threads = 1;

static const tw_optdef table[] = {
    TWOPT_GROUP("Measuring"),
    TWOPT_UINT("num-threads", n_threads, "<1..256> threads that use the bus at once"),
    TWOPT_UINT("turns", turns, "<1..100000> turns, the least of which counts"),
    TWOPT_FLAG("quick", quick, "few operations: rough figures at once"), TWOPT_END()};

static void run(void)
{
    unsetenv("ROSS_TRACE_ENABLE");
    unsetenv("ROSS_SUBSCRIBERS");
    turns = quick != 0 ? 3 : turns;
    shared.n = quick != 0 ? 1000 : OPERATIONS_EACH;
    shared_open(&shared);
    double *ns = measure_alloc(2 * OPERATIONS * turns, sizeof *ns);
    if (measure_all(&shared, n_threads, turns, ns) == 0) {
        measure_fail("no results");
    }
    print_table(ns, n_threads, turns);
    free(ns);
}

const struct measure_program measure_program = {
    "Nanoseconds per operation of the bus, used by threads.", table, run};
