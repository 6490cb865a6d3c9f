/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.c - the fields that the model adds to the records of the instrumentation. Event records
 * describe the agent; samples describe the cell. The structs have no padding.
 */
#include "common/observe.h"
#include "agents.h"

struct agent_record {
    uint64_t agent;
    double energy;
    uint32_t health;
    uint32_t moves;
};
_Static_assert(sizeof(struct agent_record) == 24, "no padding");

struct cell_record {
    double grass; /* amount of grass after the last visit */
    uint64_t visits;
    uint64_t infections;
    uint64_t starved;
    uint32_t spores; /* 1 if spores in the cell can infect visitors, else 0 */
    uint32_t desert;
};
_Static_assert(sizeof(struct cell_record) == 40, "no padding");

static const char *const healths[] = {
    [AG_SUSCEPTIBLE] = "susceptible", [AG_INFECTED] = "infected", [AG_IMMUNE] = "immune", NULL};

static const st_field agent_fields[] = {
    {"agent", ST_U64, offsetof(struct agent_record, agent), "", 1, ST_IDENTITY},
    {"energy", ST_F64, offsetof(struct agent_record, energy), "", 1, ST_LEVEL},
    {"health", ST_U32, offsetof(struct agent_record, health), "", 1, ST_IDENTITY, healths},
    {"moves", ST_U32, offsetof(struct agent_record, moves), "", 1, ST_LEVEL},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static const st_field cell_fields[] = {
    {"grass", ST_F64, offsetof(struct cell_record, grass), "", 1, ST_LEVEL},
    {"visits", ST_U64, offsetof(struct cell_record, visits), "agents", 1, ST_COUNTER},
    {"infections", ST_U64, offsetof(struct cell_record, infections), "agents", 1, ST_COUNTER},
    {"starved", ST_U64, offsetof(struct cell_record, starved), "agents", 1, ST_COUNTER},
    {"spores", ST_U32, offsetof(struct cell_record, spores), "", 1, ST_LEVEL},
    {"desert", ST_U32, offsetof(struct cell_record, desert), "", 1, ST_LEVEL},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static void agent_trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)lp;
    (void)collect_flag;
    const struct ag_agent *a = &((const struct ag_visit *)msg)->agent;
    struct agent_record record = {a->id, a->energy, a->health, a->moves};
    memcpy(buffer, &record, sizeof record);
}

static void cell_sample(void *state, tw_lp *lp, char *buffer)
{
    const struct ag_cell *c = state;
    struct cell_record record = {
        c->grass, c->visits, c->infections, c->starved, tw_now(lp) < c->spores_until, c->desert};
    memcpy(buffer, &record, sizeof record);
}

st_model_types ag_observers = {
    MODEL_OBSERVE_EVENTS(agent_trace, struct agent_record),
    MODEL_OBSERVE_STATE(cell_sample, struct cell_record),
};

void ag_observers_describe(void)
{
    model_observers_describe(&ag_observers, agent_fields, cell_fields);
}
