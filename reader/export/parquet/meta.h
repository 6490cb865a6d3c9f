/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meta.h - Parquet's metadata before each page and at the end of the file, as structures of
 * thrift.h. The format defines the numbers of fields and the values of enums.
 */
#ifndef WARPSCOPE_READER_EXPORT_PARQUET_META_H
#define WARPSCOPE_READER_EXPORT_PARQUET_META_H

#include "export/export.h"
#include "export/parquet/thrift.h"

/* Types of values in pages. */
enum ws_pq_type {
    WS_PQ_INT32 = 1,
    WS_PQ_INT64 = 2,
    WS_PQ_FLOAT = 4,
    WS_PQ_DOUBLE = 5,
    WS_PQ_BYTE_ARRAY = 6
};

enum ws_pq_codec { WS_PQ_UNCOMPRESSED = 0, WS_PQ_LZ4_RAW = 7 };

/* Returns the page type of a column. */
enum ws_pq_type ws_pq_type(uint32_t type);

/* A written column of a row group: one page, after the page of its dictionary if it has one. */
struct ws_pq_chunk {
    const struct ws_column *column;
    enum ws_pq_codec codec;
    uint64_t offset;   /* position of the page's header in the file */
    uint32_t n_values; /* including nulls */
    uint32_t n_nulls;
    uint64_t page_size; /* decoded, without the header */
    uint64_t stored_size;
    uint64_t header_size;
    uint64_t dictionary_offset; /* position of the header of the dictionary page; 0: none */
    uint64_t dictionary_size;   /* including its header; never compressed */
    uint8_t min[8], max[8];     /* encoded like values in pages */
    size_t range_size;          /* bytes of min and max; 0: unknown */
};

/* Writes the header of a page of type DATA_PAGE: values PLAIN (of names RLE_DICTIONARY), levels
 * RLE. */
void ws_pq_page_header(struct ws_thrift *t, const struct ws_pq_chunk *chunk);
/* Writes the header of a page of type DICTIONARY_PAGE with n values, PLAIN, in size bytes. */
void ws_pq_dictionary_header(struct ws_thrift *t, uint32_t n, size_t size);

/* Begins a row group. Its chunks follow, then its end. */
void ws_pq_group_begin(struct ws_thrift *t, uint32_t n_columns);
void ws_pq_chunk(struct ws_thrift *t, const struct ws_pq_chunk *chunk);
void ws_pq_group_end(struct ws_thrift *t, uint64_t n_rows, uint64_t page_sizes,
                     uint64_t stored_sizes);

/* Write the file's metadata before the row groups, and after them. */
void ws_pq_file_begin(struct ws_thrift *t, const struct ws_table_schema *kind, uint64_t n_rows,
                      uint32_t n_groups);
/* Returns false if out of memory. */
bool ws_pq_file_end(struct ws_thrift *t, const struct ws_table_schema *kind);

#endif
