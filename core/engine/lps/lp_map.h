/* SPDX-License-Identifier: BSD-3-Clause */
/* lp_map.h - placement of LPs on ranks and KPs by a file: --lp-map. */
#ifndef WARPSCOPE_ENGINE_LPS_LP_MAP_H
#define WARPSCOPE_ENGINE_LPS_LP_MAP_H

#include "engine/pe/pe.h"

/* The part of a map that only tw_define_lps() needs. */
struct lp_map {
    uint32_t *kps; /* KP of each local LP, or MAP_TEXT_NONE */
    tw_kpid n_kps; /* greatest KP number in kps, plus 1; 0: none */
};

/* Reads the map, if the run has one, and replaces pe->mapping. Ends the program with status 2 if
 * the map or the model does not permit it. Collective. */
void lp_map_read(struct lp_map *map, struct pe *pe);

/* Sets gid and KP of each local LP. LPs without a KP are divided among all KPs in ascending order,
 * as with LINEAR mapping. Frees the map. */
void lp_map_apply(struct lp_map *map, struct pe *pe);

/* Ends the program with status 2 if there is a map, and the model gave LPs of several types by
 * tw_lp_settype() without tw_lp_map_allow(). Collective. */
void lp_map_check_types(struct pe *pe);

#endif
