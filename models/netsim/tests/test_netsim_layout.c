/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * netsim's layout: every LP is on one rank, sites are whole, and ranks have equal shares.
 */
/* test: libs=netsim_model alone=yes */
#include "layout.h"
#include "support/netsim_support.h"

static void layout_check(const struct ns_layout *l, const double *weight)
{
    CU_ASSERT_EQUAL(l->first[0], 0);
    CU_ASSERT_EQUAL(l->first[l->ranks], ns_layout_total(l));
    double total = 0;
    double largest = 0;
    for (uint32_t s = 0; s < l->n_sites; s++) {
        total += weight[s];
        largest = ROSS_MAX(largest, weight[s]);
    }
    for (unsigned r = 0; r < l->ranks; r++) {
        CU_ASSERT_TRUE(l->first[r] < l->first[r + 1]);
        for (tw_lpid gid = l->first[r]; gid < l->first[r + 1]; gid++) {
            CU_ASSERT_EQUAL(ns_layout_rank(l, gid), r);
        }
        if (l->ranks > l->n_sites) {
            CU_ASSERT_TRUE(l->first[r + 1] - l->first[r] <= ns_layout_total(l) / l->ranks + 1);
            continue;
        }
        CU_ASSERT_EQUAL(ns_place_of_gid(l, l->first[r]), 0);
        double share = 0;
        for (uint32_t s = ns_site_of_gid(l, l->first[r]);
             s < l->n_sites && ns_gid_of_router(l, s) < l->first[r + 1]; s++) {
            share += weight[s];
        }
        CU_ASSERT_TRUE(share <= total / l->ranks + largest + 1e-9);
    }
}

static void test_random_layouts(void)
{
    for (int round = 0; round < 500; round++) {
        uint32_t n = 2 + test_random_below(30);
        uint32_t hosts = 1 + test_random_below(5);
        unsigned ranks = 1 + test_random_below(round % 2 == 0 ? n : n * (1 + hosts));
        double weight[32];
        for (uint32_t s = 0; s < n; s++) {
            weight[s] = test_random_below(4) == 0 ? 0 : random_unit(&seed);
        }
        struct ns_layout l;
        ns_layout_init(&l, n, hosts, ranks, weight);
        layout_check(&l, weight);
        ns_layout_fini(&l);
    }
}

static void test_numbers(void)
{
    struct ns_layout l = {.n_sites = 4, .hosts = 3};
    CU_ASSERT_EQUAL(ns_layout_total(&l), 16);
    for (uint32_t s = 0; s < 4; s++) {
        CU_ASSERT_EQUAL(ns_gid_of_router(&l, s), 4 * s);
        for (uint32_t h = 0; h < 3; h++) {
            tw_lpid gid = ns_gid_of_host(&l, s, h);
            CU_ASSERT_EQUAL(gid, 4 * s + 1 + h);
            CU_ASSERT_EQUAL(ns_site_of_gid(&l, gid), s);
            CU_ASSERT_EQUAL(ns_place_of_gid(&l, gid), 1 + h);
        }
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"numbers of LPs", test_numbers},
        {"random layouts", test_random_layouts},
    };
    return seeded_suite_run("netsim layout", tests, sizeof tests / sizeof *tests);
}
