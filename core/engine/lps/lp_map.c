/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_map.c - see lp_map.h.
 *
 * Rank 0 reads the file and sends the places of all LPs to all ranks in pieces. Each rank keeps a
 * table of 4 bytes per LP of the model. While it reads, rank 0 needs 8 bytes more per LP.
 */
#include "engine/lps/lp_map.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "engine/lps/lps.h"
#include "engine/process/run.h"
#include "text/map_text.h"

#define PIECE_LPS ((tw_lpid)1 << 16) /* number of LPs whose places one message carries */

/* Value of g_tw_lp_offset in runs with a map, so that a model that computes with it fails at once:
 * as an index it lies outside of every array, and added to a local number it gives no gid. */
#define NO_OFFSET UINT64_C(0x6b3d9e2751c8f4a3)

static void refuse_model(void)
{
    if (g_tw_mapping == CUSTOM && !g_run.map_allowed) {
        run_refuse("--lp-map: this model has a mapping of its own (CUSTOM) and does not take part; "
                   "see tw_lp_map_allow()");
    }
}

/* Reads the file, on rank 0. On error returns false and sets text->error. */
static bool file_read(struct map_text *text)
{
    FILE *file = fopen(text->path, "r");
    if (file == NULL) {
        snprintf(text->error, sizeof text->error, "%s: %s", text->path, strerror(errno));
        return false;
    }
    bool good = map_text_read(text, file);
    fclose(file);
    return good;
}

struct places {
    uint32_t *placed; /* table for struct mapping, see its member placed */
    uint32_t *kps;    /* KP of each local LP, or MAP_TEXT_NONE */
    size_t size;      /* capacity of kps */
    tw_lpid n_local;
    tw_kpid n_kps;
};

static void place_local(struct places *p, tw_lpid gid, uint32_t kp)
{
    if (p->n_local == p->size) {
        p->size = p->size == 0 ? 1024 : 2 * p->size;
        uint32_t *more = realloc(p->kps, p->size * sizeof *more);
        if (more == NULL) {
            tw_error(TW_LOC, "out of memory for the map of LPs");
        }
        p->kps = more;
    }
    if (p->n_local == MAPPING_LOCAL - 1) {
        tw_error(TW_LOC, "--lp-map puts more than %u LPs on a rank", MAPPING_LOCAL - 1);
    }
    p->placed[gid] = MAPPING_LOCAL | (uint32_t)p->n_local;
    p->kps[p->n_local++] = kp;
    if (kp != MAP_TEXT_NONE && kp >= p->n_kps) {
        p->n_kps = kp + (tw_kpid)1;
    }
}

/* Sends the places from rank 0 to all ranks, and stores them in p. text: used on rank 0 only.
 * Collective. */
static void places_share(struct places *p, const struct map_text *text, const struct pe *pe)
{
    uint32_t *piece = tw_calloc(TW_LOC, "map of LPs", 2 * sizeof *piece, PIECE_LPS);
    for (tw_lpid first = 0; first < pe->mapping.total; first += PIECE_LPS) {
        tw_lpid n = ROSS_MIN(PIECE_LPS, pe->mapping.total - first);
        if (pe->comm.rank == 0) {
            memcpy(piece, text->rank_of + first, n * sizeof *piece);
            memcpy(piece + n, text->kp_of + first, n * sizeof *piece);
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
                            .n_lps = total,
                            .n_ranks = (uint32_t)pe->comm.n_ranks,
                            .n_kps = ROSS_MIN(g_tw_nkp, MAP_TEXT_NONE)};
    int good = 1;
    if (g_run.settings.lp_map[0] == '\0') {
        return;
    }
    refuse_model();
    tw_ask_memory("the map of LPs", (is_first ? 12.0 : 4.0) * (double)total);
    if (is_first) {
        text.rank_of = tw_calloc(TW_LOC, "map of LPs", sizeof *text.rank_of, total);
        text.kp_of = tw_calloc(TW_LOC, "map of LPs", sizeof *text.kp_of, total);
        good = file_read(&text);
    }
    MPI_Bcast(&good, 1, MPI_INT, 0, pe->comm.comm);
    if (!good) {
        run_refuse("--lp-map: %s", text.error);
    }
    struct places p = {.placed = tw_calloc(TW_LOC, "map of LPs", sizeof *p.placed, total)};
    places_share(&p, &text, pe);
    free(text.rank_of);
    free(text.kp_of);
    mapping_place(&pe->mapping, p.placed, p.n_local);
    pe->mapping.first = NO_OFFSET;
    *map = (struct lp_map){.kps = p.kps, .n_kps = p.n_kps};
}

void lp_map_apply(struct lp_map *map, struct pe *pe)
{
    assert(pe->mapping.kind == MAPPING_PLACED && pe->n_kps >= map->n_kps);
    for (tw_lpid gid = 0; gid < pe->mapping.total; gid++) {
        uint32_t place = pe->mapping.placed[gid];
        if ((place & MAPPING_LOCAL) != 0) {
            tw_lpid i = place - MAPPING_LOCAL;
            tw_kpid k = map->kps[i] != MAP_TEXT_NONE
                            ? map->kps[i]
                            : (tw_kpid)((double)i * (double)pe->n_kps / (double)g_tw_nlp);
            g_tw_lp[i]->gid = gid;
            g_tw_lp[i]->kp = g_tw_kp[ROSS_MIN(k, pe->n_kps - 1)];
        }
    }
    free(map->kps);
    *map = (struct lp_map){.n_kps = 0};
}

/* Returns true if the first LPs of two ranks have states of different sizes, and thus different
 * types. Ranks without LPs do not count. Collective. */
static bool ranks_differ(const struct pe *pe)
{
    uint64_t size = g_tw_nlp > 0 ? g_tw_lp[0]->type->state_sz : 0;
    uint64_t ends[2] = {size, g_tw_nlp > 0 ? UINT64_MAX - size : 0};
    MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_UINT64_T, MPI_MAX, pe->comm.comm);
    return UINT64_MAX - ends[1] != ends[0];
}

void lp_map_check_types(struct pe *pe)
{
    if (pe->mapping.kind != MAPPING_PLACED || g_run.map_allowed) {
        return;
    }
    int several = 0;
    for (tw_lpid i = 1; g_run.types_by_local_id && i < g_tw_nlp; i++) {
        several |= g_tw_lp[i]->type != g_tw_lp[0]->type;
    }
    several |= g_run.types_by_local_id && ranks_differ(pe);
    MPI_Allreduce(MPI_IN_PLACE, &several, 1, MPI_INT, MPI_MAX, pe->comm.comm);
    if (several != 0) {
        run_refuse("--lp-map: this model gives its LPs several types by tw_lp_settype(), perhaps "
                   "by their local numbers, which a map changes; see tw_lp_map_allow()");
    }
}

bool tw_lp_map_allow(void)
{
    (void)engine_self("tw_lp_map_allow()");
    g_run.map_allowed = true;
    return g_run.settings.lp_map[0] != '\0';
}

tw_peid tw_lp_rank(tw_lpid gid)
{
    const struct pe *pe = engine_self("tw_lp_rank()");
    if (gid >= pe->mapping.total) {
        tw_error(TW_LOC, "tw_lp_rank(): there is no LP %" PRIu64 ", the model has %" PRIu64, gid,
                 pe->mapping.total);
    }
    bool is_custom = pe->mapping.kind == CUSTOM;
    const tw_lptype *type = is_custom && g_tw_nlp > 0 ? g_tw_lp[0]->type : NULL;
    if (is_custom && (type == NULL || type->map == NULL)) {
        tw_error(TW_LOC, "tw_lp_rank(): with CUSTOM mapping it needs the types of LPs, with map");
    }
    return mapping_rank(&pe->mapping, gid, type);
}
