/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * child.h - finds and runs another program on behalf of this one, and takes over its exit status.
 */
#ifndef WARPSCOPE_READER_CLI_CHILD_H
#define WARPSCOPE_READER_CLI_CHILD_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Stores in `out` the path of the program `name`, an executable file other than `self` (NULL: any).
 * A name without a slash is searched in a list of directories, separated by ':'; an empty one stands
 * for the current directory. list: NULL if there are none. Returns false if there is no program. */
bool ws_program_find(const char *name, const char *list, const char *self, char out[PATH_MAX]);

/*
 * Runs a program to its end. argv[0]: name of the program, searched in PATH. Passes SIGTERM and
 * SIGHUP on to the program. SIGINT and SIGQUIT need not be passed on: the terminal sends them to
 * both processes. Sets *status as waitpid() does. Returns 0 or an errno value.
 */
int ws_child_run(char *const argv[], int *status);

/* Returns the exit status of a program, given the value that ws_child_run() stored in *status. If a
 * signal ended the program, ends this process by the same signal. */
int ws_child_status(int status);

/* Prints the first `length` bytes of a word, in quotes if a shell needs them, or if the word is empty or looks
 * like an option. */
void ws_shell_print(FILE *out, const char *word, size_t length);

#endif
