/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cell.c - a visit of an agent to a cell, and its undo.
 *
 * A visit has these steps, in this order. An agent that has starved on its way to the cell
 * disappears, and the visit ends. The grass grows, and the agent eats. An infected agent recovers
 * or leaves spores; a susceptible agent may be infected by spores in the cell. If the agent has
 * enough energy, it has a child, which moves in the opposite direction. The agent moves on. A cell
 * that was left bare too often becomes a desert: the LP suspends itself, and later visitors are
 * lost.
 *
 * Every visit draws three random numbers, even if it does not use all of them, so that a reverse
 * handler always undoes three draws. The numbers determine, in this order, whether an infection
 * takes place, the time until the next visit, and the direction of the move.
 *
 * Bits of an event:
 * - c0: the agent was infected in this cell
 * - c1: the agent starved
 * - c2: the agent had a child
 * - c3: the agent left the cell bare
 * - c4: the cell became a desert
 * - c5: the agent recovered
 *
 * Cost: O(1) per visit.
 */
#include "agents.h"

#include <assert.h>

#define BARE_SHARE 0.05 /* a cell with less than this share of the maximum grass is bare */

enum { DRAWS = 3 };

struct ag_options ag_options = {
    .width = 16,
    .height = 16,
    .agents = 1,
    .infected = 4,
    .energy = 10,
    .appetite = 3,
    .metabolism = 1,
    .grass = 10,
    .growth = 1,
    .rest = 0.25,
    .wander = 1.0,
    .infect = 0.5,
    .ill = 10,
    .spores = 2,
    .overgrazed = 100,
    .lines = 0,
};

struct place {
    unsigned x, y;
};

static struct place cell_place(tw_lpid gid)
{
    return (struct place){(unsigned)(gid % ag_options.width), (unsigned)(gid / ag_options.width)};
}

/* Returns the neighbour of a cell in direction `way`: 0 east, 1 north, 2 west, 3 south. Neighbours
 * wrap around at the edges of the grid. */
static tw_lpid cell_neighbour(tw_lpid gid, unsigned way)
{
    assert(way < 4);
    static const int dx[4] = {1, 0, -1, 0};
    static const int dy[4] = {0, -1, 0, 1};
    struct place p = cell_place(gid);
    unsigned w = ag_options.width;
    unsigned h = ag_options.height;
    unsigned x = (p.x + w + (unsigned)dx[way]) % w;
    unsigned y = (p.y + h + (unsigned)dy[way]) % h;
    return (tw_lpid)y * w + x;
}

/* ---- Printed lines --------------------------------------------------------------------------- */

static void line_print(tw_lp *lp, const char *what, const struct ag_agent *a)
{
    struct place p = cell_place(lp->gid);
    if (ag_options.lines) {
        tw_output(lp, "agents: %.6f cell %u,%u agent %" PRIu64 ".%" PRIu64 " %s\n", tw_now(lp), p.x,
                  p.y, a->id >> 32, a->id & 0xffffffffu, what);
    }
}

/* ---- Parts of a visit ------------------------------------------------------------------------ */

static void agent_eat(struct ag_cell *c, struct ag_agent *a, tw_bf *bf, const tw_lp *lp)
{
    const struct ag_options *o = &ag_options;
    double grass = ROSS_MIN(c->grass + o->growth * (tw_now(lp) - c->grown_at), o->grass);
    double eaten = ROSS_MIN(grass, o->appetite);
    c->grass = grass - eaten;
    c->grown_at = tw_now(lp);
    a->energy += eaten;
    bf->c3 = c->grass < BARE_SHARE * o->grass;
    c->bare += bf->c3;
}

/* Lets an infected agent recover if its infection is over. If the cell has spores, infects a
 * susceptible agent with the probability ag_options.infect. Then leaves spores in the cell if the
 * agent is infected. u: random number for the infection, from 0 to 1. */
static void agent_infect(struct ag_cell *c, struct ag_agent *a, tw_bf *bf, double u, tw_lp *lp)
{
    double now = tw_now(lp);
    bf->c5 = a->health == AG_INFECTED && now >= a->well_at;
    bf->c0 = a->health == AG_SUSCEPTIBLE && now < c->spores_until && u < ag_options.infect;
    if (bf->c5) {
        a->health = AG_IMMUNE;
        c->recoveries++;
        line_print(lp, "is well again", a);
    } else if (bf->c0) {
        a->health = AG_INFECTED;
        a->well_at = now + ag_options.ill;
        c->infections++;
        line_print(lp, "is infected", a);
    }
    if (a->health == AG_INFECTED) {
        c->spores_until = now + ag_options.spores;
    }
}

static void agent_send(const struct ag_agent *a, tw_lpid to, double offset, tw_lp *lp)
{
    assert(to < (tw_lpid)ag_options.width * ag_options.height);
    tw_event *event = tw_event_new(to, offset, lp);
    struct ag_visit *visit = tw_event_data(event);
    memset(visit, 0, sizeof *visit);
    visit->agent = *a;
    visit->agent.travel = offset;
    visit->agent.moves++;
    tw_event_send(event);
}

static void agent_starve(struct ag_cell *c, const struct ag_agent *a, tw_lp *lp)
{
    st_task_id id = {0, 0, 0};
    c->starved++;
    st_task_add(lp, &id, (st_task_id){0, 0, 0}, "life", "starved", NULL, a->born, NULL, 0);
    line_print(lp, "has starved", a);
}

/* Sends a child of the agent to cell `to`, where it arrives after `offset`. The child gets half of
 * the agent's energy. */
static void child_send(struct ag_cell *c, struct ag_agent *a, tw_lpid to, double offset, tw_lp *lp)
{
    assert(a->energy >= 0);
    a->energy /= 2;
    struct ag_agent child = {
        .id = (lp->gid + 1) << 32 | ++c->births, .born = tw_now(lp), .energy = a->energy};
    agent_send(&child, to, offset, lp);
    line_print(lp, "is born", &child);
}

static void cell_die(struct ag_cell *c, tw_lp *lp)
{
    assert(c->desert == 0);
    struct place p = cell_place(lp->gid);
    c->desert = 1;
    if (ag_options.lines) {
        tw_output(lp, "agents: %.6f cell %u,%u is a desert\n", tw_now(lp), p.x, p.y);
    }
    tw_lp_suspend(lp, 1, AG_DESERT);
}

/* ---- Handlers -------------------------------------------------------------------------------- */

/* Sends the cell's first agents to the cell itself, as if they had come from other cells. */
static void cell_init(void *state, tw_lp *lp)
{
    const struct ag_options *o = &ag_options;
    struct ag_cell *c = state;
    c->grass = o->grass;
    for (unsigned i = 0; i < o->agents; i++) {
        struct ag_agent a = {.id = (lp->gid + 1) << 32 | ++c->births, .energy = o->energy};
        if (lp->gid * o->agents + i < o->infected) {
            a.health = AG_INFECTED;
            a.well_at = o->ill;
        }
        agent_send(&a, lp->gid, o->rest + tw_rand_exponential(lp->rng, o->wander), lp);
    }
}

static void cell_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct ag_options *o = &ag_options;
    struct ag_cell *c = state;
    struct ag_visit *visit = msg;
    struct ag_agent a = visit->agent;
    double u = tw_rand_unif(lp->rng);
    double offset = o->rest + tw_rand_exponential(lp->rng, o->wander);
    unsigned way = (unsigned)tw_rand_integer(lp->rng, 0, 3);
    visit->undo.grass = c->grass;
    visit->undo.grown_at = c->grown_at;
    visit->undo.spores_until = c->spores_until;

    c->visits++;
    a.energy -= o->metabolism * a.travel;
    bf->c1 = a.energy < 0;
    if (bf->c1) {
        agent_starve(c, &a, lp);
        return;
    }
    agent_eat(c, &a, bf, lp);
    agent_infect(c, &a, bf, u, lp);
    bf->c2 = a.energy > 2 * o->energy;
    if (bf->c2) {
        child_send(c, &a, cell_neighbour(lp->gid, (way + 2) % 4), offset, lp);
    }
    agent_send(&a, cell_neighbour(lp->gid, way), offset, lp);
    bf->c4 = o->overgrazed > 0 && c->bare == o->overgrazed;
    if (bf->c4) {
        cell_die(c, lp);
    }
}

static void cell_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct ag_cell *c = state;
    struct ag_visit *visit = msg;
    if (bf->c4) {
        c->desert = 0;
    }
    c->births -= bf->c2;
    c->infections -= bf->c0;
    c->recoveries -= bf->c5;
    c->bare -= bf->c3;
    c->starved -= bf->c1;
    assert(c->visits > 0);
    c->visits--;
    c->grass = visit->undo.grass;
    c->grown_at = visit->undo.grown_at;
    c->spores_until = visit->undo.spores_until;
    memset(&visit->undo, 0, sizeof visit->undo);
    for (int i = 0; i < DRAWS; i++) {
        tw_rand_reverse_unif(lp->rng);
    }
}

tw_lptype ag_cell_type = {
    .init = cell_init,
    .event = cell_event,
    .revent = cell_revent,
    .final = ag_report_add,
    .state_sz = sizeof(struct ag_cell),
};
