/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_map.c - see lp_map.h.
 *
 * Rank 0 reads the file, or computes the places for --map=auto, and sends the places of all LPs to
 * all ranks in pieces. Each rank keeps a table of 4 bytes per LP of the model. While rank 0 reads,
 * it needs 8 more bytes per LP.
 */
#include "engine/lps/lp_map.h"

#include <assert.h>
#include <string.h>

#include "engine/lps/lp_numbers.h"
#include "engine/lps/lps.h"
#include "engine/process/run.h"
#include "store/array.h"
#include "text/map_text.h"

#define PIECE_LPS ((tw_lpid)1 << 16) /* number of LPs whose places one message carries */

/* Value of g_tw_lp_offset in runs with a map. A model that computes with this value fails at once:
 * the value is too large for any array index, and a local number plus this value is not a valid
 * gid. */
#define NO_OFFSET UINT64_C(0x6b3d9e2751c8f4a3)

bool lp_map_has_file(void)
{
    return g_run.settings.lp_map[0] != '\0';
}

static const char *option(void)
{
    return lp_map_has_file() ? "--lp-map" : "--map=auto";
}

bool lp_map_is_auto(const struct pe *pe)
{
    return g_run.settings.map[0] != '\0' && pe->comm.n_ranks > 1;
}

void lp_map_check_model(const struct pe *pe)
{
    const bool has_map = lp_map_has_file() || lp_map_is_auto(pe);
    if (has_map && g_tw_mapping == CUSTOM && !g_run.map_allowed) {
        run_refuse("%s: this model has a mapping of its own (CUSTOM) and does not take part; see "
                   "tw_lp_map_allow()",
                   option());
    }
}

static void place_local(struct lp_places *p, tw_lpid place, uint32_t kp)
{
    if (!array_append(&p->kps, p->n_local, sizeof *p->kps)) {
        tw_error(TW_LOC, "out of memory for the map of LPs");
    }
    if (p->n_local == MAPPING_LOCAL - 1) {
        tw_error(TW_LOC, "%s puts more than %u LPs on a rank", option(), MAPPING_LOCAL - 1);
    }
    p->placed[place] = MAPPING_LOCAL | (uint32_t)p->n_local;
    p->kps[p->n_local++] = kp;
    if (kp != MAP_TEXT_NONE && kp >= p->n_kps) {
        p->n_kps = kp + (tw_kpid)1;
    }
}

void lp_places_share(struct lp_places *p, const uint32_t *rank_of, const uint32_t *kp_of,
                     const struct pe *pe)
{
    *p = (struct lp_places){
        .placed = tw_calloc(TW_LOC, "map of LPs", sizeof *p->placed, pe->mapping.total)};
    uint32_t *piece = tw_calloc(TW_LOC, "map of LPs", 2 * sizeof *piece, PIECE_LPS);
    for (tw_lpid first = 0; first < pe->mapping.total; first += PIECE_LPS) {
        tw_lpid n = ROSS_MIN(PIECE_LPS, pe->mapping.total - first);
        if (pe->comm.rank == 0) {
            memcpy(piece, rank_of + first, n * sizeof *piece);
            memcpy(piece + n, kp_of + first, n * sizeof *piece);
        }
        MPI_Bcast(piece, (int)(2 * n), MPI_UINT32_T, 0, pe->comm.comm);
        for (tw_lpid i = 0; i < n; i++) {
            if (piece[i] == (uint32_t)pe->comm.rank) {
                place_local(p, first + i, piece[n + i]);
            } else {
                p->placed[first + i] = piece[i];
            }
        }
    }
    free(piece);
}

void lp_map_read(struct lp_map *map, struct pe *pe)
{
    const bool is_first = pe->comm.rank == 0;
    const tw_lpid total = pe->mapping.total;
    struct map_text text = {.path = g_run.settings.lp_map,
                            .lps = &pe->mapping.gids,
                            .n_ranks = (uint32_t)pe->comm.n_ranks,
                            .n_kps = ROSS_MIN(g_tw_nkp, MAP_TEXT_NONE)};
    int good = 1;
    if (!lp_map_has_file()) {
        return;
    }
    tw_ask_memory("the map of LPs", (is_first ? 12.0 : 4.0) * (double)total);
    if (is_first) {
        text.rank_of = tw_calloc(TW_LOC, "map of LPs", sizeof *text.rank_of, total);
        text.kp_of = tw_calloc(TW_LOC, "map of LPs", sizeof *text.kp_of, total);
        good = map_text_read(&text, NULL);
    }
    MPI_Bcast(&good, 1, MPI_INT, 0, pe->comm.comm);
    if (!good) {
        run_refuse("--lp-map: %s", text.error);
    }
    struct lp_places p;
    lp_places_share(&p, text.rank_of, text.kp_of, pe);
    free(text.rank_of);
    free(text.kp_of);
    mapping_place(&pe->mapping, p.placed, p.n_local);
    pe->mapping.first = NO_OFFSET;
    map->kps = p.kps;
    map->n_kps = ROSS_MAX(map->n_kps, p.n_kps);
}

void lp_map_apply(struct lp_map *map, struct pe *pe)
{
    assert(pe->mapping.kind == MAPPING_PLACED && pe->n_kps >= map->n_kps);
    for (tw_lpid at = 0; at < pe->mapping.total; at++) {
        uint32_t place = pe->mapping.placed[at];
        if ((place & MAPPING_LOCAL) != 0) {
            tw_lpid i = place - MAPPING_LOCAL;
            tw_kpid k = map->kps[i] != MAP_TEXT_NONE
                            ? map->kps[i]
                            : (tw_kpid)((double)i * (double)pe->n_kps / (double)g_tw_nlp);
            g_tw_lp[i]->gid = id_set_at(&pe->mapping.gids, at);
            g_tw_lp[i]->kp = g_tw_kp[ROSS_MIN(k, pe->n_kps - 1)];
        }
    }
    free(map->kps);
    *map = (struct lp_map){.n_kps = 0};
}

/* Sets placed[] of each LP to its rank, plus 1; 0 if the LP is on no rank. placed must be zeroed.
 * Collective. */
static void ranks_gather(uint32_t *placed, const struct pe *pe)
{
    const tw_lpid total = pe->mapping.total;
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        placed[mapping_place_of(&pe->mapping, g_tw_lp[i]->gid)] = (uint32_t)pe->comm.rank + 1;
    }
    for (tw_lpid first = 0; first < total; first += PIECE_LPS) {
        MPI_Allreduce(MPI_IN_PLACE, placed + first, (int)ROSS_MIN(PIECE_LPS, total - first),
                      MPI_UINT32_T, MPI_MAX, pe->comm.comm);
    }
}

void lp_map_follow(struct pe *pe)
{
    if (!lp_map_is_auto(pe) || pe->mapping.kind == MAPPING_PLACED) {
        return;
    }
    const tw_lpid total = pe->mapping.total;
    lp_numbers_gather(pe);
    tw_ask_memory("the map of LPs", 4.0 * (double)total);
    uint32_t *placed = tw_calloc(TW_LOC, "map of LPs", sizeof *placed, total);
    ranks_gather(placed, pe);
    for (tw_lpid at = 0; at < total; at++) {
        if (placed[at]-- == 0) {
            run_refuse("--map=auto: the mapping of this model puts LP %" PRIu64 " on no rank",
                       id_set_at(&pe->mapping.gids, at));
        }
    }
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        placed[mapping_place_of(&pe->mapping, g_tw_lp[i]->gid)] = MAPPING_LOCAL | (uint32_t)i;
    }
    mapping_place(&pe->mapping, placed, pe->mapping.count);
    pe->mapping.first = NO_OFFSET;
    g_tw_lp_offset = NO_OFFSET;
}

/* Returns true if the first LPs of two ranks have states of different sizes, and thus different
 * types. Ranks without LPs, and those that did not call tw_lp_settype(), do not count. Collective. */
static bool ranks_differ(const struct pe *pe)
{
    bool counts = g_run.types_by_local_id && g_tw_nlp > 0;
    uint64_t size = counts ? g_tw_lp[0]->type->state_sz : 0;
    uint64_t ends[2] = {size, counts ? UINT64_MAX - size : 0};
    MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_UINT64_T, MPI_MAX, pe->comm.comm);
    return ends[1] != 0 && UINT64_MAX - ends[1] != ends[0];
}

/* Returns true if the model has called tw_lp_settype() and LPs have different types, within a rank
 * or, as far as ranks_differ() detects it, between ranks. Collective. */
static bool has_several_types(const struct pe *pe)
{
    int several = 0;
    for (tw_lpid i = 1; g_run.types_by_local_id && i < g_tw_nlp; i++) {
        several |= g_tw_lp[i]->type != g_tw_lp[0]->type;
    }
    several |= ranks_differ(pe); /* on all ranks: one without LPs has set no types */
    MPI_Allreduce(MPI_IN_PLACE, &several, 1, MPI_INT, MPI_MAX, pe->comm.comm);
    return several != 0;
}

/* Ends the program if the model has no functions for moves of LPs, or if a rank cannot determine
 * the types of LPs that move to it. Collective. */
static void check_moves(const struct pe *pe)
{
    int is_empty = g_run.types_by_local_id && g_tw_nlp == 0;
    MPI_Allreduce(MPI_IN_PLACE, &is_empty, 1, MPI_INT, MPI_MAX, pe->comm.comm);
    if (g_run.moves == NULL) {
        run_refuse("--map=auto: this model does not state that its LPs may move during a run; see "
                   "tw_lp_map_moves()");
    }
    if (g_run.moves->arrive == NULL && (is_empty != 0 || has_several_types(pe))) {
        run_refuse("--map=auto: this model gives its LPs %s by tw_lp_settype() and has no function "
                   "that does so for LPs that move; see tw_lp_map_moves()",
                   is_empty != 0 ? "types" : "several types");
    }
}

void lp_map_check_types(struct pe *pe)
{
    if (pe->mapping.kind != MAPPING_PLACED) {
        return;
    }
    if (!g_run.map_allowed && has_several_types(pe)) {
        run_refuse("%s: this model gives its LPs several types by tw_lp_settype(), perhaps by "
                   "their local numbers, which a map changes; see tw_lp_map_allow()",
                   option());
    }
    if (lp_map_is_auto(pe)) {
        check_moves(pe);
    }
}

bool tw_lp_map_allow(void)
{
    const struct pe *pe = engine_self("tw_lp_map_allow()");
    g_run.map_allowed = true;
    return lp_map_has_file() || lp_map_is_auto(pe);
}

void tw_lp_map_moves(const tw_lp_moves *functions)
{
    (void)engine_self("tw_lp_map_moves()");
    if (functions == NULL) {
        tw_error(TW_LOC, "tw_lp_map_moves(): the functions are NULL");
    }
    g_run.moves = functions;
}

tw_peid tw_lp_rank(tw_lpid gid)
{
    const struct pe *pe = pe_self();
    if (pe == NULL || pe->lps.stride == 0) {
        return (tw_peid)-1;
    }
    if (gid >= pe->mapping.end) {
        tw_error(TW_LOC,
                 "tw_lp_rank(): there is no LP %" PRIu64 "; the model has %" PRIu64
                 " LPs, with numbers up to %" PRIu64,
                 gid, pe->mapping.total, pe->mapping.end - 1);
    }
    bool is_custom = pe->mapping.kind == CUSTOM;
    const tw_lptype *type = is_custom && g_tw_nlp > 0 ? g_tw_lp[0]->type : NULL;
    if (is_custom && (type == NULL || type->map == NULL)) {
        tw_error(TW_LOC, "tw_lp_rank() with CUSTOM mapping needs LP types with a function map");
    }
    return mapping_rank(&pe->mapping, gid, type);
}
