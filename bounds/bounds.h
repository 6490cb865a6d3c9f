/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bounds.h - how the bounds of a rank's optimism, and the interval between GVT rounds, adapt. These are
 * the rules of the engine and of the simulated machine (machine/).
 *
 * The horizon is virtual time ahead of GVT. It shrinks if more than a third of the events of an
 * observation period were undone, and grows without bound if few were. The lead is the number of
 * events that a rank may execute between two GVTs. It doubles if nearly all events of half a lead were
 * kept, and halves if many were undone.
 */
#ifndef WARPSCOPE_BOUNDS_BOUNDS_H
#define WARPSCOPE_BOUNDS_BOUNDS_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Optimism shrinks if the share of executed events that were kept, that is, not undone, is smaller
 * than this. */
#define BOUNDS_KEPT_FEW  0.66
#define BOUNDS_KEPT_MANY 0.90 /* optimism grows if that share is greater than this */
/* These shares hold for the lead of ranks that share processors: a smaller lead costs them less. */
#define BOUNDS_KEPT_FEW_CROWDED  0.90
#define BOUNDS_KEPT_MANY_CROWDED 0.95
/* Minimum number of events in a period before the horizon may shrink, and before it may grow.
 * Shrinking is quicker, because undone events cost more than missed optimism. */
#define BOUNDS_SHRINK_EVENTS 128u
#define BOUNDS_GROW_EVENTS   1024u
/* Minimum number of events in a period before the horizon shrinks because observers reached their
 * memory limit. Without this, data about events far ahead could occupy that memory for long. */
#define BOUNDS_HELD_EVENTS 256u

/* The first value of an adaptive lead, and its maximum while ranks share processors, since some rank
 * then always waits for one. Ranks that take turns execute two leads in each turn: the last rank to
 * vote goes on at once, see engine/gvt.h. */
#define BOUNDS_LEAD_FIRST   64u
#define BOUNDS_LEAD_CROWDED 512u
#define BOUNDS_LEAD_TURN    256u
/* For a fixed interval, the lead is twice the interval, but at least this. When a rank has executed
 * the lead and there is still no new GVT, other ranks are probably far behind because they wait for a
 * core. Further events would then probably be undone. */
#define BOUNDS_LEAD_FIXED 8192u

/* Bounds of the adaptive interval between rounds: number of events that the rank executes. */
#define BOUNDS_INTERVAL_LEAST 256u
#define BOUNDS_INTERVAL_MOST  4096u
/* Limit in bytes of the memory for the events that a rank executes in an adaptive interval.
 * BOUNDS_HISTORY_EVENTS events are always allowed. */
#define BOUNDS_HISTORY_BYTES  ((size_t)2 << 20)
#define BOUNDS_HISTORY_EVENTS 8u
/* Target of an adaptive interval: rounds take at most this part of the time. */
#define BOUNDS_ROUNDS_PART 0.02
/* Maximum length of an adaptive interval in seconds, however long events take. */
#define BOUNDS_PATIENCE_S 0.001

/* Counts of events at one moment: of those executed, and of those undone. */
struct bounds_tally {
    uint64_t executed, undone;
};

/* Of the events executed from one moment to another, returns the share that was not undone; 1 if no
 * event was executed. */
static inline double bounds_kept(struct bounds_tally since, struct bounds_tally now)
{
    assert(now.executed >= since.executed && now.undone >= since.undone);
    const double executed = (double)(now.executed - since.executed);
    return executed > 0.0 ? 1.0 - (double)(now.undone - since.undone) / executed : 1.0;
}

struct bounds_horizon {
    double width; /* virtual time ahead of GVT; INFINITY: no limit */
    /* Greatest distance ahead of GVT, in virtual time, of an event executed in this period. */
    double farthest;
    struct bounds_tally period; /* counts at the start of the period */
};

/* Updates the statistics of the period after each batch, also if it was empty. ahead: distance from
 * GVT of the event executed last. */
static inline void bounds_horizon_note(struct bounds_horizon *h, double ahead)
{
    h->farthest = ahead > h->farthest ? ahead : h->farthest;
}

/* Adapts the width after a GVT. is_full: true if observers reached their memory limit in this period.
 * Returns true if a new period begins. */
static inline bool bounds_horizon_adapt(struct bounds_horizon *h, struct bounds_tally now,
                                        bool is_full)
{
    const uint64_t executed = now.executed - h->period.executed;
    const double kept = bounds_kept(h->period, now);
    if (executed < BOUNDS_SHRINK_EVENTS) {
        return false;
    }
    if (kept < BOUNDS_KEPT_FEW || (is_full && executed >= BOUNDS_HELD_EVENTS)) {
        const double from = h->farthest < h->width ? h->farthest : h->width;
        h->width = from > 0.0 ? (kept < BOUNDS_KEPT_FEW / 2.0 ? 0.35 : 0.7) * from : h->width;
    } else if (executed < BOUNDS_GROW_EVENTS) {
        return false;
    } else if (kept > BOUNDS_KEPT_MANY) {
        h->width *= 1.3;
    }
    h->farthest = 0.0;
    h->period = now;
    return true;
}

/* Returns the virtual time from which events must wait for a new GVT. An event at GVT itself may
 * always be executed. */
static inline double bounds_horizon_end(const struct bounds_horizon *h, double gvt)
{
    assert(h->width >= 0.0);
    const double end = gvt + h->width;
    return end > gvt ? end : nextafter(gvt, INFINITY);
}

/* Adapts a lead after a GVT. is_crowded: true if ranks share processors; since: counts at its last
 * adaptation. Rounds with few executed events are counted together. */
static inline void bounds_lead_adapt(uint64_t *lead, uint64_t limit, bool is_crowded,
                                     struct bounds_tally *since, struct bounds_tally now)
{
    if (limit <= BOUNDS_LEAD_FIRST || now.executed - since->executed < *lead / 2) {
        return;
    }
    const double kept = bounds_kept(*since, now);
    *since = now;
    if (kept > (is_crowded ? BOUNDS_KEPT_MANY_CROWDED : BOUNDS_KEPT_MANY)) {
        *lead = *lead < limit / 2 ? 2 * *lead : limit;
    } else if (kept < (is_crowded ? BOUNDS_KEPT_FEW_CROWDED : BOUNDS_KEPT_FEW) &&
               *lead > BOUNDS_LEAD_FIRST) {
        *lead /= 2;
    }
}

/* Returns the maximum of an adaptive interval in events. event_bytes: memory of an event. */
static inline uint64_t bounds_interval_most(size_t event_bytes)
{
    assert(event_bytes > 0);
    uint64_t most = BOUNDS_HISTORY_BYTES / event_bytes;
    most = most > BOUNDS_HISTORY_EVENTS ? most : BOUNDS_HISTORY_EVENTS;
    return most < BOUNDS_INTERVAL_MOST ? most : BOUNDS_INTERVAL_MOST;
}

/* Returns the next interval in events. cost: time that the rank spent on the last round; elapsed: time
 * from the end of the round before to its end. */
static inline uint64_t bounds_interval_next(uint64_t events, uint64_t least, uint64_t most,
                                            double cost, double elapsed)
{
    assert(least <= most);
    if (cost > BOUNDS_ROUNDS_PART * elapsed) {
        events *= 2;
    } else if (cost < BOUNDS_ROUNDS_PART / 4 * elapsed) {
        events /= 2;
    }
    events = events < least ? least : events;
    return events > most ? most : events;
}

#endif
