/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuts - a model with all that must survive a cut: calls of g_tw_gvt_hook, which sends events, and
 * tasks that begin, go on and end in different events. The model's functions for CUSTOM mapping end
 * the run when they are asked for an LP of another rank.
 *
 * LP g is on rank g % ranks, the last one on rank 0. Each LP has an event at each multiple of 1, which
 * it sends to itself, and more at multiples of 0.25 from others. In every fifth of its own events the
 * LP begins a task; the task has a step one event later and ends two events later.
 */
#include "ross.h"

struct message {
    uint64_t is_own; /* 1: the LP's event at a multiple of 1 */
    uint64_t old_sum;
    uint64_t draws;
    st_task_id old_task;
};

struct state {
    uint64_t events;
    uint64_t sum;   /* depends on all events and their order */
    uint64_t own;   /* number of own events */
    uint64_t calls; /* number of events that the hook has sent to the LP */
    st_task_id task;
};

static unsigned int total_lps = 14;
static unsigned int custom = 0;
static double hook_at = 0.0;
static unsigned int hook_every = 0;
static unsigned int hook_now = 0;

static void send(tw_lp *lp, tw_lpid dest, double offset, uint64_t is_own)
{
    tw_event *event = tw_event_new(dest, offset, lp);
    *(struct message *)tw_event_data(event) = (struct message){.is_own = is_own};
    tw_event_send(event);
}

static void init(void *sv, tw_lp *lp)
{
    (void)sv;
    send(lp, lp->gid, 1.0, 1);
}

/* Begins, continues or ends the task of the LP. */
static void work(struct state *s, tw_lp *lp)
{
    const uint64_t turn = (s->own + lp->gid) % 5;
    const st_task_id none = {0, 0, 0};
    if (turn == 0) {
        st_task_begin(lp, none, "job", "work", NULL, &s->task);
    } else if (turn == 1 && s->task.number > 0) {
        st_task_step(lp, s->task, "half");
    } else if (turn == 2 && s->task.number > 0) {
        st_task_end(lp, s->task);
    }
}

static void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    (void)bf;
    m->old_sum = s->sum;
    m->old_task = s->task;
    m->draws = 0;
    s->events++;
    s->sum = (s->sum + (uint64_t)(tw_now(lp) * 4) + m->is_own) * 0x9e3779b97f4a7c15u;
    if (m->is_own == 0) {
        return;
    }
    work(s, lp);
    s->own++;
    send(lp, lp->gid, 1.0, 1);
    tw_lpid dest = (tw_lpid)tw_rand_integer(lp->rng, 0, (long)total_lps - 1);
    m->draws = 2;
    send(lp, dest, 0.25 * (double)tw_rand_integer(lp->rng, 1, 6), 0);
    if (hook_now > 0 && s->own % hook_now == 0) {
        tw_trigger_gvt_hook_now(lp);
    }
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    (void)bf;
    if (m->is_own != 0) {
        if (hook_now > 0 && s->own % hook_now == 0) {
            tw_trigger_gvt_hook_now_rev(lp);
        }
        s->own--;
    }
    for (; m->draws > 0; m->draws--) {
        tw_rand_reverse_unif(lp->rng);
    }
    s->events--;
    s->sum = m->old_sum;
    s->task = m->old_task;
    m->old_sum = 0;
    m->old_task = (st_task_id){0, 0, 0};
}

/* A call at a time sends an event to each LP and asks for the next call. */
static void hook(tw_pe *pe, bool nothing_left)
{
    if (tw_ismaster()) {
        if (hook_at > 0.0) {
            printf("cuts: hooks at %g\n", nothing_left ? -1.0 : pe->GVT);
        } else {
            printf("cuts: call number %llu at %.17g\n", (unsigned long long)g_tw_gvt_done,
                   nothing_left ? -1.0 : pe->GVT);
        }
    }
    if (hook_at > 0.0 && !nothing_left) {
        for (tw_lpid i = 0; i < g_tw_nlp; i++) {
            send(g_tw_lp[i], g_tw_lp[i]->gid, 0.125, 0);
        }
        tw_trigger_gvt_hook_at(pe->GVT + hook_at);
    }
}

/* ---- CUSTOM mapping -------------------------------------------------------------------------- */

static tw_peid rank_of(tw_lpid gid)
{
    return gid == total_lps - 1 ? 0 : gid % tw_nnodes();
}

static void map_lps(void)
{
    tw_lpid local = 0;
    for (tw_kpid k = 0; k < g_tw_nkp; k++) {
        tw_kp_onpe(k, g_tw_pe);
    }
    for (tw_lpid gid = total_lps; gid-- > 0;) {
        if (rank_of(gid) == g_tw_mynode) {
            tw_lp_onpe(local, g_tw_pe, gid);
            tw_lp_onkp(g_tw_lp[local], g_tw_kp[local % g_tw_nkp]);
            local++;
        }
    }
}

static tw_lp *local_of(tw_lpid gid)
{
    if (rank_of(gid) != g_tw_mynode) {
        tw_error(TW_LOC, "the function for local LPs is asked for LP %" PRIu64 " of rank %lu", gid,
                 rank_of(gid));
    }
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        if (g_tw_lp[i]->gid == gid) {
            return g_tw_lp[i];
        }
    }
    return NULL;
}

/* ---- Set-up ---------------------------------------------------------------------------------- */

static tw_lptype type = {.init = init,
                         .event = forward,
                         .revent = reverse,
                         .map = rank_of,
                         .state_sz = sizeof(struct state)};

static const tw_optdef options[] = {
    TWOPT_GROUP("cuts"),
    TWOPT_UINT("lps", total_lps, "LPs on all ranks"),
    TWOPT_FLAG("custom", custom, "CUSTOM mapping"),
    TWOPT_DOUBLE("hook-at", hook_at, "call the hook at multiples of this time; 0: do not"),
    TWOPT_UINT("hook-every", hook_every, "call the hook at each Nth GVT; 0: do not"),
    TWOPT_UINT("hook-now", hook_now,
               "LPs ask for the hook in each Nth of their own events; 0: do not"),
    TWOPT_END(),
};

static void types_set(void)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &type);
    }
}

static const tw_lp_moves moves = {.arrive = types_set};

static void set_hook(void)
{
    g_tw_gvt_hook = hook;
    if (hook_at > 0.0) {
        tw_trigger_gvt_hook_at(hook_at);
    } else if (hook_every > 0) {
        tw_trigger_gvt_hook_every((int)hook_every);
    } else if (hook_now > 0) {
        tw_trigger_gvt_hook_when_model_calls();
    }
}

int main(int argc, char **argv)
{
    g_tw_ts_end = 40.0;
    g_tw_lookahead = 0.125;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    const tw_lpid ranks = tw_nnodes(), rank = g_tw_mynode;
    tw_lpid count = total_lps / ranks + (rank < total_lps % ranks ? 1 : 0);
    if (custom != 0) {
        g_tw_mapping = CUSTOM;
        g_tw_custom_initial_mapping = map_lps;
        g_tw_custom_lp_global_to_local_map = local_of;
        count = 0;
        for (tw_lpid gid = 0; gid < total_lps; gid++) {
            count += rank_of(gid) == rank;
        }
    } else {
        (void)tw_lp_map_allow();
        tw_lp_map_moves(&moves);
    }
    tw_define_lps(count, sizeof(struct message));
    types_set();
    st_lptype_name(&type, "cuts");
    set_hook();
    tw_run();
    tw_end();
    return 0;
}
