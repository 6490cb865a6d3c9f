/* SPDX-License-Identifier: BSD-3-Clause */
/* move_private.h - data of a move, and functions that the files in this directory share. */
#ifndef WARPSCOPE_MOVE_MOVE_PRIVATE_H
#define WARPSCOPE_MOVE_MOVE_PRIVATE_H

#include "engine/lps/lp_map.h"
#include "move/move.h"
#include "placement/graph.h"
#include "store/index.h"

/* ---- Counts: counts.c ------------------------------------------------------------------------- */

/* A rank counts its committed events per receiving LP and per pair of LPs. One of every MOVE_HOLD
 * events is held back: this event does not influence the placement, but serves to judge it. With few
 * events, a placement fits the events from which it was computed better than it fits later events.
 *
 * Memory: 8 bytes per local LP, and 27 to 54 bytes per pair, for at most MOVE_PAIRS_MAX pairs. An
 * event of a further pair is counted only for its receiver. */
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

/* ---- The move --------------------------------------------------------------------------------- */

/* Outcome of the move; except for seconds, equal on all ranks. */
struct move_outcome {
    bool is_decided; /* true once the cut has been reached; false: the run ended before the cut */
    bool moves;      /* true: the LPs move, or have moved */
    char why[160];   /* reason why LPs do not move; "": they move */
    double at;       /* virtual time of the cut */
    uint64_t events; /* number of events counted */
    uint64_t lost;   /* number of events between LPs for whose pair a rank had no space */
    uint64_t n_lps;  /* number of LPs that change their rank */
    /* Number of events that were not used to find the placement, but to judge it. */
    uint64_t held;
    /* Remote events, as a share of all events: before the move, and as predicted after it. */
    double remote_before, remote_after;
    /* Load of the busiest rank, divided by the mean load: before the move, and as predicted after
     * it. */
    double balance_before, balance_after;
    double seconds; /* wall-clock time for which the move stopped the run, in seconds */
};

struct mover {
    struct move_counts counts;
    /* Number of net events of all ranks when counting began; UINT64_MAX: unknown. */
    uint64_t net_first;
    struct move_outcome outcome;
};

/* Computes a placement from the counts of all ranks, decides whether LPs move, and stores the
 * decision in the outcome. If LPs move, sets *places, whose arrays the caller owns. Collective. */
void move_decide(struct pe *pe, struct lp_places *places);

/* Writes to text (size bytes) a line about the move: the number of LPs that move, and the predicted
 * gain. */
void move_text(const struct pe *pe, char *text, size_t size);

/* Carries out the move. places: the new placement, whose arrays this function frees or takes over.
 * If a rank lacks memory or the model prevents the move, changes nothing, stores the reason in the
 * outcome and returns false. Collective. */
bool move_lps(struct pe *pe, struct lp_places *places);

#endif
