/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phold.h - PHOLD, the benchmark of parallel simulators (Fujimoto, "Performance of Time Warp under
 * synthetic workloads", SCS Multiconference on Distributed Simulation, 1990). See README.md. The
 * number of pending events stays constant: every executed event sends one new event.
 */
#ifndef PHOLD_H
#define PHOLD_H

#include "common/error.h"
#include "common/observe.h"
#include "ross.h"

struct phold_state {
    long dummy_state; /* always 0: the state of an LP never changes */
};

/* Head of a message. --payload sets the size of the whole message. */
struct phold_message {
    long hops; /* 0 for a start event; otherwise 1 + hops of the event that sent this one */
};

/* Options of the model. They are constant during the run. They are equal on all ranks, except for
 * `work`. */
struct phold_options {
    double remote;    /* probability that an event goes to a random LP */
    unsigned int nlp; /* number of LPs per PE */
    double mean;      /* mean offset of an event in virtual time, including the lookahead */
    double mult;      /* ignored */
    double lookahead; /* minimum offset of an event in virtual time */
    unsigned int start_events; /* number of events per LP at the start */
    unsigned int stagger; /* 1: the start times of LPs are distributed over the simulated time */
    unsigned int memory;  /* ignored */
    unsigned int payload; /* size of a message in bytes */
    /* Number of rounds of arithmetic per event. The rounds only consume processor time. */
    unsigned long work;
    /* Rank that performs the rounds of arithmetic, as decimal text, or "all". */
    char slow_rank[16];
    /* Number of LPs that receive events, which are the LPs with the lowest gids; 0: all LPs. */
    unsigned long hot_lps;
    char run[1024]; /* name of the run for the output, chosen by the user */
};

/* Options of this process: default values, replaced by those from the command line. */
extern struct phold_options phold_options;

/* Checks the options for a run on `ranks` ranks. Returns false, with an error message in *error, if
 * one of them is invalid. */
bool phold_options_check(const struct phold_options *options, unsigned ranks,
                         struct model_error *error);
/* Adapts valid options to one rank. Sets work to 0 if --slow-rank names another rank. Replaces
 * hot_lps = 0 by the number of all LPs. */
void phold_options_settle(struct phold_options *options, unsigned rank, unsigned ranks);

extern tw_lptype phold_lp_type;
extern struct model_observers phold_observers;

#endif
