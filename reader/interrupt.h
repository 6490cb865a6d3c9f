/*
 * interrupt.h - ending in order on Ctrl-C and the like, without a signal handler: the signals wait
 * while a command has something to clean up, and it asks for them from time to time.
 */
#ifndef WARPSCOPE_READER_INTERRUPT_H
#define WARPSCOPE_READER_INTERRUPT_H

#include <signal.h>

struct ws_interrupt {
    sigset_t before; /* signals that waited before */
};

/* SIGINT, SIGTERM and SIGHUP wait from now on, but for those that are ignored. */
void ws_interrupt_hold(struct ws_interrupt *interrupt);
/* Is one of them waiting? */
int ws_interrupt_waits(void);
/* They come again: one that waited takes effect now. */
void ws_interrupt_release(const struct ws_interrupt *interrupt);

#endif
