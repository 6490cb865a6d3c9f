/*
 * qnet_engine.h - what qnet's LPs need of an engine, without one: remembers what is sent and told.
 *
 * Defines the engine's functions, so include it in the one file of a program. Models of networks
 * are made here, too.
 */
#ifndef WARPSCOPE_TESTS_QNET_ENGINE_H
#define WARPSCOPE_TESTS_QNET_ENGINE_H

#include "model.h"
#include "support/suite.h"

MPI_Comm MPI_COMM_ROSS;
tw_stime g_tw_ts_end = 100;
tw_synch g_tw_synchronization_protocol = OPTIMISTIC;
tw_lpid g_tw_nlp;
tw_lpid g_tw_lp_offset;

struct tw_event {
    tw_lpid dest;
    double offset;
    struct qn_job job;
};

#define MAX_SENT 64
static struct tw_event sent[MAX_SENT];
static unsigned n_sent;
static uint64_t n_tasks;             /* ids that were given */
static unsigned begun, ended, whole; /* by the last event */
static double whole_start;
static char told_where[100]; /* of the task that was begun last */
static char trip_where[100]; /* of the trip that was told last */
static char told_step[100];

tw_event *tw_event_new(tw_lpid dest, tw_stime offset, tw_lp *sender)
{
    (void)sender;
    CU_ASSERT_FATAL(n_sent < MAX_SENT);
    memset(&sent[n_sent].job, 0xAB, sizeof sent[n_sent].job);
    sent[n_sent].dest = dest;
    sent[n_sent].offset = offset;
    return &sent[n_sent];
}

void *tw_event_data(tw_event *event)
{
    return &event->job;
}

void tw_event_send(tw_event *event)
{
    n_sent += event == &sent[n_sent];
}

double tw_rand_unif(tw_rng_stream *g)
{
    uint64_t place = g->reserved + 0x123456789u * ++g->count;
    return (0.5 + (double)(random_bits(&place) >> 12)) / 4503599627370496.0;
}

void tw_rand_reverse_unif(tw_rng_stream *g)
{
    g->count--;
}

double tw_rand_exponential(tw_rng_stream *g, double mean)
{
    return -mean * log(tw_rand_unif(g));
}

long tw_rand_integer(tw_rng_stream *g, long low, long high)
{
    return low + (long)(tw_rand_unif(g) * (double)(high + 1 - low));
}

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

void tw_lp_settype(tw_lpid local_id, tw_lptype *type)
{
    (void)local_id;
    (void)type;
}

void st_model_settype(tw_lpid local_id, st_model_types *types)
{
    (void)local_id;
    (void)types;
}

void st_model_fields(const st_model_types *types, st_payload_kind kind, const st_field *fields)
{
    (void)types;
    (void)kind;
    (void)fields;
}

void st_lptype_name(const tw_lptype *type, const char *name)
{
    (void)type;
    (void)name;
}

bool st_task_listened(void)
{
    return true;
}

st_result st_task_begin(tw_lp *lp, st_task_id parent, const char *kind, const char *what,
                        const char *where, st_task_id *id)
{
    CU_ASSERT_TRUE(!st_task_is_none(parent) && kind[0] != '\0' && what[0] != '\0' &&
                   where[0] != '\0');
    *id = (st_task_id){lp->gid + 1, ++n_tasks, 0};
    snprintf(told_where, sizeof told_where, "%s", where);
    begun++;
    return ST_OK;
}

st_result st_task_step(tw_lp *lp, st_task_id id, const char *what)
{
    CU_ASSERT_TRUE(id.lp == lp->gid + 1 && what[0] != '\0');
    snprintf(told_step, sizeof told_step, "%s", what);
    return ST_OK;
}

st_result st_task_end(tw_lp *lp, st_task_id id)
{
    CU_ASSERT_EQUAL(id.lp, lp->gid + 1);
    ended++;
    return ST_OK;
}

st_result st_task_add(tw_lp *lp, st_task_id *id, st_task_id parent, const char *kind,
                      const char *what, const char *where, tw_stime start, const st_step *steps,
                      size_t n_steps)
{
    (void)parent;
    (void)steps;
    CU_ASSERT_TRUE(st_task_is_none(*id) || id->lp == lp->gid + 1);
    CU_ASSERT_TRUE(kind[0] != '\0' && what[0] != '\0' && where[0] != '\0' && n_steps == 0);
    CU_ASSERT_TRUE(start <= tw_now(lp));
    if (strcmp(kind, "trip") == 0) {
        snprintf(trip_where, sizeof trip_where, "%s", where);
    }
    whole++;
    whole_start = start;
    return ST_OK;
}

/* ---- The model --------------------------------------------------------------------------------
 */

/* Until qn_model_fini(). */
static void model_make(const char *network, unsigned copies, double cross, double transit)
{
    struct qn_settings *s = qn_settings();
    struct model_error error = {""};
    snprintf(s->network, sizeof s->network, "%s", network);
    s->copies = copies;
    s->cross = cross;
    s->transit = transit;
    s->warmup = 5;
    s->batches = 300;
    bool ok = qn_settings_check(s, 1, NULL, &error) && qn_model_init(s, MPI_COMM_WORLD, &error);
    if (!ok) {
        printf("  %s\n", error.text);
    }
    CU_ASSERT_TRUE_FATAL(ok);
}

#endif
