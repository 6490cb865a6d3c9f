/*
 * signals.h - SIGINT, SIGTERM and SIGHUP end a run in order: they set g_tw_signal, which the next
 * GVT computation passes on to all ranks. A second one ends the program at once.
 */
#ifndef WARPSCOPE_SIGNALS_H
#define WARPSCOPE_SIGNALS_H

void signals_watch(void);
/* What they did before is done again. */
void signals_unwatch(void);

#endif
