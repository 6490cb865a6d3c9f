/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The graph of the LPs against a matrix of events; placements of graphs whose best division is
 * known, with their predictions counted anew; equal seeds, LPs without events, small cases.
 */
/* test: libs=warpscope_reading */
#include <stdlib.h>
#include <string.h>

#include "partition/partition.h"
#include "support/suite.h"

enum { LPS_MOST = 40 };

static uint64_t seed;
static uint64_t matrix[LPS_MOST][LPS_MOST]; /* events by sender and receiver */

static void graph_make(struct partition_counts *g, uint64_t n_lps)
{
    CU_ASSERT_TRUE_FATAL(partition_counts_init(g, &(struct analyze_trace){.lps.n = n_lps}));
    memset(matrix, 0, sizeof matrix);
}

static void events_add(struct partition_counts *g, uint32_t src, uint32_t dest, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        CU_ASSERT_TRUE_FATAL(partition_counts_add(g, src, dest, 0));
    }
    matrix[src][dest] += n;
}

static void test_graph(void)
{
    for (int round = 0; round < 30; round++) {
        struct partition_counts g;
        uint64_t n = 1 + random_below(&seed, LPS_MOST);
        graph_make(&g, n);
        uint64_t events = random_below(&seed, 2000);
        for (uint64_t i = 0; i < events; i++) {
            events_add(&g, (uint32_t)random_below(&seed, n), (uint32_t)random_below(&seed, n), 1);
        }
        CU_ASSERT_TRUE_FATAL(partition_counts_finish(&g, false));
        CU_ASSERT_TRUE(!g.graph.by_time && g.graph.events == events &&
                       g.graph.total_load == events);
        size_t pairs = 0;
        for (uint64_t a = 0; a < n; a++) {
            uint64_t received = 0, at = g.graph.begin[a];
            for (uint64_t b = 0; b < n; b++) {
                uint64_t both = matrix[a][b] + matrix[b][a];
                received += matrix[b][a];
                if (a != b && both > 0) {
                    CU_ASSERT_TRUE_FATAL(at < g.graph.begin[a + 1]);
                    CU_ASSERT_TRUE(g.graph.to[at] == b && g.graph.weight[at] == both);
                    at++;
                    pairs++;
                }
            }
            CU_ASSERT_TRUE(at == g.graph.begin[a + 1] && g.graph.received[a] == received);
        }
        CU_ASSERT_EQUAL(g.graph.n_pairs, pairs / 2);
        partition_counts_free(&g);
    }
}

/* Many pairs: the table grows. */
static void test_many_pairs(void)
{
    struct partition_counts g;
    const uint32_t n = 300;
    CU_ASSERT_TRUE_FATAL(partition_counts_init(&g, &(struct analyze_trace){.lps.n = n}));
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = 0; b < n; b++) {
            CU_ASSERT_TRUE_FATAL(partition_counts_add(&g, a, b, 0));
        }
    }
    CU_ASSERT_TRUE_FATAL(partition_counts_finish(&g, false));
    CU_ASSERT_TRUE(g.graph.n_pairs == n * (n - 1) / 2 && g.graph.self == n &&
                   g.graph.events == n * n);
    for (uint64_t k = 0; k < g.graph.begin[n]; k++) {
        CU_ASSERT_EQUAL_FATAL(g.graph.weight[k], 2);
    }
    partition_counts_free(&g);
}

/* The load of an LP is the sum of the weights of its events, or the number of them. */
static void test_times(void)
{
    for (int by_time = 0; by_time < 2; by_time++) {
        struct partition_counts g;
        CU_ASSERT_TRUE_FATAL(partition_counts_init(&g, &(struct analyze_trace){.lps.n = 3}));
        partition_counts_add(&g, 0, 1, 100);
        partition_counts_add(&g, 0, 1, 300);
        partition_counts_add(&g, 1, 0, 800);
        CU_ASSERT_TRUE_FATAL(partition_counts_finish(&g, by_time));
        CU_ASSERT_EQUAL(g.graph.by_time, by_time);
        CU_ASSERT_TRUE(g.graph.load[1] == (by_time ? 400 : 2) &&
                       g.graph.load[0] == (by_time ? 800 : 1) && g.graph.load[2] == 0);
        CU_ASSERT_EQUAL(g.graph.total_load, by_time ? 1200 : 3);
        partition_counts_free(&g);
    }
}

/* Checks a placement and its predictions against the matrix. */
static void partition_check(const struct partition *p)
{
    uint64_t n = p->graph->n_lps, remote = 0, between = 0, most = 0, *loads;
    loads = calloc(p->n_ranks, sizeof *loads);
    for (uint64_t a = 0; a < n; a++) {
        CU_ASSERT_TRUE_FATAL(p->rank[a] < p->n_ranks);
        CU_ASSERT_TRUE(p->kp[a] < p->n_kps || (p->n_kps == 0 && p->kp[a] == 0));
        for (uint64_t b = 0; b < n; b++) {
            remote += p->rank[a] != p->rank[b] ? matrix[a][b] : 0;
            between += p->rank[a] == p->rank[b] && p->kp[a] != p->kp[b] ? matrix[a][b] : 0;
            loads[p->rank[b]] += matrix[a][b];
        }
    }
    for (uint32_t r = 0; r < p->n_ranks; r++) {
        most = loads[r] > most ? loads[r] : most;
    }
    const struct partition_sums *s = &p->sums[p->chosen];
    CU_ASSERT_TRUE(s->known && s->remote == (double)remote);
    CU_ASSERT_TRUE(p->n_kps == 0 || p->kps[p->kp_chosen].cut == between);
    CU_ASSERT_DOUBLE_EQUAL(s->balance, (double)most * p->n_ranks / (double)p->graph->events, 1e-9);
    for (int kind = 0; kind < PARTITION_KINDS; kind++) {
        CU_ASSERT_TRUE(!p->sums[kind].known || kind == PARTITION_RANDOM ||
                       p->sums[kind].remote >= s->remote || p->sums[kind].balance > 1.03);
    }
    free(loads);
}

/* Groups of LPs that exchange many events, numbered in turn, with few events between groups. */
static void groups_make(struct partition_counts *g, uint32_t n, uint32_t groups, uint32_t silent)
{
    graph_make(g, n + silent);
    for (uint32_t a = 0; a < n; a++) {
        events_add(g, a, a, 1);
        for (uint32_t b = a % groups; b < n; b += groups) {
            if (a != b) {
                events_add(g, a, b, 20);
            }
        }
        events_add(g, a, (a + 1) % n, 1);
    }
    g->graph.n_pes = 3;
    CU_ASSERT_TRUE_FATAL(partition_counts_finish(g, false));
}

static void test_groups(void)
{
    struct partition_counts g;
    groups_make(&g, 32, 4, 6);
    for (int round = 0; round < 2; round++) {
        struct partition p = {
            .graph = &g.graph, .n_ranks = 2, .n_kps = 2, .cut = {.seed = 1, .imbalance = 0.03}};
        struct partition again = p;
        CU_ASSERT_TRUE_FATAL(partition_make(&p) && partition_make(&again));
        partition_check(&p);
        CU_ASSERT_TRUE(p.chosen == PARTITION_METIS && p.silent == 6 &&
                       p.kp_chosen == PARTITION_KP_METIS);
        for (uint32_t a = 4; a < 32; a++) { /* a group shares a rank and a KP */
            CU_ASSERT_TRUE(p.rank[a] == p.rank[a - 4] && p.kp[a] == p.kp[a - 4]);
        }
        unsigned silent_on_0 = 0;
        for (uint32_t a = 32; a < 38; a++) {
            silent_on_0 += p.rank[a] == 0;
        }
        CU_ASSERT_EQUAL(silent_on_0, 3);
        CU_ASSERT_EQUAL(memcmp(p.rank, again.rank, 38 * sizeof *p.rank), 0);
        CU_ASSERT_EQUAL(memcmp(p.kp, again.kp, 38 * sizeof *p.kp), 0);
        partition_free(&p);
        partition_free(&again);
    }
    partition_counts_free(&g);
}

/* The parts have the numbers of the ranks that had most of their events. */
static void test_labels(void)
{
    for (uint32_t turn = 0; turn < 4; turn++) {
        struct partition_counts g;
        groups_make(&g, 32, 4, 0);
        g.graph.n_pes = 4;
        for (uint32_t a = 0; a < 32; a++) { /* groups by turns; an LP in eight is elsewhere */
            g.graph.pe[a] = (a + turn + (a / 4 == 5)) % 4;
        }
        struct partition p = {
            .graph = &g.graph, .n_ranks = 4, .cut = {.seed = 1, .imbalance = 0.03}};
        CU_ASSERT_TRUE_FATAL(partition_make(&p));
        for (uint32_t a = 0; a < 32; a++) {
            CU_ASSERT_EQUAL(p.rank[a], (a + turn) % 4);
        }
        partition_check(&p);
        partition_free(&p);
        partition_counts_free(&g);
    }
}

/* Ranks of different speeds get parts that suit them, with the numbers of the ranks. */
static void test_shares(void)
{
    static const double shares[2][2] = {{0.75, 0.25}, {0.25, 0.75}};
    for (uint32_t turn = 0; turn < 2; turn++) {
        struct partition_counts g;
        uint64_t loads[2] = {0, 0};
        groups_make(&g, 32, 4, 0);
        struct partition p = {.graph = &g.graph,
                              .n_ranks = 2,
                              .n_kps = 2,
                              .cut = {.seed = 1, .imbalance = 0.03, .shares = shares[turn]}};
        CU_ASSERT_TRUE_FATAL(partition_make(&p));
        for (uint32_t a = 0; a < 32; a++) {
            loads[p.rank[a]] += g.graph.load[a];
        }
        CU_ASSERT_EQUAL(loads[turn], 3 * loads[1 - turn]);
        CU_ASSERT_DOUBLE_EQUAL(p.sums[p.chosen].balance, 1.0, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(p.sums[PARTITION_LINEAR].balance, 2.0, 1e-9);
        partition_free(&p);
        partition_counts_free(&g);
    }
}

/* A chain of LPs in the order of their numbers: blocks are best, and METIS must not do worse. */
static void test_chain(void)
{
    struct partition_counts g;
    graph_make(&g, 32);
    for (uint32_t a = 0; a + 1 < 32; a++) {
        events_add(&g, a, a + 1, 10);
    }
    g.graph.n_pes = 4;
    for (uint32_t a = 0; a < 32; a++) {
        g.graph.pe[a] = a % 4;
    }
    CU_ASSERT_TRUE_FATAL(partition_counts_finish(&g, false));
    struct partition p = {
        .graph = &g.graph, .n_ranks = 4, .n_kps = 0, .cut = {.seed = 7, .imbalance = 0.05}};
    CU_ASSERT_TRUE_FATAL(partition_make(&p));
    partition_check(&p);
    CU_ASSERT_TRUE(p.sums[p.chosen].remote == 30 && p.sums[PARTITION_RECORDED].remote == 310);
    CU_ASSERT_DOUBLE_EQUAL(p.sums[PARTITION_RANDOM].remote, 310 * 0.75, 1e-9);
    partition_free(&p);
    partition_counts_free(&g);
}

/* A grid in rows: only the rows at the border of the ranks have remote events. Blocks are rows, and
 * so expose fewer KPs than compact parts. */
static void test_exposed(void)
{
    enum { SIDE = 6 };
    struct partition_counts g;
    graph_make(&g, SIDE * SIDE);
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            if (x + 1 < SIDE) {
                events_add(&g, y * SIDE + x, y * SIDE + x + 1, 4);
            }
            if (y + 1 < SIDE) {
                events_add(&g, y * SIDE + x, (y + 1) * SIDE + x, 4);
            }
        }
    }
    g.graph.n_pes = 1;
    CU_ASSERT_TRUE_FATAL(partition_counts_finish(&g, false));
    struct partition p = {
        .graph = &g.graph, .n_ranks = 2, .n_kps = 3, .cut = {.seed = 1, .imbalance = 0.2}};
    CU_ASSERT_TRUE_FATAL(partition_make(&p));
    partition_check(&p);
    CU_ASSERT_EQUAL(p.sums[p.chosen].remote, 4 * SIDE);
    CU_ASSERT_EQUAL(p.kp_chosen, PARTITION_KP_BLOCKS);
    CU_ASSERT_TRUE(p.kps[PARTITION_KP_BLOCKS].exposed < p.kps[PARTITION_KP_METIS].exposed);
    partition_free(&p);
    partition_counts_free(&g);
}

static void test_random(void)
{
    for (int round = 0; round < 20; round++) {
        struct partition_counts g;
        uint64_t n = 1 + random_below(&seed, LPS_MOST);
        graph_make(&g, n);
        events_add(&g, 0, 0, 1);
        for (uint64_t i = random_below(&seed, 300); i > 0; i--) {
            events_add(&g, (uint32_t)random_below(&seed, n), (uint32_t)random_below(&seed, n),
                       (unsigned)random_below(&seed, 5));
        }
        g.graph.n_pes = 1;
        CU_ASSERT_TRUE_FATAL(partition_counts_finish(&g, false));
        struct partition p = {.graph = &g.graph,
                              .n_ranks = 1 + (uint32_t)random_below(&seed, 6),
                              .n_kps = (uint32_t)random_below(&seed, 5),
                              .cut = {.seed = 3, .imbalance = 0.03}};
        CU_ASSERT_TRUE_FATAL(partition_make(&p));
        partition_check(&p);
        partition_free(&p);
        partition_counts_free(&g);
    }
}

/* LPs that are put together stay together on any number of ranks: by METIS, and in the placement chosen. */
static void test_together(void)
{
    for (int round = 0; round < 40; round++) {
        struct partition_counts g;
        uint32_t label[LPS_MOST], n = 2 + (uint32_t)random_below(&seed, LPS_MOST - 1);
        graph_make(&g, n);
        for (uint32_t lp = 0; lp < n; lp++) {
            label[lp] = lp;
            events_add(&g, lp, (uint32_t)random_below(&seed, n), 1 + (unsigned)(seed >> 60));
        }
        for (uint64_t i = random_below(&seed, n); i > 0; i--) {
            uint32_t a = (uint32_t)random_below(&seed, n), b = (uint32_t)random_below(&seed, n);
            uint32_t from = label[a];
            CU_ASSERT_TRUE_FATAL(partition_graph_group(&g.graph, a, b));
            for (uint32_t lp = 0; lp < n; lp++) {
                label[lp] = label[lp] == from ? label[b] : label[lp];
            }
        }
        g.graph.n_pes = 1;
        CU_ASSERT_TRUE_FATAL(partition_counts_finish(&g, false));
        struct partition p = {.graph = &g.graph,
                              .n_ranks = 1 + (uint32_t)random_below(&seed, 6),
                              .cut = {.seed = 3, .imbalance = 0.03}};
        CU_ASSERT_TRUE_FATAL(partition_make(&p));
        CU_ASSERT_TRUE(partition_groups_are_kept(&g.graph, p.rank));
        bool linear = true;
        for (uint32_t a = 0; a < n; a++) {
            for (uint32_t b = 0; b < n; b++) {
                bool is_one = label[a] == label[b];
                CU_ASSERT_TRUE(!is_one || p.rank[a] == p.rank[b]);
                linear &= !is_one || p.ranks[PARTITION_LINEAR][a] == p.ranks[PARTITION_LINEAR][b];
            }
        }
        CU_ASSERT_EQUAL(partition_groups_are_kept(&g.graph, p.ranks[PARTITION_LINEAR]), linear);
        partition_free(&p);
        partition_counts_free(&g);
    }
}

/* A group goes to the rank that has more than half of its load. */
static void test_most(void)
{
    struct partition_counts g;
    uint32_t rank[6] = {0, 1, 1, 2, 2, 0};
    graph_make(&g, 6);
    events_add(&g, 0, 4, 9);
    events_add(&g, 0, 1, 2);
    events_add(&g, 0, 5, 3);
    CU_ASSERT_TRUE(partition_groups_keep(&g.graph, rank) && rank[0] == 0 && rank[4] == 2);
    CU_ASSERT_TRUE_FATAL(partition_counts_finish(&g, false));
    for (uint32_t lp = 1; lp < 5; lp++) {
        CU_ASSERT_TRUE_FATAL(partition_graph_group(&g.graph, lp, 4));
    }
    CU_ASSERT_FALSE(partition_groups_are_kept(&g.graph, rank));
    CU_ASSERT_TRUE_FATAL(partition_groups_keep(&g.graph, rank));
    for (uint32_t lp = 0; lp < 6; lp++) {
        CU_ASSERT_EQUAL(rank[lp], lp == 0 || lp == 5 ? 0 : 2);
    }
    partition_counts_free(&g);
}

int main(void)
{
    static const CU_TestInfo graphs[] = {{"graph", test_graph},
                                         {"many pairs", test_many_pairs},
                                         {"times", test_times},
                                         {"most", test_most}};
    static const CU_TestInfo all[] = {
        {"graph", test_graph},   {"many pairs", test_many_pairs}, {"times", test_times},
        {"groups", test_groups}, {"a chain", test_chain},         {"labels", test_labels},
        {"shares", test_shares}, {"exposed KPs", test_exposed},   {"random", test_random},
        {"most", test_most},     {"together", test_together}};
    seed = suite_seed();
    suite_print_seed("partition", seed);
    if (partition_cut_missing() != NULL) {
        printf("note: built without METIS\n");
        return suite_run("partition", graphs, sizeof graphs / sizeof *graphs);
    }
    return suite_run("partition", all, sizeof all / sizeof *all);
}
