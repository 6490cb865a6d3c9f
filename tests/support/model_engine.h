/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_engine.h - the engine functions that a model's LPs need, without an engine: records the
 * sent events. Link no_instrumentation for the functions of the instrumentation.
 *
 * Define MODEL_MESSAGE, the type of the model's messages, before. The header defines the engine's
 * functions: include it in the only source file of a program.
 */
#ifndef WARPSCOPE_TESTS_MODEL_ENGINE_H
#define WARPSCOPE_TESTS_MODEL_ENGINE_H

#include <math.h>
#include <string.h>

#include "ross.h"
#include "support/suite.h"

MPI_Comm MPI_COMM_ROSS;
tw_stime g_tw_ts_end = 100;
tw_synch g_tw_synchronization_protocol = OPTIMISTIC;
tw_lpid g_tw_nlp;
tw_lp **g_tw_lp;

struct sent_event {
    tw_event event; /* the first member */
    tw_lpid dest;
    double offset;
    MODEL_MESSAGE message;
};

#define MAX_SENT 64
static struct sent_event sent[MAX_SENT];
static unsigned n_sent;
static uint64_t seed; /* of random_bits() and the functions that use it */

/* ---- Events ---------------------------------------------------------------------------------- */

tw_event *tw_event_new(tw_lpid dest, tw_stime offset, tw_lp *sender)
{
    (void)sender;
    CU_ASSERT_FATAL(n_sent < MAX_SENT);
    memset(&sent[n_sent].message, 0xAB, sizeof sent[n_sent].message);
    sent[n_sent].dest = dest;
    sent[n_sent].offset = offset;
    return &sent[n_sent].event;
}

void *tw_event_data(tw_event *event)
{
    return &((struct sent_event *)(void *)event)->message;
}

void tw_event_send(tw_event *event)
{
    n_sent += event == &sent[n_sent].event;
}

/* ---- Random streams -------------------------------------------------------------------------- */

double tw_rand_unif(tw_rng_stream *g)
{
    uint64_t place = g->reserved + 0x123456789u * ++g->count;
    return (0.5 + (double)(random_bits(&place) >> 12)) / 4503599627370496.0;
}

double tw_rand_reverse_unif(tw_rng_stream *g)
{
    g->count--;
    return 0.5;
}

double tw_rand_exponential(tw_rng_stream *g, double mean)
{
    return -mean * log(tw_rand_unif(g));
}

long tw_rand_integer(tw_rng_stream *g, long low, long high)
{
    return low + (long)(tw_rand_unif(g) * (double)(high + 1 - low));
}

/* ---- The run --------------------------------------------------------------------------------- */

void *tw_calloc(const char *file, int line, const char *what, size_t elem_sz, size_t n)
{
    void *memory = calloc(n + 1, elem_sz);
    if (memory == NULL) {
        tw_error(file, line, "no memory for %s", what);
    }
    return memory;
}

void tw_error(const char *file, int line, const char *fmt, ...)
{
    printf("tw_error: %s (%s:%d)\n", fmt, file, line);
    exit(EXIT_FAILURE);
}

unsigned tw_nnodes(void)
{
    return 1;
}

tw_peid tw_lp_rank(tw_lpid gid)
{
    (void)gid;
    return 0;
}

void tw_lp_settype(tw_lpid local_id, tw_lptype *type)
{
    (void)local_id;
    (void)type;
}

/* ---- Main ------------------------------------------------------------------------------------ */

/* Runs the tests as one suite, with a seed. Returns the exit status of the program. */
static inline int seeded_suite_run(const char *name, const CU_TestInfo *tests, size_t n_tests)
{
    seed = suite_seed();
    suite_print_seed(name, seed);
    return suite_run(name, tests, n_tests);
}

/* Like seeded_suite_run(), under MPI. */
static inline int mpi_suite_run(int *argc, char ***argv, const char *name, const CU_TestInfo *tests,
                                size_t n_tests)
{
    MPI_Init(argc, argv);
    MPI_COMM_ROSS = MPI_COMM_WORLD;
    int status = seeded_suite_run(name, tests, n_tests);
    MPI_Finalize();
    return status;
}

#endif
