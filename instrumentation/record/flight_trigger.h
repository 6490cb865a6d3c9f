/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flight_trigger.h - conditions that save the records of a flight recorder (--flight-trigger).
 *
 *     efficiency:0.5   efficiency was below one half for a period; also efficiency:50%
 *     gvt-stuck:10s    GVT has not advanced for 10 seconds, while computations went on
 *
 * Each condition fires when it becomes true, not as long as it stays true. Both cover at least one
 * second, so that they fire at most once per second.
 */
#ifndef WARPSCOPE_RECORD_FLIGHT_TRIGGER_H
#define WARPSCOPE_RECORD_FLIGHT_TRIGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* State of the run at a GVT computation; sums over all ranks. */
struct flight_state {
    double seconds; /* wall-clock seconds since the run began */
    double gvt;
    uint64_t net;       /* events executed and not rolled back */
    uint64_t processed; /* events executed */
};

/* Conditions and their state. A zero-initialised object has no condition. */
struct flight_trigger {
    double efficiency; /* bound, greater than 0 and at most 1; 0: no condition */
    double stuck;      /* seconds without an advance of GVT; 0: no condition */
    /* Least length in seconds of a period for which efficiency is computed. */
    double period;
    bool is_low;               /* true if efficiency was below the bound in the last period */
    bool is_stuck;             /* true if gvt-stuck has fired since the last advance of GVT */
    bool has_begun;            /* true after the first call of flight_trigger_fires() */
    struct flight_state begin; /* state at the beginning of the period */
    double gvt;                /* latest GVT */
    double gvt_seconds;        /* time at which GVT got this value */
};

/* Reads conditions, separated by commas. Returns true, or false with one line in error (size
 * bytes). */
bool flight_trigger_read(struct flight_trigger *trigger, const char *text, char *error,
                         size_t size);

/* Returns true if a condition has become true; reason then describes it. */
bool flight_trigger_fires(struct flight_trigger *trigger, const struct flight_state *now,
                          char *reason, size_t size);

#endif
