/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crash.h - reports of crashes in the model: SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT.
 *
 * A line on stderr names the LP and the event whose handler was running, and the command that
 * completes the recording. The signal then has the effect that it would have without the report: a
 * core dump, or MPI's own message. The signal handler only calls write(2), and has its own stack.
 * Events have no additional cost.
 *
 * If the program has its own handler for a signal, that handler stays installed, and the crash is
 * not reported. Exception: a handler that serves a single signal (SA_RESETHAND) runs after the
 * report, since it does not let the program continue.
 */
#ifndef WARPSCOPE_RUN_CRASH_H
#define WARPSCOPE_RUN_CRASH_H

/* Stores for which signals the program has its own handler. Call it before MPI is initialised,
 * since MPI may set handlers. */
void crash_see_handlers(void);
/* Installs the handlers for crash signals. Call it in the simulation's thread when the PE
 * exists. */
void crash_watch(void);
/* Restores the previous handlers, except where the model has replaced a handler after
 * crash_watch(). */
void crash_unwatch(void);

#endif
