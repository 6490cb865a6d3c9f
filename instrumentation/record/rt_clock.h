/*
 * rt_clock.h - when the next sample by wall clock is due.
 *
 * Samples are due at multiples of the interval since the run began. One that is late is taken when
 * it can be, once; those missed meanwhile are not made up for.
 *
 * Reading the tick counter costs as much as a fifth of a small event, so a scheduler's turns look
 * at it only now and then: every turn, or one in RT_CLOCK_STRIDE while that many turns are far
 * shorter than the interval. A sample is late by one such look at most, about a 64th of the
 * interval unless turns become longer all at once.
 */
#ifndef WARPSCOPE_RECORD_RT_CLOCK_H
#define WARPSCOPE_RECORD_RT_CLOCK_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define RT_CLOCK_STRIDE 8u /* turns */

/* Set the interval and the rate, and it looks at the first turn; a sample is due at once. */
struct rt_clock {
    unsigned stride;  /* turns from the last look to the next: 0, 1 or RT_CLOCK_STRIDE */
    unsigned to_skip; /* turns before the next look */
    uint64_t looked_ticks;
    uint64_t due_ticks; /* 0: not set yet */
    double interval_seconds;
    double ticks_per_second;
};

/* A new turn: is it one to look at the clock? */
static inline bool rt_clock_looks(struct rt_clock *clock)
{
    if (clock->to_skip > 0) {
        clock->to_skip--;
        return false;
    }
    return true;
}

/* The clock was looked at: how many turns to skip now, and is a sample due? */
static inline bool rt_clock_is_due(struct rt_clock *clock, uint64_t now_ticks)
{
    double turns = clock->stride > 0 ? clock->stride : 1;
    double turn_ticks = (double)(now_ticks - clock->looked_ticks) / turns;
    bool short_turns =
        turn_ticks * RT_CLOCK_STRIDE * 64 < clock->interval_seconds * clock->ticks_per_second;
    clock->stride = short_turns ? RT_CLOCK_STRIDE : 1;
    clock->to_skip = clock->stride - 1;
    clock->looked_ticks = now_ticks;
    return now_ticks >= clock->due_ticks;
}

/* Sets the next time: the first multiple of the interval after now. now_seconds: since the run
 * began, at now_ticks. */
static inline void rt_clock_set_next(struct rt_clock *clock, uint64_t now_ticks, double now_seconds)
{
    double interval = clock->interval_seconds;
    double next_seconds = (floor(now_seconds / interval) + 1.0) * interval;
    double wait_ticks = (next_seconds - now_seconds) * clock->ticks_per_second;
    clock->due_ticks = now_ticks + 1 + (wait_ticks > 0.0 ? (uint64_t)wait_ticks : 0);
}

#endif
