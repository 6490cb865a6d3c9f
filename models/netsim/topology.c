/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology.c - the network: sites and the directed links (arcs) between them.
 *
 * Each edge of an undirected GML graph is a full-duplex link: two arcs with equal rate and delay.
 * The propagation delay follows from the great-circle distance at two thirds of the speed of light,
 * unless the file gives a delay. A link without a delay that ends at a site without coordinates gets
 * the default delay.
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

#include "text/utf8.h"

#define NS_MIN_RATE_BPS 1.0
#define NS_MAX_RATE_BPS 1e18
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
    return isnan(e->delay_s) || (e->delay_s >= 0 && e->delay_s <= NS_MAX_DELAY_S) ||
           model_fail(error,
                      "%s:%u: link \"%s\" - \"%s\" has a delay of %g s; 0 to %g are possible", name,
                      e->line, a->label, b->label, e->delay_s, NS_MAX_DELAY_S);
}

/* ---- Names ----------------------------------------------------------------------------------- */

void ns_names_add(struct ns_names *names, const char *name)
{
    char shown[244];
    size_t used = strlen(names->text);
    utf8_plain(shown, sizeof shown, name, 60);
    /* 32: space for the text of ns_names_end() */
    if (used + strlen(shown) + 4 + 32 < sizeof names->text && names->more == 0) {
        snprintf(names->text + used, sizeof names->text - used, "%s\"%s\"", used > 0 ? ", " : "",
                 shown);
    } else {
        names->more++;
    }
    names->n++;
}

void ns_names_end(struct ns_names *names)
{
    size_t used = strlen(names->text);
    if (names->more > 0) {
        snprintf(names->text + used, sizeof names->text - used, " and %" PRIu32 " more",
                 names->more);
    }
}

const char *ns_site_name(char *to, size_t size, size_t columns, const struct ns_site *site)
{
    char id[NS_SHORT_LABEL_BYTES + 1];
    utf8_plain(id, ROSS_MIN(size, sizeof id), site->label + strlen(site->in_file), columns);
    size_t id_bytes = strlen(id);
    utf8_plain(to, size - id_bytes, site->in_file, columns - utf8_columns(id, id_bytes));
    memcpy(to + strlen(to), id, id_bytes + 1);
    return to;
}

/* Adds ids to the labels of sites that have the same label. A label that looks like one with an id
 * gets an id as well, so that all labels become different if all ids are. */
static void labels_make(struct ns_topology *t)
{
    uint32_t n = t->n_sites;
    bool *same = tw_calloc(TW_LOC, "site labels", sizeof *same, n), changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t j = 0; j < i; j++) {
                if ((!same[i] || !same[j]) && strcmp(t->sites[i].label, t->sites[j].label) == 0) {
                    same[i] = same[j] = changed = true;
                }
            }
        }
        for (uint32_t i = 0; changed && i < n; i++) {
            struct ns_site *s = &t->sites[i];
            if (!same[i] || strcmp(s->label, s->in_file) != 0) {
                continue;
            }
            size_t size = strlen(s->label) + 32 + (s->id == NULL ? 0 : strlen(s->id));
            char *label = tw_calloc(TW_LOC, "site label", 1, size);
            if (s->id != NULL) {
                snprintf(label, size, "%s (%s)", s->label, s->id);
            } else {
                snprintf(label, size, "%s (node number %" PRIu32 ")", s->label, i + 1);
            }
            free(s->label);
            s->label = label;
        }
    }
    free(same);
}

static char *text_copy(const char *text)
{
    char *copy = tw_calloc(TW_LOC, "site label", 1, strlen(text) + 1);
    memcpy(copy, text, strlen(text));
    return copy;
}

/* ---- Sites and arcs -------------------------------------------------------------------------- */

static void sites_make(struct ns_topology *t, const struct ns_gml *gml)
{
    t->n_sites = gml->n_nodes;
    t->sites = tw_calloc(TW_LOC, "sites", sizeof *t->sites, t->n_sites);
    for (uint32_t i = 0; i < t->n_sites; i++) {
        const struct ns_gml_node *n = &gml->nodes[i];
        t->sites[i] = (struct ns_site){.in_file = text_copy(n->label),
                                       .label = text_copy(n->label),
                                       .id = n->id == NULL ? NULL : text_copy(n->id),
                                       .lat_deg = n->lat_deg,
                                       .lon_deg = n->lon_deg,
                                       .population = n->population,
                                       .line = n->line};
    }
    labels_make(t);
    for (uint32_t i = 0; i < t->n_sites; i++) {
        struct ns_site *s = &t->sites[i];
        ns_site_name(s->short_label, sizeof s->short_label, NS_SHORT_LABEL_BYTES, s);
    }
    for (uint32_t i = 0; i < gml->n_left_out; i++) {
        ns_names_add(&t->left_out, gml->nodes[t->n_sites + i].label);
    }
    ns_names_end(&t->left_out);
}

static bool has_place(const struct ns_gml_node *n)
{
    return !isnan(n->lat_deg) && !isnan(n->lon_deg);
}

/* Notes the links that get the default delay, and their ends without a place. */
static void no_place_note(struct ns_topology *t, const struct ns_gml *gml)
{
    bool *noted = tw_calloc(TW_LOC, "sites without a place", sizeof *noted, t->n_sites);
    for (uint32_t i = 0; i < gml->n_edges; i++) {
        const struct ns_gml_edge *e = &gml->edges[i];
        const uint32_t ends[2] = {e->from, e->to};
        bool any = false;
        for (int k = 0; k < 2 && isnan(e->delay_s); k++) {
            if (!has_place(&gml->nodes[ends[k]])) {
                any = noted[ends[k]] = true;
            }
        }
        t->n_default_delay += any;
    }
    for (uint32_t i = 0; i < t->n_sites; i++) {
        if (noted[i]) {
            ns_names_add(&t->no_place, t->sites[i].label);
        }
    }
    ns_names_end(&t->no_place);
    free(noted);
}

static double edge_delay_s(const struct ns_gml *gml, const struct ns_gml_edge *e, double default_s)
{
    if (!isnan(e->delay_s)) {
        return e->delay_s;
    }
    const struct ns_gml_node *a = &gml->nodes[e->from];
    const struct ns_gml_node *b = &gml->nodes[e->to];
    if (!has_place(a) || !has_place(b)) {
        return default_s;
    }
    double distance_m = ns_great_circle_m(a->lat_deg, a->lon_deg, b->lat_deg, b->lon_deg);
    return distance_m / (NS_FIBRE_SPEED_FACTOR * NS_LIGHT_SPEED_M_PER_S);
}

/* Creates the arcs, sorted by `from`. The counting sort keeps the arcs of each site in file
 * order. */
static void arcs_make(struct ns_topology *t, const struct ns_gml *gml, double default_rate_bps,
                      double default_delay_s)
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
        double delay = edge_delay_s(gml, e, default_delay_s);
        t->arcs[next[e->from]++] = (struct ns_arc){e->from, e->to, rate, delay};
        if (ways == 2) {
            t->arcs[next[e->to]++] = (struct ns_arc){e->to, e->from, rate, delay};
        }
    }
    free(next);
}

bool ns_topology_init(struct ns_topology *topology, const char *name, const struct ns_gml *gml,
                      double default_rate_bps, double default_delay_s, struct model_error *error)
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
    no_place_note(topology, gml);
    arcs_make(topology, gml, default_rate_bps, default_delay_s);
    return true;
}

void ns_topology_fini(struct ns_topology *topology)
{
    for (uint32_t i = 0; i < topology->n_sites; i++) {
        free(topology->sites[i].in_file);
        free(topology->sites[i].label);
        free(topology->sites[i].id);
    }
    free(topology->name);
    free(topology->sites);
    free(topology->arcs);
    free(topology->arc_begin);
    *topology = (struct ns_topology){.n_sites = 0};
}
