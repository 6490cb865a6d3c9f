/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interrupt.h - orderly end after Ctrl-C and similar signals, without a signal handler. While a
 * command has something to clean up, it blocks the signals and polls for them.
 */
#ifndef WARPSCOPE_READER_CLI_INTERRUPT_H
#define WARPSCOPE_READER_CLI_INTERRUPT_H

#include <signal.h>

struct ws_interrupt {
    sigset_t before; /* signals that were blocked before the call of ws_interrupt_hold() */
};

/* Blocks SIGINT, SIGTERM and SIGHUP, except those that are ignored. */
void ws_interrupt_hold(struct ws_interrupt *interrupt);
/* Returns the number of a pending SIGINT, SIGTERM or SIGHUP; 0 if none of them is pending. */
int ws_interrupt_waits(void);
/* Unblocks the signals again, except those that were blocked before. A pending signal then takes
 * effect. */
void ws_interrupt_release(const struct ws_interrupt *interrupt);

#endif
