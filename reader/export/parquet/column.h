/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * column.h - one column of a row group of a Parquet file in memory, and the page that is made from
 * it: levels that state which records have a value, then the values in the encoding PLAIN. A column
 * of names (labels.h) has a dictionary, and a page of indices into the dictionary in the encoding
 * RLE_DICTIONARY.
 */
#ifndef WARPSCOPE_READER_EXPORT_PARQUET_COLUMN_H
#define WARPSCOPE_READER_EXPORT_PARQUET_COLUMN_H

#include "access/record_batch.h"
#include "export/parquet/meta.h"

/*
 * A column. `memory` has space for the levels, then the values in the encoding PLAIN.
 */
struct ws_pq_column {
    const struct ws_column *column;
    uint8_t *memory;   /* owned */
    size_t size, room; /* number of bytes used by the values, and allocated for them */
    /* Number of bytes reserved for the levels, before the values; 0: every record has a value. */
    size_t levels_room;
    /* Owned; bit map, lowest bit first: bit i is 1 if record i has a value. NULL: all have one. */
    uint8_t *present;
    size_t gap; /* number of bytes between the levels and the indices into the dictionary */
    uint32_t value_size; /* size of a value in bytes; 0: variable, a length precedes each value */
    uint32_t n, n_nulls;
};

/* Prepares *q for a column. rows_max: maximum number of records in a row group. Returns false if
 * out of memory. Call ws_pq_column_fini() at the end, even after an error. */
bool ws_pq_column_init(struct ws_pq_column *q, const struct ws_column *column, uint32_t rows_max);
void ws_pq_column_fini(struct ws_pq_column *q);

/* Returns the maximum number of bytes that value i of a batch takes in a page. */
size_t ws_pq_column_need(const struct ws_pq_column *q, const struct ws_record_batch_column *from,
                         uint32_t i);
/* Adds the values first to end - 1 of a batch to the column. Returns false if out of memory. */
bool ws_pq_column_add(struct ws_pq_column *q, const struct ws_record_batch_column *from,
                      uint32_t first, uint32_t end);

/* Returns the page of all values that were added. Sets the members of *chunk, except those about
 * its place in the file and its compression. The page is valid until the next
 * ws_pq_column_add(). */
const uint8_t *ws_pq_column_page(struct ws_pq_column *q, struct ws_pq_chunk *chunk);
/* Removes all values, for the next row group. */
void ws_pq_column_clear(struct ws_pq_column *q);

/* Returns the dictionary page of a column of names, and sets *size to its size in bytes. The caller
 * frees the page. Returns NULL if memory is exhausted. */
uint8_t *ws_pq_dictionary(const struct ws_pq_column *q, size_t *size);

#endif
