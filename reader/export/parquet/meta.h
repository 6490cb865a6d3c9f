/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meta.h - writes Parquet's metadata with the functions of thrift.h: a header before each page, and
 * a description at the end of the file. The format defines the ids of the fields and the values of
 * the enums.
 */
#ifndef WARPSCOPE_READER_EXPORT_PARQUET_META_H
#define WARPSCOPE_READER_EXPORT_PARQUET_META_H

#include "export/export.h"
#include "export/parquet/thrift.h"

/* Types that values have in pages. */
enum ws_pq_type {
    WS_PQ_INT32 = 1,
    WS_PQ_INT64 = 2,
    WS_PQ_FLOAT = 4,
    WS_PQ_DOUBLE = 5,
    WS_PQ_BYTE_ARRAY = 6
};

enum ws_pq_codec { WS_PQ_UNCOMPRESSED = 0, WS_PQ_LZ4_RAW = 7 };

/* Returns the type that values of a column have in pages. type: type of the column, enum fmt_type
 * or WS_TYPE_BYTES. */
enum ws_pq_type ws_pq_type(uint32_t type);

/* A column of a row group in the file: the page of its dictionary, if it has one, then the page of
 * its values. */
struct ws_pq_chunk {
    const struct ws_column *column;
    enum ws_pq_codec codec;
    uint64_t offset;   /* offset in the file of the header of the page of values */
    uint32_t n_values; /* number of values, including nulls */
    uint32_t n_nulls;
    uint64_t page_size;   /* size of the uncompressed page in bytes, without its header */
    uint64_t stored_size; /* size of the page as written to the file, without its header */
    uint64_t header_size;
    /* Offset in the file of the header of the dictionary page; 0: no dictionary. */
    uint64_t dictionary_offset;
    /* Size in bytes of the dictionary page, which is never compressed, with its header. */
    uint64_t dictionary_size;
    uint8_t min[8], max[8]; /* minimum and maximum of the values, encoded like those in pages */
    size_t range_size;      /* size of each of min and max in bytes; 0: both are unknown */
};

/* Writes to t the header of a page of type DATA_PAGE: its values are encoded as PLAIN (names as
 * RLE_DICTIONARY), its levels as RLE. */
void ws_pq_page_header(struct ws_thrift *t, const struct ws_pq_chunk *chunk);
/* Writes to t the header of a page of type DICTIONARY_PAGE: n values, `size` bytes in all, encoded
 * as PLAIN. */
void ws_pq_dictionary_header(struct ws_thrift *t, uint32_t n, size_t size);

/* Begins the metadata of a row group. The caller then calls ws_pq_chunk() for each column, and
 * ws_pq_group_end(). */
void ws_pq_group_begin(struct ws_thrift *t, uint32_t n_columns);
void ws_pq_chunk(struct ws_thrift *t, const struct ws_pq_chunk *chunk);
/* Ends the metadata of a row group. page_sizes: total size of its columns in bytes before
 * compression. stored_sizes: their total size in the file. */
void ws_pq_group_end(struct ws_thrift *t, uint64_t n_rows, uint64_t page_sizes,
                     uint64_t stored_sizes);

/* Begins the metadata of the file: writes the part before those of the row groups. */
void ws_pq_file_begin(struct ws_thrift *t, const struct ws_table_schema *kind, uint64_t n_rows,
                      uint32_t n_groups);
/* Ends the metadata of the file: writes the part after those of the row groups. Returns false if
 * memory is exhausted. */
bool ws_pq_file_end(struct ws_thrift *t, const struct ws_table_schema *kind);

#endif
