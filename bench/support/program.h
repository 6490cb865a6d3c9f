/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.h - runs other programs for the benchmarks: command lines, output, time limits.
 *
 * The started program (the child) gets its own process group and does not outlive the benchmark. If
 * SIGINT, SIGTERM, SIGHUP or SIGQUIT is to end the benchmark, the child is ended first. If the
 * benchmark is killed, the kernel sends SIGTERM to the child. When the child has ended, the rest of
 * its process group is killed. The output of the child goes to memory, so that no file can be left
 * behind.
 */
#ifndef WARPSCOPE_BENCH_SUPPORT_PROGRAM_H
#define WARPSCOPE_BENCH_SUPPORT_PROGRAM_H

#include <stddef.h>

#define PROGRAM_ARGS_MAX  64
#define PROGRAM_TEXT_SIZE 1024

/* A command line. program_add() adds one formatted argument. Zero-initialise. */
struct program_args {
    size_t n;
    char *arg[PROGRAM_ARGS_MAX + 1];
};

void program_add(struct program_args *args, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds an argument for each word of text; words are separated by blanks. */
void program_add_words(struct program_args *args, const char *text);

enum program_outcome { PROGRAM_FINE, PROGRAM_FAILED, PROGRAM_TIMEOUT };

/* Runs the command for at most limit_s seconds (0: unlimited) and frees its arguments. *output
 * receives its output, which the caller frees. Its stderr is that of this program. */
enum program_outcome program_try(struct program_args *args, unsigned limit_s, char **output);

/* Like program_try(), for a command that must succeed: returns its output. Otherwise ends this
 * program with status 1 and prints the command. */
char *program_output(struct program_args *args);

/* Creates a directory in `parent` ("": $TMPDIR, or /tmp). It is removed, with its contents, when
 * this program ends, by a signal as well. Must be called at most once. Returns its name. */
const char *program_make_folder(const char *parent);
/* Removes the contents of the directory from program_make_folder(). */
void program_empty_folder(void);

/* Returns the sum of the numbers after each "key": in JSON text; 0 if there is none. */
double program_sum(const char *json, const char *key);
/* Returns the number after the first "key": in JSON text. Ends the program if there is none. */
double program_number(const char *json, const char *key);

#endif
