/* SPDX-License-Identifier: BSD-3-Clause */
/* ross_rest.c - functions of ross_rest.h: names of ROSS that few models use. */
#include <sys/time.h>

#include "base/clock.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "engine/process/run.h"

tw_lp *tw_lp_next_onpe(tw_lp *last, tw_pe *pe)
{
    (void)pe;
    tw_lpid next = last != NULL ? last->id + 1 : 0;
    return g_tw_lp != NULL && next < g_tw_nlp ? g_tw_lp[next] : NULL;
}

tw_kp *tw_kp_next_onpe(tw_kp *last, tw_pe *pe)
{
    (void)pe;
    tw_kpid next = last != NULL ? last->id + 1 : 0;
    return g_tw_kp != NULL && next < pe_self()->n_kps ? g_tw_kp[next] : NULL;
}

tw_lpid map_onetype(tw_lpid gid)
{
    (void)gid;
    return 0;
}

int tw_gvt_inprogress(tw_pe *pe)
{
    return pe != NULL && pe_of(pe)->gvt.in_round;
}

void tw_trigger_gvt_hook_at_event_sig(tw_event_sig time)
{
    tw_trigger_gvt_hook_at(time.recv_ts);
}

void tw_net_barrier(void)
{
    if (pe_self() != NULL) {
        MPI_Barrier(pe_self()->comm.comm);
    }
}

static void print_option(void *ctx, const char *name, const char *value)
{
    (void)ctx;
    printf("--%s=%s\n", name, value);
}

void tw_opt_print(void)
{
    for (unsigned i = 0; i < g_run.options.n_tables && tw_ismaster() != 0; i++) {
        options_visit(g_run.options.tables[i], print_option, NULL);
    }
}

void rng_set_seed(tw_rng_stream *g, uint32_t *seed, tw_rng *rng)
{
    struct tw_rng family = {{seed[0], seed[1], seed[2], seed[3]}, g_tw_rng_kind};
    (void)rng;
    rng_stream_place(g, &family, 0);
}

void tw_wall_now(tw_wtime *t)
{
    gettimeofday(t, NULL);
}

void tw_wall_sub(tw_wtime *result, tw_wtime *a, tw_wtime *b)
{
    timersub(a, b, result);
}

double tw_wall_to_double(tw_wtime *t)
{
    return (double)t->tv_sec + (double)t->tv_usec * 1e-6;
}

tw_clock tw_clock_now(tw_pe *pe)
{
    (void)pe;
    return g_tw_sim_started != 0 ? clock_ticks() - g_run.start_ticks : 0;
}
