/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read.h - reads record files. Part of format.h, which has an overview.
 *
 * Files are not trusted: no contents of a file can make these functions crash, read out of bounds,
 * or allocate unbounded memory. Errors are reported with their byte offset in the file.
 */
#ifndef WARPSCOPE_FORMAT_READ_H
#define WARPSCOPE_FORMAT_READ_H

#include "format/common.h"

struct fmt_reader; /* an open record file, allocated on the heap */

/*
 * Opens a record file: reads, checks and decodes its superblock, and sets *reader. io is borrowed
 * and must outlive the reader. Memory: the size of the superblock, at most 16 MiB. Release the
 * reader with fmt_reader_close(), which also accepts NULL.
 */
enum fmt_status fmt_reader_open(const struct fmt_io *io, struct fmt_reader **reader,
                                struct fmt_error *error);
void fmt_reader_close(struct fmt_reader *reader);

const struct fmt_superblock *fmt_reader_superblock(const struct fmt_reader *reader);
/* Determines the size of the file again, since a run may still extend the file. Later calls then
 * find the blocks that were added. Returns FMT_OK or FMT_ERR_IO. */
enum fmt_status fmt_reader_refresh(struct fmt_reader *reader, struct fmt_error *error);

/* Returns true if the file has the mark of a new file (fmt_file_mark_new()): a PE without blocks has
 * lost no record. */
bool fmt_reader_is_new(const struct fmt_reader *reader);

enum fmt_block_kind {
    FMT_BLOCK_DATA = 1,
    FMT_BLOCK_META = 2,
    FMT_BLOCK_END = 3,
    FMT_BLOCK_CHANGE = 4,
    FMT_BLOCK_NAMES = 5
    /* 6 to 15 are reserved, for example for blocks of recovered records. */
};

/* The parts of the header of a sealed block that readers need. */
struct fmt_block {
    uint64_t offset;      /* offset of the block in the file */
    uint64_t stored_size; /* size of header and body in bytes */
    uint64_t raw_size;    /* size of the decoded body in bytes */
    uint64_t sequence;    /* position of the block in the order of the PE's blocks, from 0 */
    /* Position of the block's first record in the order of the PE's records in this file, from
     * 0. */
    uint64_t first_record;
    uint32_t kind; /* enum fmt_block_kind, or a kind that a later version defines */
    uint32_t pe;
    uint32_t n_records;
    uint32_t header_size;
    uint32_t n_columns;
    /* Index of the file that holds the block, set by callers that read several files as one;
     * otherwise 0. */
    uint32_t part;
    const struct fmt_schema *schema; /* for a data block, schema of its records; otherwise NULL */
    /* Range of the times of the block's records; NaN: the records have no times. */
    double min_virtual_time, max_virtual_time;
    double min_real_time, max_real_time;
    double gvt;
};

/* Iterator over the blocks of one PE. The caller provides the storage, must not change it, and need
 * not free anything. */
struct fmt_scan {
    const struct fmt_reader *reader;
    uint32_t pe;
    uint32_t empty_extents; /* number of consecutive empty extents so far */
    /* Current position: index of the extent among those of this PE, and byte offset `pos` within
     * it. */
    uint64_t extent;
    uint64_t pos;
    /* Offset of the end of the last valid block; at first, offset of the first extent. */
    uint64_t good_end;
    /* Start of the space [gap_from, gap_to) behind good_end that has not been checked yet. */
    uint64_t gap_from;
    uint64_t gap_to;
    uint64_t next_sequence;
    uint64_t next_record;
    uint64_t blocks;          /* number of valid blocks so far */
    uint64_t bytes;           /* size in bytes of the valid blocks so far, without the END block */
    uint64_t missing_records; /* number of records that are known to be lost by damage so far */
    bool strict;
    /* The scan reads only the fixed parts of headers of DATA blocks, and does not check their checksums.
     * The caller may change this. */
    bool light;
    bool started;
    bool ended;     /* true once a valid END block has been read */
    bool damaged;   /* true once damage has been reported */
    bool done;      /* true if FMT_END is the next result, or has been returned */
    bool searching; /* true after damage, until the next valid block is found */
};

void fmt_scan_init(struct fmt_scan *scan, const struct fmt_reader *reader, uint32_t pe);
/* Makes the scan report nonzero bytes outside of blocks. The scan then reads all of the PE's space
 * except holes, and for PE 0 also the space after the superblock. Call fmt_scan_strict() before the
 * first fmt_scan_next(). */
void fmt_scan_strict(struct fmt_scan *scan);
/*
 * Finds the next block with a valid header, in the order in which the blocks were written, and
 * fills *block. After an error, the next call continues after the damaged bytes. Returns FMT_END
 * after the last block. Before FMT_END, a missing END block and missing records are reported as
 * FMT_ERR_DAMAGED. The bodies of blocks are not read, except for the END block, whose totals are
 * compared with the blocks found.
 */
enum fmt_status fmt_scan_next(struct fmt_scan *scan, struct fmt_block *block,
                              struct fmt_error *error);

/* Decoded records of a data block, with the memory for decoding. Zero-initialise it before the
 * first use. It may be used for any number of blocks and files, and must be freed once. */
struct fmt_columns {
    const struct fmt_schema *schema;
    uint32_t n_records;
    /* [i]: n_records little-endian values of field i. */
    uint8_t **values;
    const uint8_t *payload; /* payloads of all records, one after another */
    /* [n_records + 1]: payload i is the bytes payload_offset[i] to payload_offset[i + 1] - 1 of
     * `payload`. If the records have no payloads, all offsets are 0. */
    uint64_t *payload_offset;
    uint8_t *memory; /* owned; memory to which the other members point */
    size_t memory_size;
};

#define FMT_BLOCK_RAW_MAX (64u << 20) /* maximum decoded size of a block in bytes */

/* Reads, checks and decodes a data block into *columns. Memory: at most seven times
 * FMT_BLOCK_RAW_MAX. */
enum fmt_status fmt_block_decode(const struct fmt_reader *reader, const struct fmt_block *block,
                                 struct fmt_columns *columns, struct fmt_error *error);

/* A set of columns of one kind of records: fields, and possibly the payload. If all members are
 * zero, the set is empty. */
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

/* Variant of fmt_block_decode() that decodes only the columns in the set `wanted` (NULL: all). The
 * values of all other columns are NULL. If the payload is not in the set, payload and
 * payload_offset are NULL. The function still reads the whole block and checks its checksums. */
enum fmt_status fmt_block_decode_some(const struct fmt_reader *reader,
                                      const struct fmt_block *block,
                                      const struct fmt_wanted *wanted, struct fmt_columns *columns,
                                      struct fmt_error *error);
void fmt_columns_free(struct fmt_columns *columns);

/* Checks the body of a block of any kind against its checksum, without decoding the body, except that of
 * a NAMES block. columns: memory for the block. */
enum fmt_status fmt_block_check(const struct fmt_reader *reader, const struct fmt_block *block,
                                struct fmt_columns *columns, struct fmt_error *error);
/* Decodes a data block, and checks that the times and the PE in its header agree with the records.
 * Other blocks are checked as by fmt_block_check(). */
enum fmt_status fmt_block_verify(const struct fmt_reader *reader, const struct fmt_block *block,
                                 struct fmt_columns *columns, struct fmt_error *error);

/* A value of any type except FMT_CHAR. Member u holds U8 .. U64, i holds I8 .. I64, f holds F32 and
 * F64. */
struct fmt_value {
    uint32_t type; /* type of the value: enum fmt_type */
    union {
        uint64_t u;
        int64_t i;
        double f;
    } as;
};

/* Decodes the value of the given type (not FMT_CHAR) from the little-endian bytes at raw. */
struct fmt_value fmt_value_read(const uint8_t *raw, uint32_t type);
/* Returns the value of a field in a record. field: index of the field; row: index of the record.
 * Both must be in range. */
struct fmt_value fmt_columns_value(const struct fmt_columns *columns, uint32_t field, uint32_t row);

/* The payload descriptions in a file. Zero-initialise the set before the first use, and free it
 * once. */
struct fmt_desc_set {
    struct fmt_payload_desc *descs; /* descriptions in ascending order of id, each id once */
    size_t n;
    struct fmt_desc_chunk *memory; /* owned; memory of the descriptions */
    struct ws_lp_names *names;     /* of the reader: names of single LPs; NULL: there are none */
};

/* Adds the descriptions in a META block to set. Returns FMT_ERR_DAMAGED if set has a different
 * description with the same id. */
enum fmt_status fmt_block_read_meta(const struct fmt_reader *reader, const struct fmt_block *block,
                                    struct fmt_desc_set *set, struct fmt_error *error);
/* Adds a copy of a valid description to set, which must not have another one with its id. Returns
 * false if out of memory. */
bool fmt_desc_set_copy(struct fmt_desc_set *set, const struct fmt_payload_desc *desc);
/* Returns the description with this id; NULL: none. */
const struct fmt_payload_desc *fmt_desc_set_find(const struct fmt_desc_set *set, uint32_t id);
void fmt_desc_set_free(struct fmt_desc_set *set);

/* Passes the names of LPs in a NAMES block to take(), which copies them and returns false if out of
 * memory. The result is then FMT_ERR_MEMORY. take may be NULL: only checks the block. */
typedef bool (*fmt_take_name)(void *ctx, uint64_t lp, const char *name);
enum fmt_status fmt_block_read_names(const struct fmt_reader *reader, const struct fmt_block *block,
                                     fmt_take_name take, void *ctx, struct fmt_error *error);

/* Decodes a CHANGE block into *change. */
enum fmt_status fmt_block_read_change(const struct fmt_reader *reader,
                                      const struct fmt_block *block, struct fmt_change *change,
                                      struct fmt_error *error);

/* A decoded END block, with the memory to which its strings belong. Free it with fmt_end_free(). */
struct fmt_end {
    struct fmt_end_info info;
    void *memory;
};
enum fmt_status fmt_block_read_end(const struct fmt_reader *reader, const struct fmt_block *block,
                                   struct fmt_end *end, struct fmt_error *error);
void fmt_end_free(struct fmt_end *end);

#endif
