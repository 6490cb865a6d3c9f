/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clocks.c - the bound of optimism by the progress of the other ranks, for ranks that vote in shared
 * memory and have a processor each. The rules and the constants are those of core/sched/clocks.c.
 */
#include "machine/rank.h"

#define PATIENCE_LEAST 64u
#define PATIENCE_MOST  (1u << 20)
#define PERIOD_EVENTS  2048u
#define WAITED_LEAST   0.01
#define UNDONE_LEAST   0.003
#define GROW           1.5
#define SHRINK         0.7

void wp_clock_init(struct wp_clock *c)
{
    *c = (struct wp_clock){.n_shown = WP_SHOWN,
                           .reach = INFINITY,
                           .width = INFINITY,
                           .seen = -INFINITY,
                           .least = -INFINITY,
                           .patience = PATIENCE_LEAST};
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
    const struct wp_counts *counts = &s->rank->counts;
    struct wp_clock *c = &s->work->clocks[s->rank->number];
    c->votes[counts->rounds % 2] =
        (struct wp_clock_vote){counts->executed, counts->undone, c->waited_ns};
}

/* Returns the hindmost clock of the other ranks. */
static double read_clocks(const struct wp_self *s, double now)
{
    double least = INFINITY;
    for (uint32_t r = 0; r < s->m->ranks; r++) {
        const struct wp_clock *c = &s->work->clocks[r];
        uint64_t i = c->n_shown;
        while (c->shown[i % WP_SHOWN].from_ns > now && c->n_shown - i < WP_SHOWN - 1) {
            i--;
        }
        const double at = c->shown[i % WP_SHOWN].at;
        least = r != s->rank->number && at < least ? at : least;
    }
    return least;
}

static double end_of_width(const struct wp_clock *c, const struct wp_self *s)
{
    const double base = c->least > s->rank->gvt ? c->least : s->rank->gvt;
    const double end = base + c->width;
    return end > base ? end : nextafter(base, INFINITY);
}

double wp_clocks_end(struct wp_self *s, double now)
{
    struct wp_clock *c = &s->work->clocks[s->rank->number];
    const uint64_t executed = s->rank->counts.executed;
    const double own = wp_first_at(s);
    bool stalled = false;
    c->width = c->width < INFINITY ? c->width : c->reach;
    if (own >= end_of_width(c, s) || executed - c->moved_at >= c->patience) {
        c->least = read_clocks(s, now);
        if (c->least != c->seen || c->seen >= own) {
            c->seen = c->least;
            c->moved_at = executed;
        }
        stalled = executed - c->moved_at >= c->patience;
    }
    const double end = stalled ? -INFINITY : end_of_width(c, s);
    const bool holds = own < INFINITY && own >= end;
    if (holds != c->holds) {
        c->waited_ns += holds ? 0 : now - c->held_ns;
        c->held_ns = now;
        c->holds = holds;
    }
    return end;
}

/* Returns the factor by which width and patience change. */
static double factor_of(double undone, double waited)
{
    if (waited > WAITED_LEAST && waited > undone) {
        return GROW;
    }
    return undone > UNDONE_LEAST ? SHRINK : 1;
}

void wp_clocks_adapt(struct wp_self *s, double now)
{
    struct wp_clock *c = &s->work->clocks[s->rank->number];
    uint64_t executed = 0, undone = 0;
    double waited = INFINITY;
    for (uint32_t r = 0; r < s->m->ranks; r++) {
        const struct wp_clock_vote *vote =
            &s->work->clocks[r].votes[(s->rank->counts.rounds - 1) % 2];
        executed += vote->executed;
        undone += vote->undone;
        waited = vote->waited_ns < waited ? vote->waited_ns : waited;
    }
    const uint64_t processed = executed - c->period_executed;
    if (processed < PERIOD_EVENTS) {
        return;
    }
    const uint64_t new_undone = undone - c->period_undone;
    const double factor =
        factor_of((double)new_undone / (double)processed, waited / (now - c->period_ns));
    c->width = factor * c->width > c->reach ? factor * c->width : c->reach;
    const double patience = (new_undone > 0 ? factor : GROW) * (double)c->patience;
    c->patience = patience < PATIENCE_LEAST  ? PATIENCE_LEAST
                  : patience < PATIENCE_MOST ? (uint64_t)patience
                                             : PATIENCE_MOST;
    c->period_executed = executed;
    c->period_undone = undone;
    c->period_ns = now;
    c->waited_ns = 0;
}
