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

/* The head of a message; --payload says how long the whole is. */
struct phold_message {
    long hops; /* events between this one and the start event that it comes from */
};

#define PHOLD_PAYLOAD_MAX (1u << 20)

/* The model's options. Constant while the simulation runs. All ranks have the same, but for
 * work. */
struct phold_options {
    double remote;             /* probability that an event goes to an LP drawn at random */
    unsigned int nlp;          /* LPs per PE */
    double mean;               /* mean offset of an event, the lookahead included */
    double mult;               /* no effect */
    double lookahead;          /* least offset of an event */
    unsigned int start_events; /* events of an LP at the start */
    unsigned int stagger;      /* spread the start over the simulated time */
    unsigned int memory;       /* no effect */
    unsigned int payload;      /* bytes of a message */
    unsigned long work;        /* rounds of arithmetic per event */
    char slow_rank[16];        /* who does the work: a rank, or "all" */
    unsigned long hot_lps;     /* LPs that have events, the first ones; 0: all */
    char run[1024];            /* name of the run, for the user */
};

/* The options of this process: the defaults, then what the command line says. */
extern struct phold_options phold_options;

/* What is wrong with the options for a run on so many ranks (one line, how to mend it), or NULL.
 * May write the line to text, which has so many bytes: 160 are enough. */
const char *phold_options_error(const struct phold_options *options, unsigned ranks, char *text,
                                size_t size);
/* Makes correct options those of one rank: work only where it is to be done, hot LPs counted. */
void phold_options_settle(struct phold_options *options, unsigned rank, unsigned ranks);

extern tw_lptype phold_lp_type;
extern st_model_types phold_model_types;
extern const st_field phold_message_fields[];
extern const st_field phold_state_fields[];

#endif
