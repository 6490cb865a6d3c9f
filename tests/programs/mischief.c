/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mischief - a model that makes one mistake, chosen by --mistake, at time 10 on one LP of the last
 * rank. For tests of the engine's messages.
 */
#include <signal.h>
#include <unistd.h>

#include "engine/probe.h"

struct message {
    uint64_t tokens;
};

static char mistake[32] = "none";
static unsigned int n_lps = 4; /* per rank */
static unsigned int message_kib = 0;
static unsigned int burst = 0;

static int is(const char *name)
{
    return strcmp(mistake, name) == 0;
}

static void send(tw_lp *lp, tw_lpid dest, double offset)
{
    tw_event *event = tw_event_new(dest, offset, lp);
    ((struct message *)tw_event_data(event))->tokens = 1;
    tw_event_send(event);
}

static void init(void *state, tw_lp *lp)
{
    (void)state;
    send(lp, lp->gid, 0.5 + 0.001 * (double)lp->gid);
}

/* The mistake as an observer: in the library "spy.so", or in the observer that calls it; --mistake
 * decides which. */
static void err_as_observer(tw_lp *lp)
{
    tw_event *event = tw_event_new(lp->gid, 1.0, lp);
    probe_observer_enter("outer.so");
    probe_observer_enter("spy.so");
    if (is("observer-event")) {
        send(lp, lp->gid, 1.0);
    } else if (is("observer-send")) {
        tw_event_send(event);
    } else if (is("observer-output")) {
        tw_output(lp, "here\n");
    } else if (is("observer-draw")) {
        tw_rand_unif(lp->rng);
    } else if (is("observer-normal")) { /* second deviate of a pair, which draws nothing */
        unsigned int calls;
        tw_rand_normal01(lp->rng, &calls);
    }
    probe_observer_leave();
    if (is("observer-outer")) {
        send(lp, lp->gid, 1.0);
    }
    probe_observer_leave();
    tw_event_send(event); /* --mistake=observer makes no mistake */
}

static void err(tw_lp *lp)
{
    if (strncmp(mistake, "observer", 8) == 0) {
        unsigned int calls;
        tw_rand_normal01(lp->rng, &calls);
        err_as_observer(lp);
        return;
    }
    if (is("negative")) {
        send(lp, lp->gid, -1.0);
    } else if (is("nan")) {
        send(lp, lp->gid, (double)NAN);
    } else if (is("infinite")) {
        send(lp, lp->gid, (double)INFINITY);
    } else if (is("dest")) {
        send(lp, g_tw_total_lps + 7, 1.0);
    } else if (is("prio")) {
        tw_event_send(tw_event_new_user_prio(lp->gid, 1.0, lp, 1.5));
    } else if (is("lookahead")) {
        send(lp, 0, 0.125);
    } else if (is("short")) {
        send(lp, 0, 0.4375);
    } else if (is("twice")) {
        tw_event *event = tw_event_new(lp->gid, 1.0, lp);
        tw_event_send(event);
        tw_event_send(event);
    } else if (is("sender")) {
        send(tw_getlp(0), lp->gid, 1.0);
    } else if (is("tw_error")) {
        tw_error(TW_LOC, "the model says %d", 42);
    } else if (is("kill")) {
        kill(getpid(), SIGKILL);
    }
}

static void event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    if (is("chain") && tw_now(lp) > 10.0 && lp->gid == g_tw_total_lps - 1) {
        send(lp, lp->gid, 0.0);
        return;
    }
    if (tw_now(lp) > 10.0 && lp->gid == g_tw_total_lps - 1) {
        err(lp);
    }
    for (unsigned i = 0; i < burst; i++) {
        send(lp, lp->gid, 1000.0 + i);
    }
    send(lp, lp->gid ^ 1, 1.0);
}

static void reverse(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    (void)lp;
}

static tw_lptype type = {.init = init, .event = event, .revent = reverse, .state_sz = 8};

/* Sets wrong values directly, past the checks of options. */
static void set_globals(void)
{
    if (is("global-end")) {
        g_tw_ts_end = (double)NAN;
    } else if (is("global-batch")) {
        g_tw_mblock = 0;
    } else if (is("global-synch")) {
        g_tw_synchronization_protocol = (tw_synch)9;
    } else if (is("define-twice")) {
        tw_define_lps(n_lps, sizeof(struct message));
    }
}

/* After tw_end() the same rules hold as before tw_init(). */
static void call_late(void)
{
    if (is("late-pe_settype")) {
        tw_pe_settype(NULL);
    } else if (is("late-run")) {
        tw_run();
    } else if (is("late-end")) {
        tw_end();
    }
}

static const tw_optdef options[] = {
    TWOPT_GROUP("mischief"),
    TWOPT_CHAR("mistake", mistake, "which one"),
    TWOPT_UINT("lps", n_lps, "LPs per rank"),
    TWOPT_UINT("message-kib", message_kib, "size of a message"),
    TWOPT_UINT("burst", burst, "extra events that each event sends into the far future"),
    TWOPT_END(),
};

int main(int argc, char **argv)
{
    g_tw_ts_end = 100.0;
    g_tw_lookahead = 0.5;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    if (is("global-nkp")) {
        g_tw_nkp = 0;
    }
    if (is("rounding")) {
        g_tw_lookahead = 1e-17;
    }
    if (is("global-core-streams")) {
        g_tw_nRNG_core_per_lp = 0;
    }
    if (is("handler")) {
        type.event = NULL;
    }
    if (!is("no-lps")) {
        tw_define_lps(n_lps, sizeof(struct message) + ((size_t)message_kib << 10));
    }
    for (tw_lpid i = 0; i < g_tw_nlp && !is("no-type"); i++) {
        tw_lp_settype(i, &type);
    }
    set_globals();
    tw_run();
    if (is("run-twice")) {
        tw_run();
    }
    tw_end();
    call_late();
    return 0;
}
