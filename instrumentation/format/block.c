/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * block.c - encodes and decodes the header of a sealed block, see block.h.
 */
#include "format/block.h"

#include <assert.h>
#include <xxhash.h>

#include "format/bytes.h"

void fmt_block_header_encode(uint8_t *raw, const struct fmt_block_header *h)
{
    assert(h->header_size >= FMT_BLOCK_FIXED && h->header_size <= FMT_HEADER_MAX);
    fmt_put_u32(raw, FMT_BLOCK_MAGIC);
    fmt_put_u32(raw + 4, h->header_size);
    fmt_put_u64(raw + 16, h->body_hash);
    fmt_put_u32(raw + 24, h->kind);
    fmt_put_u32(raw + 28, h->schema_id);
    fmt_put_u32(raw + 32, h->pe);
    fmt_put_u32(raw + 36, 0);
    fmt_put_u64(raw + 40, h->sequence);
    fmt_put_u64(raw + 48, h->first_record);
    fmt_put_u32(raw + 56, h->n_records);
    fmt_put_u32(raw + 60, h->n_columns);
    fmt_put_f64(raw + 64, h->min_virtual_time);
    fmt_put_f64(raw + 72, h->max_virtual_time);
    fmt_put_f64(raw + 80, h->min_real_time);
    fmt_put_f64(raw + 88, h->max_real_time);
    fmt_put_f64(raw + 96, h->gvt);
    fmt_put_u64(raw + 104, h->raw_size);
    fmt_put_u64(raw + 112, h->stored_size);
    fmt_put_u64(raw + 120, h->file_id);
    fmt_put_u64(raw + 8, XXH3_64bits(raw + 16, h->header_size - 16));
}

void fmt_block_header_decode(const uint8_t *raw, struct fmt_block_header *h)
{
    h->header_size = fmt_get_u32(raw + 4);
    h->body_hash = fmt_get_u64(raw + 16);
    h->kind = fmt_get_u32(raw + 24);
    h->schema_id = fmt_get_u32(raw + 28);
    h->pe = fmt_get_u32(raw + 32);
    h->sequence = fmt_get_u64(raw + 40);
    h->first_record = fmt_get_u64(raw + 48);
    h->n_records = fmt_get_u32(raw + 56);
    h->n_columns = fmt_get_u32(raw + 60);
    h->min_virtual_time = fmt_get_f64(raw + 64);
    h->max_virtual_time = fmt_get_f64(raw + 72);
    h->min_real_time = fmt_get_f64(raw + 80);
    h->max_real_time = fmt_get_f64(raw + 88);
    h->gvt = fmt_get_f64(raw + 96);
    h->raw_size = fmt_get_u64(raw + 104);
    h->stored_size = fmt_get_u64(raw + 112);
    h->file_id = fmt_get_u64(raw + 120);
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
