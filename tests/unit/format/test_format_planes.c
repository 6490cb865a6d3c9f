/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of format/column/pack: LZ4 blocks of byte planes against LZ4's own decoder, which readers
 * use.
 */
#include <CUnit/Basic.h>
#include <lz4.h>

#include "format/bytes.h"
#include "format/column/pack.h"
#include "support/format_memory.h"
#include "support/suite.h"

static uint64_t seed_take(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("format_planes", seed);
    return seed;
}

/* ---- Planes to an LZ4 block ------------------------------------------------------------------ */

/* Fills one plane: a constant, bytes that change slowly, few different ones, a repeated pattern,
 * copies of earlier bytes, or arbitrary bytes. */
static void plane_fill(uint8_t *bytes, size_t at, size_t n, uint64_t *random)
{
    uint64_t kind = random_below(random, 7), period = 1 + random_below(random, 40);
    uint64_t change = 1 + random_below(random, 60);
    uint8_t slow = (uint8_t)random_below(random, 3);
    for (size_t i = at; i < at + n; i++) {
        uint64_t any = random_bits(random);
        slow = (uint8_t)(slow + (kind == 1 && any % change == 0));
        bytes[i] = kind <= 1                  ? slow
                   : kind == 2                ? any & 3
                   : kind == 3 && i >= period ? bytes[i - period]
                   : kind == 4 && i >= n      ? bytes[i - n]
                                              : (uint8_t)any;
    }
}

/* Packs and decodes. Returns the size of the block; 0 if it did not fit. */
static size_t check_pack(struct fmt_packer *packer, const struct fmt_planes *p, size_t capacity)
{
    size_t size = p->n_planes * p->n;
    uint8_t *block = malloc(capacity + FMT_PACK_SLACK + 1), *back = malloc(size + 1);
    block[capacity + FMT_PACK_SLACK] = 0x5a;
    size_t packed = fmt_pack(packer, p, block, capacity);
    CU_ASSERT_EQUAL(block[capacity + FMT_PACK_SLACK], 0x5a);
    CU_ASSERT(packed <= capacity);
    if (packed > 0 && packed <= capacity) {
        int got = LZ4_decompress_safe((char *)block, (char *)back, (int)packed, (int)size);
        CU_ASSERT_EQUAL(got, (int)size);
        CU_ASSERT(memcmp(back, p->bytes, size) == 0);
    }
    free(block);
    free(back);
    return packed;
}

#define PLANES_MAX 12
#define SIZE_MOST  200000u

static void check_random_planes(struct fmt_packer *packer, uint64_t *random, size_t n)
{
    static uint8_t bytes[SIZE_MOST + FMT_PACK_SLACK];
    uint8_t rest[PLANES_MAX];
    struct fmt_planes p = {
        .bytes = bytes, .n_planes = 1 + random_below(random, PLANES_MAX), .n = n};
    for (size_t b = 0; b < p.n_planes; b++) {
        plane_fill(bytes, b * n, n, random);
        rest[b] = (uint8_t)(random_below(random, 3) == 0);
    }
    p.rest = random_below(random, 4) ? rest : NULL;
    size_t size = p.n_planes * n;
    size_t all = check_pack(packer, &p, size + size / 255 + 16);
    CU_ASSERT(all > 0);
    check_pack(packer, &p, all);
    check_pack(packer, &p, (size_t)random_below(random, size + 1));
}

static void test_pack(void)
{
    struct fmt_packer *packer = calloc(1, sizeof *packer);
    uint64_t random = seed_take();
    for (size_t n = 0; n <= 100; n++) {
        check_random_planes(packer, &random, n);
    }
    for (int i = 0; i < 300; i++) {
        if (i % 50 == 0) { /* counts of bytes restart before they overflow */
            packer->next = i % 100 == 0 ? INT32_MAX - 10000 : UINT32_MAX - 10000;
        }
        check_random_planes(packer, &random, (size_t)random_below(&random, 4000));
    }
    check_random_planes(packer, &random, SIZE_MOST / PLANES_MAX);
    free(packer);
}

/* Data of an earlier column is not used for this one, even if the same bytes occur there. */
static void test_pack_again(void)
{
    struct fmt_packer *packer = calloc(1, sizeof *packer);
    uint8_t bytes[4096 + FMT_PACK_SLACK];
    uint64_t random = seed_take();
    struct fmt_planes p = {.bytes = bytes, .n_planes = 1, .n = 4096};
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)random_bits(&random);
    }
    CU_ASSERT(check_pack(packer, &p, 8192) > 4096);
    CU_ASSERT(check_pack(packer, &p, 8192) > 4096);
    packer->next = UINT32_C(1) << 31;
    CU_ASSERT(check_pack(packer, &p, 8192) > 4096);
    free(packer);
}

/* A repetition more than 65535 bytes back cannot be encoded in a block. */
static void test_pack_far(void)
{
    struct fmt_packer *packer = calloc(1, sizeof *packer);
    size_t n = 100000;
    uint8_t *bytes = calloc(n + FMT_PACK_SLACK, 1);
    uint64_t random = seed_take();
    for (size_t i = 0; i < 100; i++) {
        bytes[i] = (uint8_t)random_bits(&random);
    }
    memcpy(bytes + 60000, bytes, 50);
    memcpy(bytes + 80000, bytes + 52, 48); /* from a place in the hash table */
    struct fmt_planes p = {.bytes = bytes, .n_planes = 1, .n = n};
    size_t packed = check_pack(packer, &p, n);
    CU_ASSERT(packed > 150 && packed < 700);
    free(bytes);
    free(packer);
}

/* Compression: constant planes take no bytes, patterns few, and the rest is stored. */
static void test_pack_gain(void)
{
    struct fmt_packer *packer = calloc(1, sizeof *packer);
    uint8_t bytes[4 * 2048 + FMT_PACK_SLACK], rest[4] = {0};
    uint64_t random = seed_take();
    struct fmt_planes p = {.bytes = bytes, .n_planes = 4, .n = 2048, .rest = rest};
    for (size_t i = 0; i < 2048; i++) {
        bytes[i] = (uint8_t)random_bits(&random);
        bytes[2048 + i] = (uint8_t)(i % 100);
        bytes[2 * 2048 + i] = (uint8_t)(i / 100);
        bytes[3 * 2048 + i] = 9;
    }
    size_t packed = check_pack(packer, &p, 8192);
    CU_ASSERT(packed > 2048 && packed < 2048 + 400);
    CU_ASSERT(rest[0] > 0 && rest[1] == 0 && rest[2] == 0 && rest[3] == 0);
    for (unsigned left = rest[0]; left > 0; left--) {
        CU_ASSERT_EQUAL(rest[0], left);
        CU_ASSERT_EQUAL(check_pack(packer, &p, 8192), packed);
    }
    CU_ASSERT_EQUAL(rest[0], 0);
    free(packer);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"planes to LZ4 and back", test_pack},
                                        {"columns know nothing of each other", test_pack_again},
                                        {"too far to be stored", test_pack_far},
                                        {"what planes shrink to", test_pack_gain}};
    return suite_run("format_planes", tests, sizeof tests / sizeof tests[0]);
}
