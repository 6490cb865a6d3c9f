/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.c - the rate of the tick counter, see clock.h. */
#include "base/clock.h"

#define MEASURE_SPAN_NS 5000000u
#define READING_TRIES   16

/* Of several readings, returns the one that took the least time, since the process may be
 * interrupted during a reading. */
struct clock_pair clock_pair_read(void)
{
    struct clock_pair best = {0, 0};
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < READING_TRIES; i++) {
        uint64_t before = clock_monotonic_ns();
        uint64_t ticks = clock_ticks();
        uint64_t took = clock_monotonic_ns() - before;
        if (took < shortest) {
            shortest = took;
            best = (struct clock_pair){.ns = before + took / 2, .ticks = ticks};
        }
    }
    return best;
}

double clock_rate_since(struct clock_pair start)
{
    uint64_t span_ns;
    while ((span_ns = clock_monotonic_ns() - start.ns) < MEASURE_SPAN_NS) {
        const struct timespec rest = {.tv_nsec = (long)(MEASURE_SPAN_NS - span_ns)};
        nanosleep(&rest, NULL);
    }
    struct clock_pair end = clock_pair_read();
    return (double)(end.ticks - start.ticks) * 1e9 / (double)(end.ns - start.ns);
}
