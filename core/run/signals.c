/* SPDX-License-Identifier: BSD-3-Clause */
/* signals.c - see signals.h. A signal handler may run in any thread, between any two
 * instructions. */
#define _GNU_SOURCE /* required for dladdr() */
#include "run/signals.h"

#include <dlfcn.h>
#include <string.h>

#include "base/clock.h"
#include "engine/pe/pe.h"
#include "engine/process/run.h"

/* SIGTERM and SIGQUIT end the program at once if they come more than this time after the first
 * signal, in nanoseconds. */
#define PATIENCE_NS 5000000000u

static void kill_by(int number)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
    raise(number); /* the signal takes effect when this handler returns */
}

/* Stores that a signal that ends the run has come. Ends the program at once in the two cases that
 * signals.h describes. SIGHUP and SIGXCPU never end the program: several processes may send SIGHUP
 * for one closed terminal, and the system sends SIGXCPU every second. */
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
        if (pe_self() != NULL) {
            pe_self()->batch_most = 1; /* the batch ends after the current event */
        }
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

/* The handled signals. */
static const struct {
    int number;
    void (*handler)(int);
    bool replaces_handler; /* true: the handler also replaces one that the program has set */
    /* true: the handler also replaces SIG_IGN. Shells ignore SIGINT and SIGQUIT in background jobs;
     * under nohup, SIGHUP must stay ignored. */
    bool replaces_ignored;
} watched[] = {
    {SIGINT, note_end, true, true},        {SIGTERM, note_end, true, true},
    {SIGHUP, note_end, true, false},       {SIGQUIT, note_end, false, true},
    {SIGXCPU, note_end, false, false},     {SIGUSR1, note_request, false, false},
    {SIGUSR2, note_request, false, false},
};
_Static_assert(sizeof watched / sizeof *watched == RUN_SIGNALS, "one old action each");

bool signals_is_of_mpi(const struct sigaction *action)
{
    Dl_info handler, mpi, program;
    if (dladdr((void *)(uintptr_t)action->sa_handler, &handler) == 0 ||
        dladdr((void *)(uintptr_t)MPI_Finalize, &mpi) == 0 ||
        dladdr((void *)(uintptr_t)signals_is_of_mpi, &program) == 0) {
        return false;
    }
    return (handler.dli_fbase == mpi.dli_fbase && mpi.dli_fbase != program.dli_fbase) ||
           strstr(handler.dli_fname, "/libucs.so") != NULL;
}

void signals_watch(void)
{
    for (int i = 0; i < RUN_SIGNALS; i++) {
        struct sigaction *before = &g_run.old_actions[i];
        struct sigaction action = {.sa_handler = watched[i].handler};
        sigemptyset(&action.sa_mask);
        action.sa_flags = watched[i].handler == note_request ? SA_RESTART : 0;
        sigaction(watched[i].number, NULL, before);
        bool ignored = before->sa_handler == SIG_IGN;
        if (before->sa_handler == SIG_DFL || (!ignored && signals_is_of_mpi(before)) ||
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
        /* The condition is false if the model has since set its own handler. */
        if (now.sa_handler == watched[i].handler) {
            sigaction(watched[i].number, &g_run.old_actions[i], NULL);
        }
    }
}
