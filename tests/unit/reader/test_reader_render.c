/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of reader/render: tables keep their layout while values fit, and stay within the page for
 * any values; numbers keep all digits; sinks write strings longer than themselves.
 *
 * test: libs=warpscope_reading
 */
#include <CUnit/Basic.h>
#include <math.h>
#include <string.h>

#include "render/layout.h"
#include "render/text.h"
#include "support/suite.h"

static void test_fits(void)
{
    struct ws_layout_column c[] = {{.width = 40, .is_name = true}, {.width = 39, .need = 39}};
    ws_layout_fit(c, 2);
    CU_ASSERT_EQUAL(c[0].width, 40);
    CU_ASSERT_EQUAL(c[1].width, 39);
    CU_ASSERT_FALSE(c[1].begins_line);
}

/* Blanks are removed before names are cut. */
static void test_order(void)
{
    struct ws_layout_column c[] = {
        {.width = 40, .is_name = true}, {.width = 20, .need = 15}, {.width = 18, .need = 22}};
    ws_layout_fit(c, 3);
    CU_ASSERT_EQUAL(c[0].width, 40);
    CU_ASSERT_EQUAL(c[1].width, 16);
    CU_ASSERT_EQUAL(c[2].width, 22);
    c[2].need = 30;
    ws_layout_fit(c, 3);
    CU_ASSERT_EQUAL(c[0].width, 33);
    CU_ASSERT_EQUAL(c[1].width, 15);
    CU_ASSERT_FALSE(c[1].begins_line || c[2].begins_line);
}

/* Names are cut down to the width of their headings. */
static void test_headings(void)
{
    struct ws_layout_column c[] = {{.width = 20, .need = 11, .is_name = true},
                                   {.width = 20, .need = 9, .is_name = true},
                                   {.width = 57, .need = 57}};
    ws_layout_fit(c, 3);
    CU_ASSERT_EQUAL(c[0].width, 11);
    CU_ASSERT_EQUAL(c[1].width, 10);
    CU_ASSERT_FALSE(c[1].begins_line || c[2].begins_line);
    c[2].need = 58;
    ws_layout_fit(c, 3);
    CU_ASSERT_TRUE(c[0].width == 11 && c[2].begins_line);
}

/* The longest line of a row. */
static unsigned longest(const struct ws_layout_column *c, size_t n)
{
    unsigned most = 0, used = 0;
    for (size_t i = 0; i < n; i++) {
        used = (c[i].begins_line ? 4 : i == 0 ? 0 : used + 1) + c[i].width;
        most = used > most ? used : most;
    }
    return most;
}

static void test_random(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("reader_layout", seed);
    bool broke = false;
    for (int round = 0; round < 100000; round++) {
        struct ws_layout_column c[WS_LAYOUT_COLUMNS_MAX] = {{0}}, before[WS_LAYOUT_COLUMNS_MAX];
        size_t n = 1 + random_below(&seed, WS_LAYOUT_COLUMNS_MAX);
        for (size_t i = 0; i < n; i++) {
            c[i].is_name = random_below(&seed, 4) == 0;
            c[i].width = 1 + (unsigned)random_below(&seed, c[i].is_name ? 30 : 15);
            c[i].need = 1 + (unsigned)random_below(&seed, 24);
            before[i] = c[i];
        }
        ws_layout_fit(c, n);
        CU_ASSERT_TRUE_FATAL(longest(c, n) <= WS_PAGE_WIDTH);
        for (size_t i = 0; i < n; i++) {
            unsigned least =
                before[i].width < WS_LAYOUT_NAME_MIN ? before[i].width : WS_LAYOUT_NAME_MIN;
            CU_ASSERT_TRUE_FATAL(c[i].width >= c[i].need);
            CU_ASSERT_TRUE_FATAL(!c[i].is_name || c[i].width >= least);
            broke |= c[i].begins_line;
        }
    }
    CU_ASSERT_TRUE(broke);
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

static void test_values(void)
{
    char text[DECIMAL_MAX];
    struct fmt_value v = {.type = FMT_F64, .as.f = -INFINITY};
    CU_ASSERT_EQUAL(ws_format_value(text, &v, true), 4);
    CU_ASSERT_STRING_EQUAL(text, "null");
    CU_ASSERT_EQUAL(ws_format_value(text, &v, false), 4);
    CU_ASSERT_STRING_EQUAL(text, "-inf");
    *ws_render_tsv(text, "a\tb\\\n", 5) = '\0';
    CU_ASSERT_STRING_EQUAL(text, "a\\tb\\\\\\n");
    *ws_render_hex(text, (const uint8_t *)"\x0a\xff", 2, true) = '\0';
    CU_ASSERT_STRING_EQUAL(text, "\"0aff\"");
}

/* Short strings pass through the buffer, long ones past it, in order. */
static void test_sinks(void)
{
    char *text = NULL, buffer[40];
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    struct ws_sink sink = {.out = out, .bytes = buffer, .size = sizeof buffer};
    ws_sink_json(&sink, "a\n", 2);
    ws_sink_csv(&sink, ",", 1);
    ws_sink_json(&sink, "longer than the sink has room for", 33);
    ws_sink_csv(&sink, "also longer, than the sink has room for", 39);
    ws_sink_csv(&sink, "b", 1);
    ws_sink_flush(&sink);
    fclose(out);
    CU_ASSERT_STRING_EQUAL(text, "\"a\\n\"\",\"\"longer than the sink has room for\""
                                 "\"also longer, than the sink has room for\"b");
    free(text);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"values that fit", test_fits},
                                        {"blanks go before names", test_order},
                                        {"headings are not cut", test_headings},
                                        {"random columns", test_random},
                                        {"sizes", test_bytes},
                                        {"values", test_values},
                                        {"sinks", test_sinks}};
    return suite_run("reader_render", tests, sizeof tests / sizeof tests[0]);
}
