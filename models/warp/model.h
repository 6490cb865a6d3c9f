/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - parameters of the simulated run: the PHOLD model, the scheduler and the machine.
 *
 * Two times occur here. Time in ns is the clock of the simulated machine, and the virtual time of
 * the engine that executes this model. "Phold time" is the virtual time of the simulated run, in
 * units of PHOLD's mean offset.
 */
#ifndef WARP_MODEL_H
#define WARP_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "ross.h"

/* The machine: parameters of LogGP (Alexandrov et al., 1995) and costs of the engine's steps. All
 * members that end in _ns are times in ns. */
struct wp_machine {
    double latency_ns; /* L: from the end of a send to its arrival */
    double send_ns;    /* o: processor time to send a message */
    double receive_ns; /* o: processor time to receive a message */
    double gap_ns;     /* g: least time between the sends of two messages of a processor */
    double byte_ns;    /* G: time per byte of a message */
    double hop_ns;     /* time of one edge of the tree of reductions, in each direction */
    double event_ns;   /* processor time to execute an event, its part of GVT and commit included */
    double undo_ns;    /* processor time to undo an event */
    double turn_ns;    /* processor time of a turn of the scheduler's loop, without its contents */
    double vote_ns;    /* processor time to vote in a reduction, or to take its result */
    double switch_ns;  /* time in which a processor changes from one rank to another */
    double slice_ns;   /* time after which a processor serves the next rank that can run */
    double noise_ns;   /* duration of an interruption by the operating system; 0: none */
    double noise_every_ns; /* mean time between the interruptions of a processor */
    double jitter; /* standard deviation of the time of a batch, as a multiple of the mean */
    double uneven; /* the slowest rank takes 1 + uneven times as long as the fastest */
};

struct wp_model {
    uint32_t ranks;
    uint32_t processors;    /* LPs: each serves a block of ranks */
    uint32_t per_processor; /* ranks of a processor; the last one may have fewer */
    uint32_t events;        /* start events of a rank */
    uint32_t kps;           /* KPs of a rank, at most WP_KPS_MAX */
    uint32_t slots;         /* pending, arrived and uncommitted events that a rank can hold */
    uint32_t reserve;       /* slots that a rank keeps free for messages */
    uint32_t batch;         /* events of a batch */
    uint32_t fanout;        /* children of a node of the tree of reductions */
    double remote;          /* probability that an event goes to a random LP */
    double lookahead;       /* least offset of an event in phold time */
    double end;             /* phold time at which the simulated run ends */
    double bound;           /* optimism bound in phold time; 0: adaptive */
    bool prepares;          /* true if colours change when a round ends, not when one is joined */
    bool adapts;            /* true if the interval between GVT rounds adapts */
    uint64_t interval_least, interval_most; /* bounds of the interval in events */
    uint64_t lead_first, lead_most;         /* bounds on the events executed between two rounds */
    struct wp_machine machine;
};

#define WP_KPS_MAX 256u

/* Returns the number of the processor that serves a rank, which is also the gid of its LP. */
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

/* Returns the parameters of the model: equal on all ranks, read-only during the run. */
const struct wp_model *wp_model(void);

#endif
