/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * child.h - runs a program in the place of this one, and takes over its exit status.
 */
#ifndef WARPSCOPE_READER_CLI_CHILD_H
#define WARPSCOPE_READER_CLI_CHILD_H

/*
 * Runs a program to its end; argv[0] is searched in PATH. SIGTERM and SIGHUP are handed on to it;
 * SIGINT and SIGQUIT come from the terminal to both. Sets *status to what waitpid() gives. Returns
 * 0 or an error number.
 */
int ws_child_run(char *const argv[], int *status);

/* Returns the exit status of a program. If a signal has ended it, the same signal ends this one. */
int ws_child_status(int status);

#endif
