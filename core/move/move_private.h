/* SPDX-License-Identifier: BSD-3-Clause */
/* move_private.h - data of a move, and functions that the files of this room share. */
#ifndef WARPSCOPE_MOVE_MOVE_PRIVATE_H
#define WARPSCOPE_MOVE_MOVE_PRIVATE_H

#include "engine/lps/lp_map.h"
#include "move/counts.h"
#include "move/move.h"

/* Outcome of a move, equal on all ranks. */
struct move_outcome {
    bool is_decided; /* false: the run ended before the cut */
    bool moves;      /* true: the LPs move, or have moved */
    char why[160];   /* why LPs do not move; empty: they do */
    double at;       /* virtual time of the cut */
    uint64_t events; /* events counted */
    uint64_t lost;   /* events of pairs for which a rank had no space */
    uint64_t n_lps;  /* LPs that change their rank */
    uint64_t held;   /* events held back to judge the placement */
    /* Share of remote events, and load of the busiest rank as a multiple of the mean, before the
     * move and as predicted for the time after it. */
    double remote_before, remote_after;
    double balance_before, balance_after;
    /* wall-clock time for which the run stopped, in seconds; after the run, the maximum over
     * ranks. */
    double seconds;
};

struct mover {
    struct move_counts counts;
    uint64_t net_first; /* net events of all ranks when counting began; UINT64_MAX: not known */
    struct move_outcome outcome;
};

/* Finds a placement from the counts of all ranks, and decides whether LPs move. If they do, fills
 * places; the caller owns its arrays. Collective. */
void move_decide(struct pe *pe, struct lp_places *places);

/* Writes a line about the move: how many LPs move, and the predicted gain. */
void move_text(const struct pe *pe, char *text, size_t size);

/* Carries out the move. places: the new placement, which this function frees. If a rank lacks
 * memory or the model prevents the move, changes nothing, stores the reason in the outcome and
 * returns false. Collective. */
bool move_lps(struct pe *pe, struct lp_places *places);

#endif
