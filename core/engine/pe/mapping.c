/* SPDX-License-Identifier: BSD-3-Clause */
/* mapping.c - see mapping.h. */
#include "engine/pe/mapping.h"

#include <assert.h>

#include "store/search.h"

/* Sets the members that depend on the LP counts of all ranks, for a mapping in which these counts
 * differ. */
static void sum_uneven(struct mapping *m, const struct comm *c)
{
    if (m->kind != LINEAR) {
        MPI_Allreduce(&m->count, &m->total, 1, MPI_UINT64_T, MPI_SUM, c->comm);
        return;
    }
    m->first_gids = tw_calloc(TW_LOC, "mapping", sizeof(tw_lpid), m->n_ranks + 1u);
    MPI_Allgather(&m->count, 1, MPI_UINT64_T, m->first_gids + 1, 1, MPI_UINT64_T, c->comm);
    for (unsigned r = 0; r < m->n_ranks; r++) {
        m->first_gids[r + 1] += m->first_gids[r];
    }
    m->first = m->first_gids[m->rank];
    m->total = m->first_gids[m->n_ranks];
}

void mapping_init(struct mapping *m, tw_lp_map kind, tw_lpid count, const struct comm *c)
{
    *m = (struct mapping){
        .kind = kind, .count = count, .n_ranks = (unsigned)c->n_ranks, .rank = (unsigned)c->rank};
    /* the greatest count, and the complement of the smallest count */
    uint64_t most[2] = {count, ~count};
    MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_UINT64_T, MPI_MAX, c->comm);
    m->even = most[0] == ~most[1];
    if (m->even) {
        m->first = m->rank * count;
        m->total = m->n_ranks * count;
    } else {
        sum_uneven(m, c);
    }
    m->end = m->total;
    m->gids.n = m->total;
}

void mapping_fini(struct mapping *m)
{
    free(m->first_gids);
    free(m->placed);
    index_fini(&m->own);
    id_set_free(&m->gids);
    m->first_gids = NULL;
    m->placed = NULL;
}

void mapping_place(struct mapping *m, uint32_t *placed, tw_lpid count)
{
    assert(placed != NULL && count < MAPPING_LOCAL);
    free(m->placed);
    m->kind = MAPPING_PLACED;
    m->placed = placed;
    m->count = count;
    m->even = false;
}

tw_lpid mapping_gid(const struct mapping *m, tw_lpid local)
{
    assert((m->kind == LINEAR || m->kind == ROUND_ROBIN) && local < m->count);
    return m->kind == ROUND_ROBIN ? local * m->n_ranks + m->rank : m->first + local;
}

unsigned mapping_rank(const struct mapping *m, tw_lpid gid, const tw_lptype *type)
{
    assert(m->kind == CUSTOM || gid < m->end);
    if (m->kind == CUSTOM) {
        tw_peid rank = type->map(gid);
        if (rank >= m->n_ranks) {
            tw_error(TW_LOC,
                     "the map function of the sender's LP type puts LP %" PRIu64
                     " on rank %lu, but there are only %u ranks",
                     gid, rank, m->n_ranks);
        }
        return (unsigned)rank;
    }
    if (m->kind == ROUND_ROBIN) {
        return (unsigned)(gid % m->n_ranks);
    }
    if (m->even) {
        return (unsigned)(gid / m->count);
    }
    if (m->kind == MAPPING_PLACED) {
        size_t place = mapping_place_of(m, gid);
        if (place == ID_SET_NONE) {
            tw_error(TW_LOC, "there is no LP %" PRIu64 "; the numbers of LPs have holes", gid);
        }
        return (m->placed[place] & MAPPING_LOCAL) != 0 ? m->rank : m->placed[place];
    }
    unsigned next; /* the first rank whose first gid is > gid */
    BINARY_SEARCH(next, 1, m->n_ranks, m->first_gids[next] <= gid);
    return next - 1;
}

tw_lp *mapping_local_slow(const struct mapping *m, const struct lp_table *lps, tw_lpid gid,
                          const tw_lptype *type)
{
    if (m->kind == ROUND_ROBIN) {
        return gid % m->n_ranks == m->rank ? lp_table_at(lps, gid / m->n_ranks) : NULL;
    }
    if (m->kind == MAPPING_PLACED) {
        size_t place = mapping_place_of(m, gid);
        uint32_t placed = place == ID_SET_NONE ? 0 : m->placed[place];
        return (placed & MAPPING_LOCAL) != 0 ? lp_table_at(lps, placed - MAPPING_LOCAL) : NULL;
    }
    if (mapping_rank(m, gid, type) != m->rank) {
        return NULL;
    }
    tw_lp *lp = g_tw_custom_lp_global_to_local_map(gid);
    if (lp == NULL || lp->gid != gid) {
        tw_error(TW_LOC,
                 "g_tw_custom_lp_global_to_local_map does not know LP %" PRIu64
                 ", which the map function puts on this rank",
                 gid);
    }
    return lp;
}

tw_lp *mapping_arrived(const struct mapping *m, const struct lp_table *lps, tw_lpid gid)
{
    if (gid >= m->end) {
        return NULL;
    }
    if (m->kind == CUSTOM) {
        tw_lp *lp = g_tw_custom_lp_global_to_local_map(gid);
        return lp != NULL && lp->gid == gid ? lp : NULL;
    }
    return mapping_local(m, lps, gid, NULL);
}

static void index_own(struct mapping *m, const struct lp_table *lps)
{
    bool fits = lps->count < UINT32_MAX;
    for (tw_lpid i = 0; fits && i < lps->count; i++) {
        fits = index_add(&m->own, index_hash(lp_table_at(lps, i)->gid), (uint32_t)i);
    }
    if (!fits) {
        tw_error(TW_LOC, "out of memory for an index of %" PRIu64 " LPs", lps->count);
    }
}

tw_lp *mapping_find(struct mapping *m, const struct lp_table *lps, tw_lpid gid)
{
    if (gid >= m->end) {
        return NULL;
    }
    if (m->kind != CUSTOM) {
        return mapping_local(m, lps, gid, NULL);
    }
    if (m->own.n == 0 && lps->count > 0) {
        index_own(m, lps);
    }
    const uint32_t hash = index_hash(gid);
    for (uint32_t at = hash, i; index_next(&m->own, hash, &at, &i);) {
        if (lp_table_at(lps, i)->gid == gid) {
            return lp_table_at(lps, i);
        }
    }
    return NULL;
}
