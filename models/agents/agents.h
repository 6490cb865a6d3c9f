/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * agents.h - grazers on a grid of cells. README.md describes the model.
 *
 * A cell is an LP. An agent is an event, which carries the agent's whole state from the cell that
 * it leaves to the next one.
 */
#ifndef AGENTS_H
#define AGENTS_H

#include "common/observe.h"
#include "ross.h"

/* Error number that a cell passes to tw_lp_suspend() when it becomes a desert. */
#define AG_DESERT 1

enum ag_health { AG_SUSCEPTIBLE, AG_INFECTED, AG_IMMUNE };

struct ag_agent {
    /* Identity: (1 + gid of the birth cell) << 32 | ordinal of the birth in that cell, from 1. */
    uint64_t id;
    double born;   /* virtual time of the agent's birth */
    double energy; /* energy of the agent when it left the previous cell */
    /* Travel time in virtual time from the previous cell to this one, valid on arrival. */
    double travel;
    double well_at;  /* virtual time at which the infection ends, if health is AG_INFECTED */
    uint32_t health; /* state of health: an enum ag_health */
    uint32_t moves;
};
_Static_assert(sizeof(struct ag_agent) == 48, "an agent has no padding");

/* Payload of every event. Forward handlers store the cell's old values in `undo`; reverse handlers
 * clear it. */
struct ag_visit {
    struct ag_agent agent;
    struct {
        double grass, grown_at, spores_until;
    } undo;
};

struct ag_cell {
    double grass;    /* amount of grass at time grown_at, in units of energy */
    double grown_at; /* virtual time of the last update of `grass` */
    /* Virtual time until which spores in the cell can infect visitors. */
    double spores_until;
    uint64_t visits;
    uint64_t infections; /* number of agents infected in this cell */
    uint64_t starved;
    uint64_t births;
    uint64_t recoveries;
    uint32_t bare;   /* number of visits that left the cell bare (see BARE_SHARE in cell.c) */
    uint32_t desert; /* 1 if the cell has become a desert, else 0 */
};

/* Options of the model. They are equal on all ranks and constant during the run. */
struct ag_options {
    unsigned width, height; /* size of the grid in cells */
    unsigned agents;        /* number of agents per cell at the start */
    unsigned long infected; /* number of infected agents at the start, in all cells together */
    /* Energy of an agent at the start; an agent with more than twice this energy has a child. */
    double energy;
    double appetite;   /* maximum amount of grass that an agent eats in one visit */
    double metabolism; /* energy that an agent uses per unit of virtual time */
    double grass;      /* maximum amount of grass in a cell */
    double growth;     /* increase of the grass of a cell per unit of virtual time */
    /* Minimum virtual time between two visits of an agent: the lookahead. */
    double rest;
    double wander; /* mean of an exponential random time that is added to `rest` */
    /* Probability that a visit to a cell with spores infects a susceptible agent. */
    double infect;
    double ill; /* duration of an infection in virtual time */
    /* Virtual time for which spores remain in a cell after the visit of an infected agent. */
    double spores;
    /* A cell becomes a desert after this number of visits that left it bare; 0: no deserts. */
    unsigned overgrazed;
    unsigned lines; /* 1: the model prints lines about infections, births and deaths */
};

extern struct ag_options ag_options;

extern tw_lptype ag_cell_type;
extern struct model_observers ag_observers;

/* Returns the total number of cells on the ranks below `rank`, in the mapping that is used without
 * --lp-map. */
tw_lpid ag_cells_before(unsigned rank);

/* On rank 0, prints to out the counts, summed over all cells. Must be called after tw_run().
 * Collective. */
void ag_report_print(FILE *out);
/* Final function of a cell: adds its counts to the sums. */
void ag_report_add(void *state, tw_lp *lp);

#endif
