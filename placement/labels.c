/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * labels.c - gives each part of a division the number of the rank that executed most of the part's
 * events; see partition_labels_keep() in place.h.
 */
#include <stdlib.h>

#include "placement/place.h"

/* Maximum number of ranks for which parts are renumbered: the list of overlaps takes 16 bytes per
 * pair of a part and a rank. */
#define LABELS_RANKS_MAX 1024u

/* A part and a rank that have LPs in common. */
struct overlap {
    uint64_t events; /* number of events that these LPs received */
    uint32_t part, rank;
};

/* Orders overlaps by descending number of events, then by part and rank; callback of qsort(). */
static int by_events(const void *a, const void *b)
{
    const struct overlap *x = a, *y = b;
    if (x->events != y->events) {
        return x->events > y->events ? -1 : 1;
    }
    if (x->part != y->part) {
        return x->part < y->part ? -1 : 1;
    }
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Returns an array of all overlaps in the order of by_events(), and sets *n to their number. The
 * caller frees the array. NULL: memory is exhausted. */
static struct overlap *overlaps_find(const struct partition *p, const uint32_t *part_of, size_t *n)
{
    const struct partition_graph *g = p->graph;
    size_t pairs = (size_t)p->n_ranks * p->n_ranks;
    struct overlap *list = calloc(pairs, sizeof *list);
    for (uint64_t lp = 0; list != NULL && lp < g->n_lps; lp++) {
        if (g->pe[lp] < p->n_ranks) {
            list[(size_t)part_of[lp] * p->n_ranks + g->pe[lp]].events += g->received[lp];
        }
    }
    *n = 0;
    for (size_t i = 0; list != NULL && i < pairs; i++) {
        if (list[i].events > 0) {
            list[(*n)++] = (struct overlap){list[i].events, (uint32_t)(i / p->n_ranks),
                                            (uint32_t)(i % p->n_ranks)};
        }
    }
    if (list != NULL) {
        qsort(list, *n, sizeof *list, by_events);
    }
    return list;
}

bool partition_labels_keep(const struct partition *p, uint32_t *part_of)
{
    size_t n;
    if (p->graph->n_pes != p->n_ranks || p->n_ranks > LABELS_RANKS_MAX) {
        return true;
    }
    struct overlap *list = overlaps_find(p, part_of, &n);
    uint32_t *rank_of = malloc(p->n_ranks * sizeof *rank_of);
    bool *is_taken = calloc(p->n_ranks, sizeof *is_taken);
    bool good = list != NULL && rank_of != NULL && is_taken != NULL;
    for (uint32_t part = 0; good && part < p->n_ranks; part++) {
        rank_of[part] = UINT32_MAX;
    }
    for (size_t i = 0; good && i < n; i++) {
        if (rank_of[list[i].part] == UINT32_MAX && !is_taken[list[i].rank]) {
            rank_of[list[i].part] = list[i].rank;
            is_taken[list[i].rank] = true;
        }
    }
    for (uint32_t part = 0, next = 0; good && part < p->n_ranks; part++) {
        if (rank_of[part] == UINT32_MAX) {
            while (is_taken[next]) {
                next++;
            }
            rank_of[part] = next++;
        }
    }
    for (uint64_t lp = 0; good && lp < p->graph->n_lps; lp++) {
        part_of[lp] = rank_of[part_of[lp]];
    }
    free(list);
    free(rank_of);
    free(is_taken);
    return good;
}
