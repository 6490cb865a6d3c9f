/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gml.h - a GML file as plain arrays of nodes and edges.
 */
#ifndef NETSIM_GML_H
#define NETSIM_GML_H

#include "input.h"

/* Limits of a file. Reading a file takes memory in proportion to elements times attributes, and
 * time in proportion to the square of the longest word. */
#define NS_GML_MAX_NODES      1024
#define NS_GML_MAX_EDGES      32768
#define NS_GML_MAX_ATTRIBUTES 256 /* most different names of attributes */
#define NS_GML_MAX_WORD       65535

/* A node of the file. Numbers that are missing in the file are NAN; line is 0 if unknown. */
struct ns_gml_node {
    char *label; /* label, never NULL; "node 7" (with the id) if there is none in the file */
    double id;   /* id; NAN if there is none */
    double lat_deg;
    double lon_deg;
    double population;
    unsigned line;
};

struct ns_gml_edge {
    uint32_t from; /* indices into nodes; in an undirected graph, from <= to */
    uint32_t to;
    double capacity_bps;
    double delay_s;
    unsigned line;
};

struct ns_gml {
    bool directed;
    uint32_t n_nodes;
    uint32_t n_edges;
    struct ns_gml_node *nodes;
    struct ns_gml_edge *edges;
};

/*
 * Reads the GML text of the file called name (used in messages). Attribute names match in any case:
 * lat, latitude, y; lon, long, longitude, lng, x (degrees); population; capacity, bandwidth,
 * LinkSpeedRaw (bit/s); delay (s), delay_ms (ms). Errors: not GML; beyond one of the limits above;
 * a value that is not a number for one of these attributes. On success it must be freed with
 * ns_gml_fini(). Not collective.
 */
bool ns_gml_init(struct ns_gml *gml, const char *name, const struct ns_bytes *text,
                 struct model_error *error);
void ns_gml_fini(struct ns_gml *gml);

#endif
