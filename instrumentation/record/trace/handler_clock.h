/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handler_clock.h - measures the wall-clock time of forward handlers (--event-times).
 *
 * One event in N is timed, where N is the value of the option. The gaps between timed events are
 * random, with mean N. Even if the events of a model are periodic, all kinds of events are
 * therefore timed. The cost of a clock reading is subtracted, as is the time of rollbacks that a
 * handler's events cause in other KPs.
 *
 * Cost: two readings of the tick counter per timed event, some 20 ns each in a virtual machine;
 * decrementing a counter for each other event.
 */
#ifndef WARPSCOPE_RECORD_TRACE_HANDLER_CLOCK_H
#define WARPSCOPE_RECORD_TRACE_HANDLER_CLOCK_H

#include "base/clock.h"
#include "engine/probe.h"

#define HANDLER_NOT_TIMED (-1)

/* The clock of a PE. A zero-initialised clock times nothing. */
struct handler_clock {
    uint32_t every;    /* N; 0: off */
    uint32_t left;     /* number of events up to and including the next timed event */
    bool runs;         /* true if the current event is timed */
    uint64_t begin;    /* tick count when the handler of the current event began */
    uint64_t pause;    /* tick count when the last rollback within the handler began */
    uint64_t excluded; /* duration of the rollbacks within the handler, in ticks */
    uint64_t reading;  /* duration of a clock reading, in ticks */
    double ns_per_tick;
    uint64_t random;
};

/* Initialises a clock that times one event in `every`. every == 0: it times none. */
void handler_clock_init(struct handler_clock *clock, uint32_t every);
/* Adds the functions of the clock to the probes of table; on == false: removes them. No effect if
 * the clock is off. */
void handler_clock_attach(struct handler_clock *clock, struct probe_table *table, bool on);

/* Called at the probe event_executed, before other work. Returns the nanoseconds that the handler
 * took, or HANDLER_NOT_TIMED. */
static inline int64_t handler_clock_stop(struct handler_clock *clock)
{
    if (__builtin_expect(!clock->runs, 1)) {
        return HANDLER_NOT_TIMED;
    }
    const uint64_t ticks = clock_ticks() - clock->begin;
    const uint64_t excluded = clock->excluded + clock->reading;
    clock->runs = false;
    return ticks > excluded ? (int64_t)((double)(ticks - excluded) * clock->ns_per_tick + 0.5) : 0;
}

#endif
