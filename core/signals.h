/*
 * signals.h - what a run does on signals. The handlers only note what has come; the next GVT
 * computation passes it on to all ranks.
 *
 * SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU end the run in order: the first of them sets
 * g_tw_signal. timeout(1), schedulers and launchers send several close together, so further ones
 * change nothing, with two exceptions that end the program at once: a second SIGINT, and a SIGTERM
 * or SIGQUIT more than 5 s after the first signal.
 *
 * SIGUSR1 asks for the status, SIGUSR2 for a checkpoint; see engine/request.h.
 */
#ifndef WARPSCOPE_SIGNALS_H
#define WARPSCOPE_SIGNALS_H

/* A handler that the program has for SIGQUIT, SIGXCPU, SIGUSR1 or SIGUSR2 stays. */
void signals_watch(void);
/* What they did before is done again, but where the model has changed it since. */
void signals_unwatch(void);

#endif
