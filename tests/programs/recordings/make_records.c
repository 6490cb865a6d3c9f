/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes small record files through the format's API, without a run. For scripts that test the
 * reader.
 *
 *     make_records DIR PREFIX [pes=N] [rows=N] [extent=BYTES] [plain] [no_end] [dropped=N]
 *
 * makes DIR/PREFIX-evtrace.bin (see support/format_example.h), DIR/PREFIX-gvt.bin with one row per
 * ten events, and DIR/PREFIX-model.bin with payloads of which only some are described.
 *
 * test: libs=warpscope_format
 */
#include <inttypes.h>
#include <stdio.h>

#include "support/format_example.h"

struct options {
    const char *folder, *prefix;
    struct example example;
    uint64_t dropped;
};

static int failed(const struct fmt_error *error)
{
    fprintf(stderr, "make_records: %s\n", error->text);
    return EXIT_FAILURE;
}

static enum fmt_status create(struct fmt_file *file, char *path, size_t size,
                              const struct options *o, const char *stream, struct fmt_error *error)
{
    snprintf(path, size, "%s/%s-%s.bin", o->folder, o->prefix, stream);
    return fmt_file_create(file, path, error);
}

static int evtrace_make(const struct options *o)
{
    char path[4096];
    struct fmt_file file;
    struct fmt_error error = {0};
    if (create(&file, path, sizeof path, o, "evtrace", &error) != FMT_OK ||
        example_write(&file.io, &o->example, &error) != FMT_OK ||
        fmt_file_close(&file, &error) != FMT_OK) {
        return failed(&error);
    }
    return EXIT_SUCCESS;
}

/* Row number i of a PE in the stream's own kind of record; returns its bytes. */
typedef size_t (*row_f)(uint8_t *to, uint32_t pe, uint32_t i);

static size_t gvt_row(uint8_t *to, uint32_t pe, uint32_t i)
{
    struct fmt_gvt_pe_row row = {.pe = pe,
                                 .gvt = i,
                                 .real_time = i * 0.001,
                                 .all_reduce_count = 1,
                                 .events_processed = 10 + i,
                                 .events_rolled_back = i % 4,
                                 .efficiency = i == 3 ? NAN : 100.0 - i};
    memcpy(to, &row, sizeof row);
    return sizeof row;
}

/* Payload type 1 is described, type 2 has a known size only, type 0 has no payload. */
static size_t model_row(uint8_t *to, uint32_t pe, uint32_t i)
{
    struct fmt_model_lp_row row = {
        .pe = pe, .kp = i % 2, .lp = i % 6, .gvt = i / 6, .real_time = i * 0.001, .kind = 1};
    uint64_t queue = i * 3;
    row.payload_type = i % 3;
    row.payload_size = row.payload_type == 1 ? 8 : row.payload_type == 2 ? 3 : 0;
    memcpy(to, &row, sizeof row);
    memcpy(to + sizeof row, row.payload_type == 1 ? (const void *)&queue : "\1\2\xff",
           row.payload_size);
    return fmt_row_bytes(sizeof row, row.payload_size);
}

static enum fmt_status pe_write(const struct options *o, const struct fmt_io *io,
                                const struct fmt_superblock *sb, uint32_t pe, row_f fill,
                                struct fmt_error *error)
{
    static const struct fmt_payload_field queue[] = {{"queue", "packets", FMT_U64, 0, 1, 0, NULL}};
    static const struct fmt_payload_desc descs[] = {{1, FMT_PAYLOAD_MODEL, 8, 1, "router", queue},
                                                    {2, FMT_PAYLOAD_MODEL, 3, 0, "host", NULL}};
    uint32_t n = o->example.rows_per_pe / 10 + 1;
    uint8_t *rows = calloc(n, 256);
    size_t size = 0;
    struct fmt_writer w;
    struct fmt_end_info end = {
        .code = 1, .gvt = n, .text = "reached the end time", .records_dropped = o->dropped};
    enum fmt_status status =
        fmt_writer_init(&w, io, sb->schemas, sb->n_schemas, &sb->layout, pe, 256, error);
    for (uint32_t i = 0; i < n; i++) {
        size += fill(rows + size, pe, i);
    }
    if (status == FMT_OK && fill == model_row) {
        status = fmt_writer_meta(&w, descs, 2, error);
    }
    if (status == FMT_OK) {
        status = fmt_writer_append(&w, sb->schemas[0], rows, size, n, NULL, error);
    }
    if (status == FMT_OK && !o->example.no_end) {
        status = fmt_writer_end(&w, &end, error);
    }
    fmt_writer_fini(&w);
    free(rows);
    return status;
}

static int stream_make(const struct options *o, uint32_t record, row_f fill)
{
    uint32_t stream = fmt_record_stream(record);
    static const struct fmt_text run[] = {{"command", "example, with a \"name\""}};
    const struct fmt_schema *schema = fmt_schema_builtin(record);
    struct fmt_superblock sb = {
        .stream = stream, .n_schemas = 1, .n_run = 1, .schemas = &schema, .run = run};
    char path[4096];
    struct fmt_file file;
    struct fmt_error error = {0};
    fmt_layout_init(&sb.layout, stream, o->example.n_pes, 5, 256);
    enum fmt_status status = create(&file, path, sizeof path, o, fmt_stream_name(stream), &error);
    if (status == FMT_OK) {
        status = fmt_superblock_write(&file.io, &sb, &error);
    }
    for (uint32_t pe = 0; pe < o->example.n_pes && status == FMT_OK; pe++) {
        status = pe_write(o, &file.io, &sb, pe, fill, &error);
    }
    if (status == FMT_OK) {
        status = fmt_file_close(&file, &error);
    }
    return status == FMT_OK ? EXIT_SUCCESS : failed(&error);
}

static int option_read(struct options *o, const char *word)
{
    uint64_t number = 0;
    const char *value = strchr(word, '=');
    if (value != NULL) {
        number = strtoull(value + 1, NULL, 10);
    }
    if (strncmp(word, "pes=", 4) == 0) {
        o->example.n_pes = (uint32_t)number;
    } else if (strncmp(word, "rows=", 5) == 0) {
        o->example.rows_per_pe = (uint32_t)number;
    } else if (strncmp(word, "extent=", 7) == 0) {
        o->example.extent_size = number;
    } else if (strncmp(word, "dropped=", 8) == 0) {
        o->dropped = number;
    } else if (strcmp(word, "plain") == 0) {
        o->example.described = false;
    } else if (strcmp(word, "no_end") == 0) {
        o->example.no_end = true;
    } else {
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct options o = {.example = {.n_pes = 2, .rows_per_pe = 100, .described = true}};
    int status = argc < 3 ? EXIT_FAILURE : EXIT_SUCCESS;
    for (int i = 3; i < argc; i++) {
        status |= option_read(&o, argv[i]);
    }
    if (status != EXIT_SUCCESS) {
        fputs("usage: make_records DIR PREFIX [pes=N] [rows=N] [extent=BYTES] [plain] [no_end]"
              " [dropped=N]\n",
              stderr);
        return EXIT_FAILURE;
    }
    o.folder = argv[1];
    o.prefix = argv[2];
    status = evtrace_make(&o);
    if (status == EXIT_SUCCESS) {
        status = stream_make(&o, FMT_RECORD_GVT_PE, gvt_row);
    }
    if (status == EXIT_SUCCESS) {
        status = stream_make(&o, FMT_RECORD_MODEL_LP, model_row);
    }
    return status;
}
