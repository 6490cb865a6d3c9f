/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * geometry.h - a torus: a grid of nodes whose rows are closed to rings in every dimension. This
 * file declares functions for the paths of packets through a torus, and for theoretical results.
 * All functions are pure and independent of the engine.
 *
 * The coordinates of a node are the digits of its number, in mixed radix; the first dimension is
 * the lowest digit. Port 2*d of a node leads to the next coordinate in dimension d, and port 2*d+1
 * to the previous one. The last port, 2*n_dims, leads to the node's terminal.
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
#define TO_NO_DIM    0xff /* value of `dim` in a packet before its first hop */

struct to_geometry {
    unsigned n_dims;
    unsigned radix[TO_MAX_DIMS];
    /* [d]: difference between the numbers of two neighbours in dimension d. */
    unsigned stride[TO_MAX_DIMS];
    unsigned n_nodes;
};

enum to_pattern { TO_UNIFORM, TO_NEIGHBOUR, TO_COMPLEMENT, TO_TORNADO, TO_PATTERNS };

/* Parses the sizes of the dimensions, such as "8x8x4", into *g. Returns an error message; NULL: the
 * text is valid. */
const char *to_geometry_parse(struct to_geometry *g, const char *text);

static inline unsigned to_coordinate(const struct to_geometry *g, unsigned node, unsigned dim)
{
    return node / g->stride[dim] % g->radix[dim];
}

static inline unsigned to_terminal_port(const struct to_geometry *g)
{
    return 2 * g->n_dims;
}

/* Returns the number of the node to which port `port` of node `node` leads. `port` must not be the
 * terminal's port. */
unsigned to_neighbour(const struct to_geometry *g, unsigned node, unsigned port);

/* Returns the destination of all packets from `node`. pattern: not TO_UNIFORM, which has no fixed
 * destinations. */
unsigned to_destination(const struct to_geometry *g, enum to_pattern pattern, unsigned node);

/* Next hop of a packet: the output port, and the virtual channel of the link. */
struct to_hop {
    uint8_t port;
    uint8_t vc;
};

/*
 * Returns the next hop of a packet. The route takes one dimension after another, each in the
 * shorter direction. If both directions are equally long, bit d of `ways` decides for dimension d
 * (1: backwards). last_dim, last_vc: dimension and virtual channel of the previous hop; TO_NO_DIM
 * for a new packet.
 *
 * In each new dimension, the virtual channel is 0. It changes to 1 on the link that closes the ring
 * (the dateline). Therefore the buffers that packets hold and the buffers for which packets wait
 * form no cycle, and there is no deadlock. Source: W. Dally & C. Seitz, "Deadlock-free message
 * routing in multiprocessor interconnection networks", IEEE Trans. Comput. 36(5), 1987.
 */
struct to_hop to_route(const struct to_geometry *g, unsigned node, unsigned dest, unsigned ways,
                       unsigned last_dim, unsigned last_vc);

/* Returns the number of hops between two nodes, not counting those from and to terminals. */
unsigned to_distance(const struct to_geometry *g, unsigned from, unsigned to);

/* Returns the mean number of hops of the packets in a pattern. In uniform traffic, all other nodes
 * are equally likely destinations. */
double to_mean_hops(const struct to_geometry *g, enum to_pattern pattern);

/*
 * Returns the load of the busiest link divided by the load of a terminal. The capacity of the
 * network is the reciprocal of this ratio, but at most 1. For uniform traffic and an even radix,
 * the reciprocal is (N - 1) / N times the bisection bound 8 / radix, because none of the N nodes
 * sends packets to itself.
 */
double to_busiest_link(const struct to_geometry *g, enum to_pattern pattern);

#endif
