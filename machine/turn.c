/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turn.c - a turn of a rank's loop, its cost, and its actions for GVT rounds. The order of actions
 * is that of sched_optimistic() in core/sched/optimistic.c: take the result of a round, receive
 * messages, execute a batch, send messages, join the next round.
 */
#include <assert.h>

#include "machine/hash.h"
#include "machine/rank.h"

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* Returns a factor with the mean 1. deviation: its standard deviation, at most 1. */
static double vary(uint64_t hash, double deviation)
{
    return 1 - deviation - deviation * log(wp_unit(hash));
}

/* Spends time to vote, or to take a result. */
static void round_spend(struct wp_self *s, uint64_t what)
{
    const struct wp_machine *c = &s->m->machine;
    struct wp_rank *r = s->rank;
    const uint64_t hash = wp_mix(~((uint64_t)r->number << 40 ^ what ^ c->seed << 60));
    const double ns = c->vote_ns * vary(hash, c->vote_jitter);
    r->round_cost_ns += ns;
    s->work->times.gvt_ns += ns;
}

static struct wp_vote contribute(struct wp_self *s)
{
    struct wp_rank *r = s->rank;
    double first = wp_first_at(s);
    round_spend(s, 2 * r->counts.votes++);
    if (s->work->clocks != NULL) {
        wp_clock_vote(s);
    }
    first = first < r->least_sent ? first : r->least_sent;
    if (s->m->windows) { /* by MPI, all messages must have arrived */
        return (struct wp_vote){first, s->m->prepares ? r->balance[r->colour] : 0, r->number};
    }
    return (struct wp_vote){first, r->balance[r->colour ^ 1u], r->number};
}

static void change_colour(struct wp_rank *r)
{
    r->colour ^= 1u;
    r->least_sent = INFINITY;
}

struct wp_vote wp_join(struct wp_self *s)
{
    struct wp_rank *r = s->rank;
    assert(!r->in_round);
    r->in_round = 1;
    s->work->begun = r->counts.rounds >= s->work->begun ? r->counts.rounds + 1 : s->work->begun;
    if (!r->prepared && !s->m->windows) {
        change_colour(r);
    }
    r->prepared = 0;
    r->round_cost_ns = 0;
    return contribute(s);
}

/* Changes the colour of the rank if another rank has joined its next round. */
static void notice(struct wp_self *s)
{
    struct wp_rank *r = s->rank;
    if (s->m->notices && !r->in_round && !r->prepared && s->work->begun > r->counts.rounds) {
        change_colour(r);
        r->prepared = 1;
    }
}

static bool round_is_due(const struct wp_self *s, double now)
{
    const struct wp_rank *r = s->rank;
    return (!s->m->takes_turns && r->counts.executed - r->round_executed >= r->interval_events) ||
           (s->m->adapts && now - r->round_ns >= 1e9 * BOUNDS_PATIENCE_S);
}

/* Adapts the bounds of optimism after a new GVT. */
static void bounds_adapt(struct wp_self *s, double now)
{
    struct wp_rank *r = s->rank;
    if (!(s->m->bound > 0)) {
        bounds_horizon_adapt(&r->horizon, wp_tally(r), false);
    }
    bounds_lead_adapt(&r->lead, s->m->adapts ? s->m->lead_most : 0, s->m->processors < s->m->ranks,
                      &r->lead_since, wp_tally(r));
    if (s->work->clocks != NULL) {
        wp_clocks_adapt(s, now);
    }
}

/* Ends the GVT round and commits events. */
static void take_gvt(struct wp_self *s, double now)
{
    struct wp_rank *r = s->rank;
    round_spend(s, 2 * r->counts.votes + 1);
    r->interval_events =
        bounds_interval_next(r->interval_events, s->m->interval_least, s->m->interval_most,
                             r->round_cost_ns, now - r->round_ns);
    r->gvt = r->answer_gvt > r->gvt ? r->answer_gvt : r->gvt;
    r->answer = WP_NO_ANSWER;
    r->in_round = 0;
    r->counts.rounds++;
    r->round_executed = r->counts.executed;
    r->round_ns = now;
    wp_fossil_collect(s);
    if (s->m->windows) {
        r->least_sent = INFINITY;
    } else if (s->m->prepares) {
        change_colour(r);
        r->prepared = 1;
    }
    r->done = r->gvt >= s->m->end;
}

bool wp_node_add(const struct wp_model *m, struct wp_rank *r, struct wp_vote vote,
                 struct wp_vote *sum)
{
    assert(r->node_votes <= wp_children(m, r->number));
    r->node_votes++;
    r->node_in_transit += vote.in_transit;
    r->node_least = vote.least < r->node_least ? vote.least : r->node_least;
    if (r->node_votes <= wp_children(m, r->number)) {
        return false;
    }
    *sum = (struct wp_vote){r->node_least, r->node_in_transit, vote.from};
    r->node_votes = 0;
    r->node_in_transit = 0;
    r->node_least = INFINITY;
    return true;
}

/* ---- Execution ------------------------------------------------------------------------------- */

/* Executes up to one batch of events, as far as the bounds of optimism and the slots allow. Returns
 * the number of executed events. */
static uint32_t execute_some(struct wp_self *s, double clocks)
{
    struct wp_rank *r = s->rank;
    const uint64_t executed = r->counts.executed - r->round_executed;
    uint64_t most = s->m->batch;
    double horizon = bounds_horizon_end(&r->horizon, r->gvt);
    horizon = horizon < clocks ? horizon : clocks;
    if (executed >= r->lead || (s->m->windows && r->in_round)) {
        return 0;
    }
    if (wp_free(s) < s->m->reserve) {
        r->counts.held_back++;
        horizon = nextafter(r->gvt, INFINITY); /* permits the event at GVT, which holds GVT back */
        most = 1;
    }
    most = most < r->lead - executed ? most : r->lead - executed;
    uint32_t done = wp_execute(s, horizon, most);
    bounds_horizon_note(&r->horizon, r->last_at - r->gvt);
    return done;
}

/* ---- Costs ----------------------------------------------------------------------------------- */

/* Returns the factor by which a rank is slower than the fastest possible rank. */
static double slowness(const struct wp_model *m, uint32_t rank)
{
    return 1 + m->machine.uneven * wp_unit(wp_mix(~(uint64_t)rank ^ m->machine.seed << 32));
}

/* Returns the duration in ns of the interruption during a turn of `length` ns; 0: there is none.
 * hash: used as a random number. */
static double noise(const struct wp_machine *c, uint64_t hash, double length)
{
    return c->noise_ns > 0 && wp_unit(hash) * c->noise_every_ns < length ? c->noise_ns : 0;
}

/* Sets the duration of a turn, and its parts. before: the counts at its start; received: number of messages
 * received. */
static void turn_end(struct wp_self *s, struct wp_turn *turn, const struct wp_counts *before,
                     uint32_t received)
{
    const struct wp_machine *c = &s->m->machine;
    struct wp_rank *r = s->rank;
    struct wp_times *t = &s->work->times;
    const uint64_t hash = wp_mix((uint64_t)r->number << 40 ^ r->counts.turns ^ c->seed << 60);
    const double factor = slowness(s->m, r->number) * vary(hash, c->jitter);
    if (s->m->source->cost == NULL) {
        t->execute_ns = (double)(r->counts.executed - before->executed) * c->event_ns;
        t->undo_ns = (double)(r->counts.undone - before->undone) * c->undo_ns;
    }
    t->receive_ns = received * c->receive_ns;
    t->send_ns = (double)s->work->n_outs * c->send_ns;
    turn->cost_ns =
        c->turn_ns + (t->execute_ns + t->undo_ns) * factor + t->receive_ns + t->send_ns + t->gvt_ns;
    turn->cost_ns += noise(c, wp_mix(hash), turn->cost_ns);
    t->execute_ns *= factor;
    t->undo_ns *= factor;
    turn->times = *t;
    r->counts.busy_ps += (uint64_t)llrint(turn->cost_ns * 1000);
}

struct wp_turn wp_turn(struct wp_self *s, double now)
{
    struct wp_rank *r = s->rank;
    struct wp_turn turn = {0};
    const struct wp_counts before = r->counts;
    const bool ends_round = r->answer == WP_GVT;
    s->work->n_outs = 0;
    s->work->times = (struct wp_times){.gvt_ns = 0};
    r->counts.turns++;
    if (ends_round) {
        take_gvt(s, now);
        r->idle = r->done;
    }
    notice(s);
    const struct wp_clock *clock = s->work->clocks != NULL ? &s->work->clocks[r->number] : NULL;
    const double clocks = clock != NULL && !ends_round ? wp_clocks_end(s, now) : INFINITY;
    const uint32_t received = wp_receive(s);
    if (ends_round) {
        bounds_adapt(s, now);
    } else {
        if (r->answer == WP_AGAIN) {
            r->answer = WP_NO_ANSWER;
            turn.votes = true;
            turn.vote = contribute(s);
        }
        const uint32_t executed = execute_some(s, clocks);
        const bool holds = clock != NULL && clock->bound.holds && executed == 0;
        const bool waits = executed == 0 && !(holds && s->work->begun <= r->counts.rounds);
        if (!r->in_round && (waits || round_is_due(s, now))) {
            turn.votes = true;
            turn.vote = wp_join(s);
        }
        turn.yields = holds;
        r->idle = executed == 0 && !holds; /* the rank waits for a message or a result */
    }
    turn_end(s, &turn, &before, received);
    if (clock != NULL && !ends_round) {
        wp_clock_show(s, now + turn.cost_ns);
    }
    if (r->done) {
        r->finished_ns = now + turn.cost_ns;
    }
    return turn;
}
