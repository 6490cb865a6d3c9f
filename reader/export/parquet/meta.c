/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meta.c - writes Parquet's metadata; see meta.h.
 */
#include "export/parquet/meta.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/text.h"
#include "ross.config.h"
#include "text/text_new.h"

enum { PLAIN = 0, RLE = 3, RLE_DICTIONARY = 8 };   /* encodings in the format */
enum { REQUIRED = 0, OPTIONAL = 1 };               /* repetition types in the format */
enum { UTF8 = 0, UINT_8 = 11, INT_8 = 15 };        /* converted types in the format */
enum { LOGICAL_STRING = 1, LOGICAL_INTEGER = 10 }; /* ids of the members of LogicalType */
enum { DATA_PAGE = 0, DICTIONARY_PAGE = 2 };

enum ws_pq_type ws_pq_type(uint32_t type)
{
    switch (type) {
    case FMT_U64:
    case FMT_I64:
        return WS_PQ_INT64;
    case FMT_F32:
        return WS_PQ_FLOAT;
    case FMT_F64:
        return WS_PQ_DOUBLE;
    case FMT_CHAR:
    case WS_TYPE_BYTES:
        return WS_PQ_BYTE_ARRAY;
    default:
        return WS_PQ_INT32;
    }
}

/* ---- Pages and row groups -------------------------------------------------------------------- */

void ws_pq_page_header(struct ws_thrift *t, const struct ws_pq_chunk *chunk)
{
    ws_thrift_i32(t, 1, DATA_PAGE);
    ws_thrift_i32(t, 2, (int32_t)chunk->page_size);
    ws_thrift_i32(t, 3, (int32_t)chunk->stored_size);
    ws_thrift_begin(t, 5);
    ws_thrift_i32(t, 1, (int32_t)chunk->n_values);
    ws_thrift_i32(t, 2, chunk->column->labels != NULL ? RLE_DICTIONARY : PLAIN);
    ws_thrift_i32(t, 3, RLE);
    ws_thrift_i32(t, 4, RLE);
    ws_thrift_end(t);
    ws_thrift_end(t);
}

void ws_pq_dictionary_header(struct ws_thrift *t, uint32_t n, size_t size)
{
    ws_thrift_i32(t, 1, DICTIONARY_PAGE);
    ws_thrift_i32(t, 2, (int32_t)size);
    ws_thrift_i32(t, 3, (int32_t)size);
    ws_thrift_begin(t, 7);
    ws_thrift_i32(t, 1, (int32_t)n);
    ws_thrift_i32(t, 2, PLAIN);
    ws_thrift_end(t);
    ws_thrift_end(t);
}

void ws_pq_group_begin(struct ws_thrift *t, uint32_t n_columns)
{
    ws_thrift_element_begin(t);
    ws_thrift_list(t, 1, WS_THRIFT_STRUCT, n_columns);
}

static void statistics(struct ws_thrift *t, const struct ws_pq_chunk *chunk)
{
    ws_thrift_begin(t, 12);
    ws_thrift_i64(t, 3, chunk->n_nulls);
    if (chunk->range_size > 0) {
        ws_thrift_binary(t, 5, chunk->max, chunk->range_size);
        ws_thrift_binary(t, 6, chunk->min, chunk->range_size);
    }
    ws_thrift_end(t);
}

void ws_pq_chunk(struct ws_thrift *t, const struct ws_pq_chunk *chunk)
{
    ws_thrift_element_begin(t);
    ws_thrift_i64(t, 2, 0); /* a field that is obsolete but required */
    ws_thrift_begin(t, 3);
    ws_thrift_i32(t, 1, (int32_t)ws_pq_type(chunk->column->type));
    bool dictionary = chunk->dictionary_size > 0;
    ws_thrift_list(t, 2, WS_THRIFT_I32, dictionary ? 3 : 2);
    ws_thrift_element_i32(t, PLAIN);
    ws_thrift_element_i32(t, RLE);
    if (dictionary) {
        ws_thrift_element_i32(t, RLE_DICTIONARY);
    }
    ws_thrift_list(t, 3, WS_THRIFT_BINARY, 1);
    ws_thrift_element_string(t, chunk->column->name);
    ws_thrift_i32(t, 4, (int32_t)chunk->codec);
    ws_thrift_i64(t, 5, chunk->n_values);
    uint64_t heads = chunk->header_size + chunk->dictionary_size;
    ws_thrift_i64(t, 6, (int64_t)(heads + chunk->page_size));
    ws_thrift_i64(t, 7, (int64_t)(heads + chunk->stored_size));
    ws_thrift_i64(t, 9, (int64_t)chunk->offset);
    if (dictionary) {
        ws_thrift_i64(t, 11, (int64_t)chunk->dictionary_offset);
    }
    statistics(t, chunk);
    ws_thrift_end(t);
    ws_thrift_end(t);
}

void ws_pq_group_end(struct ws_thrift *t, uint64_t n_rows, uint64_t page_sizes,
                     uint64_t stored_sizes)
{
    ws_thrift_i64(t, 2, (int64_t)page_sizes);
    ws_thrift_i64(t, 3, (int64_t)n_rows);
    ws_thrift_i64(t, 6, (int64_t)stored_sizes);
    ws_thrift_end(t);
}

/* ---- File metadata --------------------------------------------------------------------------- */

static void integer_type(struct ws_thrift *t, uint32_t type)
{
    bool is_signed = type >= FMT_I8;
    /* Base-2 logarithm of the width in bytes: 0 for 8 bits, 1 for 16 bits, ... */
    uint32_t power = type - (is_signed ? FMT_I8 : FMT_U8);
    ws_thrift_i32(t, 6, (int32_t)power + (is_signed ? INT_8 : UINT_8));
    ws_thrift_begin(t, 10);
    ws_thrift_begin(t, LOGICAL_INTEGER);
    ws_thrift_i8(t, 1, (int8_t)(8 << power));
    ws_thrift_bool(t, 2, is_signed);
    ws_thrift_end(t);
    ws_thrift_end(t);
}

static void schema_element(struct ws_thrift *t, const struct ws_column *column)
{
    ws_thrift_element_begin(t);
    ws_thrift_i32(t, 1, (int32_t)ws_pq_type(column->type));
    ws_thrift_i32(t, 3, column->field < 0 ? OPTIONAL : REQUIRED);
    ws_thrift_string(t, 4, column->name);
    if (column->type <= FMT_I64) {
        integer_type(t, column->type);
    } else if (column->type == FMT_CHAR) {
        ws_thrift_i32(t, 6, UTF8);
        ws_thrift_begin(t, 10);
        ws_thrift_begin(t, LOGICAL_STRING);
        ws_thrift_end(t);
        ws_thrift_end(t);
    }
    ws_thrift_end(t);
}

void ws_pq_file_begin(struct ws_thrift *t, const struct ws_table_schema *kind, uint64_t n_rows,
                      uint32_t n_groups)
{
    ws_thrift_i32(t, 1, 1);
    ws_thrift_list(t, 2, WS_THRIFT_STRUCT, kind->n_columns + 1);
    ws_thrift_element_begin(t);
    ws_thrift_string(t, 4, kind->name);
    ws_thrift_i32(t, 5, (int32_t)kind->n_columns);
    ws_thrift_end(t);
    for (uint32_t c = 0; c < kind->n_columns; c++) {
        schema_element(t, &kind->columns[c]);
    }
    ws_thrift_i64(t, 3, (int64_t)n_rows);
    ws_thrift_list(t, 4, WS_THRIFT_STRUCT, n_groups);
}

/* Writes a pair of a key and a value to the metadata. The key is the text "first.second". Replaces
 * invalid UTF-8 in the value. Returns false if out of memory. */
static bool pair(struct ws_thrift *t, const char *first, const char *second, const char *value)
{
    size_t length = strlen(value);
    char *key = text_new("%s.%s", first, second), *text = malloc(utf8_repair_max(length));
    bool good = key != NULL && text != NULL;
    if (good) {
        ws_thrift_element_begin(t);
        ws_thrift_string(t, 1, key);
        char *end = utf8_repair(text, value, length);
        ws_thrift_binary(t, 2, text, (size_t)(end - text));
        ws_thrift_end(t);
    }
    free(key);
    free(text);
    return good;
}

bool ws_pq_file_end(struct ws_thrift *t, const struct ws_table_schema *kind)
{
    const struct fmt_superblock *sb = &kind->view;
    uint32_t n_pairs = sb->n_run;
    bool good = true;
    for (uint32_t c = 0; c < kind->n_columns; c++) {
        n_pairs += kind->columns[c].unit[0] != '\0' ? 1 : 0;
        n_pairs += kind->columns[c].text[0] != '\0' ? 1 : 0;
    }
    ws_thrift_list(t, 5, WS_THRIFT_STRUCT, n_pairs);
    for (uint32_t i = 0; good && i < sb->n_run; i++) {
        good = pair(t, "run", sb->run[i].key, sb->run[i].value);
    }
    for (uint32_t c = 0; good && c < kind->n_columns; c++) {
        const struct ws_column *column = &kind->columns[c];
        good = (column->unit[0] == '\0' || pair(t, "unit", column->name, column->unit)) &&
               (column->text[0] == '\0' || pair(t, "text", column->name, column->text));
    }
    ws_thrift_string(t, 6, "warpscope version " WARPSCOPE_VERSION);
    ws_thrift_list(t, 7, WS_THRIFT_STRUCT, kind->n_columns);
    for (uint32_t c = 0; c < kind->n_columns; c++) {
        ws_thrift_element_begin(t);
        /* The values have the order of their type, the only order that the format defines. */
        ws_thrift_begin(t, 1);
        ws_thrift_end(t);
        ws_thrift_end(t);
    }
    ws_thrift_end(t);
    return good;
}
