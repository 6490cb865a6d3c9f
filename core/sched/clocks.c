/* SPDX-License-Identifier: BSD-3-Clause */
/* clocks.c - see clocks.h. */
#include "sched/clocks.h"

#include <assert.h>

#include "base/clock.h"

/* Bounds of the patience, in events. */
#define PATIENCE_LEAST 64u
#define PATIENCE_MOST  (1u << 20)
#define PERIOD_EVENTS  2048u /* least number of events of all ranks between two adaptations */
/* Smaller shares than these change nothing. */
#define WAITED_LEAST 0.01
#define UNDONE_LEAST 0.003
#define GROW         1.5
#define SHRINK       0.7

void clocks_init(struct clocks *c)
{
    *c = (struct clocks){
        .width = INFINITY, .patience = PATIENCE_LEAST, .seen = -INFINITY, .began = clock_ticks()};
}

/* Returns the receive time of this rank's next event; INFINITY: none. */
static double clock_now(const struct pe *pe)
{
    const tw_event *next = pending_peek(pe->pending);
    return next != NULL ? next->recv_ts : INFINITY;
}

static bool are_shown(const struct pe *pe)
{
    return pe->gvt.boards != NULL && !pe->comm.crowded && pe->comm.n_ranks > 1 &&
           pe->comm.n_ranks <= CLOCKS_RANKS_MOST;
}

void clocks_show(const struct pe *pe)
{
    if (are_shown(pe)) {
        atomic_store_explicit(&pe->gvt.boards[pe->comm.rank]->clock, clock_now(pe),
                              memory_order_release);
    }
}

/* Returns the hindmost clock of the other ranks. */
static double read_clocks(const struct pe *pe)
{
    double least = INFINITY;
    for (int rank = 0; rank < pe->comm.n_ranks; rank++) {
        if (rank != pe->comm.rank) {
            const double at =
                atomic_load_explicit(&pe->gvt.boards[rank]->clock, memory_order_acquire);
            least = at < least ? at : least;
        }
    }
    return least;
}

static double end_of_width(const struct clocks *c, const struct pe *pe)
{
    const double least = pe->gvt.clocks_least;
    const double base = least > pe->head.GVT ? least : pe->head.GVT;
    const double end = base + c->width;
    return end > base ? end : nextafter(base, INFINITY);
}

/* Notes whether the rank waits, and for how long it did. */
static void note_holding(struct clocks *c, struct pe *pe, bool holds)
{
    if (holds != c->holds) {
        const uint64_t now = clock_ticks();
        pe->gvt.waited_ticks += holds ? 0 : now - c->held_at;
        c->held_at = now;
        c->holds = holds;
    }
}

double clocks_end(struct clocks *c, struct pe *pe)
{
    if (!are_shown(pe)) {
        pe->gvt.clocks_least = -INFINITY;
        note_holding(c, pe, false);
        return INFINITY;
    }
    const uint64_t executed = pe->counters.events_processed;
    const double own = clock_now(pe);
    bool stalled = false;
    c->width = c->width < INFINITY ? c->width : pe->reach;
    if (own >= end_of_width(c, pe) || executed - c->moved_at >= c->patience) {
        pe->gvt.clocks_least = read_clocks(pe);
        if (pe->gvt.clocks_least != c->seen || c->seen >= own) {
            c->seen = pe->gvt.clocks_least;
            c->moved_at = executed;
        }
        stalled = executed - c->moved_at >= c->patience;
    }
    const double end = stalled ? -INFINITY : end_of_width(c, pe);
    note_holding(c, pe, own < INFINITY && own >= end);
    return end;
}

double clocks_factor(double undone, double waited)
{
    assert(undone >= 0.0 && waited >= 0.0);
    if (waited > WAITED_LEAST && waited > undone) {
        return GROW;
    }
    return undone > UNDONE_LEAST ? SHRINK : 1.0;
}

void clocks_adapt(struct clocks *c, struct pe *pe)
{
    const struct comm_vote *sum = &pe->gvt.result;
    const uint64_t processed = sum->processed - c->processed;
    if (!are_shown(pe) || processed < PERIOD_EVENTS) {
        return;
    }
    const uint64_t now = clock_ticks();
    const uint64_t undone = sum->processed - sum->net;
    const double factor = clocks_factor((double)(undone - c->undone) / (double)processed,
                                        (double)sum->waited_ticks / (double)(now - c->began));
    c->width = factor * c->width > pe->reach ? factor * c->width : pe->reach;
    /* While nothing is undone, the rank need not look so often whether the others go on. */
    const double patience = (undone > c->undone ? factor : GROW) * (double)c->patience;
    c->patience = patience < PATIENCE_LEAST  ? PATIENCE_LEAST
                  : patience < PATIENCE_MOST ? (uint64_t)patience
                                             : PATIENCE_MOST;
    c->processed = sum->processed;
    c->undone = undone;
    c->began = now;
    pe->gvt.waited_ticks = 0;
}
