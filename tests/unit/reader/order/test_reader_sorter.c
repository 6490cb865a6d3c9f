/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sorter against qsort(), with and without a temporary file; messages of Protocol Buffers
 * against a decoder of a few lines.
 */
/* test: libs=warpscope_reading */
#include <string.h>

#include "export/viewers/protobuf.h"
#include "order/sorter.h"
#include "support/suite.h"

#define KEY_SIZE 12u
#define DATA_MAX 100u

struct thing {
    uint8_t key[KEY_SIZE];
    uint32_t number;
    uint32_t size;
};

static int by_key(const void *a, const void *b)
{
    const struct thing *x = a, *y = b;
    return memcmp(x->key, y->key, KEY_SIZE);
}

/* The data of each item are its number, repeated, and cut at its size. */
static void data_fill(uint8_t *data, const struct thing *thing)
{
    for (uint32_t i = 0; i < DATA_MAX; i++) {
        data[i] = (uint8_t)(thing->number >> 8 * (i % 4));
    }
}

/* distinct: number of keys; run: number of consecutive items in order. */
static void sort_check(uint64_t *seed, size_t n, uint64_t distinct, size_t run, bool spills)
{
    struct thing *list = calloc(n + 1, sizeof *list);
    uint8_t *taken = calloc(n + 1, 1), data[DATA_MAX];
    struct ws_sorter sorter;
    ws_sorter_init(&sorter, KEY_SIZE, DATA_MAX, (size_t)1 << 20);
    for (size_t i = 0; i < n; i++) {
        uint8_t *at = ws_key_i64(list[i].key, (int64_t)random_below(seed, distinct) - 50);
        ws_key_u32(at, (uint32_t)random_below(seed, 3));
        list[i].size = 4 + (uint32_t)random_below(seed, DATA_MAX - 3);
    }
    for (size_t i = 0; i < n; i += run) {
        qsort(list + i, n - i < run ? n - i : run, sizeof *list, by_key);
    }
    for (size_t i = 0; i < n; i++) {
        list[i].number = (uint32_t)i;
        data_fill(data, &list[i]);
        CU_ASSERT(ws_sorter_add(&sorter, list[i].key, data, list[i].size, NULL, 0));
    }
    CU_ASSERT(ws_sorter_ready(&sorter));
    CU_ASSERT_EQUAL(sorter.spilled, spills);
    struct thing *given = malloc((n + 1) * sizeof *given);
    memcpy(given, list, n * sizeof *given);
    qsort(list, n, sizeof *list, by_key);
    const uint8_t *key;
    const void *found;
    size_t k = 0;
    bool good = true;
    for (; (found = ws_sorter_next(&sorter, &key)) != NULL && k < n; k++) {
        uint32_t number;
        memcpy(&number, found, sizeof number);
        good &= number < n && taken[number]++ == 0 && memcmp(key, list[k].key, KEY_SIZE) == 0;
        good &= number < n && memcmp(key, given[number].key, KEY_SIZE) == 0;
        if (good) {
            data_fill(data, &given[number]);
            good &= memcmp(found, data, given[number].size) == 0;
        }
    }
    CU_ASSERT(good);
    CU_ASSERT_EQUAL(k, n);
    CU_ASSERT_PTR_NULL(found);
    CU_ASSERT_FALSE(sorter.failed);
    ws_sorter_free(&sorter);
    free(list);
    free(given);
    free(taken);
}

static void test_sorter(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("sorter", seed);
    sort_check(&seed, 0, 1, 1, false);
    sort_check(&seed, 1, 1, 1, false);
    for (int i = 0; i < 8; i++) {
        sort_check(&seed, random_below(&seed, 3000), 1 + random_below(&seed, 5000),
                   1 + random_below(&seed, 1000), false);
        sort_check(&seed, 20000 + random_below(&seed, 20000), 1 + random_below(&seed, 100000),
                   1 + random_below(&seed, 10000), true);
        /* Many short runs of many different keys, and of few. */
        sort_check(&seed, 3000 + random_below(&seed, 2000), UINT64_C(1) << 40, 1, false);
        sort_check(&seed, 3000 + random_below(&seed, 2000), 1 + random_below(&seed, 20), 1, false);
    }
}

static void test_keys(void)
{
    uint8_t a[8], b[8];
    const int64_t numbers[] = {INT64_MIN, -256, -255, -1, 0, 1, 255, 256, INT64_MAX};
    for (size_t i = 0; i + 1 < sizeof numbers / sizeof numbers[0]; i++) {
        ws_key_i64(a, numbers[i]);
        ws_key_i64(b, numbers[i + 1]);
        CU_ASSERT(memcmp(a, b, 8) < 0);
    }
}

/* ---- Protocol Buffers ------------------------------------------------------------------------ */

static uint64_t varint_read(const uint8_t **at)
{
    uint64_t v = 0;
    int shift = 0;
    do {
        v |= (uint64_t)(**at & 0x7f) << shift;
        shift += 7;
    } while ((*(*at)++ & 0x80) != 0);
    return v;
}

static void test_protobuf(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("protobuf", seed);
    for (int round = 0; round < 50; round++) {
        struct ws_protobuf p = {0};
        uint64_t number = random_bits(&seed) >> random_below(&seed, 64);
        size_t length = random_below(&seed, round % 10 == 0 ? 40000 : 300);
        char *text = calloc(1, length + 1);
        memset(text, 'x', length);
        size_t outer = ws_protobuf_begin(&p, 60);
        ws_protobuf_text(&p, 2, text);
        size_t inner = ws_protobuf_begin(&p, 3);
        ws_protobuf_u64(&p, 1, number);
        ws_protobuf_f64(&p, 44, 0.5);
        ws_protobuf_end(&p, inner);
        ws_protobuf_end(&p, outer);
        ws_protobuf_u64(&p, 10, 7);
        CU_ASSERT_FALSE(p.failed);
        const uint8_t *at = p.data;
        CU_ASSERT_EQUAL(varint_read(&at), 60 << 3 | 2);
        uint64_t size = varint_read(&at);
        const uint8_t *end = at + size;
        CU_ASSERT_EQUAL(varint_read(&at), 2 << 3 | 2);
        CU_ASSERT_EQUAL(varint_read(&at), length);
        CU_ASSERT(memcmp(at, text, length) == 0);
        at += length;
        CU_ASSERT_EQUAL(varint_read(&at), 3 << 3 | 2);
        size = varint_read(&at);
        CU_ASSERT_PTR_EQUAL(at + size, end);
        CU_ASSERT_EQUAL(varint_read(&at), 1 << 3 | 0);
        CU_ASSERT_EQUAL(varint_read(&at), number);
        CU_ASSERT_EQUAL(varint_read(&at), 44 << 3 | 1);
        static const uint8_t half[8] = {0, 0, 0, 0, 0, 0, 0xe0, 0x3f};
        CU_ASSERT(memcmp(at, half, 8) == 0);
        at += 8;
        CU_ASSERT_PTR_EQUAL(at, end);
        CU_ASSERT_EQUAL(varint_read(&at), 10 << 3 | 0);
        CU_ASSERT_EQUAL(varint_read(&at), 7);
        CU_ASSERT_PTR_EQUAL(at, p.data + p.used);
        ws_protobuf_free(&p);
        free(text);
    }
    struct ws_protobuf p = {0};
    ws_protobuf_text(&p, 1, "a\xff"); /* not UTF-8 */
    CU_ASSERT(p.used == 6 && memcmp(p.data,
                                    "\x0a\x04"
                                    "a\xef\xbf\xbd",
                                    6) == 0);
    ws_protobuf_free(&p);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"sorter", test_sorter}, {"keys", test_keys}, {"Protocol Buffers", test_protobuf}};
    return suite_run("sorter", tests, sizeof tests / sizeof tests[0]);
}
