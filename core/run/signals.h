/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signals.h - effects of signals on a run. Signal handlers only store that the signal came; the
 * next GVT computation passes this on to all ranks.
 *
 * SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU end the run in an orderly way: the first of them
 * sets g_tw_signal. timeout(1), job schedulers and launchers send several signals in quick
 * succession, so further signals have no effect. Two exceptions end the program at once: a second
 * SIGINT, and a SIGTERM or SIGQUIT more than 5 s after the first signal.
 *
 * SIGUSR1 requests the status, SIGUSR2 a checkpoint; see engine/process/request.h.
 *
 * Crashes in the model (crash.c): SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT.
 * A line on stderr names the LP and the event whose handler was running, and the command that
 * completes the recording. The signal then has the effect that it would have without the report: a
 * core dump, or MPI's own message. The signal handler only calls write(2), and has its own stack.
 * Events have no additional cost.
 *
 * If the program has its own handler for a signal, that handler stays installed, and the crash is
 * not reported. Exception: a handler that serves a single signal (SA_RESETHAND) runs after the
 * report, since it does not let the program continue.
 */
#ifndef WARPSCOPE_RUN_SIGNALS_H
#define WARPSCOPE_RUN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Installs the signal handlers. The program's own handlers for SIGQUIT, SIGXCPU, SIGUSR1 and
 * SIGUSR2 stay installed. */
void signals_watch(void);
/* Restores the previous handlers, except where the model has replaced a handler after
 * signals_watch(). */
void signals_unwatch(void);

/* Returns true if the handler of the action is a function of the MPI library, or of UCX, which MPI
 * libraries use for communication. MPICH handles SIGUSR1, by which some launchers announce failed
 * processes; UCX handles crash signals. */
bool signals_is_of_mpi(const struct sigaction *action);

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
