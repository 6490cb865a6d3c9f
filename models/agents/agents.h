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

/* Error number that a cell passes to tw_lp_suspend() when it becomes a desert. */
#define AG_DESERT 1

enum ag_health { AG_SUSCEPTIBLE, AG_INFECTED, AG_IMMUNE };

struct ag_agent {
    /* (1 + gid of the cell of birth) << 32 | ordinal number of the birth in that cell. */
    uint64_t id;
    double born;     /* virtual time of its birth */
    double energy;   /* energy of the agent when it left the last cell */
    double travel;   /* travel time from the last cell to this one, valid on arrival */
    double well_at;  /* virtual time at which the infection ends, if health is AG_INFECTED */
    uint32_t health; /* state of health: an enum ag_health */
    uint32_t moves;
};
_Static_assert(sizeof(struct ag_agent) == 48, "an agent has no padding");

/* The payload of every event. Forward handlers store the old state of the cell in the member undo;
 * reverse handlers clear this member. */
struct ag_visit {
    struct ag_agent agent;
    struct {
        double grass, grown_at, spores_until;
    } undo;
};

struct ag_cell {
    double grass;        /* amount of grass at time grown_at */
    double grown_at;     /* virtual time of the last visit */
    double spores_until; /* virtual time until which visitors can be infected */
    uint64_t visits;
    uint64_t infections; /* number of agents infected in this cell */
    uint64_t starved;
    uint64_t births;
    uint64_t recoveries;
    uint32_t bare;   /* number of visits that left hardly any grass */
    uint32_t desert; /* 1: the cell is a desert */
};

/* The options of the model. They are equal on all ranks and read-only during the run. */
struct ag_options {
    unsigned width, height; /* size of the grid in cells */
    unsigned agents;        /* agents per cell at the start */
    unsigned long infected; /* infected agents at the start, in all cells */
    double energy;   /* energy of an agent at the start; an agent with twice as much has a child */
    double appetite; /* greatest amount of grass that an agent eats at a visit */
    double metabolism; /* energy that an agent uses per unit of virtual time */
    double grass;      /* most grass in a cell */
    double growth;     /* growth of the grass of a cell per unit of virtual time */
    double rest;       /* least virtual time between two visits of an agent: the lookahead */
    double wander;     /* mean of an exponential time that is added to rest */
    double infect;     /* probability that a visit to a cell with spores infects */
    double ill;        /* virtual time that an infection lasts */
    double spores;     /* virtual time that spores last */
    /* Number of visits that leave a cell bare until it becomes a desert; 0: never. */
    unsigned overgrazed;
    unsigned lines; /* 1: prints each visit */
};

extern struct ag_options ag_options;

/* Checks the parameters, and that the command line has no operands. argc, argv: as tw_init() left
 * them. Returns false after an error. */
bool ag_options_check(const struct ag_options *options, int argc, char **argv,
                      struct model_error *error);

extern tw_lptype ag_cell_type;
extern st_model_types ag_observers;
void ag_observers_describe(void);

/* Returns the number of cells on ranks below `rank`. */
tw_lpid ag_cells_before(unsigned rank);

/* Prints the counts of all cells on rank 0. Must be called after tw_run(). Collective. */
void ag_report_print(FILE *out);
void ag_report_add(void *state, tw_lp *lp); /* the final function of a cell: adds its counts */

#endif
