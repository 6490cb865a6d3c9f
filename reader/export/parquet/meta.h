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

/* Returns the type in pages for a column type (enum fmt_type, WS_TYPE_BYTES). */
enum ws_pq_type ws_pq_type(uint32_t type);

/* A written column of a row group: one page, after the page of its dictionary if it has one. */
struct ws_pq_chunk {
    const struct ws_column *column;
    enum ws_pq_codec codec;
    uint64_t offset;   /* position of the page's header in the file */
    uint32_t n_values; /* number of values, including nulls */
    uint32_t n_nulls;
    uint64_t page_size; /* size of the decoded page in bytes, without its header */
    uint64_t stored_size;
    uint64_t header_size;
    /* Position of the header of the dictionary page in the file; 0: none. */
    uint64_t dictionary_offset;
    /* Size of the dictionary page in bytes, with its header; never compressed. */
    uint64_t dictionary_size;
    uint8_t min[8], max[8]; /* minimum and maximum, encoded like values in pages */
    size_t range_size;      /* size of min and max in bytes; 0: unknown */
};

/* Writes the header of a page of type DATA_PAGE: its values are encoded as PLAIN (names as
 * RLE_DICTIONARY), its levels as RLE. */
void ws_pq_page_header(struct ws_thrift *t, const struct ws_pq_chunk *chunk);
/* Writes the header of a page of type DICTIONARY_PAGE with n values of `size` bytes in all, encoded
 * as PLAIN. */
void ws_pq_dictionary_header(struct ws_thrift *t, uint32_t n, size_t size);

/* Begins a row group. The caller then writes its chunks and ends it. */
void ws_pq_group_begin(struct ws_thrift *t, uint32_t n_columns);
void ws_pq_chunk(struct ws_thrift *t, const struct ws_pq_chunk *chunk);
void ws_pq_group_end(struct ws_thrift *t, uint64_t n_rows, uint64_t page_sizes,
                     uint64_t stored_sizes);

/* Begins the metadata of the file: the part before the row groups. */
void ws_pq_file_begin(struct ws_thrift *t, const struct ws_table_schema *kind, uint64_t n_rows,
                      uint32_t n_groups);
/* Writes the part of the metadata after the row groups. Returns false if memory is exhausted. */
bool ws_pq_file_end(struct ws_thrift *t, const struct ws_table_schema *kind);

#endif
