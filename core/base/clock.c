/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.c - the rate of the tick counter, see clock.h. */
#include "base/clock.h"

#define MEASURE_SPAN_NS 5000000u
#define READING_TRIES   16

struct reading {
    uint64_t ns;
    uint64_t ticks;
};

/* Reads both clocks at nearly the same time. Of several readings, returns the one that took the
 * least time, since the process may be interrupted during a reading. */
static struct reading read_both(void)
{
    struct reading best = {0, 0};
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < READING_TRIES; i++) {
        uint64_t before = clock_monotonic_ns();
        uint64_t ticks = clock_ticks();
        uint64_t took = clock_monotonic_ns() - before;
        if (took < shortest) {
            shortest = took;
            best = (struct reading){.ns = before + took / 2, .ticks = ticks};
        }
    }
    return best;
}

double clock_measure_rate(void)
{
    struct reading start = read_both();
    const struct timespec rest = {.tv_nsec = MEASURE_SPAN_NS};
    while (clock_monotonic_ns() - start.ns < MEASURE_SPAN_NS) {
        nanosleep(&rest, NULL);
    }
    struct reading end = read_both();
    return (double)(end.ticks - start.ticks) * 1e9 / (double)(end.ns - start.ns);
}
