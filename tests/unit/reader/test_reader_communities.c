/* SPDX-License-Identifier: BSD-3-Clause */
/* Communities of LPs against a matrix: modularity, unions that would raise it, groups that are known. */
/* test: libs=warpscope_reading */
#include <math.h>
#include <string.h>

#include "graph/communities.h"
#include "support/suite.h"

enum { LPS = 96, GROUP = 12 };

static uint64_t seed;
static uint64_t events[LPS][LPS]; /* by sender and receiver */

static size_t edges_list(struct ws_edge *list, uint32_t n_lps)
{
    size_t n = 0;
    for (uint32_t src = 0; src < n_lps; src++) {
        for (uint32_t dest = 0; dest < n_lps; dest++) {
            if (events[src][dest] > 0) {
                list[n++] = (struct ws_edge){ws_edge_key(src, dest), events[src][dest]};
            }
        }
    }
    return n;
}

/* Returns the modularity of communities. of: [LP] its community. */
static double modularity(const uint32_t *of, uint32_t n_lps)
{
    double all = 0.0, q = 0.0, degree[LPS] = {0.0};
    for (uint32_t i = 0; i < n_lps; i++) {
        for (uint32_t k = 0; k < n_lps; k++) {
            degree[i] += (double)(events[i][k] + events[k][i]);
        }
        all += degree[i];
    }
    for (uint32_t i = 0; i < n_lps; i++) {
        for (uint32_t k = 0; k < n_lps && all > 0.0; k++) {
            if (of[i] == of[k]) {
                q += ((double)(events[i][k] + events[k][i]) - degree[i] * degree[k] / all) / all;
            }
        }
    }
    return q;
}

/* No union of two communities has a larger modularity. */
static void unions_try(const struct ws_communities *c, uint32_t n_lps, double least)
{
    uint32_t of[LPS];
    for (uint32_t a = 0; a < c->n; a++) {
        for (uint32_t b = 0; b < a; b++) {
            for (uint32_t lp = 0; lp < n_lps; lp++) {
                of[lp] = c->of[lp] == a ? b : c->of[lp];
            }
            CU_ASSERT(modularity(of, n_lps) < least + 1e-5);
        }
    }
}

static void graph_try(uint32_t n_lps)
{
    static struct ws_edge list[LPS * LPS];
    struct ws_communities c, again;
    const size_t n = edges_list(list, n_lps);
    uint32_t n_first = 0;
    CU_ASSERT_FATAL(ws_communities_find(&c, n_lps, list, n));
    CU_ASSERT_FATAL(ws_communities_find(&again, n_lps, list, n));
    CU_ASSERT(memcmp(c.of, again.of, n_lps * sizeof *c.of) == 0);
    for (uint32_t lp = 0; lp < n_lps; lp++) {
        bool has_edges = false;
        for (uint32_t i = 0; i < n_lps; i++) {
            has_edges = has_edges || events[lp][i] + events[i][lp] > 0;
        }
        CU_ASSERT_EQUAL(c.of[lp] == WS_COMMUNITY_NONE, !has_edges);
        CU_ASSERT_FATAL(!has_edges || c.of[lp] <= n_first); /* in the order of first LPs */
        n_first += has_edges && c.of[lp] == n_first;
    }
    CU_ASSERT_EQUAL(n_first, c.n);
    CU_ASSERT(fabs(modularity(c.of, n_lps) - c.modularity) < 1e-9);
    unions_try(&c, n_lps, c.modularity);
    ws_communities_free(&c);
    ws_communities_free(&again);
}

static void test_random(void)
{
    for (int round = 0; round < 60; round++) {
        const uint32_t n_lps = (uint32_t)random_below(&seed, 40) + 1;
        uint64_t n = random_below(&seed, 4 * n_lps);
        memset(events, 0, sizeof events);
        for (; n > 0; n--) {
            const uint64_t src = random_below(&seed, n_lps), dest = random_below(&seed, n_lps);
            events[src][dest] += src == dest ? 0 : 1 + random_below(&seed, 1000);
        }
        graph_try(n_lps);
    }
}

/* Groups of LPs that send 100 events to each other, and 1 to the same LP of the next group. The LPs of
 * a group do not follow one another. */
static void test_groups(void)
{
    enum { GROUPS = LPS / GROUP };
    static struct ws_edge list[LPS * LPS];
    struct ws_communities c;
    memset(events, 0, sizeof events);
    for (uint32_t i = 0; i < LPS; i++) {
        for (uint32_t k = i % GROUPS; k < LPS; k += GROUPS) {
            events[i][k] = i == k ? 0 : 100;
        }
        events[i][i / GROUPS * GROUPS + (i + 1) % GROUPS] = 1;
    }
    CU_ASSERT_FATAL(ws_communities_find(&c, LPS, list, edges_list(list, LPS)));
    CU_ASSERT_EQUAL(c.n, GROUPS);
    for (uint32_t lp = 0; lp < LPS; lp++) {
        CU_ASSERT_EQUAL(c.of[lp], lp % GROUPS);
    }
    ws_communities_free(&c);
    graph_try(LPS);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"random graphs", test_random},
                                        {"known groups", test_groups}};
    seed = suite_seed();
    suite_print_seed("reader_communities", seed);
    return suite_run("reader_communities", tests, sizeof tests / sizeof tests[0]);
}
