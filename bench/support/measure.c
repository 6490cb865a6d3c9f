/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.c - see measure.h. */
#define _GNU_SOURCE /* required for program_invocation_short_name */
#include "support/measure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/options.h"

/* Defines the function `name`, which prints a message and ends the program with `status`. */
#define ENDING(name, status)                                                                       \
    void name(const char *format, ...)                                                             \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        fflush(stdout);                                                                            \
        fprintf(stderr, "%s: ", program_invocation_short_name);                                    \
        vfprintf(stderr, format, arguments);                                                       \
        fputc('\n', stderr);                                                                       \
        exit(status);                                                                              \
    }

ENDING(measure_fail, 1)
ENDING(measure_refuse, 2)

void measure_flush(void)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "%s: standard output: %s\n", program_invocation_short_name,
                errno != 0 ? strerror(errno) : "could not be written completely");
        _exit(1); /* exit() would try to flush again */
    }
}

/* Reads the command line. Returns MEASURE_GO_ON or an exit status; for status 2, writes one line to
 * error. */
static int read_options(struct options *set, int argc, char **argv, char *error, size_t size)
{
    enum tw_status status = options_parse(set, &argc, argv, error, size);
    if (status == TW_ERR_HELP) {
        return 0;
    }
    if (status == TW_OK && argc > 1) {
        snprintf(error, size, "%s: takes options of the form --name=value and nothing else",
                 argv[1]);
        return 2;
    }
    return status == TW_OK ? MEASURE_GO_ON : 2;
}

int measure_options(const tw_optdef *table, const char *about, int argc, char **argv, bool silent)
{
    struct options *set = measure_alloc(1, sizeof *set);
    char error[512];
    options_add(set, table);
    int status = read_options(set, argc, argv, error, sizeof error);
    if (status == 0 && !silent) {
        printf("%s\n\nusage: %s [--option=value ...]\n\n", about, program_invocation_short_name);
        options_print_list(set, stdout);
        measure_flush();
    } else if (status > 0 && !silent) {
        fprintf(stderr, "%s: %s\n", program_invocation_short_name, error);
    }
    free(set);
    return status;
}

size_t measure_list(const char *name, const char *text, unsigned long min, unsigned long max,
                    unsigned long *values, size_t n_max)
{
    const char *all = text;
    size_t n = 0;
    for (;;) {
        char *end;
        errno = 0;
        unsigned long value = strtoul(text, &end, 10);
        if (*text < '0' || *text > '9' || (*end != ',' && *end != '\0') || errno != 0 ||
            value < min || value > max) {
            measure_refuse("--%s=%s: takes numbers from %lu to %lu, separated by commas", name, all,
                           min, max);
        }
        if (n == n_max) {
            measure_refuse("--%s: takes at most %zu numbers", name, n_max);
        }
        values[n++] = value;
        if (*end == '\0') {
            return n;
        }
        text = end + 1;
    }
}

size_t measure_list_real(const char *name, const char *text, double above, double max,
                         double *values, size_t n_max)
{
    size_t n = 0;
    for (const char *at = text; at != NULL;) {
        char *end;
        const double value = strtod(at, &end);
        if (end == at || (*end != ',' && *end != '\0') || !(value > above && value <= max)) {
            measure_refuse("--%s=%s: takes numbers above %g, up to %g, separated by commas", name,
                           text, above, max);
        }
        if (n == n_max) {
            measure_refuse("--%s: takes at most %zu numbers", name, n_max);
        }
        values[n++] = value;
        at = *end == ',' ? end + 1 : NULL;
    }
    return n;
}

void *measure_alloc(size_t n, size_t size)
{
    void *memory = calloc(n, size);
    if (memory == NULL) {
        measure_fail("out of memory");
    }
    return memory;
}

double measure_seconds(void)
{
    return 1e-9 * (double)clock_monotonic_ns();
}

double measure_cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double measure_least(const double *values, size_t n)
{
    double least = values[0];
    for (size_t i = 1; i < n; i++) {
        least = values[i] < least ? values[i] : least;
    }
    return least;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double measure_median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, compare_doubles);
    return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}
