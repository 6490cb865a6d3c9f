/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reader.c - an open record file, and the checks of block headers.
 *
 * Invariant: a block that fmt_block_parse() accepts lies within the file, and its sizes are safe to
 * allocate (at most FMT_BLOCK_RAW_MAX).
 */
#include "format/reader.h"

#include <assert.h>
#include <stdlib.h>
#include <xxhash.h>

#include "format/bytes.h"
#include "format/fail.h"
#include "format/schema.h"
#include "format/superblock.h"

enum fmt_status fmt_reader_open(const struct fmt_io *io, struct fmt_reader **reader,
                                struct fmt_error *error)
{
    struct fmt_place place = {io->path, FMT_NO_OFFSET, FMT_NO_PE};
    *reader = NULL;
    struct fmt_reader *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return fmt_fail(error, FMT_ERR_MEMORY, place, 0, "out of memory");
    }
    r->io = io;
    enum fmt_status status = FMT_OK;
    int err = io->get_size(io->ctx, &r->file_size);
    if (err != 0) {
        status = fmt_fail(error, FMT_ERR_IO, place, err, "cannot determine the size");
    }
    if (status == FMT_OK) {
        status = fmt_superblock_read(io, &r->sb, &r->sb_size, &r->sb_memory, error);
    }
    r->header_usual = FMT_BLOCK_FIXED + FMT_COLUMN_ENTRY;
    for (uint32_t i = 0; status == FMT_OK && i < r->sb.n_schemas; i++) {
        uint32_t n = fmt_schema_columns(r->sb.schemas[i]);
        if (r->header_usual < FMT_BLOCK_FIXED + FMT_COLUMN_ENTRY * n) {
            r->header_usual = FMT_BLOCK_FIXED + FMT_COLUMN_ENTRY * n;
        }
    }
    if (status != FMT_OK) {
        fmt_reader_close(r);
    } else {
        *reader = r;
    }
    return status;
}

void fmt_reader_close(struct fmt_reader *reader)
{
    if (reader == NULL) {
        return;
    }
    free(reader->sb_memory);
    free(reader);
}

const struct fmt_superblock *fmt_reader_superblock(const struct fmt_reader *reader)
{
    return &reader->sb;
}

enum fmt_status fmt_reader_refresh(struct fmt_reader *reader, struct fmt_error *error)
{
    const struct fmt_io *io = reader->io;
    int err = io->get_size(io->ctx, &reader->file_size);
    return err == 0
               ? FMT_OK
               : fmt_fail(error, FMT_ERR_IO, (struct fmt_place){io->path, FMT_NO_OFFSET, FMT_NO_PE},
                          err, "cannot determine the size");
}

uint64_t fmt_reader_offset(const struct fmt_reader *reader, uint32_t pe, uint64_t extent,
                           uint64_t pos)
{
    assert(pos <= reader->sb.layout.extent_size);
    const struct fmt_layout *l = &reader->sb.layout;
    uint64_t start = l->first_extent + pe * l->extent_size + pos;
    uint64_t span = l->n_pes * l->extent_size;
    if (start >= reader->file_size || extent > (reader->file_size - 1 - start) / span) {
        return FMT_NO_OFFSET;
    }
    return start + extent * span;
}

enum fmt_status fmt_reader_read(const struct fmt_reader *reader, uint64_t offset, void *to,
                                size_t size, uint32_t pe, struct fmt_error *error)
{
    assert(offset != FMT_NO_OFFSET);
    struct fmt_place place = {reader->io->path, offset, pe};
    size_t got = 0;
    int err = reader->io->read_at(reader->io->ctx, to, size, offset, &got);
    if (err != 0) {
        return fmt_fail(error, FMT_ERR_IO, place, err, "cannot read");
    }
    if (got < size) {
        return fmt_fail(error, FMT_ERR_DAMAGED, place, 0, "the file is cut off");
    }
    return FMT_OK;
}

/* Returns true if the fixed part of a header is that of a DATA block. */
static inline bool is_data(const uint8_t *raw)
{
    return fmt_get_u32(raw + 24) == FMT_BLOCK_DATA;
}

enum fmt_status fmt_header_read(const struct fmt_reader *reader, uint64_t offset, uint64_t room,
                                uint32_t pe, bool light, uint8_t *raw, size_t *got,
                                struct fmt_error *error)
{
    assert(room >= FMT_BLOCK_FIXED);
    const struct fmt_io *io = reader->io;
    size_t want = room < reader->header_usual ? (size_t)room : reader->header_usual;
    want = light ? FMT_BLOCK_FIXED : want;
    int err = io->read_at(io->ctx, raw, want, offset, got);
    if (err == 0 && *got == want && fmt_get_u32(raw) == FMT_BLOCK_MAGIC) {
        size_t size = fmt_get_u32(raw + 4);
        if (size > want && size <= FMT_HEADER_MAX && size <= room && !(light && is_data(raw))) {
            err = io->read_at(io->ctx, raw, size, offset, got);
        }
    }
    if (err != 0) {
        return fmt_fail(error, FMT_ERR_IO, (struct fmt_place){io->path, offset, pe}, err,
                        "cannot read");
    }
    return FMT_OK;
}

/* Returns true if the entry of a column in a block header is valid. width: size that each value
 * must have; raw_size: size that the decoded column must have. If the column is not that of a
 * field, both are unknown, and width is 0. */
static bool column_valid(const struct fmt_column *c, uint64_t width, uint64_t raw_size)
{
    if (c->width == 0 || (width != 0 && (c->width != width || c->raw_size != raw_size))) {
        return false;
    }
    if (c->raw_size % c->width != 0) {
        return false;
    }
    switch (c->encoding) {
    case FMT_ENCODING_RAW:
        return c->stored_size == c->raw_size;
    case FMT_ENCODING_CONST:
        return c->stored_size == c->width && c->raw_size >= c->width;
    default:
        return c->encoding < FMT_ENCODINGS && c->stored_size > 0 && c->stored_size <= c->raw_size;
    }
}

/* Checks the table of columns, which follows the fixed part of a block header. schema: schema of a
 * data block; NULL for other blocks. Returns NULL, or the reason why the table is invalid. */
static const char *columns_parse(const uint8_t *raw, const struct fmt_block_header *h,
                                 const struct fmt_schema *schema)
{
    assert(FMT_BLOCK_FIXED + (uint64_t)h->n_columns * FMT_COLUMN_ENTRY <= h->header_size);
    uint64_t raw_size = 0, stored_size = 0;
    for (uint32_t i = 0; i < h->n_columns; i++) {
        struct fmt_column c;
        fmt_column_decode(raw + FMT_BLOCK_FIXED + (size_t)i * FMT_COLUMN_ENTRY, &c);
        bool is_field = schema != NULL && i < schema->n_fields;
        uint64_t width = is_field ? fmt_type_size(schema->fields[i].type) : 0;
        if (!column_valid(&c, width, width * h->n_records)) {
            return "a column of the block is damaged or of an unknown encoding";
        }
        raw_size += c.raw_size;
        stored_size += c.stored_size;
    }
    if (raw_size != h->raw_size || stored_size != h->stored_size) {
        return "the sizes in the block's header do not add up";
    }
    return NULL;
}

/* Finds the schema of a data block, and checks the header's numbers of records and columns. Returns
 * NULL, or the reason why the header is invalid. */
static const char *data_parse(const struct fmt_reader *reader, const struct fmt_block_header *h,
                              struct fmt_block *block)
{
    block->schema = fmt_schema_find(&reader->sb, h->schema_id);
    if (block->schema == NULL) {
        return "the block's kind of record is not described in the superblock";
    }
    if (h->n_records == 0 || h->n_records > FMT_BLOCK_RECORDS_MAX) {
        return "the block's number of records is not possible";
    }
    if (h->n_columns != fmt_schema_columns(block->schema)) {
        return "the block's number of columns is not that of its records";
    }
    return NULL;
}

/* raw: the header; NULL: its table of columns is not checked. */
static const char *header_parse(const struct fmt_reader *reader, const uint8_t *raw,
                                const struct fmt_block_header *h, uint64_t room,
                                struct fmt_block *block)
{
    const char *wrong = NULL;
    if (h->file_id != reader->sb.layout.file_id) {
        return "the block belongs to another file";
    }
    if (h->n_columns > (h->header_size - FMT_BLOCK_FIXED) / FMT_COLUMN_ENTRY) {
        return "the block's header is damaged";
    }
    if (h->stored_size > room - h->header_size) {
        return "the block reaches beyond its extent";
    }
    if (h->header_size + h->stored_size > reader->file_size - block->offset) {
        return "the file is cut off in this block";
    }
    if (h->raw_size > FMT_BLOCK_RAW_MAX) {
        return "the block's decoded size is not possible";
    }
    if (h->kind == 0) {
        wrong = "the block is of no kind";
    } else if (h->kind == FMT_BLOCK_DATA) {
        wrong = data_parse(reader, h, block);
    } else if (h->kind <= FMT_BLOCK_NAMES && h->n_columns != 1) {
        wrong = "the block's number of columns is not 1";
    }
    if (wrong == NULL && h->kind <= FMT_BLOCK_NAMES && raw != NULL) {
        wrong = columns_parse(raw, h, block->schema);
    }
    return wrong;
}

const char *fmt_block_parse(const struct fmt_reader *reader, const uint8_t *raw, size_t got,
                            bool light, uint64_t offset, uint64_t room, struct fmt_block_header *h,
                            struct fmt_block *block)
{
    *block = (struct fmt_block){.offset = offset};
    if (got < FMT_BLOCK_FIXED) {
        return "the file is cut off in a block's header";
    }
    if (fmt_get_u32(raw) != FMT_BLOCK_MAGIC) {
        return "no block where one should begin";
    }
    fmt_block_header_decode(raw, h);
    if (h->header_size < FMT_BLOCK_FIXED || h->header_size > FMT_HEADER_MAX ||
        h->header_size % 8 != 0 || h->header_size > room) {
        return "a block's header is damaged";
    }
    light = light && is_data(raw);
    if (h->header_size > got && !light) {
        return "the file is cut off in a block's header";
    }
    if (!light && XXH3_64bits(raw + 16, h->header_size - 16) != fmt_get_u64(raw + 8)) {
        return "the checksum of a block's header is wrong";
    }
    *block = (struct fmt_block){.offset = offset,
                                .stored_size = h->header_size + h->stored_size,
                                .raw_size = h->raw_size,
                                .sequence = h->sequence,
                                .first_record = h->first_record,
                                .kind = h->kind,
                                .pe = h->pe,
                                .n_records = h->n_records,
                                .header_size = h->header_size,
                                .n_columns = h->n_columns,
                                .min_virtual_time = h->min_virtual_time,
                                .max_virtual_time = h->max_virtual_time,
                                .min_real_time = h->min_real_time,
                                .max_real_time = h->max_real_time,
                                .gvt = h->gvt};
    return header_parse(reader, light ? NULL : raw, h, room, block);
}

bool fmt_reader_is_new(const struct fmt_reader *reader)
{
    uint8_t mark[FMT_NEW_MARK_SIZE];
    size_t got = 0;
    uint64_t offset = reader->sb.layout.first_extent - FMT_NEW_MARK_SIZE;
    return offset >= reader->sb_size &&
           reader->io->read_at(reader->io->ctx, mark, sizeof mark, offset, &got) == 0 &&
           got == sizeof mark && memcmp(mark, FMT_NEW_MARK, sizeof mark) == 0;
}
