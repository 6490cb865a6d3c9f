/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watchdog.h - warns on stderr of stalls: one event takes too long, or GVT does not advance.
 *
 * A thread on each rank regularly reads the PE's counters; this costs the simulation's thread
 * nothing. The watchdog thread blocks all signals, calls neither MPI nor stdio, and allocates
 * nothing. Values may change while it reads them, but a warning concerns only values that have not
 * changed for long.
 *
 * A warning appears when a stall has lasted for the limit, and again whenever its duration has
 * doubled. Time in which the whole process stands still, for example in a debugger, does not count.
 * Stalls of GVT are reported by rank 0, and by other ranks that hold back GVT.
 */
#ifndef WARPSCOPE_RUN_WATCHDOG_H
#define WARPSCOPE_RUN_WATCHDOG_H

#include <pthread.h>

#include "engine/pe/pe.h"

struct watchdog {
    const struct pe *pe;
    double limit_s;
    bool running;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool ends; /* true if the thread must end; protected by the lock */
};

/* Starts the watchdog when execution begins. limit_s: seconds until the first warning; 0: no
 * watchdog. If no thread can be created, there are no warnings. */
void watchdog_start(struct watchdog *w, const struct pe *pe, double limit_s);
void watchdog_stop(struct watchdog *w);

#endif
