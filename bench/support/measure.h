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

/* Prints "program: message" to stderr and ends the program with status 1. */
void measure_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Like measure_fail(), for a mistake on the command line: ends the program with status 2. */
void measure_refuse(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Reads the command line. If it requests help or is invalid, prints a text and ends the program.
 * `about`: at least a line to print above the options in the help. Must be called before the other
 * functions. */
void measure_options(const tw_optdef *table, const char *about, int argc, char **argv);

/* Like measure_options(), for programs that cannot simply end. Returns MEASURE_GO_ON, or the exit
 * status with which the program should end. silent: true to print nothing, as on all ranks except
 * one. */
#define MEASURE_GO_ON (-1)
int measure_options_status(const tw_optdef *table, const char *about, int argc, char **argv,
                           bool silent);

/* Flushes standard output. If that fails, prints a message and ends the program with status 1. A
 * program that prints must call it last. */
void measure_flush(void);

/* Parses the value of option --name: integers from min to max, separated by commas. Returns the
 * count of values, at least 1. Ends the program if there are more than n_max values or if one is
 * invalid. */
size_t measure_list(const char *name, const char *text, unsigned long min, unsigned long max,
                    unsigned long *values, size_t n_max);

/* Allocates memory; ends the program if memory is exhausted. */
void *measure_alloc(size_t n, size_t size);

/* Returns wall-clock time in seconds since an arbitrary moment. It includes disturbance by other
 * programs. */
double measure_seconds(void);

/* Returns the median: the middle value, or the mean of both in the middle. Sorts the values. n is
 * not 0. */
double measure_median(double *values, size_t n);

#endif
