/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watchdog.h - warns on stderr of stalls: one event takes too long, or GVT does not advance.
 *
 * A thread on each rank regularly reads the PE's counters, without slowing down the simulation's
 * thread. The watchdog thread blocks all signals, calls neither MPI nor stdio, and allocates
 * nothing. Values may change while it reads them, but a warning concerns only values that have not
 * changed for long.
 *
 * A warning appears when a stall has lasted for the limit, and again whenever its duration has
 * doubled. Time in which the whole process stands still, for example in a debugger, does not count.
 * Stalls of GVT are reported by rank 0, and by other ranks that hold back GVT.
 *
 * --stall-limit: when GVT has stood for that long, the thread sets g_run.gives_up, and the
 * simulation's thread ends the run (engine/process/error.c). Ranks do this one after another, half
 * a second apart, so that the first one notifies the others before they give up themselves. If the
 * simulation's thread does not react, because it is in an event or in a call of MPI that does not
 * return, the watchdog ends the process.
 */
#ifndef WARPSCOPE_RUN_WATCHDOG_H
#define WARPSCOPE_RUN_WATCHDOG_H

#include <pthread.h>

#include "engine/pe/pe.h"

struct watchdog {
    const struct pe *pe;
    double limit_s; /* seconds until a warning; 0: no warnings */
    double stop_s;  /* seconds until the end of the run; 0: no limit */
    bool running;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool ends; /* true if the thread must end; protected by the lock */
};

/* Starts the watchdog when execution begins. limit_s: seconds until the first warning; 0: no
 * warnings. stop_s: seconds until the end of the run; 0: no limit. If no thread can be created, the
 * watchdog is off. */
void watchdog_start(struct watchdog *w, const struct pe *pe, double limit_s, double stop_s);
void watchdog_stop(struct watchdog *w);

#endif
