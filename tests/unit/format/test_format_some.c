/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of decoding some columns of a block: these equal those of the whole block, the others are
 * absent.
 */
#include <CUnit/Basic.h>

#include "support/format_example.h"
#include "support/format_memory.h"
#include "support/suite.h"

/* Compares one block decoded in part with the whole. Returns the difference. */
static uint64_t compare(const struct fmt_columns *whole, const struct fmt_columns *some,
                        const struct fmt_wanted *wanted)
{
    const struct fmt_schema *schema = whole->schema;
    int32_t payload_size = schema->role_field[FMT_ROLE_PAYLOAD_SIZE];
    uint64_t wrong = some->schema != schema || some->n_records != whole->n_records;
    for (uint32_t f = 0; f < schema->n_fields; f++) {
        size_t bytes = fmt_type_size(schema->fields[f].type) * whole->n_records;
        if (fmt_wanted_has(wanted, f)) {
            wrong += some->values[f] == NULL || memcmp(some->values[f], whole->values[f], bytes);
        } else if (!(wanted->payload && (int32_t)f == payload_size)) {
            wrong += some->values[f] != NULL;
        }
    }
    if (!wanted->payload) {
        return wrong + (some->payload != NULL || some->payload_offset != NULL);
    }
    uint64_t total = whole->payload_offset[whole->n_records];
    wrong += memcmp(some->payload_offset, whole->payload_offset,
                    (whole->n_records + 1) * sizeof *whole->payload_offset) != 0;
    return wrong + (total > 0 && memcmp(some->payload, whole->payload, (size_t)total) != 0);
}

static void check_file(bool described, uint64_t *seed)
{
    struct memory_io m;
    struct example ex = {.n_pes = 2, .rows_per_pe = 500, .described = described};
    struct fmt_reader *reader = NULL;
    struct fmt_columns whole = {0}, some = {0};
    struct fmt_scan scan;
    struct fmt_block block;
    uint64_t wrong = 0, blocks = 0;
    memory_io_init(&m);
    CU_ASSERT_EQUAL(example_write(&m.io, &ex, NULL), FMT_OK);
    CU_ASSERT_EQUAL_FATAL(fmt_reader_open(&m.io, &reader, NULL), FMT_OK);
    for (uint32_t pe = 0; pe < 2; pe++) {
        fmt_scan_init(&scan, reader, pe);
        while (fmt_scan_next(&scan, &block, NULL) == FMT_OK) {
            if (block.kind != FMT_BLOCK_DATA) {
                continue;
            }
            wrong += fmt_block_decode(reader, &block, &whole, NULL) != FMT_OK;
            blocks++;
            for (int round = 0; round < 200; round++) {
                struct fmt_wanted wanted = {.payload = random_below(seed, 2) == 0};
                for (uint32_t f = 0; f < block.schema->n_fields; f++) {
                    if (random_below(seed, 3) == 0) {
                        fmt_wanted_add(&wanted, f);
                    }
                }
                wrong += fmt_block_decode_some(reader, &block, &wanted, &some, NULL) != FMT_OK;
                wrong += compare(&whole, &some, &wanted);
            }
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_TRUE(blocks >= 2);
    fmt_columns_free(&whole);
    fmt_columns_free(&some);
    fmt_reader_close(reader);
    memory_io_fini(&m);
}

static void test_some(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("format_some", seed);
    check_file(true, &seed);
    check_file(false, &seed);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"some columns", test_some}};
    return suite_run("format_some", tests, sizeof tests / sizeof tests[0]);
}
