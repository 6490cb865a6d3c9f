/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chain.h - the events of the simulated PHOLD run.
 *
 * Each start event begins a chain of events, and each event has one successor. The successor of an
 * event is computed from a hash of the event's identity, so a rank stores only 16 bytes per event:
 * to undo an event, the rank computes the successor again and cancels it. The chains do not depend
 * on the order of execution. Therefore a run commits the same events on every machine, and a loop
 * over the chains can count them.
 */
#ifndef WARP_CHAIN_H
#define WARP_CHAIN_H

#include "machine/source.h"

struct chains {
    uint32_t ranks;
    uint32_t kps;     /* number of KPs per rank */
    uint32_t events;  /* number of start events per rank */
    double remote;    /* probability that an event goes to a random LP */
    double lookahead; /* minimum offset of an event in virtual time; the mean is 1 */
};

/* Returns the chains as a source of events. chains must remain unchanged while the source is in
 * use. */
struct wp_source chains_source(const struct chains *chains);

#endif
