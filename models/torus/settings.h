/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - torus's own options, and derived parameters.
 */
#ifndef TORUS_SETTINGS_H
#define TORUS_SETTINGS_H

#include "common/error.h"
#include "geometry.h"
#include "ross.h"

/* Ticks per nanosecond. Times are multiples of a tick, so that their sums are exact. */
#define TO_TICKS_PER_NS 1024.0

struct to_settings {
    char dims[64];
    enum to_pattern pattern;
    enum { TO_POISSON, TO_PERIODIC } arrivals;
    double rate;           /* packets per terminal and transmission time of a packet */
    double bandwidth;      /* bandwidth of a link in GB/s, which is bytes per ns */
    double latency;        /* latency of a link in ns */
    double router_delay;   /* delay of a packet in a router in ns */
    unsigned packet;       /* size of a packet in bytes */
    unsigned buffers;      /* packets that fit into the buffer of a virtual channel of a link */
    unsigned source_queue; /* packets that fit into the queue of a terminal */
    double warmup;         /* warm-up in ns; -1: a fifth of the time with traffic */
    double stop;           /* time in ns when terminals stop sending; -1: four fifths of the run */
};

/* Parameters of the model: equal on all ranks, read-only during the run. */
struct to_model {
    struct to_geometry geometry;
    enum to_pattern pattern;
    bool periodic;
    unsigned buffers;
    unsigned source_queue;
    double rate;
    double send_time;    /* time that a packet occupies a link, in ns */
    double latency;      /* latency of a link in ns, for packets forwards and for credits back */
    double router_delay; /* delay of a packet in a router in ns */
    double warmup, stop, end;
};

/* Returns the option table for tw_opt_add(). */
const tw_optdef *to_settings_options(void);

/* Checks the options and computes the model's parameters. Not collective: all ranks have the same
 * command line. */
bool to_settings_check(int argc, char **argv, struct model_error *error);

/* Returns the parameters of the model. */
const struct to_model *to_model(void);

/* Returns the time in ns that a packet takes over this many hops without waiting. */
static inline double to_least_latency(const struct to_model *m, unsigned hops)
{
    return hops * (m->send_time + m->latency + m->router_delay) + m->send_time;
}

#endif
