/*
 * read.h - reading record files. Part of format.h, which says what it is all for.
 *
 * The file is not trusted: nothing in it makes these functions crash, read outside of what they
 * were given, or take memory without bound. What is wrong is reported with its byte offset.
 */
#ifndef WARPSCOPE_FORMAT_READ_H
#define WARPSCOPE_FORMAT_READ_H

#include "format/common.h"

struct fmt_reader; /* an open file; heap */

/*
 * Checks the superblock and takes what it says. io is borrowed and must outlive the reader. Memory:
 * the superblock's size, at most 16 MiB. Undo with fmt_reader_close(), which takes NULL as well.
 */
enum fmt_status fmt_reader_open(const struct fmt_io *io, struct fmt_reader **reader,
                                struct fmt_error *error);
void fmt_reader_close(struct fmt_reader *reader);

const struct fmt_superblock *fmt_reader_superblock(const struct fmt_reader *reader);
uint64_t fmt_reader_file_size(const struct fmt_reader *reader);

enum fmt_block_kind {
    FMT_BLOCK_DATA = 1,
    FMT_BLOCK_META = 2,
    FMT_BLOCK_END = 3
    /* 4 .. 15: reserved, for records found in buffers of a killed run among others */
};

/* Header of a sealed block, as far as readers need it. */
struct fmt_block {
    uint64_t offset;       /* of the block in the file */
    uint64_t stored_size;  /* header and body */
    uint64_t raw_size;     /* body, decoded */
    uint64_t sequence;     /* number of the block within PE and file, from 0 */
    uint64_t first_record; /* number of its first record within PE and file, from 0 */
    uint32_t kind;         /* enum fmt_block_kind, or a number of a later version */
    uint32_t pe;
    uint32_t n_records;
    uint32_t header_size;
    uint32_t n_columns;
    const struct fmt_schema *schema;           /* of a data block; otherwise NULL */
    double min_virtual_time, max_virtual_time; /* NaN: no record with a time that is a number */
    double min_real_time, max_real_time;
    double gvt;
};

/* The walk over one PE's blocks. Caller's storage; nothing to free. Read it, do not write it. */
struct fmt_scan {
    const struct fmt_reader *reader;
    uint32_t pe;
    uint32_t empty_extents; /* met in a row */
    uint64_t extent;        /* where the walk is: extent of this PE, byte within */
    uint64_t pos;
    uint64_t good_end; /* offset behind the last good block, or where the first should be */
    uint64_t gap_from; /* space between that block and the place of the next, not yet looked at */
    uint64_t gap_to;
    uint64_t next_sequence;
    uint64_t next_record;
    uint64_t blocks;          /* good ones, seen so far */
    uint64_t bytes;           /* of the data and meta blocks among them */
    uint64_t missing_records; /* known to be lost to damage so far */
    bool strict;
    bool started;
    bool ended;     /* a valid END block was seen */
    bool damaged;   /* something was reported */
    bool done;      /* FMT_END was returned, or is next */
    bool searching; /* for the next good block behind damage */
};

void fmt_scan_init(struct fmt_scan *scan, const struct fmt_reader *reader, uint32_t pe);
/* Before the first fmt_scan_next(): also report bytes other than zero where no block is (reads all
 * of the PE's space that is not a hole; for PE 0 the space behind the superblock too). */
void fmt_scan_strict(struct fmt_scan *scan);
/*
 * The next block with a valid header, in the order of writing. Errors do not end the walk: call
 * again and it goes on behind the damage. FMT_END comes once there is nothing more; if no END block
 * was found or something is missing, that was reported as FMT_ERR_DAMAGED before. Bodies are not
 * read, but for the END block's, whose totals are compared with what was seen.
 */
enum fmt_status fmt_scan_next(struct fmt_scan *scan, struct fmt_block *block,
                              struct fmt_error *error);

/* Decoded records of a data block, and scratch memory. Zero-initialise; reuse from block to block
 * and file to file; free once. */
struct fmt_columns {
    const struct fmt_schema *schema;
    uint32_t n_records;
    uint8_t **values;         /* by field: n_records little-endian values of the field's type */
    const uint8_t *payload;   /* payload bytes of all records, one after another */
    uint64_t *payload_offset; /* n_records + 1 numbers; all 0 without payload */
    uint8_t *memory;          /* owned */
    size_t memory_size;
};

#define FMT_BLOCK_RAW_MAX (64u << 20) /* decoded bytes of one block, at most */

/* Reads, checks and decodes a data block. Memory: four times FMT_BLOCK_RAW_MAX at most. */
enum fmt_status fmt_block_decode(const struct fmt_reader *reader, const struct fmt_block *block,
                                 struct fmt_columns *columns, struct fmt_error *error);

/* Some columns of a kind of record. Zeroed: none. */
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

/* The same, but only the wanted columns (NULL: all) are decoded; values of others, and the payload
 * and its offsets if not wanted, are NULL. All of the block is read, and its checksums checked. */
enum fmt_status fmt_block_decode_some(const struct fmt_reader *reader,
                                      const struct fmt_block *block,
                                      const struct fmt_wanted *wanted, struct fmt_columns *columns,
                                      struct fmt_error *error);
void fmt_columns_free(struct fmt_columns *columns);

/* Checks a block's body, of any kind, against its checksum; decodes nothing. columns: scratch. */
enum fmt_status fmt_block_check(const struct fmt_reader *reader, const struct fmt_block *block,
                                struct fmt_columns *columns, struct fmt_error *error);
/* fmt_block_decode() and a check of the header's times and PE against the records. */
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

/* The value of a type (not FMT_CHAR) whose little-endian bytes are at raw. */
struct fmt_value fmt_value_read(const uint8_t *raw, uint32_t type);
/* Field number field of record number row. Both must be in range. */
struct fmt_value fmt_columns_value(const struct fmt_columns *columns, uint32_t field, uint32_t row);

/* Payload descriptions of a file. Zero-initialise; free once. */
struct fmt_desc_set {
    struct fmt_payload_desc *descs; /* by ascending id, no id twice */
    size_t n;
    struct fmt_desc_chunk *memory; /* owned */
};

/* Adds a META block's descriptions. An id that is there with another meaning is FMT_ERR_DAMAGED. */
enum fmt_status fmt_block_read_meta(const struct fmt_reader *reader, const struct fmt_block *block,
                                    struct fmt_desc_set *set, struct fmt_error *error);
/* NULL when there is none. */
const struct fmt_payload_desc *fmt_desc_set_find(const struct fmt_desc_set *set, uint32_t id);
void fmt_desc_set_free(struct fmt_desc_set *set);

/* Decoded END block; memory holds the texts: free with fmt_end_free(). */
struct fmt_end {
    struct fmt_end_info info;
    void *memory;
};
enum fmt_status fmt_block_read_end(const struct fmt_reader *reader, const struct fmt_block *block,
                                   struct fmt_end *end, struct fmt_error *error);
void fmt_end_free(struct fmt_end *end);

#endif
