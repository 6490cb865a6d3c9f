/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of sealing, writing, scanning and decoding: random records of random schemas on several PEs
 * read back exactly, in order, for all sizes; writers survive failing disks.
 */
#include <CUnit/Basic.h>
#include <xxhash.h>

#include "support/format_example.h"
#include "support/format_memory.h"
#include "support/suite.h"

static uint64_t seed_take(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("format_records", seed);
    return seed;
}

#define FIELDS_MAX 12

/* A schema with its memory. */
struct random_schema {
    struct fmt_schema schema;
    struct fmt_field fields[FIELDS_MAX + 4];
    char names[FIELDS_MAX][8];
};

static void add_field(struct random_schema *s, const char *name, uint32_t type, uint32_t role)
{
    struct fmt_field *f = &s->fields[s->schema.n_fields];
    uint32_t size = (uint32_t)fmt_type_size(type);
    uint32_t offset = (s->schema.row_size + size - 1) / size * size;
    *f = (struct fmt_field){name, "", "", type, role, offset, type % 5};
    if (role != FMT_ROLE_NONE) {
        s->schema.role_field[role] = (int32_t)s->schema.n_fields;
    }
    s->schema.row_size = offset + size;
    s->schema.n_fields++;
}

static void random_schema_make(struct random_schema *s, uint64_t *random)
{
    *s = (struct random_schema){.schema = {.id = 17, .name = "random", .text = "any"}};
    for (size_t i = 0; i < 8; i++) {
        s->schema.role_field[i] = -1;
    }
    uint64_t n = 1 + random_below(random, FIELDS_MAX);
    for (uint64_t i = 0; i < n; i++) {
        snprintf(s->names[i], sizeof s->names[i], "f%u", (unsigned)i);
        add_field(s, s->names[i], (uint32_t)(1 + random_below(random, 10)), FMT_ROLE_NONE);
    }
    if (random_below(random, 2)) {
        add_field(s, "vt", FMT_F64, FMT_ROLE_VIRTUAL_TIME);
    }
    if (random_below(random, 2)) {
        add_field(s, "pe", FMT_U32, FMT_ROLE_PE);
    }
    if (random_below(random, 2)) {
        add_field(s, "type", FMT_U32, FMT_ROLE_PAYLOAD_TYPE);
        add_field(s, "size", FMT_U32, FMT_ROLE_PAYLOAD_SIZE);
    }
    s->schema.row_size = (s->schema.row_size + 7) / 8 * 8;
    s->schema.fields = s->fields;
}

/* One PE's rows: the naive model. */
struct rows {
    uint8_t *bytes;
    size_t size;
    uint32_t n;
};

static void row_fill(const struct fmt_schema *schema, uint8_t *row, uint32_t pe,
                     uint32_t payload_size, uint64_t *random)
{
    for (uint32_t f = 0; f < schema->n_fields; f++) {
        const struct fmt_field *field = &schema->fields[f];
        /* Constant, slowly growing, and random columns, by field. */
        uint64_t v = f % 3 == 0 ? 42 : f % 3 == 1 ? *random >> 50 : random_bits(random);
        double t = (double)v;
        memcpy(row + field->offset, &v, fmt_type_size(field->type));
        if (field->role == FMT_ROLE_VIRTUAL_TIME) {
            memcpy(row + field->offset, random_below(random, 9) ? &t : &(double){NAN}, 8);
        }
        if (field->role == FMT_ROLE_PE) {
            memcpy(row + field->offset, &pe, 4);
        }
        if (field->role == FMT_ROLE_PAYLOAD_SIZE) {
            memcpy(row + field->offset, &payload_size, 4);
        }
    }
    for (uint32_t i = 0; i < payload_size; i++) {
        row[schema->row_size + i] = (uint8_t)(random_below(random, 4) ? i : random_bits(random));
    }
}

/* Makes n rows with payloads of up to payload_max bytes, or exactly that many if fixed. */
static struct rows rows_make(const struct fmt_schema *schema, uint32_t pe, uint32_t n,
                             uint32_t payload_max, bool fixed, uint64_t *random)
{
    struct rows rows = {.n = n};
    bool payload = schema->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0;
    rows.bytes = malloc((n + 1) * fmt_row_bytes(schema->row_size, payload_max));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t size = !payload ? 0
                        : fixed  ? payload_max
                                 : (uint32_t)random_below(random, payload_max + 1);
        size_t bytes = fmt_row_bytes(schema->row_size, size);
        memset(rows.bytes + rows.size, 0xee, bytes); /* padding is arbitrary */
        row_fill(schema, rows.bytes + rows.size, pe, size, random);
        rows.size += bytes;
    }
    return rows;
}

/* Compares a block's records with the model's rows from *at on, which moves behind them. */
static size_t columns_differ(const struct fmt_columns *c, const struct rows *rows, size_t *at)
{
    size_t wrong = 0;
    for (uint32_t row = 0; row < c->n_records && *at < rows->size; row++) {
        const uint8_t *expected = rows->bytes + *at;
        for (uint32_t f = 0; f < c->schema->n_fields; f++) {
            const struct fmt_field *field = &c->schema->fields[f];
            size_t size = fmt_type_size(field->type);
            wrong += memcmp(c->values[f] + row * size, expected + field->offset, size) != 0;
        }
        size_t payload = (size_t)(c->payload_offset[row + 1] - c->payload_offset[row]);
        if (payload > 0) {
            wrong += memcmp(c->payload + c->payload_offset[row], expected + c->schema->row_size,
                            payload) != 0;
        }
        *at += fmt_row_bytes(c->schema->row_size, payload);
    }
    return wrong;
}

static void check_pe(const struct fmt_reader *reader, uint32_t pe, const struct rows *rows)
{
    struct fmt_scan scan;
    struct fmt_block block;
    struct fmt_columns columns = {0};
    struct fmt_error error = {0};
    enum fmt_status status;
    uint64_t records = 0, ends = 0;
    size_t at = 0;
    fmt_scan_init(&scan, reader, pe);
    fmt_scan_strict(&scan);
    while ((status = fmt_scan_next(&scan, &block, &error)) != FMT_END) {
        CU_ASSERT_EQUAL_FATAL(status, FMT_OK);
        CU_ASSERT_EQUAL_FATAL(fmt_block_verify(reader, &block, &columns, &error), FMT_OK);
        ends += block.kind == FMT_BLOCK_END;
        if (block.kind != FMT_BLOCK_DATA) {
            continue;
        }
        CU_ASSERT_EQUAL(block.first_record, records);
        CU_ASSERT_EQUAL(columns_differ(&columns, rows, &at), 0);
        records += block.n_records;
    }
    CU_ASSERT_EQUAL(records, rows->n);
    CU_ASSERT_EQUAL(at, rows->size);
    CU_ASSERT_EQUAL(ends, 1);
    fmt_columns_free(&columns);
}

/* Appends rows in random pieces of whole rows, or all at once. */
static void append_all(struct fmt_writer *w, const struct fmt_schema *schema,
                       const struct rows *rows, uint64_t *random)
{
    int32_t size_field = schema->role_field[FMT_ROLE_PAYLOAD_SIZE];
    size_t from = 0, at = 0, consumed = 0;
    bool pieces = random_below(random, 2);
    while (at < rows->size) {
        uint32_t payload = 0;
        if (size_field >= 0) {
            memcpy(&payload, rows->bytes + at + schema->fields[size_field].offset, 4);
        }
        at += fmt_row_bytes(schema->row_size, payload);
        if (at < rows->size && !(pieces && random_below(random, 50) == 0)) {
            continue;
        }
        CU_ASSERT_EQUAL(
            fmt_writer_append(w, schema, rows->bytes + from, at - from, 1.5, &consumed, NULL),
            FMT_OK);
        CU_ASSERT_EQUAL(consumed, at - from);
        from = at;
    }
}

static void check_file(const struct fmt_schema *schema, uint32_t n_pes, uint32_t n,
                       uint32_t payload_max, uint64_t *random)
{
    struct memory_io m;
    struct fmt_layout layout;
    struct fmt_reader *reader = NULL;
    struct fmt_error error = {0};
    struct rows *rows = calloc(n_pes, sizeof *rows);
    size_t row_max = fmt_row_bytes(schema->row_size, payload_max);
    memory_io_init(&m);
    fmt_layout_init(&layout, FMT_STREAM_EVTRACE, n_pes, random_bits(random), row_max);
    if (random_below(random, 2)) { /* small extents: many, with little unused space */
        layout.extent_size = (row_max + 4096 + 4095) / 4096 * 4096;
    }
    struct fmt_superblock sb = {
        .stream = FMT_STREAM_EVTRACE, .n_schemas = 1, .layout = layout, .schemas = &schema};
    CU_ASSERT_EQUAL_FATAL(fmt_superblock_write(&m.io, &sb, &error), FMT_OK);
    for (uint32_t pe = n_pes; pe-- > 0;) { /* the order of PEs does not matter */
        struct fmt_writer w;
        struct fmt_end_info end = {.text = "done", .code = 2, .records_dropped = pe};
        rows[pe] = rows_make(schema, pe, (uint32_t)random_below(random, n + 1), payload_max,
                             random_below(random, 2), random);
        CU_ASSERT_EQUAL_FATAL(fmt_writer_init(&w, &m.io, &schema, 1, &layout, pe, row_max, &error),
                              FMT_OK);
        append_all(&w, schema, &rows[pe], random);
        CU_ASSERT_EQUAL(fmt_writer_end(&w, &end, &error), FMT_OK);
        CU_ASSERT_EQUAL(fmt_writer_append(&w, schema, rows[pe].bytes, 8, 0, NULL, NULL),
                        FMT_ERR_ARG);
        fmt_writer_fini(&w);
    }
    CU_ASSERT_EQUAL_FATAL(fmt_reader_open(&m.io, &reader, &error), FMT_OK);
    for (uint32_t pe = 0; pe < n_pes; pe++) {
        check_pe(reader, pe, &rows[pe]);
        free(rows[pe].bytes);
    }
    fmt_reader_close(reader);
    memory_io_fini(&m);
    free(rows);
}

static void test_random_schemas(void)
{
    uint64_t random = seed_take();
    for (int round = 0; round < 60; round++) {
        struct random_schema s;
        random_schema_make(&s, &random);
        check_file(&s.schema, 1 + (uint32_t)random_below(&random, 5), 3000,
                   (uint32_t)random_below(&random, 200), &random);
    }
}

static void test_builtin_schemas(void)
{
    uint64_t random = seed_take();
    check_file(fmt_schema_builtin(FMT_RECORD_GVT_PE), 3, 5000, 0, &random);
    check_file(fmt_schema_builtin(FMT_RECORD_MODEL_LP), 2, 5000, 64, &random);
    check_file(fmt_schema_builtin(FMT_RECORD_EVENT), 2, 20000, 40, &random);
}

static void test_large_payloads(void)
{
    uint64_t random = seed_take();
    check_file(fmt_schema_builtin(FMT_RECORD_EVENT), 2, 12, 700000, &random);
    check_file(fmt_schema_builtin(FMT_RECORD_EVENT), 1, 2, FMT_PAYLOAD_MAX, &random);
}

/* The padding of rows does not reach the file: rows that differ in it give the same bytes. */
static void test_padding(void)
{
    struct example ex = {.n_pes = 1, .rows_per_pe = 500, .described = true};
    struct memory_io a, b;
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_GVT_PE);
    memory_io_init(&a);
    memory_io_init(&b);
    for (int round = 0; round < 2; round++) {
        struct memory_io *m = round == 0 ? &a : &b;
        struct fmt_layout layout;
        struct fmt_writer w;
        struct fmt_gvt_pe_row rows[50];
        memset(rows, round * 0xff, sizeof rows);
        for (int i = 0; i < 50; i++) {
#define SET(name, type, role, unit, text) rows[i].name = (FMT_CTYPE_##type)i;
            FMT_GVT_PE_FIELDS(SET)
#undef SET
        }
        CU_ASSERT_EQUAL(example_superblock(&m->io, &ex, &layout, NULL), FMT_OK);
        CU_ASSERT_EQUAL(fmt_writer_init(&w, &m->io, &schema, 1, &layout, 0, 0, NULL), FMT_OK);
        CU_ASSERT_EQUAL(fmt_writer_append(&w, schema, rows, sizeof rows, 0, NULL, NULL), FMT_OK);
        fmt_writer_fini(&w);
    }
    CU_ASSERT(a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0);
    memory_io_fini(&a);
    memory_io_fini(&b);
}

static void test_wrong_rows(void)
{
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_EVENT);
    struct example ex = {.n_pes = 1};
    struct fmt_event_row rows[3] = {{.payload_size = 0}, {.payload_size = 64}, {0}};
    struct fmt_layout layout;
    struct fmt_writer w;
    struct fmt_error error = {0};
    struct memory_io m;
    size_t consumed = 0;
    memory_io_init(&m);
    CU_ASSERT_EQUAL(example_superblock(&m.io, &ex, &layout, NULL), FMT_OK);
    CU_ASSERT_EQUAL(fmt_writer_init(&w, &m.io, &schema, 1, &layout, 1, 128, &error), FMT_ERR_ARG);
    CU_ASSERT_EQUAL(fmt_writer_init(&w, &m.io, &schema, 1, &layout, 0, 1 << 30, &error),
                    FMT_ERR_ARG);
    CU_ASSERT_EQUAL_FATAL(fmt_writer_init(&w, &m.io, &schema, 1, &layout, 0, 128, &error), FMT_OK);
    /* The first row is valid, the second lacks the end of its payload. */
    CU_ASSERT_EQUAL(fmt_writer_append(&w, schema, rows, 2 * sizeof rows[0], 0, &consumed, &error),
                    FMT_ERR_ARG);
    CU_ASSERT_EQUAL(consumed, sizeof rows[0]);
    CU_ASSERT_EQUAL(w.at.records, 1);
    rows[1].payload_size = 65; /* larger than announced */
    CU_ASSERT_EQUAL(
        fmt_writer_append(&w, schema, rows + 1, 2 * sizeof rows[0], 0, &consumed, &error),
        FMT_ERR_ARG);
    CU_ASSERT_EQUAL(consumed, 0);
    fmt_writer_fini(&w);
    memory_io_fini(&m);
}

/* A disk that is full for a while: no row is lost if the remaining rows are written again. */
static void test_full_disk(void)
{
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_EVENT);
    uint64_t random = seed_take();
    struct rows rows = rows_make(schema, 0, 20000, 16, false, &random);
    size_t row_max = fmt_row_bytes(schema->row_size, 16), consumed = 0, done = 0;
    struct fmt_superblock sb = {.stream = FMT_STREAM_EVTRACE, .n_schemas = 1, .schemas = &schema};
    struct fmt_writer w;
    struct fmt_error error = {0};
    struct fmt_reader *reader = NULL;
    struct memory_io m;
    memory_io_init(&m);
    fmt_layout_init(&sb.layout, FMT_STREAM_EVTRACE, 1, 5, row_max);
    CU_ASSERT_EQUAL(fmt_superblock_write(&m.io, &sb, NULL), FMT_OK);
    CU_ASSERT_EQUAL(fmt_writer_init(&w, &m.io, &schema, 1, &sb.layout, 0, row_max, NULL), FMT_OK);
    m.limit = 300000;
    CU_ASSERT_EQUAL(fmt_writer_append(&w, schema, rows.bytes, rows.size, 0, &consumed, &error),
                    FMT_ERR_IO);
    CU_ASSERT_EQUAL(error.sys_errno, ENOSPC);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "memory"));
    CU_ASSERT(consumed > 0 && consumed < rows.size);
    done = consumed;
    CU_ASSERT_EQUAL(
        fmt_writer_append(&w, schema, rows.bytes + done, rows.size - done, 0, &consumed, NULL),
        FMT_ERR_IO);
    CU_ASSERT_EQUAL(consumed, 0);
    m.limit = UINT64_MAX;
    CU_ASSERT_EQUAL(
        fmt_writer_append(&w, schema, rows.bytes + done, rows.size - done, 0, &consumed, NULL),
        FMT_OK);
    CU_ASSERT_EQUAL(fmt_writer_end(&w, &(struct fmt_end_info){.text = ""}, NULL), FMT_OK);
    fmt_writer_fini(&w);
    CU_ASSERT_EQUAL_FATAL(fmt_reader_open(&m.io, &reader, NULL), FMT_OK);
    check_pe(reader, 0, &rows);
    fmt_reader_close(reader);
    memory_io_fini(&m);
    free(rows.bytes);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"random schemas and records", test_random_schemas},
                                        {"builtin schemas", test_builtin_schemas},
                                        {"large payloads", test_large_payloads},
                                        {"padding is not written", test_padding},
                                        {"wrong rows are refused", test_wrong_rows},
                                        {"a full disk", test_full_disk}};
    return suite_run("format_records", tests, sizeof tests / sizeof tests[0]);
}
