/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pool of chunks behind deferred records: large chunks go back to the system, small ones to the
 * free list of their order, and the totals agree.
 *
 * test: alone=yes
 */
#include "support/deferred_pool.h"

#define LARGE 60000u

/* Appends a block with one record of size bytes. */
static void add(uintptr_t event, uint32_t size)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(deferred_queue_open(&queue, &pool, (const tw_event *)event));
    struct deferred_entry *entry = deferred_queue_add(&queue, &pool, size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
    memset(deferred_entry_data(entry), (int)event, size);
}

/* Removes the oldest block, of one record. */
static void take(uintptr_t event, uint32_t size)
{
    struct deferred_block block = deferred_queue_take(&queue, &pool);
    CU_ASSERT_PTR_EQUAL(block.event, (const tw_event *)event);
    const struct deferred_entry *entry = deferred_queue_next(&queue);
    CU_ASSERT_EQUAL(entry->size, size);
    const unsigned char *data = deferred_entry_data(entry);
    CU_ASSERT(data[0] == event && data[size - 1] == event);
    deferred_queue_drop(&queue, &pool);
    deferred_queue_done(&queue, &pool);
}

static void test_large_chunks(void)
{
    add(8, 16);
    add(16, LARGE);
    pool_check(2);
    CU_ASSERT_EQUAL(queue.young->order, DEFERRED_ORDERS);
    CU_ASSERT(pool.bytes > LARGE && pool.bytes < LARGE + 1000);
    deferred_queue_cut(&queue, &pool); /* at the young end */
    pool_check(1);
    CU_ASSERT(pool.bytes < 1000);
    CU_ASSERT(free_chunks() <= 1);
    add(24, LARGE);
    take(8, 16);
    pool_check(1);
    take(24, LARGE); /* at the old end */
    pool_check(0);
    CU_ASSERT_EQUAL(pool.bytes, 0);
    CU_ASSERT(free_chunks() <= 2);
}

/* After large chunks, sizes again follow the orders. */
static void test_orders_after_large(void)
{
    for (uintptr_t round = 1; round <= 3; round++) {
        add(8 * round, LARGE);
        deferred_queue_cut(&queue, &pool);
    }
    for (uintptr_t i = 1; i <= 100; i++) {
        add(i, 200);
        CU_ASSERT(queue.young->order < DEFERRED_ORDERS);
    }
    pool_check(100);
    for (uintptr_t i = 1; i <= 100; i++) {
        take(i, 200);
    }
    pool_check(0);
    size_t n = free_chunks();
    CU_ASSERT(n >= DEFERRED_ORDERS);
    for (uintptr_t i = 1; i <= 100; i++) { /* the same chunks serve again */
        add(i, 200);
    }
    deferred_queue_clear(&queue, &pool);
    CU_ASSERT_EQUAL(free_chunks(), n);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"large chunks", test_large_chunks},
                                        {"orders after large ones", test_orders_after_large}};
    return pool_suite_run(&argc, &argv, "bus/deferred queue", tests,
                          sizeof(tests) / sizeof(tests[0]));
}
