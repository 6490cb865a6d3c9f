/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * geometry.h - a torus: nodes on a grid that is closed to a ring in every dimension, the paths of
 * packets through it, and theoretical results. Pure functions, without the engine.
 *
 * Node number: coordinates in mixed radix, the first dimension fastest. Ports of a node: 2*d leads
 * to the next coordinate of dimension d, 2*d+1 to the previous one; the last port, 2*n_dims, leads
 * to the node's terminal.
 */
#ifndef TORUS_GEOMETRY_H
#define TORUS_GEOMETRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TO_MAX_DIMS  6
#define TO_MAX_PORTS (2 * TO_MAX_DIMS + 1)
#define TO_MAX_RADIX 1024
#define TO_MAX_NODES (1u << 20)
#define TO_VCS       2    /* number of virtual channels of a link */
#define TO_NO_DIM    0xff /* value for a dimension: the packet has made no hop yet */

struct to_geometry {
    unsigned n_dims;
    unsigned radix[TO_MAX_DIMS];
    /* For each dimension, the difference of the node numbers of two neighbours. */
    unsigned stride[TO_MAX_DIMS];
    unsigned n_nodes;
};

enum to_pattern { TO_UNIFORM, TO_NEIGHBOUR, TO_COMPLEMENT, TO_TORNADO, TO_PATTERNS };

/* Parses the sizes of the dimensions, "8x8x4". Returns NULL, or an error message. */
const char *to_geometry_parse(struct to_geometry *g, const char *text);

static inline unsigned to_coordinate(const struct to_geometry *g, unsigned node, unsigned dim)
{
    return node / g->stride[dim] % g->radix[dim];
}

static inline unsigned to_terminal_port(const struct to_geometry *g)
{
    return 2 * g->n_dims;
}

/* Returns the node that a port leads to; port must not be that of the terminal. */
unsigned to_neighbour(const struct to_geometry *g, unsigned node, unsigned port);

/* Returns the destination of the packets of a node, for a pattern other than uniform. */
unsigned to_destination(const struct to_geometry *g, enum to_pattern pattern, unsigned node);

/* The next hop of a packet. */
struct to_hop {
    uint8_t port;
    uint8_t vc;
};

/*
 * Returns the next hop of a packet. The route takes one dimension after another, each by the
 * shorter way round. If both are equally long, bit d of `ways` decides for dimension d (1:
 * backwards). The virtual channel is 0 in each new dimension, and 1 from the link on that closes
 * the ring (the dateline). Therefore the buffers that packets hold and the buffers that packets
 * wait for form no cycle, and there is no deadlock. last_dim and last_vc are those of the previous
 * hop, TO_NO_DIM for a new packet. Source: W. Dally & C. Seitz, "Deadlock-free message routing in
 * multiprocessor interconnection networks", IEEE Trans. Comput. 36(5), 1987.
 */
struct to_hop to_route(const struct to_geometry *g, unsigned node, unsigned dest, unsigned ways,
                       unsigned last_dim, unsigned last_vc);

/* Returns the number of hops from one node to another, without those to and from terminals. */
unsigned to_distance(const struct to_geometry *g, unsigned from, unsigned to);

/* Returns the mean number of hops of packets in a pattern. For uniform traffic, all other nodes are
 * equally likely. */
double to_mean_hops(const struct to_geometry *g, enum to_pattern pattern);

/*
 * Returns the load of the busiest link divided by the load of a terminal. The reciprocal of this
 * ratio, at most 1, is the capacity of the network. For uniform traffic and an even radix this is
 * the bisection bound, 8 / radix except for packets of a node to itself.
 */
double to_busiest_link(const struct to_geometry *g, enum to_pattern pattern);

#endif
