/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology.c - the network: sites and the directed links (arcs) between them.
 *
 * Each edge of an undirected GML graph is a full-duplex link: two arcs with equal rate and delay.
 * The propagation delay follows from the great-circle distance at two thirds of the speed of light,
 * unless the file gives a delay. A site needs coordinates only if at least one of its links has no
 * delay.
 *
 * Invariants:
 * 1. Arcs are sorted by `from`, then by position in the file.
 * 2. Every rate is within [NS_MIN_RATE_BPS, NS_MAX_RATE_BPS] and every delay within [0,
 *    NS_MAX_DELAY_S], so that later sums are finite and exact.
 *
 * Cost: O(sites + arcs).
 * Source: R. W. Sinnott, "Virtues of the Haversine", Sky and Telescope 68(2), 1984.
 */
#include "topology.h"

#include <assert.h>

#define NS_MIN_RATE_BPS 1.0
#define NS_MAX_RATE_BPS 1e18
/* Maximum delay of a link in seconds. It keeps the length of the longest path below 2^53 ps, see
 * routes.c. */
#define NS_MAX_DELAY_S 8.0
/* Minimum population of a site. It keeps products of population shares above 0. */
#define NS_MIN_POPULATION 1e-6
#define NS_MAX_POPULATION 1e12

static double radians(double degrees)
{
    return degrees * (3.14159265358979323846 / 180.0);
}

double ns_great_circle_m(double lat1_deg, double lon1_deg, double lat2_deg, double lon2_deg)
{
    double lat1 = radians(lat1_deg);
    double lat2 = radians(lat2_deg);
    double sin_lat = sin((lat2 - lat1) / 2);
    double sin_lon = sin(radians(lon2_deg - lon1_deg) / 2);
    double h = sin_lat * sin_lat + cos(lat1) * cos(lat2) * sin_lon * sin_lon;
    return 2 * NS_EARTH_RADIUS_M * asin(sqrt(ROSS_MIN(1.0, h)));
}

static bool nodes_check(const char *name, const struct ns_gml *gml, struct model_error *error)
{
    if (gml->n_nodes < 2) {
        return model_fail(error, "%s:1: the graph has %u node%s; a network needs at least 2", name,
                          gml->n_nodes, gml->n_nodes == 1 ? "" : "s");
    }
    if (gml->n_edges == 0) {
        return model_fail(error, "%s:1: the graph has 0 edges; netsim needs 1 to %d", name,
                          NS_GML_MAX_EDGES);
    }
    for (uint32_t i = 0; i < gml->n_nodes; i++) {
        const struct ns_gml_node *n = &gml->nodes[i];
        if (fabs(n->lat_deg) > 90 || fabs(n->lon_deg) > 360) {
            return model_fail(
                error,
                "%s:%u: node \"%s\" is at latitude %g, longitude %g; degrees are needed: "
                "latitude (or y) -90 to 90, longitude (or x) -360 to 360",
                name, n->line, n->label, n->lat_deg, n->lon_deg);
        }
        if (!isnan(n->population) &&
            !(n->population >= NS_MIN_POPULATION && n->population <= NS_MAX_POPULATION)) {
            return model_fail(error, "%s:%u: node \"%s\" has population %g; %g to %g are possible",
                              name, n->line, n->label, n->population, NS_MIN_POPULATION,
                              NS_MAX_POPULATION);
        }
    }
    return true;
}

static bool edge_check(const char *name, const struct ns_gml *gml, const struct ns_gml_edge *e,
                       struct model_error *error)
{
    const struct ns_gml_node *a = &gml->nodes[e->from];
    const struct ns_gml_node *b = &gml->nodes[e->to];
    if (e->from == e->to) {
        return model_fail(error, "%s:%u: link \"%s\" - \"%s\" is a loop; remove it", name, e->line,
                          a->label, b->label);
    }
    if (!isnan(e->capacity_bps) &&
        !(e->capacity_bps >= NS_MIN_RATE_BPS && e->capacity_bps <= NS_MAX_RATE_BPS)) {
        return model_fail(
            error,
            "%s:%u: link \"%s\" - \"%s\" has capacity %g; bit/s from %g to %g are needed "
            "(10 Gbit/s is 1e10)",
            name, e->line, a->label, b->label, e->capacity_bps, NS_MIN_RATE_BPS, NS_MAX_RATE_BPS);
    }
    if (!isnan(e->delay_s)) {
        return (e->delay_s >= 0 && e->delay_s <= NS_MAX_DELAY_S) ||
               model_fail(error,
                          "%s:%u: link \"%s\" - \"%s\" has a delay of %g s; 0 to %g are possible",
                          name, e->line, a->label, b->label, e->delay_s, NS_MAX_DELAY_S);
    }
    const struct ns_gml_node *ends[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        if (isnan(ends[k]->lat_deg) || isnan(ends[k]->lon_deg)) {
            return model_fail(
                error,
                "%s:%u: node \"%s\" has no %s; give it lat and lon (degrees), or a delay "
                "(seconds) to each of its links",
                name, ends[k]->line, ends[k]->label,
                isnan(ends[k]->lat_deg) ? "latitude" : "longitude");
        }
    }
    return true;
}

static void sites_make(struct ns_topology *t, const struct ns_gml *gml)
{
    t->n_sites = gml->n_nodes;
    t->sites = tw_calloc(TW_LOC, "sites", sizeof *t->sites, t->n_sites);
    for (uint32_t i = 0; i < t->n_sites; i++) {
        const struct ns_gml_node *n = &gml->nodes[i];
        size_t length = strlen(n->label);
        char *label = tw_calloc(TW_LOC, "site label", 1, length + 1);
        memcpy(label, n->label, length);
        t->sites[i] =
            (struct ns_site){label, n->id, n->lat_deg, n->lon_deg, n->population, n->line};
    }
}

static double edge_delay_s(const struct ns_gml *gml, const struct ns_gml_edge *e)
{
    if (!isnan(e->delay_s)) {
        return e->delay_s;
    }
    const struct ns_gml_node *a = &gml->nodes[e->from];
    const struct ns_gml_node *b = &gml->nodes[e->to];
    double distance_m = ns_great_circle_m(a->lat_deg, a->lon_deg, b->lat_deg, b->lon_deg);
    return distance_m / (NS_FIBRE_SPEED_FACTOR * NS_LIGHT_SPEED_M_PER_S);
}

/* Creates the arcs, sorted by `from`. The counting sort keeps the arcs of each site in file
 * order. */
static void arcs_make(struct ns_topology *t, const struct ns_gml *gml, double default_rate_bps)
{
    assert(t->n_sites > 0 && t->arcs == NULL);
    unsigned ways = gml->directed ? 1 : 2;
    t->n_links = gml->n_edges;
    t->n_arcs = ways * gml->n_edges;
    t->arcs = tw_calloc(TW_LOC, "links", sizeof *t->arcs, t->n_arcs);
    t->arc_begin = tw_calloc(TW_LOC, "links of sites", sizeof *t->arc_begin, t->n_sites + 1);
    uint32_t *next = tw_calloc(TW_LOC, "links of sites", sizeof *next, t->n_sites);
    for (uint32_t i = 0; i < gml->n_edges; i++) {
        t->arc_begin[gml->edges[i].from + 1]++;
        t->arc_begin[gml->edges[i].to + 1] += ways - 1;
    }
    for (uint32_t s = 0; s < t->n_sites; s++) {
        t->arc_begin[s + 1] += t->arc_begin[s];
        next[s] = t->arc_begin[s];
    }
    for (uint32_t i = 0; i < gml->n_edges; i++) {
        const struct ns_gml_edge *e = &gml->edges[i];
        double rate = isnan(e->capacity_bps) ? default_rate_bps : e->capacity_bps;
        double delay = edge_delay_s(gml, e);
        t->arcs[next[e->from]++] = (struct ns_arc){e->from, e->to, rate, delay};
        if (ways == 2) {
            t->arcs[next[e->to]++] = (struct ns_arc){e->to, e->from, rate, delay};
        }
    }
    free(next);
}

bool ns_topology_init(struct ns_topology *topology, const char *name, const struct ns_gml *gml,
                      double default_rate_bps, struct model_error *error)
{
    if (!nodes_check(name, gml, error)) {
        return false;
    }
    for (uint32_t i = 0; i < gml->n_edges; i++) {
        if (!edge_check(name, gml, &gml->edges[i], error)) {
            return false;
        }
    }
    *topology = (struct ns_topology){.n_sites = 0};
    topology->name = tw_calloc(TW_LOC, "topology name", 1, strlen(name) + 1);
    memcpy(topology->name, name, strlen(name));
    sites_make(topology, gml);
    arcs_make(topology, gml, default_rate_bps);
    return true;
}

void ns_topology_fini(struct ns_topology *topology)
{
    for (uint32_t i = 0; i < topology->n_sites; i++) {
        free(topology->sites[i].label);
    }
    free(topology->name);
    free(topology->sites);
    free(topology->arcs);
    free(topology->arc_begin);
    *topology = (struct ns_topology){.n_sites = 0};
}
