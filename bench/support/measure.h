/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure.h - functions shared by the benchmark programs: options, lists of numbers, time, medians,
 * runs of other programs.
 */
#ifndef WARPSCOPE_BENCH_SUPPORT_MEASURE_H
#define WARPSCOPE_BENCH_SUPPORT_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ross.h"

/* A program. support/main.c has main(): it reads the command line, calls run(), and flushes standard
 * output. A program that needs more defines its own main() instead. */
struct measure_program {
    const char *about; /* text that the help prints above the options */
    const tw_optdef *table;
    void (*run)(void);
};
extern const struct measure_program measure_program;

/* Prints "program: message" to stderr and ends the program with status 1. */
void measure_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Like measure_fail(), for a mistake on the command line: the status is 2. */
void measure_refuse(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Reads the command line. If it requests help or is invalid, prints the help or an error message.
 * Returns MEASURE_GO_ON, or the exit status with which the program should end. silent: true to print
 * nothing; set it on all ranks except one. Call this function before the others. */
#define MEASURE_GO_ON (-1)
int measure_options(const tw_optdef *table, const char *about, int argc, char **argv, bool silent);

/* Flushes standard output. If any output was lost, prints an error message and ends the program
 * with status 1. A program that prints to standard output must call it last. */
void measure_flush(void);

/* Parses text, the value of option --name: integers from min to max, separated by commas. Stores
 * them in values and returns their number, at least 1. If there are more than n_max values or one
 * is invalid, ends the program with status 2. */
size_t measure_list(const char *name, const char *text, unsigned long min, unsigned long max,
                    unsigned long *values, size_t n_max);
/* Like measure_list(), for real numbers above `above`, up to max. */
size_t measure_list_real(const char *name, const char *text, double above, double max,
                         double *values, size_t n_max);

/* Like calloc(), but ends the program if memory is exhausted. */
void *measure_alloc(size_t n, size_t size);

/* Returns the wall-clock time in seconds since an arbitrary moment. Durations include delays caused
 * by other programs. */
double measure_seconds(void);

/* Returns the processor time of this process in seconds, which does not include the time of other
 * programs on the machine. */
double measure_cpu_seconds(void);

double measure_least(const double *values, size_t n); /* n: at least 1 */
/* Returns the median of n values (at least 1): the middle value, or the mean of the two middle
 * values. Sorts the values. */
double measure_median(double *values, size_t n);

/* ---- Other programs: command lines, output, time limits (program.c) --------------------------- */

/* timeout(1) starts each program (the child) in its own process group and limits its time. The
 * child does not outlive the benchmark: if the benchmark ends, by a signal or otherwise, the kernel
 * sends SIGTERM to timeout, which passes it on. When the child has ended, the rest of its process
 * group is killed. The output of the child goes to memory, so that no file can be left behind. */
#define PROGRAM_ARGS_MAX  64
#define PROGRAM_TEXT_SIZE 1024

/* Sets folder (PATH_MAX bytes) to the path of the directory of this program. */
void program_folder(char *folder);

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
