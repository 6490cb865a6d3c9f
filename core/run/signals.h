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

#endif
