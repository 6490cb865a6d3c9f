/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of reader/render/text: strings are valid for any contents.
 *
 * test: libs=warpscope_reading unwind=fast
 */
#include <CUnit/Basic.h>
#include <string.h>

#include "render/text.h"
#include "support/suite.h"

enum form { JSON, CSV };

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
    static const CU_TestInfo tests[] = {
        {"JSON strings", test_json}, {"CSV fields", test_csv}, {"sizes", test_bytes}};
    return suite_run("reader_text", tests, sizeof tests / sizeof tests[0]);
}
