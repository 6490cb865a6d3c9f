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

/* Measures the rate of clock_ticks(), in ticks per second. Takes about 5 ms; call it once. */
double clock_measure_rate(void);

#endif
