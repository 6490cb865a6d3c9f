/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ways of packets through a torus, against exhaustive walks and counts. The buffers that
 * packets hold and wait for form no cycle, so that there is no deadlock.
 */
/* test: libs=torus_model */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry.h"
#include "support/suite.h"

static const char *const shapes[] = {"2",   "3",   "7",     "8",     "2x2",      "5x3",
                                     "4x6", "9x2", "4x4x2", "3x2x5", "2x2x2x2x2"};
#define N_SHAPES (sizeof shapes / sizeof shapes[0])

static void parse(struct to_geometry *g, const char *text)
{
    CU_ASSERT_PTR_NULL_FATAL(to_geometry_parse(g, text));
}

static void test_parse(void)
{
    struct to_geometry g;
    parse(&g, "8x4x2");
    CU_ASSERT_EQUAL(g.n_dims, 3);
    CU_ASSERT_EQUAL(g.n_nodes, 64);
    CU_ASSERT_EQUAL(to_coordinate(&g, 8 * 3 + 5, 0), 5);
    CU_ASSERT_EQUAL(to_coordinate(&g, 32 + 8 * 3 + 5, 1), 3);
    CU_ASSERT_EQUAL(to_coordinate(&g, 32 + 8 * 3 + 5, 2), 1);
    parse(&g, "1024x1024");
    CU_ASSERT_EQUAL(g.n_nodes, TO_MAX_NODES);
    const char *const wrong[] = {"",
                                 "x",
                                 "8x",
                                 "x8",
                                 "1",
                                 "8x1",
                                 "-8",
                                 "+8",
                                 " 8",
                                 "8 x8",
                                 "8,8",
                                 "8y",
                                 "1024x1025",
                                 "2x2x2x2x2x2x2",
                                 "0x8",
                                 "8xx8",
                                 "99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CU_ASSERT_PTR_NOT_NULL(to_geometry_parse(&g, wrong[i]));
    }
}

static void test_neighbours(void)
{
    for (size_t s = 0; s < N_SHAPES; s++) {
        struct to_geometry g;
        parse(&g, shapes[s]);
        for (unsigned node = 0; node < g.n_nodes; node++) {
            for (unsigned port = 0; port < to_terminal_port(&g); port++) {
                unsigned next = to_neighbour(&g, node, port);
                CU_ASSERT_TRUE(next < g.n_nodes && next != node);
                CU_ASSERT_EQUAL(to_neighbour(&g, next, port ^ 1), node);
                CU_ASSERT_EQUAL(to_distance(&g, node, next), 1);
            }
        }
    }
}

/* Buffers of the links: one per node, port that leads to it, and virtual channel. */
static unsigned buffer_number(const struct to_geometry *g, unsigned from, struct to_hop hop)
{
    return (from * to_terminal_port(g) + hop.port) * TO_VCS + hop.vc;
}

/* Walks a packet's way, and notes for each buffer which one it waits for next. Returns the number
 * of hops. */
static unsigned walk(const struct to_geometry *g, unsigned from, unsigned to, unsigned ways,
                     unsigned char *waits, unsigned n_buffers)
{
    unsigned at = from;
    unsigned dim = TO_NO_DIM;
    unsigned vc = 0;
    unsigned hops = 0;
    unsigned held = n_buffers; /* none yet */
    for (;;) {
        struct to_hop hop = to_route(g, at, to, ways, dim, vc);
        if (hop.port == to_terminal_port(g)) {
            CU_ASSERT_EQUAL(at, to);
            return hops;
        }
        CU_ASSERT_TRUE_FATAL(hop.vc < TO_VCS && hops < g->n_nodes);
        unsigned next = buffer_number(g, at, hop);
        if (held < n_buffers) {
            waits[(size_t)held * n_buffers + next] = 1;
        }
        held = next;
        at = to_neighbour(g, at, hop.port);
        dim = hop.port / 2;
        vc = hop.vc;
        hops++;
    }
}

/* Removes buffers that wait for no remaining one. Returns true if none remains. */
static bool has_no_cycle(const unsigned char *waits, unsigned n)
{
    bool *gone = calloc(n, sizeof *gone);
    unsigned left = n;
    bool changed = true;
    while (changed) {
        changed = false;
        for (unsigned i = 0; i < n; i++) {
            bool waiting = false;
            for (unsigned j = 0; j < n && !gone[i]; j++) {
                waiting = waiting || (waits[(size_t)i * n + j] && !gone[j]);
            }
            if (!gone[i] && !waiting) {
                gone[i] = true;
                changed = true;
                left--;
            }
        }
    }
    free(gone);
    return left == 0;
}

static void test_ways(void)
{
    for (size_t s = 0; s < N_SHAPES; s++) {
        struct to_geometry g;
        parse(&g, shapes[s]);
        unsigned n = g.n_nodes * to_terminal_port(&g) * TO_VCS;
        unsigned char *waits = calloc((size_t)n * n, 1);
        double sum = 0;
        for (unsigned from = 0; from < g.n_nodes; from++) {
            for (unsigned to = 0; to < g.n_nodes; to++) {
                for (unsigned ways = 0; ways < 1u << g.n_dims; ways++) {
                    CU_ASSERT_EQUAL(walk(&g, from, to, ways, waits, n), to_distance(&g, from, to));
                }
                sum += to_distance(&g, from, to);
            }
        }
        CU_ASSERT_TRUE(has_no_cycle(waits, n));
        double pairs = (double)g.n_nodes * (g.n_nodes - 1.0);
        CU_ASSERT_TRUE(fabs(to_mean_hops(&g, TO_UNIFORM) - sum / pairs) < 1e-12 * sum);
        free(waits);
    }
}

/* Loads of all links when every node sends to one other, or to all in equal parts. */
static double busiest_by_count(const struct to_geometry *g, enum to_pattern pattern)
{
    double *load = calloc((size_t)g->n_nodes * to_terminal_port(g), sizeof *load);
    unsigned n_ways = 1u << g->n_dims;
    double busiest = 0;
    for (unsigned from = 0; from < g->n_nodes; from++) {
        for (unsigned i = 0; i < g->n_nodes * n_ways; i++) {
            unsigned to = i / n_ways;
            double part = 1.0 / n_ways;
            if (pattern == TO_UNIFORM) {
                part /= g->n_nodes - 1.0;
            } else if (to != to_destination(g, pattern, from)) {
                continue;
            }
            unsigned at = from;
            struct to_hop hop = {0, 0};
            for (unsigned dim = TO_NO_DIM; at != to; dim = hop.port / 2) {
                hop = to_route(g, at, to, i % n_ways, dim, hop.vc);
                double *link = &load[at * to_terminal_port(g) + hop.port];
                *link += part;
                busiest = *link > busiest ? *link : busiest;
                at = to_neighbour(g, at, hop.port);
            }
        }
    }
    free(load);
    return busiest;
}

static void test_loads(void)
{
    for (size_t s = 0; s < N_SHAPES; s++) {
        struct to_geometry g;
        parse(&g, shapes[s]);
        for (unsigned p = 0; p < TO_PATTERNS; p++) {
            double counted = busiest_by_count(&g, (enum to_pattern)p);
            double got = to_busiest_link(&g, (enum to_pattern)p);
            if (!(fabs(got - counted) < 1e-9)) {
                printf("  %s, pattern %u: %g, counted %g\n", shapes[s], p, got, counted);
            }
            CU_ASSERT_TRUE(fabs(got - counted) < 1e-9);
        }
    }
}

/* Without the second virtual channel a ring is a cycle, which the check above detects. */
static void test_dateline_matters(void)
{
    struct to_geometry g;
    parse(&g, "5");
    unsigned n = g.n_nodes * to_terminal_port(&g);
    unsigned char *waits = calloc((size_t)n * n, 1);
    for (unsigned at = 0; at < g.n_nodes; at++) {
        unsigned next = to_neighbour(&g, at, 0);
        waits[(size_t)(at * 2) * n + next * 2] = 1;
    }
    CU_ASSERT_FALSE(has_no_cycle(waits, n));
    free(waits);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"sizes of dimensions", test_parse},
        {"neighbours", test_neighbours},
        {"ways, hops and no cycle", test_ways},
        {"loads of links", test_loads},
        {"a ring with one virtual channel has a cycle", test_dateline_matters},
    };
    return suite_run("torus geometry", tests, sizeof tests / sizeof *tests);
}
