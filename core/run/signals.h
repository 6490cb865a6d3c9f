/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signals.h - effects of signals on a run. Signal handlers only note the signal; the next GVT
 * computation passes it on to all ranks.
 *
 * SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU end the run in order: the first of them sets
 * g_tw_signal. timeout(1), job schedulers and launchers send several in quick succession, so
 * further ones have no effect, with two exceptions that end the program at once: a second SIGINT,
 * and a SIGTERM or SIGQUIT more than 5 s after the first signal.
 *
 * SIGUSR1 requests the status, SIGUSR2 a checkpoint; see engine/process/request.h.
 */
#ifndef WARPSCOPE_RUN_SIGNALS_H
#define WARPSCOPE_RUN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Installs the handlers. Existing handlers of the program for SIGQUIT, SIGXCPU, SIGUSR1 and SIGUSR2
 * stay. */
void signals_watch(void);
/* Restores the previous handlers, except where the model has since replaced the handler of
 * signals_watch(). */
void signals_unwatch(void);

/* Returns true if the handler of this action is a function of the MPI library, or of UCX, which MPI
 * libraries use for communication. MPICH handles SIGUSR1, to learn of failed processes from
 * launchers that do not kill the others; UCX handles crashes. */
bool signals_is_of_mpi(const struct sigaction *action);

#endif
