/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of payload descriptions and END blocks: written ones are read back, invalid descriptions
 * are refused, and the descriptions of several PEs must agree.
 */
#include <CUnit/Basic.h>

#include "format/meta.h"
#include "support/format_example.h"
#include "support/format_memory.h"
#include "support/named_fields.h"
#include "support/suite.h"

static void test_refused(void)
{
    struct fmt_payload_field f[2] = {{"a", "", FMT_U32, 0, 1, 0, NULL},
                                     {"b", "", FMT_U32, 4, 1, 0, NULL}};
    struct fmt_payload_desc desc = {1, FMT_PAYLOAD_EV, 8, 2, "x", f};
    CU_ASSERT_PTR_NULL(fmt_desc_check(&desc));
    desc.id = 0;
    CU_ASSERT_PTR_NOT_NULL(fmt_desc_check(&desc));
    desc.id = 1;
    f[1].name = "a";
    CU_ASSERT_PTR_NOT_NULL(fmt_desc_check(&desc));
    f[1].name = "b-c";
    CU_ASSERT_PTR_NOT_NULL(fmt_desc_check(&desc));
    f[1].name = "b";
    f[1].offset = 5;
    CU_ASSERT_PTR_NOT_NULL(fmt_desc_check(&desc));
    f[1].offset = UINT32_MAX;
    CU_ASSERT_PTR_NOT_NULL(fmt_desc_check(&desc));
    f[1].offset = 4;
    f[1].count = 0;
    CU_ASSERT_PTR_NOT_NULL(fmt_desc_check(&desc));
    f[1].count = 0x40000001; /* times 4 wraps to 4 */
    CU_ASSERT_PTR_NOT_NULL(fmt_desc_check(&desc));
    f[1].count = 1;
    f[1].type = 12;
    CU_ASSERT_PTR_NOT_NULL(fmt_desc_check(&desc));
    f[1].type = FMT_CHAR;
    CU_ASSERT_PTR_NULL(fmt_desc_check(&desc));
    desc.n_fields = 1025;
    CU_ASSERT_PTR_NOT_NULL(fmt_desc_check(&desc));
}

/* Names of values are for single integers, and not for too many values. */
static void test_names_refused(void)
{
    static const char *names[FMT_VALUE_NAMES_MAX + 2];
    struct fmt_payload_field f = {"a", "", FMT_I16, 0, 1, 0, names};
    struct fmt_payload_desc desc = {1, FMT_PAYLOAD_EV, 8, 1, "x", &f};
    CU_ASSERT_PTR_NULL(fmt_desc_check(&desc)); /* an empty list */
    for (uint32_t i = 0; i <= FMT_VALUE_NAMES_MAX; i++) {
        names[i] = "n";
    }
    CU_ASSERT_PTR_NOT_NULL(fmt_desc_check(&desc));
    names[FMT_VALUE_NAMES_MAX] = NULL;
    CU_ASSERT_PTR_NULL(fmt_desc_check(&desc));
    f.count = 2;
    CU_ASSERT_PTR_NOT_NULL(fmt_desc_check(&desc));
    f.count = 1;
    f.type = FMT_F32;
    CU_ASSERT_PTR_NOT_NULL(fmt_desc_check(&desc));
    f.type = FMT_CHAR;
    CU_ASSERT_PTR_NOT_NULL(fmt_desc_check(&desc));
    names[0] = NULL;
    CU_ASSERT_PTR_NULL(fmt_desc_check(&desc));
}

/* Encodes descs and adds them to set. */
static const char *encode_add(struct fmt_desc_set *set, const struct fmt_payload_desc *descs,
                              size_t n)
{
    static uint8_t body[1 << 16];
    struct fmt_out out = {.data = body, .capacity = sizeof body};
    bool no_memory;
    for (size_t i = 0; i < n; i++) {
        fmt_desc_encode(&out, &descs[i]);
    }
    CU_ASSERT_FALSE(out.full);
    return fmt_desc_set_add(set, body, out.size, &no_memory);
}

static void test_set(void)
{
    struct fmt_desc_set set = {0};
    struct fmt_payload_desc desc = {.owner = "o"};
    for (uint32_t id = 50; id > 0; id -= 2) { /* descending: each is inserted at the front */
        desc.id = id;
        desc.size = id * 3;
        CU_ASSERT_PTR_NULL(encode_add(&set, &desc, 1));
    }
    CU_ASSERT_EQUAL(set.n, 25);
    for (uint32_t id = 1; id <= 51; id++) {
        const struct fmt_payload_desc *found = fmt_desc_set_find(&set, id);
        CU_ASSERT_EQUAL(found != NULL, id % 2 == 0 && id <= 50);
        CU_ASSERT(found == NULL || (found->id == id && found->size == id * 3));
    }
    const struct fmt_desc_chunk *memory = set.memory;
    CU_ASSERT_PTR_NULL(encode_add(&set, &desc, 1)); /* an equal description takes no memory */
    CU_ASSERT_PTR_EQUAL(set.memory, memory);
    desc.size++;
    CU_ASSERT_PTR_NOT_NULL(encode_add(&set, &desc, 1));
    CU_ASSERT_EQUAL(set.n, 25);
    fmt_desc_set_free(&set);

    CU_ASSERT_PTR_NULL(encode_add(&set, example_descs, EXAMPLE_DESCS));
    struct fmt_payload_desc other = example_descs[0];
    struct fmt_payload_field fields[4];
    memcpy(fields, example_fields, sizeof fields);
    other.fields = fields;
    CU_ASSERT_PTR_NULL(encode_add(&set, &other, 1));
    fields[3].unit = "m";
    CU_ASSERT_PTR_NOT_NULL(encode_add(&set, &other, 1));
    fields[3].unit = "";
    fields[2].measure = FMT_COUNTER;
    CU_ASSERT_PTR_NOT_NULL(encode_add(&set, &other, 1));
    other.id = 99;
    CU_ASSERT_PTR_NULL(encode_add(&set, &other, 1));
    CU_ASSERT_EQUAL(fmt_desc_set_find(&set, 99)->fields[2].measure, FMT_COUNTER);
    fmt_desc_set_free(&set);
}

/* Names of values come back, and belong to what makes two descriptions equal. */
static void test_names(void)
{
    struct fmt_desc_set set = {0};
    struct fmt_payload_field fields[4];
    struct fmt_payload_desc other = named_descs[0];
    const char *const longer[] = {named_codes[0], named_codes[1], "two", NULL};
    CU_ASSERT_PTR_NULL(encode_add(&set, named_descs, NAMED_DESCS));
    CU_ASSERT_PTR_NULL(encode_add(&set, named_descs, NAMED_DESCS));
    const struct fmt_payload_field *f = fmt_desc_set_find(&set, 1)->fields;
    CU_ASSERT_STRING_EQUAL(f[0].names[0], named_codes[0]);
    CU_ASSERT_STRING_EQUAL(f[0].names[1], named_codes[1]);
    CU_ASSERT_PTR_NULL(f[0].names[2]);
    CU_ASSERT_STRING_EQUAL(f[1].names[0], "");
    CU_ASSERT_PTR_NULL(f[2].names);
    CU_ASSERT_PTR_NULL(fmt_desc_set_find(&set, 3)->fields[0].names);
    memcpy(fields, named_first, sizeof named_first);
    other.fields = fields;
    fields[0].names = longer;
    CU_ASSERT_PTR_NOT_NULL(encode_add(&set, &other, 1));
    fields[0].names = named_others;
    CU_ASSERT_PTR_NOT_NULL(encode_add(&set, &other, 1));
    fields[0].names = NULL;
    CU_ASSERT_PTR_NOT_NULL(encode_add(&set, &other, 1));
    fields[0].names = named_codes;
    CU_ASSERT_PTR_NULL(encode_add(&set, &other, 1));
    fmt_desc_set_free(&set);
}

/* Encodes a description whose field has the given bytes behind its unit, and decodes it. */
static const char *entry_read(const uint8_t *rest, uint8_t size, const char **first)
{
    struct fmt_payload_field f = {"a", "", FMT_U8, 0, 1, 0, NULL};
    struct fmt_payload_desc desc = {1, FMT_PAYLOAD_EV, 8, 1, "x", &f};
    uint8_t body[256];
    struct fmt_out out = {.data = body, .capacity = sizeof body};
    struct fmt_desc_set set = {0};
    bool no_memory;
    fmt_desc_encode(&out, &desc);
    uint8_t *entry = body + 4 + 16 + 3; /* the sizes are small: their first bytes count */
    fmt_out_bytes(&out, rest, size);
    body[0] = (uint8_t)(body[0] + size);
    entry[0] = (uint8_t)(entry[0] + size);
    const char *wrong = fmt_desc_set_add(&set, body, out.size, &no_memory);
    *first = NULL;
    if (wrong == NULL && set.descs[0].fields[0].names != NULL) {
        *first = strcmp(set.descs[0].fields[0].names[0], "on") == 0 ? "on" : "";
    }
    fmt_desc_set_free(&set);
    return wrong;
}

static void test_names_damaged(void)
{
    static const uint8_t good[] = {1, 0, 2, 0, 'o', 'n'}, more[] = {1, 0, 2, 0, 'o', 'n', 9, 9, 9};
    static const uint8_t none[] = {0, 0, 7}, half[] = {1}, zero[] = {1, 0, 1, 0, 0};
    static const uint8_t few[] = {2, 0, 2, 0, 'o', 'n'}, many[] = {1, 4, 0, 0, 0, 0};
    static const uint8_t longer[] = {1, 0, 3, 0, 'o', 'n'};
    const char *first;
    CU_ASSERT_PTR_NULL(entry_read(good, 0, &first));
    CU_ASSERT_PTR_NULL(first);
    CU_ASSERT_PTR_NULL(entry_read(good, sizeof good, &first));
    CU_ASSERT(first != NULL && strcmp(first, "on") == 0);
    CU_ASSERT_PTR_NULL(entry_read(more, sizeof more, &first)); /* of a later version */
    CU_ASSERT(first != NULL && strcmp(first, "on") == 0);
    CU_ASSERT_PTR_NULL(entry_read(none, sizeof none, &first));
    CU_ASSERT_PTR_NULL(first);
    CU_ASSERT_PTR_NOT_NULL(entry_read(half, sizeof half, &first));
    CU_ASSERT_PTR_NOT_NULL(entry_read(zero, sizeof zero, &first));
    CU_ASSERT_PTR_NOT_NULL(entry_read(few, sizeof few, &first));
    CU_ASSERT_PTR_NOT_NULL(entry_read(many, sizeof many, &first));
    CU_ASSERT_PTR_NOT_NULL(entry_read(longer, sizeof longer, &first));
}

/* As many empty names as fit take the memory that is there for them. */
static void test_names_memory(void)
{
    static const char *names[FMT_VALUE_NAMES_MAX + 1];
    static struct fmt_payload_field fields[30];
    static char field_names[30][4];
    struct fmt_desc_set set = {0};
    struct fmt_payload_desc desc = {1, FMT_PAYLOAD_EV, 1, 30, "", fields};
    for (uint32_t i = 0; i < FMT_VALUE_NAMES_MAX; i++) {
        names[i] = "";
    }
    for (int i = 0; i < 30; i++) {
        snprintf(field_names[i], sizeof field_names[i], "f%d", i);
        fields[i] = (struct fmt_payload_field){field_names[i], "", FMT_U8, 0, 1, 0, names};
    }
    CU_ASSERT_PTR_NULL(encode_add(&set, &desc, 1));
    CU_ASSERT_STRING_EQUAL(fmt_desc_set_find(&set, 1)->fields[29].names[1023], "");
    fmt_desc_set_free(&set);
}

/* Without names a description has the bytes that it had before there were names. */
static void test_bytes(void)
{
    static const uint8_t expected[] = {0, 0, 0, 0, 7, 0, 0, 0,   1,   0,  0, 0,   8,  0, 0,
                                       0, 1, 0, 0, 0, 2, 0, 'l', 'p', 17, 0, 2,   4,  6, 0,
                                       0, 0, 1, 0, 0, 0, 1, 0,   'a', 2,  0, 'm', 's'};
    struct fmt_payload_field f = {"a", "ms", FMT_U16, 6, 1, FMT_IDENTITY, NULL};
    const char *const empty[] = {NULL};
    struct fmt_payload_desc desc = {7, FMT_PAYLOAD_EV, 8, 1, "lp", &f};
    for (int i = 0; i < 2; i++) {
        uint8_t body[64];
        struct fmt_out out = {.data = body, .capacity = sizeof body};
        fmt_desc_encode(&out, &desc);
        CU_ASSERT_EQUAL_FATAL(out.size, sizeof expected);
        CU_ASSERT_EQUAL(memcmp(body + 4, expected + 4, sizeof expected - 4), 0);
        CU_ASSERT_EQUAL(body[0], sizeof expected - 4);
        f.names = empty;
    }
}

static void test_set_is_bounded(void)
{
    struct fmt_desc_set set = {0};
    struct fmt_payload_desc desc = {.owner = ""};
    const char *wrong = NULL;
    for (uint32_t id = 1; id <= FMT_DESCS_MAX; id++) {
        desc.id = id;
        if (encode_add(&set, &desc, 1) != NULL) {
            wrong = "refused too early";
        }
    }
    CU_ASSERT_PTR_NULL(wrong);
    desc.id++;
    CU_ASSERT_PTR_NOT_NULL(encode_add(&set, &desc, 1));
    CU_ASSERT_EQUAL(set.n, FMT_DESCS_MAX);
    fmt_desc_set_free(&set);
}

/* Through a file: more descriptions than one block holds. */
static void test_file(void)
{
    static const struct fmt_payload_field field[] = {{"x", "", FMT_F64, 0, 1, 0, NULL}};
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_EVENT);
    struct example ex = {.n_pes = 1, .extent_size = 4096};
    struct fmt_payload_desc descs[300];
    struct fmt_layout layout;
    struct fmt_writer w;
    struct fmt_error error = {0};
    struct memory_io m;
    memory_io_init(&m);
    for (uint32_t i = 0; i < 300; i++) {
        descs[i] = (struct fmt_payload_desc){i + 1, FMT_PAYLOAD_MODEL, 8 + i, 1, "lp", field};
    }
    CU_ASSERT_EQUAL(example_superblock(&m.io, &ex, &layout, NULL), FMT_OK);
    CU_ASSERT_EQUAL(fmt_writer_init(&w, &m.io, &schema, 1, &layout, 0, 0, NULL), FMT_OK);
    CU_ASSERT_EQUAL(fmt_writer_meta(&w, descs, 300, &error), FMT_OK);
    CU_ASSERT(w.at.blocks > 1);
    descs[0].fields = &(struct fmt_payload_field){"x y", "", FMT_F64, 0, 1, 0, NULL};
    CU_ASSERT_EQUAL(fmt_writer_meta(&w, descs, 1, &error), FMT_ERR_ARG);
    CU_ASSERT_EQUAL(fmt_writer_end(&w, &(struct fmt_end_info){.text = NULL}, NULL), FMT_OK);
    CU_ASSERT_EQUAL(fmt_writer_end(&w, &(struct fmt_end_info){.text = NULL}, NULL), FMT_ERR_ARG);
    CU_ASSERT_EQUAL(fmt_writer_meta(&w, descs, 1, &error), FMT_ERR_ARG);
    fmt_writer_fini(&w);

    struct fmt_reader *reader = NULL;
    struct fmt_scan scan;
    struct fmt_block block;
    struct fmt_desc_set set = {0};
    CU_ASSERT_EQUAL_FATAL(fmt_reader_open(&m.io, &reader, NULL), FMT_OK);
    fmt_scan_init(&scan, reader, 0);
    while (fmt_scan_next(&scan, &block, NULL) == FMT_OK) {
        if (block.kind == FMT_BLOCK_META) {
            CU_ASSERT_EQUAL(fmt_block_read_meta(reader, &block, &set, NULL), FMT_OK);
        }
    }
    CU_ASSERT_EQUAL(set.n, 300);
    const struct fmt_payload_desc *last = fmt_desc_set_find(&set, 300);
    CU_ASSERT_PTR_NOT_NULL_FATAL(last);
    CU_ASSERT(last->size == 307 && last->kind == FMT_PAYLOAD_MODEL && last->n_fields == 1);
    CU_ASSERT_STRING_EQUAL(last->owner, "lp");
    CU_ASSERT_STRING_EQUAL(last->fields[0].name, "x");
    fmt_desc_set_free(&set);
    fmt_reader_close(reader);
    memory_io_fini(&m);
}

static void test_end(void)
{
    static const struct fmt_counter counters[] = {{"a", 1}, {"b", UINT64_MAX}};
    uint8_t body[512];
    struct fmt_end_info info = {.records = 1,
                                .blocks = 2,
                                .bytes = 3,
                                .records_dropped = 4,
                                .code = 5,
                                .n_counters = 2,
                                .gvt = 6.5,
                                .real_time = 7.5,
                                .text = "because",
                                .counters = counters};
    struct fmt_out out = {.data = body, .capacity = sizeof body};
    struct fmt_end end = {0};
    bool no_memory;
    fmt_end_encode(&out, &info);
    CU_ASSERT_FATAL(fmt_end_decode(&end, body, out.size, &no_memory));
    CU_ASSERT(end.info.records == 1 && end.info.blocks == 2 && end.info.bytes == 3);
    CU_ASSERT(end.info.records_dropped == 4 && end.info.code == 5);
    CU_ASSERT(end.info.gvt == 6.5 && end.info.real_time == 7.5);
    CU_ASSERT_STRING_EQUAL(end.info.text, "because");
    CU_ASSERT_EQUAL_FATAL(end.info.n_counters, 2);
    CU_ASSERT_STRING_EQUAL(end.info.counters[1].name, "b");
    CU_ASSERT_EQUAL(end.info.counters[1].value, UINT64_MAX);
    fmt_end_free(&end);
    for (size_t size = 0; size < out.size; size++) {
        CU_ASSERT_FALSE(fmt_end_decode(&end, body, size, &no_memory));
        CU_ASSERT_FALSE(no_memory);
    }
    body[out.size] = 0x55; /* possible additions of a later version */
    CU_ASSERT_TRUE(fmt_end_decode(&end, body, out.size + 1, &no_memory));
    fmt_end_free(&end);

    out = (struct fmt_out){.data = body, .capacity = 80}; /* no space for the second counter */
    fmt_end_encode(&out, &info);
    CU_ASSERT_FALSE(out.full);
    CU_ASSERT_TRUE(fmt_end_decode(&end, body, out.size, &no_memory));
    CU_ASSERT_EQUAL(end.info.n_counters, 1);
    fmt_end_free(&end);
}

/* The END block is written again, longer or shorter: the file is valid, and the last one counts. */
static void test_end_again(void)
{
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_EVENT);
    static const char *const texts[] = {"short", "a text that is so long that its block is longer, "
                                                 "by more than the places of blocks are apart"};
    for (int first = 0; first < 2; first++) {
        struct example ex = {.n_pes = 1, .extent_size = 4096};
        struct fmt_end_info info = {.text = texts[first]};
        struct fmt_layout layout;
        struct fmt_writer w;
        struct memory_io m;
        memory_io_init(&m);
        CU_ASSERT_EQUAL(example_superblock(&m.io, &ex, &layout, NULL), FMT_OK);
        CU_ASSERT_EQUAL(fmt_writer_init(&w, &m.io, &schema, 1, &layout, 0, 0, NULL), FMT_OK);
        CU_ASSERT_EQUAL(fmt_writer_end_again(&w, &info, NULL), FMT_ERR_ARG);
        CU_ASSERT_EQUAL(fmt_writer_end(&w, &info, NULL), FMT_OK);
        info.text = texts[1 - first];
        info.records_dropped = FMT_DROPPED_UNKNOWN;
        CU_ASSERT_EQUAL(fmt_writer_end_again(&w, &info, NULL), FMT_OK);
        fmt_writer_fini(&w);

        struct fmt_reader *reader = NULL;
        struct fmt_scan scan;
        struct fmt_block block;
        struct fmt_end end = {0};
        CU_ASSERT_EQUAL_FATAL(fmt_reader_open(&m.io, &reader, NULL), FMT_OK);
        fmt_scan_init(&scan, reader, 0);
        CU_ASSERT_EQUAL_FATAL(fmt_scan_next(&scan, &block, NULL), FMT_OK);
        CU_ASSERT_EQUAL(block.kind, FMT_BLOCK_END);
        CU_ASSERT_EQUAL_FATAL(fmt_block_read_end(reader, &block, &end, NULL), FMT_OK);
        CU_ASSERT_STRING_EQUAL(end.info.text, texts[1 - first]);
        CU_ASSERT_EQUAL(end.info.records_dropped, FMT_DROPPED_UNKNOWN);
        CU_ASSERT_EQUAL(end.info.blocks, 1);
        CU_ASSERT_EQUAL(fmt_scan_next(&scan, &block, NULL), FMT_END);
        fmt_end_free(&end);
        fmt_reader_close(reader);
        memory_io_fini(&m);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"wrong descriptions are refused", test_refused},
                                        {"wrong names of values are refused", test_names_refused},
                                        {"names of values", test_names},
                                        {"damaged names of values", test_names_damaged},
                                        {"memory of names of values", test_names_memory},
                                        {"bytes without names", test_bytes},
                                        {"set of descriptions", test_set},
                                        {"the set is bounded", test_set_is_bounded},
                                        {"descriptions through a file", test_file},
                                        {"the END block", test_end},
                                        {"the END block, again", test_end_again}};
    return suite_run("format_meta", tests, sizeof tests / sizeof tests[0]);
}
