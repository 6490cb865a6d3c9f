/*
 * parquet_column.h - one column of a row group of a Parquet file in memory, and the page that is
 * made of it: levels that tell which values are there, then these in the encoding PLAIN. A column
 * of names (labels.h) has a dictionary, and a page of places in it in the encoding RLE_DICTIONARY.
 */
#ifndef WARPSCOPE_READER_PARQUET_COLUMN_H
#define WARPSCOPE_READER_PARQUET_COLUMN_H

#include "batch.h"
#include "parquet_meta.h"

/*
 *     memory: room for the levels | values, PLAIN
 */
struct ws_pq_column {
    const struct ws_column *column;
    uint8_t *memory;
    size_t size, room;   /* bytes of values, and that there is memory for */
    size_t levels_room;  /* bytes before the values; 0: every record has a value */
    uint8_t *present;    /* a bit per record, the lowest first; NULL: every record has a value */
    size_t gap;          /* bytes between the levels and places in a dictionary */
    uint32_t value_size; /* bytes of a value in memory; 0: with its length before it */
    uint32_t n, n_nulls;
};

/* rows_max: records of a row group at most. False: out of memory. Free in any case. */
bool ws_pq_column_init(struct ws_pq_column *q, const struct ws_column *column, uint32_t rows_max);
void ws_pq_column_fini(struct ws_pq_column *q);

/* Bytes that value i of a batch takes in a page. */
size_t ws_pq_column_need(const struct ws_pq_column *q, const struct ws_batch_column *from,
                         uint32_t i);
/* Adds values first to end - 1 of a batch. False: out of memory. */
bool ws_pq_column_add(struct ws_pq_column *q, const struct ws_batch_column *from, uint32_t first,
                      uint32_t end);

/* The page of all that was added, and what the chunk says of it but for its place and how it is
 * stored. Stays until the next ws_pq_column_add(), which begins a new row group. */
const uint8_t *ws_pq_column_page(struct ws_pq_column *q, struct ws_pq_chunk *chunk);
void ws_pq_column_clear(struct ws_pq_column *q);

/* The dictionary page of a column of names. Heap; NULL: out of memory. */
uint8_t *ws_pq_dictionary(const struct ws_pq_column *q, size_t *size);

#endif
