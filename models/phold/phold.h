/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phold.h - PHOLD, the benchmark of parallel simulators (Fujimoto, "Performance of Time Warp under
 * synthetic workloads", SCS Multiconference on Distributed Simulation, 1990). See README.md. An LP
 * keeps a number of events circulating: every event creates one more.
 */
#ifndef PHOLD_H
#define PHOLD_H

#include "ross.h"

struct phold_state {
    long dummy_state; /* never changed */
};

/* The head of a message; --payload sets the size of the whole message. */
struct phold_message {
    long hops; /* events between this one and its start event */
};

#define PHOLD_PAYLOAD_MAX (1u << 20)

/* The model's options. Constant while the simulation runs, and equal on all ranks except for
 * work. */
struct phold_options {
    double remote;             /* probability that an event goes to an LP drawn at random */
    unsigned int nlp;          /* LPs per PE */
    double mean;               /* mean offset of an event, including the lookahead */
    double mult;               /* no effect */
    double lookahead;          /* least offset of an event */
    unsigned int start_events; /* events of an LP at the start */
    unsigned int stagger;      /* true to spread the start over the simulated time */
    unsigned int memory;       /* no effect */
    unsigned int payload;      /* bytes of a message */
    unsigned long work;        /* rounds of arithmetic per event */
    char slow_rank[16];        /* rank that does the work, or "all" */
    unsigned long hot_lps;     /* number of LPs that have events, the first ones; 0: all */
    char run[1024];            /* name of the run, chosen by the user */
};

/* The options of this process: defaults, overridden by the command line. */
extern struct phold_options phold_options;

/* Checks the options for a run on this many ranks. Returns NULL, or one line with the error and its
 * remedy. The line may be in text, which has size bytes: 160 suffice. */
const char *phold_options_error(const struct phold_options *options, unsigned ranks, char *text,
                                size_t size);
/* Adapts correct options to one rank: work only on ranks that work, hot LPs as a number. */
void phold_options_settle(struct phold_options *options, unsigned rank, unsigned ranks);

extern tw_lptype phold_lp_type;
extern st_model_types phold_model_types;
extern const st_field phold_message_fields[];
extern const st_field phold_state_fields[];

#endif
