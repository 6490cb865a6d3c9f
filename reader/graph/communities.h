/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * communities.h - finds communities in the graph of the LPs: groups of LPs that exchange most events
 * among themselves. The direction of events does not matter.
 *
 * Modularity says how good communities are: the share of the events between LPs that stay in a
 * community, minus the share that would stay there by chance (Newman, Phys. Rev. E 70, 056131,
 * 2004). Finding its maximum is NP-hard. The algorithm is that of Blondel et al. (J. Stat. Mech.
 * P10008, 2008), with the queue of Traag et al. (Sci. Rep. 9, 5233, 2019):
 *
 *   1. Each LP is a node, and each node a community.
 *   2. A node moves to the community that increases modularity most. Its neighbours outside of that
 *      community enter the queue of nodes to look at. This ends when the queue is empty.
 *   3. Each community becomes a node, and step 2 is repeated, until no node moves.
 *   4. Steps 1 and 2 are repeated once with the communities found, so that single LPs move.
 *
 * The result is the same on all machines. Cost: some 10 to 30 visits of each edge. Memory: 16 bytes per edge,
 * and 49 per LP.
 */
#ifndef WARPSCOPE_READER_GRAPH_COMMUNITIES_H
#define WARPSCOPE_READER_GRAPH_COMMUNITIES_H

#include "graph/edges.h"

#define WS_COMMUNITY_NONE UINT32_MAX

struct ws_communities {
    uint32_t *of; /* owned; [LP]: its community; WS_COMMUNITY_NONE: the LP has no edges */
    uint32_t n;   /* number of communities */
    double modularity;
};

/* Finds the communities of LPs 0 to n_lps - 1. edges: n_edges pairs of different LPs, with at least
 * one event each. Returns false if out of memory. The caller must call ws_communities_free() in
 * either case. */
bool ws_communities_find(struct ws_communities *c, uint32_t n_lps, const struct ws_edge *edges,
                         size_t n_edges);
void ws_communities_free(struct ws_communities *c);

#endif
