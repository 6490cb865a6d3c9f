/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * block.h - the header of a sealed block, byte by byte (internal to format/).
 *
 *     0  u32 magic "WSBK"          56  u32 n_records           104  u64 raw_size of the body
 *     4  u32 header_size           60  u32 n_columns           112  u64 stored_size of the body
 *     8  u64 xxh3 of [16, header)  64  f64 min_virtual_time    120  u64 file_id
 *    16  u64 xxh3 of the body      72  f64 max_virtual_time    128  columns, 16 bytes each:
 *    24  u32 kind                  80  f64 min_real_time            u16 encoding, u16 zero,
 *    28  u32 schema id             88  f64 max_real_time            u32 width,
 *    32  u32 pe                    96  f64 gvt                      u32 raw_size,
 *    36  u32 zero                                                   u32 stored_size
 *    40  u64 sequence
 *    48  u64 first_record
 *
 * Invariants
 *  B1  header_size = 128 + 16 n_columns.
 *  B2  raw_size and stored_size of the body are the sums over the columns.
 *  B3  The stored bytes of the columns are contiguous, in schema order, after the header.
 *  B4  A data block has at least one record.
 *  B5  A block starts at a multiple of FMT_BLOCK_ALIGN within its extent, and never crosses the end
 *      of the extent.
 */
#ifndef WARPSCOPE_FORMAT_BLOCK_H
#define WARPSCOPE_FORMAT_BLOCK_H

#include "format/column/column.h"
#include "format/format.h"

#define FMT_BLOCK_MAGIC       0x4b425357u /* the bytes "WSBK" */
#define FMT_BLOCK_FIXED       128u
#define FMT_COLUMN_ENTRY      16u
#define FMT_BLOCK_ALIGN       64u
#define FMT_BLOCK_RECORDS_MAX (1u << 20)
#define FMT_HEADER_MAX        (FMT_BLOCK_FIXED + FMT_COLUMN_ENTRY * 1025u)

struct fmt_column {
    uint32_t encoding; /* enum fmt_encoding */
    uint32_t width;
    uint32_t raw_size;
    uint32_t stored_size;
};

struct fmt_block_header {
    uint32_t header_size;
    uint32_t kind;
    uint32_t schema_id;
    uint32_t pe;
    uint32_t n_records;
    uint32_t n_columns;
    uint64_t body_hash;
    uint64_t sequence;
    uint64_t first_record;
    uint64_t raw_size;
    uint64_t stored_size;
    uint64_t file_id;
    double min_virtual_time, max_virtual_time;
    double min_real_time, max_real_time;
    double gvt;
};

/* Encodes the first FMT_BLOCK_FIXED bytes of a header, including its hash, at `raw`. The entries of
 * the columns must be encoded already, because the hash covers them. */
void fmt_block_header_encode(uint8_t *raw, const struct fmt_block_header *header);
/* Decodes the first FMT_BLOCK_FIXED bytes of a header, without any checks. */
void fmt_block_header_decode(const uint8_t *raw, struct fmt_block_header *header);

void fmt_column_encode(uint8_t *raw, const struct fmt_column *column);
void fmt_column_decode(const uint8_t *raw, struct fmt_column *column);

#endif
