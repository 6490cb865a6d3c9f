/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deferred_pool.h - one queue of deferred records and the pool of its chunks, for tests of both.
 * With the fake engine.
 */
#ifndef WARPSCOPE_TESTS_DEFERRED_POOL_H
#define WARPSCOPE_TESTS_DEFERRED_POOL_H

#include "bus/deferred_queue.h"
#include "support/fake_engine.h"
#include "support/suite.h"

static struct deferred_pool pool;
static struct deferred_queue queue;

/* Checks the queue, and that its totals agree with the pool's. */
static inline void pool_check(uint64_t blocks)
{
    uint64_t found = 0;
    size_t bytes = 0;
    deferred_queue_check(&queue, &found, &bytes);
    CU_ASSERT_EQUAL(found, blocks);
    CU_ASSERT_EQUAL(pool.blocks, blocks);
    CU_ASSERT_EQUAL(pool.bytes, bytes);
    CU_ASSERT_EQUAL(fake.observer_bytes, (int64_t)bytes);
}

/* Returns the number of chunks in the free lists, and checks that each is in the list of its
 * size. */
static inline size_t free_chunks(void)
{
    size_t n = 0;
    for (unsigned order = 0; order < DEFERRED_ORDERS; order++) {
        for (const struct deferred_chunk *c = pool.free[order]; c != NULL; c = c->younger) {
            CU_ASSERT_EQUAL(c->order, order);
            CU_ASSERT(c->size < (256u << order));
            n++;
        }
    }
    return n;
}

/* Runs the tests as one suite. Returns the exit status of the program. */
static inline int pool_suite_run(int *argc, char ***argv, const char *name,
                                 const CU_TestInfo *tests, size_t n_tests)
{
    MPI_Init(argc, argv);
    int status = suite_run(name, tests, n_tests);
    deferred_pool_fini(&pool);
    MPI_Finalize();
    return status;
}

#endif
