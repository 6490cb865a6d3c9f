/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of the parts of "warpscope stats": sums by key in bounded memory, distributions, sets of
 * numbers, pictures in text.
 *
 * test: libs=warpscope_reading
 */
#include <CUnit/Basic.h>
#include <math.h>
#include <string.h>

#include "data/histogram.h"
#include "data/top_k.h"
#include "render/text.h"
#include "support/suite.h"

/* ---- Sums by key ----------------------------------------------------------------------------- */

#define KEYS   3000
#define GROUPS 3

struct top_model {
    uint64_t values[GROUPS][KEYS][2];
};

/* Random numbers for random keys, most of them for few keys. */
static void top_feed(struct ws_top_k *top, struct top_model *model, uint64_t n_keys, uint64_t *seed)
{
    memset(model, 0, sizeof *model);
    for (uint64_t group = 0; group < GROUPS; group++) {
        for (int i = 0; i < 20000; i++) {
            double u = random_unit(seed);
            uint64_t key = (uint64_t)((double)n_keys * u * u * u), amount = random_below(seed, 5);
            uint64_t *values = ws_top_k_values(top, key * GROUPS + group);
            CU_ASSERT_PTR_NOT_NULL_FATAL(values);
            values[0] += 1;
            values[1] += amount;
            model->values[group][key][0] += 1;
            model->values[group][key][1] += amount;
        }
        CU_ASSERT(ws_top_k_check(top));
        ws_top_k_close(top, group);
        CU_ASSERT(ws_top_k_check(top));
    }
}

/* With space for all keys of a group everything is exact. */
static void test_top_exact(void)
{
    uint64_t seed = suite_seed(), wrong = 0;
    struct top_model *model = malloc(sizeof *model);
    suite_print_seed("reader_stats", seed);
    for (int round = 0; round < 20; round++) {
        struct ws_top_k top;
        ws_top_k_init(&top, 2, 1, KEYS, 25);
        top_feed(&top, model, 1 + random_below(&seed, KEYS), &seed);
        uint64_t better = 0, keys = 0, worst = top.winners[top.n_winners - 1].values[1];
        for (uint64_t g = 0; g < GROUPS; g++) {
            for (uint64_t k = 0; k < KEYS; k++) {
                better += model->values[g][k][1] > worst;
                keys += model->values[g][k][0] > 0;
            }
        }
        for (uint32_t i = 0; i < top.n_winners; i++) {
            const struct ws_top_k_entry *e = &top.winners[i];
            const uint64_t *values = model->values[e->group][e->key / GROUPS];
            wrong += e->key % GROUPS != e->group || e->error != 0;
            wrong += e->values[0] != values[0] || e->values[1] != values[1];
            better -= e->values[1] > worst;
        }
        wrong += better != 0 || keys != top.keys || top.n_winners != (keys < 25 ? keys : 25);
        ws_top_k_free(&top);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    free(model);
}

/* A full table keeps the half with the greater values; of equal ones the latest, wherever they are. */
static void test_top_ties(void)
{
    static const struct {
        uint64_t values[5];
        uint32_t n, kept[2];
    } cases[] = {{{5, 5, 1, 1}, 4, {0, 1}},
                 {{1, 1, 5, 5}, 4, {2, 3}},
                 {{3, 3, 3, 3}, 4, {2, 3}},
                 {{3, 9, 3, 3}, 4, {1, 3}},
                 {{2, 7, 7, 7, 1}, 5, {2, 3}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ws_top_k top;
        ws_top_k_init(&top, 1, 0, cases[i].n, 1);
        for (uint32_t k = 0; k < cases[i].n; k++) {
            ws_top_k_values(&top, k)[0] = cases[i].values[k];
        }
        ws_top_k_values(&top, 100)[0] = 1;
        CU_ASSERT(ws_top_k_check(&top));
        CU_ASSERT_EQUAL_FATAL(top.n, 3);
        CU_ASSERT_EQUAL(ws_top_k_at(&top, 0)->key, cases[i].kept[0]);
        CU_ASSERT_EQUAL(ws_top_k_at(&top, 1)->key, cases[i].kept[1]);
        CU_ASSERT_EQUAL(ws_top_k_at(&top, 2)->key, 100);
        ws_top_k_free(&top);
    }
}

/* With space for some keys only, the stated bounds hold for kept and for dropped keys. */
static void test_top_bounded(void)
{
    uint64_t seed = suite_seed(), wrong = 0, errors = 0;
    struct top_model *model = malloc(sizeof *model);
    suite_print_seed("reader_stats", seed);
    for (int round = 0; round < 20; round++) {
        struct ws_top_k top;
        uint32_t capacity = 2 + (uint32_t)random_below(&seed, 400);
        ws_top_k_init(&top, 2, 1, capacity, 10);
        memset(model, 0, sizeof *model);
        for (int i = 0; i < 20000; i++) {
            double u = random_unit(&seed);
            uint64_t key = (uint64_t)(KEYS * u * u * u);
            uint64_t *values = ws_top_k_values(&top, key);
            values[1]++;
            model->values[0][key][1]++;
            if (i % 1000 == 0) {
                CU_ASSERT(ws_top_k_check(&top));
            }
        }
        uint64_t limit = top.error;
        bool kept[KEYS] = {false};
        for (uint32_t i = 0; i < top.n; i++) {
            const struct ws_top_k_entry *e = ws_top_k_at(&top, i);
            uint64_t exact = model->values[0][e->key][1];
            kept[e->key] = true;
            wrong += e->values[1] > exact || e->values[1] + e->error < exact;
            errors += e->error > 0;
        }
        for (uint64_t k = 0; k < KEYS; k++) {
            wrong += !kept[k] && model->values[0][k][1] > limit;
        }
        ws_top_k_close(&top, 0);
        CU_ASSERT(ws_top_k_check(&top));
        ws_top_k_free(&top);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_TRUE(errors > 100);
    free(model);
}

/* ---- Distributions --------------------------------------------------------------------------- */

static int by_double(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void test_dist(void)
{
    uint64_t seed = suite_seed(), wrong = 0;
    double *values = malloc(5000 * sizeof *values);
    struct ws_histogram *d = malloc(sizeof *d);
    suite_print_seed("reader_stats", seed);
    for (int round = 0; round < 50; round++) {
        size_t n = 1 + random_below(&seed, 5000);
        double sum = 0, spread = (double)random_below(&seed, 40);
        memset(d, 0, sizeof *d);
        for (size_t i = 0; i < n; i++) {
            values[i] =
                random_below(&seed, 10) == 0 ? 0.0 : exp((random_unit(&seed) - 0.5) * spread);
            sum += values[i];
            ws_histogram_add(d, values[i], 1);
        }
        ws_histogram_add(d, NAN, 1);
        qsort(values, n, sizeof *values, by_double);
        wrong += d->n != n || d->min != values[0] || d->max != values[n - 1];
        wrong += fabs(ws_histogram_mean(d) - sum / (double)n) > 1e-9 * sum;
        for (double q = 0.05; q < 1.0; q += 0.05) {
            double exact = values[(size_t)ceil(q * (double)n) - 1],
                   got = ws_histogram_quantile(d, q);
            if (fabs(got - exact) > 0.032 * exact) {
                printf("quantile %g of %zu: %g, not %g\n", q, n, got, exact);
                wrong++;
            }
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    memset(d, 0, sizeof *d);
    CU_ASSERT_EQUAL(ws_histogram_quantile(d, 0.5), 0.0);
    CU_ASSERT_EQUAL(ws_histogram_mean(d), 0.0);
    static const double odd[] = {INFINITY, -INFINITY, 5e-324, 1.7e308, -1.0, -0.0};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        ws_histogram_add(d, odd[i], 3);
    }
    CU_ASSERT_EQUAL(d->n, 18);
    CU_ASSERT_EQUAL(ws_histogram_quantile(d, 1.0), INFINITY);
    free(d);
    free(values);
}

/* ---- Pictures -------------------------------------------------------------------------------- */

static void test_line(void)
{
    static const double values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, NAN, -1, 9};
    char text[WS_PLOT_BYTES(12)];
    ws_plot_line(text, values, 12, 0, 8, false);
    CU_ASSERT_STRING_EQUAL(text, "_.-:=+*## _#");
    ws_plot_line(text, values, 12, 0, 8, true);
    CU_ASSERT_STRING_EQUAL(text, "▁▂▃▄▅▆▇██ ▁█");
    ws_plot_line(text, values, 3, 5, 5, false);
    CU_ASSERT_STRING_EQUAL(text, ":::");
    double low = 0, high = 0;
    CU_ASSERT_TRUE(ws_plot_range(values, 12, &low, &high));
    CU_ASSERT_TRUE(low == -1 && high == 9);
    CU_ASSERT_FALSE(ws_plot_range(values + 9, 1, &low, &high));
}

static void check_bar(double part, const char *utf8, const char *ascii)
{
    char text[WS_PLOT_BYTES(4)];
    ws_plot_bar(text, part, 4, true);
    CU_ASSERT_STRING_EQUAL(text, utf8);
    ws_plot_bar(text, part, 4, false);
    CU_ASSERT_STRING_EQUAL(text, ascii);
}

static void test_bar(void)
{
    check_bar(0, "    ", "    ");
    check_bar(1.0 / 32, "▏   ", "    ");
    check_bar(0.5, "██  ", "##  ");
    check_bar(0.5 + 4.0 / 32, "██▌ ", "### ");
    check_bar(31.0 / 32, "███▉", "####");
    check_bar(1, "████", "####");
    check_bar(7, "████", "####");
    check_bar(NAN, "    ", "    ");
}

static void test_numbers(void)
{
    char t[WS_COUNT_MAX];
    CU_ASSERT_STRING_EQUAL(ws_count_text(t, 0), "0");
    CU_ASSERT_STRING_EQUAL(ws_count_text(t, 999), "999");
    CU_ASSERT_STRING_EQUAL(ws_count_text(t, 1234567), "1,234,567");
    CU_ASSERT_STRING_EQUAL(ws_count_text(t, 999999999999999), "999,999,999,999,999");
    CU_ASSERT_STRING_EQUAL(ws_count_text(t, UINT64_MAX), "1.84e+19");
    CU_ASSERT_STRING_EQUAL(ws_number_text(t, 0), "0");
    CU_ASSERT_STRING_EQUAL(ws_number_text(t, 17), "17");
    CU_ASSERT_STRING_EQUAL(ws_number_text(t, 0.012341), "0.01234");
    CU_ASSERT_STRING_EQUAL(ws_number_text(t, 0.00012345), "0.0001234");
    CU_ASSERT_STRING_EQUAL(ws_number_fit(t, -1234567890.0, 9), "-1.23e+09");
    CU_ASSERT_STRING_EQUAL(ws_number_fit(t, 123456789.0, 11), "123,456,789");
    CU_ASSERT_STRING_EQUAL(ws_count_fit(t, 999999999, 11), "999,999,999");
    CU_ASSERT_STRING_EQUAL(ws_count_fit(t, 1234567890, 11), "1,234,568 k");
    CU_ASSERT_STRING_EQUAL(ws_count_fit(t, 1234567890, 10), "1,235 M");
    CU_ASSERT_STRING_EQUAL(ws_count_fit(t, UINT64_MAX, 7), "18 E");
    CU_ASSERT_STRING_EQUAL(ws_number_text(t, 1.23456), "1.235");
    CU_ASSERT_STRING_EQUAL(ws_number_text(t, 12.3456), "12.35");
    CU_ASSERT_STRING_EQUAL(ws_number_text(t, -123.456), "-123.5");
    CU_ASSERT_STRING_EQUAL(ws_number_text(t, -1234567.8), "-1,234,568");
    CU_ASSERT_STRING_EQUAL(ws_number_text(t, 1.5e-7), "1.500e-07");
    CU_ASSERT_STRING_EQUAL(ws_number_text(t, 2e300), "2.000e+300");
    CU_ASSERT_STRING_EQUAL(ws_number_text(t, NAN), "nan");
    CU_ASSERT_STRING_EQUAL(ws_seconds_text(t, 0), "0 s");
    CU_ASSERT_STRING_EQUAL(ws_seconds_text(t, 12.345), "12.35 s");
    CU_ASSERT_STRING_EQUAL(ws_seconds_text(t, 0.0123), "12.30 ms");
    CU_ASSERT_STRING_EQUAL(ws_seconds_text(t, 3.5e-9), "3.500 ns");
}

/* The first variable that is set decides. */
static void test_utf8(void)
{
    setenv("LC_ALL", "C", 1);
    setenv("LANG", "en_US.UTF-8", 1);
    CU_ASSERT_FALSE(ws_plot_utf8());
    setenv("LC_ALL", "", 1);
    unsetenv("LC_CTYPE");
    CU_ASSERT_TRUE(ws_plot_utf8());
    setenv("LC_CTYPE", "de_DE.utf8", 1);
    setenv("LANG", "C", 1);
    CU_ASSERT_TRUE(ws_plot_utf8());
    setenv("LC_CTYPE", "de_DE.ISO-8859-1", 1);
    CU_ASSERT_FALSE(ws_plot_utf8());
    unsetenv("LC_CTYPE");
    unsetenv("LC_ALL");
    unsetenv("LANG");
    CU_ASSERT_FALSE(ws_plot_utf8());
}

/* Keys that occur in several groups have their values of all of them, and their group of the latest
 * era. */
static void test_top_joined(void)
{
    /* Key, era, group, in the order of a file: group by group. */
    static const uint64_t rows[][3] = {{7, 0, 0}, {8, 0, 0}, {7, 1, 0}, {9, 1, 0}, {7, 0, 1},
                                       {8, 1, 1}, {9, 0, 1}, {5, 1, 2}, {7, 0, 2}};
    static const uint64_t wanted[][3] = {{7, 4, 0}, {8, 2, 1}, {9, 2, 0}, {5, 1, 2}};
    struct ws_top_k top;
    ws_top_k_init(&top, 1, 0, 16, 10);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ws_top_k_enter(&top, (uint32_t)rows[i][1], (uint32_t)rows[i][2]);
        ws_top_k_values(&top, rows[i][0])[0]++;
        CU_ASSERT(ws_top_k_check(&top));
    }
    ws_top_k_close(&top, 2);
    CU_ASSERT(ws_top_k_check(&top));
    CU_ASSERT_EQUAL(top.keys, 4);
    CU_ASSERT_EQUAL_FATAL(top.n_winners, 4);
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(top.winners[i].key, wanted[i][0]);
        CU_ASSERT_EQUAL(top.winners[i].values[0], wanted[i][1]);
        CU_ASSERT_EQUAL(top.winners[i].group, wanted[i][2]);
    }
    ws_top_k_free(&top);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"top, exact", test_top_exact},
                                        {"sums by key, of several groups", test_top_joined},
                                        {"top, bounded", test_top_bounded},
                                        {"top, ties", test_top_ties},
                                        {"distributions", test_dist},
                                        {"lines", test_line},
                                        {"bars", test_bar},
                                        {"numbers", test_numbers},
                                        {"UTF-8 or not", test_utf8}};
    return suite_run("reader_stats", tests, sizeof tests / sizeof tests[0]);
}
