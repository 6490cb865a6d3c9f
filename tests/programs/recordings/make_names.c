/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a record file whose payloads have names of values that are hard to show; see
 * support/named_fields.h.
 *
 *   make_names DIR PREFIX
 *
 * makes DIR/PREFIX-evtrace.bin with one event for each payload.
 *
 * test: libs=warpscope_format
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/named_fields.h"

#define ROW_MAX 256

static enum fmt_status rows_write(struct fmt_writer *w, struct fmt_error *error)
{
    static uint64_t row[ROW_MAX / 8];
    enum fmt_status status = FMT_OK;
    for (uint32_t i = 0; i < NAMED_ROWS && status == FMT_OK; i++) {
        struct fmt_event_row event = {.src_lp = i,
                                      .dest_lp = i,
                                      .recv_ts = i,
                                      .real_time = i * 1e-6,
                                      .payload_type = named_rows[i].type,
                                      .payload_size = named_rows[i].size};
        memcpy(row, &event, sizeof event);
        memcpy((uint8_t *)row + sizeof event, named_rows[i].bytes, sizeof named_rows[i].bytes);
        status = fmt_writer_append(w, fmt_schema_builtin(FMT_RECORD_EVENT), row,
                                   fmt_row_bytes(sizeof event, event.payload_size), i, NULL, error);
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: make_names DIR PREFIX\n", stderr);
        return EXIT_FAILURE;
    }
    char path[4096];
    struct fmt_file file;
    struct fmt_writer w = {0};
    struct fmt_error error = {0};
    struct fmt_end_info end = {.code = 1, .text = "made up"};
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_EVENT);
    struct fmt_superblock sb = {.stream = FMT_STREAM_EVTRACE, .n_schemas = 1, .schemas = &schema};
    fmt_layout_init(&sb.layout, FMT_STREAM_EVTRACE, 1, 3, ROW_MAX);
    snprintf(path, sizeof path, "%s/%s-evtrace.bin", argv[1], argv[2]);
    if (fmt_file_create(&file, path, &error) != FMT_OK ||
        fmt_superblock_write(&file.io, &sb, &error) != FMT_OK ||
        fmt_writer_init(&w, &file.io, &schema, 1, &sb.layout, 0, ROW_MAX, &error) != FMT_OK ||
        fmt_writer_meta(&w, named_descs, NAMED_DESCS, &error) != FMT_OK ||
        rows_write(&w, &error) != FMT_OK || fmt_writer_end(&w, &end, &error) != FMT_OK ||
        fmt_file_close(&file, &error) != FMT_OK) {
        fprintf(stderr, "make_names: %s\n", error.text);
        return EXIT_FAILURE;
    }
    fmt_writer_fini(&w);
    return EXIT_SUCCESS;
}
