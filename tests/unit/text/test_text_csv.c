/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of text/csv: fields have quotes only where they need them, and consist of UTF-8 whatever
 * the text contains, into memory and to a stream.
 */
#include <CUnit/Basic.h>
#include <string.h>

#include "support/suite.h"
#include "text/csv.h"

static void check(const char *in, const char *expected)
{
    char memory[64], *text = NULL;
    size_t length = 0, size = strlen(in);
    *csv_write(memory, in, size) = '\0';
    CU_ASSERT_STRING_EQUAL(memory, expected);
    CU_ASSERT(strlen(memory) <= csv_max(size));
    FILE *out = open_memstream(&text, &length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    csv_print(out, in, size);
    fclose(out);
    CU_ASSERT_STRING_EQUAL(text, expected);
    free(text);
}

static void test_csv(void)
{
    check("plain text", "plain text");
    check("a,b", "\"a,b\"");
    check("say \"x\"", "\"say \"\"x\"\"\"");
    check("two\nlines", "\"two\nlines\"");
    check("cr\r", "\"cr\r\"");
    check("", "");
}

static void test_utf8(void)
{
    check("S\xc3\xa3o Paulo, \xf0\x9f\x98\x80", "\"S\xc3\xa3o Paulo, \xf0\x9f\x98\x80\"");
    check("latin \xe9", "latin \xef\xbf\xbd");
    check("\xff\xff\xff", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    check("\xe9\"\xc3,\xc3\xa9", "\"\xef\xbf\xbd\"\"\xef\xbf\xbd,\xc3\xa9\"");
    check("cut \xe6\xbc", "cut \xef\xbf\xbd\xef\xbf\xbd");
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"fields", test_csv}, {"utf8", test_utf8}};
    return suite_run("text_csv", tests, sizeof tests / sizeof tests[0]);
}
