/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interrupt.c - orderly end after Ctrl-C and similar signals; see interrupt.h.
 */
#include "cli/interrupt.h"

#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
#define N_SIGNALS (sizeof signals / sizeof signals[0])

void ws_interrupt_hold(struct ws_interrupt *interrupt)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < N_SIGNALS; i++) {
        struct sigaction action;
        if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            sigaddset(&set, signals[i]);
        }
    }
    sigprocmask(SIG_BLOCK, &set, &interrupt->before);
}

int ws_interrupt_waits(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigpending(&set);
    for (size_t i = 0; i < N_SIGNALS; i++) {
        if (sigismember(&set, signals[i]) == 1) {
            return signals[i];
        }
    }
    return 0;
}

void ws_interrupt_release(const struct ws_interrupt *interrupt)
{
    sigprocmask(SIG_SETMASK, &interrupt->before, NULL);
}
