/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events.c - a model that works on its pending events and looks up its parts, in g_tw_gvt_hook.
 *
 *     mpicc -o events events.c $(pkg-config --cflags --libs warpscope)
 *     ./events --synch=3 --end=20
 */
#include "ross.h"

#define LPS 8

static void init(void *state, tw_lp *lp)
{
    (void)state;
    tw_rand_init_streams(lp, g_tw_nRNG_per_lp, 0); /* again: the engine has done so */
    tw_event_send(tw_event_new(lp->gid, tw_rand_exponential(lp->rng, 1.0), lp));
}

static void forward(void *state, tw_bf *bf, void *message, tw_lp *lp)
{
    (void)bf, (void)message;
    ++*(long *)state;
    if (tw_now_sig(lp).priority < 0.01) {
        st_flight_save("an urgent event"); /* keeps the last records of --buffer-overwrite */
    }
    tw_lpid to = tw_rand_ulong(lp->rng, 0, g_tw_total_lps - 1);
    double after = 0.5 + tw_rand_exponential(lp->rng, 1.0);
    tw_event_send(tw_event_new_user_prio(to, after, lp, tw_rand_unif(lp->rng)));
}

static tw_lptype type = {.init = init, .event = forward, .state_sz = sizeof(long)};

/* Chooses the events of the LP that ctx names. */
static tw_event_choice choose(void *ctx, tw_event *event)
{
    return event->dest_lp->gid == *(tw_lpid *)ctx ? TW_EVENT_MOVES : TW_EVENT_STAYS;
}

/* Halts LP 0 for 5 units of time: its events come so much later. */
static void halt_one(tw_pe *pe)
{
    tw_lpid lp = 0;
    tw_settle_at_gvt(pe); /* has no effect in a call "at a time" */
    size_t n = tw_withdraw_events(pe, choose, &lp);
    size_t back = tw_reinject_events(pe, NULL, NULL, 5.0);
    printf("%zu events withdrawn, %zu reinjected\n", n, back);
}

/* As models for ROSS do it: takes all events off the queue, drops those of LP 1, and puts the others back. */
static void drop_some(tw_pe *pe)
{
    tw_event *event, *kept = NULL;
    tw_scheduler_rollback_and_cancel_events_pe(pe);
    while ((event = tw_pq_dequeue(pe->pq)) != NULL) {
        tw_hash_remove(pe->hash_t, event, (long)event->send_pe);
        event->prev = kept;
        kept = event;
    }
    while ((event = kept) != NULL) {
        kept = event->prev;
        event->prev = NULL;
        if (event->dest_lp->gid == 1) {
            tw_event_free(pe, event);
        } else {
            tw_hash_insert(pe->hash_t, event, (long)event->send_pe);
            tw_pq_enqueue(pe->pq, event);
        }
    }
    tw_kp_put_back_output_buffer(NULL); /* the last two have no effect */
    buddy_free(NULL);
}

/* Called at time 10, and at the end. */
static void at_gvt(tw_pe *pe, bool nothing_left)
{
    long sum = 0, kps = 0;
    tw_event_sig zero = {.recv_ts = 0.0};
    assert(tw_getpe(0) == pe && !tw_gvt_inprogress(pe));
    for (tw_lp *lp = NULL; (lp = tw_lp_next_onpe(lp, pe)) != NULL;) {
        sum += *(long *)lp->cur_state;
    }
    assert(tw_getlocal_lp(g_tw_lp[0]->gid) == tw_getlp(0) && tw_getkp(0) == g_tw_kp[0]);
    for (tw_kp *kp = NULL; (kp = tw_kp_next_onpe(kp, pe)) != NULL;) {
        kps++;
    }
    if (tw_event_sig_compare_ptr(&pe->GVT_sig, &zero) > 0) {
        printf("GVT %g: %ld events in %ld KPs, after %.3f s\n", pe->GVT, sum, kps,
               (double)tw_clock_now(pe) / (double)g_tw_clock_rate);
    }
    if (!nothing_left) {
        halt_one(pe);
        drop_some(pe);
    }
}

int main(int argc, char **argv)
{
    tw_event_sig ten = {.recv_ts = 10.0};
    tw_init(&argc, &argv);
    tw_ask_memory("a table of the example", 1e6); /* in bytes; ends the run if it is not there */
    g_tw_lp_types = &type;
    g_tw_lp_typemap = map_onetype;
    tw_define_lps(LPS, 8);
    tw_lp_setup_types();
    g_tw_gvt_hook = at_gvt;
    tw_trigger_gvt_hook_at_event_sig(ten); /* as tw_trigger_gvt_hook_at(10.0) */
    if (argc > 1) {
        tw_opt_print();
    }
    tw_net_barrier(); /* all ranks have come so far */
    tw_run();
    tw_end();
    return 0;
}
