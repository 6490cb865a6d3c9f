/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.c - the fields that the model adds to the records of the instrumentation. Event records
 * describe the agent; samples describe the cell.
 */
#include "agents.h"

static const char *const healths[] = {
    [AG_SUSCEPTIBLE] = "susceptible", [AG_INFECTED] = "infected", [AG_IMMUNE] = "immune", NULL};

#define AGENT_FIELDS(X, r)                                                                         \
    X(r, U64, agent, "", IDENTITY, NULL)                                                           \
    X(r, F64, energy, "", LEVEL, NULL)                                                             \
    X(r, U32, health, "", IDENTITY, healths)                                                       \
    X(r, U32, moves, "", LEVEL, NULL)
MODEL_PAYLOAD(agent, AGENT_FIELDS)

/* grass: amount after the last visit; spores: 1 if spores can infect visitors, else 0. */
#define CELL_FIELDS(X, r)                                                                          \
    X(r, F64, grass, "", LEVEL, NULL)                                                              \
    X(r, U64, visits, "agents", COUNTER, NULL)                                                     \
    X(r, U64, infections, "agents", COUNTER, NULL)                                                 \
    X(r, U64, starved, "agents", COUNTER, NULL)                                                    \
    X(r, U32, spores, "", LEVEL, NULL)                                                             \
    X(r, U32, desert, "", LEVEL, NULL)
MODEL_PAYLOAD(cell, CELL_FIELDS)

MODEL_EVENT(agent, const struct ag_visit *visit)
{
    const struct ag_agent *a = &visit->agent;
    return (struct agent){a->id, a->energy, a->health, a->moves};
}

MODEL_SAMPLE(cell, const struct ag_cell *c)
{
    bool infectious = tw_now(lp) < c->spores_until;
    return (struct cell){c->grass, c->visits, c->infections, c->starved, infectious, c->desert};
}

struct model_observers ag_observers = MODEL_OBSERVERS(agent, cell);
