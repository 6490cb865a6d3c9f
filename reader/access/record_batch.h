/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_batch.h - records of one kind as typed columns in memory. A batch has some thousand
 * records, so that its memory stays small for payloads of any size.
 */
#ifndef WARPSCOPE_READER_ACCESS_RECORD_BATCH_H
#define WARPSCOPE_READER_ACCESS_RECORD_BATCH_H

#include "access/table_schema.h"

/* A string, or bytes: borrowed from the decoded block. */
struct ws_bytes {
    const uint8_t *bytes;
    size_t size;
};

struct ws_record_batch_column {
    /* n values of the column's type. For FMT_CHAR and BYTES: n struct ws_bytes. For names: n
     * uint32_t indices into the list of names. Borrowed from the decoded block for fields of
     * records, if all records of the block were chosen. NULL: the column is not wanted. */
    const uint8_t *values;
    const uint8_t *present; /* n flags; NULL: every value is present. An absent value is
                             * unspecified, of names WS_NO_LABEL */
    uint8_t *memory, *flags;
};

/* A batch of records. Zero-initialise. Must be freed in any case. */
struct ws_record_batch {
    const struct ws_table_schema *kind;
    struct ws_record_batch_column *columns;
    uint32_t n, capacity;
    uint8_t *memory;
};

/* Allocates at most 4 MiB, or one record if that is more. wanted: by number of the column, the
 * columns to store; NULL: all. Returns false if out of memory. */
bool ws_record_batch_init(struct ws_record_batch *batch, const struct ws_table_schema *kind,
                          const bool *wanted);
void ws_record_batch_fini(struct ws_record_batch *batch);

/* Stores records of rows from number first on, until the batch is full. Sets batch->n. */
void ws_record_batch_fill(struct ws_record_batch *batch, const struct ws_rows *rows,
                          uint32_t first);

#endif
