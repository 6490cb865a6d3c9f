/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of format/bytes and format/shuffle: encoding against fixed bytes, bounds, and byte planes
 * against the definition.
 */
#include <CUnit/Basic.h>

#include "format/bytes.h"
#include "format/column/shuffle.h"
#include "support/format_memory.h"
#include "support/suite.h"

static uint64_t seed_take(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("format_bytes", seed);
    return seed;
}

static void test_numbers(void)
{
    static const uint8_t expected[] = {0x7f, 0x34, 0x12, 0x78, 0x56, 0x34, 0x12, 0xf0, 0xde,
                                       0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12, 0,    0,    0,
                                       0,    0,    0,    0xf8, 0x3f, 2,    0,    'h',  'i'};
    uint8_t bytes[64] = {0};
    struct fmt_out out = {.data = bytes, .capacity = sizeof bytes};
    fmt_out_u8(&out, 0x7f);
    fmt_out_u16(&out, 0x1234);
    fmt_out_u32(&out, 0x12345678);
    fmt_out_u64(&out, UINT64_C(0x123456789abcdef0));
    fmt_out_f64(&out, 1.5);
    fmt_out_string(&out, "hi");
    CU_ASSERT_EQUAL(out.size, sizeof expected);
    CU_ASSERT(memcmp(bytes, expected, sizeof expected) == 0);
    fmt_out_pad8(&out);
    CU_ASSERT_EQUAL(out.size, 32);

    char memory[16];
    struct fmt_arena arena = {.data = (uint8_t *)memory, .capacity = sizeof memory};
    struct fmt_in in = {.data = bytes, .size = sizeof expected};
    CU_ASSERT_EQUAL(fmt_in_u8(&in), 0x7f);
    CU_ASSERT_EQUAL(fmt_in_u16(&in), 0x1234);
    CU_ASSERT_EQUAL(fmt_in_u32(&in), 0x12345678);
    CU_ASSERT_EQUAL(fmt_in_u64(&in), UINT64_C(0x123456789abcdef0));
    CU_ASSERT_EQUAL(fmt_in_f64(&in), 1.5);
    CU_ASSERT_STRING_EQUAL(fmt_in_string(&in, &arena), "hi");
    CU_ASSERT_FALSE(in.bad);
    CU_ASSERT_EQUAL(fmt_in_u8(&in), 0);
    CU_ASSERT_TRUE(in.bad);
}

static void test_out_is_bounded(void)
{
    uint8_t bytes[8] = {0};
    struct fmt_out out = {.data = bytes, .capacity = 7};
    fmt_out_u32(&out, 1);
    fmt_out_u32(&out, 0xffffffff);
    CU_ASSERT_TRUE(out.full);
    fmt_out_u8(&out, 0xff);
    CU_ASSERT_EQUAL(out.size, 4);
    CU_ASSERT_EQUAL(bytes[4], 0);
}

static void test_in_is_bounded(void)
{
    static const uint8_t bytes[] = {3, 0, 'a', 0, 'b', 200, 0};
    uint8_t memory[8];
    struct fmt_arena arena = {.data = memory, .capacity = sizeof memory};
    struct fmt_in zero_inside = {.data = bytes, .size = sizeof bytes};
    CU_ASSERT_STRING_EQUAL(fmt_in_string(&zero_inside, &arena), "");
    CU_ASSERT_TRUE(zero_inside.bad);
    struct fmt_in too_long = {.data = bytes, .size = sizeof bytes, .pos = 5};
    CU_ASSERT_STRING_EQUAL(fmt_in_string(&too_long, &arena), "");
    CU_ASSERT_TRUE(too_long.bad);
    struct fmt_in in = {.data = bytes, .size = sizeof bytes};
    struct fmt_in part = fmt_in_part(&in, 4);
    CU_ASSERT_EQUAL(part.size, 4);
    CU_ASSERT_EQUAL(in.pos, 4);
    part = fmt_in_part(&in, 4);
    CU_ASSERT_TRUE(part.bad && in.bad);
    CU_ASSERT_EQUAL(fmt_in_u64(&part), 0);
}

static void test_arena_is_bounded(void)
{
    uint64_t memory[4];
    struct fmt_arena arena = {.data = (uint8_t *)memory, .capacity = sizeof memory};
    CU_ASSERT_PTR_EQUAL(fmt_arena_take(&arena, 3, 1), memory);
    CU_ASSERT_PTR_EQUAL(fmt_arena_take(&arena, 1, 16), memory + 1);
    CU_ASSERT_PTR_NULL(fmt_arena_take(&arena, SIZE_MAX / 4, 16));
    CU_ASSERT_TRUE(arena.full);
    CU_ASSERT_PTR_NULL(fmt_arena_take(&arena, 1, 1));
}

static void test_names(void)
{
    CU_ASSERT_TRUE(fmt_name_valid("aZ_09"));
    CU_ASSERT_FALSE(fmt_name_valid(""));
    CU_ASSERT_FALSE(fmt_name_valid(NULL));
    CU_ASSERT_FALSE(fmt_name_valid("a b"));
    CU_ASSERT_FALSE(fmt_name_valid("a,b"));
    CU_ASSERT_FALSE(fmt_name_valid("\xc3\xa9"));
}

static void check_unshuffle(uint64_t *random, size_t width, size_t n)
{
    size_t size = width * n;
    uint8_t *planes = malloc(size + 1), *values = malloc(size + 1);
    for (size_t i = 0; i < size; i++) {
        planes[i] = (uint8_t)random_bits(random);
    }
    values[size] = 0x5a;
    fmt_unshuffle(values, planes, width, n);
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t b = 0; b < width; b++) {
            wrong += planes[b * n + i] != values[i * width + b];
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(values[size] == 0x5a);
    free(planes);
    free(values);
}

static void test_unshuffle(void)
{
    uint64_t random = seed_take();
    for (size_t width = 1; width <= 40; width++) {
        for (size_t n = 0; n <= 40; n++) {
            check_unshuffle(&random, width, n);
        }
    }
    check_unshuffle(&random, 8, 2048);
    check_unshuffle(&random, 4096, 9);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"numbers to bytes and back", test_numbers},
                                        {"writing stops at the capacity", test_out_is_bounded},
                                        {"reading stops at the end", test_in_is_bounded},
                                        {"memory stops at the capacity", test_arena_is_bounded},
                                        {"names", test_names},
                                        {"byte planes", test_unshuffle}};
    return suite_run("format_bytes", tests, sizeof tests / sizeof tests[0]);
}
