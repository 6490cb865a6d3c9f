/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gml.h - reads a GML or GraphML file into arrays of nodes and edges.
 */
#ifndef NETSIM_GML_H
#define NETSIM_GML_H

#include <stddef.h>

#include "common/error.h"
#include "ross.h"

/* Limits of a file. Reading a file takes memory proportional to the number of nodes and edges times
 * the number of attributes. It takes time proportional to the square of the length of the longest
 * word. */
#define NS_GML_MAX_NODES      1024
#define NS_GML_MAX_EDGES      32768
#define NS_GML_MAX_ATTRIBUTES 256 /* maximum number of different attribute names */
#define NS_GML_MAX_WORD       65535

#define NS_INPUT_MAX_BYTES ((size_t)64 << 20)

/* Contents of a file, followed by an additional zero byte, data[size]. */
struct ns_bytes {
    char *data;
    size_t size;
};

/* A node of the file. A number that is missing in the file is NAN; `line` is 0 if unknown. */
struct ns_gml_node {
    char *label; /* owned text, never NULL; "node" and the id if the file has no label */
    char *id;    /* owned text: id in the file, in GML a number; NULL: none */
    double lat_deg;
    double lon_deg;
    double population;
    unsigned line;
};

struct ns_gml_edge {
    /* Index in `nodes` of the first end. In an undirected graph, it is not greater than `to`. */
    uint32_t from;
    uint32_t to;
    double capacity_bps;
    double delay_s;
    unsigned line;
};

/* The graph. A node with neither edges nor coordinates is no site: such nodes are left out if the
 * graph has edges, and follow the others in `nodes`. */
struct ns_gml {
    bool directed;
    uint32_t n_nodes;
    uint32_t n_left_out; /* nodes left out: nodes[n_nodes] to nodes[n_nodes + n_left_out - 1] */
    uint32_t n_edges;
    struct ns_gml_node *nodes;
    struct ns_gml_edge *edges;
};

/*
 * Reads GML or GraphML text and stores the nodes and edges in *gml. GraphML begins with "<". name:
 * file name to be used in error messages. Labels are UTF-8, see gml_scan.h. The following attribute
 * names are recognised in upper and lower case: lat,
 * latitude, y; lon, long, longitude, lng, x (degrees); population; capacity, bandwidth,
 * LinkSpeedRaw (bit/s); delay (s), delay_ms (ms).
 *
 * Returns false after an error, with an error message in *error. Errors are: text of neither kind;
 * text beyond one of the limits above; a value of one of these attributes that is not a number. If
 * the function succeeds, the caller frees gml by ns_gml_fini(). Not collective.
 */
bool ns_gml_init(struct ns_gml *gml, const char *name, const struct ns_bytes *text,
                 struct model_error *error);
void ns_gml_fini(struct ns_gml *gml);

#endif
