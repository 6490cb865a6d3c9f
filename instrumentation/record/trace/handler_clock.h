/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handler_clock.h - measures the wall-clock time of forward handlers (--event-times).
 *
 * One event in N is timed, where N is the value of the option. The gaps between timed events are
 * random, with mean N. Even if the events of a model are periodic, all kinds of events are
 * therefore timed. The cost of a clock reading is subtracted, as is the time of rollbacks that a
 * handler's events cause in other KPs.
 *
 * A handler during which the system gave the processor to another thread seems to take long. After a
 * GVT computation, and after a handler that took at least HANDLER_LONG_NS, but at most 1,000 times a
 * second, the clock reads how often the thread had to leave its processor. If that rose since the
 * reading before, the long handler is marked: its time is recorded as a negative number. Whether it was
 * indeed interrupted, readers judge by other handlers (reader/analyze/times.h).
 *
 * Cost: two readings of the tick counter per timed event, some 20 ns each in a virtual machine;
 * decrementing a counter for each other event; at most 1,000 system calls of 0.5 us a second.
 */
#ifndef WARPSCOPE_RECORD_TRACE_HANDLER_CLOCK_H
#define WARPSCOPE_RECORD_TRACE_HANDLER_CLOCK_H

#include "base/clock.h"
#include "engine/probe.h"

#define HANDLER_NOT_TIMED (-1)
#define HANDLER_LONG_NS   10000

/* The clock of a PE. A zero-initialised clock times nothing. */
struct handler_clock {
    uint32_t every; /* N; 0: off */
    uint32_t left;  /* number of events up to and including the next timed event */
    bool runs;      /* true if the current event is timed */
    /* Nanoseconds that the handler of the latest event took, negative if it is marked;
     * HANDLER_NOT_TIMED. */
    int64_t taken;
    uint64_t begin;    /* tick count when the handler of the current event began */
    uint64_t pause;    /* tick count when the last rollback within the handler began */
    uint64_t excluded; /* duration of the rollbacks within the handler, in ticks */
    uint64_t reading;  /* duration of a clock reading, in ticks */
    double ns_per_tick;
    uint64_t random;
    uint64_t timed, timed_ns; /* number of handlers that were timed and not marked; their time */
    /* Number of switches at the latest reading of it; ticks then; ticks of a millisecond. */
    uint64_t switches, looked, millisecond;
};

/* Initialises a clock that times one event in `every`. every == 0: it times none. */
void handler_clock_init(struct handler_clock *clock, uint32_t every);
/* Adds the functions of the clock to the probes of table; on == false: removes them. No effect if
 * the clock is off. */
void handler_clock_attach(struct handler_clock *clock, struct probe_table *table, bool on);

/* Sets clock->taken to the time of the timed handler. */
void handler_clock_read(struct handler_clock *clock);

/* Called at the probe event_executed, before other work. Returns clock->taken. */
static inline int64_t handler_clock_stop(struct handler_clock *clock)
{
    if (__builtin_expect(clock->runs, 0)) {
        handler_clock_read(clock);
    }
    return clock->taken;
}

#endif
