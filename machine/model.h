/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - the parameters of a simulated run: its scheduler and the machine that executes it.
 *
 * There are two kinds of time. Time in ns is the clock of the simulated machine. Virtual time is
 * that of the simulated run.
 */
#ifndef WARPSCOPE_MACHINE_MODEL_H
#define WARPSCOPE_MACHINE_MODEL_H

#include "machine/source.h"

/* The simulated machine: parameters of LogGP (Alexandrov et al., 1995), and costs of the engine's
 * actions. All members whose names end in _ns are times in ns. */
struct wp_machine {
    double latency_ns; /* L: time from the end of a send to the arrival */
    double near_ns;    /* the same between two ranks of a host, see per_host */
    double send_ns;    /* o: processor time to send a message */
    double receive_ns; /* o: processor time to receive a message */
    double gap_ns;     /* g: minimum time between two sends of a processor */
    double byte_ns;    /* G: time that the bytes of a message need */
    double hop_ns;     /* time for one edge of the tree of reductions, in each direction */
    /* Costs of each event if the source has none of its own: processor time to execute it, with its
     * share of GVT and commit, and to undo it. */
    double event_ns, undo_ns;
    double turn_ns;   /* processor time of an empty turn of the scheduler's loop */
    double vote_ns;   /* processor time to vote in a reduction, or to take its result */
    double switch_ns; /* time that a processor needs to change from one rank to another */
    /* Time slice, after which a processor serves the next rank that can run. */
    double slice_ns;
    double noise_ns;       /* duration of an interruption by the operating system; 0: none */
    double noise_every_ns; /* mean time between two interruptions of a processor */
    /* Standard deviations of the execution time of a batch, and of a vote, divided by their means. */
    double jitter, vote_jitter;
    /* Relative slowness: the slowest rank takes up to 1 + uneven times as long as the fastest
     * one. */
    double uneven;
    /* Other seeds vary the times of batches, interruptions and the speeds of ranks in another way. */
    uint64_t seed;
};

/* The members after `machine` follow from the others and from the arguments of
 * wp_model_complete(). */
struct wp_model {
    const struct wp_source *source;
    uint32_t ranks;    /* number of simulated ranks */
    uint32_t kps;      /* number of KPs per rank, at most 256 */
    uint32_t batch;    /* number of events per batch */
    uint32_t fanout;   /* number of children of a node in the tree of reductions */
    uint32_t per_host; /* number of successive ranks that share a host; 0: each rank has its own */
    /* Maximum number of events of a rank: pending, uncommitted, and arrived but not yet received.
     * 0: no maximum. */
    uint32_t slots;
    uint32_t reserve; /* number of slots that a rank keeps free for messages */
    uint32_t
        event_bytes; /* memory of an event in bytes, which limits an adaptive interval; 0: little */
    double end;      /* virtual time at which the simulated run ends */
    double bound;    /* bound of optimism in virtual time; 0: adaptive */
    /* true: ranks are conservative, and `bound` is their lookahead. They execute the events of a window,
     * join a round, and send nothing until it ends. */
    bool windows;
    /* true: a rank's colour changes when a GVT round ends; false: it changes when the rank joins a
     * round. */
    bool prepares;
    struct wp_machine machine;
    /* Number of processors, and of ranks that each serves; the last has possibly fewer. */
    uint32_t processors, per_processor;
    /* true: ranks share one processor, and join a round when they used their lead */
    bool takes_turns;
    /* true: a rank that sees another rank in the next round takes the colour of that round. Set by
     * wp_run() for ranks that share processors and vote in shared memory. */
    bool notices;
    /* true: the root shows the result of its votes to all ranks, which see it as they see votes. Set by
     * wp_run() for ranks that vote in shared memory. */
    bool shows;
    bool adapts; /* true if the interval between GVT rounds is adaptive */
    uint64_t interval_least, interval_most; /* bounds of the interval in events */
    /* Initial value and maximum of the lead, the number of events that a rank may execute between
     * two GVT rounds. */
    uint64_t lead_first, lead_most;
};

/* Computes the members after `machine`. cores: number of cores that the ranks share, at most
 * `ranks`; 0: one for each rank. interval: number of batches between two GVT rounds; 0:
 * adaptive. */
void wp_model_complete(struct wp_model *m, uint32_t cores, uint32_t interval);

/* Returns the time in ns that a message needs from one rank to another after it has left. */
static inline double wp_latency(const struct wp_model *m, uint32_t from, uint32_t to)
{
    const bool near = m->per_host > 0 && from / m->per_host == to / m->per_host;
    return near ? m->machine.near_ns : m->machine.latency_ns;
}

/* Returns the least time in ns between two messages of a processor. */
static inline double wp_gap(const struct wp_machine *c)
{
    return c->gap_ns > c->byte_ns ? c->gap_ns : c->byte_ns;
}

/* Returns the index of the processor that serves a rank. */
static inline uint32_t wp_processor_of(const struct wp_model *m, uint32_t rank)
{
    return rank / m->per_processor;
}

/* Returns the number of ranks that a processor serves. */
static inline uint32_t wp_ranks_of(const struct wp_model *m, uint32_t processor)
{
    uint32_t left = m->ranks - processor * m->per_processor;
    return left < m->per_processor ? left : m->per_processor;
}

#endif
