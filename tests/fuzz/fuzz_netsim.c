/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hostile input of netsim. For any GML file, traffic file and mix of packet sizes, parsing ends, an
 * error has a message of one line, and accepted demands and loads are usable in a run.
 *
 * An input is a GML file; after a line "%%" a traffic file (default: the gravity model); after
 * another such line the value of --mix.
 */
#include <math.h>

#include "fuzz/fuzz_promise.h"
#include "gml_scan.h"
#include "traffic.h"

#define RATE_BPS 1e10 /* capacity of links that state none */

/* Cuts the next part off the text, or returns NULL. */
static char *next_part(char **rest)
{
    char *part = *rest;
    char *mark = part == NULL ? NULL : strstr(part, "\n%%\n");
    *rest = mark == NULL ? NULL : mark + 4;
    if (mark != NULL) {
        mark[1] = '\0';
    }
    return part;
}

static bool refuse(const struct model_error *error)
{
    promise_message(error->text, sizeof error->text);
    return false;
}

static void mix_look(const char *text)
{
    struct model_error error = {""};
    struct ns_mix mix;
    if (!ns_mix_parse(&mix, text, &error)) {
        refuse(&error);
        return;
    }
    for (unsigned i = 0; i <= 8; i++) {
        uint32_t bytes = ns_mix_pick(&mix, i / 8.000001);
        promise(bytes >= mix.min_bytes && bytes <= mix.max_bytes, "a packet has a size of the mix");
    }
    promise(mix.min_bytes >= 1 && mix.mean_bytes >= mix.min_bytes - 1e-6 &&
                mix.mean_bytes <= mix.max_bytes + 1e-6,
            "the mean size is one between the sizes");
}

static void traffic_look(const struct ns_topology *t, const struct ns_routes *routes, char *file)
{
    struct model_error error = {""};
    struct ns_traffic traffic;
    struct ns_bytes text = {file, file == NULL ? 0 : strlen(file)};
    bool good = file == NULL ? ns_traffic_init_gravity(&traffic, t, &error)
                             : ns_traffic_init_file(&traffic, t, "fuzz.traffic", &text, &error);
    if (!good) {
        refuse(&error);
        return;
    }
    ns_traffic_finish(&traffic, t, routes, file == NULL ? 0.7 : 0);
    for (uint32_t a = 0; a < t->n_arcs; a++) {
        promise(isfinite(traffic.arc_load[a]) && traffic.arc_load[a] >= 0, "a load is a number");
    }
    promise(isfinite(traffic.total_bps) && traffic.total_bps > 0, "there is traffic");
    for (uint32_t from = 0; from < t->n_sites; from++) {
        if (traffic.site_bps[from] > 0) {
            uint32_t to = ns_traffic_pick(&traffic, from, 0.5);
            promise(to < t->n_sites && to != from, "a packet goes to another site");
        }
    }
    ns_traffic_fini(&traffic);
}

/* Returns false if the file is refused. */
static bool topology_read(struct ns_topology *t, char *file)
{
    struct model_error error = {""};
    struct ns_gml gml;
    struct ns_bytes text = {file, strlen(file)};
    if (!ns_gml_init(&gml, "fuzz.gml", &text, &error)) {
        return refuse(&error);
    }
    struct ns_gml_scan scan;
    bool is_xml = ns_gml_scan_xml(&scan, &text); /* igraph makes nodes that only edges name */
    ns_gml_scan_fini(&scan);
    for (uint32_t i = 0; !is_xml && i < gml.n_nodes; i++) {
        promise(gml.nodes[i].line > 0, "the scan finds the nodes that igraph finds");
    }
    for (uint32_t i = 0; !is_xml && i < gml.n_edges; i++) {
        promise(gml.edges[i].line > 0, "the scan finds the edges that igraph finds");
    }
    bool good = ns_topology_init(t, "fuzz.gml", &gml, RATE_BPS, 0.001, &error);
    ns_gml_fini(&gml);
    return good || refuse(&error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_string(data, size), *rest = text;
    char *gml = next_part(&rest), *traffic = next_part(&rest), *mix = next_part(&rest);
    struct ns_topology topology;
    struct ns_routes routes;
    struct model_error error = {""};
    if (mix != NULL) {
        mix_look(mix);
    }
    if (topology_read(&topology, gml)) {
        if (ns_routes_init(&routes, &topology, &error)) {
            traffic_look(&topology, &routes, traffic);
            ns_routes_fini(&routes);
        } else {
            refuse(&error);
        }
        ns_topology_fini(&topology);
    }
    free(text);
    return 0;
}
