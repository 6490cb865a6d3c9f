/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of base/random_dist: pairs of normal numbers, the bounds of integers, invalid parameters.
 */
#include <CUnit/Basic.h>

#include "base/rng.h"
#include "support/suite.h"

static const struct tw_rng model = {RNG_MODEL_SEEDS};
static const struct tw_rng fast = {.seed = {11111111, 22222222, 33333333, 44444444},
                                   .kind = RNG_FAST};

static bool stream_equal(const tw_rng_stream *a, const tw_rng_stream *b)
{
    return memcmp(a->c, b->c, sizeof(a->c)) == 0 && a->count == b->count &&
           a->reserved == b->reserved;
}

/* Returns the number of draws that the calls of a pair report, also with other draws between
 * them. */
static void check_normal_calls(const struct tw_rng *rng)
{
    tw_rng_stream g, plain;
    unsigned calls = 99;

    rng_stream_place(&g, rng, 42);
    plain = g;
    const double first = tw_rand_normal01(&g, &calls);
    CU_ASSERT_EQUAL(calls, 2);
    for (int i = 0; i < 1000; i++) {
        tw_rand_unif(&g);
    }
    const double second = tw_rand_normal01(&g, &calls);
    CU_ASSERT_EQUAL(calls, 0);
    CU_ASSERT_EQUAL(g.count, 1002);
    CU_ASSERT_EQUAL(tw_rand_normal01(&plain, &calls), first);
    CU_ASSERT_EQUAL(tw_rand_normal01(&plain, &calls), second);
    tw_rand_normal01(&g, &calls);
    CU_ASSERT_EQUAL(calls, 2);
}

static void test_normal_calls(void)
{
    check_normal_calls(&model);
    check_normal_calls(&fast);
}

/* Undoing the draws of a pair withdraws it, even if draws of another kind take their place. */
static void check_withdrawn(const struct tw_rng *rng, uint64_t undone, bool rewind)
{
    tw_rng_stream g, fresh;
    unsigned calls = 99;

    rng_stream_place(&g, rng, 42);
    tw_rand_normal01(&g, &calls);
    if (rewind) {
        rng_stream_rewind(&g, undone);
    } else {
        for (uint64_t i = 0; i < undone; i++) {
            tw_rand_reverse_unif(&g);
        }
    }
    for (uint64_t i = 0; i < undone; i++) {
        tw_rand_unif(&g);
    }
    rng_stream_place(&fresh, rng, 42);
    tw_rand_unif(&fresh);
    tw_rand_unif(&fresh);
    CU_ASSERT_EQUAL(tw_rand_normal01(&g, &calls), tw_rand_normal01(&fresh, &calls));
    CU_ASSERT_EQUAL(calls, 2);
}

static void test_normal_withdrawn(void)
{
    const struct tw_rng *families[2] = {&model, &fast};

    for (int i = 0; i < 2; i++) {
        check_withdrawn(families[i], 1, false);
        check_withdrawn(families[i], 2, false);
        check_withdrawn(families[i], 1, true);
        check_withdrawn(families[i], 2, true);
    }
}

/* Other draws between the two numbers of a pair get the same values as without a pair. */
static void test_draws_in_pair(void)
{
    const struct tw_rng *families[2] = {&model, &fast};

    for (int i = 0; i < 2; i++) {
        tw_rng_stream g, plain;
        unsigned calls;
        rng_stream_place(&g, families[i], 4);
        plain = g;
        tw_rand_normal01(&g, &calls);
        tw_rand_unif(&plain);
        tw_rand_unif(&plain);
        for (int draws = 0; draws < 5; draws++) {
            CU_ASSERT_EQUAL(rng_peek(&g), rng_peek(&plain));
            CU_ASSERT_EQUAL(tw_rand_unif(&g), tw_rand_unif(&plain));
        }
        tw_rand_reverse_unif(&g);
        tw_rand_reverse_unif(&plain);
        CU_ASSERT_EQUAL(rng_pair_mark(&g), 2);
        tw_rand_normal01(&g, &calls);
        CU_ASSERT_EQUAL(calls, 0);
        CU_ASSERT(stream_equal(&g, &plain));
    }
}

static void test_integer_bounds(void)
{
    tw_rng_stream g;

    rng_stream_place(&g, &model, 8);
    CU_ASSERT_EQUAL(tw_rand_integer(&g, 5, 5), 5);
    CU_ASSERT_EQUAL(tw_rand_ulong(&g, 5, 5), 5);
    CU_ASSERT_EQUAL(g.count, 2);
    CU_ASSERT_EQUAL(tw_rand_integer(&g, 5, 4), 0);
    CU_ASSERT_EQUAL(tw_rand_integer(&g, 5, -9), 0);
    CU_ASSERT_EQUAL(tw_rand_ulong(&g, 5, 4), 0);
    CU_ASSERT_EQUAL(tw_rand_integer(&g, LONG_MAX, LONG_MAX), 0);
    CU_ASSERT_EQUAL(tw_rand_ulong(&g, ULONG_MAX, ULONG_MAX), 0);
    CU_ASSERT_EQUAL(g.count, 2);
    for (int i = 0; i < 1000; i++) {
        CU_ASSERT(tw_rand_ulong(&g, ULONG_MAX - 3, ULONG_MAX) >= ULONG_MAX - 3);
        CU_ASSERT(tw_rand_integer(&g, LONG_MIN, LONG_MIN + 1) <= LONG_MIN + 1);
    }
}

/* The rare draw of exactly 1 stays within the bounds. */
static void test_integer_of_one(void)
{
    const uint32_t before[4] = {1107644847, 1303215555, 1598537106, 295139216};
    tw_rng_stream one, g;

    rng_stream_resume(&one, before);
    g = one;
    CU_ASSERT_EQUAL(tw_rand_integer(&g, 0, 9), 9);
    g = one;
    CU_ASSERT_EQUAL(tw_rand_integer(&g, LONG_MIN, LONG_MAX), LONG_MAX - 1);
    g = one;
    CU_ASSERT_EQUAL(tw_rand_ulong(&g, 0, ULONG_MAX), ULONG_MAX - 1);
}

static void test_senseless_parameters(void)
{
    tw_rng_stream g;

    rng_stream_place(&g, &model, 8);
    CU_ASSERT(isnan(tw_rand_gamma(&g, 0.0, 1.0)));
    CU_ASSERT(isnan(tw_rand_gamma(&g, -1.0, 1.0)));
    CU_ASSERT(isnan(tw_rand_gamma(&g, NAN, 1.0)));
    CU_ASSERT(isnan(tw_rand_gamma(&g, INFINITY, 1.0)));
    CU_ASSERT_EQUAL(tw_rand_geometric(&g, 0.0), 0);
    CU_ASSERT_EQUAL(tw_rand_geometric(&g, NAN), 0);
    CU_ASSERT_EQUAL(tw_rand_binomial(&g, -5, 0.5), 0);
    CU_ASSERT_EQUAL(tw_rand_poisson(&g, NAN), 0);
    CU_ASSERT_EQUAL(tw_rand_poisson(&g, INFINITY), 0);
    CU_ASSERT_EQUAL(g.count, 0);
    CU_ASSERT_EQUAL(tw_rand_poisson(&g, 0.0), 0);
    CU_ASSERT_EQUAL(tw_rand_poisson(&g, -1.0), 0);
    CU_ASSERT_EQUAL(tw_rand_geometric(&g, 1.0), 1);
    CU_ASSERT_EQUAL(g.count, 3);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"draws reported by normal numbers", test_normal_calls},
        {"an undone pair is withdrawn", test_normal_withdrawn},
        {"draws while a number of a pair is due", test_draws_in_pair},
        {"bounds of integers", test_integer_bounds},
        {"integers of a draw of 1", test_integer_of_one},
        {"senseless parameters", test_senseless_parameters},
    };
    return suite_run("calls of distributions", tests, sizeof tests / sizeof *tests);
}
