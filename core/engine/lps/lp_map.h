/* SPDX-License-Identifier: BSD-3-Clause */
/* lp_map.h - placement of LPs on ranks and KPs by a table: --lp-map, --map=auto. */
#ifndef WARPSCOPE_ENGINE_LPS_LP_MAP_H
#define WARPSCOPE_ENGINE_LPS_LP_MAP_H

#include "engine/pe/pe.h"

/* The part of a map that only tw_define_lps() needs. */
struct lp_map {
    uint32_t *kps; /* [local LP]: KP of that LP, or MAP_TEXT_NONE */
    tw_kpid n_kps; /* minimum number of KPs for the run; 0: no minimum */
};

/* The part of a placement that a rank stores. */
struct lp_places {
    uint32_t *placed; /* table for the member `placed` of struct mapping */
    uint32_t *kps;    /* [local LP]: KP of that LP, or MAP_TEXT_NONE */
    tw_lpid n_local;  /* number of LPs on this rank */
    tw_kpid n_kps;    /* greatest KP number in kps, plus 1; 0: kps has no KP number */
};

/* Returns true if LPs are to move during the run: --map=auto, on several ranks. */
bool lp_map_is_auto(const struct pe *pe);

/* Returns true if the run has a map: --lp-map. */
bool lp_map_has_file(void);

/* Ends the program with status 2 if the run has a map, or LPs are to move, and the model has a CUSTOM
 * mapping and does not permit this. */
void lp_map_check_model(const struct pe *pe);

/* Reads the map of --lp-map, if the run has one, and replaces pe->mapping. map->n_kps: minimum
 * number of KPs; raised if the map has a greater KP number. Ends the program with status 2 if the
 * map is invalid. Collective. */
void lp_map_read(struct lp_map *map, struct pe *pe);

/* If LPs are to move, replaces the model's mapping by a table with the same places. Call this
 * function when the local LPs have their gids. Collective. */
void lp_map_follow(struct pe *pe);

/* Sends the places of all LPs from rank 0 to all ranks, and stores them in *p. rank_of[i],
 * kp_of[i]: rank and KP (or MAP_TEXT_NONE) of the LP at place i of pe->mapping.gids, used on rank 0
 * only. The caller owns the
 * arrays in *p. Collective. */
void lp_places_share(struct lp_places *p, const uint32_t *rank_of, const uint32_t *kp_of,
                     const struct pe *pe);

/* Sets gid and KP of each local LP. LPs without a KP in the map are divided among all KPs in
 * ascending order, as with LINEAR mapping. Frees the arrays of the map. */
void lp_map_apply(struct lp_map *map, struct pe *pe);

/* Ends the program with status 2 in two cases. First: the LPs are placed by a table, and the model
 * gave them several types by tw_lp_settype() without a call of tw_lp_map_allow(). Second: LPs are
 * to move, and the model has no functions for moves. Collective. */
void lp_map_check_types(struct pe *pe);

#endif
