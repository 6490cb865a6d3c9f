/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seal.h - seals rows into a block in memory (internal to format/).
 *
 * A sealer owns all memory that sealing needs, so that sealing itself allocates nothing.
 */
#ifndef WARPSCOPE_FORMAT_SEAL_H
#define WARPSCOPE_FORMAT_SEAL_H

#include "format/block.h"
#include "format/column/gather.h"

#define FMT_PIECES_WIDTH_MAX 4096u /* payloads of more bytes are not divided into pieces */

/* Data that a sealer keeps for one kind of records, among them hints from the previous block. */
struct fmt_kind_memory {
    const struct fmt_schema *schema; /* borrowed; schema of the records */
    /* Columns to gather from the rows, each with its state: first the fields, then the pieces of
     * the payload. See seal.c for pieces. */
    struct fmt_gather *columns;
    struct fmt_column_state *states;
    /* [i]: true if bytes 8 i to 8 i + 7 of a payload are two pieces of 4 bytes instead of one of
     * 8. */
    bool *halves;
    /* Size in bytes of the payloads for which the pieces were chosen. */
    uint32_t payload_width;
    /* True if payloads are stored as byte planes, not as pieces. */
    bool payload_whole;
    uint32_t payload_left; /* number of blocks until the pieces are chosen anew */
    uint32_t payload_pause;
};

struct fmt_sealer {
    struct fmt_kind_memory *kind; /* element of `kinds` for the selected rows */
    size_t row_bytes_max;         /* maximum size in bytes of a record */
    size_t block_bytes;           /* maximum size in bytes of the rows in a block */
    /* Maximum size in bytes of the rows in a block if further rows follow the block. */
    size_t block_usual;
    uint8_t *out; /* the sealed block */
    size_t out_size;
    /* Temporary; the payloads of all rows, or the body of a META, CHANGE or END block. */
    uint8_t *column;
    uint8_t *turned;  /* little-endian copy of the rows; NULL on little-endian machines */
    uint64_t *values; /* values of all columns of the block */
    /* [i]: offset of row i in bytes; not set if one_size is true. */
    uint32_t *row_offset;
    uint32_t n_rows;
    /* True if all selected rows have payloads of the same size, or all have no payload. */
    bool one_size;
    size_t row_bytes; /* size in bytes of the first row, with its payload */
    size_t rows_size; /* size in bytes of all selected rows */
    bool is_plain;    /* true if the file may use only encodings of version 1.0 */
    struct fmt_column_memory *memory;
    struct fmt_kind_memory *kinds; /* [n_kinds]: data about each kind of records */
    uint32_t n_kinds;
};

/* Allocates a sealer for records of the given schemas (at least one), in blocks that fit into the
 * extents of layout. row_bytes_max: maximum size in bytes of a record. Returns NULL if memory is
 * exhausted. */
struct fmt_sealer *fmt_sealer_create(const struct fmt_schema *const *schemas, uint32_t n_schemas,
                                     size_t row_bytes_max, const struct fmt_layout *layout);
void fmt_sealer_destroy(struct fmt_sealer *s);

/*
 * Selects rows for the next block, from the start of `rows` (size bytes of rows with this schema).
 * Stops before an invalid row, and sets *wrong to the reason; otherwise sets *wrong to NULL.
 * Returns the size in bytes of the selected rows; 0 if the first row is invalid.
 */
size_t fmt_sealer_choose(struct fmt_sealer *s, const struct fmt_schema *schema, const uint8_t *rows,
                         size_t size, const char **wrong);

/* Returns the offset in bytes of the selected row at index i. */
static inline size_t fmt_sealer_row(const struct fmt_sealer *s, uint32_t i)
{
    return s->one_size ? i * s->row_bytes : s->row_offset[i];
}

/*
 * Seals the selected rows into s->out. The caller sets the members kind, pe, sequence,
 * first_record, file_id and gvt of header; this function sets the other members.
 */
void fmt_sealer_seal_rows(struct fmt_sealer *s, const uint8_t *rows,
                          struct fmt_block_header *header);

/* Seals the body of a META, CHANGE or END block into s->out. The body is the first `size` bytes of
 * s->column, at most s->block_bytes. header: as for fmt_sealer_seal_rows(). */
void fmt_sealer_seal_bytes(struct fmt_sealer *s, size_t size, struct fmt_block_header *header);

#endif
