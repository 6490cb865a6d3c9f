/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of reading damaged files: every truncation and every flipped bit is noticed, intact blocks
 * before and behind the damage are still read, and no invalid content is accepted.
 */
#include <CUnit/Basic.h>

#include "format/block.h"
#include "format/meta.h"
#include "support/format_example.h"
#include "support/format_memory.h"
#include "support/format_reseal.h"
#include "support/suite.h"

#define EXTENT 8192u
#define FIRST  4096u

static const struct example small = {
    .n_pes = 2, .rows_per_pe = 60, .extent_size = EXTENT, .described = true};
static const struct example many_blocks = {.n_pes = 3, .rows_per_pe = 3000, .extent_size = EXTENT};

static void make(struct memory_io *m, const struct example *ex)
{
    struct fmt_error error = {0};
    memory_io_init(m);
    CU_ASSERT_EQUAL(example_write(&m->io, ex, &error), FMT_OK);
}

static void test_whole(void)
{
    static const struct example *const examples[] = {&small, &many_blocks};
    for (size_t i = 0; i < 2; i++) {
        struct memory_io m;
        make(&m, examples[i]);
        struct look look = look_through(&m.io, true);
        CU_ASSERT_EQUAL(look.faults, 0);
        CU_ASSERT_EQUAL(look.records, example_records(examples[i]));
        CU_ASSERT_EQUAL(look.ends, examples[i]->n_pes);
        m.io.next_data = NULL;
        CU_ASSERT_EQUAL(look_through(&m.io, true).faults, 0);
        memory_io_fini(&m);
    }
}

/* Truncates the file behind every byte. */
static void test_truncation(void)
{
    uint64_t seed = suite_seed();
    size_t step = suite_step(6);
    struct memory_io m;
    suite_print_seed("cut off", seed);
    make(&m, &small);
    size_t whole = m.size, unnoticed = 0, too_many = 0;
    uint64_t records = look_through(&m.io, false).records;
    for (m.size = random_below(&seed, step); m.size < whole; m.size += step) {
        struct look look = look_through(&m.io, m.size / step % 2 == 0);
        unnoticed += look.faults == 0;
        too_many += look.records > records;
    }
    CU_ASSERT_EQUAL(unnoticed, 0);
    CU_ASSERT_EQUAL(too_many, 0);
    memory_io_fini(&m);
}

/* Flips one bit in every byte: a strict check always notices, another one if the bit matters. */
static void test_flipped_bits(void)
{
    uint64_t seed = suite_seed();
    size_t step = suite_step(6);
    struct memory_io m;
    suite_print_seed("flipped bits", seed);
    make(&m, &small);
    struct look right = look_through(&m.io, false);
    size_t unnoticed = 0, wrong = 0, lost = 0;
    for (size_t at = random_below(&seed, step); at < m.size; at += step) {
        uint8_t bit = (uint8_t)(1u << random_below(&seed, 8));
        m.bytes[at] ^= bit;
        struct look strict = look_through(&m.io, true), look = look_through(&m.io, false);
        unnoticed += strict.faults == 0;
        lost += strict.hash != look.hash; /* a strict check reads the same records */
        wrong += look.faults == 0 && look.hash != right.hash;
        m.bytes[at] ^= bit;
    }
    CU_ASSERT_EQUAL(unnoticed, 0);
    CU_ASSERT_EQUAL(lost, 0);
    CU_ASSERT_EQUAL(wrong, 0);
    memory_io_fini(&m);
}

/* Returns the offset of the n-th data block of a PE, or of its last block if it has fewer; *block:
 * its header. */
static uint64_t data_block(const struct fmt_io *io, uint32_t pe, unsigned n,
                           struct fmt_block *block)
{
    struct fmt_reader *reader = NULL;
    struct fmt_scan scan;
    CU_ASSERT_EQUAL_FATAL(fmt_reader_open(io, &reader, NULL), FMT_OK);
    fmt_scan_init(&scan, reader, pe);
    while (fmt_scan_next(&scan, block, NULL) == FMT_OK) {
        if (block->kind == FMT_BLOCK_DATA && n-- == 0) {
            break;
        }
    }
    fmt_reader_close(reader);
    return block->offset;
}

/* Damage to any one block costs the records of that block only. */
static void test_rest_is_read(void)
{
    struct memory_io m;
    struct fmt_block block;
    make(&m, &many_blocks);
    uint64_t all = example_records(&many_blocks);
    unsigned n = 0;
    for (;; n++) {
        uint64_t at = data_block(&m.io, 1, n, &block);
        if (block.kind != FMT_BLOCK_DATA) {
            break;
        }
        m.bytes[at + 50] ^= 1; /* header */
        struct look look = look_through(&m.io, false);
        CU_ASSERT_EQUAL(look.records, all - block.n_records);
        CU_ASSERT_EQUAL(look.missing, block.n_records);
        CU_ASSERT_EQUAL(look.first.offset, at);
        CU_ASSERT_EQUAL(look.first.pe, 1);
        CU_ASSERT_EQUAL(look.faults, 2); /* the header, and the gap before the next block */
        CU_ASSERT_EQUAL(look.ends, 3);
        m.bytes[at + 50] ^= 1;

        m.bytes[at + block.stored_size - 1] ^= 1; /* body */
        look = look_through(&m.io, false);
        CU_ASSERT_EQUAL(look.records, all - block.n_records);
        CU_ASSERT_EQUAL(look.faults, 1);
        m.bytes[at + block.stored_size - 1] ^= 1;
    }
    CU_ASSERT(n > 10);
    uint64_t at = data_block(&m.io, 1, 2, &block);
    memset(m.bytes + at, 0, 64); /* as if the block had never been written */
    struct look look = look_through(&m.io, false);
    CU_ASSERT(look.faults > 0);
    CU_ASSERT(look.records < all);
    CU_ASSERT_EQUAL(look.ends, 3);
    memory_io_fini(&m);
}

/* A whole extent that was never written, in the middle. */
static void test_lost_extent(void)
{
    struct memory_io m;
    make(&m, &many_blocks);
    struct look right = look_through(&m.io, false);
    memset(m.bytes + FIRST + (3 * 1 + 2) * EXTENT, 0, EXTENT); /* extent 1 of PE 2 */
    struct look look = look_through(&m.io, false);
    CU_ASSERT_EQUAL(look.faults, 1);
    CU_ASSERT_EQUAL(look.first.pe, 2);
    CU_ASSERT_EQUAL(look.ends, 3);
    CU_ASSERT(look.records < right.records && look.records > right.records / 2);
    memory_io_fini(&m);
}

static void test_no_end(void)
{
    struct example ex = many_blocks;
    struct memory_io m;
    ex.no_end = true;
    make(&m, &ex);
    struct look look = look_through(&m.io, false);
    CU_ASSERT_EQUAL(look.records, example_records(&ex));
    CU_ASSERT_EQUAL(look.faults, 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(look.first.text, "incomplete"));
    memory_io_fini(&m);
}

/* Blocks with good checksums in wrong places. */
static void test_misplaced(void)
{
    struct memory_io m;
    uint8_t extent[EXTENT];
    make(&m, &many_blocks);
    uint8_t *first = m.bytes + FIRST, *second = first + EXTENT;
    memcpy(extent, first, EXTENT);
    memcpy(first, second, EXTENT);
    memcpy(second, extent, EXTENT); /* the PEs' first extents exchanged */
    struct look look = look_through(&m.io, false);
    CU_ASSERT(look.faults > 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(look.first.text, "another PE"));
    memcpy(second, first, EXTENT);
    memcpy(first, extent, EXTENT);
    CU_ASSERT_EQUAL(look_through(&m.io, true).faults, 0);

    memcpy(first + 3 * EXTENT, first, EXTENT); /* extent 0 again as extent 1 */
    look = look_through(&m.io, false);
    CU_ASSERT(look.faults > 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(look.first.text, "should be"));
    memory_io_fini(&m);

    make(&m, &small);
    m.bytes[16] ^= 1; /* the superblock of another file */
    reseal_file(m.bytes, m.size);
    look = look_through(&m.io, false);
    CU_ASSERT_EQUAL(look.records, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(look.first.text, "another file"));
    memory_io_fini(&m);
}

/* Header and body contradict each other, with valid checksums. */
static void test_lies(void)
{
    static const struct {
        unsigned offset; /* in the header of the first data block of PE 0 */
        uint8_t change;
    } lies[] = {
        {24, 3},  /* kind: META */
        {28, 4},  /* schema */
        {48, 1},  /* first record */
        {56, 1},  /* records */
        {60, 1},  /* columns */
        {67, 1},  /* least time */
        {104, 1}, /* raw size */
        {112, 1}, /* stored size */
        {128, 3}, /* encoding of the first column */
        {132, 1}, /* its width */
    };
    struct fmt_block block;
    struct memory_io m;
    make(&m, &small);
    uint64_t at = data_block(&m.io, 0, 0, &block);
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        m.bytes[at + lies[i].offset] ^= lies[i].change;
        reseal_block(m.bytes + at, m.size - at);
        CU_ASSERT(look_through(&m.io, true).faults > 0);
        m.bytes[at + lies[i].offset] ^= lies[i].change;
        reseal_block(m.bytes + at, m.size - at);
    }
    CU_ASSERT_EQUAL(look_through(&m.io, true).faults, 0);
    memory_io_fini(&m);
}

/* Sets column number c of the block at header, and the header's totals to go with it. */
static void column_set(uint8_t *header, unsigned c, const struct fmt_column *column)
{
    struct fmt_column old;
    fmt_column_decode(header + 128 + 16 * c, &old);
    fmt_column_encode(header + 128 + 16 * c, column);
    fmt_put_u64(header + 104, fmt_get_u64(header + 104) + column->raw_size - old.raw_size);
    fmt_put_u64(header + 112, fmt_get_u64(header + 112) + column->stored_size - old.stored_size);
}

/* Expects a fault with these words, then restores the file. */
static void check_lie(struct memory_io *m, uint64_t at, const uint8_t *original, const char *words)
{
    reseal_block(m->bytes + at, m->size - at);
    struct look look = look_through(&m->io, false);
    CU_ASSERT(look.faults > 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(look.first.text, words));
    memcpy(m->bytes, original, m->size);
}

/* Headers whose totals add up but whose values are impossible. */
static void test_consistent_lies(void)
{
    struct fmt_block block;
    struct memory_io m;
    make(&m, &small);
    uint8_t *original = malloc(m.size);
    memcpy(original, m.bytes, m.size);
    uint64_t at = data_block(&m.io, 0, 0, &block);
    unsigned last = block.n_columns - 1;

    column_set(m.bytes + at, last, &(struct fmt_column){0, 1, EXTENT, EXTENT});
    check_lie(&m, at, original, "beyond its extent");

    column_set(m.bytes + at, last,
               &(struct fmt_column){0, 1, 0, 0}); /* then the block may be left out */
    fmt_put_u32(m.bytes + at + 60, last);
    check_lie(&m, at, original, "number of columns");

    for (unsigned c = 0; c <= last; c++) {
        struct fmt_column column;
        fmt_column_decode(m.bytes + at + 128 + 16 * c, &column);
        column_set(m.bytes + at, c, &(struct fmt_column){0, column.width, 0, 0});
    }
    fmt_put_u32(m.bytes + at + 56, 0);
    check_lie(&m, at, original, "number of records");

    column_set(m.bytes + at, last, &(struct fmt_column){1, 1, 65u << 20, 1});
    check_lie(&m, at, original, "decoded size");

    for (unsigned n = 0; block.kind == FMT_BLOCK_DATA; n++) {
        at = data_block(&m.io, 1, n, &block); /* finally the END block, the last of the file */
    }
    column_set(m.bytes + at, 0, &(struct fmt_column){0, 1, 3000, 3000});
    check_lie(&m, at, original, "cut off in this block");
    free(original);
    memory_io_fini(&m);
}

/* Writes an END block with these totals, not compressed, over the one at header. */
static void end_replace(struct memory_io *m, uint64_t at, const struct fmt_end_info *info)
{
    uint8_t body[256];
    struct fmt_out out = {.data = body, .capacity = sizeof body};
    fmt_end_encode(&out, info);
    CU_ASSERT_EQUAL(memory_io_write(m, body, out.size, at + 144), 0);
    m->size = at + 144 + out.size;
    uint8_t *header = m->bytes + at;
    fmt_put_u64(header + 104, out.size);
    fmt_put_u64(header + 112, out.size);
    fmt_put_u32(header + 128, 0);
    fmt_put_u32(header + 136, (uint32_t)out.size);
    fmt_put_u32(header + 140, (uint32_t)out.size);
    reseal_block(header, m->size - at);
}

/* Wrong totals in the END block. */
static void test_false_totals(void)
{
    struct memory_io m;
    struct fmt_block block;
    struct fmt_reader *reader = NULL;
    struct fmt_scan scan;
    struct fmt_end end = {0};
    make(&m, &small);
    CU_ASSERT_EQUAL_FATAL(fmt_reader_open(&m.io, &reader, NULL), FMT_OK);
    fmt_scan_init(&scan, reader, 1); /* the last block of the file */
    do {
        CU_ASSERT_EQUAL_FATAL(fmt_scan_next(&scan, &block, NULL), FMT_OK);
    } while (block.kind != FMT_BLOCK_END);
    CU_ASSERT_EQUAL_FATAL(fmt_block_read_end(reader, &block, &end, NULL), FMT_OK);
    fmt_reader_close(reader);
    end_replace(&m, block.offset, &end.info);
    CU_ASSERT_EQUAL(look_through(&m.io, true).faults, 0);
    uint64_t *const totals[] = {&end.info.records, &end.info.blocks, &end.info.bytes};
    for (size_t i = 0; i < 3; i++) {
        ++*totals[i];
        end_replace(&m, block.offset, &end.info);
        struct look look = look_through(&m.io, false);
        CU_ASSERT_EQUAL(look.faults, 2); /* the totals are wrong, so there is no valid END block */
        CU_ASSERT_PTR_NOT_NULL(strstr(look.first.text, "totals"));
        --*totals[i];
    }
    fmt_end_free(&end);
    memory_io_fini(&m);
}

/* A file that is replaced between scanning and decoding: the block there has another form. */
static void test_replaced(void)
{
    struct memory_io m;
    struct fmt_reader *reader = NULL;
    struct fmt_scan scan;
    struct fmt_block block;
    struct fmt_columns columns = {0};
    struct fmt_error error;
    make(&m, &small);
    CU_ASSERT_EQUAL_FATAL(fmt_reader_open(&m.io, &reader, NULL), FMT_OK);
    fmt_scan_init(&scan, reader, 0);
    do {
        CU_ASSERT_EQUAL_FATAL(fmt_scan_next(&scan, &block, NULL), FMT_OK);
    } while (block.kind != FMT_BLOCK_DATA);
    CU_ASSERT_EQUAL(fmt_block_check(reader, &block, &columns, &error), FMT_OK);
    struct fmt_schema other = *block.schema;
    struct fmt_block before[] = {block, block};
    before[0].schema = &other;
    before[1].n_columns--;
    for (size_t i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(fmt_block_check(reader, &before[i], &columns, &error), FMT_ERR_DAMAGED);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "changed while it was read"));
    }
    fmt_columns_free(&columns);
    fmt_reader_close(reader);
    memory_io_fini(&m);
}

static void test_read_errors(void)
{
    struct memory_io m;
    make(&m, &small);
    m.reads_left = 1000;
    CU_ASSERT_EQUAL(look_through(&m.io, false).faults, 0);
    unsigned needed = 1000 - m.reads_left;
    CU_ASSERT(needed > 10);
    for (unsigned n = 0; n < needed; n++) {
        m.reads_left = n;
        struct look look = look_through(&m.io, false);
        CU_ASSERT(look.faults > 0);
        CU_ASSERT(look.first.status == FMT_ERR_IO && look.first.sys_errno == EIO);
    }
    memory_io_fini(&m);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"undamaged", test_whole},
                                        {"cut off anywhere", test_truncation},
                                        {"flipped bits", test_flipped_bits},
                                        {"the rest is read", test_rest_is_read},
                                        {"a lost extent", test_lost_extent},
                                        {"no END block", test_no_end},
                                        {"misplaced blocks", test_misplaced},
                                        {"headers that lie", test_lies},
                                        {"headers that lie well", test_consistent_lies},
                                        {"false totals", test_false_totals},
                                        {"a replaced file", test_replaced},
                                        {"read errors", test_read_errors}};
    return suite_run("format_damage", tests, sizeof tests / sizeof tests[0]);
}
