/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of reader/text: numbers read back as they were and in the shortest form; strings come out
 * valid whatever is in them.
 *
 * test: libs=warpscope_reading unwind=fast
 */
#include <CUnit/Basic.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "support/suite.h"
#include "text/text.h"

static void check_f64(double v, const char *expected)
{
    char text[WS_NUMBER_MAX];
    CU_ASSERT_EQUAL(ws_format_f64(text, v), strlen(expected));
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
    suite_print_seed("reader_text", seed);
    for (int i = 0; i < 300000; i++) {
        char text[WS_NUMBER_MAX], expected[WS_NUMBER_MAX];
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
        if (ws_format_f64(text, d) != strlen(expected) || strcmp(text, expected) != 0) {
            printf("%a: %s, not %s\n", d, text, expected);
            wrong++;
        }
        for (int digits = 6; digits <= 9; digits++) {
            snprintf(expected, sizeof expected, "%.*g", digits, (double)f);
            if (strtof(expected, NULL) == f) {
                break;
            }
        }
        if (ws_format_f32(text, f) != strlen(expected) || strcmp(text, expected) != 0) {
            printf("%a: %s, not %s\n", (double)f, text, expected);
            wrong++;
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void test_whole_numbers(void)
{
    char text[WS_NUMBER_MAX], expected[WS_NUMBER_MAX];
    for (int digits = 0; digits < 20; digits++) {
        uint64_t power = 1;
        for (int i = 0; i < digits; i++) {
            power *= 10;
        }
        for (uint64_t v = power - 1; v != power + 2; v++) {
            snprintf(expected, sizeof expected, "%" PRIu64, v);
            CU_ASSERT_EQUAL(ws_format_u64(text, v), strlen(expected));
            CU_ASSERT_STRING_EQUAL(text, expected);
        }
    }
    CU_ASSERT_EQUAL(ws_format_u64(text, UINT64_MAX), 20);
    CU_ASSERT_STRING_EQUAL(text, "18446744073709551615");
}

static void test_random_numbers(void)
{
    uint64_t seed = suite_seed(), wrong = 0;
    suite_print_seed("reader_text", seed);
    for (int i = 0; i < 200000; i++) {
        char text[WS_NUMBER_MAX], expected[WS_NUMBER_MAX];
        uint64_t bits = random_bits(&seed);
        double d;
        float f;
        memcpy(&d, &bits, sizeof d);
        memcpy(&f, &bits, sizeof f);
        d = i % 3 == 0 ? (double)(int64_t)(bits >> (bits & 63)) : d;
        wrong += ws_format_f64(text, d) != strlen(text) || (isfinite(d) && strtod(text, NULL) != d);
        wrong += ws_format_f32(text, f) != strlen(text) || (isfinite(f) && strtof(text, NULL) != f);
        snprintf(expected, sizeof expected, "%llu", (unsigned long long)bits);
        wrong += ws_format_u64(text, bits) != strlen(expected) || strcmp(text, expected) != 0;
        snprintf(expected, sizeof expected, "%lld", (long long)bits);
        wrong +=
            ws_format_i64(text, (int64_t)bits) != strlen(expected) || strcmp(text, expected) != 0;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    char text[WS_NUMBER_MAX];
    ws_format_i64(text, INT64_MIN);
    CU_ASSERT_STRING_EQUAL(text, "-9223372036854775808");
}

enum form { JSON, CSV, PLAIN };

static void check_string(enum form form, const char *in, size_t size, const char *expected)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    switch (form) {
    case JSON:
        ws_json_string(out, in, size);
        break;
    case CSV:
        ws_csv_string(out, in, size);
        break;
    case PLAIN:
        ws_plain_string(out, in);
        break;
    }
    fclose(out);
    CU_ASSERT_STRING_EQUAL(text, expected);
    free(text);
}

static void test_json(void)
{
    check_string(JSON, "", 0, "\"\"");
    check_string(JSON, "a\"b\\c\n\x7f", 7, "\"a\\\"b\\\\c\\u000a\\u007f\"");
    check_string(JSON, "a\0b", 3, "\"a\\u0000b\"");
    check_string(JSON, "\xc3\xa9\xf0\x9f\x98\x80", 6, "\"\xc3\xa9\xf0\x9f\x98\x80\"");
    check_string(JSON, "\xc3", 1, "\"\\ufffd\"");
    check_string(JSON, "\xc0\x80", 2, "\"\\ufffd\\ufffd\"");            /* overlong */
    check_string(JSON, "\xed\xa0\x80", 3, "\"\\ufffd\\ufffd\\ufffd\""); /* half a pair */
    check_string(JSON, "\xf4\x90\x80\x80", 4, "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
    check_string(JSON, "\xe2\x82", 2, "\"\\ufffd\\ufffd\"");
}

static void test_csv(void)
{
    check_string(CSV, "plain text", 10, "plain text");
    check_string(CSV, "a,b", 3, "\"a,b\"");
    check_string(CSV, "say \"x\"", 7, "\"say \"\"x\"\"\"");
    check_string(CSV, "two\nlines", 9, "\"two\nlines\"");
    check_string(CSV, "", 0, "");
}

/* Characters that control a terminal are not printed. */
static void test_plain(void)
{
    check_string(PLAIN, "gr\xc3\xbc\xc3\x9f dich", 0, "gr\xc3\xbc\xc3\x9f dich");
    check_string(PLAIN, "\x1b[2J\x07\x7f\n", 0, "?[2J???");
    check_string(PLAIN, "\xc2\x9b", 0, "?"); /* the same as ESC [ in one character */
    check_string(PLAIN, "\xff\xe2\x82", 0, "???");
}

static void check_column(const char *in, size_t width, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    ws_plain_column(out, in, width);
    fclose(out);
    CU_ASSERT_STRING_EQUAL(text, expected);
    free(text);
}

/* Characters are counted, and cut between them. */
static void test_column(void)
{
    check_column("", 3, "   ");
    check_column("abc", 5, "abc  ");
    check_column("abcdef", 5, "abcde");
    check_column("gr\xc3\xbc\xc3\x9f", 5, "gr\xc3\xbc\xc3\x9f ");
    check_column("gr\xc3\xbc\xc3\x9f", 3, "gr\xc3\xbc");
    check_column("\xe6\x9d\xb1\xe4\xba\xac", 1, "\xe6\x9d\xb1");
    check_column("\x1b\xff", 3, "?? ");
}

static void check_path(const char *path, size_t width, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ws_plain_path_column(out, path, width);
    fclose(out);
    CU_ASSERT_STRING_EQUAL(text, expected);
    free(text);
}

static void test_path(void)
{
    check_path("run7/trace-1", 14, "run7/trace-1  ");
    check_path("run7/trace-1", 12, "run7/trace-1");
    check_path("/scratch/me/run7/trace-1", 15, "/scr.../trace-1");
    check_path("/\xc3\xa4\xc3\xb6\xc3\xbc/\xc3\xa4\xc3\xb6\xc3\xbc\xff", 8,
               "/...\xc3\xa4\xc3\xb6\xc3\xbc?");
    check_path("abcdef", 3, "abc");
}

static void check_bytes(uint64_t bytes, const char *expected)
{
    char text[32];
    ws_format_bytes(text, sizeof text, bytes);
    CU_ASSERT_STRING_EQUAL(text, expected);
}

static void test_bytes(void)
{
    check_bytes(0, "0 bytes");
    check_bytes(999, "999 bytes");
    check_bytes(1000, "1.00 kB");
    check_bytes(12345, "12.3 kB");
    check_bytes(999499, "999 kB");
    check_bytes(999500, "1.00 MB");
    check_bytes(UINT64_MAX, "18.4 EB");
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"doubles", test_doubles},
                                        {"like printf", test_like_printf},
                                        {"whole numbers", test_whole_numbers},
                                        {"random numbers", test_random_numbers},
                                        {"JSON strings", test_json},
                                        {"CSV fields", test_csv},
                                        {"words for a terminal", test_plain},
                                        {"columns", test_column},
                                        {"paths", test_path},
                                        {"sizes", test_bytes}};
    return suite_run("reader_text", tests, sizeof tests / sizeof tests[0]);
}
