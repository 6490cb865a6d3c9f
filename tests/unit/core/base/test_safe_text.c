/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of safe_text: numbers are those of printf and strtod, and what is too long is cut off.
 */
#include <CUnit/Basic.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/safe_text.h"
#include "support/suite.h"

static const char *real(double value)
{
    static struct safe_text t;
    t = (struct safe_text){.length = 0};
    safe_text_add_real(&t, value);
    t.text[t.length] = '\0';
    return t.text;
}

static void test_reals(void)
{
    CU_ASSERT_STRING_EQUAL(real(0.0), "0");
    CU_ASSERT_STRING_EQUAL(real(1.0), "1");
    CU_ASSERT_STRING_EQUAL(real(-0.1), "-0.1");
    CU_ASSERT_STRING_EQUAL(real(10.25), "10.25");
    CU_ASSERT_STRING_EQUAL(real(9.9999999999999999), "10");
    CU_ASSERT_STRING_EQUAL(real(99999.5), "99999.5");
    CU_ASSERT_STRING_EQUAL(real(100000.0), "100000");
    CU_ASSERT_STRING_EQUAL(real(0.00001234), "0.00001234");
    CU_ASSERT_STRING_EQUAL(real(1.5e-9), "1.5e-9");
    CU_ASSERT_STRING_EQUAL(real(1e300), "1e+300");
    CU_ASSERT_STRING_EQUAL(real(9007199254740993.0), "9007199254740992");
    CU_ASSERT_STRING_EQUAL(real((double)INFINITY), "inf");
    CU_ASSERT_STRING_EQUAL(real((double)NAN), "nan");
    CU_ASSERT_EQUAL(strtod(real(DBL_MAX), NULL), DBL_MAX);
}

/* Over the range of virtual times they read back the same; over that of all numbers, nearly. */
static void test_random_reals(void)
{
    uint64_t random = 1;
    unsigned wrong = 0;
    for (int i = 0; i < 20000; i++) {
        double value = ldexp((double)random_bits(&random), (int)random_below(&random, 100) - 110);
        wrong += strtod(real(value), NULL) != value;
        value = ldexp((double)random_bits(&random), (int)random_below(&random, 1900) - 1000);
        CU_ASSERT_DOUBLE_EQUAL(strtod(real(value), NULL), value, value * 1e-15);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void test_integers(void)
{
    struct safe_text t = {.length = 0};
    safe_text_add_number(&t, 0);
    safe_text_add(&t, " ");
    safe_text_add_number(&t, UINT64_MAX);
    safe_text_add(&t, " ");
    safe_text_add_hex(&t, 0xdeadbeef);
    t.text[t.length] = '\0';
    CU_ASSERT_STRING_EQUAL(t.text, "0 18446744073709551615 0xdeadbeef");
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
        {"real numbers", test_reals},
        {"random real numbers", test_random_reals},
        {"whole numbers", test_integers},
        {"a line", test_line},
    };
    return suite_run("safe_text", tests, sizeof tests / sizeof *tests);
}
