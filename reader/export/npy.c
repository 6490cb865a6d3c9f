/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * npy.c - writes records as arrays with named fields for numpy.load(), one file per kind of record.
 *
 * The format (.npy, version 1 or 2) has a magic string, the version, the length of the header, the
 * header, and the records without gaps. The header is a Python dictionary with the fields of a
 * record and the number of records. This number is not known until the end: the header reserves
 * space for it, and kind_end() overwrites this space.
 *
 * All records have all fields. A field that a record's payload lacks is NaN, 0, or an empty string.
 * A payload without named fields is stored as bytes, in a field of fixed size. The descriptions of
 * the payloads contain that size. In a stream without descriptions, the sizes of all payloads are
 * read first to find the longest payload.
 *
 * The names of numeric values go to a second file: a JSON object with one object per column, which
 * maps numbers to names. In a column for payload fields, the names depend on the payload type: the
 * object of the column maps each payload type to another object, which maps numbers to names.
 *
 *     {"payload_type":{"1":"router","2":"host"},"cause":{"1":"straggler","2":"secondary"},
 *      "kind":{"1":{"1":"send","2":"forward"},"2":{"1":"send"}}}
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/bind.h"
#include "export/export.h"
#include "text/json.h"
#include "text/text_new.h"

#define ITEM_MAX (INT32_MAX) /* maximum size of a record in bytes, a limit of numpy */

/* The output file of one kind of records. */
struct sink {
    struct ws_out *out;
    uint64_t n;
    /* Offset in the file of the last part of the header, which shape_format() makes. */
    uint64_t shape_at;
    uint32_t *sizes; /* owned; [column]: its size in bytes */
    size_t item;     /* size of a record in bytes */
};

/* ---- Names of values -------------------------------------------------------------------------- */

/* Writes an object with the names of n values. The values are ids of payload types, or codes from 0
 * on; labels->places[first] belongs to the first of them. */
static void names_write(struct json_writer *json, const char *key, const struct ws_labels *labels,
                        uint32_t first, uint32_t n)
{
    assert(first <= labels->n_places && n <= labels->n_places - first);
    json_object_open(json, key);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = labels->places[first + i];
        bool of_types = labels->kind == WS_LABELS_TYPES;
        char number[16];
        snprintf(number, sizeof number, "%" PRIu32, of_types ? labels->descs->descs[i].id : i);
        if (place != WS_NO_LABEL) {
            json_put_string(json, number, labels->known.names[place]);
        }
    }
    json_object_close(json);
}

/* Writes the object of each column that has values of a field. */
static void labels_write(struct json_writer *json, const struct ws_table_schema *kind,
                         struct ws_labels *labels)
{
    if (labels->kind != WS_LABELS_SOURCES) {
        names_write(json, kind->schema->fields[labels->field].name, labels, 0, labels->n_places);
        return;
    }
    ws_table_schema_sort(kind, labels);
    const struct ws_label_source *s = labels->sources, *end = s + labels->n_sources;
    while (s < end && s->column != WS_NO_COLUMN) {
        uint32_t column = s->column;
        json_object_open(json, kind->columns[column].name);
        for (; s < end && s->column == column; s++) {
            char id[16];
            snprintf(id, sizeof id, "%" PRIu32, s->desc->id);
            names_write(json, id, labels, s->first, s->n);
        }
        json_object_close(json);
    }
}

/* Begins the file of names. Its path is that of the array, with the extension .labels.json. Returns
 * NULL after an error message. */
static struct ws_out *out_begin(struct ws_export *x, const struct ws_table_schema *kind)
{
    static const char extension[] = ".labels.json";
    size_t n = x->file == NULL ? 0 : strlen(x->file);
    n -= n > 4 && strcmp(x->file + n - 4, x->format->extension) == 0 ? 4 : 0;
    char *path = x->file == NULL ? ws_export_path(x, kind->name, extension)
                                 : text_new("%.*s%s", (int)n, x->file, extension);
    struct ws_out *out = path == NULL ? NULL : ws_out_begin(&x->outs, path);
    if (path == NULL) {
        ws_no_memory(&x->outs.failed);
    }
    free(path);
    return out;
}

/* Writes the file of names, unless no field has names. Returns false after an error message. */
static bool names_file_write(struct ws_export *x, const struct ws_table_schema *kind)
{
    struct ws_label_set set;
    bool good =
        ws_label_set_init(&set, kind->schema, &x->stream->descs) || ws_no_memory(&x->outs.failed);
    if (good && set.n > 0) {
        struct ws_out *out = out_begin(x, kind);
        struct json_writer json = {.out = out == NULL ? NULL : ws_out_stream(out), .compact = true};
        good = json.out != NULL;
        if (good) {
            json_object_open(&json, NULL);
            for (uint32_t i = 0; i < set.n; i++) {
                labels_write(&json, kind, &set.list[i]);
            }
            json_object_close(&json);
        }
        good = ws_out_stream_end(out, json.out) && good;
    }
    ws_label_set_free(&set);
    return good;
}

/* ---- Header of a file ------------------------------------------------------------------------ */

static void column_describe(FILE *text, const struct ws_column *column, uint32_t size)
{
    static const char *const types[] = {"",    "|u1", "<u2", "<u4", "<u8", "|i1",
                                        "<i2", "<i4", "<i8", "<f4", "<f8"};
    if (column->type == FMT_CHAR || column->type == WS_TYPE_BYTES) {
        fprintf(text, "('%s', '|%c%" PRIu32 "'), ", column->name,
                column->type == FMT_CHAR ? 'S' : 'V', size);
    } else {
        assert(column->type < sizeof types / sizeof types[0]);
        fprintf(text, "('%s', '%s'), ", column->name, types[column->type]);
    }
}

/* Writes the last part of the header, which contains the number of records n, to `to`, which has 32
 * bytes. Pads the text with blanks to at least SHAPE_WIDTH characters, so that a larger n fits into
 * the same space later. */
static void shape_format(char *to, uint64_t n)
{
    snprintf(to, 32, "(%" PRIu64 ",), }                        ", n);
}
#define SHAPE_WIDTH 26 /* width of "(18446744073709551615,), }" in characters */

static bool header_write(struct ws_export *x, struct sink *k, const struct ws_table_schema *kind)
{
    assert(k->sizes != NULL);
    char shape[32], *text = NULL;
    size_t n = 0;
    FILE *words = open_memstream(&text, &n);
    if (words != NULL) {
        fputs("{'descr': [", words);
        for (uint32_t c = 0; c < kind->n_columns; c++) {
            column_describe(words, &kind->columns[c], k->sizes[c]);
        }
        fputs("], 'fortran_order': False, 'shape': ", words);
    }
    if (words == NULL || fclose(words) != 0) {
        free(text);
        return ws_no_memory(&x->outs.failed);
    }
    shape_format(shape, 0);
    /* Blanks and a line feed align the first record to a multiple of 64 bytes. */
    bool large = n + 128 > UINT16_MAX;
    size_t before = large ? 12 : 10;
    size_t end = (before + n + SHAPE_WIDTH + 1 + 63) / 64 * 64, length = end - before;
    uint8_t head[12] = {0x93, 'N', 'U', 'M', 'P', 'Y', large ? 2 : 1, 0};
    for (size_t i = 8; i < before; i++) {
        head[i] = (uint8_t)(length >> 8 * (i - 8));
    }
    k->shape_at = before + n;
    bool good = ws_out_write(k->out, head, before) && ws_out_write(k->out, text, n) &&
                ws_out_write(k->out, shape, SHAPE_WIDTH);
    while (good && ws_out_position(k->out) < end - 1) {
        good = ws_out_write(k->out, " ", 1);
    }
    free(text);
    return good && ws_out_write(k->out, "\n", 1);
}

/* ---- Sizes of payloads ----------------------------------------------------------------------- */

/* Raises the maximum at ctx to the size of the longest payload in a block, in bytes. */
static bool part_measure(const struct ws_part *part, void *ctx)
{
    uint64_t *max = ctx;
    int32_t field = part->columns->schema->role_field[FMT_ROLE_PAYLOAD_SIZE];
    for (uint32_t row = 0; row < part->columns->n_records; row++) {
        uint64_t size = ws_whole_at(part->columns, field, row);
        *max = size > *max ? size : *max;
    }
    return true;
}

/* Returns the size in bytes of the longest payload that is shown as bytes, not in columns. */
static uint64_t payload_measure(struct ws_export *x, const struct ws_table_schema *kind)
{
    const struct fmt_desc_set *descs = &x->stream->descs;
    uint64_t max = 0;
    for (size_t d = 0; d < descs->n; d++) {
        if (kind->table.plans[d].elements == NULL && descs->descs[d].size > max) {
            max = descs->descs[d].size;
        }
    }
    if (descs->n == 0) {
        struct fmt_wanted wanted = {0};
        ws_want(&wanted, kind->schema->role_field[FMT_ROLE_PAYLOAD_SIZE]);
        ws_scan_kind(x->stream, kind->schema, &wanted, WS_ALL_PES, part_measure, &max);
    }
    return max;
}

static bool sizes_make(struct ws_export *x, struct sink *k, const struct ws_table_schema *kind)
{
    uint64_t item = 0;
    k->sizes = calloc(kind->n_columns, sizeof *k->sizes);
    if (k->sizes == NULL) {
        return ws_no_memory(&x->outs.failed);
    }
    for (uint32_t c = 0; c < kind->n_columns; c++) {
        bool bytes = kind->columns[c].type == WS_TYPE_BYTES;
        uint64_t size = bytes ? payload_measure(x, kind) : kind->columns[c].size;
        k->sizes[c] = (uint32_t)size;
        item += size;
    }
    if (item > ITEM_MAX) {
        return ws_out_failed(k->out, "a record would have more than 2 GiB, which numpy cannot have",
                             0);
    }
    k->item = (size_t)item;
    return true;
}

/* ---- Records --------------------------------------------------------------------------------- */

static bool kind_begin(struct ws_export *x, struct ws_table_schema *kind)
{
    struct sink *k = kind->sink;
    k->out = ws_export_out(x, kind->name);
    return k->out != NULL && sizes_make(x, k, kind) && header_write(x, k, kind);
}

static void missing_put(uint8_t *to, uint32_t type, uint32_t size)
{
    static const double f64_nan = NAN;
    static const float f32_nan = NAN;
    if (type == FMT_F64) {
        memcpy(to, &f64_nan, sizeof f64_nan);
    } else if (type == FMT_F32) {
        memcpy(to, &f32_nan, sizeof f32_nan);
    } else {
        memset(to, 0, size);
    }
}

/* Writes value i of the column `from` of the batch to `to`, which has `size` bytes, in a record of
 * the file. */
static void cell_put(uint8_t *to, const struct ws_column *column, uint32_t size,
                     const struct ws_record_batch_column *from, uint32_t i)
{
    if (from->present != NULL && !from->present[i]) {
        missing_put(to, column->type, size);
    } else if (column->type == FMT_CHAR || column->type == WS_TYPE_BYTES) {
        struct ws_bytes text = ws_record_batch_bytes(from, i);
        size_t n = text.size < size ? text.size : size;
        memcpy(to, text.bytes, n);
        memset(to + n, 0, size - n);
    } else {
        memcpy(to, from->values + (size_t)i * size, size);
    }
}

static bool kind_batch(struct ws_export *x, struct ws_table_schema *kind,
                       const struct ws_record_batch *batch)
{
    struct sink *k = kind->sink;
    (void)x;
    for (uint32_t i = 0; i < batch->n; i++) {
        uint8_t *to = ws_out_room(k->out, k->item);
        if (to == NULL) {
            return false;
        }
        for (uint32_t c = 0; c < kind->n_columns; c++) {
            cell_put(to, &kind->columns[c], k->sizes[c], &batch->columns[c], i);
            to += k->sizes[c];
        }
        ws_out_take(k->out, k->item);
    }
    k->n += batch->n;
    return true;
}

static bool kind_end(struct ws_export *x, struct ws_table_schema *kind)
{
    struct sink *k = kind->sink;
    char shape[32];
    shape_format(shape, k->n);
    return ws_out_patch(k->out, k->shape_at, shape, SHAPE_WIDTH) && ws_out_end(k->out) &&
           names_file_write(x, kind);
}

static void kind_fini(struct ws_table_schema *kind)
{
    free(((struct sink *)kind->sink)->sizes);
}

const struct ws_export_format ws_export_npy = {
    .name = "npy",
    .extension = ".npy",
    .per_kind = true,
    .sink_size = sizeof(struct sink),
    .kind_begin = kind_begin,
    .kind_batch = kind_batch,
    .kind_end = kind_end,
    .kind_fini = kind_fini,
};
