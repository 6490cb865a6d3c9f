/* SPDX-License-Identifier: BSD-3-Clause */
/* projection.c - see projection.h. */
#include "projection.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/measure.h"

/* Parses text, percentages separated by commas, into p->overheads_percent. */
static void read_overheads(const char *text, struct projection *p)
{
    const char *at = text;
    do {
        char *end;
        const double percent = strtod(at, &end);
        if (end == at || (*end != ',' && *end != '\0') || !(percent > 0 && percent <= 100)) {
            measure_refuse("--overhead=%s: must be percentages above 0, up to 100, with commas "
                           "between",
                           text);
        }
        if (p->n_overheads == PROJECTION_OVERHEADS_MAX) {
            measure_refuse("--overhead: at most %d percentages", PROJECTION_OVERHEADS_MAX);
        }
        p->overheads_percent[p->n_overheads++] = percent;
        at = *end == ',' ? end + 1 : NULL;
    } while (at != NULL);
}

void projection_check(struct projection *p, const char *overheads)
{
    p->n_visits = (size_t)((double)p->n_points * 100 / p->frequency_percent + 0.5);
    read_overheads(overheads, p);
}

/* Assumed durations of callbacks in ns. */
static const double handlers_ns[] = {10, 100, 500, 1000};
#define HANDLERS (sizeof handlers_ns / sizeof *handlers_ns)

void projection_print(const struct projection *p, double framework_ns)
{
    printf("\n%lu points are made and visited %zu times: %.2f ns per visit.\n", p->n_points,
           p->n_visits, framework_ns);
    printf("\nRecords per second that take so much of the time:\n%12s", "callback ns");
    for (size_t o = 0; o < p->n_overheads; o++) {
        printf(" %12g %%", p->overheads_percent[o]);
    }
    for (size_t h = 0; h < HANDLERS; h++) {
        printf("\n%12.0f", handlers_ns[h]);
        for (size_t o = 0; o < p->n_overheads; o++) {
            printf(" %14.0f",
                   1e9 * p->overheads_percent[o] / 100 / (framework_ns + handlers_ns[h]));
        }
    }
    printf("\n");
    if (p->rate == 0) {
        return;
    }
    printf("\nThe time that %lu records per second take:\n%12s %14s\n", p->rate, "callback ns",
           "overhead %");
    for (size_t h = 0; h < HANDLERS; h++) {
        printf("%12.0f %14.3g\n", handlers_ns[h],
               (double)p->rate * (framework_ns + handlers_ns[h]) * 1e-9 * 100);
    }
}
