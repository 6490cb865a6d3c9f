/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * igraph_communities.c - finds communities of LPs by the multilevel algorithm of igraph (Blondel et
 * al., J. Stat. Mech. P10008, 2008), which maximises modularity.
 *
 * The edges of both directions between two LPs become one edge, whose weight is its number of
 * events. Communities are numbered by descending number of events of their LPs, then by their first
 * LP.
 *
 * The library is loaded at the first use, since loading igraph and its libraries takes longer than
 * most commands.
 */
#include <assert.h>
#include <dlfcn.h>
#include <igraph/igraph.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"

/* The functions of igraph that are used. */
#define IGRAPH_FUNCTIONS(X)                                                                        \
    X(set_error_handler)                                                                           \
    X(error_handler_ignore)                                                                        \
    X(rng_default)                                                                                 \
    X(rng_seed)                                                                                    \
    X(empty)                                                                                       \
    X(destroy)                                                                                     \
    X(add_edges)                                                                                   \
    X(community_multilevel)                                                                        \
    X(modularity)                                                                                  \
    X(vector_init)                                                                                 \
    X(vector_destroy)                                                                              \
    X(vector_int_init)                                                                             \
    X(vector_int_destroy)
#define IGRAPH_MEMBER(name) __typeof__(&igraph_##name) name;
struct library {
    void *handle; /* result of dlopen(); NULL: not loaded */
    IGRAPH_FUNCTIONS(IGRAPH_MEMBER)
};
#undef IGRAPH_MEMBER

static bool library_load(struct library *l)
{
    l->handle = dlopen(WARPSCOPE_IGRAPH_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    void *symbol;
    bool good = l->handle != NULL;
#define IGRAPH_LOAD(name)                                                                          \
    symbol = good ? dlsym(l->handle, "igraph_" #name) : NULL;                                      \
    good = symbol != NULL;                                                                         \
    memcpy(&l->name, &symbol, sizeof symbol); /* ISO C has no cast between these pointers */
    IGRAPH_FUNCTIONS(IGRAPH_LOAD)
#undef IGRAPH_LOAD
    return good;
}

/* Stores the edges without their direction. Returns false if out of memory. */
static bool edges_join(const struct analyze_graph *g, struct ws_edges *edges)
{
    bool good = true;
    ws_edges_init(edges, 2 * g->n); /* the list is always at most half full: it stays in memory */
    for (size_t i = 0; good && i < g->n; i++) {
        uint32_t src = ws_edge_src(g->list[i].key), dest = ws_edge_dest(g->list[i].key);
        good = ws_edges_add(edges, src < dest ? src : dest, src < dest ? dest : src,
                            g->list[i].events);
    }
    return good && ws_edges_combine(edges);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

struct community {
    /* events: number of events of the LPs of the community, plus number of these LPs; first: number
     * of its first LP. */
    uint64_t events, first;
    uint32_t number; /* index of the community in igraph */
};

static int by_events(const void *a, const void *b)
{
    const struct community *x = a, *y = b;
    if (x->events != y->events) {
        return x->events > y->events ? -1 : 1;
    }
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Stores the communities of the LPs in a->more. members: community of each node; nodes: LP of each
 * of the n nodes. Returns false if out of memory. */
static bool members_store(struct analyze *a, const igraph_vector_int_t *members, size_t n,
                          const uint32_t *nodes)
{
    size_t most = 0;
    struct community *list = calloc(n + 1, sizeof *list);
    uint32_t *number = calloc(n + 1, sizeof *number);
    bool good = list != NULL && number != NULL;
    for (size_t i = 0; good && i < n; i++) {
        size_t c = (size_t)VECTOR(*members)[i];
        assert(c < n && nodes[i] < a->n_lps);
        most = c + 1 > most ? c + 1 : most;
        list[c].first = list[c].events == 0 ? nodes[i] : list[c].first;
        list[c].events += a->lps[nodes[i]].events + 1;
        list[c].number = (uint32_t)c;
    }
    if (good) {
        qsort(list, most, sizeof *list, by_events);
        for (size_t c = 0; c < most; c++) {
            number[list[c].number] = (uint32_t)c;
        }
        for (size_t i = 0; i < n; i++) {
            a->more[nodes[i]].community = number[VECTOR(*members)[i]] + 1;
        }
        a->graph.communities = (uint32_t)most;
    }
    free(list);
    free(number);
    return good;
}

/* ---- Graph ----------------------------------------------------------------------------------- */

struct work {
    struct library l;
    igraph_t graph;
    igraph_vector_int_t ends, members;
    igraph_vector_t weights;
};

/* Adds the edges to the graph, and finds its communities. node_of: node of each LP, plus 1. Returns
 * false if igraph fails. */
static bool communities_find(struct analyze *a, struct work *w, const struct ws_edges *edges,
                             const uint32_t *node_of)
{
    igraph_real_t modularity = 0.0;
    for (size_t i = 0; i < edges->n; i++) {
        const struct ws_edge *edge = &edges->list[i];
        VECTOR(w->ends)[2 * i] = node_of[ws_edge_src(edge->key)] - 1;
        VECTOR(w->ends)[2 * i + 1] = node_of[ws_edge_dest(edge->key)] - 1;
        VECTOR(w->weights)[i] = (igraph_real_t)edge->events;
    }
    if (w->l.add_edges(&w->graph, &w->ends, NULL) != IGRAPH_SUCCESS ||
        w->l.community_multilevel(&w->graph, &w->weights, 1.0, &w->members, NULL, NULL) !=
            IGRAPH_SUCCESS ||
        w->l.modularity(&w->graph, &w->members, &w->weights, 1.0, IGRAPH_UNDIRECTED, &modularity) !=
            IGRAPH_SUCCESS) {
        return false;
    }
    a->graph.modularity = modularity;
    return true;
}

static bool work_init(struct work *w, uint32_t n_nodes, size_t n_edges)
{
    const igraph_integer_t n = (igraph_integer_t)n_edges;
    return w->l.empty(&w->graph, (igraph_integer_t)n_nodes, IGRAPH_UNDIRECTED) == IGRAPH_SUCCESS &&
           w->l.vector_int_init(&w->ends, 2 * n) == IGRAPH_SUCCESS &&
           w->l.vector_int_init(&w->members, 0) == IGRAPH_SUCCESS &&
           w->l.vector_init(&w->weights, n) == IGRAPH_SUCCESS;
}

static void work_free(struct work *w)
{
    w->l.destroy(&w->graph);
    w->l.vector_int_destroy(&w->ends);
    w->l.vector_int_destroy(&w->members);
    w->l.vector_destroy(&w->weights);
}

static void sums_find(struct analyze *a)
{
    struct analyze_graph *g = &a->graph;
    for (size_t i = 0; i < g->n; i++) {
        uint32_t src = a->more[ws_edge_src(g->list[i].key)].community;
        uint32_t dest = a->more[ws_edge_dest(g->list[i].key)].community;
        g->between_events += g->list[i].events;
        g->community_events += src == dest ? g->list[i].events : 0;
    }
}

/* Assigns a node to each LP that has edges. nodes: receives the LP of each node; node_of: receives
 * the node of each LP, plus 1. Returns the number of nodes. */
static uint32_t nodes_number(const struct ws_edges *edges, uint32_t *node_of, uint32_t *nodes)
{
    uint32_t n_nodes = 0;
    for (size_t i = 0; i < edges->n; i++) {
        uint64_t key = edges->list[i].key;
        uint32_t ends[2] = {ws_edge_src(key), ws_edge_dest(key)};
        for (int k = 0; k < 2; k++) {
            if (node_of[ends[k]] == 0) {
                nodes[n_nodes++] = ends[k];
                node_of[ends[k]] = n_nodes;
            }
        }
    }
    return n_nodes;
}

void analyze_communities(struct analyze *a)
{
    struct work w;
    struct ws_edges edges;
    if (a->graph.too_large || a->graph.n > ANALYZE_EDGES_COMMUNITIES) {
        a->graph.why = "the graph has more than 4,194,304 edges";
        return;
    }
    if (a->graph.n == 0) {
        return;
    }
    if (!library_load(&w.l)) {
        a->graph.why =
            "the library " WARPSCOPE_IGRAPH_LIBRARY " is not installed (Debian: libigraph3)";
        return;
    }
    w.l.set_error_handler(w.l.error_handler_ignore);
    w.l.rng_seed(w.l.rng_default(), 1);
    uint32_t *node_of = calloc(a->n_lps + 1, sizeof *node_of);
    uint32_t *nodes = calloc(a->n_lps + 1, sizeof *nodes);
    bool good = edges_join(&a->graph, &edges) && node_of != NULL && nodes != NULL;
    uint32_t n_nodes = good ? nodes_number(&edges, node_of, nodes) : 0;
    good = good && work_init(&w, n_nodes, edges.n);
    if (good) {
        good = communities_find(a, &w, &edges, node_of) &&
               members_store(a, &w.members, n_nodes, nodes);
        work_free(&w);
    }
    if (good) {
        sums_find(a);
    } else {
        a->graph.why = "out of memory";
    }
    ws_edges_free(&edges);
    free(node_of);
    free(nodes);
    dlclose(w.l.handle);
}
