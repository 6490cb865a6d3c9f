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

struct fmt_reader; /* an open file, heap-allocated */

/*
 * Checks and decodes the superblock. io is borrowed and must outlive the reader. Memory: the
 * superblock's size, at most 16 MiB. Release with fmt_reader_close(), which also accepts NULL.
 */
enum fmt_status fmt_reader_open(const struct fmt_io *io, struct fmt_reader **reader,
                                struct fmt_error *error);
void fmt_reader_close(struct fmt_reader *reader);

const struct fmt_superblock *fmt_reader_superblock(const struct fmt_reader *reader);
uint64_t fmt_reader_file_size(const struct fmt_reader *reader);
/* Takes the present size of a file that its run still extends. Blocks behind the size of before are
 * found from now on. Returns FMT_OK or FMT_ERR_IO. */
enum fmt_status fmt_reader_refresh(struct fmt_reader *reader, struct fmt_error *error);

enum fmt_block_kind {
    FMT_BLOCK_DATA = 1,
    FMT_BLOCK_META = 2,
    FMT_BLOCK_END = 3
    /* 4 .. 15: reserved, for example for recovered records */
};

/* Header of a sealed block, as far as readers need it. */
struct fmt_block {
    uint64_t offset;       /* of the block in the file */
    uint64_t stored_size;  /* bytes of header and body */
    uint64_t raw_size;     /* bytes of the decoded body */
    uint64_t sequence;     /* ordinal number of the block within PE and file, from 0 */
    uint64_t first_record; /* ordinal number of its first record within PE and file, from 0 */
    uint32_t kind;         /* enum fmt_block_kind, or a kind of a later version */
    uint32_t pe;
    uint32_t n_records;
    uint32_t header_size;
    uint32_t n_columns;
    const struct fmt_schema *schema;           /* of a data block, otherwise NULL */
    double min_virtual_time, max_virtual_time; /* NaN: no record has a numeric time */
    double min_real_time, max_real_time;
    double gvt;
};

/* Iterator over one PE's blocks. Storage of the caller; nothing to free. Read-only for the
 * caller. */
struct fmt_scan {
    const struct fmt_reader *reader;
    uint32_t pe;
    uint32_t empty_extents; /* number of consecutive empty extents */
    uint64_t extent;        /* current position: extent of this PE, byte within it */
    uint64_t pos;
    uint64_t good_end; /* offset after the last good block, or of the first block */
    uint64_t gap_from; /* space between that block and the next, not yet checked */
    uint64_t gap_to;
    uint64_t next_sequence;
    uint64_t next_record;
    uint64_t blocks;          /* number of good blocks so far */
    uint64_t bytes;           /* bytes of the data and meta blocks among them */
    uint64_t missing_records; /* records known to be lost to damage so far */
    bool strict;
    bool started;
    bool ended;     /* true after a valid END block */
    bool damaged;   /* true if damage was reported */
    bool done;      /* true if FMT_END was returned, or is next */
    bool searching; /* true while searching the next good block after damage */
};

void fmt_scan_init(struct fmt_scan *scan, const struct fmt_reader *reader, uint32_t pe);
/* Enables reports of nonzero bytes outside of blocks. Call it before the first fmt_scan_next().
 * Reads all of the PE's space except holes; for PE 0 also the space after the superblock. */
void fmt_scan_strict(struct fmt_scan *scan);
/*
 * Returns the next block with a valid header, in the order of writing. After an error, the next
 * call continues behind the damage. FMT_END follows the last block; a missing END block or missing
 * records were reported as FMT_ERR_DAMAGED before. Bodies are not read, except that of the END
 * block, whose totals are compared with the blocks found.
 */
enum fmt_status fmt_scan_next(struct fmt_scan *scan, struct fmt_block *block,
                              struct fmt_error *error);

/* Decoded records of a data block, and scratch memory. Zero-initialise it; reuse it for any blocks
 * and files; free it once. */
struct fmt_columns {
    const struct fmt_schema *schema;
    uint32_t n_records;
    uint8_t **values;         /* by field: n_records little-endian values of its type */
    const uint8_t *payload;   /* payload bytes of all records, contiguous */
    uint64_t *payload_offset; /* n_records + 1 offsets; all 0 without payload */
    uint8_t *memory;          /* owned */
    size_t memory_size;
};

#define FMT_BLOCK_RAW_MAX (64u << 20) /* maximum decoded bytes of one block */

/* Reads, checks and decodes a data block. Memory: at most four times FMT_BLOCK_RAW_MAX. */
enum fmt_status fmt_block_decode(const struct fmt_reader *reader, const struct fmt_block *block,
                                 struct fmt_columns *columns, struct fmt_error *error);

/* A set of columns of a kind of records. Zeroed: empty. */
struct fmt_wanted {
    uint64_t fields[FMT_FIELDS_MAX / 64]; /* bit i % 64 of fields[i / 64]: field i */
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
 * scratch. */
enum fmt_status fmt_block_check(const struct fmt_reader *reader, const struct fmt_block *block,
                                struct fmt_columns *columns, struct fmt_error *error);
/* Decodes a data block and checks times and PE of its header against the records. */
enum fmt_status fmt_block_verify(const struct fmt_reader *reader, const struct fmt_block *block,
                                 struct fmt_columns *columns, struct fmt_error *error);

/* A value of any type: u for U8 .. U64, i for I8 .. I64, f for F32 and F64. */
struct fmt_value {
    uint32_t type; /* enum fmt_type */
    union {
        uint64_t u;
        int64_t i;
        double f;
    } as;
};

/* Returns the value of a type (not FMT_CHAR) whose little-endian bytes are at raw. */
struct fmt_value fmt_value_read(const uint8_t *raw, uint32_t type);
/* Returns the value of a field in a record. Both indices must be in range. */
struct fmt_value fmt_columns_value(const struct fmt_columns *columns, uint32_t field, uint32_t row);

/* Payload descriptions of a file. Zero-initialise it; free it once. */
struct fmt_desc_set {
    struct fmt_payload_desc *descs; /* by ascending unique id */
    size_t n;
    struct fmt_desc_chunk *memory; /* owned */
};

/* Adds the descriptions of a META block. An existing id with a different description is
 * FMT_ERR_DAMAGED. */
enum fmt_status fmt_block_read_meta(const struct fmt_reader *reader, const struct fmt_block *block,
                                    struct fmt_desc_set *set, struct fmt_error *error);
/* Returns the description with this id, or NULL. */
const struct fmt_payload_desc *fmt_desc_set_find(const struct fmt_desc_set *set, uint32_t id);
void fmt_desc_set_free(struct fmt_desc_set *set);

/* Decoded END block; memory holds the strings. Free it with fmt_end_free(). */
struct fmt_end {
    struct fmt_end_info info;
    void *memory;
};
enum fmt_status fmt_block_read_end(const struct fmt_reader *reader, const struct fmt_block *block,
                                   struct fmt_end *end, struct fmt_error *error);
void fmt_end_free(struct fmt_end *end);

#endif
