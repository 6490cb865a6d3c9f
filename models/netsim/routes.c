/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * routes.c - computes the next arc from each router towards each site.
 *
 * igraph's Dijkstra algorithm gives the distance between any two sites. A router forwards a packet
 * over its first arc that lies on a shortest path. For this arc, the length plus the distance from
 * the arc's end to the destination equals the distance from the router to the destination. Lengths
 * are whole picoseconds, at least one. The sums of lengths are exact as doubles (below 2^53 ps,
 * which is two and a half hours). Therefore the comparison is exact, and the choice among equal
 * paths does not depend on the version of igraph or the machine.
 *
 * Invariants:
 * 1. Each hop strictly reduces the distance to the destination, so there are no loops.
 * 2. next_arc of a site is one of the site's own arcs.
 *
 * Cost: O(sites * arcs * log sites) time, O(sites^2) memory. Source: E. W. Dijkstra, "A note on two
 * problems in connexion with graphs", Numer. Math. 1, 1959.
 */
#include "routes.h"

#include <assert.h>
#include <igraph.h>

static double arc_length_ps(const struct ns_arc *arc)
{
    return ROSS_MAX(1.0, round(arc->delay_s * 1e12));
}

/* Fills `distance` with the lengths of the shortest paths, in picoseconds; infinity: there is no
 * path. The row is the start, the column the destination. Returns false if igraph fails. */
static bool distances_compute(const struct ns_topology *t, igraph_matrix_t *distance)
{
    igraph_vector_int_t ends;
    igraph_vector_t lengths;
    igraph_t graph;
    igraph_vector_int_init(&ends, 2 * (igraph_integer_t)t->n_arcs);
    igraph_vector_init(&lengths, (igraph_integer_t)t->n_arcs);
    for (uint32_t i = 0; i < t->n_arcs; i++) {
        VECTOR(ends)[2 * i] = t->arcs[i].from;
        VECTOR(ends)[2 * i + 1] = t->arcs[i].to;
        VECTOR(lengths)[i] = arc_length_ps(&t->arcs[i]);
    }
    igraph_create(&graph, &ends, (igraph_integer_t)t->n_sites, IGRAPH_DIRECTED);
    igraph_error_t status = igraph_distances_dijkstra(&graph, distance, igraph_vss_all(),
                                                      igraph_vss_all(), &lengths, IGRAPH_OUT);
    igraph_destroy(&graph);
    igraph_vector_destroy(&lengths);
    igraph_vector_int_destroy(&ends);
    return status == IGRAPH_SUCCESS;
}

static uint32_t next_arc_find(const struct ns_topology *t, const igraph_matrix_t *distance,
                              uint32_t at, uint32_t to)
{
    assert(at < t->n_sites && to < t->n_sites && at != to);
    for (uint32_t a = t->arc_begin[at]; a < t->arc_begin[at + 1]; a++) {
        if (arc_length_ps(&t->arcs[a]) + MATRIX(*distance, t->arcs[a].to, to) ==
            MATRIX(*distance, at, to)) {
            return a;
        }
    }
    tw_error(TW_LOC, "no arc of site %u is on a shortest way to site %u", at, to);
}

/* Returns false, with an error message, if there is a site that another one cannot reach. The
 * message has all sites that one site cannot reach: one from which most others can be reached. */
static bool reach_check(const struct ns_topology *t, const igraph_matrix_t *distance,
                        struct model_error *error)
{
    uint32_t n = t->n_sites, least = UINT32_MAX, from = 0;
    for (uint32_t at = 0; at < n; at++) {
        uint32_t beyond = 0;
        for (uint32_t to = 0; to < n; to++) {
            beyond += isinf(MATRIX(*distance, at, to)) ? 1 : 0;
        }
        if (beyond > 0 && beyond < least) {
            least = beyond;
            from = at;
        }
    }
    if (least == UINT32_MAX) {
        return true;
    }
    struct ns_names names = {.n = 0};
    unsigned line = 0;
    for (uint32_t to = 0; to < n; to++) {
        if (isinf(MATRIX(*distance, from, to))) {
            line = names.n == 0 ? t->sites[to].line : line;
            ns_names_add(&names, t->sites[to].label);
        }
    }
    ns_names_end(&names);
    return model_fail(error,
                      "%s:%u: %s %s cannot be reached from node \"%.60s\"; add links so that the "
                      "network is connected%s",
                      t->name, line, names.n == 1 ? "node" : "nodes", names.text,
                      t->sites[from].label,
                      t->n_arcs == t->n_links ? " (the graph is directed)" : "");
}

static void table_fill(struct ns_routes *r, const struct ns_topology *t,
                       const igraph_matrix_t *distance)
{
    for (uint32_t at = 0; at < t->n_sites; at++) {
        for (uint32_t to = 0; to < t->n_sites; to++) {
            r->next_arc[(size_t)at * t->n_sites + to] =
                at == to ? NS_NO_ARC : next_arc_find(t, distance, at, to);
        }
    }
}

bool ns_routes_init(struct ns_routes *routes, const struct ns_topology *topology,
                    struct model_error *error)
{
    igraph_matrix_t distance;
    igraph_matrix_init(&distance, 0, 0);
    if (!distances_compute(topology, &distance)) {
        tw_error(TW_LOC, "igraph cannot compute shortest paths (out of memory)");
    }
    size_t n = topology->n_sites;
    routes->n_sites = topology->n_sites;
    routes->next_arc = tw_calloc(TW_LOC, "routes", sizeof *routes->next_arc, n * n);
    bool ok = reach_check(topology, &distance, error);
    if (ok) {
        table_fill(routes, topology, &distance);
    }
    igraph_matrix_destroy(&distance);
    if (!ok) {
        ns_routes_fini(routes);
    }
    return ok;
}

void ns_routes_fini(struct ns_routes *routes)
{
    free(routes->next_arc);
    *routes = (struct ns_routes){0, NULL};
}

struct ns_path ns_route_path(const struct ns_routes *routes, const struct ns_topology *topology,
                             uint32_t from, uint32_t to)
{
    assert(from < routes->n_sites && to < routes->n_sites);
    struct ns_path path = {0, 0.0};
    while (from != to) {
        const struct ns_arc *arc = &topology->arcs[ns_route_next(routes, from, to)];
        path.hops++;
        path.delay_s += arc->delay_s;
        from = arc->to;
        assert(path.hops < routes->n_sites);
    }
    return path;
}

/*
 * Visits all flows in ascending order, and for each flow the sites of its path that are in th. For
 * each visit, increments next[i], where i is the index of the site in th. If flows is not NULL, the
 * function first stores the number of the flow in flows[next[i]].
 */
static void flows_walk(const struct ns_through *th, const struct ns_routes *r,
                       const struct ns_topology *t, uint64_t *next, uint32_t *flows)
{
    for (uint32_t from = 0; from < r->n_sites; from++) {
        for (uint32_t to = 0; to < r->n_sites; to++) {
            if (from == to) {
                continue;
            }
            for (uint32_t at = from;; at = t->arcs[ns_route_next(r, at, to)].to) {
                if (th->index[at] != NS_NO_SITE) {
                    uint64_t place = next[th->index[at]]++;
                    if (flows != NULL) {
                        flows[place] = from * r->n_sites + to;
                    }
                }
                if (at == to) {
                    break;
                }
            }
        }
    }
}

void ns_through_init(struct ns_through *through, const struct ns_routes *routes,
                     const struct ns_topology *topology, const bool *has_site)
{
    uint32_t n = 0;
    *through = (struct ns_through){.n = 0};
    through->index =
        tw_calloc(TW_LOC, "flows through routers", sizeof *through->index, routes->n_sites);
    for (uint32_t site = 0; site < routes->n_sites; site++) {
        through->index[site] = has_site[site] ? n++ : NS_NO_SITE;
    }
    through->n = n;
    through->begin = tw_calloc(TW_LOC, "flows through routers", sizeof *through->begin, n + 1);
    uint64_t *next = tw_calloc(TW_LOC, "flows through routers", sizeof *next, n + 1);
    flows_walk(through, routes, topology, next, NULL);
    for (uint32_t i = 0; i < n; i++) {
        through->begin[i + 1] = through->begin[i] + next[i];
    }
    free(next);
}

double ns_through_flows_bytes(const struct ns_through *through)
{
    return (double)through->begin[through->n] * (double)sizeof *through->flows;
}

void ns_through_fill(struct ns_through *through, const struct ns_routes *routes,
                     const struct ns_topology *topology)
{
    uint32_t n = through->n;
    uint64_t *next = tw_calloc(TW_LOC, "flows through routers", sizeof *next, n + 1);
    memcpy(next, through->begin, n * sizeof *next);
    through->flows =
        tw_calloc(TW_LOC, "flows through routers", sizeof *through->flows, through->begin[n] + 1);
    flows_walk(through, routes, topology, next, through->flows);
    free(next);
}

void ns_through_fini(struct ns_through *through)
{
    free(through->index);
    free(through->begin);
    free(through->flows);
    *through = (struct ns_through){.n = 0};
}

uint32_t ns_through_count(const struct ns_through *through, uint32_t site)
{
    assert(through->index[site] != NS_NO_SITE);
    const uint64_t *begin = &through->begin[through->index[site]];
    return (uint32_t)(begin[1] - begin[0]);
}

uint32_t ns_through_slot(const struct ns_through *through, uint32_t site, uint32_t flow)
{
    const uint32_t *flows = through->flows + through->begin[through->index[site]];
    uint32_t low = 0;
    uint32_t high = ns_through_count(through, site);
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (flows[middle] <= flow) {
            low = middle;
        } else {
            high = middle;
        }
    }
    assert(low < high && flows[low] == flow);
    return low;
}
