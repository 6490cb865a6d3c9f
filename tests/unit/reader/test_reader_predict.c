/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Longest paths through random events against a matrix of who follows whom; files of costs.
 */
/* test: libs=warpscope_reading */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predict/predict.h"
#include "support/suite.h"

enum { EVENTS = 60, LPS = 7, RANKS = 3 };

static uint64_t seed;

/* Events with random LPs, times and causes; an event's cause comes before it. */
struct events {
    double at[EVENTS];
    uint32_t lp[EVENTS], first[EVENTS + 1], effects[EVENTS], rank_of[LPS];
    int cause[EVENTS]; /* -1: none */
    float cost[EVENTS];
    struct predict_source s;
};

static void events_make(struct events *e)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < EVENTS; i++) {
        e->at[i] = (i > 0 ? e->at[i - 1] : 0) + (double)random_below(&seed, 3);
        e->lp[i] = (uint32_t)random_below(&seed, LPS);
        e->cost[i] = (float)random_below(&seed, 1000);
        e->cause[i] = i == 0 ? -1 : (int)random_below(&seed, i + 1) - 1;
    }
    for (uint32_t i = 0; i < EVENTS; i++) {
        e->first[i] = n;
        for (uint32_t k = i + 1; k < EVENTS; k++) {
            if (e->cause[k] == (int)i) {
                e->effects[n++] = k;
            }
        }
    }
    e->first[EVENTS] = n;
    for (uint32_t lp = 0; lp < LPS; lp++) {
        e->rank_of[lp] = (uint32_t)random_below(&seed, RANKS);
    }
    e->s = (struct predict_source){.trace.lps.n = LPS,
                                   .n = EVENTS,
                                   .at = e->at,
                                   .lp = e->lp,
                                   .cost = e->cost,
                                   .first = e->first,
                                   .effects = e->effects};
}

/* Returns the length of the longest path, by trying all events before each one. */
static double naive(const struct events *e, double engine_ns, double remote_ns)
{
    double length[EVENTS], most = 0;
    for (int i = 0; i < EVENTS; i++) {
        double from = 0;
        for (int k = 0; k < i; k++) {
            const bool remote = e->rank_of[e->lp[k]] != e->rank_of[e->lp[i]];
            if (e->lp[k] == e->lp[i]) {
                from = fmax(from, length[k]);
            }
            if (e->cause[i] == k) {
                from = fmax(from, length[k] + (remote ? remote_ns : 0));
            }
        }
        length[i] = from + (double)e->cost[i] + engine_ns;
        most = fmax(most, length[i]);
    }
    return most;
}

static void test_paths(void)
{
    static struct events e;
    for (int round = 0; round < 200; round++) {
        struct predict_row row = {.ranks = RANKS};
        double work[RANKS] = {0}, lps[LPS] = {0}, busiest = 0;
        uint64_t remote = 0;
        events_make(&e);
        const struct predict p = {.source = e.s, .event_ns = (double)random_below(&seed, 100)};
        const double remote_ns = (double)random_below(&seed, 2000);
        CU_ASSERT_TRUE_FATAL(predict_bounds_find(&row, &p, e.rank_of, remote_ns));
        CU_ASSERT_DOUBLE_EQUAL(1e9 * row.path_seconds, naive(&e, p.event_ns, remote_ns), 1e-6);
        CU_ASSERT_TRUE(row.path_lp < LPS && row.path_part > 0.0 && row.path_part <= 1.0);
        for (int i = 0; i < EVENTS; i++) {
            const uint32_t rank = e.rank_of[e.lp[i]];
            work[rank] += (double)e.cost[i] + p.event_ns;
            lps[e.lp[i]] += (double)e.cost[i] + p.event_ns;
            busiest = fmax(busiest, work[rank]);
            remote += e.cause[i] >= 0 && e.rank_of[e.lp[e.cause[i]]] != rank;
        }
        CU_ASSERT_DOUBLE_EQUAL(row.remote, (double)remote, 0.5);
        CU_ASSERT_DOUBLE_EQUAL(1e9 * row.load_seconds, busiest, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(work[e.rank_of[row.load_lp]], busiest, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(row.load_part * busiest, lps[row.load_lp], 1e-6);
    }
}

/* A chain of two LPs, of which the second has most of the time. */
static void test_holder(void)
{
    uint32_t lp[] = {0, 1, 0}, first[] = {0, 1, 2, 2}, effects[] = {1, 2};
    float cost[] = {10, 100, 10};
    const struct predict p = {
        .source = {
            .trace.lps.n = 2, .n = 3, .lp = lp, .cost = cost, .first = first, .effects = effects}};
    struct predict_row row = {.ranks = 2};
    CU_ASSERT_TRUE_FATAL(predict_bounds_find(&row, &p, (uint32_t[]){0, 1}, 1000));
    CU_ASSERT_DOUBLE_EQUAL(1e9 * row.path_seconds, 2120, 1e-6);
    CU_ASSERT_EQUAL(row.path_lp, 1);
    CU_ASSERT_DOUBLE_EQUAL(row.path_part, 100.0 / 2120.0, 1e-9);
    CU_ASSERT_EQUAL(row.load_lp, 1);
    CU_ASSERT_DOUBLE_EQUAL(row.load_part, 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(row.remote, 2, 1e-9);
}

static void test_costs(void)
{
    const struct ws_evidence none = {.n_pes = 0};
    struct predict_costs c, again;
    char path[] = "predict-costs-XXXXXX";
    struct ws_outs outs = {.force = true};
    const int fd = mkstemp(path);
    CU_ASSERT_TRUE_FATAL(fd >= 0);
    close(fd);
    predict_costs_init(&c, &none);
    c.undo_ns = 1234.5;
    c.machine.latency_ns = 77;
    c.per_host = 3;
    CU_ASSERT_TRUE(predict_costs_write(&c, &outs, path) && ws_outs_publish(&outs));
    predict_costs_init(&again, &none);
    CU_ASSERT_TRUE(predict_costs_read(&again, path) && again.is_measured);
    again.is_measured = c.is_measured;
    CU_ASSERT_TRUE(memcmp(&c, &again, sizeof c) == 0);
    ws_outs_free(&outs);
    remove(path);
}

/* Costs come from the rank whose phases took least. */
static void test_taken(void)
{
    struct ws_evidence_pe pes[2] = {{.pe = 0}, {.pe = 1}};
    struct ws_evidence e = {
        .scheduler = WS_SCHED_OPTIMISTIC, .ranks = 2, .batch = 16, .pes = pes, .n_pes = 2};
    struct predict_costs c;
    for (int i = 0; i < 2; i++) {
        pes[i].sum.processed = pes[i].sum.remote = 1e6;
        pes[i].sum.undone = pes[i].sum.gvts = 1e4;
        pes[i].phases[WS_PHASE_UNDO] = 1e-3 * (1 + i);
        pes[i].phases[WS_PHASE_GVT] = 3e-2 * (2 - i);
        pes[i].phases[WS_PHASE_NETWORK] = 0.2 + 1e-9 * 1e6 / 16 * 35 / 3;
    }
    predict_costs_init(&c, &e);
    CU_ASSERT_TRUE(c.is_measured);
    CU_ASSERT_DOUBLE_EQUAL(c.undo_ns, 100, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(c.machine.vote_ns, 1000, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(c.machine.receive_ns, 400, 1e-6);
    e.scheduler = WS_SCHED_CONSERVATIVE;
    predict_costs_init(&c, &e);
    CU_ASSERT_TRUE(!predict_costs_take(&c, &e) && !c.is_measured);
}

int main(void)
{
    seed = suite_seed();
    suite_print_seed("predict", seed);
    const CU_TestInfo tests[] = {{"longest paths", test_paths},
                                 {"the LP with most of a path", test_holder},
                                 {"files of costs", test_costs},
                                 {"costs of a run", test_taken}};
    return suite_run("predict", tests, sizeof tests / sizeof tests[0]);
}
