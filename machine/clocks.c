/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clocks.c - the clocks of ranks that vote in shared memory and have a processor each, as in
 * core/sched/clocks.c.
 */
#include "machine/rank.h"

void wp_clock_init(struct wp_clock *c)
{
    *c = (struct wp_clock){
        .n_shown = WP_SHOWN, .reach = INFINITY, .least = -INFINITY, .bound = clocks_begin(0)};
    for (unsigned i = 0; i < WP_SHOWN; i++) {
        c->shown[i].at = c->shown[i].from_ns = -INFINITY;
    }
}

void wp_clock_show(struct wp_self *s, double end)
{
    struct wp_clock *c = &s->work->clocks[s->rank->number];
    const struct wp_machine *machine = &s->m->machine;
    const double at = wp_first_at(s), last = c->shown[c->n_shown % WP_SHOWN].at;
    if (at < last || at > last) {
        c->n_shown++;
        c->shown[c->n_shown % WP_SHOWN].at = at;
        c->shown[c->n_shown % WP_SHOWN].from_ns =
            end + (double)s->work->n_outs * wp_gap(machine) + machine->byte_ns + machine->near_ns;
    }
}

void wp_clock_vote(struct wp_self *s)
{
    struct wp_clock *c = &s->work->clocks[s->rank->number];
    c->votes[s->rank->counts.rounds % 2] = (struct wp_clock_vote){wp_tally(s->rank), c->waited_ns};
}

/* A rank at a time in ns. */
struct look {
    const struct wp_self *self;
    double now;
};

/* Returns the hindmost clock of the other ranks. ctx: a struct look. */
static double read_clocks(const void *ctx)
{
    const struct look *look = ctx;
    const struct wp_self *s = look->self;
    double least = INFINITY;
    for (uint32_t r = 0; r < s->m->ranks; r++) {
        const struct wp_clock *c = &s->work->clocks[r];
        uint64_t i = c->n_shown;
        while (c->shown[i % WP_SHOWN].from_ns > look->now && c->n_shown - i < WP_SHOWN - 1) {
            i--;
        }
        const double at = c->shown[i % WP_SHOWN].at;
        least = r != s->rank->number && at < least ? at : least;
    }
    return least;
}

double wp_clocks_end(struct wp_self *s, double now)
{
    struct wp_clock *c = &s->work->clocks[s->rank->number];
    const struct look look = {s, now};
    const struct clocks_rank own = {wp_first_at(s), s->rank->gvt, c->reach,
                                    s->rank->counts.executed};
    const double end = clocks_end_find(&c->bound, &own, &c->least, read_clocks, &look);
    const bool holds = own.next < INFINITY && own.next >= end;
    c->waited_ns += holds != c->bound.holds ? clocks_hold(&c->bound, holds, now) : 0;
    return end;
}

void wp_clocks_adapt(struct wp_self *s, double now)
{
    struct wp_clock *c = &s->work->clocks[s->rank->number];
    struct bounds_tally all = {0, 0};
    double waited = INFINITY;
    for (uint32_t r = 0; r < s->m->ranks; r++) {
        const struct wp_clock_vote *vote =
            &s->work->clocks[r].votes[(s->rank->counts.rounds - 1) % 2];
        all.executed += vote->events.executed;
        all.undone += vote->events.undone;
        waited = fmin(waited, vote->waited_ns);
    }
    if (clocks_widen(&c->bound, all, waited, now, c->reach)) {
        c->waited_ns = 0;
    }
}
