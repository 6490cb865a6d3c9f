/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of base/rng with CLCG4: draws, undoing, placement and jumping of streams. The fast
 * generator has its own tests in test_rng_fast.c.
 *
 * The expected values come from tests/unit/core/base/rng_reference.py, which computes them from the
 * definition with big integers. Doubles are compared bit for bit.
 */
#include <CUnit/Basic.h>
#include <time.h>

#include "base/rng.h"
#include "support/suite.h"

static const struct tw_rng model = {RNG_MODEL_SEEDS};
static const struct tw_rng core = {RNG_CORE_SEEDS};

/* Start of a stream and its first three draws. */
struct expected_stream {
    uint64_t number;
    uint32_t start[4];
    double draws[3];
};

static const struct expected_stream model_streams[] = {
    {0,
     {11111111, 22222222, 33333333, 44444444},
     {0x1.cfcf2252190a6p-1, 0x1.e4235ad8b1b8cp-2, 0x1.794cf8b5460a0p-2}},
    {1,
     {2121435502, 1887977043, 897632862, 446466865},
     {0x1.bdce376ff98eep-1, 0x1.d8032e9d7767cp-2, 0x1.36f34162c5e98p-2}},
    {2,
     {155974041, 2088681617, 156410398, 795798945},
     {0x1.fe3790ed0d14ap-1, 0x1.0498545cd3e92p-2, 0x1.ecd6129d6af4dp-1}},
    {1000,
     {1121417471, 489337073, 1896546154, 967177974},
     {0x1.f95b688abf663p-1, 0x1.22f18f7b8c5eap-5, 0x1.6a3e097577b36p-1}},
    {UINT64_C(1) << 33,
     {476648427, 1224079422, 1708152838, 1034023248},
     {0x1.0837dfc3e8c00p-1, 0x1.81beb4795459cp-1, 0x1.58214066fcc54p-3}},
    {UINT64_MAX,
     {1374712104, 869601560, 1071556103, 1251852798},
     {0x1.3e3576edcc99fp-1, 0x1.34309fc49a07cp-2, 0x1.63cbd188525b4p-1}},
};

static const struct expected_stream core_streams[] = {
    {0,
     {55555555, 66666666, 77777777, 88888888},
     {0x1.c002d11c15cc8p-3, 0x1.8fb7ce82f5128p-2, 0x1.d14e3feaa0053p-1}},
    {7,
     {1402580741, 1579193233, 1724124855, 978546071},
     {0x1.4e111c82045f7p-1, 0x1.d67a539d39926p-2, 0x1.49d11b4b05255p-2}},
};

/* Seeds 0, 2^32-1, 1, 2^31: clamped to 1, m-1, 1, m-1. */
static const struct expected_stream clamped_stream = {
    3,
    {82620310, 1031947454, 399487022, 500463870},
    {0x1.b12ba6c26398ep-2, 0x1.eda67f6f296f6p-1, 0x1.6c72c277a7222p-1}};

/* xorshift64*: the tests' own random numbers. */
static uint64_t test_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

static uint64_t test_seed(void)
{
    const char *given = getenv("WS_TEST_SEED");
    const uint64_t seed = given ? strtoull(given, NULL, 10) : 20240611;

    printf("WS_TEST_SEED=%" PRIu64 " ", seed);
    return seed | 1;
}

static bool stream_equal(const tw_rng_stream *a, const tw_rng_stream *b)
{
    return memcmp(a->c, b->c, sizeof(a->c)) == 0 && a->count == b->count &&
           a->reserved == b->reserved;
}

static bool state_is(tw_rng_stream *g, const uint32_t expected[4])
{
    uint32_t state[4];

    rng_get_state(g, state);
    return memcmp(state, expected, sizeof(state)) == 0;
}

static void check_stream(const struct tw_rng *rng, const struct expected_stream *expected)
{
    tw_rng_stream g;

    memset(&g, 0xff, sizeof(g));
    rng_stream_place(&g, rng, expected->number);
    CU_ASSERT(state_is(&g, expected->start));
    CU_ASSERT_EQUAL(g.count, 0);
    CU_ASSERT_EQUAL(rng_pair_mark(&g), 0);
    for (unsigned i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(tw_rand_unif(&g), expected->draws[i]);
        CU_ASSERT_EQUAL(g.count, i + 1);
    }
}

static void test_placement(void)
{
    for (size_t i = 0; i < sizeof(model_streams) / sizeof(*model_streams); i++) {
        check_stream(&model, &model_streams[i]);
    }
    for (size_t i = 0; i < sizeof(core_streams) / sizeof(*core_streams); i++) {
        check_stream(&core, &core_streams[i]);
    }
}

static void test_clamping(void)
{
    const struct tw_rng wild = {{0, UINT32_MAX, 1, UINT32_C(1) << 31}, RNG_CLCG4};
    const struct tw_rng tame = {{1, 2147483542, 1, 2147483322}, RNG_CLCG4};

    check_stream(&wild, &clamped_stream);
    check_stream(&tame, &clamped_stream);
}

static void test_initial_seed(void)
{
    tw_rng other = {RNG_CORE_SEEDS};
    tw_rng_stream g, expected;

    tw_rand_initial_seed(&g, 1000, NULL);
    rng_stream_place(&expected, &model, 1000);
    CU_ASSERT(stream_equal(&g, &expected));
    tw_rand_initial_seed(&g, 7, &other);
    rng_stream_place(&expected, &core, 7);
    CU_ASSERT(stream_equal(&g, &expected));
}

static void check_hash(const struct tw_rng *rng, uint64_t number, uint64_t expected,
                       const uint32_t end[4])
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    tw_rng_stream g;

    rng_stream_place(&g, rng, number);
    for (int i = 0; i < 100000; i++) {
        const double u = tw_rand_unif(&g);
        uint64_t bits;
        memcpy(&bits, &u, sizeof(bits));
        hash = (hash ^ bits) * UINT64_C(0x100000001b3);
    }
    CU_ASSERT_EQUAL(hash, expected);
    CU_ASSERT(state_is(&g, end));
}

static void test_long_sequences(void)
{
    static const uint32_t end_model[4] = {933937630, 821511321, 147671244, 603386801};
    static const uint32_t end_core[4] = {1273375991, 1770454480, 2116970188, 784736881};

    check_hash(&model, 5, UINT64_C(0x6f753313246270e6), end_model);
    check_hash(&core, 12345, UINT64_C(0x83c03465f9a3a538), end_core);
}

/* Rounding lets single states give exactly 0 or 1, or such intermediate sums. All results are
 * defined. */
static void test_rare_draws(void)
{
    static const struct {
        uint32_t before[4];
        double draw;
    } rare[] = {
        {{1107644847, 1303215555, 737482056, 76176217}, 0.0},
        {{1107644847, 1303215555, 1598537106, 295139216}, 1.0},
        {{1482962861, 409108928, 1697023261, 760406158}, 0x1.88ca6a7430160p-1},
        {{1107644847, 1185609519, 1366640779, 760406158}, 0x1.1194d5a2a3e67p-1},
    };

    for (size_t i = 0; i < sizeof(rare) / sizeof(*rare); i++) {
        tw_rng_stream g;
        rng_stream_resume(&g, rare[i].before);
        CU_ASSERT_EQUAL(tw_rand_unif(&g), rare[i].draw);
        CU_ASSERT_EQUAL(rng_pair_mark(&g), 0);
    }
}

static void test_undo(void)
{
    enum { DRAWS = 1000000 };
    static double drawn[DRAWS];
    tw_rng_stream g, start;
    int different = 0;

    rng_stream_place(&start, &model, 99);
    g = start;
    for (int i = 0; i < DRAWS; i++) {
        drawn[i] = tw_rand_unif(&g);
    }
    CU_ASSERT_EQUAL(g.count, DRAWS);
    for (int i = DRAWS - 1; i >= 0; i--) {
        tw_rand_reverse_unif(&g);
        different += rng_peek(&g) != drawn[i];
    }
    CU_ASSERT_EQUAL(different, 0);
    CU_ASSERT(stream_equal(&g, &start));
}

/* The extreme states, where a reduction with an error of one differs. */
static void test_undo_extremes(void)
{
    const uint32_t first[4] = {1, 1, 1, 1};
    const uint32_t last[4] = {2147483646, 2147483542, 2147483422, 2147483322};
    const uint32_t *states[2] = {first, last};

    for (int i = 0; i < 2; i++) {
        tw_rng_stream g;
        rng_stream_resume(&g, states[i]);
        CU_ASSERT(state_is(&g, states[i]));
        tw_rand_unif(&g);
        tw_rand_reverse_unif(&g);
        CU_ASSERT(state_is(&g, states[i]));
        tw_rand_reverse_unif(&g);
        tw_rand_unif(&g);
        CU_ASSERT(state_is(&g, states[i]));
        CU_ASSERT_EQUAL(g.count, 0);
    }
}

/* Reduction by folding against division. */
static void test_reduction(void)
{
    static const uint32_t deficits[4] = {RNG_D0, RNG_D1, RNG_D2, RNG_D3};
    uint64_t random = test_seed();
    int different = 0;

    for (int i = 0; i < 200000; i++) {
        const uint32_t d = deficits[i % 4], modulus = (UINT32_C(1) << 31) - d;
        const uint32_t edge = i % 3 == 0 ? modulus - 1 - (uint32_t)(i % 7) : 1;
        const uint32_t a = i % 5 ? (uint32_t)(test_random(&random) % modulus) : edge;
        const uint32_t b = (uint32_t)(test_random(&random) % modulus);
        const uint32_t small = (uint32_t)(test_random(&random) % (1 << 18));
        different += rng_mul(a, b, d) != (uint64_t)a * b % modulus;
        different += rng_mul_short(a, small, d) != (uint64_t)a * small % modulus;
        different += rng_mul(a, modulus - 1, d) != (uint64_t)a * (modulus - 1) % modulus;
    }
    CU_ASSERT_EQUAL(different, 0);
}

static bool lanes_equal(rng_lanes a, rng_lanes b)
{
    return memcmp(&a, &b, sizeof(a)) == 0;
}

/* Draws a state; every third time its lanes are at the ends of their ranges. */
static rng_lanes random_lanes(uint64_t *random)
{
    static const uint32_t moduli[4] = {RNG_M(0), RNG_M(1), RNG_M(2), RNG_M(3)};
    rng_lanes c = {0};

    for (int j = 0; j < 4; j++) {
        const uint32_t r = (uint32_t)(test_random(random) % (moduli[j] - 1));
        const uint32_t edge = r & 1 ? r % 3 : moduli[j] - 2 - r % 3;
        c[j] = 1 + (test_random(random) % 3 == 0 ? edge : r);
    }
    return c;
}

/* The version of this processor against the plain one. */
static void test_versions(void)
{
    uint64_t random = test_seed();
    int different = 0;

    for (int i = 0; i < 300000; i++) {
        const rng_lanes c = random_lanes(&random), f = random_lanes(&random);
        const struct rng_factors factors = RNG_FACTORS(f[0], f[1], f[2], f[3]);
        different += !lanes_equal(rng_lanes_step(c), rng_plain_step(c));
        different += !lanes_equal(rng_lanes_mul(c, &factors), rng_plain_mul(c, &factors));
        different += !lanes_equal(rng_lanes_step_back(rng_lanes_step(c)), c);
        different += rng_lanes_value(c) != rng_plain_value(c);
    }
    CU_ASSERT_EQUAL(different, 0);
}

static void test_rewind(void)
{
    uint64_t random = test_seed();

    for (int round = 0; round < 200; round++) {
        const uint64_t n = test_random(&random) % 300;
        tw_rng_stream g, start;
        rng_stream_place(&start, &model, test_random(&random));
        g = start;
        for (uint64_t i = 0; i < n; i++) {
            tw_rand_unif(&g);
        }
        rng_stream_rewind(&g, n);
        CU_ASSERT(stream_equal(&g, &start));
    }
}

static void check_jumper(const struct tw_rng *rng, uint64_t first, uint64_t stride)
{
    struct rng_stream_jumper jumper;

    rng_jumper_init(&jumper, rng, first, stride);
    for (uint64_t i = 0; i < 50; i++) {
        tw_rng_stream g, expected;
        memset(&g, 0xff, sizeof(g));
        rng_jumper_next(&jumper, &g);
        rng_stream_place(&expected, rng, first + i * stride);
        CU_ASSERT(stream_equal(&g, &expected));
    }
}

static void test_jumper(void)
{
    const struct tw_rng wild = {{0, UINT32_MAX, 1, UINT32_C(1) << 31}, RNG_CLCG4};
    uint64_t random = test_seed();

    check_jumper(&model, 0, 1);
    check_jumper(&core, 1000000, 1);
    check_jumper(&wild, 3, 1);
    for (int round = 0; round < 50; round++) {
        check_jumper(&model, test_random(&random) >> 8, test_random(&random) % 100000);
    }
}

static void test_jumper_speed(void)
{
    enum { STREAMS = 1000000 };
    struct rng_stream_jumper jumper;
    tw_rng_stream *streams = malloc(STREAMS * sizeof(*streams));
    tw_rng_stream last;

    CU_ASSERT_FATAL(streams != NULL);
    rng_jumper_init(&jumper, &model, 0, 1);
    const clock_t begin = clock();
    for (int i = 0; i < STREAMS; i++) {
        rng_jumper_next(&jumper, &streams[i]);
    }
    printf("%.1f ns per stream ", (double)(clock() - begin) * 1e9 / CLOCKS_PER_SEC / STREAMS);
    rng_stream_place(&last, &model, STREAMS - 1);
    CU_ASSERT(stream_equal(&streams[STREAMS - 1], &last));
    free(streams);
}

static void test_state_access(void)
{
    uint32_t state[4] = {0};
    char text[100] = "";
    tw_rng_stream g;
    FILE *f = fmemopen(text, sizeof(text), "w");

    CU_ASSERT_FATAL(f != NULL);
    rng_stream_place(&g, &model, 0);
    rng_get_state(&g, state);
    CU_ASSERT_EQUAL(memcmp(state, model.seed, sizeof(state)), 0);
    rng_write_state(&g, f);
    fclose(f);
    CU_ASSERT_STRING_EQUAL(text, "State = 11111111 22222222 33333333 44444444\n");
}

static void test_replications(void)
{
    static const unsigned numbers[] = {1, 2, RNG_REPLICATIONS};
    for (int i = 0; i < 3; i++) {
        tw_rng_stream g, expected;
        g_tw_replication = numbers[i];
        struct tw_rng families[] = {rng_model_family(), rng_core_family()};
        g_tw_replication = 0;
        for (int f = 0; f < 2; f++) {
            rng_stream_place(&g, &families[f], 5);
            rng_stream_place(&expected, f == 1 ? &core : &model,
                             5 + numbers[i] * RNG_REPLICATION_STREAMS);
            CU_ASSERT(memcmp(g.c, expected.c, sizeof g.c) == 0);
        }
    }
    g_tw_rng_kind = RNG_FAST;
    struct tw_rng first = rng_model_family();
    g_tw_replication = 1;
    struct tw_rng second = rng_model_family();
    g_tw_replication = 0;
    g_tw_rng_kind = RNG_CLCG4;
    CU_ASSERT(rng_fast_place(first.seed, 0).start != rng_fast_place(second.seed, 0).start);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"placement of streams, first draws", test_placement},
        {"seeds are clamped", test_clamping},
        {"tw_rand_initial_seed", test_initial_seed},
        {"100000 draws", test_long_sequences},
        {"draws at the edges of rounding", test_rare_draws},
        {"a million draws undone", test_undo},
        {"draw and undo at extreme states", test_undo_extremes},
        {"reduction against division", test_reduction},
        {"vectors against plain code", test_versions},
        {"rewind", test_rewind},
        {"replications have streams of their own", test_replications},
        {"jumper against placement", test_jumper},
        {"jumper over a million streams", test_jumper_speed},
        {"state access", test_state_access},
    };
    return suite_run("rng", tests, sizeof tests / sizeof *tests);
}
