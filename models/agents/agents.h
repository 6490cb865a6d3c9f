/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * agents.h - grazers on a grid of cells. README.md describes the model.
 *
 * A cell is an LP. An agent is an event, which carries the agent's whole state from the cell that
 * it leaves to the next one.
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
    double born;     /* time of birth */
    double energy;   /* when it left the last cell */
    double travel;   /* time since then, on arrival */
    double well_at;  /* AG_INFECTED: end of the infection */
    uint32_t health; /* enum ag_health */
    uint32_t moves;
};
_Static_assert(sizeof(struct ag_agent) == 48, "an agent has no padding");

/* The payload of every event. undo holds the old state of the cell: set by forward handlers,
 * cleared by reverse handlers. */
struct ag_visit {
    struct ag_agent agent;
    struct {
        double grass, grown_at, spores_until;
    } undo;
};

struct ag_cell {
    double grass;        /* amount at grown_at */
    double grown_at;     /* time of the last visit */
    double spores_until; /* visitors can be infected until then */
    uint64_t visits;
    uint64_t infections; /* of agents, here */
    uint64_t starved;
    uint64_t births;
    uint64_t recoveries;
    uint32_t bare;   /* visits that left hardly any grass */
    uint32_t desert; /* 1: dead */
};

/* The parameters: equal on all ranks, read-only while the simulation runs. */
struct ag_options {
    unsigned width, height; /* cells */
    unsigned agents;        /* per cell, at the start */
    unsigned long infected; /* infected agents at the start */
    double energy;          /* of an agent at the start; an agent with twice as much has a child */
    double appetite;        /* limit of grass that an agent eats at a visit */
    double metabolism;      /* energy per time unit */
    double grass;           /* limit of grass in a cell */
    double growth;          /* grass per time unit and cell */
    double rest;            /* least time from visit to visit; the lookahead */
    double wander;          /* mean of the exponential time added to it */
    double infect;          /* probability that a visit to spores infects */
    double ill;             /* time that an infection lasts */
    double spores;          /* time that spores last */
    unsigned overgrazed;    /* visits that leave a cell bare until it is a desert; 0: never */
    unsigned lines;         /* 1: print each visit */
};

extern struct ag_options ag_options;

/* Checks the parameters, and that the command line has no operands. argc, argv: as tw_init() left
 * them. Returns false after an error. */
bool ag_options_check(const struct ag_options *options, int argc, char **argv,
                      struct model_error *error);

extern tw_lptype ag_cell_type;
extern st_model_types ag_observers;
void ag_observers_describe(void);

/* Returns the number of cells before those of a rank. */
tw_lpid ag_cells_before(unsigned rank);

/* Prints the counts of all cells on rank 0. Must be called after tw_run(). Collective. */
void ag_report_print(FILE *out);
void ag_report_add(void *state, tw_lp *lp); /* a cell's final function */

#endif
