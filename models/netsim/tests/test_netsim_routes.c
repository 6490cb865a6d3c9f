/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * netsim's routes: shortest, without loops, the first of equal ones; flows through routers;
 * unreachable sites.
 */
/* test: libs=netsim_model alone=yes */
#include "support/netsim_support.h"

/* Distances in picoseconds by Floyd and Warshall. */
static int64_t *naive_distances(const struct ns_topology *t)
{
    uint32_t n = t->n_sites;
    int64_t *d = malloc(n * n * sizeof *d);
    for (uint32_t i = 0; i < n * n; i++) {
        d[i] = i % (n + 1) == 0 ? 0 : INT64_MAX / 4;
    }
    for (uint32_t a = 0; a < t->n_arcs; a++) {
        int64_t length = llround(t->arcs[a].delay_s * 1e12);
        length = length < 1 ? 1 : length;
        int64_t *place = &d[t->arcs[a].from * n + t->arcs[a].to];
        *place = length < *place ? length : *place;
    }
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t j = 0; j < n; j++) {
                int64_t way = d[i * n + k] + d[k * n + j];
                d[i * n + j] = way < d[i * n + j] ? way : d[i * n + j];
            }
        }
    }
    return d;
}

/* The arc that a router must take: the first that is on a shortest way. */
static uint32_t naive_next(const struct ns_topology *t, const int64_t *d, uint32_t at, uint32_t to)
{
    for (uint32_t a = 0; a < t->n_arcs; a++) {
        int64_t length = llround(t->arcs[a].delay_s * 1e12);
        length = length < 1 ? 1 : length;
        if (t->arcs[a].from == at &&
            length + d[t->arcs[a].to * t->n_sites + to] == d[at * t->n_sites + to]) {
            return a;
        }
    }
    return NS_NO_ARC;
}

static void test_random_networks(void)
{
    for (int round = 0; round < 200; round++) {
        uint32_t n = 2 + test_random_below(24);
        struct ns_topology t;
        struct ns_routes r;
        struct model_error error = {""};
        test_topology_random(n, test_random_below(2 * n), round % 3 == 0, &t);
        CU_ASSERT_TRUE_FATAL(ns_routes_init(&r, &t, &error));
        int64_t *d = naive_distances(&t);
        for (uint32_t at = 0; at < n; at++) {
            for (uint32_t to = 0; to < n; to++) {
                uint32_t expected = at == to ? NS_NO_ARC : naive_next(&t, d, at, to);
                CU_ASSERT_EQUAL_FATAL(ns_route_next(&r, at, to), expected);
                struct ns_path path =
                    ns_route_path(&r, &t, at, to); /* the assertion is that it ends */
                CU_ASSERT_DOUBLE_EQUAL(path.delay_s * 1e12, (double)d[at * n + to],
                                       1.0 + path.hops);
                CU_ASSERT_EQUAL(path.hops == 0, at == to);
            }
        }
        free(d);
        ns_routes_fini(&r);
        ns_topology_fini(&t);
    }
}

static bool naive_passes(const struct ns_routes *r, const struct ns_topology *t, uint32_t from,
                         uint32_t to, uint32_t site)
{
    for (uint32_t at = from;; at = t->arcs[ns_route_next(r, at, to)].to) {
        if (at == site || at == to) {
            return at == site;
        }
    }
}

static void test_through(void)
{
    for (int round = 0; round < 50; round++) {
        uint32_t n = 2 + test_random_below(12);
        struct ns_topology t;
        struct ns_routes r;
        struct ns_through th;
        struct model_error error = {""};
        test_topology_random(n, n, false, &t);
        CU_ASSERT_TRUE_FATAL(ns_routes_init(&r, &t, &error));
        bool has_site[14];
        for (uint32_t site = 0; site < n; site++) {
            has_site[site] = test_random_below(2) == 0;
        }
        ns_through_init(&th, &r, &t, has_site);
        ns_through_fill(&th, &r, &t);
        for (uint32_t site = 0; site < n; site++) {
            uint32_t count = 0;
            for (uint32_t flow = 0; flow < n * n && has_site[site]; flow++) {
                if (flow / n == flow % n || !naive_passes(&r, &t, flow / n, flow % n, site)) {
                    continue;
                }
                CU_ASSERT_EQUAL_FATAL(ns_through_slot(&th, site, flow), count);
                count++;
            }
            CU_ASSERT_TRUE(!has_site[site] || ns_through_count(&th, site) == count);
        }
        ns_through_fini(&th);
        ns_routes_fini(&r);
        ns_topology_fini(&t);
    }
}

static void test_unreachable(void)
{
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {"graph [\nnode [ id 1 label \"A\" lat 0 lon 0 ]\nnode [ id 2 label \"B\" lat 0 lon 0 ]\n"
         "node [ id 3 label \"C\" lat 0 lon 0 ]\nedge [ source 1 target 2 ]\n]",
         "t.gml:4: node \"C\" cannot be reached from node \"A\""},
        {"graph [\nnode [ id 1 lat 0 lon 0 ]\nnode [ id 2 lat 0 lon 0 ]\nnode [ id 3 lat 0 lon 0 "
         "]\n"
         "node [ id 4 lat 0 lon 0 ]\nnode [ id 5 lat 0 lon 0 ]\nedge [ source 2 target 4 ]\n"
         "edge [ source 1 target 3 ]\nedge [ source 4 target 5 ]\n]",
         "t.gml:2: nodes \"node 1\", \"node 3\" cannot be reached from node \"node 2\""},
        {"graph [\ndirected 1\nnode [ id 1 label \"A\" lat 0 lon 0 ]\n"
         "node [ id 2 label \"B\" lat 0 lon 0 ]\nedge [ source 1 target 2 ]\n]",
         "t.gml:3: node \"A\" cannot be reached from node \"B\"; add links so that the network is "
         "connected (the graph is directed)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ns_topology t;
        struct ns_routes r;
        struct model_error error = {""};
        CU_ASSERT_TRUE_FATAL(test_topology(cases[i].text, &t, &error));
        CU_ASSERT_FALSE(ns_routes_init(&r, &t, &error));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, cases[i].says));
        ns_topology_fini(&t);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"random networks against Floyd and Warshall", test_random_networks},
        {"flows through routers", test_through},
        {"unreachable sites", test_unreachable},
    };
    return seeded_suite_run("netsim routes", tests, sizeof tests / sizeof *tests);
}
