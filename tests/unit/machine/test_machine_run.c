/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole runs on the machine: the same events are committed, whatever the machine; times follow from
 * formulas.
 */
/* test: libs=warpscope_machine */
#include <math.h>
#include <string.h>

#include "machine/processor.h"
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

static struct wp_result run(const struct wp_model *m)
{
    struct wp_result result;
    uint64_t remote;
    const uint64_t events = count(m->end, &remote);
    memset(table.calls, 0, sizeof table.calls);
    CU_ASSERT_TRUE_FATAL(wp_run(m, &result));
    CU_ASSERT_EQUAL(result.sums.committed, events);
    CU_ASSERT_EQUAL(result.sums.executed - result.sums.undone, events);
    CU_ASSERT_EQUAL(result.sums.sent - result.sums.antis, remote);
    CU_ASSERT_EQUAL(result.sums.strange, 0);
    for (uint32_t i = 0; i < table.n; i++) {
        CU_ASSERT_EQUAL_FATAL(table.calls[i] % 2 == 1, table.events[i].at < m->end);
    }
    const struct wp_times *t = &result.times;
    const double sum = t->execute_ns + t->undo_ns + t->receive_ns + t->send_ns + t->gvt_ns;
    CU_ASSERT_TRUE(sum <= (1 + 1e-6) * result.time_ns * m->ranks);
    CU_ASSERT_TRUE(t->undo_ns > 0 || result.sums.undone == 0);
    CU_ASSERT_TRUE(t->gvt_ns >= 0 && t->send_ns >= 0 && t->receive_ns >= 0);
    CU_ASSERT_TRUE(result.most_events > 0 || result.sums.executed == 0);
    CU_ASSERT_TRUE(t->execute_ns > 0 || events == 0);
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

static void test_events(void)
{
    uint64_t undone = 0;
    for (unsigned i = 0; i < 60; i++) {
        struct wp_model model;
        const uint32_t ranks = 1 + (uint32_t)random_below(&seed, 9);
        table_make(&table, (uint32_t)random_below(&seed, TABLE_EVENTS + 1), ranks, 4, 0.25, &seed);
        model_choose(&model, ranks);
        struct wp_result result = run(&model);
        undone += result.sums.undone;
        CU_ASSERT_TRUE(ranks > 1 || result.sums.undone == 0);
        /* Cancelled events are found without their numbers as well, and nothing else changes. */
        table.source.n_events = 0;
        const double time_ns = result.time_ns;
        result = run(&model);
        CU_ASSERT_EQUAL(result.time_ns, time_ns);
    }
    CU_ASSERT_TRUE(undone > 1000);
}

/* Conservative ranks undo nothing, and have a round for each window, and one more. */
static void test_windows(void)
{
    for (unsigned i = 0; i < 60; i++) {
        struct wp_model model;
        const uint32_t ranks = 2 + (uint32_t)random_below(&seed, 8);
        uint64_t windows = 0;
        double next = 0, horizon;
        table_make(&table, (uint32_t)random_below(&seed, TABLE_EVENTS + 1), ranks, 4, 0.25, &seed);
        model_choose(&model, ranks);
        model.windows = true;
        model.bound = 0.25;
        model.machine.jitter = model.machine.noise_ns = 0;
        wp_model_complete(&model, (uint32_t)random_below(&seed, ranks + 1), 0);
        struct wp_result result = run(&model);
        double all = 0, least = 0; /* times of all events; of the busiest rank of each window */
        for (horizon = -INFINITY; next < model.end; windows++, horizon = next + 0.25) {
            double work[10] = {0}, busiest = 0;
            const double begin = next;
            next = INFINITY;
            for (uint32_t e = 0; e < table.n; e++) {
                const double at = table.events[e].at;
                if (horizon > -INFINITY && at >= begin && at < horizon && at < model.end) {
                    const struct wp_event event = table_event(&table, e);
                    const double ns = table_cost(&table, &event).execute_ns;
                    work[table_rank(&table, e)] += ns;
                    busiest = fmax(busiest, work[table_rank(&table, e)]);
                    all += ns;
                }
                next = at >= horizon ? fmin(next, at) : next;
            }
            least += busiest;
        }
        CU_ASSERT_EQUAL(result.rounds, windows);
        CU_ASSERT_TRUE(result.time_ns >= least);
        CU_ASSERT_DOUBLE_EQUAL(result.times.execute_ns, all, 1e-6 * (1 + all));
        CU_ASSERT_EQUAL(result.sums.undone, 0);
        CU_ASSERT_TRUE(result.votes == result.rounds || model.prepares);
    }
}

static void test_formulas(void)
{
    struct wp_model model;
    double sum = 0;
    table_make(&table, 3200, 1, 4, 0.25, &seed);
    model_choose(&model, 1);
    model.end = INFINITY;
    model.batch = 16;
    model.machine = (struct wp_machine){.vote_ns = 0};
    for (uint32_t i = 0; i < table.n; i++) {
        sum += 50 + i % 100;
    }
    struct wp_result result = run(&model);
    CU_ASSERT_DOUBLE_EQUAL(result.time_ns, sum, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(result.times.execute_ns, sum, 1e-3);
    /* One reduction without events: two votes' worth of time, edges up and down the tree, and the turn
     * that takes the result. */
    table_make(&table, 0, 1, 1, 0, &seed);
    model_choose(&model, 21);
    model.fanout = 4;
    model.machine.noise_ns = 0;
    wp_model_complete(&model, 0, 0);
    const struct wp_machine *c = &model.machine;
    result = run(&model);
    CU_ASSERT_DOUBLE_EQUAL(result.time_ns, 2 * c->vote_ns + 4 * c->hop_ns + 2 * c->turn_ns, 1e-3);
    /* In shared memory, each rank sees the votes of all others. */
    model.ranks = 5;
    model.prepares = false;
    wp_model_complete(&model, 0, 0);
    result = run(&model);
    CU_ASSERT_DOUBLE_EQUAL(result.time_ns, 2 * c->vote_ns + c->hop_ns + 2 * c->turn_ns, 1e-3);
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
    struct wp_result result = run(&model);
    CU_ASSERT_TRUE(result.rounds >= 9);
    CU_ASSERT_DOUBLE_EQUAL(result.time_ns / 3e5, (double)result.rounds, 2);
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
        struct wp_result result = run(&model);
        undone[i % 2] += result.sums.undone;
    }
    CU_ASSERT_TRUE(4 * undone[0] < 3 * undone[1]);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"events", test_events}, {"windows", test_windows}, {"formulas", test_formulas},
        {"turns", test_turns},   {"clocks", test_clocks},
    };
    seed = suite_seed();
    suite_print_seed("machine run", seed);
    return suite_run("machine run", tests, sizeof tests / sizeof *tests);
}
