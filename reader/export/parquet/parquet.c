/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parquet.c - writes records as Parquet files, one file per kind of record. Each column of a row
 * group is one data page of version 1 in the encoding PLAIN. The page is an LZ4 block (codec
 * LZ4_RAW) if this makes it smaller, otherwise it is uncompressed. Columns of names (labels.h) have
 * a dictionary.
 *
 *     "PAR1" | row group: page of column 0, page of column 1, ... | row group | ... |
 *     metadata | their size, 4 bytes | "PAR1"
 *
 * Memory: the current row groups, at most MEMORY_MAX bytes for all kinds of a stream together, and
 * twice the size of the longest payload. When the metadata of row groups reach GROUPS_MAX bytes,
 * they go to a scratch file.
 */
#include <assert.h>
#include <lz4.h>
#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "export/parquet/column.h"
#include "format/bytes.h"

#define MEMORY_MAX ((size_t)24 << 20)
#define ROWS_MAX   122880u /* maximum number of rows in a row group: DuckDB's unit of work */
#define GROUPS_MAX ((size_t)256 << 10)

/* The output file of one kind of records. */
struct sink {
    struct ws_out *out;
    struct ws_pq_column *columns;
    uint32_t n_columns;
    uint32_t rows, rows_max; /* number of rows in the current row group, and the maximum */
    size_t bytes, bytes_max; /* size of the strings and bytes in these rows, and the maximum */
    uint64_t n_rows;         /* number of rows in earlier row groups */
    uint32_t n_groups;
    struct ws_thrift groups; /* metadata of the latest row groups */
    struct ws_out *earlier;  /* scratch file with the metadata of earlier row groups; NULL: none */
    uint8_t *packed;
    size_t packed_size;
};

/* ---- Row groups ------------------------------------------------------------------------------ */

/* Returns the page in the form in which it is written to the file: compressed if `compress` is true
 * and the result is smaller. Sets the codec and stored_size of *chunk. Returns NULL after an error
 * message. */
static const uint8_t *page_pack(struct ws_export *x, struct sink *k, const uint8_t *page,
                                struct ws_pq_chunk *chunk, bool compress)
{
    assert(chunk->page_size <= INT32_MAX);
    chunk->codec = WS_PQ_UNCOMPRESSED;
    chunk->stored_size = chunk->page_size;
    if (!compress || chunk->page_size > LZ4_MAX_INPUT_SIZE) {
        return page;
    }
    size_t need = (size_t)LZ4_compressBound((int)chunk->page_size);
    if (need > k->packed_size) {
        free(k->packed);
        k->packed = malloc(need);
        k->packed_size = k->packed == NULL ? 0 : need;
    }
    if (k->packed == NULL) {
        ws_no_memory(&x->outs.failed);
        return NULL;
    }
    int size = LZ4_compress_default((const char *)page, (char *)k->packed, (int)chunk->page_size,
                                    (int)k->packed_size);
    if (size <= 0 || (uint64_t)size >= chunk->page_size) {
        return page;
    }
    chunk->codec = WS_PQ_LZ4_RAW;
    chunk->stored_size = (uint64_t)size;
    return k->packed;
}

/* Writes a page with its header, and frees the header. Returns false after an error message. */
static bool page_write(struct ws_export *x, struct sink *k, struct ws_thrift *header,
                       const uint8_t *page, size_t size)
{
    bool good = header->failed ? ws_no_memory(&x->outs.failed)
                               : ws_out_write(k->out, header->bytes, header->size) &&
                                     ws_out_write(k->out, page, size);
    free(header->bytes);
    return good;
}

/* Writes the dictionary page of a column of names to the file, and stores its offset and size in
 * *chunk. The caller then writes the page of indices. Returns false after an error message. */
static bool dictionary_write(struct ws_export *x, struct sink *k, const struct ws_pq_column *q,
                             struct ws_pq_chunk *chunk)
{
    struct ws_thrift header = {0};
    size_t size;
    uint8_t *page = ws_pq_dictionary(q, &size);
    if (page == NULL) {
        return ws_no_memory(&x->outs.failed);
    }
    ws_pq_dictionary_header(&header, q->column->labels->known.n, size);
    chunk->dictionary_offset = ws_out_position(k->out);
    chunk->dictionary_size = header.size + size;
    bool good = page_write(x, k, &header, page, size);
    free(page);
    return good;
}

static bool chunk_write(struct ws_export *x, struct sink *k, struct ws_pq_column *q,
                        struct ws_pq_chunk *chunk)
{
    struct ws_thrift header = {0};
    const uint8_t *page = ws_pq_column_page(q, chunk);
    if (chunk->page_size > INT32_MAX) {
        return ws_out_failed(k->out, "a column has more than 2 GiB in one row group", 0);
    }
    bool names = q->column->labels != NULL;
    if (names && !dictionary_write(x, k, q, chunk)) {
        return false;
    }
    page = page_pack(x, k, page, chunk, x->compress && !names);
    if (page == NULL) {
        return false;
    }
    ws_pq_page_header(&header, chunk);
    chunk->offset = ws_out_position(k->out);
    chunk->header_size = header.size;
    bool good = page_write(x, k, &header, page, chunk->stored_size);
    ws_pq_chunk(&k->groups, chunk);
    ws_pq_column_clear(q);
    return good;
}

/* Moves the metadata of row groups to the scratch file, if they take too much memory. Returns false
 * after an error message. */
static bool groups_spill(struct ws_export *x, struct sink *k)
{
    if (k->groups.failed) {
        return ws_no_memory(&x->outs.failed);
    }
    if (k->groups.size < GROUPS_MAX) {
        return true;
    }
    if (k->earlier == NULL) {
        k->earlier = ws_out_begin_scratch(&x->outs, k->out->path);
    }
    if (k->earlier == NULL || !ws_out_write(k->earlier, k->groups.bytes, k->groups.size)) {
        return false;
    }
    k->groups.size = 0;
    return true;
}

static bool group_write(struct ws_export *x, struct sink *k)
{
    uint64_t page_sizes = 0, stored_sizes = 0;
    if (k->rows == 0) {
        return true;
    }
    ws_pq_group_begin(&k->groups, k->n_columns);
    for (uint32_t c = 0; c < k->n_columns; c++) {
        struct ws_pq_chunk chunk;
        if (!chunk_write(x, k, &k->columns[c], &chunk)) {
            return false;
        }
        page_sizes += chunk.header_size + chunk.dictionary_size + chunk.page_size;
        stored_sizes += chunk.header_size + chunk.dictionary_size + chunk.stored_size;
    }
    ws_pq_group_end(&k->groups, k->rows, page_sizes, stored_sizes);
    k->n_groups++;
    k->n_rows += k->rows;
    k->rows = 0;
    k->bytes = 0;
    return groups_spill(x, k);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Finds the records of the batch, from index `first` on, that fit into the current row group.
 * Returns the index after the last of them. At least one record fits into an empty row group. */
static uint32_t slice_end(struct sink *k, const struct ws_record_batch *batch, uint32_t first)
{
    assert(k->rows < k->rows_max);
    uint32_t end = first;
    while (end < batch->n && k->rows + (end - first) < k->rows_max) {
        size_t need = 0;
        for (uint32_t c = 0; c < k->n_columns; c++) {
            if (k->columns[c].value_size == 0) {
                need += ws_pq_column_need(&k->columns[c], &batch->columns[c], end);
            }
        }
        if (k->bytes + need > k->bytes_max && k->rows + (end - first) > 0) {
            break;
        }
        k->bytes += need;
        end++;
    }
    return end;
}

static bool kind_batch(struct ws_export *x, struct ws_table_schema *kind,
                       const struct ws_record_batch *batch)
{
    struct sink *k = kind->sink;
    for (uint32_t first = 0; first < batch->n;) {
        uint32_t end = slice_end(k, batch, first);
        for (uint32_t c = 0; c < k->n_columns; c++) {
            if (!ws_pq_column_add(&k->columns[c], &batch->columns[c], first, end)) {
                return ws_no_memory(&x->outs.failed);
            }
        }
        k->rows += end - first;
        first = end;
        if ((first < batch->n || k->rows == k->rows_max) && !group_write(x, k)) {
            return false;
        }
    }
    return true;
}

/* ---- Beginning and end ----------------------------------------------------------------------- */

/* Creates the columns of a kind. Limits the rows of a row group so that columns with values of
 * fixed size take three quarters of `memory` bytes, and strings and bytes the rest. Returns false
 * if out of memory. */
static bool columns_make(struct sink *k, const struct ws_table_schema *kind, size_t memory)
{
    assert(k->columns == NULL && k->n_columns == 0);
    size_t row = 0;
    for (uint32_t c = 0; c < kind->n_columns; c++) {
        row += kind->columns[c].size <= 4 ? 5 : 9;
    }
    size_t fit = memory / 4 * 3 / row;
    k->rows_max = fit > ROWS_MAX ? ROWS_MAX : fit == 0 ? 1 : (uint32_t)fit;
    k->bytes_max = memory / 8; /* since columns can allocate twice the size of their values */
    k->columns = calloc(kind->n_columns, sizeof *k->columns);
    if (k->columns == NULL) {
        return false;
    }
    for (; k->n_columns < kind->n_columns; k->n_columns++) {
        if (!ws_pq_column_init(&k->columns[k->n_columns], &kind->columns[k->n_columns],
                               k->rows_max)) {
            k->n_columns++; /* so that the caller frees this column, too */
            return false;
        }
    }
    return true;
}

static bool kind_begin(struct ws_export *x, struct ws_table_schema *kind)
{
    struct sink *k = kind->sink;
    if (!columns_make(k, kind, MEMORY_MAX / x->n_kinds)) {
        return ws_no_memory(&x->outs.failed);
    }
    k->out = ws_export_out(x, kind->name);
    return k->out != NULL && ws_out_write(k->out, "PAR1", 4);
}

static bool kind_end(struct ws_export *x, struct ws_table_schema *kind)
{
    struct sink *k = kind->sink;
    struct ws_thrift t = {0};
    if (!group_write(x, k)) {
        return false;
    }
    uint64_t begin = ws_out_position(k->out);
    ws_pq_file_begin(&t, kind, k->n_rows, k->n_groups);
    bool good = ws_out_write(k->out, t.bytes, t.size) &&
                (k->earlier == NULL || ws_out_append(k->out, k->earlier)) &&
                ws_out_write(k->out, k->groups.bytes, k->groups.size);
    t.size = 0;
    good = good && (ws_pq_file_end(&t, kind) || ws_no_memory(&x->outs.failed)) &&
           (!t.failed || ws_no_memory(&x->outs.failed)) && ws_out_write(k->out, t.bytes, t.size);
    uint64_t size = ws_out_position(k->out) - begin;
    uint8_t tail[] = "....PAR1";
    fmt_put_u32(tail, (uint32_t)size);
    free(t.bytes);
    return good && ws_out_write(k->out, tail, 8) && ws_out_end(k->out);
}

static void kind_fini(struct ws_table_schema *kind)
{
    struct sink *k = kind->sink;
    for (uint32_t c = 0; c < k->n_columns; c++) {
        ws_pq_column_fini(&k->columns[c]);
    }
    free(k->columns);
    free(k->groups.bytes);
    free(k->packed);
}

const struct ws_export_format ws_export_parquet = {
    .name = "parquet",
    .extension = ".parquet",
    .per_kind = true,
    .sink_size = sizeof(struct sink),
    .with_labels = true,
    .kind_begin = kind_begin,
    .kind_batch = kind_batch,
    .kind_end = kind_end,
    .kind_fini = kind_fini,
};
