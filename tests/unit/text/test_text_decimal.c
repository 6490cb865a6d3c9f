/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of text/decimal: numbers read back as they were, in the shortest form, and look the same in
 * every locale.
 *
 */
#include <CUnit/Basic.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "support/suite.h"
#include "text/decimal.h"

static void check_f64(double v, const char *expected)
{
    char text[DECIMAL_MAX];
    CU_ASSERT_EQUAL(decimal_f64(text, v), strlen(expected));
    CU_ASSERT_STRING_EQUAL(text, expected);
}

static void test_doubles(void)
{
    check_f64(0, "0");
    check_f64(-0.0, "-0");
    check_f64(1, "1");
    check_f64(-123456789, "-123456789");
    check_f64(0.1, "0.1");
    check_f64(1e-6, "1e-06");
    check_f64(1.0 / 3, "0.3333333333333333");
    check_f64(0.1 + 0.2, "0.30000000000000004");
    check_f64(999999999999999, "999999999999999");
    check_f64(1e15, "1e+15");
    check_f64(9007199254740993.0, "9007199254740992");
    check_f64(DBL_MAX, "1.7976931348623157e+308");
    check_f64(1e300, "1e+300");
    check_f64(DBL_TRUE_MIN, "4.94065645841247e-324");
    check_f64(NAN, "nan");
    check_f64(INFINITY, "inf");
    check_f64(-INFINITY, "-inf");
}

/* Draws a double of a common or a difficult kind. */
static double random_double(uint64_t *seed)
{
    uint64_t bits = random_bits(seed);
    double d;
    memcpy(&d, &bits, sizeof d);
    switch (random_below(seed, 8)) {
    case 0: /* few digits */
        return (double)(int64_t)(bits >> 34) / pow(10, (double)random_below(seed, 20));
    case 1: /* sums of steps */
        return (double)random_below(seed, 100000) * 0.1 + (double)random_below(seed, 1000) * 0.001;
    case 2: /* a power of two or its neighbour: the distances on its sides differ */
        d = ldexp(1.0, (int)random_below(seed, 100) - 45);
        return bits % 3 == 0 ? d : nextafter(d, bits % 3 == 1 ? 0 : INFINITY);
    case 3: /* a power of ten or its neighbour */
        d = pow(10, (double)random_below(seed, 30) - 12);
        return bits % 3 == 0 ? d : nextafter(d, bits % 3 == 1 ? 0 : INFINITY);
    case 4: /* ends in ...5 at the digit that is rounded */
        return (double)(bits >> 14 | 1) * 0.5;
    case 5: /* the range of times */
        return ldexp((double)(bits >> 11), (int)random_below(seed, 80) - 100);
    case 6:
        return -random_unit(seed);
    default:
        return d;
    }
}

/* Exactly what printf() and strtod() come to. */
static void test_like_printf(void)
{
    uint64_t seed = suite_seed(), wrong = 0;
    suite_print_seed("text_decimal", seed);
    for (int i = 0; i < 300000; i++) {
        char text[DECIMAL_MAX], expected[DECIMAL_MAX];
        double d = random_double(&seed);
        float f = (float)d;
        if (!isfinite(d) || !isfinite(f)) {
            continue;
        }
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(expected, sizeof expected, "%.*g", digits, d);
            if (strtod(expected, NULL) == d) {
                break;
            }
        }
        /* Whole numbers are written with all digits up to 10^15: the same as %.15g. */
        if (decimal_f64(text, d) != strlen(expected) || strcmp(text, expected) != 0) {
            printf("%a: %s, not %s\n", d, text, expected);
            wrong++;
        }
        for (int digits = 6; digits <= 9; digits++) {
            snprintf(expected, sizeof expected, "%.*g", digits, (double)f);
            if (strtof(expected, NULL) == f) {
                break;
            }
        }
        if (decimal_f32(text, f) != strlen(expected) || strcmp(text, expected) != 0) {
            printf("%a: %s, not %s\n", (double)f, text, expected);
            wrong++;
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void test_whole_numbers(void)
{
    char text[DECIMAL_MAX], expected[DECIMAL_MAX];
    for (int digits = 0; digits < 20; digits++) {
        uint64_t power = 1;
        for (int i = 0; i < digits; i++) {
            power *= 10;
        }
        for (uint64_t v = power - 1; v != power + 2; v++) {
            snprintf(expected, sizeof expected, "%" PRIu64, v);
            CU_ASSERT_EQUAL(decimal_u64(text, v), strlen(expected));
            CU_ASSERT_STRING_EQUAL(text, expected);
        }
    }
    CU_ASSERT_EQUAL(decimal_u64(text, UINT64_MAX), 20);
    CU_ASSERT_STRING_EQUAL(text, "18446744073709551615");
}

static void test_random_numbers(void)
{
    uint64_t seed = suite_seed(), wrong = 0;
    suite_print_seed("text_decimal", seed);
    for (int i = 0; i < 200000; i++) {
        char text[DECIMAL_MAX], expected[DECIMAL_MAX];
        uint64_t bits = random_bits(&seed);
        double d;
        float f;
        memcpy(&d, &bits, sizeof d);
        memcpy(&f, &bits, sizeof f);
        d = i % 3 == 0 ? (double)(int64_t)(bits >> (bits & 63)) : d;
        wrong += decimal_f64(text, d) != strlen(text) || (isfinite(d) && strtod(text, NULL) != d);
        wrong += decimal_f32(text, f) != strlen(text) || (isfinite(f) && strtof(text, NULL) != f);
        snprintf(expected, sizeof expected, "%llu", (unsigned long long)bits);
        wrong += decimal_u64(text, bits) != strlen(expected) || strcmp(text, expected) != 0;
        snprintf(expected, sizeof expected, "%lld", (long long)bits);
        wrong +=
            decimal_i64(text, (int64_t)bits) != strlen(expected) || strcmp(text, expected) != 0;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    char text[DECIMAL_MAX];
    decimal_i64(text, INT64_MIN);
    CU_ASSERT_STRING_EQUAL(text, "-9223372036854775808");
}

/* Sets a locale with a decimal comma, if this machine has one. */
static void test_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (setlocale(LC_NUMERIC, names[i]) != NULL) {
            check_f64(1234.0625, "1234.0625");
            check_f64(1.5e-300, "1.5e-300");
            setlocale(LC_NUMERIC, "C");
            return;
        }
    }
    printf(" (no locale with a decimal comma here: not tested) ");
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"doubles", test_doubles},
                                        {"like printf", test_like_printf},
                                        {"whole numbers", test_whole_numbers},
                                        {"random numbers", test_random_numbers},
                                        {"decimal point in every locale", test_locale}};
    return suite_run("text_decimal", tests, sizeof tests / sizeof tests[0]);
}
