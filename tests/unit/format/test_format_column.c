/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of format/column: packed numbers against their definition in docs/FORMAT.md, every encoding
 * there and back for columns of all kinds, the choice among them, and hostile bytes.
 */
#include <CUnit/Basic.h>
#include <math.h>

#include "format/bytes.h"
#include "format/column/column.h"
#include "format/column/shuffle.h"
#include "support/format_memory.h"
#include "support/suite.h"

#define N_MAX 3000u
#define GUARD 0x5a

static uint64_t seed_take(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("format_column", seed);
    return seed;
}

static uint64_t word_get(const void *words, size_t i, uint32_t width)
{
    return width == 4 ? ((const uint32_t *)words)[i] : ((const uint64_t *)words)[i];
}

static void word_set(void *words, size_t i, uint64_t word, uint32_t width)
{
    if (width == 4) {
        ((uint32_t *)words)[i] = (uint32_t)word;
    } else {
        ((uint64_t *)words)[i] = word;
    }
}

static uint64_t word_mask(uint32_t width)
{
    return width == 4 ? UINT32_MAX : UINT64_MAX;
}

/* ---- Packed numbers -------------------------------------------------------------------------- */

/* Returns number i of n packed ones, bit by bit as FORMAT.md defines them. */
static uint64_t packed_number(const uint8_t *packed, uint32_t n, uint32_t i, unsigned bits)
{
    uint32_t word_bits = bits <= 32 ? 32 : 64, lanes = (n + word_bits - 1) / word_bits;
    uint32_t lane = i % lanes, begin = i / lanes * bits;
    uint64_t number = 0;
    for (unsigned b = 0; b < bits; b++) {
        uint32_t word = (begin + b) / word_bits * lanes + lane, bit = (begin + b) % word_bits;
        uint64_t set = packed[word * word_bits / 8 + bit / 8] >> bit % 8 & 1;
        number |= set << b;
    }
    return number;
}

static void check_bits(uint64_t *random, uint32_t n, unsigned bits, uint32_t width, bool delta)
{
    static uint64_t memory[N_MAX + 1], back[N_MAX];
    static uint8_t packed[8 * (N_MAX + 64) + 2];
    uint8_t *values = (uint8_t *)memory + width; /* there is a value before the first */
    unsigned shift = (unsigned)random_below(random, 8 * width - bits + (bits > 0));
    uint64_t low = bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
    struct fmt_frame frame = {
        .base = random_bits(random) & word_mask(width), .bits = bits, .shift = shift};
    size_t size = fmt_bits_size(n, bits);
    memset(packed, GUARD, sizeof packed);
    word_set(memory, 0, random_bits(random), width);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t number = (random_bits(random) & low) << shift;
        uint64_t before = delta ? word_get(memory, i, width) : 0;
        word_set(memory, i + 1, number + frame.base + before, width);
    }
    fmt_bits_pack(packed + 1, values, n, width, delta, &frame);
    size_t wrong = packed[0] != GUARD || packed[size + 1] != GUARD;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t before = delta ? word_get(memory, i, width) : 0;
        uint64_t number = (word_get(values, i, width) - before - frame.base) & word_mask(width);
        wrong += packed_number(packed + 1, n, i, bits) != number >> shift;
    }
    fmt_bits_unpack(back, packed + 1, n, width, &frame);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t before = delta ? word_get(memory, i, width) : 0;
        wrong +=
            ((word_get(values, i, width) - before) & word_mask(width)) != word_get(back, i, width);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void test_bits(void)
{
    static const uint32_t sizes[] = {0,  1,  2,  31, 32,  33,  63,   64,
                                     65, 66, 95, 96, 127, 128, 1000, N_MAX};
    uint64_t random = seed_take();
    for (uint32_t width = 4; width <= 8; width += 4) {
        for (unsigned bits = 0; bits <= 8 * width; bits++) {
            uint32_t n = sizes[random_below(&random, sizeof sizes / sizeof *sizes)];
            check_bits(&random, n, bits, width, bits % 2 == 0);
            check_bits(&random, (uint32_t)random_below(&random, 200), bits, width, bits % 2 != 0);
        }
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            check_bits(&random, sizes[i], (unsigned)random_below(&random, 8 * width + 1), width,
                       i % 2 == 0);
        }
    }
}

/* ---- Columns --------------------------------------------------------------------------------- */

static uint64_t double_bits(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* Bits of doubles that are easily lost: signalling NaN with payload, -0.0, denormal, infinite. */
static const uint64_t odd_doubles[] = {
    UINT64_C(0x7ff0000000000001), UINT64_C(0xfff8dead00000000), UINT64_C(0x8000000000000000), 0,
    UINT64_C(0x0000000000000001), UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000)};

enum { KINDS = 14 };

/* Makes value i of a column of some kind; before: the value before. */
static uint64_t value_make(uint64_t *random, unsigned kind, uint32_t i, uint64_t before, uint64_t p)
{
    uint64_t any = random_bits(random);
    switch (kind) {
    case 0:
        return p;
    case 1:
        return any;
    case 2: /* few bits above a base */
        return p + any % 1000;
    case 3: /* around zero, signed */
        return any % 7 - 3;
    case 4: /* ascending */
        return before + any % 50;
    case 5: /* equal steps */
        return p + i * (p >> 40);
    case 6: /* ascending, with some falls */
        return before + (any % 100 == 0 ? 0 - (any >> 50) : any >> 56);
    case 7: /* few, far apart */
        return (p ^ (any % 9)) * UINT64_C(0x9e3779b97f4a7c15);
    case 8: /* runs */
        return any % 10 == 0 ? before + any % 1000 : before;
    case 9: /* doubles that ascend */
        return double_bits(i * 0.001 + (double)(any % 1000) * 1e-7);
    case 10:
        return any % 5 != 0 ? double_bits((double)(any % 4096) / 8)
                            : odd_doubles[any / 8 % (sizeof odd_doubles / sizeof *odd_doubles)];
    case 11: /* exceptions from few bits */
        return any % 150 == 0 ? any : p + (any >> 54);
    case 12: /* exceptions below a range of doubles */
        return any % 100 == 0 ? 0 : double_bits(100.0 + (double)(any % 100000) * 1e-9);
    default: /* multiples */
        return p + (any % 50 << 20);
    }
}

static void column_make(uint64_t *random, unsigned kind, void *words, uint32_t n, uint32_t width)
{
    uint64_t p = random_bits(random), before = p >> (random_below(random, 2) * 33);
    for (uint32_t i = 0; i < n; i++) {
        before = value_make(random, kind, i, before, p);
        word_set(words, i, before, width);
    }
}

/* Returns true if the stored column decodes to these values, without a touch of other bytes. */
static bool reads_back(uint32_t encoding, const uint8_t *bytes, size_t size, const void *words,
                       uint32_t n, uint32_t width)
{
    size_t raw = (size_t)n * width;
    uint8_t *copy = malloc(size + 1), *to = malloc(raw + 8),
            *scratch = malloc(fmt_column_scratch(raw));
    memcpy(copy, bytes, size);
    memset(to + raw, GUARD, 8);
    struct fmt_stored stored = {copy, size, n, width};
    bool good = fmt_column_read(encoding, &stored, to, scratch);
    fmt_words_turn(to, n, width);
    good = good && memcmp(to, words, raw) == 0 && to[raw] == GUARD;
    free(copy);
    free(to);
    free(scratch);
    return good;
}

static const struct fmt_way ways[] = {
    {FMT_ENCODING_SHUFFLE, 0},
    {FMT_ENCODING_FRAME, 0},
    {FMT_ENCODING_DELTA, 0},
    {FMT_ENCODING_DICT, 0},
    {FMT_ENCODING_RUNS, FMT_ENCODING_FRAME},
    {FMT_ENCODING_RUNS, FMT_ENCODING_DELTA},
    {FMT_ENCODING_RUNS, FMT_ENCODING_DICT},
};
#define N_WAYS (sizeof ways / sizeof *ways)

/* Buffers for columns of up to N_MAX words. */
static uint64_t words[N_MAX + 8];
static uint8_t out[2 * 8 * N_MAX + 4096];

/* Stores the words in each way, with ample space, with exactly enough, and with one byte less. */
static void check_ways(struct fmt_column_memory *m, uint32_t n, uint32_t width, size_t *stored)
{
    struct fmt_values values = {words, n, width};
    for (size_t k = 0; k < N_WAYS; k++) {
        struct fmt_column_state state = {0}, again = {0};
        size_t size = fmt_column_write_way(m, &values, &state, ways[k], out, 16 * (size_t)n + 2048);
        stored[k] += size > 0;
        if (size == 0) {
            CU_ASSERT(ways[k].encoding == FMT_ENCODING_DICT ||
                      ways[k].encoding == FMT_ENCODING_RUNS);
            continue;
        }
        CU_ASSERT(reads_back(ways[k].encoding, out, size, words, n, width));
        if (ways[k].encoding != FMT_ENCODING_SHUFFLE) {
            out[size] = GUARD;
            CU_ASSERT_EQUAL(fmt_column_write_way(m, &values, &again, ways[k], out, size), size);
            CU_ASSERT_EQUAL(out[size], GUARD);
            again = (struct fmt_column_state){0};
            out[size - 1] = GUARD;
            CU_ASSERT_EQUAL(fmt_column_write_way(m, &values, &again, ways[k], out, size - 1), 0);
            CU_ASSERT_EQUAL(out[size - 1], GUARD);
        }
    }
}

static uint32_t length_draw(uint64_t *random)
{
    static const uint32_t some[] = {1, 2, 3, 31, 32, 33, 63, 64, 65, 128, 129, N_MAX};
    uint64_t i = random_below(random, 30);
    return i < 12 ? some[i] : 1 + (uint32_t)random_below(random, i < 20 ? 100 : N_MAX);
}

static void test_ways(void)
{
    struct fmt_column_memory *m = fmt_column_memory_create(N_MAX, sizeof words);
    size_t stored[N_WAYS] = {0};
    uint64_t random = seed_take();
    for (unsigned round = 0; round < 20 * KINDS; round++) {
        uint32_t n = length_draw(&random), width = random_below(&random, 2) ? 4 : 8;
        column_make(&random, round % KINDS, words, n, width);
        check_ways(m, n, width, stored);
    }
    for (size_t k = 0; k < N_WAYS; k++) {
        CU_ASSERT(stored[k] > 0);
    }
    fmt_column_memory_destroy(m);
}

/* Columns whose kind changes from block to block, with the state of the blocks before. */
static void test_choice(void)
{
    struct fmt_column_memory *m = fmt_column_memory_create(N_MAX, sizeof words);
    uint64_t random = seed_take();
    for (uint32_t width = 4; width <= 8; width += 4) {
        struct fmt_column_state state = {0};
        unsigned kind = 0;
        for (unsigned block = 0; block < 600; block++) {
            uint32_t n = length_draw(&random), encoding;
            size_t raw = (size_t)n * width;
            struct fmt_values values = {words, n, width};
            kind = random_below(&random, 20) == 0 ? (unsigned)random_below(&random, KINDS) : kind;
            column_make(&random, kind, words, n, width);
            memset(out + raw + FMT_PACK_SLACK, GUARD, 8);
            size_t size = fmt_column_write(m, &values, &state, out, raw, &encoding);
            CU_ASSERT(size > 0 && size <= raw);
            CU_ASSERT_EQUAL(out[raw + FMT_PACK_SLACK], GUARD);
            CU_ASSERT(reads_back(encoding, out, size, words, n, width));
        }
    }
    fmt_column_memory_destroy(m);
}

/* Encoding and largest size in bits per value for columns of each nature. */
static void test_gain(void)
{
    static const struct {
        unsigned kind;
        uint32_t encoding;
        double bits;
    } cases[] = {
        {0, FMT_ENCODING_FRAME, 0.1}, {1, FMT_ENCODING_RAW, 64},    {2, FMT_ENCODING_FRAME, 10.4},
        {3, FMT_ENCODING_FRAME, 3.2}, {4, FMT_ENCODING_DELTA, 6.3}, {5, FMT_ENCODING_DELTA, 0.1},
        {7, FMT_ENCODING_DICT, 4.4},  {8, FMT_ENCODING_RUNS, 2.2},  {11, FMT_ENCODING_FRAME, 12},
        {12, FMT_ENCODING_FRAME, 35}, {13, FMT_ENCODING_FRAME, 6.2}};
    struct fmt_column_memory *m = fmt_column_memory_create(N_MAX, sizeof words);
    uint64_t random = 20240229;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fmt_column_state state = {0};
        struct fmt_values values = {words, 2000, 8};
        uint32_t encoding;
        column_make(&random, cases[i].kind, words, 2000, 8);
        size_t size = fmt_column_write(m, &values, &state, out, sizeof out, &encoding);
        CU_ASSERT_EQUAL(encoding, cases[i].encoding);
        CU_ASSERT((double)size * 8 / 2000 <= cases[i].bits);
    }
    fmt_column_memory_destroy(m);
}

/* ---- Hostile bytes --------------------------------------------------------------------------- */

/* Puts the column into PIECES, beside a piece of 3 bytes that is constant. Returns the size. */
static size_t pieces_make(uint8_t *to, uint32_t encoding, const uint8_t *column, size_t size,
                          uint32_t width)
{
    fmt_put_u16(to, 2);
    to[2] = (uint8_t)width;
    to[3] = (uint8_t)encoding;
    fmt_put_u32(to + 4, (uint32_t)size);
    to[8] = 3;
    to[9] = FMT_ENCODING_CONST;
    fmt_put_u32(to + 10, 3);
    memcpy(to + 14, column, size);
    memset(to + 14 + size, 7, 3);
    return 17 + size;
}

/* Reads bytes as a column, in memory of exactly the sizes that the interface promises. */
static bool hostile_read(uint32_t encoding, const uint8_t *bytes, size_t size, uint32_t n,
                         uint32_t width)
{
    size_t raw = (size_t)n * width;
    uint8_t *copy = malloc(size + (size == 0)), *to = malloc(raw + (raw == 0));
    uint8_t *scratch = malloc(fmt_column_scratch(raw));
    memcpy(copy, bytes, size);
    struct fmt_stored stored = {copy, size, n, width};
    bool good = fmt_column_read(encoding, &stored, to, scratch);
    free(copy);
    free(to);
    free(scratch);
    return good;
}

/* Changes some bytes, above all of the head, the number of values, the width or the size. */
static void check_hostile(uint64_t *random, uint32_t encoding, const uint8_t *bytes, size_t size,
                          uint32_t n, uint32_t width)
{
    uint8_t *changed = malloc(size + 16);
    memcpy(changed, bytes, size);
    memset(changed + size, 0, 16);
    for (uint64_t k = 1 + random_below(random, 3); k > 0; k--) {
        size_t reach = random_below(random, 3) == 0 || size < 20 ? size : 20;
        changed[random_below(random, reach)] =
            (uint8_t)(random_below(random, 2) ? random_bits(random) : random_below(random, 9));
    }
    switch (random_below(random, 6)) {
    case 0:
        size = (size_t)random_below(random, size + 17);
        break;
    case 1:
        n = (uint32_t)random_below(random, 2 * n + 2);
        break;
    case 2:
        width = 1 + (uint32_t)random_below(random, 12);
        break;
    case 3:
        encoding = (uint32_t)random_below(random, FMT_ENCODINGS + 1);
        break;
    default:
        break;
    }
    hostile_read(encoding, changed, size, n, width);
    free(changed);
}

static void test_hostile(void)
{
    struct fmt_column_memory *m = fmt_column_memory_create(N_MAX, sizeof words);
    static uint8_t pieces[sizeof out + 64];
    uint64_t random = seed_take();
    for (unsigned round = 0; round < 6000 / suite_step(3); round++) {
        uint32_t n = 1 + (uint32_t)random_below(&random, 200), width = round % 2 ? 4 : 8;
        struct fmt_values values = {words, n, width};
        struct fmt_column_state state = {0};
        struct fmt_way way = ways[random_below(&random, N_WAYS)];
        column_make(&random, (unsigned)random_below(&random, KINDS), words, n, width);
        size_t size = fmt_column_write_way(m, &values, &state, way, out, sizeof out);
        if (size == 0) {
            continue;
        }
        size_t all = pieces_make(pieces, way.encoding, out, size, width);
        CU_ASSERT(hostile_read(FMT_ENCODING_PIECES, pieces, all, n, width + 3));
        for (int k = 0; k < 8; k++) {
            check_hostile(&random, way.encoding, out, size, n, width);
            check_hostile(&random, FMT_ENCODING_PIECES, pieces, all, n, width + 3);
        }
    }
    fmt_column_memory_destroy(m);
}

/* Nesting and heads that are refused. */
static void test_refused(void)
{
    uint8_t bytes[64] = {0};
    fmt_put_u16(bytes, 1);
    bytes[2] = 8;
    bytes[3] = FMT_ENCODING_PIECES;
    CU_ASSERT_FALSE(hostile_read(FMT_ENCODING_PIECES, bytes, 8, 1, 8));
    memset(bytes, 0, sizeof bytes);
    CU_ASSERT_TRUE(hostile_read(FMT_ENCODING_FRAME, bytes, 12, 100, 8));
    CU_ASSERT_FALSE(hostile_read(FMT_ENCODING_FRAME, bytes, 13, 100, 8));
    CU_ASSERT_FALSE(hostile_read(FMT_ENCODING_FRAME, bytes, 12, 100, 4));
    CU_ASSERT_FALSE(hostile_read(FMT_ENCODING_FRAME, bytes, 12, 100, 2));
    bytes[0] = 33;
    CU_ASSERT_FALSE(hostile_read(FMT_ENCODING_FRAME, bytes, 8 + 4, 1, 4));
    CU_ASSERT_FALSE(hostile_read(FMT_ENCODINGS, bytes, 12, 1, 8));
    CU_ASSERT_FALSE(hostile_read(FMT_ENCODING_DELTA, bytes, 20, 0, 8));
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"packed numbers", test_bits},
                                        {"each encoding there and back", test_ways},
                                        {"the choice from block to block", test_choice},
                                        {"what columns shrink to", test_gain},
                                        {"hostile bytes", test_hostile},
                                        {"refused columns", test_refused}};
    return suite_run("format_column", tests, sizeof tests / sizeof tests[0]);
}
