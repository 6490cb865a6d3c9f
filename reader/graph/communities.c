/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * communities.c - see communities.h.
 *
 * The links of all nodes are made from the list of pairs at each level, so that no level needs more
 * memory than the first one. A node gains by a community the number of events that it shares with
 * the nodes there, minus the number that it would share with them by chance.
 */
#include "graph/communities.h"

#include <stdlib.h>
#include <string.h>

/* A move gains at least this part of the events of the node, which is more than rounding errors. */
#define GAIN_LEAST 1e-6

struct link {
    uint32_t to;  /* the node at the other end */
    float events; /* number of events in both directions */
};

/* Element i is for LP i, for node i and for community i. */
struct sums {
    double lp;      /* number of events that the LP exchanged with other LPs */
    double node;    /* the same, of all LPs of the node */
    double total;   /* the same, of all LPs of the community */
    double shared;  /* number of events that the community shares with the current node */
    size_t link;    /* index of the first link of the node */
    size_t place;   /* index of the latest link to the node, plus 1 */
    bool is_queued; /* true if the node is in the queue */
};

struct work {
    const struct ws_edge *edges; /* borrowed */
    size_t n_edges;
    uint32_t n_lps, n_nodes;
    struct sums *sums;  /* owned; one element more than LPs */
    double all;         /* sum of the events of all nodes */
    struct link *links; /* lies in `memory` */
    struct ws_memory memory;
    /* node_of, owned: [LP] its node; the others lie behind it. community: [node] its community; queue: ring of nodes;
     * found: the communities of the neighbours of the current node. */
    uint32_t *node_of, *community, *queue, *found;
};

/* ---- Links ----------------------------------------------------------------------------------- */

/* Makes one link of several links to the same node. Before, sums[i].link is the end of the links of
 * node i. */
static void links_join(struct work *w)
{
    size_t n = 0, from = 0;
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        const size_t begin = n, end = w->sums[i].link;
        w->sums[i].link = begin;
        for (; from < end; from++) {
            const struct link link = w->links[from];
            size_t *place = &w->sums[link.to].place;
            if (*place > begin) {
                w->links[*place - 1].events += link.events;
            } else {
                w->links[n++] = link;
                *place = n;
            }
        }
    }
    w->sums[w->n_nodes].link = n;
}

/* Makes the links and the sums of all nodes. */
static void nodes_make(struct work *w)
{
    size_t n = 0;
    for (uint32_t i = 0; i <= w->n_nodes; i++) {
        w->sums[i].link = w->sums[i].place = 0;
        w->sums[i].node = 0.0;
    }
    for (uint32_t lp = 0; lp < w->n_lps; lp++) {
        w->sums[w->node_of[lp]].node += w->sums[lp].lp;
    }
    for (size_t i = 0; i < w->n_edges; i++) {
        const uint32_t from = w->node_of[ws_edge_src(w->edges[i].key)];
        const uint32_t to = w->node_of[ws_edge_dest(w->edges[i].key)];
        w->sums[from].link += from != to;
        w->sums[to].link += from != to;
    }
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        const size_t links = w->sums[i].link;
        w->sums[i].link = n;
        n += links;
    }
    for (size_t i = 0; i < w->n_edges; i++) {
        const uint32_t from = w->node_of[ws_edge_src(w->edges[i].key)];
        const uint32_t to = w->node_of[ws_edge_dest(w->edges[i].key)];
        if (from != to) {
            w->links[w->sums[from].link++] = (struct link){to, (float)w->edges[i].events};
            w->links[w->sums[to].link++] = (struct link){from, (float)w->edges[i].events};
        }
    }
    links_join(w);
}

/* ---- Moves ----------------------------------------------------------------------------------- */

/* Returns the community by which a node gains most; its own one if no other gains more. */
static uint32_t best_find(struct work *w, uint32_t node)
{
    struct sums *sums = w->sums;
    const uint32_t own = w->community[node];
    const double rate = sums[node].node / w->all;
    uint32_t n = 0, best = own;
    for (size_t i = sums[node].link; i < sums[node + 1].link; i++) {
        const uint32_t c = w->community[w->links[i].to];
        if (sums[c].shared <= 0.0) {
            w->found[n++] = c;
        }
        sums[c].shared += (double)w->links[i].events;
    }
    double most = sums[own].shared - rate * (sums[own].total - sums[node].node) +
                  GAIN_LEAST * sums[node].node;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t c = w->found[i];
        const double gain = sums[c].shared - rate * sums[c].total;
        if (c != own && gain > most) {
            most = gain;
            best = c;
        }
        sums[c].shared = 0.0;
    }
    return best;
}

/* Moves nodes until none gains by it. */
static void nodes_move(struct work *w)
{
    uint32_t n_queued = w->n_nodes, at = 0, end = 0;
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        w->queue[i] = i;
        w->sums[i].is_queued = true;
    }
    for (; n_queued > 0; n_queued--) {
        const uint32_t node = w->queue[at], best = best_find(w, node);
        at = at + 1 == w->n_nodes ? 0 : at + 1;
        w->sums[node].is_queued = false;
        if (best == w->community[node]) {
            continue;
        }
        w->sums[w->community[node]].total -= w->sums[node].node;
        w->sums[best].total += w->sums[node].node;
        w->community[node] = best;
        for (size_t i = w->sums[node].link; i < w->sums[node + 1].link; i++) {
            const uint32_t to = w->links[i].to;
            if (w->community[to] != best && !w->sums[to].is_queued) {
                w->sums[to].is_queued = true;
                w->queue[end] = to;
                end = end + 1 == w->n_nodes ? 0 : end + 1;
                n_queued++;
            }
        }
    }
}

/* Makes a node of each community, which then has the number of its node. Communities are numbered
 * in the order of their first nodes. */
static void communities_join(struct work *w)
{
    uint32_t n = 0, *number = w->queue;
    memset(number, 0, w->n_nodes * sizeof *number);
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        uint32_t *of = &number[w->community[i]];
        *of = *of == 0 ? ++n : *of;
    }
    for (uint32_t lp = 0; lp < w->n_lps; lp++) {
        w->node_of[lp] = number[w->community[w->node_of[lp]]] - 1;
    }
    w->n_nodes = n;
}

/* Finds communities, beginning with LPs as nodes and their communities in w->community. */
static void levels_run(struct work *w)
{
    uint32_t n_before;
    for (uint32_t lp = 0; lp < w->n_lps; lp++) {
        w->node_of[lp] = lp;
    }
    w->n_nodes = w->n_lps;
    do {
        nodes_make(w);
        for (uint32_t i = 0; i < w->n_nodes; i++) {
            w->sums[i].total = 0.0;
        }
        for (uint32_t i = 0; i < w->n_nodes; i++) {
            w->sums[w->community[i]].total += w->sums[i].node;
        }
        nodes_move(w);
        n_before = w->n_nodes;
        communities_join(w);
        for (uint32_t i = 0; i < w->n_nodes; i++) {
            w->community[i] = i;
        }
    } while (w->n_nodes < n_before);
}

/* ---- Result ---------------------------------------------------------------------------------- */

static double modularity_find(struct work *w)
{
    double inside = 0.0, chance = 0.0;
    for (size_t i = 0; i < w->n_edges; i++) {
        const uint32_t from = w->node_of[ws_edge_src(w->edges[i].key)];
        const uint32_t to = w->node_of[ws_edge_dest(w->edges[i].key)];
        inside += from == to ? 2.0 * (double)w->edges[i].events : 0.0;
    }
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        chance += w->sums[i].total / w->all * (w->sums[i].total / w->all);
    }
    return w->n_edges == 0 ? 0.0 : inside / w->all - chance;
}

/* Numbers the communities of LPs with edges in the order of their first LPs. Returns their number. */
static uint32_t communities_number(struct work *w)
{
    uint32_t n = 0, *number = w->queue;
    memset(number, 0, w->n_lps * sizeof *number);
    for (uint32_t lp = 0; lp < w->n_lps; lp++) {
        uint32_t *of = &number[w->node_of[lp]];
        const bool has_edges = w->sums[lp].lp > 0.0;
        *of = has_edges && *of == 0 ? ++n : *of;
        w->node_of[lp] = has_edges ? *of - 1 : WS_COMMUNITY_NONE;
    }
    return n;
}

bool ws_communities_find(struct ws_communities *c, uint32_t n_lps, const struct ws_edge *edges,
                         size_t n_edges)
{
    struct work w = {.edges = edges, .n_edges = n_edges, .n_lps = n_lps};
    *c = (struct ws_communities){0};
    w.sums = calloc((size_t)n_lps + 1, sizeof *w.sums);
    w.node_of = calloc((size_t)n_lps + 1, 4 * sizeof *w.node_of);
    bool good = w.sums != NULL && w.node_of != NULL &&
                ws_memory_take(&w.memory, (2 * n_edges + 1) * sizeof *w.links);
    if (good) {
        w.links = w.memory.at;
        w.community = w.node_of + n_lps;
        w.queue = w.community + n_lps;
        w.found = w.queue + n_lps;
        for (size_t i = 0; i < n_edges; i++) {
            w.sums[ws_edge_src(edges[i].key)].lp += (double)edges[i].events;
            w.sums[ws_edge_dest(edges[i].key)].lp += (double)edges[i].events;
            w.all += 2.0 * (double)edges[i].events;
        }
        for (uint32_t lp = 0; lp < n_lps; lp++) {
            w.community[lp] = lp;
        }
        levels_run(&w);
        memcpy(w.community, w.node_of, n_lps * sizeof *w.community);
        levels_run(&w);
        c->modularity = modularity_find(&w);
        c->n = communities_number(&w);
        c->of = w.node_of;
        w.node_of = NULL;
    }
    free(w.sums);
    free(w.node_of);
    ws_memory_free(&w.memory);
    return good;
}

void ws_communities_free(struct ws_communities *c)
{
    free(c->of);
    *c = (struct ws_communities){0};
}
