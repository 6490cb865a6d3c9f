/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of warpscope analyze against plain arrays: open events, paged numbers, cycles. The
 * whole analysis is tested by system/reader/test_analyze.sh.
 */
/* test: libs=warpscope_reading */
#include "analyze/analyze.h"
#include "analyze/open_events.h"
#include "analyze/pages.h"
#include "support/suite.h"

#define OPENS 600u

static uint64_t seed;

static struct analyze_open open_make(uint32_t i)
{
    return (struct analyze_open){
        .ts = i % 7, .lp = i / 7 % 11, .order = i / 77, .left = 1 + i % 3, .number = i};
}

static void test_open_events(void)
{
    struct analyze_opens opens = {0};
    bool in[OPENS] = {false};
    size_t n = 0;
    for (uint32_t step = 0; step < 20000; step++) {
        uint32_t i = (uint32_t)random_below(&seed, OPENS);
        struct analyze_open e = open_make(i);
        struct analyze_open *found = analyze_open_find(&opens, e.lp, e.ts, e.order);
        CU_ASSERT_EQUAL(found != NULL, in[i]);
        if (found != NULL) {
            CU_ASSERT_EQUAL(found->number, i);
            analyze_open_remove(&opens, found);
        } else {
            CU_ASSERT(analyze_open_add(&opens, &e));
        }
        n = in[i] ? n - 1 : n + 1;
        in[i] = !in[i];
        CU_ASSERT_EQUAL(opens.n, n);
        if (step % 500 == 0) {
            analyze_opens_check(&opens);
        }
    }
    CU_ASSERT(opens.most >= n);
    analyze_opens_free(&opens);
}

static void test_pages(void)
{
    const uint64_t n = 7u << ANALYZE_PAGE_BITS;
    struct analyze_pages pages;
    uint64_t *expected = calloc(n, sizeof *expected);
    bool good = expected != NULL && analyze_pages_init(&pages, n, 2);
    CU_ASSERT_FATAL(good);
    for (uint32_t step = 0; step < 3000 && good; step++) {
        uint64_t i = random_below(&seed, n), v = random_bits(&seed);
        uint64_t *at = analyze_pages_at(&pages, i);
        good = at != NULL && *at == expected[i];
        if (good && step % 3 > 0) {
            *at = expected[i] = v;
        }
    }
    for (uint64_t i = 0; i < n && good; i++) {
        const uint64_t *at = analyze_pages_at(&pages, i);
        good = at != NULL && *at == expected[i];
    }
    CU_ASSERT(good);
    CU_ASSERT_EQUAL(pages.n_kept, 2);
    analyze_pages_free(&pages);
    free(expected);
}

static void test_pages_without_directory(void)
{
    struct analyze_pages pages;
    char *kept = getenv("TMPDIR") == NULL ? NULL : strdup(getenv("TMPDIR"));
    CU_ASSERT(analyze_pages_init(&pages, 4u << ANALYZE_PAGE_BITS, 2));
    setenv("TMPDIR", "/no/such/directory", 1);
    CU_ASSERT_PTR_NOT_NULL(analyze_pages_at(&pages, 0));
    CU_ASSERT_PTR_NOT_NULL(analyze_pages_at(&pages, 1u << ANALYZE_PAGE_BITS));
    CU_ASSERT_PTR_NULL(analyze_pages_at(&pages, 2u << ANALYZE_PAGE_BITS));
    CU_ASSERT(pages.failed);
    if (kept == NULL) {
        unsetenv("TMPDIR");
    } else {
        setenv("TMPDIR", kept, 1);
    }
    free(kept);
    analyze_pages_free(&pages);
}

static void test_levels(void)
{
    struct analyze_levels levels = {.n_max = 64};
    static uint32_t expected[5000];
    uint64_t most = 0;
    memset(expected, 0, sizeof expected);
    for (uint32_t i = 0; i < 20000; i++) {
        uint64_t level = 1 + random_below(&seed, 1 + i / 4);
        CU_ASSERT(analyze_levels_add(&levels, level, 2.0));
        expected[level - 1]++;
        most = level > most ? level : most;
    }
    CU_ASSERT(levels.n <= 64 && levels.n << levels.shift >= most);
    for (size_t i = 0; i < levels.n; i++) {
        uint32_t sum = 0;
        for (size_t k = i << levels.shift; k < (i + 1) << levels.shift && k < 5000; k++) {
            sum += expected[k];
        }
        CU_ASSERT_EQUAL(levels.counts[i], sum);
        CU_ASSERT_DOUBLE_EQUAL(levels.times[i], 2.0 * sum, 1e-9);
    }
    analyze_levels_free(&levels);
}

int main(void)
{
    CU_TestInfo tests[] = {{"open events", test_open_events},
                           {"paged numbers", test_pages},
                           {"paged numbers without a directory", test_pages_without_directory},
                           {"cycles", test_levels}};
    seed = suite_seed();
    suite_print_seed("reader_analyze", seed);
    return suite_run("reader_analyze", tests, sizeof tests / sizeof tests[0]);
}
