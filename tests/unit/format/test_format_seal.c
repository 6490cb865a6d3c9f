/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of format/seal: the distribution of rows over blocks, and the data that the sealer keeps
 * between blocks about records of a kind, which must do no harm when the records change.
 */
#include <CUnit/Basic.h>

#include "format/block.h"
#include "support/format_example.h"
#include "support/format_memory.h"
#include "support/suite.h"

static uint64_t seed_take(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("format_seal", seed);
    return seed;
}

#define BLOCK_ROWS (uint32_t)((128u << 10) / sizeof(struct fmt_event_row))
#define FULL_ROWS  (BLOCK_ROWS / 256 * 256)

/* A block has a multiple of 256 rows in half an extent, or all remaining rows if these are not many
 * more. */
static void test_block_sizes(void)
{
    static const struct {
        uint32_t n_rows, blocks;
    } cases[] = {{1, 1},
                 {BLOCK_ROWS, 1},
                 {BLOCK_ROWS + 3, 1},
                 {BLOCK_ROWS * 9 / 8, 1},
                 {BLOCK_ROWS * 9 / 8 + 2, 2},
                 {8 * FULL_ROWS + 4, 8}};
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_EVENT);
    struct example ex = {.n_pes = 1};
    struct fmt_event_row *rows = calloc(8 * FULL_ROWS + 4, sizeof *rows);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct memory_io m;
        struct fmt_layout layout;
        struct fmt_writer w;
        memory_io_init(&m);
        CU_ASSERT_EQUAL(example_superblock(&m.io, &ex, &layout, NULL), FMT_OK);
        CU_ASSERT_EQUAL_FATAL(fmt_writer_init(&w, &m.io, &schema, 1, &layout, 0, 64, NULL), FMT_OK);
        CU_ASSERT_EQUAL(fmt_writer_append(&w, schema, rows,
                                          cases[i].n_rows * (size_t)schema->row_size, 0, NULL,
                                          NULL),
                        FMT_OK);
        CU_ASSERT_EQUAL(w.at.blocks, cases[i].blocks);
        CU_ASSERT_EQUAL(w.at.records, cases[i].n_rows);
        fmt_writer_fini(&w);
        memory_io_fini(&m);
    }
    free(rows);
}

/* A kind of record that is not in the file is refused. */
static void test_wrong_kind(void)
{
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_EVENT);
    struct example ex = {.n_pes = 1};
    struct fmt_gvt_pe_row row = {0};
    struct fmt_layout layout;
    struct fmt_writer w;
    struct fmt_error error = {0};
    struct memory_io m;
    size_t consumed = 1;
    memory_io_init(&m);
    CU_ASSERT_EQUAL(example_superblock(&m.io, &ex, &layout, NULL), FMT_OK);
    CU_ASSERT_EQUAL_FATAL(fmt_writer_init(&w, &m.io, &schema, 1, &layout, 0, 512, NULL), FMT_OK);
    CU_ASSERT_EQUAL(fmt_writer_append(&w, fmt_schema_builtin(FMT_RECORD_GVT_PE), &row, sizeof row,
                                      0, &consumed, &error),
                    FMT_ERR_ARG);
    CU_ASSERT_EQUAL(consumed, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no records of this kind"));
    fmt_writer_fini(&w);
    memory_io_fini(&m);
}

/* ---- Records that change --------------------------------------------------------------------- */

#define PAYLOAD_MAX 40u
#define PART_ROWS   700u /* maximum size of a part and of blocks */
#define PARTS       60

/* Rows of one kind for the writer, which makes a block of them. */
struct part {
    const struct fmt_schema *schema;
    uint8_t *rows;
    size_t size;
    uint32_t n;
};

/* Each byte of a row is constant within a part, or changes sometimes, or is arbitrary, as drawn for
 * each part. Payloads have one size in most parts. */
static struct part part_make(const struct fmt_schema *schema, uint64_t *random)
{
    struct part p = {.schema = schema, .n = 1 + (uint32_t)random_below(random, PART_ROWS)};
    uint32_t payload = (uint32_t)random_below(random, PAYLOAD_MAX + 1);
    bool varies = random_below(random, 4) == 0;
    size_t most = fmt_row_bytes(schema->row_size, PAYLOAD_MAX);
    uint8_t *kind = calloc(most, 1), *now = calloc(most, 1);
    p.rows = calloc(p.n, most);
    for (size_t b = 0; b < most; b++) {
        kind[b] = (uint8_t)random_below(random, 6);
    }
    for (uint32_t i = 0; i < p.n; i++) {
        uint32_t size = varies ? (uint32_t)random_below(random, PAYLOAD_MAX + 1) : payload;
        uint8_t *row = p.rows + p.size;
        for (size_t b = 0; b < most; b++) {
            uint64_t any = random_bits(random);
            now[b] = kind[b] == 1 || (kind[b] == 2 && any % 50 == 0) ? (uint8_t)(any >> 8) : now[b];
        }
        memcpy(row, now, fmt_row_bytes(schema->row_size, size));
        memset(row + schema->fields[schema->role_field[FMT_ROLE_PE]].offset, 0, 4);
        memcpy(row + schema->fields[schema->role_field[FMT_ROLE_PAYLOAD_SIZE]].offset, &size, 4);
        p.size += fmt_row_bytes(schema->row_size, size);
    }
    free(kind);
    free(now);
    return p;
}

/* Returns the number of values of a block that differ from the part. */
static size_t part_differs(const struct part *p, const struct fmt_columns *c)
{
    size_t wrong = c->schema->id != p->schema->id || c->n_records != p->n;
    const uint8_t *row = p->rows;
    for (uint32_t i = 0; i < p->n && wrong == 0; i++) {
        for (uint32_t f = 0; f < p->schema->n_fields; f++) {
            size_t width = fmt_type_size(p->schema->fields[f].type);
            wrong +=
                memcmp(c->values[f] + i * width, row + p->schema->fields[f].offset, width) != 0;
        }
        size_t payload = (size_t)(c->payload_offset[i + 1] - c->payload_offset[i]);
        wrong += memcmp(c->payload + c->payload_offset[i], row + p->schema->row_size, payload) != 0;
        row += fmt_row_bytes(p->schema->row_size, payload);
    }
    return wrong;
}

/* Returns the greatest encoding of a column in a block. */
static uint32_t greatest_encoding(const struct memory_io *m, const struct fmt_block *block)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < block->n_columns; i++) {
        struct fmt_column c;
        fmt_column_decode(m->bytes + block->offset + FMT_BLOCK_FIXED + i * FMT_COLUMN_ENTRY, &c);
        most = c.encoding > most ? c.encoding : most;
    }
    return most;
}

/* Parts of two kinds in any order, one block each. is_plain: of a file of version 1.0. */
static void check_changes(bool is_plain)
{
    const struct fmt_schema *schemas[] = {fmt_schema_builtin(FMT_RECORD_EVENT),
                                          fmt_schema_builtin(FMT_RECORD_ROLLBACK)};
    struct part parts[PARTS];
    struct memory_io m;
    struct fmt_writer w;
    struct fmt_layout layout;
    struct fmt_error error = {0};
    struct fmt_reader *reader = NULL;
    uint64_t random = seed_take();
    size_t row_max = fmt_row_bytes(schemas[1]->row_size, PAYLOAD_MAX);
    uint32_t encoding = 0;
    memory_io_init(&m);
    fmt_layout_init(&layout, FMT_STREAM_EVTRACE, 1, 1, row_max);
    struct fmt_superblock sb = {
        .stream = FMT_STREAM_EVTRACE, .n_schemas = 2, .layout = layout, .schemas = schemas};
    CU_ASSERT_EQUAL_FATAL(fmt_superblock_write(&m.io, &sb, &error), FMT_OK);
    layout.is_plain = is_plain;
    CU_ASSERT_EQUAL_FATAL(fmt_writer_init(&w, &m.io, schemas, 2, &layout, 0, row_max, &error),
                          FMT_OK);
    for (int i = 0; i < PARTS; i++) {
        struct part *p = &parts[i];
        *p = part_make(schemas[random_below(&random, 3) == 0], &random);
        CU_ASSERT_EQUAL(fmt_writer_append(&w, p->schema, p->rows, p->size, 0, NULL, NULL), FMT_OK);
    }
    CU_ASSERT_EQUAL(fmt_writer_end(&w, &(struct fmt_end_info){.text = "done"}, &error), FMT_OK);
    fmt_writer_fini(&w);
    CU_ASSERT_EQUAL_FATAL(fmt_reader_open(&m.io, &reader, &error), FMT_OK);
    struct fmt_scan scan;
    struct fmt_block block;
    struct fmt_columns columns = {0};
    fmt_scan_init(&scan, reader, 0);
    for (int i = 0; i < PARTS; i++) {
        CU_ASSERT_EQUAL_FATAL(fmt_scan_next(&scan, &block, &error), FMT_OK);
        CU_ASSERT_EQUAL_FATAL(fmt_block_verify(reader, &block, &columns, &error), FMT_OK);
        CU_ASSERT_EQUAL(part_differs(&parts[i], &columns), 0);
        uint32_t most = greatest_encoding(&m, &block);
        encoding = most > encoding ? most : encoding;
        free(parts[i].rows);
    }
    CU_ASSERT_EQUAL(encoding, is_plain ? FMT_ENCODING_SHUFFLE : FMT_ENCODING_PIECES);
    fmt_columns_free(&columns);
    fmt_reader_close(reader);
    memory_io_fini(&m);
}

static void test_changes(void)
{
    check_changes(false);
}

static void test_plain(void)
{
    check_changes(true);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"sizes of blocks", test_block_sizes},
                                        {"a kind of record of another file", test_wrong_kind},
                                        {"records that change from block to block", test_changes},
                                        {"files of version 1.0 keep its encodings", test_plain}};
    return suite_run("format_seal", tests, sizeof tests / sizeof tests[0]);
}
