/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interrupt.h - orderly end after Ctrl-C and similar signals, without a signal handler. While a
 * command has something to clean up, the signals are blocked and the command polls for them.
 */
#ifndef WARPSCOPE_READER_CLI_INTERRUPT_H
#define WARPSCOPE_READER_CLI_INTERRUPT_H

#include <signal.h>

struct ws_interrupt {
    sigset_t before; /* signals that were blocked before ws_interrupt_hold() */
};

/* Blocks SIGINT, SIGTERM and SIGHUP, except those that are ignored. */
void ws_interrupt_hold(struct ws_interrupt *interrupt);
/* Returns the number of a pending signal, or 0. */
int ws_interrupt_waits(void);
/* Unblocks the signals. A pending signal takes effect now. */
void ws_interrupt_release(const struct ws_interrupt *interrupt);

#endif
