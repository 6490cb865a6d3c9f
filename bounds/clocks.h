/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clocks.h - the bound of optimism by the progress of the other ranks. These are the rules of the engine
 * and of the simulated machine (machine/).
 *
 * A rank's clock is the receive time of its next event. A rank executes events up to a width ahead of
 * the hindmost clock of the others, and waits while that clock stands still. The width begins with the
 * least distance from send to receive time of an event from another rank: within it, hardly anything is
 * undone. It then follows what it costs: it grows if each rank waited for a larger share of the time
 * than the share of events that were undone, and otherwise shrinks down to that distance. If only some
 * ranks wait, that costs nothing, since they are the faster ones. A rank reads the clocks only when it
 * comes to the end of what they allowed.
 */
#ifndef WARPSCOPE_BOUNDS_CLOCKS_H
#define WARPSCOPE_BOUNDS_CLOCKS_H

#include "bounds/bounds.h"

#define CLOCKS_RANKS_MOST 16 /* each rank reads the clocks of all others */
/* Ranks that share processors wait for clocks by yielding: with more ranks per processor than this, that
 * takes longer than what it saves. */
#define CLOCKS_CROWD_MOST 4
/* Bounds of the patience, in events. */
#define CLOCKS_PATIENCE_LEAST 64u
#define CLOCKS_PATIENCE_MOST  (1u << 20)
#define CLOCKS_PERIOD_EVENTS  2048u /* least number of events of all ranks between two adaptations */
/* Smaller shares than these change nothing. */
#define CLOCKS_WAITED_LEAST 0.01
#define CLOCKS_UNDONE_LEAST 0.003
#define CLOCKS_GROW         1.5
#define CLOCKS_SHRINK       0.7

/* Returns true if ranks that vote in shared memory show their clocks. cores: number of processors of these
 * ranks. Ranks that share one take turns. */
static inline bool clocks_are_shown(double ranks, double cores)
{
    return ranks > 1 && ranks <= CLOCKS_RANKS_MOST &&
           (cores >= ranks || (cores > 1 && ranks <= CLOCKS_CROWD_MOST * cores));
}

/* Times are in the unit of the caller. */
struct clocks {
    double width; /* virtual time ahead of the hindmost clock; INFINITY: no bound */
    /* number of events that the rank may execute while the hindmost clock stands still */
    uint64_t patience;
    double seen;       /* hindmost clock of the other ranks when this rank last read them */
    uint64_t moved_at; /* number of events executed when it was first seen there */
    bool holds;        /* true if the rank waits for clocks */
    double held_at;    /* time at which that last changed */
    /* Values at the start of the period: sums over all ranks, and the time. */
    struct bounds_tally period;
    double began;
};

static inline struct clocks clocks_begin(double now)
{
    return (struct clocks){
        .width = INFINITY, .patience = CLOCKS_PATIENCE_LEAST, .seen = -INFINITY, .began = now};
}

/* State of a rank, as it knows it itself. */
struct clocks_rank {
    double next;       /* receive time of its next event; INFINITY: none */
    double gvt;        /* the latest GVT, in virtual time */
    double reach;      /* least distance from send to receive time of an event from another rank */
    uint64_t executed; /* number of events executed */
};

static inline double clocks_width_end(const struct clocks *c, double least, double gvt)
{
    const double base = least > gvt ? least : gvt;
    const double end = base + c->width;
    return end > base ? end : nextafter(base, INFINITY);
}

/* Returns the time before which clocks allow events. *least: the hindmost clock of the other ranks, as
 * this rank knows it; read(ctx), which returns it, is called if that time has come. */
static inline double clocks_end_find(struct clocks *c, const struct clocks_rank *own, double *least,
                                     double (*read)(const void *ctx), const void *ctx)
{
    bool stalled = false;
    c->width = c->width < INFINITY ? c->width : own->reach;
    if (own->next >= clocks_width_end(c, *least, own->gvt) ||
        own->executed - c->moved_at >= c->patience) {
        *least = read(ctx);
        if (*least != c->seen || c->seen >= own->next) {
            c->seen = *least;
            c->moved_at = own->executed;
        }
        stalled = own->executed - c->moved_at >= c->patience;
    }
    return stalled ? -INFINITY : clocks_width_end(c, *least, own->gvt);
}

/* Notes that the rank begins or ends to wait for clocks. Returns for how long it waited. */
static inline double clocks_hold(struct clocks *c, bool holds, double now)
{
    assert(holds != c->holds);
    const double waited = holds ? 0.0 : now - c->held_at;
    c->held_at = now;
    c->holds = holds;
    return waited;
}

/* Returns the factor by which width and patience change. undone: share of the events that were
 * undone; waited: share of the time for which each rank waited. */
static inline double clocks_factor(double undone, double waited)
{
    assert(undone >= 0.0 && waited >= 0.0);
    if (waited > CLOCKS_WAITED_LEAST && waited > undone) {
        return CLOCKS_GROW;
    }
    return undone > CLOCKS_UNDONE_LEAST ? CLOCKS_SHRINK : 1.0;
}

/* Adapts width and patience after a GVT. all: sums over all ranks; waited: time for which each rank
 * waited in this period. Returns true if a new period begins. */
static inline bool clocks_widen(struct clocks *c, struct bounds_tally all, double waited,
                                double now, double reach)
{
    const uint64_t executed = all.executed - c->period.executed;
    const uint64_t undone = all.undone - c->period.undone;
    if (executed < CLOCKS_PERIOD_EVENTS) {
        return false;
    }
    const double factor =
        clocks_factor((double)undone / (double)executed, waited / (now - c->began));
    c->width = factor * c->width > reach ? factor * c->width : reach;
    /* While nothing is undone, the rank need not look so often whether the others go on. */
    const double patience = (undone > 0 ? factor : CLOCKS_GROW) * (double)c->patience;
    c->patience = patience < CLOCKS_PATIENCE_LEAST  ? CLOCKS_PATIENCE_LEAST
                  : patience < CLOCKS_PATIENCE_MOST ? (uint64_t)patience
                                                    : CLOCKS_PATIENCE_MOST;
    c->period = all;
    c->began = now;
    return true;
}

#endif
