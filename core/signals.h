/*
 * signals.h - SIGINT, SIGTERM and SIGHUP end a run in order: the first sets g_tw_signal, which the
 * next GVT computation passes on to all ranks.
 *
 * timeout(1), schedulers and launchers send several signals close together, so further ones change
 * nothing, with two exceptions that end the program at once: a second SIGINT, and a SIGTERM more
 * than 5 s after the first signal.
 */
#ifndef WARPSCOPE_SIGNALS_H
#define WARPSCOPE_SIGNALS_H

void signals_watch(void);
/* What they did before is done again. */
void signals_unwatch(void);

#endif
