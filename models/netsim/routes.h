/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * routes.h - the next arc from each router towards each site. The routes are constant once they are
 * built.
 */
#ifndef NETSIM_ROUTES_H
#define NETSIM_ROUTES_H

#include "topology.h"

#define NS_NO_ARC UINT32_MAX

struct ns_routes {
    uint32_t n_sites;
    /* [at * n_sites + to]: index of the arc to take from site `at` towards site `to`; NS_NO_ARC if
     * `at` and `to` are equal. */
    uint32_t *next_arc;
};

/* Properties of the path from one site to another. */
struct ns_path {
    uint32_t hops;  /* number of arcs of the path */
    double delay_s; /* propagation delay in seconds */
};

/*
 * Finds the paths with the smallest propagation delay, in whole picoseconds. If a router has
 * several such paths, it takes the one whose first arc comes first in the topology. Returns false,
 * with an error message in *error, if a site cannot be reached from another; the message names both
 * sites. If the function succeeds, the caller frees routes by ns_routes_fini(). Not collective.
 */
bool ns_routes_init(struct ns_routes *routes, const struct ns_topology *topology,
                    struct model_error *error);
void ns_routes_fini(struct ns_routes *routes);

static inline uint32_t ns_route_next(const struct ns_routes *r, uint32_t at, uint32_t to)
{
    return r->next_arc[(size_t)at * r->n_sites + to];
}

struct ns_path ns_route_path(const struct ns_routes *routes, const struct ns_topology *topology,
                             uint32_t from, uint32_t to);

#define NS_NO_SITE UINT32_MAX

/*
 * Table of the flows that pass through the routers of a set of sites. The number of a flow is
 * from * n_sites + to. A flow also passes through the routers at its two ends.
 */
struct ns_through {
    uint32_t n; /* number of sites in the set */
    /* [s]: index of site s among the sites of the set, in ascending order of sites; NS_NO_SITE:
     * site s is not in the set. */
    uint32_t *index;
    /* n + 1 elements. The flows through the site with index i are flows[begin[i]] to
     * flows[begin[i + 1] - 1]. */
    uint64_t *begin;
    uint32_t *flows; /* numbers of flows, in ascending order for each site */
};

/* Counts the flows through each site of a set; the sizes of router states depend on these counts.
 * has_site: [s] is true if site s is in the set. The caller frees through by ns_through_fini(). */
void ns_through_init(struct ns_through *through, const struct ns_routes *routes,
                     const struct ns_topology *topology, const bool *has_site);
/* Returns the size in bytes of the table through->flows. Can be called before ns_through_fill(). */
double ns_through_flows_bytes(const struct ns_through *through);
/* Builds the table through->flows, which is large. */
void ns_through_fill(struct ns_through *through, const struct ns_routes *routes,
                     const struct ns_topology *topology);
void ns_through_fini(struct ns_through *through);

/* Returns the number of flows that pass through a site of the set. */
uint32_t ns_through_count(const struct ns_through *through, uint32_t site);
/* Returns the index of a flow among the flows through a site. The flow must pass through the
 * site. */
uint32_t ns_through_slot(const struct ns_through *through, uint32_t site, uint32_t flow);

#endif
