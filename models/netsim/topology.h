/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology.h - the network: sites and the directed links (arcs) between them. Read-only once built.
 */
#ifndef NETSIM_TOPOLOGY_H
#define NETSIM_TOPOLOGY_H

#include "gml.h"

#define NS_MAX_SITES           NS_GML_MAX_NODES
#define NS_MAX_ARCS            (2 * NS_GML_MAX_EDGES)
#define NS_LIGHT_SPEED_M_PER_S 299792458.0
/* Speed of light in glass, as a share of that in vacuum. */
#define NS_FIBRE_SPEED_FACTOR (2.0 / 3.0)
#define NS_EARTH_RADIUS_M     6371008.8 /* mean radius of the earth R1 in metres (IUGG) */

/* A node of the GML file: one router with its hosts. Sites are numbered in file order. */
struct ns_site {
    char *label;
    double id;      /* id in the GML file; NAN: none */
    double lat_deg; /* latitude in degrees; NAN: not given and not needed */
    double lon_deg;
    double population; /* population; NAN: not given */
    unsigned line;     /* line of the node in the GML file; 0: unknown */
};

/* One direction of a link, with the output queue of router `from`. */
struct ns_arc {
    uint32_t from;
    uint32_t to;
    double rate_bps;
    double delay_s; /* propagation delay in seconds, one way */
};

/* The sites and arcs of a network. Arcs are sorted by from, then by place in the file. Those of
 * site s are arc_begin[s] to arc_begin[s + 1] - 1. */
struct ns_topology {
    char *name; /* name of the file without directories */
    uint32_t n_sites;
    uint32_t n_arcs;
    /* Number of edges in the GML file, which are two arcs each, or one if the graph is directed. */
    uint32_t n_links;
    struct ns_site *sites;
    struct ns_arc *arcs;
    uint32_t *arc_begin; /* n_sites + 1 elements */
};

/*
 * Builds the network of a GML file called name. A link without capacity has default_rate_bps; a
 * link without delay gets the delay of light in fibre along the great circle between its sites.
 * Errors name line, node or link: fewer than 2 nodes, no edges, coordinates missing or out of
 * range, self loops, capacities and delays out of range. ns_routes_init() checks that all sites can
 * reach each other. On success it must be freed with ns_topology_fini(). Not collective.
 */
bool ns_topology_init(struct ns_topology *topology, const char *name, const struct ns_gml *gml,
                      double default_rate_bps, struct model_error *error);
void ns_topology_fini(struct ns_topology *topology);

/* Returns the metres on the great circle between two places given in degrees (haversine
 * formula). */
double ns_great_circle_m(double lat1_deg, double lon1_deg, double lat2_deg, double lon2_deg);

static inline uint32_t ns_site_degree(const struct ns_topology *t, uint32_t site)
{
    return t->arc_begin[site + 1] - t->arc_begin[site];
}

#endif
