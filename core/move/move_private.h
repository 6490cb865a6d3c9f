/* SPDX-License-Identifier: BSD-3-Clause */
/* move_private.h - data of a move, and functions that the files in this directory share. */
#ifndef WARPSCOPE_MOVE_MOVE_PRIVATE_H
#define WARPSCOPE_MOVE_MOVE_PRIVATE_H

#include "engine/lps/lp_map.h"
#include "move/counts.h"
#include "move/move.h"

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
