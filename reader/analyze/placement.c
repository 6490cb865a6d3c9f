/* SPDX-License-Identifier: BSD-3-Clause */
/* placement.c - sets the ranks of the LPs, as recorded or according to a placement map; see
 * analyze.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "cli/messages.h"
#include "text/map_text.h"

#define RANKS_MOST (1u << 20)

/* Reads the placement map at map->path into map->rank_of and map->kp_of. Returns false and sets
 * map->error if the file cannot be read, or is not a valid map. */
static bool map_read(struct map_text *map)
{
    FILE *file = fopen(map->path, "r");
    if (file == NULL) {
        snprintf(map->error, sizeof map->error, "%s: %s", map->path, strerror(errno));
        return false;
    }
    bool good = map_text_read(map, file);
    fclose(file);
    return good;
}

bool analyze_placement_init(struct analyze *a)
{
    size_t n = a->trace.lps.n;
    struct map_text map = {.path = a->options->lp_map,
                           .lps = &a->trace.lps,
                           .is_part = !id_set_is_dense(&a->trace.lps),
                           .n_ranks = RANKS_MOST,
                           .n_kps = UINT32_MAX - 1u};
    a->n_ranks = a->trace.n_pes;
    if (map.path == NULL) {
        return true;
    }
    map.rank_of = a->rank_of = malloc(n * sizeof *a->rank_of);
    map.kp_of = malloc(n * sizeof *map.kp_of);
    if (a->rank_of == NULL || map.kp_of == NULL) {
        free(map.kp_of);
        return ws_no_memory(&a->failed);
    }
    bool good = map_read(&map);
    free(map.kp_of);
    if (!good) {
        ws_say(&ws_on_stderr, "--lp-map: %s", map.error);
        return false;
    }
    a->n_ranks = 1;
    for (size_t lp = 0; lp < n; lp++) {
        a->n_ranks = a->rank_of[lp] < a->n_ranks ? a->n_ranks : a->rank_of[lp] + 1;
    }
    return true;
}

void analyze_placement_apply(struct analyze *a)
{
    for (uint64_t lp = 0; a->rank_of != NULL && lp < a->n_lps; lp++) {
        if (a->lps[lp].pe > 0) {
            a->lps[lp].pe = a->rank_of[lp] + 1;
        }
    }
}
