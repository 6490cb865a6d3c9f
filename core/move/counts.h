/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counts.h - committed events of a rank, by LP and by pair of LPs (inside move only).
 *
 * One event in MOVE_HOLD is held back: it does not influence the placement, and serves to judge it.
 * If events are few, a placement fits those from which it was computed better than later ones.
 *
 * Memory: 8 bytes per local LP, and 27 to 54 bytes per pair, for at most MOVE_PAIRS_MAX pairs.
 * Events of further pairs count for their receivers only.
 */
#ifndef WARPSCOPE_MOVE_COUNTS_H
#define WARPSCOPE_MOVE_COUNTS_H

#include "engine/pe/pe.h"
#include "placement/graph.h"
#include "store/index.h"

#define MOVE_PAIRS_MAX ((size_t)1 << 21)
#define MOVE_HOLD      4u

/* The member `events` of a pair holds two counts, each below 2^32: events held back in the upper
 * half, all others in the lower half. */
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
    uint64_t *received;           /* owned; events of each local LP */
    uint64_t events;              /* all events */
    uint64_t held;                /* events held back */
    uint64_t self;                /* events of LPs to themselves */
    uint64_t lost;                /* events between LPs whose pair is not in the table */
    struct partition_pair *pairs; /* owned; in the order of their first events */
    size_t n_pairs, room;
    struct index index; /* finds a pair by its key */
};

void move_counts_init(struct move_counts *c, tw_lpid n_lps);
void move_counts_fini(struct move_counts *c);
void move_counts_add(struct move_counts *c, const tw_event *event);

#endif
