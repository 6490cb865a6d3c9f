/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - the parameters of the simulated run: the PHOLD model, the scheduler and the machine; and
 * the options that set them.
 *
 * Two kinds of time occur in this model. Time in ns is the clock of the simulated machine; it is
 * also the virtual time of the engine that executes this model. "Phold time" is the virtual time of
 * the simulated run, in units of PHOLD's mean offset.
 */
#ifndef WARP_MODEL_H
#define WARP_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "ross.h"

/* The simulated machine: parameters of LogGP (Alexandrov et al., 1995), and costs of the engine's
 * actions. All members whose names end in _ns are times in ns. */
struct wp_machine {
    double latency_ns; /* L: time from the end of a send to the arrival */
    double send_ns;    /* o: processor time to send a message */
    double receive_ns; /* o: processor time to receive a message */
    double gap_ns;     /* g: minimum time between two sends of a processor */
    double byte_ns;    /* G: time per byte of a message */
    double hop_ns;     /* time for one edge of the tree of reductions, in each direction */
    /* Processor time to execute an event, including the event's share of GVT and commit. */
    double event_ns;
    double undo_ns;   /* processor time to undo an event */
    double turn_ns;   /* processor time of an empty turn of the scheduler's loop */
    double vote_ns;   /* processor time to vote in a reduction, or to take its result */
    double switch_ns; /* time that a processor needs to change from one rank to another */
    /* Time slice, after which a processor serves the next rank that can run. */
    double slice_ns;
    double noise_ns;       /* duration of an interruption by the operating system; 0: none */
    double noise_every_ns; /* mean time between two interruptions of a processor */
    double jitter; /* standard deviation of the execution time of a batch, divided by its mean */
    /* Relative slowness: the slowest rank takes up to 1 + uneven times as long as the fastest
     * one. */
    double uneven;
};

struct wp_model {
    /* Number of simulated ranks. */
    uint32_t ranks;
    /* Number of processors, which are the LPs; each serves a block of ranks. */
    uint32_t processors;
    /* Number of ranks per processor; the last processor has possibly fewer. */
    uint32_t per_processor;
    uint32_t events; /* number of start events per rank */
    uint32_t kps;    /* number of KPs per rank, at most 256 */
    /* Maximum number of events of a rank: pending, uncommitted, and arrived but not yet
     * received. */
    uint32_t slots;
    uint32_t reserve; /* number of slots that a rank keeps free for messages */
    uint32_t batch;   /* number of events per batch */
    uint32_t fanout;  /* number of children of a node in the tree of reductions */
    double remote;    /* probability that an event goes to a random LP */
    double lookahead; /* minimum offset of an event in phold time */
    double end;       /* phold time at which the simulated run ends */
    double bound;     /* bound of optimism in phold time; 0: adaptive */
    /* true: a rank's colour changes when a GVT round ends; false: it changes when the rank joins a
     * round. */
    bool prepares;
    bool
        takes_turns; /* true: ranks share one processor, and join a round when they used their lead */
    bool adapts;     /* true if the interval between GVT rounds is adaptive */
    uint64_t interval_least, interval_most; /* bounds of the interval in events */
    /* Initial value and maximum of the lead, the number of events that a rank may execute between
     * two GVT rounds. */
    uint64_t lead_first, lead_most;
    struct wp_machine machine;
};

/* Returns the index of the processor that serves a rank. The index is also the gid of the
 * processor's LP. */
static inline tw_lpid wp_processor_of(const struct wp_model *m, uint32_t rank)
{
    return rank / m->per_processor;
}

/* Returns the number of ranks that a processor serves. */
static inline uint32_t wp_ranks_of(const struct wp_model *m, tw_lpid processor)
{
    uint32_t first = (uint32_t)processor * m->per_processor;
    uint32_t left = m->ranks - first;
    return left < m->per_processor ? left : m->per_processor;
}

/* Returns the parameters of the model. They are equal on all ranks and constant during the run. */
const struct wp_model *wp_model(void);

/* ---- Options ---------------------------------------------------------------------------------- */

/* By default, there is no end time: the run ends when the simulated run has ended. */
#define WP_DEFAULT_END DBL_MAX

/* Maximum number of slots that --slots=0 chooses for a rank, unless the start events need more. */
#define WP_SLOTS_AUTO_MAX 16384u

/* Options of this process: default values, replaced by those from the command line. */
struct wp_settings {
    unsigned ranks;
    unsigned cores; /* number of cores; 0: one for each rank */
    unsigned events;
    unsigned kps;
    unsigned slots; /* number of slots; 0: the model chooses */
    unsigned batch;
    unsigned interval; /* number of batches between two GVT rounds; 0: adaptive */
    unsigned fanout;
    unsigned prepare; /* 1: `prepares` of wp_model is true */
    double remote;
    double lookahead;
    double span;
    double bound;
    double bytes;     /* size of a message in bytes */
    double bandwidth; /* bandwidth of a processor's link in GB/s, which equals bytes per ns */
    struct wp_machine machine;
};

/* Returns the options of this process. Tests may change them. */
struct wp_settings *wp_settings(void);
extern const tw_optdef wp_options[]; /* for tw_opt_add() */
/* Checks the options and computes the model's parameters. Returns false, with an error message in
 * *error, if an option is invalid. Not collective: all ranks have the same command line. */
bool wp_settings_check(int argc, char **argv, struct model_error *error);

#endif
