/* SPDX-License-Identifier: BSD-3-Clause */
/* graph.c - see graph.h. */
#include "placement/graph.h"

#include <assert.h>
#include <stdlib.h>

bool partition_graph_init(struct partition_graph *g, uint64_t n_lps)
{
    assert(n_lps > 0 && n_lps <= PARTITION_LPS_MAX);
    *g = (struct partition_graph){.n_lps = n_lps};
    g->received = calloc(n_lps, sizeof *g->received);
    g->load = calloc(n_lps, sizeof *g->load);
    g->pe = malloc(n_lps * sizeof *g->pe);
    if (g->received == NULL || g->load == NULL || g->pe == NULL) {
        return false;
    }
    for (uint64_t lp = 0; lp < n_lps; lp++) {
        g->pe[lp] = PARTITION_UNKNOWN_PE;
    }
    return true;
}

void partition_graph_free(struct partition_graph *g)
{
    free(g->received);
    free(g->load);
    free(g->pe);
    free(g->begin);
    free(g->to);
    free(g->weight);
    free(g->group);
    *g = (struct partition_graph){.n_lps = 0};
}

static uint32_t smaller_of(uint64_t key)
{
    return (uint32_t)(key >> 32);
}

static uint32_t larger_of(uint64_t key)
{
    return (uint32_t)key;
}

static void pair_put(struct partition_graph *g, uint64_t *next, uint32_t from, uint32_t to,
                     uint64_t events)
{
    uint64_t at = next[from]++;
    g->to[at] = to;
    g->weight[at] = events;
}

bool partition_graph_link(struct partition_graph *g, const struct partition_pair *pairs, size_t n)
{
    assert(g->begin == NULL);
    g->begin = calloc(g->n_lps + 1, sizeof *g->begin);
    g->to = malloc((2 * n + 1) * sizeof *g->to);
    g->weight = malloc((2 * n + 1) * sizeof *g->weight);
    uint64_t *next = malloc(g->n_lps * sizeof *next);
    bool good = g->begin != NULL && g->to != NULL && g->weight != NULL && next != NULL;
    for (size_t i = 0; good && i < n; i++) {
        g->begin[smaller_of(pairs[i].key) + (uint64_t)1]++;
        g->begin[larger_of(pairs[i].key) + (uint64_t)1]++;
    }
    g->total_load = 0;
    for (uint64_t lp = 0; good && lp < g->n_lps; lp++) {
        next[lp] = g->begin[lp];
        g->begin[lp + 1] += g->begin[lp];
        g->total_load += g->load[lp];
    }
    /* Neighbours with smaller gids are added before those with larger gids, so that each list
     * becomes sorted. */
    for (size_t i = 0; good && i < n; i++) {
        pair_put(g, next, larger_of(pairs[i].key), smaller_of(pairs[i].key), pairs[i].events);
    }
    for (size_t i = 0; good && i < n; i++) {
        pair_put(g, next, smaller_of(pairs[i].key), larger_of(pairs[i].key), pairs[i].events);
    }
    free(next);
    g->n_pairs = n;
    return good;
}
