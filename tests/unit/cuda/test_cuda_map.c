/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table from addresses to pointers, compared with an array that has the value of each key.
 *
 * test: libs=warpscope_cuda_runtime
 */
#include "runtime/gpu.h"
#include "support/suite.h"

enum { KEYS = 200, STEPS = 20000 };

static void test_random(void)
{
    static char values[KEYS + 1];
    void *expected[KEYS + 1] = {NULL};
    size_t n = 0;
    struct gpu_map map = {0};
    uint64_t seed = suite_seed();
    suite_print_seed("map", seed);
    for (int step = 0; step < STEPS; step++) {
        /* Phases in which most steps add, and phases in which most steps remove. */
        uint64_t adds = step / 500 % 2 == 0 ? 8 : 2;
        uint64_t key = 1 + random_below(&seed, KEYS);
        if (random_below(&seed, 10) < adds) {
            void *value = &values[random_below(&seed, KEYS)];
            CU_ASSERT_TRUE(gpu_map_set(&map, key << 8, value));
            n += expected[key] == NULL;
            expected[key] = value;
        } else {
            CU_ASSERT_PTR_EQUAL(gpu_map_remove(&map, key << 8), expected[key]);
            n -= expected[key] != NULL;
            expected[key] = NULL;
        }
        uint64_t any = 1 + random_below(&seed, KEYS);
        CU_ASSERT_PTR_EQUAL(gpu_map_get(&map, any << 8), expected[any]);
        CU_ASSERT_EQUAL(map.n, n);
        CU_ASSERT_TRUE(gpu_map_check(&map));
    }
    gpu_map_fini(&map);
    CU_ASSERT_TRUE(gpu_map_check(&map));
    CU_ASSERT_PTR_NULL(gpu_map_get(&map, 1 << 8));
    CU_ASSERT_PTR_NULL(gpu_map_remove(&map, 0));
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"random keys", test_random}};
    return suite_run("map of addresses", tests, sizeof tests / sizeof tests[0]);
}
