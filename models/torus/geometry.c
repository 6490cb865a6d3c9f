/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * geometry.c - nodes, paths and loads of a torus.
 *
 * Every pattern except uniform permutes the coordinates of each dimension separately. Therefore
 * exactly one flow of packets starts at each position of each ring, whichever ways the packets took
 * in earlier dimensions. All rings of a dimension have the same loads.
 *
 * Cost: O(dimensions) per hop; O(radix^2) per dimension for a load.
 */
#include "geometry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *to_geometry_parse(struct to_geometry *g, const char *text)
{
    *g = (struct to_geometry){.n_nodes = 1};
    const char *at = text;
    for (;;) {
        char *end;
        unsigned long radix = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;
        if (radix < 2 || radix > TO_MAX_RADIX) {
            return "sizes of dimensions, each from 2 to 1024, with x between them, such as 8x8x4";
        }
        if (g->n_dims == TO_MAX_DIMS) {
            return "at most 6 dimensions";
        }
        g->radix[g->n_dims] = (unsigned)radix;
        g->stride[g->n_dims] = g->n_nodes;
        g->n_dims++;
        if (g->n_nodes > TO_MAX_NODES / radix) {
            return "at most 1048576 nodes";
        }
        g->n_nodes *= (unsigned)radix;
        if (*end == '\0') {
            return NULL;
        }
        if (*end != 'x') {
            return "sizes of dimensions, each from 2 to 1024, with x between them, such as 8x8x4";
        }
        at = end + 1;
    }
}

unsigned to_neighbour(const struct to_geometry *g, unsigned node, unsigned port)
{
    assert(port < to_terminal_port(g) && node < g->n_nodes);
    unsigned dim = port / 2;
    unsigned k = g->radix[dim];
    unsigned x = to_coordinate(g, node, dim);
    unsigned next = (x + (port % 2 == 0 ? 1 : k - 1)) % k;
    return node - x * g->stride[dim] + next * g->stride[dim];
}

/* Returns the coordinate in dimension `dim` of the destination of packets from coordinate x. k:
 * number of coordinates in this dimension. */
static unsigned ring_destination(enum to_pattern pattern, unsigned k, unsigned dim, unsigned x)
{
    switch (pattern) {
    case TO_NEIGHBOUR:
        return dim == 0 ? (x + 1) % k : x;
    case TO_COMPLEMENT:
        return k - 1 - x;
    case TO_TORNADO:
        return (x + (k - 1) / 2) % k;
    case TO_UNIFORM:
    case TO_PATTERNS:
        break;
    }
    return x;
}

unsigned to_destination(const struct to_geometry *g, enum to_pattern pattern, unsigned node)
{
    unsigned dest = 0;
    for (unsigned d = 0; d < g->n_dims; d++) {
        unsigned x = to_coordinate(g, node, d);
        dest += ring_destination(pattern, g->radix[d], d, x) * g->stride[d];
    }
    return dest;
}

/* Returns the number of forward hops from x to y on a ring of k positions. */
static unsigned ring_forwards(unsigned k, unsigned x, unsigned y)
{
    assert(x < k && y < k);
    return (y + k - x) % k;
}

static unsigned ring_distance(unsigned k, unsigned x, unsigned y)
{
    unsigned forwards = ring_forwards(k, x, y);
    return forwards <= k - forwards ? forwards : k - forwards;
}

unsigned to_distance(const struct to_geometry *g, unsigned from, unsigned to)
{
    assert(from < g->n_nodes && to < g->n_nodes);
    unsigned sum = 0;
    for (unsigned d = 0; d < g->n_dims; d++) {
        sum += ring_distance(g->radix[d], to_coordinate(g, from, d), to_coordinate(g, to, d));
    }
    return sum;
}

struct to_hop to_route(const struct to_geometry *g, unsigned node, unsigned dest, unsigned ways,
                       unsigned last_dim, unsigned last_vc)
{
    assert(node < g->n_nodes && dest < g->n_nodes);
    unsigned d = 0;
    while (d < g->n_dims && to_coordinate(g, node, d) == to_coordinate(g, dest, d)) {
        d++;
    }
    if (d == g->n_dims) {
        return (struct to_hop){(uint8_t)to_terminal_port(g), 0};
    }
    unsigned k = g->radix[d];
    unsigned x = to_coordinate(g, node, d);
    unsigned forwards = ring_forwards(k, x, to_coordinate(g, dest, d));
    bool tie = 2 * forwards == k;
    bool back = tie ? (ways >> d & 1) != 0 : 2 * forwards > k;
    bool closes_ring = back ? x == 0 : x == k - 1;
    bool crossed = last_dim == d && last_vc == 1;
    return (struct to_hop){(uint8_t)(2 * d + back), crossed || closes_ring};
}

/* ---- Theoretical results --------------------------------------------------------------------- */

/* Returns the sum of the distances from one position of a ring to all other positions. */
static double ring_distance_sum(unsigned k)
{
    double even = (double)k * k / 4;
    return k % 2 == 0 ? even : even - 0.25;
}

double to_mean_hops(const struct to_geometry *g, enum to_pattern pattern)
{
    assert(g->n_nodes >= 2);
    double sum = 0;
    for (unsigned d = 0; d < g->n_dims; d++) {
        unsigned k = g->radix[d];
        double of_ring = ring_distance_sum(k);
        if (pattern != TO_UNIFORM) {
            of_ring = 0;
            for (unsigned x = 0; x < k; x++) {
                of_ring += ring_distance(k, x, ring_destination(pattern, k, d, x));
            }
        }
        sum += of_ring / k;
    }
    /* The sum also counts a path of 0 hops from each node to itself, although no node sends packets
     * to itself. */
    double others = (double)g->n_nodes / (g->n_nodes - 1.0);
    return pattern == TO_UNIFORM ? sum * others : sum;
}

/* Adds 1 to the loads of the links on the shorter way from x to y on a ring of k positions. If the
 * two ways are equally long, adds 1/2 to the loads of the links on both. The load of a link is
 * load[2 * position + direction]. */
static void ring_load_add(double *load, unsigned k, unsigned x, unsigned y)
{
    unsigned forwards = ring_forwards(k, x, y);
    double part = 2 * forwards == k ? 0.5 : 1;
    if (2 * forwards <= k) {
        for (unsigned i = 0; i < forwards; i++) {
            load[2 * ((x + i) % k)] += part;
        }
    }
    if (2 * forwards >= k) {
        for (unsigned i = 0; i < k - forwards; i++) {
            load[2 * ((x + k - i) % k) + 1] += part;
        }
    }
}

double to_busiest_link(const struct to_geometry *g, enum to_pattern pattern)
{
    double busiest = 0;
    double others = (double)g->n_nodes / (g->n_nodes - 1.0);
    for (unsigned d = 0; d < g->n_dims; d++) {
        unsigned k = g->radix[d];
        double load[2 * TO_MAX_RADIX] = {0};
        for (unsigned x = 0; pattern != TO_UNIFORM && x < k; x++) {
            ring_load_add(load, k, x, ring_destination(pattern, k, d, x));
        }
        /* In uniform traffic, all links of a dimension have the same load, and each node has two
         * outgoing links in each dimension. */
        double most = pattern == TO_UNIFORM ? ring_distance_sum(k) / k * others / 2 : 0;
        for (unsigned i = 0; i < 2 * k; i++) {
            most = load[i] > most ? load[i] : most;
        }
        busiest = most > busiest ? most : busiest;
    }
    return busiest;
}
