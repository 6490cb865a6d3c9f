/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phases.h - a clock that divides the time of a PE among kinds of work (phases).
 *
 * Several clock reads per event would be too expensive. By default, the clock therefore times on
 * average one of PHASE_STRIDE turns of the scheduler's loop. It counts the ticks of that turn
 * PHASE_STRIDE times, which is an unbiased estimate. (--phase-times=exact times all turns.) When an
 * observer has read the times, the clock times one turn in PHASE_STRIDE_READ: differences over
 * short intervals are then accurate. The distance to the next timed turn is random, so that it
 * cannot synchronise with the model or the batches. In untimed turns, a switch between phases costs
 * one predictable branch. Rare and long work (the end of a GVT computation, recording, sleeping) is
 * always timed, with weight 1.
 *
 * Reading the clock takes time itself. The cost of a switch is measured at the start of the run. It
 * is subtracted from each interval and added to `timing` with weight 1, since untimed turns do not
 * have this cost.
 *
 * Invariants
 *  C1  Phases nest: code that enters a phase returns to the previous phase in the same turn.
 *  C2  The sum of ticks equals the time since phase_clock_start(): exactly if all turns are timed,
 *      otherwise on average.
 */
#ifndef WARPSCOPE_ENGINE_PE_PHASES_H
#define WARPSCOPE_ENGINE_PE_PHASES_H

#include <assert.h>
#include <stdbool.h>

#include "engine/counters.h"

#define PHASE_STRIDE      512u
#define PHASE_STRIDE_READ 64u

enum phase_times { PHASE_TIMES_OFF, PHASE_TIMES_SAMPLED, PHASE_TIMES_EXACT };

/* Clock state saved at the start of a section that is always timed. */
struct phase_mark {
    enum tw_phase phase;
    bool timing;
    uint64_t weight;
};

struct phase_clock {
    uint32_t *flags; /* word in which the bit PROBE_ENGINE_TIMED equals `timing`; NULL: none */
    bool timing;     /* true while time is measured, as in a timed turn; false outside of the run */
    bool recording;  /* true in a section of TW_PHASE_recording */
    enum phase_times mode; /* mode of the measurement; PHASE_TIMES_OFF outside of the run */
    enum tw_phase now;
    /* Number of turns of the current kind (timed or untimed) that are left, including this one. */
    uint64_t turns_left;
    unsigned stride;       /* one turn in `stride` is timed, on average */
    unsigned drawn_stride; /* value of `stride` when the current distance was drawn */
    uint64_t weight;       /* factor by which ticks measured now are multiplied */
    uint64_t since;        /* value of clock_ticks() at the last switch */
    uint64_t switch_ticks; /* measured cost of a switch between phases, in ticks */
    uint64_t random;
    struct tw_phase_ticks ticks; /* ticks per phase, weighted */
    struct tw_phase_ticks once;  /* ticks per phase that were measured with weight 1 */
    struct phase_mark before_recording;
};

/* Returns the name of a mode: "off", "sampled" or "exact". */
const char *phase_times_name(enum phase_times mode);

/* Starts the clock in phase TW_PHASE_other, with all ticks 0. clock->flags must be set. */
void phase_clock_start(struct phase_clock *clock, enum phase_times mode);
/* Stops the clock at the end of the run. */
void phase_clock_stop(struct phase_clock *clock);

/* Divides run_ticks among the phases, and writes the ticks of each phase to ticks[phase]. Scales
 * the estimates so that all phases add up to run_ticks. */
void phase_clock_shares(const struct phase_clock *clock, uint64_t run_ticks,
                        double ticks[TW_PHASES]);

/* phase_clock_switch(): slow path of phase_enter(), while time is measured.
 * phase_clock_next_turns(): slow path of phase_turn(), when a timed turn starts or ends. */
void phase_clock_switch(struct phase_clock *clock, enum tw_phase phase);
void phase_clock_next_turns(struct phase_clock *clock);

/* True if turns may be timed; false in an engine built with WARPSCOPE_NO_PROBES. */
#ifdef WARPSCOPE_NO_PROBES
#define PHASES_ARE_TIMED false
#else
#define PHASES_ARE_TIMED true
#endif
#define PHASE_IS_TIMED(clock) (PHASES_ARE_TIMED && (clock)->timing)

/* Switches to a phase. Returns the previous phase, for switching back. */
static inline enum tw_phase phase_enter(struct phase_clock *clock, enum tw_phase phase)
{
    enum tw_phase before = clock->now;
    if (PHASE_IS_TIMED(clock)) {
        phase_clock_switch(clock, phase);
    }
    return before;
}

/* Begins a turn of the scheduler's loop. */
static inline void phase_turn(struct phase_clock *clock)
{
    assert(!PHASES_ARE_TIMED || clock->turns_left > 0);
    if (PHASES_ARE_TIMED && --clock->turns_left == 0) {
        phase_clock_next_turns(clock);
    }
}

/* Call phase_always_begin() before a section that is timed in every turn, and phase_always_end()
 * after it. Such sections nest with each other and with phase_enter(). */
struct phase_mark phase_always_begin(struct phase_clock *clock, enum tw_phase phase);
void phase_always_end(struct phase_clock *clock, struct phase_mark before);

#endif
