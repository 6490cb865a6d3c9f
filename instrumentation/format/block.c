/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * block.c - encodes and decodes the header of a sealed block, see block.h.
 */
#include "format/block.h"

#include <assert.h>
#include <xxhash.h>

#include "format/bytes.h"

/* Members of the header behind the magic number: X(type, offset in bytes, member). The hash of the
 * rest of the header, at offset 8, and a zero, at offset 36, are no members. */
#define HEADER_MEMBERS(X)                                                                          \
    X(u32, 4, header_size)                                                                         \
    X(u64, 16, body_hash)                                                                          \
    X(u32, 24, kind)                                                                               \
    X(u32, 28, schema_id)                                                                          \
    X(u32, 32, pe)                                                                                 \
    X(u64, 40, sequence)                                                                           \
    X(u64, 48, first_record)                                                                       \
    X(u32, 56, n_records)                                                                          \
    X(u32, 60, n_columns)                                                                          \
    X(f64, 64, min_virtual_time)                                                                   \
    X(f64, 72, max_virtual_time)                                                                   \
    X(f64, 80, min_real_time)                                                                      \
    X(f64, 88, max_real_time)                                                                      \
    X(f64, 96, gvt)                                                                                \
    X(u64, 104, raw_size)                                                                          \
    X(u64, 112, stored_size)                                                                       \
    X(u64, 120, file_id)
#define PUT(type, offset, member) fmt_put_##type(raw + (offset), h->member);
#define GET(type, offset, member) h->member = fmt_get_##type(raw + (offset));

void fmt_block_header_encode(uint8_t *raw, const struct fmt_block_header *h)
{
    assert(h->header_size >= FMT_BLOCK_FIXED && h->header_size <= FMT_HEADER_MAX);
    fmt_put_u32(raw, FMT_BLOCK_MAGIC);
    fmt_put_u32(raw + 36, 0);
    HEADER_MEMBERS(PUT)
    fmt_put_u64(raw + 8, XXH3_64bits(raw + 16, h->header_size - 16));
}

void fmt_block_header_decode(const uint8_t *raw, struct fmt_block_header *h)
{
    HEADER_MEMBERS(GET)
}

void fmt_column_encode(uint8_t *raw, const struct fmt_column *c)
{
    assert(c->encoding <= UINT16_MAX);
    fmt_put_u16(raw, (uint16_t)c->encoding);
    fmt_put_u16(raw + 2, 0);
    fmt_put_u32(raw + 4, c->width);
    fmt_put_u32(raw + 8, c->raw_size);
    fmt_put_u32(raw + 12, c->stored_size);
}

void fmt_column_decode(const uint8_t *raw, struct fmt_column *c)
{
    c->encoding = fmt_get_u16(raw);
    c->width = fmt_get_u32(raw + 4);
    c->raw_size = fmt_get_u32(raw + 8);
    c->stored_size = fmt_get_u32(raw + 12);
}
