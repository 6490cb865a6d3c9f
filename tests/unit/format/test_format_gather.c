/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of format/column/gather: columns, ranges and turned rows against their definitions.
 */
#include <CUnit/Basic.h>
#include <math.h>

#include "format/bytes.h"
#include "format/column/gather.h"
#include "support/format_memory.h"
#include "support/suite.h"

static uint64_t seed_take(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("format_gather", seed);
    return seed;
}

#define COLUMNS_MAX 40u

/* Lists columns of 8, 4, 2 and 1 bytes, some bytes apart, in rows of `bytes` bytes. */
static uint32_t columns_draw(uint64_t *random, struct fmt_gather *columns, size_t bytes)
{
    uint32_t n = 0;
    for (uint32_t at = 0; at < bytes && n < COLUMNS_MAX;) {
        uint32_t width = 1u << random_below(random, 4);
        at = (at + width - 1) & ~(width - 1);
        if (at + width <= bytes) {
            columns[n++] = (struct fmt_gather){
                .offset = at, .width = width, .varies = random_below(random, 2)};
        }
        at += width;
    }
    return n;
}

/* Fills a row. Its first half is constant, or differs in few rows. */
static void row_fill(uint8_t *row, size_t bytes, uint64_t *random, uint64_t rare)
{
    for (size_t b = 0; b < bytes; b++) {
        uint64_t any = random_bits(random);
        row[b] = (uint8_t)(b < bytes / 2 && any % rare != 0 ? 7 * b : any >> 32);
    }
}

static size_t column_differs(const struct fmt_gather *c, const uint8_t *memory,
                             const uint32_t *offset, uint32_t n)
{
    size_t wrong = 0;
    bool differ = false;
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *from = memory + offset[i] + c->offset;
        const uint8_t *value = (const uint8_t *)c->values + (c->varies ? i : 0) * (size_t)c->width;
        uint64_t word = 0;
        differ = differ || memcmp(from, memory + offset[0] + c->offset, c->width) != 0;
        if (c->width == 4) {
            memcpy(&word, value, 4);
            wrong += (uint32_t)word != fmt_get_u32(from);
        } else if (c->width == 8) {
            memcpy(&word, value, 8);
            wrong += word != fmt_get_u64(from);
        } else {
            wrong += memcmp(value, from, c->width) != 0;
        }
    }
    return wrong + (differ && !c->varies);
}

/* Gathers n rows with other bytes between them; gap: the same number of bytes, or any. */
static void check_gather(uint64_t *random, size_t bytes, uint32_t n, bool same_gap)
{
    uint8_t *memory = malloc(n * (bytes + 24) + 1), *values = malloc(n * bytes + 8 * COLUMNS_MAX);
    uint32_t *offset = malloc((n + 1) * sizeof *offset), at = 0;
    struct fmt_gather columns[COLUMNS_MAX];
    uint32_t n_columns = columns_draw(random, columns, bytes),
             gap = (uint32_t)random_below(random, 4);
    uint64_t rare = 1 + random_below(random, 4000);
    for (uint32_t i = 0; i < n; i++) {
        offset[i] = at;
        row_fill(memory + at, bytes, random, rare);
        at += (uint32_t)bytes;
        row_fill(memory + at, 24, random, 1);
        at += 8 * (same_gap ? gap : (uint32_t)random_below(random, 4));
    }
    struct fmt_rows rows = {memory, offset, n, same_gap ? (uint32_t)bytes + 8 * gap : 0};
    uint8_t *to = values;
    for (uint32_t k = 0; k < n_columns; k++) {
        columns[k].values = to;
        to += ((size_t)n * columns[k].width + 7) & ~(size_t)7;
    }
    fmt_gather(&rows, columns, n_columns);
    size_t wrong = 0;
    for (uint32_t k = 0; k < n_columns; k++) {
        wrong += column_differs(&columns[k], memory, offset, n);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    uint8_t *bytes_out = malloc(n * bytes);
    fmt_gather_bytes(&rows, 3, bytes - 3, bytes_out);
    for (uint32_t i = 0; i < n; i++) {
        wrong += memcmp(bytes_out + i * (bytes - 3), memory + offset[i] + 3, bytes - 3) != 0;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    free(bytes_out);
    free(memory);
    free(values);
    free(offset);
}

static void test_gather(void)
{
    uint64_t random = seed_take();
    for (uint32_t n = 1; n <= 150; n++) {
        check_gather(&random, 8 * (1 + random_below(&random, 6)), n, n % 2 == 0);
    }
    check_gather(&random, 72, 1820, true);
    check_gather(&random, 72, 1820, false);
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

static double any_double(uint64_t *random)
{
    static const double some[] = {0.0, -0.0, 1.5, -2.25, INFINITY, -INFINITY, NAN, -NAN, 1e-310};
    uint64_t kind = random_below(random, 16);
    return kind < 9 ? some[kind] : (double)random_below(random, 1000) / 8 - 50;
}

static void test_range(void)
{
    uint64_t random = seed_take();
    for (uint32_t round = 0; round < 3000; round++) {
        uint32_t n = 1 + (uint32_t)random_below(&random, 20);
        bool ascending = round % 2 == 0;
        double values[20], least = NAN, most = NAN, min, max;
        uint64_t bits[20];
        for (uint32_t i = 0; i < n; i++) {
            double step = (double)random_below(&random, 3);
            values[i] = ascending ? (i == 0 ? step : values[i - 1] + step) : any_double(&random);
            if (ascending && random_below(&random, 40) == 0) {
                values[i] = any_double(&random);
            }
            if (values[i] == values[i]) {
                least = isnan(least) || values[i] < least ? values[i] : least;
                most = isnan(most) || values[i] > most ? values[i] : most;
            }
        }
        memcpy(bits, values, sizeof bits);
        fmt_range_find(bits, n, &min, &max);
        CU_ASSERT(isnan(least) ? isnan(min) : min == least);
        CU_ASSERT(isnan(most) ? isnan(max) : max == most);
    }
}

/* Fields at 0, 4, 6, 7 and 8 and padding between. */
static void test_turn(void)
{
    static const struct fmt_gather columns[] = {{0, 4, NULL, false},
                                                {4, 2, NULL, false},
                                                {6, 1, NULL, false},
                                                {8, 8, NULL, false},
                                                {16, 2, NULL, false}};
    static const uint8_t expected[] = {3,  2,  1, 0, 5,  4,  6,  7,  15, 14, 13, 12,
                                       11, 10, 9, 8, 17, 16, 18, 19, 20, 21, 22, 23};
    uint8_t memory[48], turned[48], back[48];
    const uint32_t offset[] = {0, 24};
    struct fmt_rows rows = {memory, offset, 2, 0};
    for (size_t i = 0; i < sizeof memory; i++) {
        memory[i] = (uint8_t)i;
    }
    fmt_rows_turn(&rows, columns, 5, sizeof memory, turned);
    CU_ASSERT(memcmp(turned, expected, sizeof expected) == 0);
    CU_ASSERT_EQUAL(turned[24], 27);
    rows.first = turned;
    fmt_rows_turn(&rows, columns, 5, sizeof memory, back);
    CU_ASSERT(memcmp(back, memory, sizeof memory) == 0);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"rows to columns", test_gather},
                                        {"ranges", test_range},
                                        {"fields turned round", test_turn}};
    return suite_run("format_gather", tests, sizeof tests / sizeof tests[0]);
}
