/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * netsim's traffic: packet sizes, gravity, traffic matrix files and their errors, offered load, the
 * choice of destinations.
 */
/* test: libs=netsim_model alone=yes */
#include "support/netsim_support.h"
#include "traffic.h"

static const char *const three_sites =
    "graph [\nnode [ id 1 label \"A\" lat 0 lon 0 ]\nnode [ id 2 label \"New York\" lat 0 lon 1 ]\n"
    "node [ id 3 label \"C\" lat 0 lon 2 ]\nedge [ source 1 target 2 capacity 1e9 ]\n"
    "edge [ source 2 target 3 capacity 2e9 ]\n]";

static void test_mix(void)
{
    struct ns_mix mix;
    struct model_error error = {""};
    CU_ASSERT_TRUE(ns_mix_parse(&mix, "40:7,576:4,1500:1", &error));
    CU_ASSERT_EQUAL(mix.n_sizes, 3);
    CU_ASSERT_DOUBLE_EQUAL(mix.mean_bytes, 4084.0 / 12, 1e-9);
    CU_ASSERT_EQUAL(mix.min_bytes, 40);
    CU_ASSERT_EQUAL(mix.max_bytes, 1500);
    CU_ASSERT_EQUAL(ns_mix_pick(&mix, 0.0), 40);
    CU_ASSERT_EQUAL(ns_mix_pick(&mix, 6.999 / 12), 40);
    CU_ASSERT_EQUAL(ns_mix_pick(&mix, 7.001 / 12), 576);
    CU_ASSERT_EQUAL(ns_mix_pick(&mix, 10.999 / 12), 576);
    CU_ASSERT_EQUAL(ns_mix_pick(&mix, 11.001 / 12), 1500);
    CU_ASSERT_EQUAL(ns_mix_pick(&mix, nextafter(1.0, 0.0)), 1500);
    CU_ASSERT_TRUE(ns_mix_parse(&mix, "65535:0.001", &error));
    CU_ASSERT_EQUAL(ns_mix_pick(&mix, 0.5), 65535);
}

static void test_mix_errors(void)
{
    static const char *const wrong[] = {
        "",
        "40",
        "40:",
        ":1",
        "40:0",
        "40:-1",
        "0:1",
        "40:nan",
        "40:inf",
        "65536:1",
        "40.5:1",
        "40:1,",
        "40:1,,5:1",
        "40:1;5:1",
        "x:1",
        "40:1 ",
        "1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,11:1,12:1,13:1,14:1,15:1,16:1,17:1",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct ns_mix mix;
        struct model_error error = {""};
        CU_ASSERT_FALSE(ns_mix_parse(&mix, wrong[i], &error));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "--mix="));
    }
}

static void test_file(void)
{
    struct ns_topology t;
    struct ns_traffic traffic;
    struct model_error error = {""};
    CU_ASSERT_TRUE_FATAL(test_topology(three_sites, &t, &error));
    char text[] = "# comment\n\n  A \"New York\" 1e6 # more\r\nC A 5\n\"C\"\t2\t0\nA C 2e6";
    struct ns_bytes bytes = test_bytes(text);
    CU_ASSERT_TRUE_FATAL(ns_traffic_init_file(&traffic, &t, "m", &bytes, &error));
    static const double expected[9] = {0, 1e6, 2e6, 0, 0, 0, 5, 0, 0};
    for (int i = 0; i < 9; i++) {
        CU_ASSERT_EQUAL(traffic.demand_bps[i], expected[i]);
    }
    ns_traffic_fini(&traffic);
    ns_topology_fini(&t);
}

static void test_file_errors(void)
{
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {"", "m: no traffic in it"},
        {"# nothing\n\n", "m: no traffic in it"},
        {"A C 0\n", "m: no traffic in it"},
        {"\nA C\n", "m:2: fewer than three fields"},
        {"A C 1 2\n", "m:1: more than three fields"},
        {"A New York 1\n", "m:1: more than three fields"},
        {"A \"New York 1\n", "m:1: a quote is not closed"},
        {"A C 1\nA a 1\n", "m:2: no node of t.gml is called \"a\""},
        {"A 7 1\n", "m:1: no node of t.gml is called \"7\""},
        {"A C x\n", "m:1: \"x\" is not a rate"},
        {"A C 1G\n", "m:1: \"1G\" is not a rate"},
        {"A C -1\n", "m:1: \"-1\" is not a rate"},
        {"A C nan\n", "m:1: \"nan\" is not a rate"},
        {"A C inf\n", "m:1: \"inf\" is not a rate"},
        {"A C 1e-9\n", "m:1: \"1e-9\" is not a rate"},
        {"A C 1\n1 3 2\n", "m:2: traffic from \"1\" to \"3\" is listed a second time"},
        {"A A 1\n", "m:1: traffic from \"A\" to itself"},
    };
    struct ns_topology t;
    struct model_error error = {""};
    CU_ASSERT_TRUE_FATAL(test_topology(three_sites, &t, &error));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ns_traffic traffic;
        char *copy = strdup(cases[i].text);
        struct ns_bytes bytes = test_bytes(copy);
        error.text[0] = '\0';
        CU_ASSERT_FALSE(ns_traffic_init_file(&traffic, &t, "m", &bytes, &error));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, cases[i].says));
        if (strstr(error.text, cases[i].says) == NULL) {
            printf("case %zu: \"%s\" lacks \"%s\"\n", i, error.text, cases[i].says);
        }
        free(copy);
    }
    ns_topology_fini(&t);
}

static void test_gravity(void)
{
    struct ns_topology t;
    struct ns_routes r;
    struct ns_traffic traffic;
    struct model_error error = {""};
    CU_ASSERT_TRUE_FATAL(test_topology(three_sites, &t, &error));
    CU_ASSERT_TRUE_FATAL(ns_routes_init(&r, &t, &error));
    CU_ASSERT_TRUE_FATAL(ns_traffic_init_gravity(&traffic, &t, &error));
    ns_traffic_finish(&traffic, &t, &r, 0.5);
    /* Weights 1, 3, 2: A-NY carries 1*3 + 1*2 = 5 units of 1e9, NY-C 3*2 + 1*2 = 8 units of 2e9. */
    double unit = 0.5 * 1e9 / 5;
    static const double expected[9] = {0, 3, 2, 3, 0, 6, 2, 6, 0};
    for (int i = 0; i < 9; i++) {
        CU_ASSERT_DOUBLE_EQUAL(traffic.demand_bps[i], unit * expected[i], 1e-3);
    }
    CU_ASSERT_EQUAL(traffic.busiest_arc, 0);
    CU_ASSERT_DOUBLE_EQUAL(traffic.arc_load[0], 0.5, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(traffic.total_bps, unit * 22, 1e-3);
    ns_traffic_fini(&traffic);

    for (int i = 0; i < 3; i++) {
        t.sites[i].population = 1 + i;
    }
    CU_ASSERT_TRUE_FATAL(ns_traffic_init_gravity(&traffic, &t, &error));
    CU_ASSERT_DOUBLE_EQUAL(traffic.demand_bps[5] / traffic.demand_bps[1], 3.0, 1e-12);
    ns_traffic_fini(&traffic);
    t.sites[1].population = (double)NAN;
    CU_ASSERT_FALSE(ns_traffic_init_gravity(&traffic, &t, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "t.gml:3: node \"New York\" has no population"));
    ns_routes_fini(&r);
    ns_topology_fini(&t);
}

/* Random demands: loads against a walk per arc, choices against their shares. */
static void test_random_demands(void)
{
    for (int round = 0; round < 100; round++) {
        uint32_t n = 2 + test_random_below(15);
        struct ns_topology t;
        struct ns_routes r;
        struct ns_traffic traffic;
        struct model_error error = {""};
        test_topology_random(n, n, round % 2 == 0, &t);
        CU_ASSERT_TRUE_FATAL(ns_routes_init(&r, &t, &error));
        ns_traffic_alloc(&traffic, &t);
        for (uint32_t f = 0; f < n * n; f++) {
            bool none = f / n == f % n || (f != 1 && test_random_below(3) == 0);
            traffic.demand_bps[f] = none ? 0 : 1e3 * (1 + random_unit(&seed));
        }
        double load = round % 5 == 0 ? 0 : random_unit(&seed) + 0.1;
        ns_traffic_finish(&traffic, &t, &r, load);
        double most = 0;
        for (uint32_t a = 0; a < t.n_arcs; a++) {
            double bps = 0;
            for (uint32_t f = 0; f < n * n; f++) {
                for (uint32_t at = f / n; at != f % n;) {
                    uint32_t arc = ns_route_next(&r, at, f % n);
                    bps += arc == a ? traffic.demand_bps[f] : 0;
                    at = t.arcs[arc].to;
                }
            }
            CU_ASSERT_DOUBLE_EQUAL(traffic.arc_load[a], bps / t.arcs[a].rate_bps,
                                   1e-9 * traffic.arc_load[a]);
            most = ROSS_MAX(most, traffic.arc_load[a]);
        }
        CU_ASSERT_EQUAL(most, traffic.arc_load[traffic.busiest_arc]);
        CU_ASSERT_TRUE(load == 0 || fabs(most - load) < 1e-12);
        for (uint32_t from = 0; from < n; from++) {
            double below = 0;
            for (uint32_t to = 0; traffic.site_bps[from] > 0 && to < n; to++) {
                double share = traffic.demand_bps[from * n + to] / traffic.site_bps[from];
                if (share > 0) {
                    CU_ASSERT_EQUAL(ns_traffic_pick(&traffic, from, below + 1e-6 * share), to);
                    CU_ASSERT_EQUAL(ns_traffic_pick(&traffic, from, below + 0.999999 * share), to);
                }
                below += share;
            }
        }
        ns_traffic_fini(&traffic);
        ns_routes_fini(&r);
        ns_topology_fini(&t);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"packet sizes", test_mix},         {"wrong packet sizes", test_mix_errors},
        {"traffic matrix file", test_file}, {"wrong traffic matrix files", test_file_errors},
        {"gravity", test_gravity},          {"random demands", test_random_demands},
    };
    return seeded_suite_run("netsim traffic", tests, sizeof tests / sizeof *tests);
}
