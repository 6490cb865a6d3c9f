/*
 * batch.h - records of a kind as typed columns in memory: some thousand at a time, so that the
 * memory for it stays small whatever a payload is like.
 */
#ifndef WARPSCOPE_READER_BATCH_H
#define WARPSCOPE_READER_BATCH_H

#include "kind.h"

/* A text, or bytes: borrowed from the decoded block. */
struct ws_bytes {
    const uint8_t *bytes;
    size_t size;
};

struct ws_batch_column {
    /* n of the column's type; of FMT_CHAR and BYTES n struct ws_bytes; of names n places among
     * them, uint32_t */
    uint8_t *values;
    uint8_t *present; /* n of 0 or 1; NULL: all are there. What is not there may hold anything */
};

/* Zero-initialise; free in any case. */
struct ws_batch {
    const struct ws_kind *kind;
    struct ws_batch_column *columns;
    uint32_t n, capacity;
    uint8_t *memory;
};

/* False: out of memory. At most 4 MiB, or one record. */
bool ws_batch_init(struct ws_batch *batch, const struct ws_kind *kind);
void ws_batch_fini(struct ws_batch *batch);

/* Takes records from number first of rows on, as many as fit: batch->n. */
void ws_batch_fill(struct ws_batch *batch, const struct ws_rows *rows, uint32_t first);

#endif
