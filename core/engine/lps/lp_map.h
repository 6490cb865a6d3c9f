/* SPDX-License-Identifier: BSD-3-Clause */
/* lp_map.h - placement of LPs on ranks and KPs by a table: --lp-map, --map=auto. */
#ifndef WARPSCOPE_ENGINE_LPS_LP_MAP_H
#define WARPSCOPE_ENGINE_LPS_LP_MAP_H

#include "engine/pe/pe.h"

/* The part of a map that only tw_define_lps() needs. */
struct lp_map {
    uint32_t *kps; /* KP of each local LP, or MAP_TEXT_NONE */
    tw_kpid n_kps; /* greatest KP number in kps, plus 1; 0: none */
};

/* The part of a placement that a rank stores. */
struct lp_places {
    uint32_t *placed; /* table for the member placed of struct mapping */
    uint32_t *kps;    /* KP of each local LP, or MAP_TEXT_NONE */
    size_t size;      /* capacity of kps */
    tw_lpid n_local;  /* LPs of this rank */
    tw_kpid n_kps;    /* greatest KP number in kps, plus 1; 0: none */
};

/* Returns true if LPs are to move during the run: --map=auto, on several ranks. */
bool lp_map_is_auto(const struct pe *pe);

/* Reads the map, if the run has one, and replaces pe->mapping. map->n_kps: least number of KPs, to
 * which the map may add. Ends the program with status 2 if the map or the model does not permit it.
 * Collective. */
void lp_map_read(struct lp_map *map, struct pe *pe);

/* If LPs are to move, replaces the model's mapping by a table with the same places. Call it when
 * the local LPs have their gids. Collective. */
void lp_map_follow(struct pe *pe);

/* Sends places from rank 0 to all ranks. rank_of, kp_of: rank and KP (or MAP_TEXT_NONE) of each LP,
 * used on rank 0 only. The caller owns the arrays in p. Collective. */
void lp_places_share(struct lp_places *p, const uint32_t *rank_of, const uint32_t *kp_of,
                     const struct pe *pe);

/* Sets gid and KP of each local LP. LPs without a KP are divided among all KPs in ascending order,
 * as with LINEAR mapping. Frees the map. */
void lp_map_apply(struct lp_map *map, struct pe *pe);

/* Ends the program with status 2 if the model cannot be placed by a map or cannot move. The first
 * is so if it gave LPs several types by tw_lp_settype() without tw_lp_map_allow(); the second, if
 * LPs are to move and it has no functions for that. Collective. */
void lp_map_check_types(struct pe *pe);

#endif
