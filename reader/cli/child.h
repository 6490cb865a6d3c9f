/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * child.h - runs another program on behalf of this one, and takes over its exit status.
 */
#ifndef WARPSCOPE_READER_CLI_CHILD_H
#define WARPSCOPE_READER_CLI_CHILD_H

/*
 * Runs a program to its end. argv[0]: name of the program, searched in PATH. Passes SIGTERM and
 * SIGHUP on to the program. SIGINT and SIGQUIT need not be passed on: the terminal sends them to
 * both processes. Sets *status as waitpid() does. Returns 0 or an errno value.
 */
int ws_child_run(char *const argv[], int *status);

/* Returns the exit status of a program, given the value that ws_child_run() stored in *status. If a
 * signal ended the program, ends this process by the same signal. */
int ws_child_status(int status);

#endif
