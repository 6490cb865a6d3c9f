/* SPDX-License-Identifier: BSD-3-Clause */
/* clocks.c - see clocks.h. Times are in clock ticks. */
#include "sched/clocks.h"

#include "base/clock.h"

/* Returns the receive time of this rank's next event; INFINITY: none. */
static double clock_now(const struct pe *pe)
{
    const tw_event *next = pending_peek(pe->pending);
    return next != NULL ? next->recv_ts : INFINITY;
}

static bool are_shown(const struct pe *pe)
{
    return pe->gvt.boards != NULL && clocks_are_shown(pe->comm.n_ranks, pe->comm.cores);
}

void clocks_show(const struct pe *pe)
{
    if (are_shown(pe)) {
        atomic_store_explicit(&pe->gvt.boards[pe->comm.rank]->clock, clock_now(pe),
                              memory_order_release);
    }
}

/* Returns the hindmost clock of the other ranks. ctx: a struct pe. */
static double read_clocks(const void *ctx)
{
    const struct pe *pe = ctx;
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

/* Notes whether the rank waits, and for how long it did. */
static void note_holding(struct clocks *c, struct pe *pe, bool holds)
{
    if (holds != c->holds) {
        pe->gvt.waited_ticks += (uint64_t)clocks_hold(c, holds, (double)clock_ticks());
    }
}

double clocks_end(struct clocks *c, struct pe *pe)
{
    if (!are_shown(pe)) {
        pe->gvt.clocks_least = -INFINITY;
        note_holding(c, pe, false);
        return INFINITY;
    }
    const struct clocks_rank own = {clock_now(pe), pe->head.GVT, pe->reach,
                                    pe->counters.events_processed};
    const double end = clocks_end_find(c, &own, &pe->gvt.clocks_least, read_clocks, pe);
    note_holding(c, pe, own.next < INFINITY && own.next >= end);
    return end;
}

void clocks_adapt(struct clocks *c, struct pe *pe)
{
    const struct comm_vote *sum = &pe->gvt.result;
    const struct bounds_tally all = {sum->processed, sum->processed - sum->net};
    if (are_shown(pe) &&
        clocks_widen(c, all, (double)sum->waited_ticks, (double)clock_ticks(), pe->reach)) {
        pe->gvt.waited_ticks = 0;
    }
}
