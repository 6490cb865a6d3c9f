/* SPDX-License-Identifier: BSD-3-Clause */
/* lp_numbers.c - see lp_numbers.h. */
#include "engine/lps/lp_numbers.h"

#include <assert.h>
#include <limits.h>

#include "engine/process/run.h"

/* Returns the gids of the local LPs in ascending order. The caller frees the array. */
static tw_lpid *local_numbers(void)
{
    tw_lpid *gids = tw_calloc(TW_LOC, "numbers of LPs", sizeof *gids, g_tw_nlp);
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        gids[i] = g_tw_lp[i]->gid;
    }
    id_set_sort(gids, g_tw_nlp);
    return gids;
}

void lp_numbers_settle(struct pe *pe)
{
    assert(pe->mapping.kind == CUSTOM);
    tw_lpid *gids = local_numbers();
    for (tw_lpid i = 1; i < g_tw_nlp; i++) {
        if (gids[i - 1] == gids[i]) {
            tw_error(TW_LOC,
                     "g_tw_custom_initial_mapping gives two LPs of this rank the number %" PRIu64
                     "; each LP needs a number of its own",
                     gids[i]);
        }
    }
    uint64_t end = g_tw_nlp > 0 ? gids[g_tw_nlp - 1] + 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &end, 1, MPI_UINT64_T, MPI_MAX, pe->comm.comm);
    pe->mapping.end = end;
    free(gids);
}

/* Stores in counts and firsts, for each rank, its number of LPs and the sum of those of the ranks
 * before it. Ends the run if there are too many LPs for an MPI call. Collective. */
static void counts_gather(const struct pe *pe, int *counts, int *firsts)
{
    int count = (int)g_tw_nlp, sum = 0;
    if (pe->mapping.total > INT_MAX) {
        run_refuse("a placement map of more than %d LPs needs numbers of LPs without holes",
                   INT_MAX);
    }
    MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, pe->comm.comm);
    for (unsigned r = 0; r < pe->mapping.n_ranks; r++) {
        firsts[r] = sum;
        sum += counts[r];
    }
}

void lp_numbers_gather(struct pe *pe)
{
    struct mapping *m = &pe->mapping;
    if (m->end == m->total || !id_set_is_dense(&m->gids)) {
        return;
    }
    tw_ask_memory("the numbers of all LPs", 32.0 * (double)m->total);
    tw_lpid *own = local_numbers();
    tw_lpid *all = tw_calloc(TW_LOC, "numbers of LPs", sizeof *all, m->total);
    int *counts = tw_calloc(TW_LOC, "numbers of LPs", 2 * sizeof *counts, m->n_ranks);
    counts_gather(pe, counts, counts + m->n_ranks);
    MPI_Allgatherv(own, (int)g_tw_nlp, MPI_UINT64_T, all, counts, counts + m->n_ranks, MPI_UINT64_T,
                   pe->comm.comm);
    id_set_sort(all, m->total);
    for (tw_lpid i = 1; i < m->total; i++) {
        if (all[i - 1] == all[i]) {
            run_refuse("two ranks have an LP with the number %" PRIu64
                       "; each LP needs a number of its own",
                       all[i]);
        }
    }
    m->gids = (struct id_set){.ids = all, .n = m->total, .capacity = m->total};
    if (!id_set_index(&m->gids)) {
        tw_error(TW_LOC, "out of memory for the numbers of %" PRIu64 " LPs", m->total);
    }
    free(own);
    free(counts);
}

void lp_numbers_check_ranks(const struct pe *pe)
{
    for (tw_lpid i = 0; pe->mapping.kind == CUSTOM && i < g_tw_nlp; i++) {
        const tw_lp *lp = g_tw_lp[i];
        tw_peid rank = lp->type->map(lp->gid);
        if (rank != pe->mapping.rank) {
            tw_error(TW_LOC,
                     "LP %" PRIu64 " is on rank %u, but the map function of its type puts it on "
                     "rank %lu; each LP needs a number that no other LP has, and the rank that "
                     "map returns for it",
                     lp->gid, pe->mapping.rank, rank);
        }
    }
}
