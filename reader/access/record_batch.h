/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_batch.h - records of one kind as typed columns in memory. A batch has at most a few
 * thousand records, so that its memory stays small for payloads of any size.
 */
#ifndef WARPSCOPE_READER_ACCESS_RECORD_BATCH_H
#define WARPSCOPE_READER_ACCESS_RECORD_BATCH_H

#include "access/table_schema.h"

/* A string or bytes, borrowed from the decoded block. */
struct ws_bytes {
    const uint8_t *bytes;
    size_t size;
};

struct ws_record_batch_column {
    /* The values of the n records, in the column's type. For FMT_CHAR and WS_TYPE_BYTES, they are
     * struct ws_bytes; for a column of names, uint32_t indices into the list of names. The values
     * of a field of the record are borrowed from the decoded block if all records of the block were
     * chosen. NULL: the column is not wanted. */
    const uint8_t *values;
    /* [i]: 1 if value i is present, otherwise 0; NULL: all values are present. A value that is
     * absent is undefined; in a column of names, it is WS_NO_LABEL. */
    uint8_t *present;
    uint8_t *memory;
};

/* Returns value i of a column of strings or bytes. */
static inline struct ws_bytes ws_record_batch_bytes(const struct ws_record_batch_column *column,
                                                    uint32_t i)
{
    struct ws_bytes bytes;
    memcpy(&bytes, column->values + i * sizeof bytes, sizeof bytes);
    return bytes;
}

/* A batch of records. Zero-initialise it before use, and call ws_record_batch_fini() even after an
 * error. */
struct ws_record_batch {
    const struct ws_table_schema *kind;
    struct ws_record_batch_column *columns;
    uint32_t n, capacity;
    uint8_t *memory;
};

/* Allocates a batch of at most 4 MiB, or of a single record if one needs more memory. wanted[c]:
 * true if column c is to be stored; wanted NULL: all columns. Returns false if out of memory. */
bool ws_record_batch_init(struct ws_record_batch *batch, const struct ws_table_schema *kind,
                          const bool *wanted);
void ws_record_batch_fini(struct ws_record_batch *batch);

/* Stores in the batch the records of `rows` from index `first` on, until the batch is full. Sets
 * batch->n to the number of records stored. */
void ws_record_batch_fill(struct ws_record_batch *batch, const struct ws_rows *rows,
                          uint32_t first);

#endif
