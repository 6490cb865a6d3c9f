/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * netsim_engine.h - an engine for tests of netsim's LPs that also records their tasks of packets.
 */
#ifndef WARPSCOPE_TESTS_NETSIM_ENGINE_H
#define WARPSCOPE_TESTS_NETSIM_ENGINE_H

#include "model.h"
#include "support/netsim_support.h"

bool st_task_listened(void)
{
    return true;
}

/* Calls about packets: the parts of a journey end in order at its end. */
static unsigned n_traced[4]; /* hop or access, transmission, journey, drop */
static double traced_from_s; /* of the last hop */

/* The last two tasks, the latest first. */
static struct traced {
    char kind[16], what[NS_NAME_SIZE], where[NS_NAME_SIZE];
    st_task_id id, parent;
    double start_s, begun_s, sent_s;
} traced[2];

static void tell(st_task_id id, st_task_id parent, const char *kind, const char *what,
                 const char *where, double start_s, const st_step *steps, size_t n_steps)
{
    traced[1] = traced[0];
    traced[0] = (struct traced){.id = id, .parent = parent, .start_s = start_s};
    snprintf(traced[0].kind, sizeof traced[0].kind, "%s", kind);
    snprintf(traced[0].what, sizeof traced[0].what, "%s", what);
    snprintf(traced[0].where, sizeof traced[0].where, "%s", where == NULL ? "" : where);
    if (n_steps == 2) {
        CU_ASSERT_STRING_EQUAL(steps[0].what, "sending");
        CU_ASSERT_STRING_EQUAL(steps[1].what, "sent");
        traced[0].begun_s = steps[0].ts;
        traced[0].sent_s = steps[1].ts;
    }
}

st_result st_task_add(tw_lp *lp, st_task_id *id, st_task_id parent, const char *kind,
                      const char *what, const char *where, tw_stime start, const st_step *steps,
                      size_t n_steps)
{
    bool is_hop = strcmp(kind, "hop") == 0 || strcmp(kind, "access") == 0;
    bool is_transmission = strcmp(kind, "transmission") == 0;
    bool is_journey = strcmp(kind, "journey") == 0;
    CU_ASSERT_TRUE(start <= tw_now(lp) && strstr(what, " > ") != NULL);
    CU_ASSERT_EQUAL(where != NULL, is_hop || is_transmission);
    CU_ASSERT_EQUAL(st_task_is_none(parent), is_journey);
    if (is_journey) {
        CU_ASSERT_TRUE(id->lp == lp->gid + 1 && id->from != 0);
    } else {
        CU_ASSERT_TRUE(st_task_is_none(*id));
        *id = (st_task_id){lp->gid + 1, 1, 0};
    }
    if (is_hop) {
        CU_ASSERT_FATAL(n_steps == 2);
        CU_ASSERT_TRUE(start <= steps[0].ts && steps[0].ts <= steps[1].ts);
        CU_ASSERT_TRUE(steps[1].ts <= tw_now(lp));
        traced_from_s = start;
    } else {
        CU_ASSERT_EQUAL(n_steps, 0);
        CU_ASSERT_TRUE(!is_transmission || start >= traced_from_s);
    }
    n_traced[is_hop ? 0 : is_transmission ? 1 : is_journey ? 2 : 3]++;
    tell(*id, parent, kind, what, where, start, steps, n_steps);
    return ST_OK;
}

/* ---- A small network ------------------------------------------------------------------------- */

/* Three parallel links, with another in between, and a name that is cut, not in the
 * middle of a character. */
#define LONG_NAME "a-name-of-more-than-sixty-characters-all-of-which-are-diffe\xc3\xa4rent"
static const char triple[] = "graph [ directed 0\n"
                             "node [ id 0 label \"A\" lat 1 lon 1 ]\n"
                             "node [ id 1 label \"B\" lat 1 lon 2 ]\n"
                             "node [ id 2 label \"" LONG_NAME "\" lat 1 lon 3 ]\n"
                             "edge [ source 0 target 1 delay_ms 3 capacity 1000000 ]\n"
                             "edge [ source 0 target 1 delay_ms 4 capacity 2000000 ]\n"
                             "edge [ source 1 target 2 delay_ms 5 capacity 3000000 ]\n"
                             "edge [ source 0 target 1 delay_ms 6 capacity 4000000 ]\n"
                             "]\n";

/* Makes the model of that network; each rank has its own file. */
static inline void triple_init(unsigned hosts)
{
    struct ns_settings *s = ns_settings();
    struct model_error error = {""};
    char program[] = "netsim";
    char *argv[] = {program, NULL};
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(s->topology, sizeof s->topology, "triple-%d-%ld.gml", rank, (long)getpid());
    FILE *file = fopen(s->topology, "w");
    CU_ASSERT_FATAL(file != NULL && fputs(triple, file) >= 0 && fclose(file) == 0);
    s->hosts = hosts;
    s->access_rate_bps = 5e6;
    s->access_delay_s = 2e-3;
    CU_ASSERT_FATAL(ns_settings_check(s, 1, argv, &error) &&
                    ns_model_init(s, MPI_COMM_WORLD, &error));
    ns_model_fill();
    remove(s->topology);
    s->topology[0] = '\0';
}

#endif
