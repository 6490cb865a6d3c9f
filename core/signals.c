/* signals.c - see signals.h. */
#include "signals.h"

#include <signal.h>

#include "engine/pe.h"
#include "engine/run.h"

static void note_signal(int number)
{
    g_tw_signal = number;
}

void signals_watch(void)
{
    struct sigaction action = {.sa_handler = note_signal};
    struct sigaction before = {0};
    sigemptyset(&action.sa_mask);
    action.sa_flags = (int)SA_RESETHAND; /* the second one ends us at once */
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
