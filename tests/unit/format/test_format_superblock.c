/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of format/superblock and format/schema: written ones are read back; invalid ones are
 * refused with the right status.
 */
#include <CUnit/Basic.h>
#include <xxhash.h>

#include "format/bytes.h"
#include "format/superblock.h"
#include "support/format_memory.h"
#include "support/suite.h"

static const struct fmt_text run_facts[] = {{"command", "phold --end=10 --name='a \"b\"'"},
                                            {"host", ""},
                                            {"note", "gr\xc3\xbc\xc3\x9f dich\n"}};

static struct fmt_superblock example(const struct fmt_schema *const *schema)
{
    struct fmt_superblock sb = {
        .stream = FMT_STREAM_GVT, .n_schemas = 1, .n_run = 3, .schemas = schema, .run = run_facts};
    fmt_layout_init(&sb.layout, FMT_STREAM_GVT, 3, 99, sizeof(struct fmt_gvt_pe_row));
    return sb;
}

static void check_schema_equal(const struct fmt_schema *a, const struct fmt_schema *b)
{
    CU_ASSERT_EQUAL(a->id, b->id);
    CU_ASSERT_EQUAL(a->n_fields, b->n_fields);
    CU_ASSERT_EQUAL(a->row_size, b->row_size);
    CU_ASSERT_STRING_EQUAL(a->name, b->name);
    CU_ASSERT_STRING_EQUAL(a->text, b->text);
    CU_ASSERT(memcmp(a->role_field, b->role_field, sizeof a->role_field) == 0);
    for (uint32_t i = 0; i < a->n_fields && i < b->n_fields; i++) {
        CU_ASSERT_STRING_EQUAL(a->fields[i].name, b->fields[i].name);
        CU_ASSERT_STRING_EQUAL(a->fields[i].unit, b->fields[i].unit);
        CU_ASSERT_STRING_EQUAL(a->fields[i].text, b->fields[i].text);
        CU_ASSERT_EQUAL(a->fields[i].type, b->fields[i].type);
        CU_ASSERT_EQUAL(a->fields[i].role, b->fields[i].role);
        CU_ASSERT_EQUAL(a->fields[i].offset, b->fields[i].offset);
        CU_ASSERT_EQUAL(a->fields[i].measure, b->fields[i].measure);
    }
}

/* Also checks that offsets and row size computed from a file are those of the row structs. */
static void test_round_trip(void)
{
    for (uint32_t record = FMT_RECORD_GVT_PE; record <= FMT_RECORD_ROLLBACK; record++) {
        const struct fmt_schema *schema = fmt_schema_builtin(record);
        struct fmt_superblock sb = example(&schema);
        struct memory_io m;
        struct fmt_reader *reader = NULL;
        struct fmt_error error = {0};
        memory_io_init(&m);
        CU_ASSERT_EQUAL(fmt_superblock_write(&m.io, &sb, &error), FMT_OK);
        CU_ASSERT_EQUAL_FATAL(fmt_reader_open(&m.io, &reader, &error), FMT_OK);
        const struct fmt_superblock *back = fmt_reader_superblock(reader);
        CU_ASSERT(memcmp(&back->layout, &sb.layout, sizeof sb.layout) == 0);
        CU_ASSERT_EQUAL(back->stream, FMT_STREAM_GVT);
        CU_ASSERT_EQUAL(back->n_run, 3);
        for (uint32_t k = 0; k < 3; k++) {
            CU_ASSERT_STRING_EQUAL(back->run[k].key, run_facts[k].key);
            CU_ASSERT_STRING_EQUAL(back->run[k].value, run_facts[k].value);
        }
        CU_ASSERT_EQUAL_FATAL(back->n_schemas, 1);
        check_schema_equal(back->schemas[0], schema);
        fmt_reader_close(reader);
        memory_io_fini(&m);
    }
}

static void test_names(void)
{
    CU_ASSERT_STRING_EQUAL(fmt_stream_name(FMT_STREAM_GVT), "gvt");
    CU_ASSERT_STRING_EQUAL(fmt_stream_name(FMT_STREAM_EVTRACE), "evtrace");
    CU_ASSERT_PTR_NULL(fmt_stream_name(0));
    CU_ASSERT_STRING_EQUAL(fmt_stream_name(FMT_STREAM_TRACER), "tracer");
    CU_ASSERT_PTR_NULL(fmt_stream_name(8));
    CU_ASSERT_PTR_NULL(fmt_schema_builtin(0));
    CU_ASSERT_PTR_NULL(fmt_schema_builtin(FMT_RECORD_TRACER_OPEN + 1));
    CU_ASSERT_EQUAL(fmt_record_stream(FMT_RECORD_RT_KP), FMT_STREAM_RT);
    CU_ASSERT_EQUAL(fmt_record_stream(0), 0);
    CU_ASSERT_STRING_EQUAL(fmt_type_name(FMT_F64), "f64");
    CU_ASSERT_EQUAL(fmt_type_size(FMT_I16), 2);
    CU_ASSERT_EQUAL(fmt_type_size(0), 0);
    CU_ASSERT_EQUAL(fmt_type_size(12), 0);
}

static void check_refused(const struct fmt_superblock *sb)
{
    struct memory_io m;
    struct fmt_error error = {0};
    memory_io_init(&m);
    CU_ASSERT_EQUAL(fmt_superblock_write(&m.io, sb, &error), FMT_ERR_ARG);
    CU_ASSERT_EQUAL(m.size, 0);
    CU_ASSERT_NOT_EQUAL(strlen(error.text), 0);
    memory_io_fini(&m);
}

static void test_refused(void)
{
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_GVT_PE);
    const struct fmt_schema *twice[] = {schema, schema};
    struct fmt_superblock sb = example(&schema);
    sb.stream = 8;
    check_refused(&sb);
    sb = example(&schema);
    sb.layout.n_pes = 0;
    check_refused(&sb);
    sb = example(&schema);
    sb.layout.extent_size = 5000;
    check_refused(&sb);
    sb = example(twice);
    sb.n_schemas = 2;
    check_refused(&sb);

    struct fmt_field fields[] = {{"x", "", "", FMT_U64, FMT_ROLE_NONE, 0, 0},
                                 {"x", "", "", FMT_U64, FMT_ROLE_NONE, 8, 0}};
    struct fmt_schema bad = {
        .id = 1, .n_fields = 2, .row_size = 16, .name = "bad", .text = "", .fields = fields};
    const struct fmt_schema *pointer = &bad;
    sb = example(&pointer);
    check_refused(&sb);
    fields[1].name = "a,b";
    check_refused(&sb);
    fields[1].name = "y";
    fields[1].role = FMT_ROLE_PE; /* must be a u32 */
    check_refused(&sb);
    fields[1].role = FMT_ROLE_NONE;
    fields[1].type = FMT_CHAR;
    check_refused(&sb);
}

static void test_long_values(void)
{
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_GVT_PE);
    static char value[100000];
    memset(value, 'x', sizeof value - 1);
    struct fmt_text run[] = {{"command", value}};
    struct fmt_superblock sb = example(&schema);
    struct memory_io m;
    struct fmt_reader *reader = NULL;
    memory_io_init(&m);
    sb.run = run;
    sb.n_run = 1;
    CU_ASSERT_EQUAL(fmt_superblock_write(&m.io, &sb, NULL), FMT_OK);
    CU_ASSERT_EQUAL_FATAL(fmt_reader_open(&m.io, &reader, NULL), FMT_OK);
    const char *back = fmt_reader_superblock(reader)->run[0].value;
    CU_ASSERT_EQUAL(strlen(back), 8192);
    CU_ASSERT_STRING_EQUAL(back + 8192 - 4, "x...");
    fmt_reader_close(reader);
    memory_io_fini(&m);
}

/* Corrects the checksum after a change. */
static void reseal(struct memory_io *m)
{
    size_t size = fmt_get_u32(m->bytes + 12);
    fmt_put_u64(m->bytes + size - 8, XXH3_64bits(m->bytes, size - 8));
}

static enum fmt_status reopen(struct memory_io *m, struct fmt_error *error)
{
    struct fmt_reader *reader = NULL;
    enum fmt_status status = fmt_reader_open(&m->io, &reader, error);
    fmt_reader_close(reader);
    return status;
}

static void test_versions(void)
{
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_GVT_PE);
    struct fmt_superblock sb = example(&schema);
    struct fmt_error error = {0};
    struct memory_io m;
    memory_io_init(&m);
    fmt_superblock_write(&m.io, &sb, NULL);
    m.bytes[10] = 9; /* a later minor version can be read */
    reseal(&m);
    CU_ASSERT_EQUAL(reopen(&m, &error), FMT_OK);
    m.bytes[8] = 2; /* a later major one cannot */
    CU_ASSERT_EQUAL(reopen(&m, &error), FMT_ERR_VERSION);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "2.9"));
    m.bytes[8] = 0;
    CU_ASSERT_EQUAL(reopen(&m, &error), FMT_ERR_DAMAGED);
    m.bytes[0] = 'x';
    CU_ASSERT_EQUAL(reopen(&m, &error), FMT_ERR_MAGIC);
    m.size = 0;
    CU_ASSERT_EQUAL(reopen(&m, &error), FMT_ERR_DAMAGED);
    memory_io_fini(&m);
}

/* Turns the section behind the last into the checksum's place: adds one with the given tag. */
static void add_section(struct memory_io *m, uint32_t tag)
{
    uint8_t section[16] = {0};
    size_t size = fmt_get_u32(m->bytes + 12);
    fmt_put_u32(section, tag);
    fmt_put_u32(section + 4, 3);
    memcpy(section + 8, "new", 3);
    m->io.write_at(m, section, sizeof section, size - 8);
    m->io.write_at(m, section + 8, 8, size + 8);
    fmt_put_u32(m->bytes + 12, (uint32_t)size + 16);
    reseal(m);
}

static void test_extensions(void)
{
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_GVT_PE);
    struct fmt_superblock sb = example(&schema);
    struct fmt_error error = {0};
    struct memory_io m;
    memory_io_init(&m);
    fmt_superblock_write(&m.io, &sb, NULL);
    add_section(&m, 77);
    CU_ASSERT_EQUAL(reopen(&m, &error), FMT_OK);
    add_section(&m, 0x80000000u | 77);
    CU_ASSERT_EQUAL(reopen(&m, &error), FMT_ERR_VERSION);
    memory_io_fini(&m);
}

/* The last section has the number of encodings. Files without it have those of version 1.0. */
static void test_encodings(void)
{
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_GVT_PE);
    struct fmt_superblock sb = example(&schema), got;
    struct fmt_error error = {0};
    struct memory_io m;
    void *memory;
    uint64_t size;
    memory_io_init(&m);
    fmt_superblock_write(&m.io, &sb, NULL);
    uint8_t *section = m.bytes + fmt_get_u32(m.bytes + 12) - 8 - 16;
    CU_ASSERT_EQUAL(fmt_get_u32(section), 0x80000003u);
    CU_ASSERT_EQUAL(fmt_superblock_read(&m.io, &got, &size, &memory, &error), FMT_OK);
    CU_ASSERT_FALSE(got.layout.is_plain);
    free(memory);
    section[8]++;
    reseal(&m);
    CU_ASSERT_EQUAL(reopen(&m, &error), FMT_ERR_VERSION);
    fmt_put_u32(section, 77);
    reseal(&m);
    CU_ASSERT_EQUAL(fmt_superblock_read(&m.io, &got, &size, &memory, &error), FMT_OK);
    CU_ASSERT_TRUE(got.layout.is_plain);
    free(memory);
    memory_io_fini(&m);
}

/* Valid checksum, invalid content. */
static void test_contradictions(void)
{
    const struct fmt_schema *two[] = {fmt_schema_builtin(FMT_RECORD_GVT_PE),
                                      fmt_schema_builtin(FMT_RECORD_MODEL_LP)};
    static char value[9000];
    struct fmt_text run[] = {{"command", value}};
    struct fmt_superblock sb = example(two);
    struct fmt_error error = {0};
    struct memory_io m;
    memory_io_init(&m);
    memset(value, 'x', sizeof value - 1);
    sb.n_schemas = 2;
    sb.run = run;
    sb.n_run = 1;
    CU_ASSERT_EQUAL(fmt_superblock_write(&m.io, &sb, NULL), FMT_OK);
    CU_ASSERT_EQUAL(reopen(&m, &error), FMT_OK);
    fmt_put_u64(m.bytes + 24, 4096); /* extents would begin in the superblock */
    reseal(&m);
    CU_ASSERT_EQUAL(reopen(&m, &error), FMT_ERR_DAMAGED);
    fmt_put_u64(m.bytes + 24, 65536);
    size_t second = 64 + 8 + fmt_align(fmt_get_u32(m.bytes + 68), 8);
    CU_ASSERT_EQUAL(fmt_get_u32(m.bytes + second + 8), two[1]->id);
    fmt_put_u32(m.bytes + second + 8, two[0]->id);
    reseal(&m);
    CU_ASSERT_EQUAL(reopen(&m, &error), FMT_ERR_DAMAGED);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "same number"));
    memory_io_fini(&m);
}

/* Every field of the superblock with hostile numbers and a valid checksum: refused or read, no
 * crash. */
static void test_hostile(void)
{
    static const uint32_t numbers[] = {0, 1, 7, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000};
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_EVENT);
    struct fmt_superblock sb = example(&schema);
    struct memory_io m;
    memory_io_init(&m);
    fmt_superblock_write(&m.io, &sb, NULL);
    size_t size = fmt_get_u32(m.bytes + 12), opened = 0;
    for (size_t at = 16; at + 12 <= size; at++) {
        uint8_t keep[4];
        memcpy(keep, m.bytes + at, 4);
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            fmt_put_u32(m.bytes + at, numbers[i]);
            reseal(&m);
            opened += reopen(&m, NULL) == FMT_OK;
        }
        memcpy(m.bytes + at, keep, 4);
    }
    CU_ASSERT_NOT_EQUAL(opened, 0); /* texts and ids are arbitrary */
    memory_io_fini(&m);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"what is written comes back", test_round_trip},
                                        {"names and types", test_names},
                                        {"refused parameters", test_refused},
                                        {"long values are cut", test_long_values},
                                        {"versions", test_versions},
                                        {"unknown sections", test_extensions},
                                        {"encodings", test_encodings},
                                        {"contradictions", test_contradictions},
                                        {"hostile numbers", test_hostile}};
    return suite_run("format_superblock", tests, sizeof tests / sizeof tests[0]);
}
