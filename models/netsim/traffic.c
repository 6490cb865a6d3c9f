/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.c - the traffic between sites: packet sizes, demands of the gravity model, offered load.
 *
 * The sending times of a host's packets are a Poisson process. The destination of each packet is an
 * independent draw, with the demands as weights. Therefore every flow is a Poisson process
 * (thinning).
 *
 * Invariants:
 * 1. Demands are finite, not negative, 0 from a site to itself, and at least one is positive.
 * 2. A site without demand is never drawn as a destination.
 *
 * Cost: O(sites^2 * hops) once; O(log sites) for each draw of a destination.
 * Source: J. Kowalski, B. Warfield, "Modelling traffic demand between nodes in a telecommunications
 * network", ATNAC 1995 (gravity model).
 */
#include "traffic.h"

#include <assert.h>

#include "store/search.h"

/* Parses an item "bytes:weight" at *at, and advances *at past the item and the comma after it.
 * Returns false if the item is invalid. */
static bool mix_parse_item(const char **at, double *size, double *weight)
{
    char *end;
    *size = strtod(*at, &end);
    if (end == *at || *end != ':') {
        return false;
    }
    const char *second = end + 1;
    *weight = strtod(second, &end);
    if (end == second || (*end != ',' && *end != '\0') || (*end == ',' && end[1] == '\0')) {
        return false;
    }
    *at = *end == ',' ? end + 1 : end;
    return *size >= 1 && *size <= NS_MAX_PACKET_BYTES && *size == floor(*size) && *weight > 0 &&
           *weight <= 1e9;
}

bool ns_mix_parse(struct ns_mix *mix, const char *text, struct model_error *error)
{
    *mix = (struct ns_mix){.min_bytes = NS_MAX_PACKET_BYTES};
    double sum = 0;
    double bytes = 0;
    const char *at = text;
    do {
        const char *item = at;
        double size, weight;
        if (mix->n_sizes == NS_MIX_MAX_SIZES || !mix_parse_item(&at, &size, &weight)) {
            return model_fail(
                error,
                "--mix=%.200s: wrong at \"%.40s\"; bytes:weight is needed, up to %d times "
                "with commas between, bytes from 1 to %d, weights above 0",
                text, item, NS_MIX_MAX_SIZES, NS_MAX_PACKET_BYTES);
        }
        sum += weight;
        bytes += size * weight;
        mix->size_bytes[mix->n_sizes] = (uint32_t)size;
        mix->cumulative[mix->n_sizes++] = sum;
        mix->min_bytes = ROSS_MIN(mix->min_bytes, (uint32_t)size);
        mix->max_bytes = ROSS_MAX(mix->max_bytes, (uint32_t)size);
    } while (*at != '\0');
    for (uint32_t i = 0; i < mix->n_sizes; i++) {
        mix->cumulative[i] /= sum;
    }
    mix->cumulative[mix->n_sizes - 1] = 1.0;
    mix->mean_bytes = bytes / sum;
    return true;
}

uint32_t ns_mix_pick(const struct ns_mix *mix, double u)
{
    assert(mix->n_sizes > 0 && u >= 0 && u < 1);
    uint32_t i = 0;
    while (i + 1 < mix->n_sizes && u >= mix->cumulative[i]) {
        i++;
    }
    return mix->size_bytes[i];
}

void ns_traffic_alloc(struct ns_traffic *t, const struct ns_topology *topology)
{
    size_t n = topology->n_sites;
    *t = (struct ns_traffic){.n_sites = topology->n_sites};
    t->demand_bps = tw_calloc(TW_LOC, "traffic matrix", sizeof(double), n * n);
    t->cumulative = tw_calloc(TW_LOC, "traffic matrix", sizeof(double), n * n);
    t->site_bps = tw_calloc(TW_LOC, "traffic of sites", sizeof(double), n);
    t->arc_load = tw_calloc(TW_LOC, "load of links", sizeof(double), topology->n_arcs);
}

void ns_traffic_fini(struct ns_traffic *traffic)
{
    free(traffic->demand_bps);
    free(traffic->cumulative);
    free(traffic->site_bps);
    free(traffic->arc_load);
    *traffic = (struct ns_traffic){.n_sites = 0};
}

static bool population_check(const struct ns_topology *t, bool *by_population,
                             struct model_error *error)
{
    uint32_t with = 0;
    const struct ns_site *without = NULL;
    for (uint32_t i = 0; i < t->n_sites; i++) {
        with += isnan(t->sites[i].population) ? 0 : 1;
        if (without == NULL && isnan(t->sites[i].population)) {
            without = &t->sites[i];
        }
    }
    *by_population = with == t->n_sites;
    if (with > 0 && without != NULL) {
        return model_fail(
            error,
            "%s:%u: node \"%s\" has no population, but %u others have; give all nodes one "
            "or none",
            t->name, without->line, without->label, with);
    }
    return true;
}

static double site_weight(const struct ns_topology *t, uint32_t site, bool by_population)
{
    if (by_population) {
        return t->sites[site].population;
    }
    double capacity = 0;
    for (uint32_t a = t->arc_begin[site]; a < t->arc_begin[site + 1]; a++) {
        capacity += t->arcs[a].rate_bps;
    }
    return capacity;
}

bool ns_traffic_init_gravity(struct ns_traffic *traffic, const struct ns_topology *topology,
                             struct model_error *error)
{
    bool by_population;
    if (!population_check(topology, &by_population, error)) {
        return false;
    }
    ns_traffic_alloc(traffic, topology);
    uint32_t n = topology->n_sites;
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += site_weight(topology, i, by_population);
    }
    for (uint32_t i = 0; i < n; i++) {
        double share = site_weight(topology, i, by_population) / sum;
        for (uint32_t j = 0; j < n; j++) {
            double other = site_weight(topology, j, by_population) / sum;
            traffic->demand_bps[(size_t)i * n + j] = i == j ? 0 : share * other;
        }
    }
    return true;
}

/* Computes the offered load of each arc, and finds the busiest arc; of several arcs with the
 * greatest load, the first one. */
static void arc_loads_fill(struct ns_traffic *t, const struct ns_topology *topology,
                           const struct ns_routes *routes)
{
    memset(t->arc_load, 0, topology->n_arcs * sizeof *t->arc_load);
    for (uint32_t from = 0; from < t->n_sites; from++) {
        for (uint32_t to = 0; to < t->n_sites; to++) {
            double bps = t->demand_bps[(size_t)from * t->n_sites + to];
            for (uint32_t at = from; bps > 0 && at != to;) {
                uint32_t arc = ns_route_next(routes, at, to);
                t->arc_load[arc] += bps / topology->arcs[arc].rate_bps;
                at = topology->arcs[arc].to;
            }
        }
    }
    t->busiest_arc = 0;
    for (uint32_t a = 1; a < topology->n_arcs; a++) {
        t->busiest_arc = t->arc_load[a] > t->arc_load[t->busiest_arc] ? a : t->busiest_arc;
    }
}

static void cumulative_fill(struct ns_traffic *t, uint32_t from)
{
    assert(from < t->n_sites);
    const double *demand = t->demand_bps + (size_t)from * t->n_sites;
    double *cumulative = t->cumulative + (size_t)from * t->n_sites;
    uint32_t last = 0; /* index of the last site to which there is a demand */
    double sum = 0;
    for (uint32_t to = 0; to < t->n_sites; to++) {
        sum += demand[to];
        cumulative[to] = sum;
        last = demand[to] > 0 ? to : last;
    }
    t->site_bps[from] = sum;
    t->total_bps += sum;
    for (uint32_t to = 0; to < t->n_sites; to++) {
        cumulative[to] = to >= last ? 1.0 : cumulative[to] / sum;
    }
}

void ns_traffic_finish(struct ns_traffic *traffic, const struct ns_topology *topology,
                       const struct ns_routes *routes, double load)
{
    arc_loads_fill(traffic, topology, routes);
    double peak = traffic->arc_load[traffic->busiest_arc];
    assert(peak > 0);
    if (load > 0) {
        size_t n_flows = (size_t)traffic->n_sites * traffic->n_sites;
        for (size_t i = 0; i < n_flows; i++) {
            traffic->demand_bps[i] *= load / peak;
        }
        arc_loads_fill(traffic, topology, routes);
    }
    traffic->total_bps = 0;
    for (uint32_t from = 0; from < traffic->n_sites; from++) {
        cumulative_fill(traffic, from);
    }
}

uint32_t ns_traffic_pick(const struct ns_traffic *traffic, uint32_t from, double u)
{
    assert(from < traffic->n_sites);
    const double *cumulative = traffic->cumulative + (size_t)from * traffic->n_sites;
    uint32_t to; /* the first site with a cumulative share above u */
    BINARY_SEARCH(to, 0, traffic->n_sites - 1, cumulative[to] <= u);
    return to;
}
