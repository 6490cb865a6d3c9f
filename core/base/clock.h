/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.h - a monotonic clock, cheap enough to be read for every event.
 *
 * On x86-64 the clock is the time stamp counter, which has a constant rate on every processor of
 * the last decade. Elsewhere it is clock_gettime(CLOCK_MONOTONIC). The rate is measured once, by
 * comparison with CLOCK_MONOTONIC.
 */
#ifndef WARPSCOPE_BASE_CLOCK_H
#define WARPSCOPE_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_monotonic_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#ifdef __x86_64__
static inline uint64_t clock_ticks(void)
{
    return __builtin_ia32_rdtsc();
}
#else
static inline uint64_t clock_ticks(void)
{
    return clock_monotonic_ns();
}
#endif

/* Both clocks at nearly the same time. */
struct clock_pair {
    uint64_t ns;    /* clock_monotonic_ns() */
    uint64_t ticks; /* clock_ticks() */
};
struct clock_pair clock_pair_read(void);
/* Returns the rate of clock_ticks() since `start` was read, in ticks per second. Sleeps until 5 ms
 * have passed since then. */
double clock_rate_since(struct clock_pair start);

#endif
