/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * communities.c - gives each LP its community. Communities are numbered by descending number of events
 * of their LPs, then by their first LP.
 */
#include <stdlib.h>

#include "analyze/analyze.h"
#include "graph/communities.h"

/* Stores the communities of the LPs in a->more. Returns false if out of memory. */
static bool members_store(struct analyze *a, const struct ws_communities *c)
{
    /* The events of the LPs of each community, plus their number; its number in the order of first
     * LPs. */
    struct analyze_place *list = calloc((size_t)c->n + 1, sizeof *list);
    uint32_t *numbers = calloc((size_t)c->n + 1, sizeof *numbers);
    const bool good = list != NULL && numbers != NULL;
    for (uint64_t lp = 0; good && lp < a->n_lps; lp++) {
        if (c->of[lp] != WS_COMMUNITY_NONE) {
            list[c->of[lp]].events += a->lps[lp].events + 1;
            list[c->of[lp]].number = c->of[lp];
        }
    }
    if (good) {
        analyze_places_sort(list, c->n);
        for (uint32_t i = 0; i < c->n; i++) {
            numbers[list[i].number] = i + 1;
        }
        for (uint64_t lp = 0; lp < a->n_lps; lp++) {
            a->more[lp].community = c->of[lp] == WS_COMMUNITY_NONE ? 0 : numbers[c->of[lp]];
        }
    }
    free(list);
    free(numbers);
    return good;
}

void analyze_communities(struct analyze *a)
{
    struct analyze_graph *g = &a->graph;
    struct ws_communities c = {.n = 0};
    if (g->too_large || g->n > ANALYZE_EDGES_COMMUNITIES) {
        g->why = "the graph has more than 10,485,760 edges";
    } else if (g->n > 0 && !(ws_communities_find(&c, (uint32_t)a->n_lps, g->list, g->n) &&
                             members_store(a, &c))) {
        g->why = "out of memory";
    } else {
        g->communities = c.n;
        g->modularity = c.modularity;
    }
    for (size_t i = 0; g->communities > 0 && i < g->n; i++) {
        const struct ws_edge *edge = &g->list[i];
        g->between_events += edge->events;
        g->community_events +=
            c.of[ws_edge_src(edge->key)] == c.of[ws_edge_dest(edge->key)] ? edge->events : 0;
    }
    ws_communities_free(&c);
}
