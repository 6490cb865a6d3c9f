/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of reader/render: numbers keep all digits.
 *
 * test: libs=warpscope_reading
 */
#include <CUnit/Basic.h>
#include <math.h>
#include <string.h>

#include "render/text.h"
#include "support/suite.h"

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

int main(void)
{
    static const CU_TestInfo tests[] = {{"sizes", test_bytes}, {"values", test_values}};
    return suite_run("reader_render", tests, sizeof tests / sizeof tests[0]);
}
