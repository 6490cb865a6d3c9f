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

/* SIGHUP, which several processes may send for one closed terminal, and SIGXCPU, which the system
 * sends every second, never kill. */
static void note_end(int number)
{
    struct run_signals *s = &g_run.signals;
    uint64_t now_ns = clock_monotonic_ns();
    bool first = g_tw_signal == 0;
    bool insists =
        (number == SIGINT && s->interrupted) ||
        ((number == SIGTERM || number == SIGQUIT) && !first && now_ns - s->first_ns > PATIENCE_NS);
    s->interrupted |= number == SIGINT;
    if (first) {
        s->first_ns = now_ns;
        g_tw_signal = number;
    } else if (insists) {
        kill_by(number);
    }
}

static void note_request(int number)
{
    struct run_signals *s = &g_run.signals;
    struct request *r = number == SIGUSR1 ? &s->status : &s->checkpoint;
    r->came++;
}

/* A handler that is there before ours stays, unless ours replaces it; so does what is ignored, as
 * SIGHUP is under nohup. */
static const struct {
    int number;
    void (*handler)(int);
    bool replaces_handler;
    bool replaces_ignored; /* shells ignore SIGINT and SIGQUIT for what runs in the background */
} watched[] = {
    {SIGINT, note_end, true, true},        {SIGTERM, note_end, true, true},
    {SIGHUP, note_end, true, false},       {SIGQUIT, note_end, false, true},
    {SIGXCPU, note_end, false, false},     {SIGUSR1, note_request, false, false},
    {SIGUSR2, note_request, false, false},
};
_Static_assert(sizeof watched / sizeof *watched == RUN_SIGNALS, "one old action each");

void signals_watch(void)
{
    for (int i = 0; i < RUN_SIGNALS; i++) {
        struct sigaction *before = &g_run.old_actions[i];
        struct sigaction action = {.sa_handler = watched[i].handler};
        sigemptyset(&action.sa_mask);
        action.sa_flags = watched[i].handler == note_request ? SA_RESTART : 0;
        sigaction(watched[i].number, NULL, before);
        bool ignored = before->sa_handler == SIG_IGN;
        if (before->sa_handler == SIG_DFL ||
            (ignored ? watched[i].replaces_ignored : watched[i].replaces_handler)) {
            sigaction(watched[i].number, &action, NULL);
        }
    }
}

void signals_unwatch(void)
{
    for (int i = 0; i < RUN_SIGNALS; i++) {
        struct sigaction now = {0};
        sigaction(watched[i].number, NULL, &now);
        if (now.sa_handler == watched[i].handler) { /* else the model's, which it set since */
            sigaction(watched[i].number, &g_run.old_actions[i], NULL);
        }
    }
}
