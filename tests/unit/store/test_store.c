/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of store/: an index finds what a search through the array finds, also with hashes that
 * collide; arrays keep what they hold while they grow; items of chunks do not overlap; a binary search
 * finds what a walk finds; a set of numbers finds the places that a table of all numbers has.
 *
 * test: libs=none
 */
#include <CUnit/Basic.h>
#include <malloc.h>

#include "store/array.h"
#include "store/chunks.h"
#include "store/id_set.h"
#include "store/index.h"
#include "support/suite.h"

#define KEYS 3000

static uint32_t find(const struct index *x, const uint64_t *keys, uint64_t key, uint32_t hash)
{
    uint32_t item;
    for (uint32_t at = hash; index_next(x, hash, &at, &item);) {
        if (keys[item] == key) {
            return item;
        }
    }
    return UINT32_MAX;
}

/* hashes: how many different ones there are. */
static void check_index(uint64_t *seed, uint64_t range, uint32_t hashes)
{
    static uint64_t keys[KEYS];
    struct index x = {0};
    uint32_t n = 0, item;
    CU_ASSERT_EQUAL(find(&x, keys, 0, 0), UINT32_MAX);
    for (int step = 0; step < KEYS; step++) {
        uint64_t key = random_below(seed, range);
        uint32_t hash = index_hash(key) % hashes, expected = 0;
        while (expected < n && keys[expected] != key) {
            expected++;
        }
        item = find(&x, keys, key, hash);
        CU_ASSERT_EQUAL_FATAL(item, expected < n ? expected : UINT32_MAX);
        if (item == UINT32_MAX) {
            keys[n] = key;
            CU_ASSERT_FATAL(index_add(&x, hash, n++));
        }
    }
    CU_ASSERT_EQUAL(x.n, n);
    CU_ASSERT(index_check(&x));
    x.n--;
    CU_ASSERT_FALSE(index_check(&x));
    x.n++;
    index_clear(&x);
    CU_ASSERT(index_check(&x));
    CU_ASSERT_EQUAL(find(&x, keys, keys[0], index_hash(keys[0]) % hashes), UINT32_MAX);
    CU_ASSERT_FATAL(index_add(&x, 0, 0));
    index_fini(&x);
}

static void test_index(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("store", seed);
    check_index(&seed, 10, UINT32_MAX);
    check_index(&seed, 1000, UINT32_MAX);
    check_index(&seed, UINT64_MAX, UINT32_MAX);
    check_index(&seed, 100, 3);
}

static void test_array(void)
{
    struct item {
        uint32_t number;
        char more[3];
    } *list = NULL;
    size_t room = 0;
    CU_ASSERT(array_reserve(&list, &room, 0, sizeof *list));
    CU_ASSERT_PTR_NULL(list);
    for (uint32_t i = 0; i < 1000; i++) {
        CU_ASSERT_FATAL(array_reserve(&list, &room, i + 1, sizeof *list));
        list[i].number = i;
    }
    CU_ASSERT(room >= 1000);
    CU_ASSERT_FALSE(array_reserve(&list, &room, SIZE_MAX / 4, sizeof *list));
    for (uint32_t i = 0; i < 1000; i++) {
        CU_ASSERT_EQUAL(list[i].number, i);
    }
    size_t before = room;
    CU_ASSERT_FATAL(array_reserve_zero(&list, &room, 5000, sizeof *list));
    for (size_t i = before; i < room; i++) {
        CU_ASSERT_EQUAL_FATAL(list[i].number, 0);
    }
    free(list);
}

#define ITEMS_MAX 300u

/* Adds and removes random items, and compares the array with one of fixed size. */
static void check_append(uint64_t *seed)
{
    struct item {
        uint32_t number;
        char more[5];
    } *list = NULL, wanted[ITEMS_MAX];
    size_t n = 0;
    for (int step = 0; step < 2000; step++) {
        /* Phases of growth alternate with phases of removal. */
        bool adds = n == 0 || (n < ITEMS_MAX && random_below(seed, 8) < (step / 400 % 2 ? 3u : 5u));
        if (adds) {
            CU_ASSERT_FATAL(array_append(&list, n, sizeof *list));
            CU_ASSERT_FATAL(malloc_usable_size(list) >= (n + 1) * sizeof *list);
            memset(&wanted[n], (int)random_below(seed, 256), sizeof wanted[n]);
            memcpy(&list[n], &wanted[n], sizeof wanted[n]);
            n++;
        } else {
            n--;
        }
        CU_ASSERT_FATAL(memcmp(list, wanted, n * sizeof *list) == 0);
    }
    struct item *before = list;
    CU_ASSERT_FALSE(array_append(&list, (size_t)1 << 60, sizeof *list));
    CU_ASSERT_FALSE(array_append(&list, (size_t)1 << 63, 1));
    CU_ASSERT_PTR_EQUAL(list, before);
    free(list);
}

static void test_append(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("appended arrays", seed);
    for (int i = 0; i < 20; i++) {
        check_append(&seed);
    }
}

#define IDS 400u

/* Number i of a set: dense, with equal gaps, or on both sides of a gap around 2^63. */
static uint64_t id_of(unsigned kind, uint64_t i)
{
    return kind == 0 ? i : kind == 1 ? 1000 + 3 * i : i < IDS / 3 ? i : UINT64_MAX / IDS * i;
}

/* Compares all places with those in a table of the numbers, `has`. */
static uint64_t set_compare(struct id_set *set, unsigned kind, const bool has[IDS], uint64_t *seed)
{
    size_t hint = random_below(seed, IDS), place = 0;
    uint64_t wrong = !id_set_index(set);
    for (uint64_t i = 0; i < IDS; i++) {
        uint64_t id = id_of(kind, i);
        hint = random_below(seed, 4) == 0 ? random_below(seed, IDS) : hint;
        wrong += id_set_from(set, id) != place;
        wrong += has[i] && id_set_at(set, place) != id;
        size_t expected = has[i] ? place++ : ID_SET_NONE;
        wrong += id_set_find(set, id, &hint) != expected;
        wrong += id_set_place(set, id) != expected;
        wrong += kind == 1 && id_set_place(set, id + 1) != ID_SET_NONE;
    }
    return wrong + (place != set->n) + !id_set_check(set);
}

static void test_set(void)
{
    uint64_t seed = suite_seed(), wrong = 0;
    suite_print_seed("store", seed);
    for (unsigned round = 0; round < 200; round++) {
        const unsigned kind = round % 3;
        bool has[IDS] = {false};
        struct id_set set = {0};
        for (int step = 0; step < 10; step++) {
            uint64_t numbers[64], first = random_below(&seed, IDS - 64);
            size_t n = random_below(&seed, 64);
            bool ordered = random_below(&seed, 2) == 0;
            for (size_t i = 0; i < n; i++) {
                uint64_t chosen = ordered ? first + i : random_below(&seed, IDS);
                numbers[i] = id_of(kind, chosen);
                has[chosen] = true;
            }
            CU_ASSERT_TRUE(id_set_add(&set, numbers, n));
            CU_ASSERT_TRUE(id_set_check(&set));
        }
        wrong += set_compare(&set, kind, has, &seed);
        if (set.n > 1) { /* the check finds a number in the wrong place */
            set.ids[0] = set.ids[1];
            CU_ASSERT_FALSE(id_set_check(&set));
        }
        id_set_free(&set);
    }
    bool has[IDS] = {false};
    struct id_set dense = {.n = 1 + random_below(&seed, IDS - 1)};
    memset(has, true, dense.n);
    wrong += set_compare(&dense, 0, has, &seed) + !id_set_is_dense(&dense);
    CU_ASSERT_EQUAL(wrong, 0);
}

/* A search in each sorted array of up to 40 bits finds what a walk from the first one finds. */
static void test_search(void)
{
    for (unsigned n = 0; n <= 40; n++) {
        for (unsigned zeros = 0; zeros <= n; zeros++) {
            unsigned i, evaluated = 0;
            BINARY_SEARCH(i, n, 2 * n, (evaluated++, i - n < zeros));
            CU_ASSERT_EQUAL(i - n, zeros);
            CU_ASSERT(evaluated <= 6);
        }
    }
}

/* Items of random sizes do not overlap, and multiples of 16 are aligned. */
static void test_chunks(void)
{
    enum { ITEMS = 3000 };
    static unsigned char *items[ITEMS];
    static size_t sizes[ITEMS];
    uint64_t seed = suite_seed();
    struct chunks c = {.next = 0};
    suite_print_seed("chunks", seed);
    for (size_t i = 0; i < ITEMS; i++) {
        sizes[i] = 16 * (1 + random_below(&seed, i % 500 == 7 ? 5000 : 20));
        items[i] = chunks_take(&c, sizes[i]);
        CU_ASSERT_FATAL(items[i] != NULL && (uintptr_t)items[i] % 16 == 0);
        memset(items[i], (int)(i & 0xff), sizes[i]);
    }
    size_t wrong = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        wrong += items[i][0] != (i & 0xff) || items[i][sizes[i] - 1] != (i & 0xff);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    chunks_free(c.list);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"an index", test_index},           {"a search", test_search},
        {"memory in chunks", test_chunks},  {"an array", test_array},
        {"an appended array", test_append}, {"a set of numbers", test_set}};
    return suite_run("store", tests, sizeof tests / sizeof tests[0]);
}
