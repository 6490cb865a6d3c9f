/*
 * measure.h - what the benchmark programs share: options, lists of numbers, time, medians.
 */
#ifndef WARPSCOPE_BENCH_MEASURE_H
#define WARPSCOPE_BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ross.h"

/* Prints "program: message" to stderr and ends with status 1. */
void measure_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* The same for a mistake on the command line, with status 2. */
void measure_refuse(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Reads the command line; prints help, or what is wrong with it, and ends. `about`: a line or more
 * to stand above the options in the help. First of all calls here. */
void measure_options(const tw_optdef *table, const char *about, int argc, char **argv);

/* The same for programs that cannot just end: MEASURE_GO_ON, or the status to end with. Prints
 * nothing when silent, as all ranks but one should be. */
#define MEASURE_GO_ON (-1)
int measure_options_status(const tw_optdef *table, const char *about, int argc, char **argv,
                           bool silent);

/* Writes what was printed. When that is impossible says so and ends with status 1; so it comes last
 * of all in a program that prints. */
void measure_flush(void);

/* Numbers separated by commas, each from min to max, of option --name. Returns how many, at least
 * 1; ends the program when there are more than n_max or one is wrong. */
size_t measure_list(const char *name, const char *text, unsigned long min, unsigned long max,
                    unsigned long *values, size_t n_max);

/* Memory that cannot be refused. */
void *measure_alloc(size_t n, size_t size);

/* Seconds on the wall since some moment: what others do on the machine counts. */
double measure_seconds(void);

/* The middle one, or the mean of the two in the middle; sorts the values. n is not 0. */
double measure_median(double *values, size_t n);

#endif
