/*
 * phases.h - where the time of a PE goes: a clock that is switched from one kind of work (phase) to
 * the next.
 *
 * Reading a clock several times per event would cost more than it tells. So, unless all is to be
 * timed (--phase-times=exact), one turn of the scheduler's loop in PHASE_STRIDE is timed, and what
 * it took counts PHASE_STRIDE times: an unbiased estimate. Once somebody reads the times while the
 * run goes on, and wants them of short intervals, it is one turn in PHASE_STRIDE_READ. The distance
 * to the next timed turn is random, so that it cannot keep step with the model or the batches. In
 * other turns a switch is one predictable branch. What is rare and long - the end of a GVT
 * computation, recording, sleeping - is always timed and counts once.
 *
 * Reading the clock takes time itself. What a switch costs is measured when the run begins, taken
 * off each interval and booked under `timing`, once: turns that are not timed do not have it.
 *
 * Invariants
 *  C1  phases nest: whoever enters one goes back to the one before, in the same turn.
 *  C2  sum of ticks = time since phase_clock_start(), exactly when all is timed, else in the mean.
 */
#ifndef WARPSCOPE_ENGINE_PHASES_H
#define WARPSCOPE_ENGINE_PHASES_H

#include <stdbool.h>

#include "engine/counters.h"

#define PHASE_STRIDE      512u
#define PHASE_STRIDE_READ 64u

enum phase_times { PHASE_TIMES_OFF, PHASE_TIMES_SAMPLED, PHASE_TIMES_EXACT };

/* Where a stretch that is always timed goes back to. */
struct phase_mark {
    enum tw_phase phase;
    bool timing;
    uint64_t weight;
};

struct phase_clock {
    uint32_t *flags;       /* NULL, or where `timing` stands as PROBE_ENGINE_TIMED, too */
    bool timing;           /* now; false outside of the run */
    bool recording;        /* in a stretch of TW_PHASE_recording */
    enum phase_times mode; /* PHASE_TIMES_OFF outside of the run */
    enum tw_phase now;
    uint64_t turns_left;   /* of this kind, timed or not, the one that has begun included */
    unsigned stride;       /* turns per timed one, in the mean */
    unsigned drawn_stride; /* with which the distance to the next timed turn was drawn */
    uint64_t weight;       /* of the ticks that go by */
    uint64_t since;        /* clock at the last switch */
    uint64_t switch_ticks; /* what a switch costs */
    uint64_t random;
    struct tw_phase_ticks ticks; /* weighted */
    struct tw_phase_ticks once;  /* the part of weight 1 */
    struct phase_mark before_recording;
};

/* "off", "sampled", "exact"; false for anything else. */
bool phase_times_parse(const char *text, enum phase_times *mode);
const char *phase_times_name(enum phase_times mode);

/* The run begins, in TW_PHASE_other; all ticks are 0. flags have been set. */
void phase_clock_start(struct phase_clock *clock, enum phase_times mode);
/* The run is over: nothing is timed any more. */
void phase_clock_stop(struct phase_clock *clock);

/* The part of run_ticks that each phase took: the estimates are scaled to what was not measured. */
void phase_clock_shares(const struct phase_clock *clock, uint64_t run_ticks,
                        double ticks[TW_PHASES]);

/* Out of line: phase_enter() while timing, and the turn that begins or ends timing. */
void phase_clock_switch(struct phase_clock *clock, enum tw_phase phase);
void phase_clock_next_turns(struct phase_clock *clock);

/* Is the clock running in this turn? Never in an engine built with WARPSCOPE_NO_PROBES. */
#ifdef WARPSCOPE_NO_PROBES
#define PHASES_ARE_TIMED false
#else
#define PHASES_ARE_TIMED true
#endif
#define PHASE_IS_TIMED(clock) (PHASES_ARE_TIMED && (clock)->timing)

/* From now on time counts for this phase; returns the one before, to go back to. */
static inline enum tw_phase phase_enter(struct phase_clock *clock, enum tw_phase phase)
{
    enum tw_phase before = clock->now;
    if (PHASE_IS_TIMED(clock)) {
        phase_clock_switch(clock, phase);
    }
    return before;
}

/* A turn of the scheduler's loop begins. */
static inline void phase_turn(struct phase_clock *clock)
{
    if (PHASES_ARE_TIMED && --clock->turns_left == 0) {
        phase_clock_next_turns(clock);
    }
}

/* What lies between these two is timed in any turn. They nest with each other and with
 * phase_enter(). */
struct phase_mark phase_always_begin(struct phase_clock *clock, enum tw_phase phase);
void phase_always_end(struct phase_clock *clock, struct phase_mark before);

#endif
