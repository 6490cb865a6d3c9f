/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * qnet_engine.h - the functions of the engine and the instrumentation that qnet's LPs need, without
 * either: records events and tasks.
 *
 * Defines the engine's functions: include it in the only source file of a program. It also makes
 * models of networks.
 */
#ifndef WARPSCOPE_TESTS_QNET_ENGINE_H
#define WARPSCOPE_TESTS_QNET_ENGINE_H

#include "model.h"

#define MODEL_MESSAGE struct qn_job
#include "support/model_engine.h"

static uint64_t n_tasks;             /* number of ids given */
static unsigned begun, ended, whole; /* sent by the last event */
static double whole_start;
static char traced_where[100]; /* place of the last task that began */
static char trip_where[100];   /* place of the last trip */
static char traced_step[100];

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
    snprintf(traced_where, sizeof traced_where, "%s", where);
    begun++;
    return ST_OK;
}

st_result st_task_step(tw_lp *lp, st_task_id id, const char *what)
{
    CU_ASSERT_TRUE(id.lp == lp->gid + 1 && what[0] != '\0');
    snprintf(traced_step, sizeof traced_step, "%s", what);
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

/* ---- The model ------------------------------------------------------------------------------- */

/* The model exists until qn_model_fini(). */
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
