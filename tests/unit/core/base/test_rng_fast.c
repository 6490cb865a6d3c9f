/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of base/rng_fast, the generator of --rng=fast: reference values, undoing, rewinding, starts
 * of streams, and the randomness of its numbers. The tests of randomness use fixed seeds, so that
 * they cannot fail by chance.
 */
#include "base/rng.h"
#include "support/suite.h"

static const struct tw_rng model = {.seed = {11111111, 22222222, 33333333, 44444444},
                                    .kind = RNG_FAST};
static const struct tw_rng core = {.seed = {55555555, 66666666, 77777777, 88888888},
                                   .kind = RNG_FAST};

static bool stream_equal(const tw_rng_stream *a, const tw_rng_stream *b)
{
    return memcmp(a->c, b->c, sizeof a->c) == 0 && a->count == b->count &&
           a->reserved == b->reserved;
}

/* Returns a seed for a randomised test, and prints it. */
static uint64_t new_seed(void)
{
    const uint64_t seed = suite_seed();
    suite_print_seed("rng_fast", seed);
    return seed;
}

static struct tw_rng random_family(uint64_t *random)
{
    struct tw_rng rng = {.kind = random_below(random, 2) == 0 ? RNG_FAST : RNG_CLCG4};
    for (int j = 0; j < 4; j++) {
        rng.seed[j] = (uint32_t)random_bits(random);
    }
    return rng;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Computed by tests/unit/core/base/rng_reference.py from the definition in rng_fast.h. */
static void test_reference(void)
{
    static const struct {
        const struct tw_rng *rng;
        uint64_t number;
        double draws[3];
    } streams[] = {
        {&model, 0, {0x1.c88ce00a98ee7p-1, 0x1.5ff62efbb6700p-9, 0x1.b536fc5c9c63dp-1}},
        {&model, 1, {0x1.5d6b867efaeb9p-1, 0x1.a757872cf1cdbp-1, 0x1.bec3107a4c4e3p-1}},
        {&model, 143, {0x1.1183227320c58p-4, 0x1.3d0e0ba2ff26dp-1, 0x1.03a43dbcec2d7p-1}},
        {&model, UINT64_MAX, {0x1.88be95d2b7238p-4, 0x1.b9d962733a8e8p-4, 0x1.d7b6fa32a3eb2p-2}},
        {&core, 0, {0x1.966979596ea20p-6, 0x1.81e15e0e1178dp-1, 0x1.38f4734bcf327p-1}},
        {&core, 12345, {0x1.f3756d80c853dp-1, 0x1.cb13370052227p-1, 0x1.7237f86a44f7ap-2}},
    };
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        tw_rng_stream g;
        rng_stream_place(&g, streams[i].rng, streams[i].number);
        for (unsigned k = 0; k < 3; k++) {
            CU_ASSERT_EQUAL(tw_rand_unif(&g), streams[i].draws[k]);
            CU_ASSERT_EQUAL(g.count, k + 1);
        }
    }
}

static void test_range(void)
{
    /* states that mix to all ones and to 0: mixing is one-to-one, 0 stays 0 */
    const uint64_t inverse1 = 0x96de1b173f119089u, inverse2 = 0x319642b2d24d8ec3u;
    uint64_t z = UINT64_MAX;
    z ^= z >> 31 ^ z >> 62;
    z *= inverse2;
    z ^= z >> 27 ^ z >> 54;
    z *= inverse1;
    z ^= z >> 30 ^ z >> 60;
    CU_ASSERT_EQUAL(rng_fast_mix(z), UINT64_MAX);
    CU_ASSERT_EQUAL(rng_fast_value(z), 1.0 - 0x1p-53);
    CU_ASSERT(rng_fast_value(z) < 1.0);
    CU_ASSERT_EQUAL(rng_fast_mix(0), 0);
    CU_ASSERT_EQUAL(rng_fast_value(0), 0x1p-53);
}

/* ---- Undoing, of both generators ------------------------------------------------------------- */

/* Undoing against copies of the stream, by single steps and at once. */
static void test_undo_and_rewind(void)
{
    enum { MOST = 400 };
    static tw_rng_stream copies[MOST + 1];
    uint64_t random = new_seed();
    for (int round = 0; round < 300; round++) {
        const struct tw_rng rng = random_family(&random);
        const uint64_t n = random_below(&random, round % 2 == 0 ? MOST : 12);
        const uint64_t back = random_below(&random, n + 1);
        rng_stream_place(&copies[0], &rng, random_bits(&random));
        for (uint64_t i = 0; i < n; i++) {
            copies[i + 1] = copies[i];
            tw_rand_unif(&copies[i + 1]);
            CU_ASSERT_FALSE(stream_equal(&copies[i], &copies[i + 1]));
        }
        tw_rng_stream g = copies[n];
        rng_stream_rewind(&g, back);
        CU_ASSERT(stream_equal(&g, &copies[n - back]));
        g = copies[n];
        for (uint64_t i = n; i-- > 0;) {
            tw_rand_reverse_unif(&g);
            CU_ASSERT(stream_equal(&g, &copies[i]));
        }
    }
}

/* A rewind too long for single steps, in parts and at once. */
static void test_far_rewind(void)
{
    uint64_t random = new_seed();
    for (int round = 0; round < 100; round++) {
        const struct tw_rng rng = random_family(&random);
        const uint64_t a = random_bits(&random) >> 3, b = random_bits(&random) >> 3;
        tw_rng_stream g, h;
        rng_stream_place(&g, &rng, 5);
        g.count = UINT64_MAX >> 1;
        h = g;
        rng_stream_rewind(&g, a);
        rng_stream_rewind(&g, b);
        rng_stream_rewind(&h, a + b);
        CU_ASSERT(stream_equal(&g, &h));
    }
}

/* ---- Starts ---------------------------------------------------------------------------------- */

static void test_jumper(void)
{
    uint64_t random = new_seed();
    for (int round = 0; round < 200; round++) {
        const struct tw_rng rng = random_family(&random);
        const uint64_t first = random_bits(&random) >> random_below(&random, 64);
        const uint64_t stride = round < 2 ? (uint64_t)round : random_bits(&random) >> 30;
        struct rng_stream_jumper jumper;
        rng_jumper_init(&jumper, &rng, first, stride);
        for (uint64_t i = 0; i < 20; i++) {
            tw_rng_stream g, placed;
            memset(&g, 0xff, sizeof g);
            rng_jumper_next(&jumper, &g);
            rng_stream_place(&placed, &rng, first + i * stride);
            CU_ASSERT(stream_equal(&g, &placed));
        }
    }
}

/* Each bit of each seed and of the number changes start and gamma. */
static void test_seeds_count(void)
{
    tw_rng_stream plain, other;
    rng_stream_place(&plain, &model, 3);
    for (int bit = 0; bit < 128 + 64; bit++) {
        struct tw_rng rng = model;
        uint64_t number = 3;
        if (bit < 128) {
            rng.seed[bit / 32] ^= UINT32_C(1) << bit % 32;
        } else {
            number ^= UINT64_C(1) << (bit - 128);
        }
        rng_stream_place(&other, &rng, number);
        CU_ASSERT_NOT_EQUAL(rng_fast_state(plain.c), rng_fast_state(other.c));
        CU_ASSERT_NOT_EQUAL(rng_fast_gamma(plain.c), rng_fast_gamma(other.c));
        CU_ASSERT_NOT_EQUAL(rng_peek(&plain), rng_peek(&other));
    }
}

static void test_gammas(void)
{
    enum { STREAMS = 200000 };
    struct rng_stream_jumper jumper;
    int wrong = 0, few = 0;
    rng_jumper_init(&jumper, &core, 0, 1);
    for (int i = 0; i < STREAMS; i++) {
        tw_rng_stream g;
        rng_jumper_next(&jumper, &g);
        const uint64_t gamma = rng_fast_gamma(g.c);
        const int changes = __builtin_popcountll(gamma ^ gamma >> 1);
        wrong += gamma % 2 == 0 || gamma >> 63 == 0;
        few += changes < RNG_FAST_MIN_CHANGES;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(few, 0);
    /* a value that is replaced */
    const struct rng_fast_source zero = {0, 0};
    uint32_t c[4];
    rng_fast_begin(c, &zero);
    CU_ASSERT_EQUAL(rng_fast_gamma(c), (UINT64_C(1) << 63 | 1) ^ UINT64_C(0x2aaaaaaaaaaaaaaa));
}

/* The family of streams depends on the generator and on the seeds of the run. */
static void test_families(void)
{
    uint32_t seeds[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    tw_rng_stream g, expected;
    CU_ASSERT_EQUAL(rng_model_family().kind, RNG_CLCG4);
    g_tw_rng_kind = RNG_FAST;
    struct tw_rng family = rng_model_family();
    CU_ASSERT_EQUAL(family.kind, RNG_FAST);
    CU_ASSERT_EQUAL(memcmp(family.seed, model.seed, sizeof model.seed), 0);
    family = rng_core_family();
    CU_ASSERT_EQUAL(family.kind, RNG_FAST);
    CU_ASSERT_EQUAL(memcmp(family.seed, core.seed, sizeof core.seed), 0);
    tw_rand_initial_seed(&g, 9, NULL);
    rng_stream_place(&expected, &model, 9);
    CU_ASSERT(stream_equal(&g, &expected));
    g_tw_rng_seed = seeds[0];
    g_tw_core_rng_seed = seeds[1];
    CU_ASSERT_EQUAL(memcmp(rng_model_family().seed, seeds[0], sizeof seeds[0]), 0);
    CU_ASSERT_EQUAL(memcmp(rng_core_family().seed, seeds[1], sizeof seeds[1]), 0);
    g_tw_rng_seed = NULL;
    g_tw_core_rng_seed = NULL;
    g_tw_rng_kind = RNG_CLCG4;
}

/* ---- Statistics ------------------------------------------------------------------------------ */

enum { DRAWS = 1000000 };

/* Mean, variance and correlation of successive draws, within 4 standard errors. */
static void check_moments(const struct tw_rng *rng, uint64_t number)
{
    double sum = 0.0, squares = 0.0, products = 0.0, last = 0.0;
    tw_rng_stream g;
    rng_stream_place(&g, rng, number);
    for (int i = 0; i < DRAWS; i++) {
        const double x = tw_rand_unif(&g) - 0.5;
        sum += x;
        squares += x * x;
        products += x * last;
        last = x;
    }
    CU_ASSERT(fabs(sum / DRAWS) < 4 * sqrt(1.0 / 12 / DRAWS));
    CU_ASSERT(fabs(squares / DRAWS - 1.0 / 12) < 4 * sqrt(1.0 / 180 / DRAWS));
    CU_ASSERT(fabs(products / DRAWS) < 4 * sqrt(1.0 / 144 / DRAWS));
}

static void test_moments(void)
{
    for (uint64_t number = 0; number < 5; number++) {
        check_moments(&model, number);
        check_moments(&core, number << 40);
    }
}

/* Chi-square of counts that should be equal, as a number of standard deviations. */
static double chi_square_excess(const uint32_t *counts, int n, double expected)
{
    double chi = 0.0;
    for (int i = 0; i < n; i++) {
        chi += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    return (chi - (n - 1)) / sqrt(2.0 * (n - 1));
}

/* Bits first .. first+7 of the fraction u. */
static unsigned byte_of(double u, int first)
{
    return (unsigned)((uint64_t)(u * 0x1p52) >> (44 - first)) & 0xff;
}

/* Every byte of the numbers, along one stream and across the first draws of neighbouring
 * streams. */
static void test_bytes(void)
{
    static uint32_t along[6][256], across[6][256];
    struct rng_stream_jumper jumper;
    tw_rng_stream g;
    rng_stream_place(&g, &model, 77);
    rng_jumper_init(&jumper, &model, 0, 1);
    for (int i = 0; i < DRAWS; i++) {
        tw_rng_stream start;
        const double u = tw_rand_unif(&g);
        rng_jumper_next(&jumper, &start);
        const double v = tw_rand_unif(&start);
        for (int byte = 0; byte < 6; byte++) {
            along[byte][byte_of(u, 8 * byte)]++;
            across[byte][byte_of(v, 8 * byte)]++;
        }
    }
    for (int byte = 0; byte < 6; byte++) {
        CU_ASSERT(fabs(chi_square_excess(along[byte], 256, DRAWS / 256.0)) < 4);
        CU_ASSERT(fabs(chi_square_excess(across[byte], 256, DRAWS / 256.0)) < 4);
    }
}

/* Pairs of draws at one place of neighbouring streams, and of streams of both families. */
static void test_neighbours(void)
{
    enum { PAIRS = 100, EACH = DRAWS / PAIRS, CELLS = 32 };
    static uint32_t cells[CELLS * CELLS];
    double products = 0.0, families = 0.0;
    for (uint64_t number = 0; number < PAIRS; number++) {
        tw_rng_stream a, b, c;
        rng_stream_place(&a, &model, number);
        rng_stream_place(&b, &model, number + 1);
        rng_stream_place(&c, &core, number);
        for (int i = 0; i < EACH; i++) {
            const double u = tw_rand_unif(&a), v = tw_rand_unif(&b);
            cells[(unsigned)(u * CELLS) * CELLS + (unsigned)(v * CELLS)]++;
            products += (u - 0.5) * (v - 0.5);
            families += (u - 0.5) * (tw_rand_unif(&c) - 0.5);
        }
    }
    CU_ASSERT(fabs(products / DRAWS) < 4 * sqrt(1.0 / 144 / DRAWS));
    CU_ASSERT(fabs(families / DRAWS) < 4 * sqrt(1.0 / 144 / DRAWS));
    CU_ASSERT(fabs(chi_square_excess(cells, CELLS * CELLS, DRAWS / (double)(CELLS * CELLS))) < 4);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"reference values", test_reference},
        {"least and largest number", test_range},
        {"undo and rewind of both generators", test_undo_and_rewind},
        {"far rewind of both generators", test_far_rewind},
        {"jumper against placement, both generators", test_jumper},
        {"every bit of seeds and numbers counts", test_seeds_count},
        {"gammas", test_gammas},
        {"families of a run", test_families},
        {"mean, variance, correlation", test_moments},
        {"bytes", test_bytes},
        {"neighbouring streams", test_neighbours},
    };
    return suite_run("rng_fast", tests, sizeof tests / sizeof *tests);
}
