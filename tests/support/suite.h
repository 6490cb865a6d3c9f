/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suite.h - functions that unit and MPI tests share: random numbers with a printed seed, and the
 * run of the tests of one CUnit suite.
 *
 * The seed of a randomised test is WS_TEST_SEED, or else comes from the clock. Under MPI every rank
 * must take part in the same tests in the same order. Only non-fatal assertions (CU_ASSERT...) keep
 * a rank that fails in step with the other ranks.
 */
#ifndef WARPSCOPE_TESTS_SUITE_H
#define WARPSCOPE_TESTS_SUITE_H

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "support/random_bits.h"

static inline uint64_t suite_seed(void)
{
    const char *given = getenv("WS_TEST_SEED");
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t clock_seed = (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 20;
    return given != NULL ? strtoull(given, NULL, 0) : clock_seed;
}

static inline void suite_print_seed(const char *suite, uint64_t seed)
{
    printf("%s: WS_TEST_SEED=%" PRIu64 "\n", suite, seed);
    fflush(stdout);
}

/* Returns the step through n similar cases: 1, or n where a part of a test is enough (WS_PART, see
 * lib.sh). Start at a random case below the step. */
static inline size_t suite_step(size_t n)
{
    const char *part = getenv("WS_PART");
    return part != NULL && *part != '\0' ? n : 1;
}

/* Runs the tests as one suite. Returns the exit status of the program. */
static inline int suite_run(const char *name, const CU_TestInfo *tests, size_t n_tests)
{
    if (CU_initialize_registry() != CUE_SUCCESS) {
        return EXIT_FAILURE;
    }
    CU_pSuite suite = CU_add_suite(name, NULL, NULL);
    for (size_t i = 0; i < n_tests; i++) {
        CU_add_test(suite, tests[i].pName, tests[i].pTestFunc);
    }
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    bool ran = suite != NULL && CU_get_number_of_tests_run() == n_tests;
    CU_cleanup_registry();
    fflush(stdout);
    return failures == 0 && ran ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
