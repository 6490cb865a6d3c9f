/*
 * watchdog.h - says on stderr when a run does not get on: one event takes too long, or GVT does not
 * move.
 *
 * A thread of each rank looks at the PE's counters now and then; the simulation's thread does
 * nothing for it. The thread blocks all signals, calls neither MPI nor stdio, and allocates
 * nothing. What it reads may change meanwhile: a warning is about what has not changed for long.
 *
 * Each stall is told when it has lasted for the limit, and again whenever that has doubled. Time in
 * which the whole process stands still, in a debugger for instance, does not count. Rank 0 tells of
 * GVT, and other ranks that hold it back.
 */
#ifndef WARPSCOPE_WATCHDOG_H
#define WARPSCOPE_WATCHDOG_H

#include <pthread.h>

#include "engine/pe.h"

struct watchdog {
    const struct pe *pe;
    double limit_s;
    bool running;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool ends; /* under the lock */
};

/* Starts when events begin to be executed. 0 seconds: there is none. Without a thread to be had
 * nothing is told. */
void watchdog_start(struct watchdog *w, const struct pe *pe, double limit_s);
void watchdog_stop(struct watchdog *w);

#endif
