/*
 * agents.h - grazers on a grid of cells. README.md says what is modelled.
 *
 * A cell is an LP; an agent is an event: it carries all that the agent is from the cell that it
 * leaves to the one that it visits.
 */
#ifndef AGENTS_H
#define AGENTS_H

#include "common/error.h"
#include "ross.h"

#define AG_MAX_SIDE 4096

/* error_num of suspended cells. */
#define AG_DESERT 1

enum ag_health { AG_SUSCEPTIBLE, AG_INFECTED, AG_IMMUNE };

struct ag_agent {
    uint64_t id;     /* (1 + gid of the cell where it was born) << 32 | its number there */
    double born;     /* when */
    double energy;   /* at the time it left the last cell */
    double travel;   /* time since then, on arrival */
    double well_at;  /* AG_INFECTED: when that will be over */
    uint32_t health; /* enum ag_health */
    uint32_t moves;
};
_Static_assert(sizeof(struct ag_agent) == 48, "an agent has no padding");

/* The payload of every event. undo is filled forwards, cleared backwards: the cell as it was. */
struct ag_visit {
    struct ag_agent agent;
    struct {
        double grass, grown_at, spores_until;
    } undo;
};

struct ag_cell {
    double grass;        /* at grown_at */
    double grown_at;     /* last visit */
    double spores_until; /* until when visitors may be infected */
    uint64_t visits;
    uint64_t infections; /* of agents, here */
    uint64_t starved;
    uint64_t births;
    uint64_t recoveries;
    uint32_t bare;   /* visits that left hardly any grass */
    uint32_t desert; /* 1: dead */
};

/* The parameters: the same on all ranks, read-only while the simulation runs. */
struct ag_options {
    unsigned width, height; /* cells */
    unsigned agents;        /* per cell, at the start */
    unsigned long infected; /* agents that are at the start */
    double energy;          /* of an agent at the start; with twice as much it has a child */
    double appetite;        /* most grass that an agent eats at a visit */
    double metabolism;      /* energy per time unit */
    double grass;           /* most of it in a cell */
    double growth;          /* grass per time unit and cell */
    double rest;            /* least time from visit to visit; the lookahead */
    double wander;          /* mean of the exponential time on top of it */
    double infect;          /* probability that a visit where spores are infects */
    double ill;             /* time that an infection lasts */
    double spores;          /* time that spores last */
    unsigned overgrazed;    /* visits that leave a cell bare until it is a desert; 0: never */
    unsigned lines;         /* 1: print what happens */
};

extern struct ag_options ag_options;

/* Are the options such as make sense, and is nothing else on the command line? argc, argv: what
 * tw_init() left. */
bool ag_options_check(const struct ag_options *options, int argc, char **argv,
                      struct model_error *error);

extern tw_lptype ag_cell_type;
extern st_model_types ag_observers;
void ag_observers_describe(void);

/* Cells before those of a rank. */
tw_lpid ag_cells_before(unsigned rank);

/* What the cells counted, on all ranks; printed by rank 0. After tw_run(). Collective. */
void ag_report_print(FILE *out);
void ag_report_add(void *state, tw_lp *lp); /* a cell's final function */

#endif
