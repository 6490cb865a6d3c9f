/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flight_trigger.h - conditions that save the records of a flight recorder (--flight-trigger).
 *
 *     efficiency:0.5   efficiency was below one half for a period; also efficiency:50%
 *     gvt-stuck:10s    GVT has not advanced for 10 seconds, while GVT computations went on
 *
 * A condition fires when it becomes true, but not while it stays true. It refers to a period of at
 * least one second, so that it fires at most once per second.
 */
#ifndef WARPSCOPE_RECORD_FLIGHT_TRIGGER_H
#define WARPSCOPE_RECORD_FLIGHT_TRIGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* State of the run at a GVT computation. The counts are sums over all ranks. */
struct flight_state {
    double seconds; /* wall-clock seconds since the run began */
    double gvt;
    uint64_t net;       /* number of events executed, not counting those rolled back */
    uint64_t processed; /* number of events executed */
};

/* Conditions and their state. A zero-initialised object has no condition. */
struct flight_trigger {
    /* Bound of the condition on efficiency, greater than 0 and at most 1; 0: no condition. */
    double efficiency;
    /* Bound of the condition gvt-stuck, in seconds without an advance of GVT; 0: no condition. */
    double stuck;
    /* Minimum length in seconds of a period for which efficiency is computed. */
    double period;
    bool is_low;               /* true if efficiency was below the bound in the last period */
    bool is_stuck;             /* true if gvt-stuck has fired since the last advance of GVT */
    bool has_begun;            /* true after the first call of flight_trigger_fires() */
    struct flight_state begin; /* state at the beginning of the current period */
    double gvt;                /* latest GVT */
    /* Time at which GVT got its latest value, in wall-clock seconds since the run began. */
    double gvt_seconds;
};

/* Reads conditions, separated by commas, from text. Returns true, or false with one line in error
 * (size bytes). */
bool flight_trigger_read(struct flight_trigger *trigger, const char *text, char *error,
                         size_t size);

/* Returns true if a condition has become true; reason (size bytes) then describes the condition. */
bool flight_trigger_fires(struct flight_trigger *trigger, const struct flight_state *now,
                          char *reason, size_t size);

#endif
