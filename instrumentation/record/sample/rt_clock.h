/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rt_clock.h - schedule of samples by wall clock.
 *
 * Samples are due at multiples of the interval since the start of the run. A late sample is taken
 * as soon as possible. If several samples are late, only one is taken.
 *
 * Reading the tick counter costs as much as a fifth of a small event. The clock is therefore read
 * at every turn of the scheduler's loop only if turns are long; while RT_CLOCK_STRIDE turns are far
 * shorter than the interval, it is read at one turn in RT_CLOCK_STRIDE. A sample is late by at most
 * the time between two readings: about 1/64 of the interval, unless turns suddenly become longer.
 */
#ifndef WARPSCOPE_RECORD_SAMPLE_RT_CLOCK_H
#define WARPSCOPE_RECORD_SAMPLE_RT_CLOCK_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define RT_CLOCK_STRIDE 8u /* maximum number of turns from one clock reading to the next */

/* State of the schedule. Initially interval_seconds and ticks_per_second are set and all other
 * members are zero: the first turn reads the clock, and rt_clock_is_due() returns true, so that the
 * caller sets due_ticks. */
struct rt_clock {
    /* Number of turns from one reading to the next: 0 (initially), 1 or RT_CLOCK_STRIDE. */
    unsigned stride;
    unsigned to_skip; /* number of turns left before the next reading */
    /* Clock ticks at the last reading. */
    uint64_t looked_ticks;
    uint64_t due_ticks; /* clock ticks at which the next sample is due; 0: not set yet */
    double interval_seconds;
    double ticks_per_second;
};

/* Counts a turn of the scheduler's loop. Returns true if the caller is to read the clock in this
 * turn. */
static inline bool rt_clock_looks(struct rt_clock *clock)
{
    assert(clock->to_skip < RT_CLOCK_STRIDE);
    if (clock->to_skip > 0) {
        clock->to_skip--;
        return false;
    }
    return true;
}

/* Processes a reading of the clock, and decides how many turns to skip. Returns true if a sample is
 * due, and at the first reading. */
static inline bool rt_clock_is_due(struct rt_clock *clock, uint64_t now_ticks)
{
    assert(clock->stride <= RT_CLOCK_STRIDE);
    double turns = clock->stride > 0 ? clock->stride : 1;
    double turn_ticks = (double)(now_ticks - clock->looked_ticks) / turns;
    bool short_turns =
        turn_ticks * RT_CLOCK_STRIDE * 64 < clock->interval_seconds * clock->ticks_per_second;
    clock->stride = short_turns ? RT_CLOCK_STRIDE : 1;
    clock->to_skip = clock->stride - 1;
    clock->looked_ticks = now_ticks;
    return now_ticks >= clock->due_ticks;
}

/* Sets due_ticks for the next sample: the first multiple of the interval after now. now_seconds:
 * seconds since the start of the run, at now_ticks. */
static inline void rt_clock_set_next(struct rt_clock *clock, uint64_t now_ticks, double now_seconds)
{
    double interval = clock->interval_seconds;
    assert(interval > 0.0);
    double next_seconds = (floor(now_seconds / interval) + 1.0) * interval;
    double wait_ticks = (next_seconds - now_seconds) * clock->ticks_per_second;
    clock->due_ticks = now_ticks + 1 + (wait_ticks > 0.0 ? (uint64_t)wait_ticks : 0);
}

#endif
