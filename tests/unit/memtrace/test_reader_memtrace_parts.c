/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the analysis of memory traces: sets of readers, ranges of bytes, the order of
 * numbers as texts.
 */
/* test: libs=warpscope_memtrace timeout=60 */
#include <string.h>

#include "memtrace/analysis.h"
#include "memtrace/output.h"
#include "memtrace/tables.h"
#include "support/suite.h"

#define SETS   200u
#define ACTORS 40u

/* Sets with parents against a table; some are released at random. */
static void test_readers(void)
{
    static bool have[SETS][ACTORS];
    struct ws_readers readers = {0};
    uint32_t sets[SETS], n = 0;
    uint64_t seed = suite_seed();
    suite_print_seed("readers", seed);
    memset(have, 0, sizeof have);
    for (int round = 0; round < 20000; round++) {
        uint32_t i = (uint32_t)random_below(&seed, SETS), actor = (uint32_t)random_below(&seed, 40);
        if (n < SETS && i % 4 == 0) {
            bool child = n > 0 && random_below(&seed, 2) == 0;
            uint32_t parent = child ? (uint32_t)random_below(&seed, n) : 0;
            memset(have[n], 0, sizeof have[n]);
            sets[n++] = ws_readers_set(&readers, child ? sets[parent] : 0);
            /* later additions to the parent would be the child's as well: the test makes none */
            memcpy(have[n - 1], have[parent], child ? sizeof have[0] : 0);
            if (child) {
                sets[parent] = ws_readers_set(&readers, sets[parent]);
            }
        } else if (n > 0) {
            i %= n;
            CU_ASSERT_EQUAL(ws_readers_have(&readers, sets[i], actor), have[i][actor]);
            ws_readers_add(&readers, sets[i], actor);
            have[i][actor] = true;
        }
        if (round % 1000 == 999) {
            CU_ASSERT(ws_readers_check(&readers));
            CU_ASSERT(ws_readers_sweep_begin(&readers));
            n /= 2;
            for (uint32_t k = 0; k < n; k++) {
                ws_readers_mark(&readers, sets[k]);
            }
            ws_readers_sweep_end(&readers);
            CU_ASSERT(ws_readers_check(&readers));
        }
    }
    CU_ASSERT(readers.n_sets < 2000);
    ws_readers_clear(&readers);
    CU_ASSERT_EQUAL(readers.index.n, 0);
    ws_readers_free(&readers);
}

/* Random accesses of all sizes: the fewest ranges possible, and no more than bytes. */
static void test_ranges(void)
{
    struct ws_bytes_map map = {.lists = false};
    static const struct ws_memtrace_choice all;
    struct ws_book book = {.actors.choice = &all};
    uint64_t seed = suite_seed();
    suite_print_seed("ranges", seed);
    uint32_t kernel = ws_kernel_add(&book.actors, 1, "k");
    for (int i = 0; i < 20000; i++) {
        struct ws_access_key key = {ws_actor_add(&book.actors, kernel, random_below(&seed, 5)),
                                    (uint32_t)random_below(&seed, 2),
                                    (uint32_t)random_below(&seed, 3) << 28};
        ws_book_step(&book, (uint32_t)i / 500);
        key.word |= 1 + (uint32_t)random_below(&seed, i % 7 == 0 ? 300 : 8);
        ws_book_volume(&book, &key);
        ws_bytes_access(&map, &book, random_below(&seed, 1000), key.word & 0xfffffff, &key);
        if (i % 100 == 0) {
            CU_ASSERT(ws_bytes_check(&map));
        }
    }
    uint32_t extents = map.n - map.n_unused;
    CU_ASSERT(extents > 0 && extents <= 1300);
    struct ws_access_key one = {0, 0, 1u << 28 | 1};
    ws_book_step(&book, 100);
    ws_bytes_access(&map, &book, 0, 2000, &one);
    one.actor = 1;
    ws_book_step(&book, 101);
    ws_book_volume(&book, &one);
    ws_bytes_access(&map, &book, 0, 2000, &one);
    CU_ASSERT(ws_bytes_check(&map));
    ws_bytes_end(&map, &book);
    CU_ASSERT(ws_book_good(&book));
    ws_bytes_free(&map);
    ws_book_free(&book);
}

static void test_text_order(void)
{
    static const uint64_t numbers[] = {0, 1, 9, 10, 11, 99, 100, 4096, UINT64_MAX, UINT64_MAX / 10};
    uint64_t seed = suite_seed();
    suite_print_seed("text order", seed);
    for (int i = 0; i < 5000; i++) {
        char x[32], y[32];
        uint64_t a = i < 100 ? numbers[i / 10] : random_bits(&seed) >> random_below(&seed, 64);
        uint64_t b = i < 100 ? numbers[i % 10] : random_bits(&seed) >> random_below(&seed, 64);
        for (uint64_t base = 10; base <= 16; base += 6) {
            snprintf(x, sizeof x, base == 10 ? "%" PRIu64 : "%" PRIx64, a);
            snprintf(y, sizeof y, base == 10 ? "%" PRIu64 : "%" PRIx64, b);
            int expected = strcmp(x, y), got = ws_memtrace_text_order(a, b, base);
            CU_ASSERT((expected < 0) == (got < 0) && (expected > 0) == (got > 0));
        }
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"sets of readers", test_readers},
                                        {"ranges of bytes", test_ranges},
                                        {"order of numbers as texts", test_text_order}};
    return suite_run("memtrace_parts", tests, sizeof tests / sizeof tests[0]);
}
