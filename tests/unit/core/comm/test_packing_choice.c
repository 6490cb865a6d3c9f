/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_packing_choice.c - the number of ranks per processor, on a simulated machine whose speed
 * with each number is known: the ranks spend most of the time with the fastest one, and do not try
 * another one while they lose no processor. Groups of ranks get different processors.
 */
#include "comm/comm.h"

#include <math.h>

#include "support/suite.h"

static uint64_t seed;

struct machine {
    unsigned ranks;
    double rate[PACKING_LEVELS]; /* [level]: events per second */
    double lost; /* share of the time for which a rank with a processor of its own has none */
    double lost_s, events; /* sums so far */
};

/* Simulates `seconds` of the machine, with speeds that vary at random. Returns the share of the
 * time at `level`. */
static double share_at(struct machine *m, struct packing *p, unsigned level, double start_s,
                       double seconds, uint64_t *random)
{
    double at = 0, now_s = start_s;
    while (now_s < start_s + seconds) {
        const double step = 0.001 + 0.002 * random_unit(random);
        now_s += step;
        m->events += m->rate[p->now] * step * 2 * random_unit(random);
        m->lost_s += m->lost * step * m->ranks;
        at += p->now == level ? step : 0;
        packing_look(p, now_s, (uint64_t)m->events, m->lost_s, m->ranks);
        if (!packing_check(p)) {
            return -1;
        }
    }
    return at / seconds;
}

/* On an idle machine ranks do not share processors, though that were faster. */
static void test_idle(void)
{
    uint64_t random = seed;
    for (unsigned ranks = 1; ranks < 100; ranks++) {
        struct machine m = {.ranks = ranks, .rate = {1e6, 5e6}, .lost = 0.1};
        struct packing p;
        packing_init(&p, ranks);
        CU_ASSERT(share_at(&m, &p, 0, 5.0, 2.0, &random) >= 1.0);
    }
}

/* Another program that takes a processor for some milliseconds now and then is no reason either. */
static void test_bursts(void)
{
    uint64_t random = seed;
    struct machine m = {.ranks = 2, .rate = {1e6, 5e6}};
    struct packing p;
    packing_init(&p, 2);
    for (int i = 0; i < 100; i++) {
        const double start_s = 1.0 + i * 0.05;
        m.lost = 0.5;
        CU_ASSERT(share_at(&m, &p, 0, start_s, 0.004, &random) >= 1.0);
        m.lost = 0.0;
        CU_ASSERT(share_at(&m, &p, 0, start_s + 0.007, 0.04, &random) >= 1.0);
    }
}

static void test_busy(void)
{
    uint64_t random = seed;
    for (int i = 0; i < 100; i++) {
        struct machine m = {.ranks = 2, .rate = {1e6, 1e6}, .lost = 0.4};
        const unsigned best = (unsigned)random_below(&random, 2);
        struct packing p;
        m.rate[best] = 3e6;
        packing_init(&p, 2);
        CU_ASSERT(share_at(&m, &p, best, 77.0, 4.0, &random) > 0.75);
        /* the machine changes: trials that brought nothing have become rare, but not ceased */
        m.rate[best] = 0.3e6;
        (void)share_at(&m, &p, best, 81.0, 4.0, &random);
        CU_ASSERT(share_at(&m, &p, 1 - best, 85.0, 4.0, &random) > 0.75);
    }
}

/* With many ranks, the best of several numbers is found by steps. */
static void test_many(void)
{
    uint64_t random = seed;
    for (unsigned best = 0; best <= 4; best++) {
        struct machine m = {.ranks = 16, .lost = 0.4};
        struct packing p;
        packing_init(&p, 16);
        CU_ASSERT_EQUAL(p.top, 4);
        for (unsigned level = 0; level <= 4; level++) {
            m.rate[level] = 9e6 / pow(2.0, fabs((double)level - (double)best));
        }
        (void)share_at(&m, &p, best, 1.0, 10.0, &random);
        CU_ASSERT(share_at(&m, &p, best, 11.0, 20.0, &random) > 0.7);
    }
}

/* Groups share different processors, if their ranks ran on enough of them. */
static void test_cores(void)
{
    static const struct {
        unsigned ranks;
        int cores[6], wanted[6];
    } cases[] = {{2, {3, 1, 5, 2, 0, 7}, {3, 3, 5, 5, 0, 0}},
                 {2, {3, 1, 3, 2, 3, 7}, {3, 3, 2, 2, 7, 7}},
                 {2, {3, 1, 3, 3, 3, 1}, {3, 3, 3, 3, 1, 1}},
                 {4, {3, 1, 0, 2, 3, 7}, {3, 3, 3, 3, 7, 7}},
                 {8, {3, 1, 0, 2, 3, 7}, {3, 3, 3, 3, 3, 3}}};
    static struct comm_board all[6];
    struct comm_board *boards[6];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int r = 0; r < 6; r++) {
            boards[r] = &all[r];
            atomic_store(&all[r].core, cases[i].cores[r]);
        }
        for (int r = 0; r < 6; r++) {
            const struct comm c = {.rank = r, .n_ranks = 6};
            CU_ASSERT_EQUAL(comm_pack_core(&c, cases[i].ranks, boards), cases[i].wanted[r]);
        }
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"an idle machine", test_idle},
                                        {"bursts", test_bursts},
                                        {"a busy machine", test_busy},
                                        {"many ranks", test_many},
                                        {"processors of groups", test_cores}};
    seed = suite_seed();
    suite_print_seed("packing_choice", seed);
    return suite_run("packing_choice", tests, sizeof tests / sizeof *tests);
}
