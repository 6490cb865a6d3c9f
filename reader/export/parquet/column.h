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
 * A column. Its memory holds space for the levels, then the values in the encoding PLAIN.
 */
struct ws_pq_column {
    const struct ws_column *column;
    uint8_t *memory;
    size_t size, room; /* bytes used by values, and bytes allocated for them */
    /* Bytes reserved for levels before the values; 0: every record has a value. */
    size_t levels_room;
    /* One bit per record, lowest bit first: set if it has a value; NULL: all have. */
    uint8_t *present;
    size_t gap;          /* bytes between the levels and the indices into a dictionary */
    uint32_t value_size; /* size of a value in bytes; 0: values are preceded by their lengths */
    uint32_t n, n_nulls;
};

/* Prepares a column. rows_max: most records of a row group. Returns false if out of memory. Must be
 * freed in any case. */
bool ws_pq_column_init(struct ws_pq_column *q, const struct ws_column *column, uint32_t rows_max);
void ws_pq_column_fini(struct ws_pq_column *q);

/* Returns the number of bytes that value i of a batch takes in a page. */
size_t ws_pq_column_need(const struct ws_pq_column *q, const struct ws_record_batch_column *from,
                         uint32_t i);
/* Adds the values of a batch from number first to end - 1. Returns false if out of memory. */
bool ws_pq_column_add(struct ws_pq_column *q, const struct ws_record_batch_column *from,
                      uint32_t first, uint32_t end);

/* Returns the page of all added values. Sets all members of *chunk except those for its place and
 * its compression. The page is valid until the next ws_pq_column_add(), which begins a new row
 * group. */
const uint8_t *ws_pq_column_page(struct ws_pq_column *q, struct ws_pq_chunk *chunk);
void ws_pq_column_clear(struct ws_pq_column *q);

/* Returns the dictionary page of a column of names. The caller frees it. Returns NULL if memory is
 * exhausted. */
uint8_t *ws_pq_dictionary(const struct ws_pq_column *q, size_t *size);

#endif
