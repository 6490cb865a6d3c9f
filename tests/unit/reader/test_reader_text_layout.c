/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of reader/render/layout: tables keep their layout while values fit, and stay within the page
 * for any values; numbers keep all digits.
 *
 * test: libs=warpscope_reading unwind=fast
 */
#include <CUnit/Basic.h>

#include "render/layout.h"
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

int main(void)
{
    static const CU_TestInfo tests[] = {{"values that fit", test_fits},
                                        {"blanks go before names", test_order},
                                        {"headings are not cut", test_headings},
                                        {"random columns", test_random}};
    return suite_run("reader_layout", tests, sizeof tests / sizeof tests[0]);
}
