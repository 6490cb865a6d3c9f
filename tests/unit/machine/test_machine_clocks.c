/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bound of optimism by clocks: all ranks judge a period alike, by what each said in its vote, whenever
 * they do; and a clock is seen when the messages sent ahead of it have arrived.
 */
/* test: libs=warpscope_machine */
#include <math.h>

#include "machine/rank.h"
#include "support/suite.h"

/* Two ranks with one pending event each. */
static struct wp_rank ranks[2];
static struct wp_event events[2];
static struct wp_clock clocks[2];
static struct wp_work work;
static struct wp_self selves[2];
static const struct wp_model model = {.ranks = 2,
                                      .machine = {.near_ns = 50, .gap_ns = 10, .byte_ns = 2}};

static void start(void)
{
    work = (struct wp_work){.clocks = clocks};
    for (uint32_t r = 0; r < 2; r++) {
        ranks[r] = (struct wp_rank){.number = r, .n_pending = 1};
        events[r] = (struct wp_event){.at = 20};
        selves[r] = (struct wp_self){
            .m = &model, .rank = &ranks[r], .slots = &events[r], .n_slots = 1, .work = &work};
        wp_clock_init(&clocks[r]);
        clocks[r].reach = 1;
        clocks[r].bound.width = 10;
    }
}

/* Rank r executes and undoes events, waits, and votes. */
static void vote(uint32_t r, uint64_t executed, uint64_t undone, double waited_ns)
{
    ranks[r].counts.executed += executed;
    ranks[r].counts.undone += undone;
    clocks[r].waited_ns += waited_ns;
    wp_clock_vote(&selves[r]);
}

static void adapt(uint32_t r, double now)
{
    ranks[r].counts.rounds++;
    wp_clocks_adapt(&selves[r], now);
}

/* Both ranks waited for 40 % of the time. The first to adapt begins its next period, and votes in the next
 * round, before the second adapts. */
static void test_votes(void)
{
    start();
    vote(0, 2000, 0, 500);
    vote(1, 2000, 0, 400);
    adapt(0, 1000);
    CU_ASSERT_DOUBLE_EQUAL(clocks[0].bound.width, 15, 1e-9);
    vote(0, 2000, 1000, 0);
    adapt(1, 1000);
    CU_ASSERT_DOUBLE_EQUAL(clocks[1].bound.width, 15, 1e-9);
    vote(1, 2000, 0, 400);
    adapt(0, 2000);
    adapt(1, 2000); /* rank 0 did not wait, and a quarter was undone */
    CU_ASSERT_DOUBLE_EQUAL(clocks[0].bound.width, 15 * 0.7, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(clocks[1].bound.width, 15 * 0.7, 1e-9);
    CU_ASSERT_EQUAL(clocks[0].bound.patience, clocks[1].bound.patience);
}

/* The next period has what ranks did after they voted. */
static void test_after_vote(void)
{
    start();
    vote(0, 2000, 0, 0);
    vote(1, 2000, 0, 0);
    ranks[1].counts.executed += 1000;
    ranks[1].counts.undone += 1000;
    wp_clock_show(&selves[1], 900);
    adapt(0, 1000);
    adapt(1, 1000);
    CU_ASSERT_DOUBLE_EQUAL(clocks[0].bound.width, 10, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(clocks[1].bound.width, 10, 1e-9);
}

static void show(double at, double end)
{
    events[0].at = at;
    wp_clock_show(&selves[0], end);
}

/* Turns that end at 100 and at 150 ns, with three messages that leave every 10 ns and need 52. */
static void test_shown(void)
{
    start();
    work.n_outs = 3;
    show(5, 100);
    show(9, 150);
    CU_ASSERT_DOUBLE_EQUAL(wp_clocks_end(&selves[1], 181), 10, 1e-9); /* from GVT, which is 0 */
    CU_ASSERT_DOUBLE_EQUAL(wp_clocks_end(&selves[1], 182), 15, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(wp_clocks_end(&selves[1], 231), 15, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(wp_clocks_end(&selves[1], 232), 19, 1e-9);
    CU_ASSERT_TRUE(clocks[1].bound.holds);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"votes", test_votes}, {"after the vote", test_after_vote}, {"shown", test_shown}};
    return suite_run("machine clocks", tests, sizeof tests / sizeof *tests);
}
