/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of text/nearest: one mistake in a word is found, and a word that is like none suggests none.
 *
 */
#include <CUnit/Basic.h>
#include <string.h>

#include "support/suite.h"
#include "text/nearest.h"

static void check(const char *word, const char *expected)
{
    static const char *const names[] = {"info", "dump", "memtrace", "timeline", "gvt-interval"};
    const char *found = nearest_in(word, names, sizeof names / sizeof *names);
    CU_ASSERT_STRING_EQUAL(found == NULL ? "none" : found, expected);
}

static void test_names(void)
{
    check("info", "info");
    check("inof", "info"); /* letters swapped */
    check("nfo", "info");
    check("dumpp", "dump");
    check("memtarces", "memtrace");
    check("tim", "timeline"); /* an abbreviation */
    check("gvt_interval", "gvt-interval");
    check("xyz", "none");
    check("", "none");
    char word[200];
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    check(word, "none");
    memcpy(word, "gvt-intervalgvt-interval", 24);
    check(word, "none");
}

/* The word is only as long as was said, and the first of equals is the nearest. */
static void test_search(void)
{
    struct nearest search = nearest_of("dunp=7", 4);
    CU_ASSERT_PTR_NULL(search.name);
    nearest_offer(&search, "dumps");
    CU_ASSERT_STRING_EQUAL(search.name, "dumps");
    nearest_offer(&search, "dump");
    CU_ASSERT_STRING_EQUAL(search.name, "dump");
    nearest_offer(&search, "dunk");
    CU_ASSERT_STRING_EQUAL(search.name, "dump");
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"names", test_names}, {"a search", test_search}};
    return suite_run("text_nearest", tests, sizeof tests / sizeof tests[0]);
}
