/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crash.h - reports of crashes in the model: SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT.
 *
 * A line on stderr names the LP and the event whose handler was running, and the command that
 * completes the recording. The signal then has its previous effect: a core dump, or MPI's own
 * message. The handler only calls write(2), on its own stack. No cost per event.
 *
 * A handler of the program stays, unless it serves a single signal (SA_RESETHAND): such a handler
 * does not continue the program, and runs after this one.
 */
#ifndef WARPSCOPE_RUN_CRASH_H
#define WARPSCOPE_RUN_CRASH_H

/* Notes the signal handlers that the program has set. Call it before MPI is initialised, since MPI
 * may set handlers. */
void crash_see_handlers(void);
/* Installs the handlers. Call it from the simulation's thread when the PE exists. */
void crash_watch(void);
/* Restores the previous handlers, except those that the model has replaced since. */
void crash_unwatch(void);

#endif
