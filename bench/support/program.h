/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.h - runs other programs for benchmarks: command lines, output, time limits.
 *
 * timeout(1) starts each program (the child) in its own process group and limits its time. The
 * child does not outlive the benchmark: if the benchmark ends, by a signal or otherwise, the kernel
 * sends SIGTERM to timeout, which passes it on. When the child has ended, the rest of its process
 * group is killed. The output of the child goes to memory, so that no file can be left behind.
 */
#ifndef WARPSCOPE_BENCH_SUPPORT_PROGRAM_H
#define WARPSCOPE_BENCH_SUPPORT_PROGRAM_H

#include <stddef.h>

#define PROGRAM_ARGS_MAX  64
#define PROGRAM_TEXT_SIZE 1024

/* A command line. Initialise it with zeros. */
struct program_args {
    size_t n;                        /* number of arguments */
    char *arg[PROGRAM_ARGS_MAX + 1]; /* owned; NULL-terminated */
};

/* Adds one argument, formatted as by printf(). */
void program_add(struct program_args *args, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Formats text like program_add(), and adds each of its words as an argument; words are separated by
 * blanks. */
void program_add_words(struct program_args *args, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

enum program_outcome { PROGRAM_FINE, PROGRAM_FAILED, PROGRAM_TIMEOUT };

/* Runs the command for at most limit_s seconds (0: unlimited) and frees the arguments. Sets *output
 * to the standard output of the command, a string that the caller frees. The command shares this
 * program's standard error. */
enum program_outcome program_try(struct program_args *args, unsigned limit_s, char **output);

/* Like program_try() without a limit, but returns the output. If the command fails, prints the
 * command and ends this program with status 1. */
char *program_output(struct program_args *args);

/* Creates a directory in `parent` ("": in $TMPDIR, or /tmp) and returns its path. The directory is
 * removed with its contents when this program ends, even by a signal. Call this function at most
 * once. */
const char *program_make_folder(const char *parent);
/* Removes the contents of the directory that program_make_folder() created. */
void program_empty_folder(void);

/* Returns the sum of the values of all members named `key` in a JSON text; 0 if there are none. */
double program_sum(const char *json, const char *key);
/* Returns the value of the first member named `key` in a JSON text. If there is none, ends the
 * program with status 1. */
double program_number(const char *json, const char *key);

#endif
