/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counts.h - counts a rank's committed events per receiving LP and per pair of LPs. For files in
 * this directory only.
 *
 * One of every MOVE_HOLD events is held back: this event does not influence the placement, but
 * serves to judge the placement. With few events, a placement fits the events from which it was
 * computed better than it fits later events.
 *
 * Memory: 8 bytes per local LP, and 27 to 54 bytes per pair, for at most MOVE_PAIRS_MAX pairs. An
 * event of a further pair is counted only for its receiver.
 */
#ifndef WARPSCOPE_MOVE_COUNTS_H
#define WARPSCOPE_MOVE_COUNTS_H

#include "engine/pe/pe.h"
#include "placement/graph.h"
#include "store/index.h"

#define MOVE_PAIRS_MAX ((size_t)1 << 21)
#define MOVE_HOLD      4u

/* The member `events` of a pair holds two counts, each below 2^32: in its upper half the number of
 * events that are held back, in its lower half the number of all others. */
#define MOVE_HELD_ONE ((uint64_t)1 << 32)
static inline uint64_t move_held(uint64_t events)
{
    return events >> 32;
}
static inline uint64_t move_seen(uint64_t events)
{
    return events & UINT32_MAX;
}

struct move_counts {
    const struct mapping *mapping;
    uint64_t *received; /* owned; [i]: number of events that local LP i received */
    uint64_t events;    /* number of all events */
    uint64_t held;      /* number of events held back */
    uint64_t self;      /* number of events from an LP to itself */
    /* Number of events between LPs whose pair had no space in pairs. */
    uint64_t lost;
    /* Owned; in the order of the first event of each pair. */
    struct partition_pair *pairs;
    size_t n_pairs, room; /* number of pairs, and capacity of the array */
    struct index index;   /* maps the hash of a key to the index of the pair */
};

/* mapping: borrowed; has the places of LPs, which the keys of pairs contain. n_lps: number of local
 * LPs. */
void move_counts_init(struct move_counts *c, const struct mapping *mapping, tw_lpid n_lps);
void move_counts_fini(struct move_counts *c);
void move_counts_add(struct move_counts *c, const tw_event *event);

#endif
