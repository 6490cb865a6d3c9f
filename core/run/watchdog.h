/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watchdog.h - prints a warning on stderr if the run stalls: one event takes too long, or GVT does
 * not advance.
 *
 * A thread on each rank regularly reads the PE's counters, without slowing down the simulation's
 * thread. The watchdog thread blocks all signals, calls neither MPI nor stdio, and allocates no
 * memory. Values may change while the thread reads them, but a warning concerns only values that
 * have not changed for a long time.
 *
 * A warning appears when a stall has lasted for --stall-warning, and again whenever its duration
 * has doubled. Time in which the whole process stands still, for example in a debugger, does not
 * count. Stalls of GVT are reported by rank 0, and by other ranks that hold back GVT.
 *
 * When GVT has not advanced for --stall-limit, the thread sets g_run.gives_up, and the simulation's
 * thread ends the run (engine/process/error.c). Ranks do this one after another, half a second
 * apart, so that the first rank notifies the others before they give up themselves. The
 * simulation's thread may fail to react, because it is in an event or a call of MPI that does not
 * return. The watchdog thread then ends the process.
 */
#ifndef WARPSCOPE_RUN_WATCHDOG_H
#define WARPSCOPE_RUN_WATCHDOG_H

#include <pthread.h>

#include "engine/pe/pe.h"

struct watchdog {
    const struct pe *pe;
    double limit_s; /* duration of a stall until the first warning, in seconds; 0: no warnings */
    double stop_s;  /* duration of a stall until the end of the run, in seconds; 0: no limit */
    bool running;   /* true while the thread runs */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool ends; /* true if the thread must end; protected by the lock */
};

/* Starts the watchdog. Call it when execution begins. limit_s, stop_s: see struct watchdog. If no
 * thread can be created, the watchdog has no effect. */
void watchdog_start(struct watchdog *w, const struct pe *pe, double limit_s, double stop_s);
void watchdog_stop(struct watchdog *w);

#endif
