/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crash.h - reports of crashes in the model: SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT.
 *
 * A line on stderr names the LP and the event whose handler was running, and the command that
 * completes the recording. The signal then has its previous effect: a core dump, or MPI's own
 * message. The handler only calls write(2), on its own stack. No cost per event.
 *
 * A signal handler of the program stays installed, unless it serves a single signal (SA_RESETHAND).
 * Such a handler does not let the program continue, so it runs after the report.
 */
#ifndef WARPSCOPE_RUN_CRASH_H
#define WARPSCOPE_RUN_CRASH_H

/* Stores which signal handlers the program has set. Call it before MPI is initialised, since MPI
 * may set handlers. */
void crash_see_handlers(void);
/* Installs the handlers. Call it from the simulation's thread when the PE exists. */
void crash_watch(void);
/* Restores the previous handlers, except where the model has since replaced the handler of
 * crash_watch(). */
void crash_unwatch(void);

#endif
