/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of safe_text: numbers, and long texts, which are cut.
 */
#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "support/suite.h"
#include "text/safe_text.h"

static void test_numbers(void)
{
    struct safe_text t = {.length = 0};
    safe_text_add_number(&t, 0);
    safe_text_add(&t, " ");
    safe_text_add_number(&t, UINT64_MAX);
    safe_text_add(&t, " ");
    safe_text_add_hex(&t, 0xdeadbeef);
    safe_text_add(&t, " ");
    safe_text_add_real(&t, -0.1);
    safe_text_add(&t, " ");
    safe_text_add_real(&t, (double)NAN);
    t.text[t.length] = '\0';
    CU_ASSERT_STRING_EQUAL(t.text, "0 18446744073709551615 0xdeadbeef -0.1 nan");
}

static void test_line(void)
{
    struct safe_text t = {.length = 0};
    char got[2 * SAFE_TEXT_MAX];
    int ends[2];
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    for (unsigned i = 0; i < SAFE_TEXT_MAX; i++) {
        safe_text_add(&t, "ab");
    }
    safe_text_write_line(&t, ends[1]);
    ssize_t n = read(ends[0], got, sizeof got);
    CU_ASSERT_EQUAL(n, SAFE_TEXT_MAX);
    CU_ASSERT_EQUAL(got[SAFE_TEXT_MAX - 1], '\n');
    CU_ASSERT_EQUAL(got[SAFE_TEXT_MAX - 2], 'a');
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"numbers", test_numbers},
        {"a line", test_line},
    };
    return suite_run("text_safe", tests, sizeof tests / sizeof *tests);
}
