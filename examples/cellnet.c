/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cellnet.c - a small model in the style of ROSS models. It has tables initialised by position,
 * casts of handlers, two LP types through g_tw_lp_types, custom mapping, and callbacks for
 * instrumentation. It uses no function of Warpscope that ROSS lacks; docs/porting-from-ross.md
 * shows how to build and run it.
 *
 * A cell holds calls. A call ends, or moves to another cell; the first cell then reports the move
 * to the switch of its rank.
 */
#include "ross.h"

typedef struct {
    long calls, handoffs;
    double busy_until;
} cell_state;
typedef struct {
    long rings;
} switch_state;
typedef enum { NEW_CALL, HAND_OFF, REPORT } kind;
typedef struct {
    kind what;
    tw_lpid from;
    double saved;
} message;

static unsigned int cells_per_pe = 64;
static double mean_call = 1.0;
static double reach = 0.3;
static char label[64] = "cellnet";

static tw_lpid total_cells(void)
{
    return (tw_lpid)cells_per_pe * tw_nnodes();
}

static void post(tw_lpid to, tw_stime after, kind what, tw_lp *lp)
{
    tw_event *e = tw_event_new(to, after, lp);
    message *m = (message *)tw_event_data(e);
    m->what = what;
    m->from = lp->gid;
    tw_event_send(e);
}

void cell_init(cell_state *s, tw_lp *lp)
{
    s->busy_until = 0;
    post(lp->gid, g_tw_lookahead + tw_rand_exponential(lp->rng, mean_call), NEW_CALL, lp);
}

void cell_event(cell_state *s, tw_bf *bf, message *m, tw_lp *lp)
{
    *(int *)bf = (int)0;
    m->saved = s->busy_until;
    s->busy_until = tw_now(lp) + mean_call;
    if (m->what == NEW_CALL)
        s->calls++;
    else
        s->handoffs++;
    tw_lpid to = lp->gid;
    if (tw_rand_unif(lp->rng) < reach) {
        bf->c0 = 1;
        to = tw_rand_integer(lp->rng, 0, (long)total_cells() - 1);
        post(total_cells() + lp->pe->id, 0.5, REPORT, lp);
    }
    post(to, g_tw_lookahead + tw_rand_exponential(lp->rng, mean_call),
         to == lp->gid ? NEW_CALL : HAND_OFF, lp);
}

void cell_rc_event(cell_state *s, tw_bf *bf, message *m, tw_lp *lp)
{
    s->busy_until = m->saved;
    if (m->what == NEW_CALL)
        s->calls--;
    else
        s->handoffs--;
    if (bf->c0)
        tw_rand_reverse_unif(lp->rng);
    tw_rand_reverse_unif(lp->rng);
    tw_rand_reverse_unif(lp->rng);
}

void cell_final(cell_state *s, tw_lp *lp)
{
    (void)s;
    (void)lp;
}
void switch_init(switch_state *s, tw_lp *lp)
{
    (void)lp;
    s->rings = 0;
}
void switch_event(switch_state *s, tw_bf *bf, message *m, tw_lp *lp)
{
    (void)bf;
    (void)m;
    (void)lp;
    s->rings++;
}
void switch_rc_event(switch_state *s, tw_bf *bf, message *m, tw_lp *lp)
{
    (void)bf;
    (void)m;
    (void)lp;
    s->rings--;
}
void switch_final(switch_state *s, tw_lp *lp)
{
    printf("switch %llu heard of %ld handoffs\n", (unsigned long long)lp->gid, s->rings);
}

tw_peid cell_map(tw_lpid gid)
{
    return gid < total_cells() ? (tw_peid)gid / cells_per_pe : (tw_peid)(gid - total_cells());
}

tw_lptype my_lps[] = {
    {(init_f)cell_init, (pre_run_f)NULL, (event_f)cell_event, (revent_f)cell_rc_event,
     (commit_f)NULL, (final_f)cell_final, (map_f)cell_map, sizeof(cell_state)},
    {(init_f)switch_init, (pre_run_f)NULL, (event_f)switch_event, (revent_f)switch_rc_event,
     (commit_f)NULL, (final_f)switch_final, (map_f)cell_map, sizeof(switch_state)},
    {0},
};

tw_lpid type_of(tw_lpid gid)
{
    return gid < total_cells() ? 0 : 1;
}

/* Places the cells of this rank, then the switch of this rank. */
void place(void)
{
    for (tw_kpid k = 0; k < g_tw_nkp; k++)
        tw_kp_onpe(k, g_tw_pe);
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_onpe(i, g_tw_pe,
                   i < cells_per_pe ? g_tw_mynode * cells_per_pe + i : total_cells() + g_tw_mynode);
        tw_lp_onkp(g_tw_lp[i], g_tw_kp[i % g_tw_nkp]);
    }
}

tw_lp *find(tw_lpid gid)
{
    return g_tw_lp[gid < total_cells() ? gid % cells_per_pe : cells_per_pe];
}

void cell_trace(message *m, tw_lp *lp, char *buffer, int *collect)
{
    (void)lp;
    (void)collect;
    int w = m->what;
    memcpy(buffer, &w, sizeof w);
}
void cell_stats(cell_state *s, tw_lp *lp, char *buffer)
{
    (void)lp;
    memcpy(buffer, &s->calls, sizeof s->calls);
}

st_model_types my_stats[] = {
#ifdef ROSS_MODEL_TYPES_V8
    {(ev_trace_f)cell_trace, sizeof(int), (model_stat_f)cell_stats, sizeof(long), NULL, NULL, 0},
#else
    {(rbev_trace_f)cell_trace, sizeof(int), (ev_trace_f)cell_trace, sizeof(int),
     (model_stat_f)cell_stats, sizeof(long), NULL, NULL, 0},
#endif
    {0},
};

const tw_optdef app_opt[] = {TWOPT_GROUP("Cellnet Model"),
                             TWOPT_UINT("cells", cells_per_pe, "cells per PE"),
                             TWOPT_STIME("call", mean_call, "mean length of a call"),
                             TWOPT_DOUBLE("reach", reach, "share of calls that move"),
                             TWOPT_CHAR("label", label, "name of the run"),
                             TWOPT_END()};

int main(int argc, char **argv)
{
    g_tw_lookahead = 0.1;
    g_tw_ts_end = 100;
    tw_opt_add(app_opt);
    tw_init(&argc, &argv);
    g_tw_mapping = CUSTOM;
    g_tw_custom_initial_mapping = &place;
    g_tw_custom_lp_global_to_local_map = &find;
    g_tw_events_per_pe = 4 * cells_per_pe + 1024;
    g_tw_lp_types = my_lps;
    g_tw_lp_typemap = &type_of;
    tw_define_lps(cells_per_pe + 1, sizeof(message));
    tw_lp_setup_types();
    for (tw_lpid i = 0; i < cells_per_pe; i++)
        st_model_settype(i, &my_stats[0]);
    if (tw_ismaster())
        printf("%s: %u cells per PE\n", label, cells_per_pe);
    tw_run();
    tw_end();
    return 0;
}
