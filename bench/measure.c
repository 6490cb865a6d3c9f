/* measure.c - see measure.h. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "measure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/options.h"

static void complain(const char *format, va_list arguments)
{
    fflush(stdout);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void measure_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
    exit(1);
}

void measure_refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
    exit(2);
}

void measure_options(const tw_optdef *table, const char *about, int argc, char **argv)
{
    struct options *set = measure_alloc(1, sizeof *set);
    char error[512];
    options_add(set, table);
    enum tw_status status = options_parse(set, &argc, argv, error, sizeof error);
    if (status == TW_ERR_HELP) {
        printf("%s\n\n", about);
        options_print_help(set, program_invocation_short_name, stdout);
        exit(fflush(stdout) == 0 ? 0 : 1);
    }
    if (status != TW_OK) {
        measure_refuse("%s", error);
    }
    if (argc > 1) {
        measure_refuse("%s: takes options of the form --name=value and nothing else", argv[1]);
    }
    free(set);
}

size_t measure_list(const char *name, const char *text, unsigned long min, unsigned long max,
                    unsigned long *values, size_t n_max)
{
    size_t n = 0;
    for (;;) {
        char *end;
        errno = 0;
        unsigned long value = strtoul(text, &end, 10);
        if (*text < '0' || *text > '9' || (*end != ',' && *end != '\0') || errno != 0 ||
            value < min || value > max) {
            measure_refuse("--%s: takes numbers from %lu to %lu, separated by commas", name, min,
                           max);
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
