/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random kernels: rewritten, they write the records of the accesses of the original, and compute the same.
 *
 * A number as argument sets how many; the seed is WS_TEST_SEED. A kernel that fails is printed.
 *
 * test: libs=warpscope_cuda_rewrite,warpscope_cuda_interp
 */
#include <CUnit/Basic.h>

#include "support/ptx_traced.h"
#include "support/suite.h"
#include "support/traced_random.h"

static size_t kernels = 150;

static void test_random(void)
{
    static char text[RANDOM_TEXT];
    const char *const texts[] = {text};
    const char *given = getenv("WS_TEST_SEED");
    uint64_t seed = given != NULL ? strtoull(given, NULL, 0) : 1;
    uint64_t all = 0;
    suite_print_seed("rewrite_random", seed);
    for (size_t i = 0; i < kernels; i++) {
        uint64_t state = seed + i;
        size_t records = 0;
        random_module(text, seed + i);
        unsigned ctas = 1 + (unsigned)random_below(&state, 3);
        unsigned threads = 1 + (unsigned)random_below(&state, 80);
        if (!traced_check(texts, 1, ctas, threads, &records)) {
            printf("\n    WS_TEST_SEED=%" PRIu64 ", %u CTAs, %u threads:\n%s", seed + i, ctas,
                   threads, text);
            CU_FAIL("a random kernel");
            return;
        }
        all += records;
    }
    printf("\n    %zu kernels, %" PRIu64 " records ", kernels, all);
    CU_ASSERT_TRUE(all > kernels);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"random kernels", test_random}};
    kernels = argc > 1 ? strtoull(argv[1], NULL, 10) : kernels;
    return suite_run("rewrite_random", tests, 1);
}
