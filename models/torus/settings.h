/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - torus's own options, and the parameters of the model, which are derived from them.
 */
#ifndef TORUS_SETTINGS_H
#define TORUS_SETTINGS_H

#include "common/error.h"
#include "geometry.h"
#include "ross.h"

#define TO_DEFAULT_END 20000.0

/* Ticks per nanosecond. Times are multiples of a tick, so that their sums are exact. */
#define TO_TICKS_PER_NS 1024.0

/* Parameters of the model. They are equal on all ranks and constant during the run. */
struct to_model {
    struct to_geometry geometry;
    enum to_pattern pattern;
    bool periodic;
    /* Number of packets that fit into the buffer of one virtual channel of a link. */
    unsigned buffers;
    unsigned source_queue; /* number of packets that fit into the queue of a terminal */
    /* Number of packets that a terminal offers per transmission time of a packet. */
    double rate;
    double send_time; /* time for which a packet occupies a link, in ns */
    /* Latency of a link in ns, both for packets and for the credits in the opposite direction. */
    double latency;
    double router_delay; /* time in ns that a packet takes through a router */
    /* Statistics begin at `warmup`; terminals create no packets after `stop`. */
    double warmup, stop, end;
};

extern const tw_optdef to_options[]; /* for tw_opt_add() */

/* Checks the options and computes the model's parameters. Returns false, with an error message in
 * *error, if an option is invalid. Not collective: all ranks have the same command line. */
bool to_settings_check(int argc, char **argv, struct model_error *error);

/* Returns the parameters of the model. */
const struct to_model *to_model(void);

/* Returns the time in ns from the creation of a packet to its arrival over `hops` links, if the
 * packet never waits. */
static inline double to_least_latency(const struct to_model *m, unsigned hops)
{
    return hops * (m->send_time + m->latency + m->router_delay) + m->send_time;
}

#endif
