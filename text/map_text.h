/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map_text.h - reads the text of a map of LPs: the rank and the KP of each LP.
 *
 * The first line that is not empty is "warpscope-lp-map 1". Each further line is "LPS RANK" or
 * "LPS RANK KP", where LPS is the number of an LP or a range such as 0-99. Blanks and tabs separate
 * words. '#' begins a comment, which ends with the line. Each LP must occur exactly once.
 */
#ifndef WARPSCOPE_TEXT_MAP_TEXT_H
#define WARPSCOPE_TEXT_MAP_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MAP_TEXT_NONE      UINT32_MAX /* KP of an LP whose line has none */
#define MAP_TEXT_ERROR_MAX 1400u
#define MAP_TEXT_LINE_MAX  1000u /* longest line in bytes */

struct map_text {
    /* Members that the caller sets. */
    const char *path;  /* for messages */
    uint64_t n_lps;    /* LPs of the model, on all ranks */
    uint32_t n_ranks;  /* ranks of the run */
    uint64_t n_kps;    /* KPs of a rank: --nkp */
    uint32_t *rank_of; /* [n_lps] receives the rank of each LP */
    uint32_t *kp_of;   /* [n_lps] receives the KP of each LP, or MAP_TEXT_NONE */
    /* Members that map_text_read() sets. */
    uint64_t line; /* number of the current line */
    char error[MAP_TEXT_ERROR_MAX];
};

/* Reads all of file. Returns false if it is not a complete map; error then has one line, without a
 * line end. Cost: O(bytes + LPs). */
bool map_text_read(struct map_text *map, FILE *file);

#endif
