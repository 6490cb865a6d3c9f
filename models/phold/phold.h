/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phold.h - PHOLD, the benchmark of parallel simulators (Fujimoto, "Performance of Time Warp under
 * synthetic workloads", SCS Multiconference on Distributed Simulation, 1990). See README.md. The
 * number of pending events stays constant: every executed event sends one new event.
 */
#ifndef PHOLD_H
#define PHOLD_H

#include "ross.h"

struct phold_state {
    long dummy_state; /* the state of an LP, which never changes */
};

/* The head of a message; --payload sets the size of the whole message. */
struct phold_message {
    long hops; /* number of events from the start event to this one */
};

#define PHOLD_PAYLOAD_MAX (1u << 20)

/* The model's options. They are constant during the run, and equal on all ranks except for
 * `work`. */
struct phold_options {
    double remote;    /* probability that an event goes to a random LP */
    unsigned int nlp; /* number of LPs per PE */
    double mean;      /* mean offset of an event in virtual time, including the lookahead */
    double mult;      /* ignored */
    double lookahead; /* least offset of an event in virtual time */
    unsigned int start_events; /* number of events per LP at the start */
    unsigned int stagger;  /* true to distribute the start times of LPs over the simulated time */
    unsigned int memory;   /* ignored */
    unsigned int payload;  /* size of a message in bytes */
    unsigned long work;    /* rounds of arithmetic per event, which take processor time */
    char slow_rank[16];    /* rank that performs this work, or "all" */
    unsigned long hot_lps; /* number of LPs with events, which are the first ones; 0: all */
    char run[1024];        /* name of the run, which the user chooses */
};

/* The options of this process: defaults, replaced by values from the command line. */
extern struct phold_options phold_options;

/* Checks the options for a run on this many ranks. Returns NULL, or one line with the error and its
 * remedy. The line may be in text, which has size bytes; 160 suffice. */
const char *phold_options_error(const struct phold_options *options, unsigned ranks, char *text,
                                size_t size);
/* Adapts valid options to one rank: sets work to 0 if --slow-rank names another rank, and replaces
 * hot_lps = 0 by the number of all LPs. */
void phold_options_settle(struct phold_options *options, unsigned rank, unsigned ranks);

extern tw_lptype phold_lp_type;
extern st_model_types phold_model_types;
extern const st_field phold_message_fields[];
extern const st_field phold_state_fields[];

#endif
