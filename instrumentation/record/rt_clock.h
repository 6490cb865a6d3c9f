/*
 * rt_clock.h - when the next sample by wall clock is due.
 *
 * Samples are due at multiples of the interval since the run began. One that is late is taken when
 * it can be, once; those missed meanwhile are not made up for. Only ticks are compared until one is
 * due: nanoseconds per look.
 */
#ifndef WARPSCOPE_RECORD_RT_CLOCK_H
#define WARPSCOPE_RECORD_RT_CLOCK_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct rt_clock {
    uint64_t due_ticks; /* 0: not set yet */
    double interval_seconds;
    double ticks_per_second;
};

static inline bool rt_clock_is_due(const struct rt_clock *clock, uint64_t now_ticks)
{
    return now_ticks >= clock->due_ticks;
}

/* Sets the next time: the first multiple of the interval after now. now_seconds: since the run
 * began, at now_ticks. */
static inline void rt_clock_set_next(struct rt_clock *clock, uint64_t now_ticks, double now_seconds)
{
    double next_seconds =
        (floor(now_seconds / clock->interval_seconds) + 1.0) * clock->interval_seconds;
    double wait_ticks = (next_seconds - now_seconds) * clock->ticks_per_second;
    clock->due_ticks = now_ticks + 1 + (wait_ticks > 0.0 ? (uint64_t)wait_ticks : 0);
}

#endif
