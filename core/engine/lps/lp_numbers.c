/* SPDX-License-Identifier: BSD-3-Clause */
/* lp_numbers.c - see lp_numbers.h. */
#include "engine/lps/lp_numbers.h"

#include <assert.h>

static int by_value(const void *a, const void *b)
{
    const tw_lpid *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Returns the gids of the local LPs in ascending order. The caller frees the array. */
static tw_lpid *local_numbers(void)
{
    tw_lpid *gids = tw_calloc(TW_LOC, "numbers of LPs", sizeof *gids, g_tw_nlp);
    bool ascending = true;
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        gids[i] = g_tw_lp[i]->gid;
        ascending = ascending && (i == 0 || gids[i - 1] <= gids[i]);
    }
    if (!ascending) {
        qsort(gids, g_tw_nlp, sizeof *gids, by_value);
    }
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
