/* signals.c - see signals.h. Handlers may run in any thread, between any two instructions. */
#include "signals.h"

#include <signal.h>

#include "base/clock.h"
#include "engine/pe.h"
#include "engine/run.h"

#define PATIENCE_NS 5000000000u /* from the first signal on: then SIGTERM kills */

static void kill_by(int number)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
    raise(number); /* taken when the handler returns */
}

/* SIGHUP, which several processes may send for one closed terminal, never kills. */
static void note_end(int number)
{
    struct run_signals *s = &g_run.signals;
    uint64_t now_ns = clock_monotonic_ns();
    bool first = g_tw_signal == 0;
    bool insists = (number == SIGINT && s->interrupted) ||
                   (number == SIGTERM && !first && now_ns - s->first_ns > PATIENCE_NS);
    s->interrupted |= number == SIGINT;
    if (first) {
        s->first_ns = now_ns;
        g_tw_signal = number;
    } else if (insists) {
        kill_by(number);
    }
}

void signals_watch(void)
{
    struct sigaction action = {.sa_handler = note_end};
    struct sigaction before = {0};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &g_run.old_actions[0]);
    sigaction(SIGTERM, &action, &g_run.old_actions[1]);
    sigaction(SIGHUP, NULL, &before);
    g_run.old_actions[2] = before;
    if (before.sa_handler != SIG_IGN) { /* under nohup it stays ignored */
        sigaction(SIGHUP, &action, NULL);
    }
}

void signals_unwatch(void)
{
    sigaction(SIGINT, &g_run.old_actions[0], NULL);
    sigaction(SIGTERM, &g_run.old_actions[1], NULL);
    sigaction(SIGHUP, &g_run.old_actions[2], NULL);
}
