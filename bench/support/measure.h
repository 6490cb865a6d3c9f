/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure.h - functions shared by the benchmark programs: options, lists of numbers, time, medians.
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

#endif
