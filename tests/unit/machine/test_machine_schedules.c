/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole simulated runs under random schedules: ranks take turns in random order, and messages, votes
 * and results take random times. GVT never passes an event that will be executed, no rank undoes a
 * committed event, and the run commits exactly the events of its source. Also the tree of reductions.
 */
/* test: libs=warpscope_machine */
#include <math.h>
#include <string.h>

#include "machine/rank.h"
#include "support/machine_table.h"

#define RANKS_MAX 9
#define QUEUE_MAX 4000

static uint64_t seed;
static struct table table;
static struct wp_model model;
static struct wp_self selves[RANKS_MAX];
static struct wp_work work;

/* Messages on their way from one rank to another, in order. */
struct queue {
    struct wp_event at[QUEUE_MAX];
    unsigned first, n;
};
static struct queue queues[RANKS_MAX][RANKS_MAX];
static bool answer_due[RANKS_MAX];
static struct {
    enum wp_answer answer;
    double gvt;
} result;
static uint64_t results;

/* Returns the number of events before the end. */
static uint64_t events_count(void)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < table.n; i++) {
        n += table.events[i].at < model.end;
    }
    return n;
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

/* ---- The schedule ---------------------------------------------------------------------------- */

/* Returns the least receive time of all pending and travelling events. */
static double true_least(void)
{
    double least = INFINITY;
    for (unsigned r = 0; r < model.ranks; r++) {
        const struct wp_rank *rank = selves[r].rank;
        for (unsigned i = 0; i < rank->n_pending + rank->n_inbox; i++) {
            least = lesser(least, selves[r].slots[i].at);
        }
        for (unsigned to = 0; to < model.ranks; to++) {
            const struct queue *q = &queues[r][to];
            for (unsigned i = q->first; i < q->n; i++) {
                least = lesser(least, q->at[i].at);
            }
        }
    }
    return least;
}

/* Adds a vote to the tree: sums go up at once. */
static void vote(uint32_t rank, struct wp_vote v)
{
    while (wp_node_add(&model, selves[rank].rank, v, &v)) {
        if (rank == 0) {
            results++;
            result.answer = v.in_transit != 0 ? WP_AGAIN : WP_GVT;
            result.gvt = v.least;
            CU_ASSERT_TRUE(v.in_transit >= 0);
            CU_ASSERT_TRUE(v.in_transit != 0 || v.least <= true_least());
            for (unsigned r = 0; r < model.ranks; r++) {
                answer_due[r] = true;
            }
            return;
        }
        rank = (rank - 1) / model.fanout;
    }
}

static void turn(unsigned r, double now)
{
    struct wp_rank *rank = selves[r].rank;
    double gvt = rank->gvt;
    struct wp_turn t = wp_turn(&selves[r], now);
    CU_ASSERT_TRUE(t.cost_ns > 0 && rank->gvt >= gvt);
    for (size_t i = 0; i < work.n_outs; i++) {
        struct queue *q = &queues[r][work.outs[i].rank];
        CU_ASSERT_FATAL(work.outs[i].rank != r && q->n < QUEUE_MAX);
        q->at[q->n++] = work.outs[i].event;
    }
    if (t.votes) {
        vote(r, t.vote);
    }
}

static void deliver(unsigned from, unsigned to)
{
    struct queue *q = &queues[from][to];
    if (q->first < q->n) {
        CU_ASSERT_TRUE_FATAL(wp_arrive(&selves[to], q->at[q->first++]));
        selves[to].rank->idle = 0;
    }
    if (q->first == q->n) {
        q->first = q->n = 0;
    }
}

static void take_answer(unsigned r)
{
    if (answer_due[r]) {
        answer_due[r] = false;
        selves[r].rank->answer = (uint8_t)result.answer;
        selves[r].rank->answer_gvt = result.gvt;
        selves[r].rank->idle = 0;
    }
}

static bool all_done(void)
{
    bool done = true;
    for (unsigned r = 0; r < model.ranks; r++) {
        done &= selves[r].rank->done != 0;
    }
    return done;
}

static void run_begin(void)
{
    memset(queues, 0, sizeof queues);
    memset(answer_due, 0, sizeof answer_due);
    CU_ASSERT_TRUE_FATAL(wp_work_init(&work, &table.source));
    for (unsigned r = 0; r < model.ranks; r++) {
        selves[r] = (struct wp_self){.m = &model,
                                     .rank = calloc(1, sizeof(struct wp_rank)),
                                     .kp_last = calloc(model.kps, sizeof(double)),
                                     .work = &work};
        wp_rank_init(&selves[r], r);
    }
    for (unsigned r = 0; r < model.ranks; r++) {
        vote(r, wp_join(&selves[r]));
    }
}

static void run_end(struct wp_counts *sum)
{
    for (unsigned r = 0; r < model.ranks; r++) {
        const struct wp_counts *c = &selves[r].rank->counts;
        sum->committed += c->committed;
        sum->executed += c->executed;
        sum->undone += c->undone;
        sum->strange += c->strange;
        CU_ASSERT_EQUAL(selves[r].rank->n_pending + selves[r].rank->n_history, 0);
        CU_ASSERT_EQUAL(c->rounds, selves[0].rank->counts.rounds);
    }
    for (unsigned r = 0; r < model.ranks; r++) {
        free(selves[r].rank);
        free(selves[r].kp_last);
        free(selves[r].slots);
    }
    wp_work_fini(&work);
}

/* Executes the model. lazy: messages are delivered this many times less often than ranks run. */
static struct wp_counts run(unsigned lazy)
{
    struct wp_counts sum = {0};
    run_begin();
    for (unsigned step = 0; !all_done(); step++) {
        CU_ASSERT_FATAL(step < 3000000);
        unsigned r = (unsigned)random_below(&seed, model.ranks);
        if (random_below(&seed, 4) == 0) {
            r /= 2; /* some ranks run more often */
        }
        if (!selves[r].rank->idle && !selves[r].rank->done) {
            turn(r, 100.0 * step);
        }
        if (random_below(&seed, lazy) == 0) {
            for (unsigned i = 0; i < 2 * model.ranks; i++) {
                deliver((unsigned)random_below(&seed, model.ranks),
                        (unsigned)random_below(&seed, model.ranks));
            }
            take_answer((unsigned)random_below(&seed, model.ranks));
            take_answer((unsigned)random_below(&seed, model.ranks));
        }
    }
    run_end(&sum);
    CU_ASSERT_EQUAL(sum.committed, events_count());
    CU_ASSERT_EQUAL(sum.executed - sum.undone, sum.committed);
    CU_ASSERT_EQUAL(sum.strange, 0);
    return sum;
}

static void model_choose(unsigned ranks, double lookahead, double bound)
{
    uint64_t interval = 1 + random_below(&seed, 100);
    const uint32_t kps = 1 + (uint32_t)random_below(&seed, 4);
    table_make(&table, (uint32_t)random_below(&seed, 2000), ranks, kps, lookahead, &seed);
    table.source.n_events = random_below(&seed, 2) ? table.n : 0;
    model = (struct wp_model){.source = &table.source,
                              .ranks = ranks,
                              .kps = kps,
                              .batch = 1 + (uint32_t)random_below(&seed, 20),
                              .fanout = 1 + (uint32_t)random_below(&seed, 4),
                              .end = 1 + 20 * random_unit(&seed),
                              .bound = bound,
                              .prepares = random_below(&seed, 2) != 0,
                              .interval_least = interval,
                              .interval_most = interval,
                              .lead_first = 2 * interval,
                              .lead_most = 2 * interval,
                              .machine = {.event_ns = 50, .turn_ns = 10, .jitter = 0.5}};
}

static void test_schedules(void)
{
    uint64_t undone = 0;
    for (unsigned round = 0; round < 60; round++) {
        unsigned ranks = 1 + (unsigned)random_below(&seed, RANKS_MAX);
        model_choose(ranks, 0.5 * random_unit(&seed),
                     round % 3 == 0 ? 0.1 + random_unit(&seed) : 0);
        undone += run(1 + (unsigned)random_below(&seed, 6)).undone;
    }
    CU_ASSERT_TRUE(undone > 1000);
    CU_ASSERT_TRUE(results > 500);
}

/* Cases in which no event is ever undone. */
static void test_closed_forms(void)
{
    for (unsigned round = 0; round < 10; round++) {
        model_choose(1, 0.1, 0);
        CU_ASSERT_EQUAL(run(3).undone, 0);
        /* Ranks join a round when they have executed everything before the bound. No message is then
         * on its way when they vote, and later ones come at least a lookahead after GVT. */
        model_choose(RANKS_MAX, 0.25, 0.25);
        model.prepares = false;
        model.interval_least = model.interval_most = model.lead_first = model.lead_most = 1u << 30;
        CU_ASSERT_EQUAL(run(3).undone, 0);
    }
}

/* ---- Parts ----------------------------------------------------------------------------------- */

static void test_tree(void)
{
    struct wp_rank ranks[200];
    for (uint32_t n = 1; n <= 200; n += 1 + n / 7) {
        for (uint32_t fanout = 1; fanout <= 200; fanout = 2 * fanout + 1) {
            uint32_t children = 0;
            model = (struct wp_model){.ranks = n, .fanout = fanout};
            for (uint32_t r = 0; r < n; r++) {
                children += wp_children(&model, r);
                ranks[r] = (struct wp_rank){.number = r, .node_least = INFINITY};
                for (uint32_t i = 0; i < wp_children(&model, r); i++) {
                    CU_ASSERT_EQUAL((r * fanout + 1 + i - 1) / fanout, r);
                }
            }
            CU_ASSERT_EQUAL(children, n - 1);
            struct wp_vote sum = {0};
            uint32_t ends = 0;
            int64_t in_transit = 0;
            for (uint32_t i = 0; i < n; i++) {
                uint32_t r = (i + 5) % n;
                sum = (struct wp_vote){100.0 + r, r % 2 ? (int32_t)r : 1 - (int32_t)r, r};
                in_transit += sum.in_transit;
                uint32_t node = r;
                while (wp_node_add(&model, &ranks[node], sum, &sum) && node > 0) {
                    node = (node - 1) / fanout;
                }
                ends += ranks[0].node_votes == 0 && i == n - 1;
            }
            CU_ASSERT_EQUAL(ends, 1);
            CU_ASSERT_EQUAL(sum.least, 100);
            CU_ASSERT_EQUAL(sum.in_transit, in_transit);
        }
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"random schedules", test_schedules},
        {"closed forms", test_closed_forms},
        {"the tree", test_tree},
    };
    seed = suite_seed();
    suite_print_seed("machine schedules", seed);
    return suite_run("machine schedules", tests, sizeof tests / sizeof *tests);
}
