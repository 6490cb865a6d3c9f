/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map_text.h - reads the text of a placement map: the rank and the KP of each LP.
 *
 * The first line that is not empty is "warpscope-lp-map 1". Each further line is "LPS RANK" or "LPS
 * RANK KP". LPS is the gid of an LP, or a range of gids such as 0-99. Blanks and tabs separate
 * words. '#' begins a comment, which ends with the line. Each LP must occur exactly once. If gids have
 * holes, a range has those of its numbers that are gids, at least one.
 */
#ifndef WARPSCOPE_TEXT_MAP_TEXT_H
#define WARPSCOPE_TEXT_MAP_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "store/id_set.h"

#define MAP_TEXT_NONE      UINT32_MAX /* value of kp_of[] if the LP's line states no KP */
#define MAP_TEXT_ERROR_MAX 1400u
#define MAP_TEXT_LINE_MAX  1000u /* maximum length of a line without its comment, in bytes */

struct map_text {
    /* Members that the caller sets. */
    const char *path;         /* path of the map, for error messages */
    const struct id_set *lps; /* borrowed; gids of the LPs of the model, on all ranks */
    /* True if the model has more LPs than *lps; lines that have none of *lps are then ignored. */
    bool is_part;
    uint32_t n_ranks; /* number of ranks of the run */
    uint64_t n_kps;   /* number of KPs of a rank: --nkp */
    /* Borrowed; [place of the LP in *lps] receives the rank of the LP. */
    uint32_t *rank_of;
    /* Borrowed; [place of the LP in *lps] receives the KP of the LP, or MAP_TEXT_NONE. */
    uint32_t *kp_of;
    /* Members that map_text_read() sets. */
    uint64_t line; /* number of the current line, from 1; 0: none */
    char error[MAP_TEXT_ERROR_MAX];
};

/* Reads all of file; NULL: the file at map->path. If that cannot be opened, or if the text is no
 * complete map, writes one line without a line end to map->error and returns false. Cost: O(bytes +
 * LPs). */
bool map_text_read(struct map_text *map, FILE *file);

#endif
