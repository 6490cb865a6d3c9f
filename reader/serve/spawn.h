/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn.h - programs that "warpscope serve" starts and does not wait for. */
#ifndef WARPSCOPE_READER_SERVE_SPAWN_H
#define WARPSCOPE_READER_SERVE_SPAWN_H

#include <sys/types.h>

/* Starts a program with an environment, without standard input, and in a process group of its own, so that
 * Ctrl-C does not reach it. out: descriptor for its standard output; -1: it goes to standard error. Returns
 * its process id, for waitpid(); -1, and sets errno, on failure. */
pid_t serve_spawn(const char *path, char *const argv[], char *const environment[], int out);

#endif
