/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of base/sparse: arrays are zero, hold what is written, and take memory only for the pages
 * that are written.
 *
 * test: timeout=60
 */
#define _GNU_SOURCE /* required for mincore() */
#include <sys/mman.h>
#include <unistd.h>

#include "base/sparse.h"
#include "support/suite.h"

#define RANKS ((size_t)1000000)

struct element {
    uint64_t value[8];
};

/* Returns the number of pages of an array that are in memory. */
static size_t pages_in_memory(void *array, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t n = (bytes + page - 1) / page;
    size_t in_memory = 0;
    unsigned char *in = malloc(n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    CU_ASSERT_EQUAL_FATAL(mincore(array, bytes, in), 0);
    for (size_t i = 0; i < n; i++) {
        in_memory += in[i] & 1u;
    }
    free(in);
    return in_memory;
}

static void test_many(void)
{
    static const size_t peers[] = {0, 1, 500000, RANKS - 1};
    struct element *array = sparse_calloc("test", RANKS, sizeof *array);
    CU_ASSERT_EQUAL(pages_in_memory(array, RANKS * sizeof *array), 0);
    for (size_t i = 0; i < sizeof peers / sizeof *peers; i++) {
        CU_ASSERT_EQUAL(array[peers[i]].value[7], 0);
        array[peers[i]].value[7] = i + 1;
    }
    for (size_t i = 0; i < sizeof peers / sizeof *peers; i++) {
        CU_ASSERT_EQUAL(array[peers[i]].value[7], i + 1);
    }
    size_t pages = pages_in_memory(array, RANKS * sizeof *array);
    CU_ASSERT(pages >= 3 && pages <= 4);
    sparse_free(array, RANKS, sizeof *array);
}

/* Lengths around the one from which arrays have pages of their own. */
static void test_lengths(void)
{
    for (size_t n = 0; n <= 10000; n = n < 20 ? n + 1 : n * 5 / 4) {
        uint64_t *array = sparse_calloc("test", n, sizeof *array);
        uint64_t sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum += array[i];
            array[i] = i;
        }
        CU_ASSERT_EQUAL(sum, 0);
        sparse_free(array, n, sizeof *array);
    }
    sparse_free(NULL, RANKS, 8);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"many ranks", test_many}, {"lengths", test_lengths}};
    return suite_run("sparse arrays", tests, sizeof tests / sizeof *tests);
}
