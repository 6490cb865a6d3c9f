/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of payload descriptions and END blocks: what is written comes back; wrong descriptions are
 * refused; what several PEs say must agree.
 */
#include <CUnit/Basic.h>

#include "format/meta.h"
#include "support/format_example.h"
#include "support/format_memory.h"
#include "support/suite.h"

static void test_refused(void)
{
    struct fmt_payload_field f[2] = {{"a", "", FMT_U32, 0, 1, 0}, {"b", "", FMT_U32, 4, 1, 0}};
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
    for (uint32_t id = 50; id > 0; id -= 2) { /* descending: each goes to the front */
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
    CU_ASSERT_PTR_NULL(encode_add(&set, &desc, 1)); /* the same again costs nothing */
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
    static const struct fmt_payload_field field[] = {{"x", "", FMT_F64, 0, 1, 0}};
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
    descs[0].fields = &(struct fmt_payload_field){"x y", "", FMT_F64, 0, 1, 0};
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
    body[out.size] = 0x55; /* what a later version may add */
    CU_ASSERT_TRUE(fmt_end_decode(&end, body, out.size + 1, &no_memory));
    fmt_end_free(&end);

    out = (struct fmt_out){.data = body, .capacity = 80}; /* no room for the second counter */
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
                                        {"set of descriptions", test_set},
                                        {"the set is bounded", test_set_is_bounded},
                                        {"descriptions through a file", test_file},
                                        {"the END block", test_end},
                                        {"the END block, again", test_end_again}};
    return suite_run("format_meta", tests, sizeof tests / sizeof tests[0]);
}
