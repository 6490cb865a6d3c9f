/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * routes.h - the next arc from each router to each site. Read-only once built.
 */
#ifndef NETSIM_ROUTES_H
#define NETSIM_ROUTES_H

#include "topology.h"

#define NS_NO_ARC UINT32_MAX

struct ns_routes {
    uint32_t n_sites;
    /* [at * n_sites + to]: the arc to take from `at` towards `to`; NS_NO_ARC if they are equal. */
    uint32_t *next_arc;
};

/* Properties of the path from one site to another. */
struct ns_path {
    uint32_t hops;  /* number of arcs of the path */
    double delay_s; /* propagation delay in seconds */
};

/*
 * Finds shortest paths by propagation delay, in picoseconds. Of equal paths, the one over the first
 * arc in the topology is taken. It is an error if a site cannot be reached from another; the
 * message names both. On success it must be freed with ns_routes_fini(). Not collective.
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
 * The flows that pass through the routers of some sites. Flow numbers are from * n_sites + to. A
 * flow passes through the routers at both its ends, too.
 */
struct ns_through {
    uint32_t n; /* number of the sites */
    /* For each site its index among these sites, in ascending order; NS_NO_SITE for other sites. */
    uint32_t *index;
    uint64_t *begin; /* n + 1 elements: index of the first flow of each site, and the end */
    uint32_t *flows; /* flows of each site, ascending */
};

/* ns_through_init() counts the flows; the sizes of router states depend on these counts. has_site:
 * for each site, true if it is to be considered. ns_through_fill() makes the large table of flows.
 * ns_through_flows_bytes() returns the size of that table in bytes, and can be called before it is
 * made. */
void ns_through_init(struct ns_through *through, const struct ns_routes *routes,
                     const struct ns_topology *topology, const bool *has_site);
double ns_through_flows_bytes(const struct ns_through *through);
void ns_through_fill(struct ns_through *through, const struct ns_routes *routes,
                     const struct ns_topology *topology);
void ns_through_fini(struct ns_through *through);

/* ns_through_count() returns the number of flows through a site. ns_through_slot() returns the
 * index of a flow among the flows through a site; the flow must pass through the site. */
uint32_t ns_through_count(const struct ns_through *through, uint32_t site);
uint32_t ns_through_slot(const struct ns_through *through, uint32_t site, uint32_t flow);

#endif
