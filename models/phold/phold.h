/*
 * phold.h - PHOLD, the benchmark of parallel simulators (Fujimoto, "Performance of Time Warp under
 * synthetic workloads", SCS Multiconference on Distributed Simulation, 1990). README.md says what
 * it does; an LP keeps a number of events going round, and every event leads to one more.
 */
#ifndef PHOLD_H
#define PHOLD_H

#include "ross.h"

struct phold_state {
    long dummy_state; /* nobody changes it */
};

struct phold_message {
    long hops; /* events between this one and the start event that it comes from */
};

/* The model's options. Constant while the simulation runs. */
struct phold_options {
    double remote;             /* probability that an event goes to an LP drawn at random */
    unsigned int nlp;          /* LPs per PE */
    double mean;               /* mean offset of an event, the lookahead included */
    double mult;               /* no effect */
    double lookahead;          /* least offset of an event */
    unsigned int start_events; /* events of an LP at the start */
    unsigned int stagger;      /* spread the start over the simulated time */
    unsigned int memory;       /* no effect */
    char run[1024];            /* name of the run, for the user */
};

/* The options of this process: the defaults, then what the command line says. */
extern struct phold_options phold_options;

/* What is wrong with the options (one line, how to mend it), or NULL. */
const char *phold_options_error(const struct phold_options *options);

extern tw_lptype phold_lp_type;
extern st_model_types phold_model_types;
extern const st_field phold_message_fields[];
extern const st_field phold_state_fields[];

#endif
