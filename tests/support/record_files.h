/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_files.h - event traces of arbitrary records, for tests of the reader.
 */
#ifndef WARPSCOPE_TESTS_RECORD_FILES_H
#define WARPSCOPE_TESTS_RECORD_FILES_H

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/format.h"

#define PAYLOAD_MAX 40u

/* One event; its payload is not described. row.pe is set when it is written. */
struct record {
    struct fmt_event_row row;
    uint8_t payload[PAYLOAD_MAX];
};

static inline void check_ok(enum fmt_status status, const struct fmt_error *error)
{
    if (status != FMT_OK) {
        printf("%s\n", error->text);
    }
    CU_ASSERT_EQUAL_FATAL(status, FMT_OK);
}

/* Writes the records that belong to pe (owner[i]), in their order. */
static inline void pe_write(struct fmt_file *file, const struct fmt_superblock *sb, uint32_t pe,
                            const struct record *records, const uint32_t *owner, size_t n)
{
    struct fmt_writer w;
    struct fmt_error error = {0};
    uint64_t bytes[(sizeof(struct record) + 7) / 8];
    check_ok(fmt_writer_init(&w, &file->io, sb->schemas, sb->n_schemas, &sb->layout, pe,
                             sizeof bytes, &error),
             &error);
    uint8_t *rows = malloc(n * sizeof bytes + 1);
    size_t size = 0;
    for (size_t i = 0; i < n; i++) {
        if (owner[i] == pe) {
            struct fmt_event_row row = records[i].row;
            row.pe = pe;
            memcpy(rows + size, &row, sizeof row);
            memcpy(rows + size + sizeof row, records[i].payload, PAYLOAD_MAX);
            size += fmt_row_bytes(sizeof row, row.payload_size);
        }
    }
    check_ok(fmt_writer_append(&w, sb->schemas[0], rows, size, 0.0, NULL, &error), &error);
    check_ok(fmt_writer_end(&w, &(struct fmt_end_info){.text = "done"}, &error), &error);
    fmt_writer_fini(&w);
    free(rows);
}

/* Makes the file; record number i belongs to PE owner[i]. */
static inline void file_write(const char *path, const struct record *records, const uint32_t *owner,
                              size_t n, uint32_t pes)
{
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_EVENT);
    struct fmt_superblock sb = {.stream = FMT_STREAM_EVTRACE, .n_schemas = 1, .schemas = &schema};
    struct fmt_file file;
    struct fmt_error error = {0};
    unlink(path);
    fmt_layout_init(&sb.layout, sb.stream, pes, 11, sizeof(struct record));
    sb.layout.extent_size = 8192;
    check_ok(fmt_file_create(&file, path, &error), &error);
    check_ok(fmt_superblock_write(&file.io, &sb, &error), &error);
    for (uint32_t pe = 0; pe < pes; pe++) {
        pe_write(&file, &sb, pe, records, owner, n);
    }
    check_ok(fmt_file_close(&file, &error), &error);
}

#endif
