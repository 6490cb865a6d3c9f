/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of base/random_dist: values, draws consumed, undoing, moments.
 *
 * The expected values come from tests/unit/core/base/rng_reference.py. Counts are compared exactly,
 * doubles up to the last bits, in which mathematical libraries may differ.
 */
#include <CUnit/Basic.h>

#include "base/rng.h"
#include "support/suite.h"

#define VALUES 6

static const struct tw_rng model = {RNG_MODEL_SEEDS};
static const struct tw_rng fast = {.seed = {11111111, 22222222, 33333333, 44444444},
                                   .kind = RNG_FAST};

/* A distribution with fixed parameters. Counts are given as doubles; long double holds every
 * long. */
typedef long double (*sample_f)(tw_rng_stream *g);

static unsigned rng_calls; /* mark of the last normal number */

static long double integer_small(tw_rng_stream *g)
{
    return tw_rand_integer(g, -3, 12);
}

static long double integer_full(tw_rng_stream *g)
{
    return tw_rand_integer(g, LONG_MIN, LONG_MAX);
}

static long double ulong_wide(tw_rng_stream *g)
{
    return tw_rand_ulong(g, 10, 4000000000ul);
}

static long double binomial(tw_rng_stream *g)
{
    return tw_rand_binomial(g, 20, 0.3);
}

static long double geometric(tw_rng_stream *g)
{
    return tw_rand_geometric(g, 0.2);
}

static long double poisson_small(tw_rng_stream *g)
{
    return tw_rand_poisson(g, 4.5);
}

static long double poisson_large(tw_rng_stream *g)
{
    return tw_rand_poisson(g, 1500.0);
}

static long double exponential(tw_rng_stream *g)
{
    return tw_rand_exponential(g, 2.5);
}

static long double pareto(tw_rng_stream *g)
{
    return tw_rand_pareto(g, 6.0, 2.0);
}

static long double weibull(tw_rng_stream *g)
{
    return tw_rand_weibull(g, 2.0, 1.5);
}

static long double normal01(tw_rng_stream *g)
{
    return tw_rand_normal01(g, &rng_calls);
}

static long double normal_sd(tw_rng_stream *g)
{
    return tw_rand_normal_sd(g, 5.0, 2.0, &rng_calls);
}

static long double lognormal(tw_rng_stream *g)
{
    return tw_rand_lognormal(g, 0.5, 0.25, &rng_calls);
}

static long double gamma_above(tw_rng_stream *g)
{
    return tw_rand_gamma(g, 2.5, 2.0);
}

static long double gamma_one(tw_rng_stream *g)
{
    return tw_rand_gamma(g, 1.0, 2.0);
}

static long double gamma_below(tw_rng_stream *g)
{
    return tw_rand_gamma(g, 0.5, 2.0);
}

/* The first values of model stream 42, the draws that they take, and the moments of the
 * distribution. */
struct distribution {
    const char *name;
    sample_f sample;
    bool exact;
    long double values[VALUES];
    unsigned long draws;
    double mean, variance; /* mean 0, variance 0: not tested */
};

static const struct distribution distributions[] = {
    {"integer", integer_small, true, {2, 10, -3, 9, -3, 1}, 6, 4.5, 255.0 / 12},
    {"integer over all longs",
     integer_full,
     true,
     {-3141746203443221504.0L, 5868219063693807616.0L, -8248902938456864768.0L,
      5197922742460319744.0L, -9128859478018158592.0L, -3625407573094864896.0L},
     6,
     0,
     0},
    {"ulong",
     ulong_wide,
     true,
     {1318742395, 3272467174, 211304312, 3127119828, 20494154, 1213865053},
     6,
     2000000005.0,
     3999999991.0 * 3999999991.0 / 12},
    {"binomial", binomial, true, {7, 3, 5, 9, 5, 5}, 120, 6.0, 4.2},
    {"geometric", geometric, true, {3, 2, 5, 1, 2, 2}, 15, 5.0, 20.0},
    {"poisson", poisson_small, true, {4, 4, 2, 7, 4, 4}, 31, 4.5, 4.5},
    {"poisson, large mean",
     poisson_large,
     true,
     {1553, 1476, 1499, 1536, 1492, 1465},
     9027,
     1500,
     1500},
    {"exponential",
     exponential,
     false,
     {2.7740395372532993, 0.5018754349921257, 7.351875881733716, 0.6154549089916105,
      13.184776093785649, 2.981212097237187},
     6,
     2.5,
     6.25},
    {"pareto",
     pareto,
     false,
     {2.406282798990036, 2.068048776933139, 3.265040736398178, 2.083767405101304, 4.816908120603732,
      2.439747752185333},
     6,
     2.4,
     0.24},
    {"weibull",
     weibull,
     false,
     {2.374541996541741, 0.7595715970235801, 4.54747375783945, 0.8702330718579223,
      6.712535515598996, 2.4913419478352097},
     6,
     2.0,
     1.8427622683152885},
    {"normal01",
     normal01,
     false,
     {-1.3553393078385956, 0.6182936118303632, -2.376992770486595, 0.4810468526468445,
      3.066196612231547, -1.0706349565413513},
     6,
     0.0,
     1.0},
    {"normal_sd",
     normal_sd,
     false,
     {2.289321384322809, 6.2365872236607265, 0.24601445902681007, 5.962093705293689,
      11.132393224463094, 2.8587300869172974},
     6,
     5.0,
     4.0},
    {"lognormal",
     lognormal,
     false,
     {1.1748790111264635, 1.9243214324208926, 0.9100568648097621, 1.8594146114496244,
      3.5485857827419434, 1.2615501730801433},
     6,
     1.7010539045584897, /* exp(0.5 + 0.25^2 / 2) */
     0.18661944567867063},
    {"gamma, shape above 1",
     gamma_above,
     false,
     {3.506555491668419, 1.1808080689628242, 0.358814781311897, 5.443780492991472,
      5.560528642871287, 1.1591248705645938},
     12,
     5.0,
     10.0},
    {"gamma, shape 1",
     gamma_one,
     false,
     {2.2192316298026395, 0.4015003479937006, 5.881500705386973, 0.4923639271932884,
      10.547820875028519, 2.3849696777897496},
     6,
     2.0,
     4.0},
    {"gamma, shape below 1",
     gamma_below,
     false,
     {0.30471169788435976, 0.00782322599759913, 7.35916899073276e-05, 0.857091675705918,
      0.007292237456083124, 0.010943206452322597},
     14,
     1.0,
     2.0},
};
#define DISTRIBUTIONS (sizeof(distributions) / sizeof(*distributions))

static bool stream_equal(const tw_rng_stream *a, const tw_rng_stream *b)
{
    return memcmp(a->c, b->c, sizeof(a->c)) == 0 && a->count == b->count &&
           a->reserved == b->reserved;
}

static void check_value(const struct distribution *dist, int i, long double value)
{
    const long double expected = dist->values[i];
    const long double tolerance = dist->exact ? 0 : fabsl(expected) * 1e-13L;

    if (fabsl(value - expected) > tolerance || isnan(value)) {
        printf("\n    %s, value %d: %.17Lg instead of %.17Lg ", dist->name, i, value, expected);
        CU_FAIL("wrong value");
    }
}

static void test_values_and_draws(void)
{
    for (size_t d = 0; d < DISTRIBUTIONS; d++) {
        const struct distribution *dist = &distributions[d];
        tw_rng_stream g;
        rng_stream_place(&g, &model, 42);
        for (int i = 0; i < VALUES; i++) {
            check_value(dist, i, dist->sample(&g));
        }
        CU_ASSERT_EQUAL(g.count, dist->draws);
    }
}

/* Every call is undone by undoing its draws and restoring the mark of normal pairs. */
static void check_undo(const struct tw_rng *rng)
{
    for (size_t d = 0; d < DISTRIBUTIONS; d++) {
        tw_rng_stream g, before;
        rng_stream_place(&g, rng, d);
        for (int i = 0; i < 100; i++) {
            before = g;
            const long double value = distributions[d].sample(&g);
            for (unsigned long n = g.count - before.count; n > 0; n--) {
                tw_rand_reverse_unif(&g);
            }
            rng_pair_restore(&g, rng_pair_mark(&before));
            CU_ASSERT(stream_equal(&g, &before));
            CU_ASSERT_EQUAL(distributions[d].sample(&g), value);
        }
    }
}

static void test_undo(void)
{
    check_undo(&model);
    check_undo(&fast);
}

static void check_moments(const struct tw_rng *rng)
{
    enum { SAMPLES = 40000 };

    for (size_t d = 0; d < DISTRIBUTIONS; d++) {
        const struct distribution *dist = &distributions[d];
        double sum = 0.0, squares = 0.0;
        tw_rng_stream g;
        if (dist->variance == 0.0) {
            continue;
        }
        rng_stream_place(&g, rng, 1000 + d);
        for (int i = 0; i < SAMPLES; i++) {
            const double x = (double)dist->sample(&g) - dist->mean;
            sum += x;
            squares += x * x;
        }
        const double error = sqrt(dist->variance / SAMPLES);
        const double variance = squares / SAMPLES;
        if (fabs(sum / SAMPLES) > 4 * error || fabs(variance / dist->variance - 1) > 0.1) {
            printf("\n    %s: mean off by %g, variance %g instead of %g ", dist->name,
                   sum / SAMPLES, variance, dist->variance);
            CU_FAIL("wrong moments");
        }
    }
}

static void test_moments(void)
{
    check_moments(&model);
    check_moments(&fast);
}

static uint64_t test_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

/*
 * A small Time Warp: random calls on one stream and random rollbacks of the last calls. The naive
 * model copies the stream before every call.
 */
static void check_random_rollbacks(const struct tw_rng *rng)
{
    enum { DEPTH = 200, ROUNDS = 3000 };
    static tw_rng_stream saved[DEPTH];
    static uint64_t marks[DEPTH];
    const char *given = getenv("WS_TEST_SEED");
    uint64_t random = given ? strtoull(given, NULL, 10) : 77;
    int depth = 0, different = 0;
    tw_rng_stream g;

    printf("WS_TEST_SEED=%" PRIu64 " ", random);
    random |= 1;
    rng_stream_place(&g, rng, 3);
    for (int round = 0; round < ROUNDS; round++) {
        if (depth < DEPTH && test_random(&random) % 5 != 0) {
            saved[depth] = g;
            marks[depth++] = rng_pair_mark(&g);
            for (uint64_t calls = test_random(&random) % 4; calls > 0; calls--) {
                const uint64_t which = test_random(&random) % (DISTRIBUTIONS + 4);
                distributions[which < DISTRIBUTIONS ? which : 10].sample(&g);
            }
            continue;
        }
        for (uint64_t steps = test_random(&random) % 9; steps > 0 && depth > 0; steps--) {
            depth--;
            while (g.count > saved[depth].count) {
                tw_rand_reverse_unif(&g);
            }
            if (marks[depth] != 0) { /* the promise in rng.h: 0 needs no restoring */
                rng_pair_restore(&g, marks[depth]);
            }
            different += !stream_equal(&g, &saved[depth]);
        }
    }
    CU_ASSERT_EQUAL(different, 0);
}

static void test_random_rollbacks(void)
{
    check_random_rollbacks(&model);
    check_random_rollbacks(&fast);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"values and draws consumed", test_values_and_draws},
        {"every call can be undone", test_undo},
        {"moments", test_moments},
        {"random rollbacks", test_random_rollbacks},
    };
    return suite_run("dist", tests, sizeof tests / sizeof *tests);
}
