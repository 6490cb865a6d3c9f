/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole runs on the machine: all schedulers commit the same events, whatever the machine; runs
 * without rollbacks have none; times follow from formulas.
 */
/* test: libs=warpscope_machine */
#include <math.h>
#include <string.h>

#include "machine/machine.h"
#include "support/machine_table.h"

static uint64_t seed;
static struct table table;

/* Returns the number of events before `end`, and of those among them that come from other ranks. */
static uint64_t count(double end, uint64_t *remote)
{
    uint64_t n = 0;
    *remote = 0;
    for (uint32_t i = 0; i < table.n; i++) {
        const uint32_t cause = table.events[i].cause;
        n += table.events[i].at < end;
        *remote += table.events[i].at < end && cause != TABLE_NONE &&
                   table_rank(&table, cause) != table_rank(&table, i);
    }
    return n;
}

static struct wp_result run(const struct wp_model *m, enum wp_scheduler scheduler)
{
    struct wp_result result;
    uint64_t remote;
    const uint64_t events = count(m->end, &remote);
    memset(table.calls, 0, sizeof table.calls);
    CU_ASSERT_TRUE_FATAL(wp_run(m, scheduler, &result));
    CU_ASSERT_EQUAL(result.sums.committed, events);
    CU_ASSERT_EQUAL(result.sums.executed - result.sums.undone, events);
    CU_ASSERT_EQUAL(result.sums.sent - result.sums.antis, remote);
    CU_ASSERT_EQUAL(result.sums.strange, 0);
    for (uint32_t i = 0; i < table.n; i++) {
        CU_ASSERT_EQUAL_FATAL(table.calls[i] % 2 == 1, table.events[i].at < m->end);
    }
    double executing = 0;
    for (uint32_t r = 0; r < m->ranks; r++) {
        const struct wp_rank_result *rank = &result.ranks[r];
        executing += rank->execute_ns;
        CU_ASSERT_TRUE(rank->wait_ns >= -1e-6 * result.time_ns);
        CU_ASSERT_TRUE(rank->undo_ns > 0 || rank->counts.undone == 0);
        CU_ASSERT_TRUE(rank->gvt_ns >= 0 && rank->message_ns >= 0);
        CU_ASSERT_TRUE(rank->most_events > 0 || rank->counts.executed == 0);
    }
    CU_ASSERT_TRUE(executing > 0 || events == 0);
    return result;
}

static void model_choose(struct wp_model *m, uint32_t ranks)
{
    *m = (struct wp_model){.source = &table.source,
                           .ranks = ranks,
                           .kps = 4,
                           .batch = 1 + (uint32_t)random_below(&seed, 20),
                           .fanout = 1 + (uint32_t)random_below(&seed, 9),
                           .per_host = (uint32_t)random_below(&seed, 4),
                           .end = random_below(&seed, 2) ? INFINITY : 20 * random_unit(&seed),
                           .bound = random_below(&seed, 2) ? 0 : 5 * random_unit(&seed),
                           .lookahead = 0.25,
                           .prepares = random_below(&seed, 2) != 0,
                           .machine = {.latency_ns = (double)random_below(&seed, 3000),
                                       .near_ns = (double)random_below(&seed, 300),
                                       .send_ns = 50,
                                       .receive_ns = 50,
                                       .hop_ns = (double)random_below(&seed, 1000),
                                       .turn_ns = 10,
                                       .vote_ns = 100,
                                       .switch_ns = 500,
                                       .slice_ns = 5000,
                                       .noise_ns = (double)random_below(&seed, 2) * 5000,
                                       .noise_every_ns = 50000,
                                       .jitter = random_unit(&seed)}};
    wp_model_complete(m, (uint32_t)random_below(&seed, ranks + 1),
                      random_below(&seed, 2) ? 0 : 1 + (uint32_t)random_below(&seed, 20));
}

static void test_schedulers(void)
{
    uint64_t undone = 0, rounds = 0;
    for (unsigned i = 0; i < 60; i++) {
        struct wp_model model;
        const uint32_t ranks = 1 + (uint32_t)random_below(&seed, 9);
        table_make(&table, (uint32_t)random_below(&seed, TABLE_EVENTS + 1), ranks, 4, 0.25, &seed);
        model_choose(&model, ranks);
        struct wp_result result = run(&model, WP_OPTIMISTIC);
        undone += result.sums.undone;
        CU_ASSERT_TRUE(ranks > 1 || result.sums.undone == 0);
        wp_result_fini(&result);
        /* Cancelled events are found without their numbers as well, and nothing else changes. */
        table.source.n_events = 0;
        const double time_ns = result.time_ns;
        result = run(&model, WP_OPTIMISTIC);
        CU_ASSERT_EQUAL(result.time_ns, time_ns);
        wp_result_fini(&result);
        result = run(&model, ranks == 1 ? WP_SEQUENTIAL : WP_CONSERVATIVE);
        CU_ASSERT_EQUAL(result.sums.undone + result.sums.antis + result.sums.primary, 0);
        rounds += result.rounds;
        wp_result_fini(&result);
    }
    CU_ASSERT_TRUE(undone > 1000);
    CU_ASSERT_TRUE(rounds > 100);
}

/* Messages before the end of a window are noticed. */
static void test_lookahead(void)
{
    struct wp_model model;
    struct wp_result result;
    table_make(&table, TABLE_EVENTS, 4, 4, 0, &seed);
    model_choose(&model, 4);
    model.end = INFINITY;
    model.lookahead = 2;
    CU_ASSERT_TRUE_FATAL(wp_run(&model, WP_CONSERVATIVE, &result));
    CU_ASSERT_TRUE(result.sums.strange > 0);
    wp_result_fini(&result);
}

static void test_formulas(void)
{
    struct wp_model model;
    double sum = 0;
    table_make(&table, 3200, 1, 4, 0.25, &seed);
    model_choose(&model, 1);
    model.end = INFINITY;
    model.batch = 16;
    model.machine.jitter = model.machine.noise_ns = 0;
    for (uint32_t i = 0; i < table.n; i++) {
        sum += 50 + i % 100;
    }
    struct wp_result result = run(&model, WP_SEQUENTIAL);
    CU_ASSERT_DOUBLE_EQUAL(result.time_ns, sum, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(result.ranks[0].execute_ns, sum, 1e-3);
    wp_result_fini(&result);
    /* One reduction without events: two votes' worth of time, and edges up and down the tree; by
     * messages, the turn that takes the result as well. */
    table_make(&table, 0, 1, 1, 0, &seed);
    model_choose(&model, 21);
    model.fanout = 4;
    model.machine.noise_ns = 0;
    wp_model_complete(&model, 0, 0);
    const double wanted_ns = 2 * model.machine.vote_ns + 4 * model.machine.hop_ns;
    result = run(&model, WP_CONSERVATIVE);
    CU_ASSERT_DOUBLE_EQUAL(result.time_ns, wanted_ns, 1e-3);
    wp_result_fini(&result);
    result = run(&model, WP_OPTIMISTIC);
    CU_ASSERT_DOUBLE_EQUAL(result.time_ns, wanted_ns + 2 * model.machine.turn_ns, 1e-3);
    wp_result_fini(&result);
}

/* Ranks that vote by MPI vote again if a message arrives after its receiver has voted. */
static void test_votes(void)
{
    struct wp_model model;
    table_make(&table, 0, 2, 1, 0, &seed);
    table.n = table.source.n_events = 2;
    table.lps[0].rank = 0; /* which is at the root: its result comes first */
    table.lps[1].rank = 1;
    table.events[0].cause = TABLE_NONE;
    table.events[0].n_next = table.events[0].next[0] = 1;
    table.events[1].lp = 1;
    table.events[1].at = 1;
    model_choose(&model, 2);
    model.end = INFINITY;
    model.machine = (struct wp_machine){
        .latency_ns = 10000, .send_ns = 50, .receive_ns = 50, .hop_ns = 1000, .vote_ns = 100};
    for (unsigned i = 0; i < 4; i++) {
        model.prepares = i / 2 != 0;
        model.per_host = i % 2 != 0 ? 2 : 0;
        wp_model_complete(&model, 2, 0);
        struct wp_result result = run(&model, WP_CONSERVATIVE);
        CU_ASSERT_EQUAL(result.rounds, 3);
        CU_ASSERT_EQUAL(result.votes, model.prepares && model.per_host == 0 ? 4 : 3);
        wp_result_fini(&result);
    }
}

/* Two ranks that take turns change once per round: the last one to vote goes on. */
static void test_turns(void)
{
    struct wp_model model;
    table_make(&table, 0, 2, 1, 0, &seed);
    table.n = table.source.n_events = TABLE_EVENTS;
    for (uint32_t i = 0; i < table.n; i++) {
        table.events[i].lp = i % 2;
        table.lps[i % 2].rank = i % 2;
        table.events[i].at = i;
        table.events[i].cause = i < 2001 ? TABLE_NONE : i - 2001;
        if (i >= 2001) {
            table.events[i - 2001].n_next = 1;
            table.events[i - 2001].next[0] = i;
        }
    }
    model_choose(&model, 2);
    model.end = INFINITY;
    model.bound = 0;
    model.prepares = false;
    model.machine = (struct wp_machine){.turn_ns = 1, .switch_ns = 3e5, .slice_ns = 1e12};
    wp_model_complete(&model, 1, 0);
    struct wp_result result = run(&model, WP_OPTIMISTIC);
    CU_ASSERT_TRUE(result.rounds >= 9);
    CU_ASSERT_DOUBLE_EQUAL(result.time_ns / 3e5, (double)result.rounds, 2);
    wp_result_fini(&result);
}

/* Ranks that see the clocks of others undo fewer events. */
static void test_clocks(void)
{
    uint64_t undone[2] = {0, 0};
    for (unsigned i = 0; i < 40; i++) {
        struct wp_model model;
        table_make(&table, TABLE_EVENTS, 4, 4, 0.25, &seed);
        model_choose(&model, 4);
        model.end = INFINITY;
        model.bound = 0;
        model.prepares = i % 2 != 0;
        model.machine.noise_ns = 0;
        wp_model_complete(&model, 4, 0);
        struct wp_result result = run(&model, WP_OPTIMISTIC);
        undone[i % 2] += result.sums.undone;
        wp_result_fini(&result);
    }
    CU_ASSERT_TRUE(4 * undone[0] < 3 * undone[1]);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"all schedulers", test_schedulers},
        {"a wrong lookahead", test_lookahead},
        {"formulas", test_formulas},
        {"votes", test_votes},
        {"turns", test_turns},
        {"clocks", test_clocks},
    };
    seed = suite_seed();
    suite_print_seed("machine run", seed);
    return suite_run("machine run", tests, sizeof tests / sizeof *tests);
}
