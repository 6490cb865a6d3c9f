/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology.h - the network: sites and the directed links (arcs) between them. The network is
 * constant once it is built.
 */
#ifndef NETSIM_TOPOLOGY_H
#define NETSIM_TOPOLOGY_H

#include "gml.h"

#define NS_MAX_SITES NS_GML_MAX_NODES
/* Maximum delay of a link in seconds. It keeps the length of the longest path below 2^53 ps, see
 * routes.c. */
#define NS_MAX_DELAY_S         8.0
#define NS_SHORT_LABEL_BYTES   60 /* maximum size in bytes of a label in the names of tasks */
#define NS_LIGHT_SPEED_M_PER_S 299792458.0
/* Speed of light in glass, as a share of the speed of light in vacuum. */
#define NS_FIBRE_SPEED_FACTOR (2.0 / 3.0)
#define NS_EARTH_RADIUS_M     6371008.8 /* mean radius R1 of the earth in metres (IUGG) */

/* A site: one router with its hosts, made from a node of the GML file. Sites are numbered in the
 * order of the file. */
struct ns_site {
    char *in_file; /* owned text: label in the file */
    /* Owned text: in_file. If several sites have the same label, a blank and the id in parentheses
     * follow, as in "Chicago (3)". */
    char *label;
    char *id;                                   /* owned text: id in the file; NULL: none */
    char short_label[NS_SHORT_LABEL_BYTES + 1]; /* label, shortened if necessary */
    double lat_deg; /* latitude in degrees; NAN: not given and not needed */
    double lon_deg;
    double population; /* population; NAN: not given */
    unsigned line;     /* line of the node in the GML file; 0: unknown */
};

/* An arc: one direction of a link, which starts at the output queue of router `from`. */
struct ns_arc {
    uint32_t from;
    uint32_t to;
    double rate_bps;
    double delay_s; /* propagation delay in seconds, one way */
};

/* Names of nodes for a message, as in ["A", "B" and 3 more]. */
struct ns_names {
    char text[640];
    uint32_t n;    /* number of names that have been added */
    uint32_t more; /* number of those that did not fit */
};

/* The sites and arcs of a network. Arcs are sorted by `from`, then by position in the file. The
 * arcs from site s are arcs[arc_begin[s]] to arcs[arc_begin[s + 1] - 1]. */
struct ns_topology {
    char *name; /* path of the GML file */
    uint32_t n_sites;
    uint32_t n_arcs;
    /* Number of edges in the GML file. Each edge gives two arcs, or one arc if the graph is
     * directed. */
    uint32_t n_links;
    struct ns_site *sites;
    struct ns_arc *arcs;
    uint32_t *arc_begin; /* n_sites + 1 elements */
    /* Gaps in the file, for a note. */
    struct ns_names left_out; /* nodes with neither link nor place */
    struct ns_names no_place; /* sites without a place at which links without a delay end */
    uint32_t n_default_delay; /* number of these links, which have got the default delay */
};

/*
 * Builds the network from the GML file `name`. A link without capacity gets default_rate_bps. A
 * link without delay gets the delay of light in fibre along the great circle between its sites, or
 * default_delay_s if one of them has no place.
 *
 * Returns false after an error, with an error message in *error that names the line and the node or
 * link. Errors are: fewer than 2 nodes; no edges; coordinates out of range; self-loops; capacities
 * or delays out of range. ns_routes_init() checks that all sites can reach each other. If the
 * function succeeds, the caller frees topology by ns_topology_fini(). Not collective.
 */
bool ns_topology_init(struct ns_topology *topology, const char *name, const struct ns_gml *gml,
                      double default_rate_bps, double default_delay_s, struct model_error *error);
void ns_topology_fini(struct ns_topology *topology);

/* Returns the distance in metres along the great circle between two places, whose coordinates are
 * in degrees (haversine formula). */
double ns_great_circle_m(double lat1_deg, double lon1_deg, double lat2_deg, double lon2_deg);

/* Writes the label of a site to `to` (size bytes, at least 1), at most `columns` characters of it.
 * Shortens the label before its id. Returns `to`. */
const char *ns_site_name(char *to, size_t size, size_t columns, const struct ns_site *site);

/* Adds a name to a list. Initialise the list with zeros, and call ns_names_end() after the last
 * name. */
void ns_names_add(struct ns_names *names, const char *name);
void ns_names_end(struct ns_names *names);

static inline uint32_t ns_site_degree(const struct ns_topology *t, uint32_t site)
{
    return t->arc_begin[site + 1] - t->arc_begin[site];
}

#endif
