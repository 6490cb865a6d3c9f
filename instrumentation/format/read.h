/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read.h - reads record files. Part of format.h, which has an overview.
 *
 * The file is not trusted: its contents cannot make these functions crash, read out of bounds, or
 * allocate unbounded memory. Errors are reported with their byte offset.
 */
#ifndef WARPSCOPE_FORMAT_READ_H
#define WARPSCOPE_FORMAT_READ_H

#include "format/common.h"

struct fmt_reader; /* an open file, allocated on the heap */

/*
 * Checks and decodes the superblock. io is borrowed and must outlive the reader. Memory: the
 * superblock's size, at most 16 MiB. Release with fmt_reader_close(), which also accepts NULL.
 */
enum fmt_status fmt_reader_open(const struct fmt_io *io, struct fmt_reader **reader,
                                struct fmt_error *error);
void fmt_reader_close(struct fmt_reader *reader);

const struct fmt_superblock *fmt_reader_superblock(const struct fmt_reader *reader);
uint64_t fmt_reader_file_size(const struct fmt_reader *reader);
/* Reads the size of the file again, since a run may still extend it. Later calls then find the
 * blocks that were added. Returns FMT_OK or FMT_ERR_IO. */
enum fmt_status fmt_reader_refresh(struct fmt_reader *reader, struct fmt_error *error);

enum fmt_block_kind {
    FMT_BLOCK_DATA = 1,
    FMT_BLOCK_META = 2,
    FMT_BLOCK_END = 3,
    FMT_BLOCK_CHANGE = 4
    /* Numbers 5 to 15 are reserved, for example for recovered records. */
};

/* The parts of a sealed block's header that readers need. */
struct fmt_block {
    uint64_t offset;      /* offset of the block in the file */
    uint64_t stored_size; /* size of header and body in bytes */
    uint64_t raw_size;    /* size of the decoded body in bytes */
    uint64_t sequence;    /* ordinal number of the block within PE and file, from 0 */
    /* Ordinal number of the block's first record within PE and file, from 0. */
    uint64_t first_record;
    uint32_t kind; /* kind of block: enum fmt_block_kind, or a kind of a later version */
    uint32_t pe;
    uint32_t n_records;
    uint32_t header_size;
    uint32_t n_columns;
    /* Number of the file that holds the block, for callers that read several files as one;
     * otherwise 0. */
    uint32_t part;
    const struct fmt_schema *schema; /* schema of a data block, otherwise NULL */
    /* Range of the records' times; NaN: no record has a numeric time. */
    double min_virtual_time, max_virtual_time;
    double min_real_time, max_real_time;
    double gvt;
};

/* Iterator over one PE's blocks. The caller provides the storage and only reads it. Needs no
 * freeing. */
struct fmt_scan {
    const struct fmt_reader *reader;
    uint32_t pe;
    uint32_t empty_extents; /* number of empty extents in a row so far */
    uint64_t extent; /* current position: number of the extent of this PE, and byte within it */
    uint64_t pos;
    uint64_t good_end; /* offset after the last valid block; at first, offset of the first block */
    uint64_t gap_from; /* start of the space after good_end that is not checked yet */
    uint64_t gap_to;
    uint64_t next_sequence;
    uint64_t next_record;
    uint64_t blocks;          /* number of valid blocks so far */
    uint64_t bytes;           /* size of the valid data and meta blocks so far, in bytes */
    uint64_t missing_records; /* number of records known to be lost by damage so far */
    bool strict;
    bool started;
    bool ended;     /* true after a valid END block */
    bool damaged;   /* true if damage was reported */
    bool done;      /* true if FMT_END was returned or is the next result */
    bool searching; /* true while searching for the next valid block after damage */
};

void fmt_scan_init(struct fmt_scan *scan, const struct fmt_reader *reader, uint32_t pe);
/* Enables reports of nonzero bytes outside of blocks. Call it before the first fmt_scan_next().
 * Reads all of the PE's space except holes; for PE 0 also the space after the superblock. */
void fmt_scan_strict(struct fmt_scan *scan);
/*
 * Returns the next block with a valid header, in the order of writing. After an error, the next
 * call continues after the damaged bytes. Returns FMT_END after the last block; a missing END block
 * or missing records are reported as FMT_ERR_DAMAGED before that. Bodies are not read, except that
 * of the END block, whose totals are compared with the blocks found.
 */
enum fmt_status fmt_scan_next(struct fmt_scan *scan, struct fmt_block *block,
                              struct fmt_error *error);

/* Decoded records of a data block, and temporary memory. Zero-initialise it; reuse it for any
 * blocks and files; free it once. */
struct fmt_columns {
    const struct fmt_schema *schema;
    uint32_t n_records;
    uint8_t **values;         /* for each field: n_records little-endian values of its type */
    const uint8_t *payload;   /* payloads of all records, one after another */
    uint64_t *payload_offset; /* n_records + 1 offsets in payload; all 0 if there are no payloads */
    uint8_t *memory;          /* owned; memory of all members */
    size_t memory_size;
};

#define FMT_BLOCK_RAW_MAX (64u << 20) /* most decoded bytes of a block */

/* Reads, checks and decodes a data block. Memory: at most seven times FMT_BLOCK_RAW_MAX. */
enum fmt_status fmt_block_decode(const struct fmt_reader *reader, const struct fmt_block *block,
                                 struct fmt_columns *columns, struct fmt_error *error);

/* Set of columns of a kind of records. All zero: the empty set. */
struct fmt_wanted {
    /* Field i is in the set if bit i % 64 of fields[i / 64] is set. */
    uint64_t fields[FMT_FIELDS_MAX / 64];
    bool payload;
};
static inline void fmt_wanted_add(struct fmt_wanted *wanted, uint32_t field)
{
    wanted->fields[field / 64] |= (uint64_t)1 << field % 64;
}
static inline bool fmt_wanted_has(const struct fmt_wanted *wanted, uint32_t field)
{
    return (wanted->fields[field / 64] >> field % 64 & 1) != 0;
}

/* Like fmt_block_decode(), but decodes only the wanted columns (NULL: all). Values of other columns
 * are NULL, as are payload and offsets if not wanted. The whole block is read, and its checksums
 * are checked. */
enum fmt_status fmt_block_decode_some(const struct fmt_reader *reader,
                                      const struct fmt_block *block,
                                      const struct fmt_wanted *wanted, struct fmt_columns *columns,
                                      struct fmt_error *error);
void fmt_columns_free(struct fmt_columns *columns);

/* Checks the body of a block, of any kind, against its checksum without decoding it. columns:
 * provides temporary memory. */
enum fmt_status fmt_block_check(const struct fmt_reader *reader, const struct fmt_block *block,
                                struct fmt_columns *columns, struct fmt_error *error);
/* Decodes a data block and checks times and PE of its header against the records. */
enum fmt_status fmt_block_verify(const struct fmt_reader *reader, const struct fmt_block *block,
                                 struct fmt_columns *columns, struct fmt_error *error);

/* A value of any type. Member u holds U8 .. U64, i holds I8 .. I64, f holds F32 and F64. */
struct fmt_value {
    uint32_t type; /* type of the value: enum fmt_type */
    union {
        uint64_t u;
        int64_t i;
        double f;
    } as;
};

/* Returns the value of a type (not FMT_CHAR) whose little-endian bytes are at raw. */
struct fmt_value fmt_value_read(const uint8_t *raw, uint32_t type);
/* Returns the value of a field in a record. field and row must be in range. */
struct fmt_value fmt_columns_value(const struct fmt_columns *columns, uint32_t field, uint32_t row);

/* Payload descriptions of a file. Zero-initialise it; free it once. */
struct fmt_desc_set {
    struct fmt_payload_desc *descs; /* descriptions, by ascending id without duplicates */
    size_t n;
    struct fmt_desc_chunk *memory; /* owned; memory of the descriptions */
};

/* Adds the descriptions of a META block. An existing id with a different description is
 * FMT_ERR_DAMAGED. */
enum fmt_status fmt_block_read_meta(const struct fmt_reader *reader, const struct fmt_block *block,
                                    struct fmt_desc_set *set, struct fmt_error *error);
/* Returns the description with this id, or NULL. */
const struct fmt_payload_desc *fmt_desc_set_find(const struct fmt_desc_set *set, uint32_t id);
void fmt_desc_set_free(struct fmt_desc_set *set);

/* Reads a CHANGE block. */
enum fmt_status fmt_block_read_change(const struct fmt_reader *reader,
                                      const struct fmt_block *block, struct fmt_change *change,
                                      struct fmt_error *error);

/* Decoded END block; memory holds the strings. Free it with fmt_end_free(). */
struct fmt_end {
    struct fmt_end_info info;
    void *memory;
};
enum fmt_status fmt_block_read_end(const struct fmt_reader *reader, const struct fmt_block *block,
                                   struct fmt_end *end, struct fmt_error *error);
void fmt_end_free(struct fmt_end *end);

#endif
