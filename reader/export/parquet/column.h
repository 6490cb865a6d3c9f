/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * column.h - one column of a row group of a Parquet file in memory, and the page made from
 * it: levels that mark the present values, then these values in the encoding PLAIN. A column of
 * names (labels.h) has a dictionary, and a page of indices into it in the encoding RLE_DICTIONARY.
 */
#ifndef WARPSCOPE_READER_EXPORT_PARQUET_COLUMN_H
#define WARPSCOPE_READER_EXPORT_PARQUET_COLUMN_H

#include "access/record_batch.h"
#include "export/parquet/meta.h"

/*
 * memory: space for the levels | values, PLAIN
 */
struct ws_pq_column {
    const struct ws_column *column;
    uint8_t *memory;
    size_t size, room;   /* bytes of values, and bytes allocated for them */
    size_t levels_room;  /* bytes before the values; 0: every record has a value */
    uint8_t *present;    /* a bit per record, lowest first; NULL: every record has a value */
    size_t gap;          /* bytes between the levels and indices into a dictionary */
    uint32_t value_size; /* bytes of a value in memory; 0: preceded by its length */
    uint32_t n, n_nulls;
};

/* rows_max: limit of records of a row group. Returns false if out of memory. Must be freed in any
 * case. */
bool ws_pq_column_init(struct ws_pq_column *q, const struct ws_column *column, uint32_t rows_max);
void ws_pq_column_fini(struct ws_pq_column *q);

/* Returns the bytes that value i of a batch takes in a page. */
size_t ws_pq_column_need(const struct ws_pq_column *q, const struct ws_record_batch_column *from,
                         uint32_t i);
/* Adds values first to end - 1 of a batch. Returns false if out of memory. */
bool ws_pq_column_add(struct ws_pq_column *q, const struct ws_record_batch_column *from,
                      uint32_t first, uint32_t end);

/* Returns the page of all added values. Sets chunk, except for its place and compression. The page
 * is valid until the next ws_pq_column_add(), which begins a new row group. */
const uint8_t *ws_pq_column_page(struct ws_pq_column *q, struct ws_pq_chunk *chunk);
void ws_pq_column_clear(struct ws_pq_column *q);

/* Returns the dictionary page of a column of names. The caller frees it. NULL: out of memory. */
uint8_t *ws_pq_dictionary(const struct ws_pq_column *q, size_t *size);

#endif
