/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of reader/where: the records that expressions select, and the places of errors in them.
 *
 * test: libs=warpscope_reading
 */
#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/suite.h"
#include "support/where_records.h"

static void check(const char *text, int expected)
{
    struct where_records r;
    struct ws_where_error error = {NULL, 0};
    where_records_fill(&r);
    int got = where_choose(&r, text, &error);
    if (got != expected) {
        printf("\n  %s: %d instead of %d (%s)\n", text, got, expected,
               error.words == NULL ? "" : error.words);
    }
    CU_ASSERT_EQUAL(got, expected);
}

/* Record i is bit i: 1, 2, 4, 8. */
static void test_values(void)
{
    check("a == 7", 2);
    check("a != 7", 13);
    check("a==18446744073709551615", 4);
    check("a > 18446744073709551614", 4);
    check("b < 0", 9);
    check("b <= -1", 9);
    check("b >= -1", 14);
    check("b < a", 15);
    check("a > b && b > -1", 6);
    check("c == 0.5", 2);
    check("c >= 5e-1", 10);
    check("c != 0.5", 9); /* NaN is neither greater nor less */
    check("!(c == 0.5)", 9);
    check("a", 14);
    check("c", 10);
    check("99999999999999999999 > a", 15);
    check("-.5 < c", 11);
}

/* Columns of names, compared with bare words and with quoted texts. */
static void test_names(void)
{
    check("lp_type == router", 7); /* the last record has no type */
    check("router == lp_type", 7);
    check("lp_type == 'router'", 7);
    check("lp_type==\"router\" && a > 0", 6);
    check("lp_type != router", 0);
    check("lp_type != host", 7);
    check("lp_type == hops", 0); /* a text, although a field has this name */
    check("lp_type == lp_type", 7);
    check("lp_type", 7);
    check("lp_type < router", -1);
    check("lp_type > 3", -1);
    check("3 >= cause_name", -1);
    check("lp_type == 1", -1);
    check("lp_type == '1'", 0);
    check("type == router", 7);
    check("router != type", 0);
    check("type == host || a == 3", 8);
    check("type == hops", 0); /* a field has this name */
    check("record == hop", 15);
    check("record == jump || a == 7", 2);
    check("cause_name == straggler", 0); /* no such records */
}

static void test_payloads(void)
{
    check("hops == 2", 2);
    check("payload.hops >= 2", 6);
    check("hops < 100", 7);
    check("!(hops > 0)", 1); /* the record without payload is not chosen */
    check("load_0 == 1 || load_1 > 1", 2);
    check("load_2 == 1", 0);
    check("load == 1", 0);
    check("name == \"nort\"", 1); /* cut at the length of the field */
    check("name == 'a\"b'", 4);
    check("name", 5);
    check("name != ''", 5);
    check("type == \"router\"", 7);
    check("record == 'hop'", 15);
    check("record != 'hop'", 0);
    check("record == 'jump' || a == 7", 2);
    check("name == 3", 0);
}

static void test_logic(void)
{
    check("a == 0 || a == 7 && b == 5", 1);
    check("(a == 0 || a == 7) && b == 0", 2);
    check("!a", 1);
    check("!!a", 14);
    check("!(a || hops)", 1);
    check("nothing == 1 || a == 3", 8);
    check("nothing == 1 && a == 3", 0);
    check("!(nothing == 1)", 0);
    check("!(nothing == 1 && a == 3)", 7);
    check("1", 15);
    check("0", 0);
    check(" \t( 1 < 2 )\n", 15);
}

static void refuse(const char *text, size_t at, const char *words)
{
    struct ws_where_error error = {NULL, 0};
    struct ws_where *where = ws_where_parse(text, &error);
    CU_ASSERT_PTR_NULL(where);
    ws_where_free(where);
    CU_ASSERT_PTR_NOT_NULL_FATAL(error.words);
    if (error.at != at || strstr(error.words, words) == NULL) {
        printf("\n  %s: %s at %zu\n", text, error.words, error.at);
    }
    CU_ASSERT_EQUAL(error.at, at);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.words, words));
}

static void test_mistakes(void)
{
    refuse("", 0, "missing here");
    refuse("a ==", 4, "missing here");
    refuse("a = 7", 2, "write ==");
    refuse("a == 7 & b", 7, "&& or ||");
    refuse("(a == 7", 0, "not closed");
    refuse("(a == 7 b)", 8, "should stand here");
    refuse("a == 7)", 6, "or the end");
    refuse("name == \"x", 8, "quote");
    refuse("1 < a < 3", 6, "&& or ||");
    refuse("name < 'x'", 5, "equal or not");
    refuse("kind_name > 3", 10, "equal or not");
    refuse("3 <= lp_type", 2, "equal or not");
    refuse("lp_type == 3", 8, "compare it with a name");
    refuse("a == 12x", 7, "number ends here");
    refuse("a == 0x10", 6, "number ends here");
    refuse("a == 1.2.3", 8, "number ends here");
    refuse("a == -", 5, "not a number");
    refuse("a + 1", 2, "or the end");
    refuse("&& a", 0, "should stand here");
}

static void test_limits(void)
{
    char text[4096];
    size_t n = 0;
    for (unsigned i = 0; i < WS_WHERE_DEPTH_MAX + 10; i++) {
        text[n++] = '(';
    }
    text[n] = '\0';
    refuse(text, WS_WHERE_DEPTH_MAX + 1, "too deep");
    memset(text, '!', 1000);
    snprintf(text + 1000, 8, "a");
    refuse(text, WS_WHERE_DEPTH_MAX + 1, "too deep");
    n = 0;
    for (unsigned i = 0; i < 400; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "a||");
    }
    struct ws_where_error error;
    CU_ASSERT_PTR_NULL(ws_where_parse(text, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.words, "too long"));
}

/* Records in more than one group: each group has the truth values of its own records. */
static void test_groups(void)
{
    enum { N = 150 };
    struct where_records r;
    struct ws_where_error error;
    uint64_t a[N];
    uint32_t wrong = 0;
    where_records_fill(&r);
    for (uint32_t i = 0; i < N; i++) {
        a[i] = i;
    }
    r.values[0] = (uint8_t *)a;
    r.columns.n_records = N;
    struct ws_where *where = ws_where_parse("!(a < 60 || 140 < a) && a != 128", &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(where);
    CU_ASSERT_TRUE(ws_where_file(where, &r.sb, &r.descs));
    for (uint32_t first = 0; first < N; first += WS_GROUP) {
        uint64_t chosen = ws_where_rows(where, &r.columns, first);
        for (uint32_t i = first; i < first + WS_GROUP; i++) {
            bool has = i >= 60 && i <= 140 && i != 128;
            wrong += (chosen >> (i - first) & 1) != has;
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    ws_where_free(where);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"values", test_values},     {"names", test_names},
                                        {"payloads", test_payloads}, {"logic", test_logic},
                                        {"mistakes", test_mistakes}, {"limits", test_limits},
                                        {"groups", test_groups}};
    return suite_run("reader where", tests, sizeof tests / sizeof tests[0]);
}
