/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - torus's own options, and derived parameters.
 */
#ifndef TORUS_SETTINGS_H
#define TORUS_SETTINGS_H

#include "common/error.h"
#include "geometry.h"
#include "ross.h"

/* Times are multiples of a tick of 2^-10 ns, so that sums of them are exact. */
#define TO_TICKS_PER_NS 1024.0

struct to_settings {
    char dims[64];
    enum to_pattern pattern;
    enum { TO_POISSON, TO_PERIODIC } arrivals;
    double rate;           /* packets per terminal and transmission time */
    double bandwidth;      /* GB/s, that is bytes per ns */
    double latency;        /* ns */
    double router_delay;   /* ns */
    unsigned packet;       /* bytes */
    unsigned buffers;      /* packets per virtual channel of a link */
    unsigned source_queue; /* packets */
    double warmup;         /* ns; -1: a fifth of the time with traffic */
    double stop;           /* ns; -1: four fifths of the run */
};

/* The model's parameters: equal on all ranks, read-only while the simulation runs. */
struct to_model {
    struct to_geometry geometry;
    enum to_pattern pattern;
    bool periodic;
    unsigned buffers;
    unsigned source_queue;
    double rate;
    double send_time;    /* time that a packet occupies a link, ns */
    double latency;      /* latency of a link, ns: packets forwards, credits back */
    double router_delay; /* ns */
    double warmup, stop, end;
};

/* Returns the option table for tw_opt_add(). */
const tw_optdef *to_settings_options(void);

/* Checks the options and computes the model's parameters. Not collective: all ranks have the same
 * command line. */
bool to_settings_check(int argc, char **argv, struct model_error *error);

/* Returns the model. */
const struct to_model *to_model(void);

/* Returns the time of a packet over this many hops without waiting. */
static inline double to_least_latency(const struct to_model *m, unsigned hops)
{
    return hops * (m->send_time + m->latency + m->router_delay) + m->send_time;
}

#endif
