/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes record files with values that other formats cannot hold, for scripts that test exports.
 *
 *     make_odd DIR PREFIX [KIND]
 *
 * makes three files. With KIND, it makes only DIR/PREFIX-rt.bin, with one kind of records of that
 * name.
 *
 *   - DIR/PREFIX-evtrace.bin: payloads whose descriptions use one name for values of several types,
 *     integers of 2^63 and more, NaN, and texts that are not UTF-8;
 *   - DIR/PREFIX-rt.bin: numbers of LPs and counts of 2^32 and more, and no clock rate;
 *   - DIR/PREFIX-model.bin: payloads of 4000 numbers.
 *
 * test: libs=warpscope_format
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"

#define ROWS      50
#define WIDE      4000 /* numbers in a payload */
#define WIDE_ROWS 550
#define ROW_MAX   (8 * WIDE + 512)

static const struct fmt_payload_field plain[] = {{"value", "", FMT_U64, 0, 1, 0, NULL},
                                                 {"small", "", FMT_I8, 8, 1, 0, NULL},
                                                 {"text", "", FMT_CHAR, 9, 6, 0, NULL},
                                                 {"real", "m", FMT_F64, 15, 1, 0, NULL}};
static const struct fmt_payload_field other[] = {{"value", "", FMT_F32, 0, 1, 0, NULL},
                                                 {"small", "", FMT_I16, 4, 1, 0, NULL},
                                                 {"text", "", FMT_U8, 6, 1, 0, NULL},
                                                 {"real", "m", FMT_F32, 7, 1, 0, NULL}};
static const struct fmt_payload_field third[] = {{"value", "", FMT_I64, 0, 1, 0, NULL},
                                                 {"text", "", FMT_CHAR, 8, 2, 0, NULL}};
static const struct fmt_payload_desc descs[] = {{1, FMT_PAYLOAD_EV, 23, 4, "plain", plain},
                                                {2, FMT_PAYLOAD_EV, 11, 4, "other", other},
                                                {3, FMT_PAYLOAD_EV, 10, 2, "third", third},
                                                {4, FMT_PAYLOAD_EV, 5, 0, "bytes", NULL}};

static const struct fmt_payload_field wide[] = {{"many", "", FMT_U64, 0, WIDE, 0, NULL}};
static const struct fmt_payload_desc wide_desc = {1, FMT_PAYLOAD_MODEL, 8 * WIDE, 1, "wide", wide};

static const double reals[] = {NAN, INFINITY, -INFINITY, -0.0, 5e-324, 1.7976931348623157e308};
static const char texts[][7] = {"a,b", "\"q\"", "x\xffy", "", "f\xc3\xbcr", "123456"};

/* Writes the payload of event number i. Returns its size. */
static uint32_t payload_make(uint8_t *to, uint32_t i, uint32_t type)
{
    uint64_t value = UINT64_MAX - i * (UINT64_MAX / ROWS);
    int64_t negative = -(int64_t)i - INT64_MAX / 2;
    float f = (float)i / 3.0f;
    int16_t small = (int16_t)(-300 * (int)i);
    memset(to, 0, 32);
    switch (type) {
    case 1:
        memcpy(to, &value, 8);
        to[8] = (uint8_t)(0 - i);
        memcpy(to + 9, texts[i % 6], strlen(texts[i % 6]));
        memcpy(to + 15, &reals[i % 6], 8);
        return 23;
    case 2:
        memcpy(to, &f, 4);
        memcpy(to + 4, &small, 2);
        to[6] = (uint8_t)i;
        memcpy(to + 7, &f, 4);
        return 11;
    case 3:
        memcpy(to, &negative, 8);
        memcpy(to + 8, "zz", 2);
        return 10;
    default:
        memcpy(to, &value, 5);
        return type == 4 ? 5 : 0;
    }
}

/* Writes row number i of a kind of record at to. Returns its size. */
static size_t row_make(uint8_t *to, uint32_t record, uint32_t i)
{
    struct fmt_event_row event = {.src_lp = UINT64_MAX - i, .dest_lp = i, .recv_ts = i};
    struct fmt_rt_pe_row pe = {.gvt = i, .events_processed = (uint64_t)i << 31, .gvt_cc = i};
    struct fmt_rt_lp_row lp = {.gvt = i, .lp = ((uint64_t)1 << 32) + i - ROWS / 2};
    if (record == FMT_RECORD_EVENT) {
        event.payload_type = i % 5;
        event.payload_size = payload_make(to + sizeof event, i, i % 5);
        memcpy(to, &event, sizeof event);
        return fmt_row_bytes(sizeof event, event.payload_size);
    }
    if (record == FMT_RECORD_MODEL_LP) {
        struct fmt_model_lp_row model = {
            .lp = i, .payload_type = 1, .payload_size = 8 * WIDE, .gvt = i};
        memcpy(to, &model, sizeof model);
        memset(to + sizeof model, 0, 8 * WIDE);
        to[sizeof model + 8 * i] = (uint8_t)i; /* the only number that is not 0 */
        return fmt_row_bytes(sizeof model, 8 * WIDE);
    }
    if (record == FMT_RECORD_RT_PE) {
        memcpy(to, &pe, sizeof pe);
        return sizeof pe;
    }
    memcpy(to, &lp, sizeof lp);
    return sizeof lp;
}

static enum fmt_status records_write(struct fmt_writer *w, const struct fmt_schema *schema,
                                     struct fmt_error *error)
{
    static uint8_t row[ROW_MAX];
    const uint32_t record = schema->id;
    enum fmt_status status = FMT_OK;
    uint32_t n = record == FMT_RECORD_MODEL_LP ? WIDE_ROWS : ROWS;
    for (uint32_t i = 0; i < n && status == FMT_OK; i++) {
        size_t size = row_make(row, record, i);
        status = fmt_writer_append(w, schema, row, size, i, NULL, error);
    }
    return status;
}

/* kind: name of the first kind of records; NULL: its own. */
static int file_make(const char *folder, const char *prefix, const uint32_t *records, uint32_t n,
                     const char *kind)
{
    const struct fmt_schema *schemas[2];
    char path[4096];
    struct fmt_file file;
    struct fmt_writer w = {0};
    struct fmt_error error = {0};
    struct fmt_end_info end = {.code = 1, .text = "made up"};
    uint32_t stream = fmt_record_stream(records[0]);
    struct fmt_superblock sb = {.stream = stream, .n_schemas = n, .schemas = schemas};
    for (uint32_t i = 0; i < n; i++) {
        schemas[i] = fmt_schema_builtin(records[i]);
    }
    struct fmt_schema renamed = *schemas[0];
    renamed.name = kind;
    schemas[0] = kind == NULL ? schemas[0] : &renamed;
    fmt_layout_init(&sb.layout, stream, 1, 3, ROW_MAX);
    snprintf(path, sizeof path, "%s/%s-%s.bin", folder, prefix, fmt_stream_name(stream));
    enum fmt_status status = fmt_file_create(&file, path, &error);
    if (status == FMT_OK) {
        status = fmt_superblock_write(&file.io, &sb, &error);
    }
    if (status == FMT_OK) {
        status = fmt_writer_init(&w, &file.io, schemas, n, &sb.layout, 0, ROW_MAX, &error);
    }
    if (status == FMT_OK && stream == FMT_STREAM_EVTRACE) {
        status = fmt_writer_meta(&w, descs, 4, &error);
    } else if (status == FMT_OK && stream == FMT_STREAM_MODEL) {
        status = fmt_writer_meta(&w, &wide_desc, 1, &error);
    }
    for (uint32_t i = 0; i < n && status == FMT_OK; i++) {
        status = records_write(&w, schemas[i], &error);
    }
    if (status == FMT_OK) {
        status = fmt_writer_end(&w, &end, &error);
    }
    fmt_writer_fini(&w);
    if (status != FMT_OK || fmt_file_close(&file, &error) != FMT_OK) {
        fprintf(stderr, "make_odd: %s\n", error.text);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static const uint32_t events[] = {FMT_RECORD_EVENT};
    static const uint32_t samples[] = {FMT_RECORD_RT_PE, FMT_RECORD_RT_LP};
    static const uint32_t values[] = {FMT_RECORD_MODEL_LP};
    if (argc != 3 && argc != 4) {
        fputs("usage: make_odd DIR PREFIX [KIND]\n", stderr);
        return EXIT_FAILURE;
    }
    if (argc == 4) {
        return file_make(argv[1], argv[2], samples, 1, argv[3]);
    }
    int status = file_make(argv[1], argv[2], events, 1, NULL);
    if (status == EXIT_SUCCESS) {
        status = file_make(argv[1], argv[2], samples, 2, NULL);
    }
    return status == EXIT_SUCCESS ? file_make(argv[1], argv[2], values, 1, NULL) : status;
}
