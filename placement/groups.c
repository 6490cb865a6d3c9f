/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * groups.c - groups of LPs that must stay on one rank; see graph.h and place.h. They are sets of a union-find
 * structure (Tarjan & van Leeuwen, "Worst-case analysis of set union algorithms", J. ACM 31(2), 1984), with
 * path halving; the smallest LP of a group represents it.
 */
#include <assert.h>
#include <stdlib.h>

#include "placement/place.h"

static uint32_t root_of(uint32_t *group, uint32_t lp)
{
    while (group[lp] != lp) {
        group[lp] = group[group[lp]];
        lp = group[lp];
    }
    return lp;
}

bool partition_graph_group(struct partition_graph *g, uint32_t a, uint32_t b)
{
    assert(a < g->n_lps && b < g->n_lps);
    if (g->group == NULL) {
        g->group = malloc(g->n_lps * sizeof *g->group);
        for (uint32_t lp = 0; g->group != NULL && lp < g->n_lps; lp++) {
            g->group[lp] = lp;
        }
    }
    if (g->group != NULL) {
        a = root_of(g->group, a);
        b = root_of(g->group, b);
        g->group[a > b ? a : b] = a < b ? a : b;
    }
    return g->group != NULL;
}

bool partition_groups_are_kept(const struct partition_graph *g, const uint32_t *rank)
{
    bool kept = true;
    for (uint32_t lp = 0; g->group != NULL && kept && lp < g->n_lps; lp++) {
        kept = rank[lp] == rank[root_of(g->group, lp)];
    }
    return kept;
}

/* A rank that may have most of the load of a group, and what it has more than other ranks so far. */
struct vote {
    uint64_t load;
    uint32_t rank;
};

bool partition_groups_keep(const struct partition_graph *g, uint32_t *rank)
{
    struct vote *votes = g->group != NULL ? calloc(g->n_lps, sizeof *votes) : NULL;
    if (votes == NULL) {
        return g->group == NULL;
    }
    for (uint32_t lp = 0; lp < g->n_lps; lp++) {
        struct vote *vote = &votes[root_of(g->group, lp)];
        uint64_t load = g->load[lp] + 1; /* also LPs without load vote */
        if (vote->rank == rank[lp]) {
            vote->load += load;
        } else if (vote->load >= load) {
            vote->load -= load;
        } else {
            *vote = (struct vote){load - vote->load, rank[lp]};
        }
    }
    for (uint32_t lp = 0; lp < g->n_lps; lp++) {
        rank[lp] = votes[root_of(g->group, lp)].rank;
    }
    free(votes);
    return true;
}
