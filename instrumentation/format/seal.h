/*
 * seal.h - from rows to a sealed block in memory (inside format/ only).
 *
 * A sealer owns all scratch memory that sealing needs, so that sealing itself allocates nothing.
 */
#ifndef WARPSCOPE_FORMAT_SEAL_H
#define WARPSCOPE_FORMAT_SEAL_H

#include "format/block.h"
#include "format/gather.h"
#include "format/pack.h"

/* What the rows of one kind of records were like in the block before. */
struct fmt_kind_memory {
    const struct fmt_schema *schema; /* borrowed */
    uint8_t *rest;                   /* per byte of a row and its payload, see fmt_planes */
    uint8_t *varies;                 /* per 8 bytes of them, see fmt_gathered */
};

struct fmt_sealer {
    const struct fmt_kind_memory *kind; /* of the chosen rows */
    size_t row_bytes_max;               /* of one record */
    size_t block_bytes;                 /* rows of one block, at most */
    size_t block_usual;                 /* if more rows follow */
    uint8_t *out;                       /* the sealed block */
    size_t out_size;
    uint8_t *column;      /* payloads of different sizes; META, END */
    uint8_t *planes;      /* of the rows */
    uint8_t *differ;      /* per byte of a row and its payload, see fmt_gather() */
    uint32_t *row_offset; /* of each row of the block; n_rows + 1 */
    uint32_t n_rows;
    bool one_size; /* the chosen rows have payloads of one size, or none */
    struct fmt_packer *packer;
    struct fmt_kind_memory *kinds; /* one per kind of records */
    uint32_t n_kinds;
    uint8_t *kinds_bytes; /* rest and varies of all */
};

/* Takes the memory for blocks of records of these kinds (at least one) that fit into extents of
 * extent_size. NULL: out of memory. */
struct fmt_sealer *fmt_sealer_create(const struct fmt_schema *const *schemas, uint32_t n_schemas,
                                     size_t row_bytes_max, size_t extent_size);
void fmt_sealer_destroy(struct fmt_sealer *s);

/*
 * Finds the rows of schema at the start of rows[0..size) that go into the next block. Returns their
 * bytes; 0 if the first row is not a valid one (then *wrong says why).
 */
size_t fmt_sealer_choose(struct fmt_sealer *s, const struct fmt_schema *schema, const uint8_t *rows,
                         size_t size, const char **wrong);

/*
 * Seals the chosen rows into s->out. header: the caller gives kind, pe, sequence, first_record,
 * file_id and gvt, the rest is filled here.
 */
void fmt_sealer_seal_rows(struct fmt_sealer *s, const uint8_t *rows,
                          struct fmt_block_header *header);

/* The same for size bytes in s->column that are no records (META, END). size <= s->block_bytes. */
void fmt_sealer_seal_bytes(struct fmt_sealer *s, size_t size, struct fmt_block_header *header);

#endif
