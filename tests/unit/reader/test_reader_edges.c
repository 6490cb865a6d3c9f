/* SPDX-License-Identifier: BSD-3-Clause */
/* Events by pair of LPs against a matrix: buffers that fill up, lists that go to a file, and walks that end. */
/* test: libs=warpscope_reading */
#include <string.h>

#include "graph/edges.h"
#include "support/suite.h"

enum { LPS = 40 };

static uint64_t seed;
static uint64_t expected[LPS][LPS]; /* events by sender and receiver */

struct walk {
    uint64_t last;
    size_t n, n_max;
    bool good;
};

static bool pair_take(const struct ws_edge *pair, void *ctx)
{
    struct walk *w = ctx;
    uint32_t src = ws_edge_src(pair->key), dest = ws_edge_dest(pair->key);
    w->good = w->good && src < LPS && dest < LPS && expected[src][dest] == pair->events &&
              (w->n == 0 || pair->key > w->last);
    w->last = pair->key;
    return ++w->n < w->n_max;
}

/* Adds events between random pairs. Returns the number of pairs. */
static size_t pairs_fill(struct ws_edges *pairs, size_t max, uint64_t events)
{
    size_t n = 0;
    memset(expected, 0, sizeof expected);
    ws_edges_init(pairs, max);
    CU_ASSERT(ws_edges_check(pairs));
    for (uint64_t i = 0; i < events; i++) {
        uint32_t src = (uint32_t)random_below(&seed, LPS);
        uint32_t dest = (uint32_t)random_below(&seed, 1 + src);
        CU_ASSERT_FATAL(ws_edges_add(pairs, src, dest, 1));
        n += expected[src][dest]++ == 0;
        if (i % 50 == 0) {
            CU_ASSERT(ws_edges_check(pairs));
        }
    }
    CU_ASSERT(ws_edges_check(pairs));
    return n;
}

static void pairs_compare(size_t max, uint64_t events, bool spills)
{
    struct ws_edges pairs;
    struct walk w = {.n_max = SIZE_MAX, .good = true};
    size_t n = pairs_fill(&pairs, max, events);
    CU_ASSERT(ws_edges_each(&pairs, pair_take, &w));
    CU_ASSERT(w.good && w.n == n);
    CU_ASSERT_EQUAL(pairs.spilled, spills);
    ws_edges_free(&pairs);
}

static void test_pairs(void)
{
    pairs_compare(0, 0, false);
    pairs_compare(0, 5000, false);
    pairs_compare(2048, 5000, false);
    for (int round = 0; round < 20; round++) {
        pairs_compare(0, random_below(&seed, 1000), false);
    }
}

static void test_full_list(void)
{
    pairs_compare(1, 500, true);
    pairs_compare(16, 5000, true);
    pairs_compare(256, 5000, true);
}

/* A function that returns false ends the walk, which then returns false. */
static void test_end(void)
{
    for (int spills = 0; spills < 2; spills++) {
        struct ws_edges pairs;
        struct walk w = {.n_max = 7, .good = true};
        CU_ASSERT_FATAL(pairs_fill(&pairs, spills ? 64 : 0, 2000) > 7);
        CU_ASSERT(!ws_edges_each(&pairs, pair_take, &w));
        CU_ASSERT(w.good && w.n == 7);
        ws_edges_free(&pairs);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"pairs", test_pairs}, {"full lists", test_full_list}, {"end of a walk", test_end}};
    seed = suite_seed();
    suite_print_seed("reader_edges", seed);
    return suite_run("reader_edges", tests, sizeof tests / sizeof tests[0]);
}
