/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparisons: verdicts on noise and the 95 % interval, against a count of all divisions of the values. */
/* test: libs=warpscope_reading */
#include <math.h>
#include <string.h>

#include "compare/compare.h"
#include "support/suite.h"

/* Returns the number of pairs in which the value of the group with the bits `set` is smaller. */
static unsigned pairs_of(const double *values, unsigned n, unsigned set)
{
    unsigned pairs = 0;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < n; k++) {
            pairs += (set >> i & 1u) != 0 && (set >> k & 1u) == 0 && values[i] < values[k];
        }
    }
    return pairs;
}

/* Returns the share of all divisions of the values into groups of n and m that are at least as uneven as
 * the one given. */
static double chance(const double *a, unsigned n, const double *b, unsigned m, double ratio)
{
    double values[16];
    unsigned low = 0, high = 0, all = 0;
    for (unsigned i = 0; i < n + m; i++) {
        values[i] = i < n ? a[i] * ratio : b[i - n];
    }
    unsigned own = pairs_of(values, n + m, (1u << n) - 1u);
    for (unsigned set = 0; set < 1u << (n + m); set++) {
        if ((unsigned)__builtin_popcount(set) == n) {
            unsigned pairs = pairs_of(values, n + m, set);
            all++;
            low += pairs <= own;
            high += pairs >= own;
        }
    }
    return 2.0 * (low < high ? low : high) / all;
}

/* Returns what is wrong with the comparison of two groups of different values. */
static unsigned judge(const double *a, unsigned n, const double *b, unsigned m)
{
    const struct noise noise = noise_of(a, n, b, m);
    bool apart = a[n - 1] < b[0] || b[m - 1] < a[0], has_ends = noise.low == noise.low;
    double never = chance((const double[]){1, 2, 3, 4, 5, 6, 7, 8}, n,
                          (const double[]){11, 12, 13, 14, 15, 16, 17, 18}, m, 1.0);
    unsigned wrong = has_ends != (never <= 0.05);
    if (!has_ends) {
        enum noise_verdict wanted = n + m == 2 ? NOISE_ONE : apart ? NOISE_FEW : NOISE_WITHIN;
        return wrong + (noise.verdict != wanted);
    }
    bool more = chance(a, n, b, m, 1.0) <= 0.05;
    wrong += noise.verdict != (more ? NOISE_MORE : NOISE_WITHIN);
    wrong += !(noise.low <= noise.ratio && noise.ratio <= noise.high);
    /* Ratios beyond the ends are refused, those before them are not. */
    wrong += chance(a, n, b, m, noise.low * (1.0 - 1e-12)) > 0.05;
    wrong += chance(a, n, b, m, noise.low * (1.0 + 1e-12)) <= 0.05;
    wrong += chance(a, n, b, m, noise.high * (1.0 + 1e-12)) > 0.05;
    return wrong + (chance(a, n, b, m, noise.high * (1.0 - 1e-12)) <= 0.05);
}

static void test_noise(void)
{
    uint64_t seed = suite_seed();
    unsigned wrong = 0, verdicts[NOISE_MORE + 1] = {0};
    suite_print_seed("reader_compare", seed);
    for (size_t round = 0; round < 300; round += suite_step(10)) {
        double groups[2][6];
        unsigned n[2];
        for (int g = 0; g < 2; g++) {
            n[g] = 1 + (unsigned)random_below(&seed, 6);
            double shift = random_below(&seed, 2) == 0 ? 1.0 : 1.4;
            for (unsigned i = 0; i < n[g]; i++) {
                groups[g][i] = shift + 1e-9 * (double)random_below(&seed, 1000000000);
            }
            noise_median(groups[g], n[g]); /* sorts them */
        }
        wrong += judge(groups[0], n[0], groups[1], n[1]);
        verdicts[noise_of(groups[0], n[0], groups[1], n[1]).verdict]++;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_TRUE(suite_step(10) > 1 || (verdicts[NOISE_FEW] > 0 && verdicts[NOISE_WITHIN] > 9 &&
                                          verdicts[NOISE_MORE] > 9));
}

/* Known values of k (tables of the critical values of U, 5 %, two-sided: k - 1), and the largest groups. */
static void test_ranks(void)
{
    static const unsigned known[][3] = {{3, 3, 0}, {4, 4, 1},  {3, 5, 1},    {5, 5, 3},
                                        {2, 8, 1}, {8, 8, 14}, {10, 10, 24}, {16, 16, 76}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        CU_ASSERT_EQUAL(noise_rank(known[i][0], known[i][1]), known[i][2]);
        CU_ASSERT_EQUAL(noise_rank(known[i][1], known[i][0]), known[i][2]);
    }
    const double zero[] = {0.0, 1.0}, one[] = {1.0, 1.0}, same[] = {2, 2, 2, 2, 2};
    CU_ASSERT_EQUAL(noise_of(zero, 2, one, 2).verdict, NOISE_UNKNOWN);
    CU_ASSERT_EQUAL(noise_of(one, 0, one, 2).verdict, NOISE_UNKNOWN);
    CU_ASSERT_EQUAL(noise_of(same, 5, same, 5).verdict, NOISE_WITHIN);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"noise", test_noise}, {"ranks", test_ranks}};
    return suite_run("reader_compare", tests, sizeof tests / sizeof tests[0]);
}
