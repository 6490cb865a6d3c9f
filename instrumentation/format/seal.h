/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seal.h - seals rows into a block in memory (internal to format/).
 *
 * A sealer owns all scratch memory for sealing, so that sealing itself allocates nothing.
 */
#ifndef WARPSCOPE_FORMAT_SEAL_H
#define WARPSCOPE_FORMAT_SEAL_H

#include "format/block.h"
#include "format/column/gather.h"

#define FMT_PIECES_WIDTH_MAX 4096u /* wider payloads are stored as bytes */

/* Data kept for one kind of records: hints from the rows of its previous block. */
struct fmt_kind_memory {
    const struct fmt_schema *schema; /* borrowed; schema of the records */
    /* Columns to gather, with their states: the fields, then the pieces of payloads. */
    struct fmt_gather *columns;
    struct fmt_column_state *states;
    bool *halves;           /* for each 8 bytes of a payload: true if it is two pieces of 4 bytes */
    uint32_t payload_width; /* size of the payloads for which the pieces were chosen */
    bool payload_whole;     /* true if payloads are stored as byte planes instead of pieces */
    uint32_t payload_left;  /* number of blocks until the pieces are chosen again */
    uint32_t payload_pause;
};

struct fmt_sealer {
    struct fmt_kind_memory *kind; /* kind of the selected rows */
    size_t row_bytes_max;         /* most bytes of a record */
    size_t block_bytes;           /* greatest number of bytes of rows in a block */
    /* Greatest number of bytes of rows in a block if more rows follow. */
    size_t block_usual;
    uint8_t *out; /* the sealed block */
    size_t out_size;
    uint8_t *column;      /* temporary: payloads of all rows; bodies of META and END */
    uint8_t *turned;      /* little-endian copy of the rows; NULL on little-endian machines */
    uint64_t *values;     /* values of all columns of the block */
    uint32_t *row_offset; /* offset of each row in the block; undefined if they have one size */
    uint32_t n_rows;
    bool one_size;    /* true if the selected rows have payloads of one size, or none */
    size_t row_bytes; /* size of the first row */
    size_t rows_size; /* size of all selected rows in bytes */
    bool is_plain;    /* true if only encodings of version 1.0 are used */
    struct fmt_column_memory *memory;
    struct fmt_kind_memory *kinds; /* memory for each kind of records */
    uint32_t n_kinds;
};

/* Allocates memory for blocks of records of these kinds (at least one) that fit into the extents of a
 * file. Returns NULL if memory is exhausted. */
struct fmt_sealer *fmt_sealer_create(const struct fmt_schema *const *schemas, uint32_t n_schemas,
                                     size_t row_bytes_max, const struct fmt_layout *layout);
void fmt_sealer_destroy(struct fmt_sealer *s);

/*
 * Selects the rows of schema at the start of rows[0..size) for the next block. Returns the size of
 * the selected rows in bytes; 0 if the first row is invalid, with the reason in *wrong.
 */
size_t fmt_sealer_choose(struct fmt_sealer *s, const struct fmt_schema *schema, const uint8_t *rows,
                         size_t size, const char **wrong);

/* Returns the offset of a selected row in bytes. */
static inline size_t fmt_sealer_row(const struct fmt_sealer *s, uint32_t i)
{
    return s->one_size ? i * s->row_bytes : s->row_offset[i];
}

/*
 * Seals the selected rows into s->out. header: the caller sets kind, pe, sequence, first_record,
 * file_id and gvt; this function sets the rest.
 */
void fmt_sealer_seal_rows(struct fmt_sealer *s, const uint8_t *rows,
                          struct fmt_block_header *header);

/* Like fmt_sealer_seal_rows() for size bytes in s->column that are not records (META, END). size <=
 * s->block_bytes. */
void fmt_sealer_seal_bytes(struct fmt_sealer *s, size_t size, struct fmt_block_header *header);

#endif
