/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_lp.c - the random streams of LPs: each has its own number, for any order of the gids.
 */
#include <string.h>

#include "base/rng.h"
#include "engine/pe/lp.h"
#include "support/suite.h"

#define N_LPS   50
#define MODEL   2u
#define CORE    1u
#define N_TOTAL 1000u

static uint32_t given[2][4] = {{1, 22, 333, 4444}, {5, 66, 777, 8888}};

static bool same(const tw_rng_stream *a, const tw_rng_stream *b)
{
    return memcmp(a->c, b->c, sizeof a->c) == 0 && a->count == b->count;
}

/* Returns the number of streams that differ from those placed directly by their number. */
static unsigned wrong_streams(const struct lp_table *t, const struct tw_rng *model,
                              const struct tw_rng *core)
{
    unsigned wrong = 0;
    for (tw_lpid n = 0; n < t->count; n++) {
        const tw_lp *lp = lp_table_at(t, n);
        tw_rng_stream expected;
        for (unsigned i = 0; i < MODEL; i++) {
            rng_stream_place(&expected, model, lp->gid * MODEL + i);
            wrong += !same(&lp->rng[i], &expected);
        }
        for (unsigned i = 0; i < CORE; i++) {
            rng_stream_place(&expected, core, N_TOTAL * MODEL + lp->gid * CORE + i);
            wrong += !same(&lp->core_rng[i], &expected);
        }
    }
    return wrong;
}

/* Makes a table whose LP n has the number first + n * step, or a random one if step is 0. */
static void make_table(struct lp_table *t, tw_lpid first, int step)
{
    uint64_t random = 7;
    lp_table_init(t, N_LPS, MODEL + CORE);
    for (tw_lpid n = 0; n < N_LPS; n++) {
        tw_lp *lp = lp_table_at(t, n);
        lp->gid = step != 0 ? first + (tw_lpid)((int)n * step) : random_below(&random, N_TOTAL);
        lp->rng = lp->core_rng + CORE;
    }
    lp_table_seed(t);
}

static const struct order {
    tw_lpid first;
    int step;
} orders[] = {{0, 1}, {17, 1}, {3, 4}, {N_LPS - 1, -1}, {900, -3}, {0, 0}};

static void check_orders(const struct tw_rng *model, const struct tw_rng *core)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        struct lp_table t;
        make_table(&t, orders[i].first, orders[i].step);
        CU_ASSERT_EQUAL(wrong_streams(&t, model, core), 0);
        for (tw_lpid n = 0; n < N_LPS; n += 7) { /* placed again, after use */
            tw_lp *lp = lp_table_at(&t, n);
            (void)tw_rand_unif(&lp->rng[1]);
            (void)tw_rand_unif(&lp->core_rng[0]);
            tw_rand_init_streams(lp, MODEL, CORE);
        }
        CU_ASSERT_EQUAL(wrong_streams(&t, model, core), 0);
        lp_table_fini(&t);
    }
}

static void test_orders_of_gids(void)
{
    struct tw_rng model = {RNG_MODEL_SEEDS};
    struct tw_rng core = {RNG_CORE_SEEDS};
    check_orders(&model, &core);
}

/* Seeds of options or of the model apply to all functions that place a stream. */
static void test_given_seeds(void)
{
    struct tw_rng model;
    struct tw_rng core;
    memcpy(model.seed, given[0], sizeof model.seed);
    memcpy(core.seed, given[1], sizeof core.seed);
    g_tw_rng_seed = given[0];
    g_tw_core_rng_seed = given[1];
    check_orders(&model, &core);
    tw_rng_stream by_call;
    tw_rng_stream expected;
    tw_rand_initial_seed(&by_call, 12, NULL);
    rng_stream_place(&expected, &model, 12);
    CU_ASSERT(same(&by_call, &expected));
    g_tw_rng_seed = NULL;
    g_tw_core_rng_seed = NULL;
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"orders of gids", test_orders_of_gids},
        {"given seeds", test_given_seeds},
    };
    g_tw_nRNG_per_lp = MODEL;
    g_tw_nRNG_core_per_lp = CORE;
    g_tw_total_lps = N_TOTAL;
    return suite_run("lp", tests, sizeof tests / sizeof *tests);
}
