/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decode.c - decodes the bodies of blocks: checksums and columns of data blocks, and META, CHANGE,
 * NAMES and END blocks.
 *
 * A block is read into one piece of memory, which the caller reuses for the next block:
 *
 *     stored block | columns, 8-aligned each | payload_offset | pointers to columns | scratch
 *
 * Invariants
 *  D1  Header and checksum are checked on the same bytes that are decoded, so a file that changes
 *      during the call does no harm.
 *  D2  Every column decodes to exactly its raw_size.
 */
#include <assert.h>
#include <stdlib.h>
#include <xxhash.h>

#include "format/bytes.h"
#include "format/fail.h"
#include "format/meta.h"
#include "format/names.h"
#include "format/reader.h"
#include "format/schema.h"

/* Reports a block that cannot be decoded, or memory that is exhausted. */
static enum fmt_status unreadable(const struct fmt_reader *r, const struct fmt_block *block,
                                  bool no_memory, const char *words, struct fmt_error *error)
{
    return fmt_fail(error, no_memory ? FMT_ERR_MEMORY : FMT_ERR_DAMAGED,
                    (struct fmt_place){r->io->path, block->offset, block->pe}, 0, "%s",
                    no_memory ? "out of memory" : words);
}

static enum fmt_status columns_reserve(const struct fmt_reader *r, struct fmt_columns *columns,
                                       size_t size, struct fmt_error *error)
{
    if (columns->memory_size >= size) {
        return FMT_OK;
    }
    free(columns->memory);
    columns->memory = malloc(size);
    columns->memory_size = columns->memory == NULL ? 0 : size;
    if (columns->memory != NULL) {
        return FMT_OK;
    }
    return fmt_fail(error, FMT_ERR_MEMORY,
                    (struct fmt_place){r->io->path, FMT_NO_OFFSET, FMT_NO_PE}, 0, "out of memory");
}

void fmt_columns_free(struct fmt_columns *columns)
{
    free(columns->memory);
    *columns = (struct fmt_columns){0};
}

/* Reads a block to the start of columns->memory, and checks the header and the checksum of the
 * body. Makes columns->memory at least size bytes long, for the parts that follow the block. */
static enum fmt_status block_load(const struct fmt_reader *r, const struct fmt_block *block,
                                  struct fmt_columns *columns, size_t size,
                                  struct fmt_block_header *header, struct fmt_error *error)
{
    assert(size >= block->stored_size);
    enum fmt_status status = columns_reserve(r, columns, size, error);
    if (status == FMT_OK) {
        status = fmt_reader_read(r, block->offset, columns->memory, (size_t)block->stored_size,
                                 block->pe, error);
    }
    if (status != FMT_OK) {
        return status;
    }
    struct fmt_block now;
    const uint8_t *raw = columns->memory;
    const char *wrong = fmt_block_parse(r, raw, (size_t)block->stored_size, false, block->offset,
                                        block->stored_size, header, &now);
    if (wrong == NULL && (now.stored_size != block->stored_size || now.kind != block->kind ||
                          now.raw_size != block->raw_size || now.n_records != block->n_records ||
                          now.schema != block->schema || now.n_columns != block->n_columns)) {
        wrong = "the block changed while it was read";
    }
    if (wrong == NULL &&
        XXH3_64bits(raw + header->header_size, header->stored_size) != header->body_hash) {
        wrong = "the checksum of a block's body is wrong";
    }
    return wrong == NULL ? FMT_OK : unreadable(r, block, false, wrong, error);
}

enum fmt_status fmt_block_check(const struct fmt_reader *reader, const struct fmt_block *block,
                                struct fmt_columns *columns, struct fmt_error *error)
{
    struct fmt_block_header header;
    columns->schema = NULL;
    if (block->kind == FMT_BLOCK_NAMES) {
        return fmt_block_read_names(reader, block, NULL, NULL, error);
    }
    return block_load(reader, block, columns, (size_t)block->stored_size, &header, error);
}

/* Decodes the column c from its stored bytes to c->raw_size bytes at `to`. Returns false if the
 * column is invalid. */
static bool column_decode(const struct fmt_column *c, const uint8_t *stored, uint8_t *to,
                          uint8_t *scratch)
{
    const struct fmt_stored s = {
        .bytes = stored, .size = c->stored_size, .n = c->raw_size / c->width, .width = c->width};
    return fmt_column_read(c->encoding, &s, to, scratch);
}

/* Offsets of the parts of columns->memory, and the size of that memory. */
struct plan {
    size_t values, offsets, pointers, scratch, size;
};

static struct plan plan_make(const struct fmt_block *block)
{
    struct plan p;
    p.values = (size_t)fmt_align(block->stored_size, 8);
    p.offsets = p.values + (size_t)block->raw_size + 8 * (size_t)block->n_columns;
    p.offsets = (size_t)fmt_align(p.offsets, 8);
    p.pointers = p.offsets + 8 * ((size_t)block->n_records + 1);
    p.scratch = p.pointers + (size_t)fmt_align(sizeof(uint8_t *) * block->n_columns, 8);
    p.size = p.scratch + fmt_column_scratch((size_t)block->raw_size);
    return p;
}

/* Computes the offsets of the payloads from their sizes. Returns false if the sum of the sizes is
 * not `total`. */
static bool payload_offsets(struct fmt_columns *columns, uint64_t total)
{
    int32_t field = columns->schema->role_field[FMT_ROLE_PAYLOAD_SIZE];
    assert(field >= 0);
    const uint8_t *sizes = columns->values[field];
    uint64_t at = 0;
    for (uint32_t i = 0; i < columns->n_records; i++) {
        columns->payload_offset[i] = at;
        at += fmt_get_u32(sizes + (size_t)i * 4);
    }
    columns->payload_offset[columns->n_records] = at;
    return at == total;
}

/* Returns true if column i is in the set `wanted`, or if wanted is NULL. Column n_fields has the
 * payloads. */
static bool column_is_wanted(const struct fmt_wanted *wanted, const struct fmt_schema *schema,
                             uint32_t i)
{
    assert(i <= schema->n_fields);
    if (wanted == NULL) {
        return true;
    }
    if (i == schema->n_fields ||
        (wanted->payload && schema->role_field[FMT_ROLE_PAYLOAD_SIZE] == (int32_t)i)) {
        return wanted->payload;
    }
    return fmt_wanted_has(wanted, i);
}

static const char *body_decode(struct fmt_columns *columns, const struct fmt_block_header *header,
                               const struct plan *p, const struct fmt_wanted *wanted)
{
    const uint8_t *stored = columns->memory + header->header_size;
    uint8_t *to = columns->memory + p->values;
    const struct fmt_schema *schema = columns->schema;
    struct fmt_column c = {0};
    for (uint32_t i = 0; i < header->n_columns; i++) {
        fmt_column_decode(columns->memory + FMT_BLOCK_FIXED + (size_t)i * FMT_COLUMN_ENTRY, &c);
        columns->values[i] = NULL;
        if (column_is_wanted(wanted, schema, i)) {
            if (!column_decode(&c, stored, to, columns->memory + p->scratch)) {
                return "a compressed column cannot be decoded";
            }
            columns->values[i] = to;
            to += fmt_align(c.raw_size, 8);
        }
        stored += c.stored_size;
    }
    if (wanted != NULL && !wanted->payload) {
        return NULL;
    }
    columns->payload_offset = (uint64_t *)(void *)(columns->memory + p->offsets);
    if (!fmt_schema_has_payload(schema)) {
        memset(columns->payload_offset, 0, ((size_t)columns->n_records + 1) * sizeof(uint64_t));
        return NULL;
    }
    columns->payload = columns->values[schema->n_fields];
    return payload_offsets(columns, c.raw_size) ? NULL : "the payload sizes do not add up";
}

enum fmt_status fmt_block_decode(const struct fmt_reader *reader, const struct fmt_block *block,
                                 struct fmt_columns *columns, struct fmt_error *error)
{
    return fmt_block_decode_some(reader, block, NULL, columns, error);
}

enum fmt_status fmt_block_decode_some(const struct fmt_reader *reader,
                                      const struct fmt_block *block,
                                      const struct fmt_wanted *wanted, struct fmt_columns *columns,
                                      struct fmt_error *error)
{
    struct fmt_block_header header;
    struct plan p = plan_make(block);
    columns->schema = NULL;
    columns->payload = NULL;
    columns->payload_offset = NULL;
    if (block->kind != FMT_BLOCK_DATA) {
        return fmt_fail(error, FMT_ERR_ARG,
                        (struct fmt_place){reader->io->path, block->offset, block->pe}, 0,
                        "not a data block");
    }
    enum fmt_status status = block_load(reader, block, columns, p.size, &header, error);
    if (status != FMT_OK) {
        return status;
    }
    columns->schema = block->schema;
    columns->n_records = block->n_records;
    columns->values = (uint8_t **)(void *)(columns->memory + p.pointers);
    const char *wrong = body_decode(columns, &header, &p, wanted);
    if (wrong == NULL) {
        return FMT_OK;
    }
    columns->schema = NULL;
    return unreadable(reader, block, false, wrong, error);
}

/* ---- Values ---------------------------------------------------------------------------------- */

struct fmt_value fmt_value_read(const uint8_t *raw, uint32_t type)
{
    struct fmt_value v = {.type = type};
    float single;
    uint32_t bits;
    switch (type) {
    case FMT_U8:
        v.as.u = raw[0];
        break;
    case FMT_U16:
        v.as.u = fmt_get_u16(raw);
        break;
    case FMT_U32:
        v.as.u = fmt_get_u32(raw);
        break;
    case FMT_U64:
        v.as.u = fmt_get_u64(raw);
        break;
    case FMT_I8:
        v.as.i = (int8_t)raw[0];
        break;
    case FMT_I16:
        v.as.i = (int16_t)fmt_get_u16(raw);
        break;
    case FMT_I32:
        v.as.i = (int32_t)fmt_get_u32(raw);
        break;
    case FMT_I64:
        v.as.i = (int64_t)fmt_get_u64(raw);
        break;
    case FMT_F32:
        bits = fmt_get_u32(raw);
        memcpy(&single, &bits, sizeof single);
        v.as.f = (double)single;
        break;
    default:
        v.as.f = fmt_get_f64(raw);
        break;
    }
    return v;
}

struct fmt_value fmt_columns_value(const struct fmt_columns *columns, uint32_t field, uint32_t row)
{
    uint32_t type = columns->schema->fields[field].type;
    return fmt_value_read(columns->values[field] + row * fmt_type_size(type), type);
}

/* ---- Check of the header against the records ------------------------------------------------- */

/* Returns true if min and max are the minimum and maximum of the field with this role. If there is
 * no such field, or all its values are NaN, min and max must be NaN. */
static bool range_right(const struct fmt_columns *columns, enum fmt_role role, double min,
                        double max)
{
    int32_t field = columns->schema->role_field[role];
    double low = 0.0, high = 0.0;
    bool any = false;
    for (uint32_t i = 0; field >= 0 && i < columns->n_records; i++) {
        double v = fmt_columns_value(columns, (uint32_t)field, i).as.f;
        if (v != v) {
            continue;
        }
        low = !any || v < low ? v : low;
        high = !any || v > high ? v : high;
        any = true;
    }
    return any ? min == low && max == high : min != min && max != max;
}

enum fmt_status fmt_block_verify(const struct fmt_reader *reader, const struct fmt_block *block,
                                 struct fmt_columns *columns, struct fmt_error *error)
{
    if (block->kind != FMT_BLOCK_DATA) {
        return fmt_block_check(reader, block, columns, error);
    }
    enum fmt_status status = fmt_block_decode(reader, block, columns, error);
    if (status != FMT_OK) {
        return status;
    }
    if (!range_right(columns, FMT_ROLE_VIRTUAL_TIME, block->min_virtual_time,
                     block->max_virtual_time) ||
        !range_right(columns, FMT_ROLE_REAL_TIME, block->min_real_time, block->max_real_time)) {
        return unreadable(reader, block, false,
                          "the times in the header are not those of the records", error);
    }
    int32_t field = block->schema->role_field[FMT_ROLE_PE];
    for (uint32_t i = 0; field >= 0 && i < block->n_records; i++) {
        if (fmt_columns_value(columns, (uint32_t)field, i).as.u != block->pe) {
            return unreadable(reader, block, false, "a record of another PE", error);
        }
    }
    return FMT_OK;
}

/* ---- META, CHANGE, NAMES and END blocks ------------------------------------------------------ */

/* Decodes the body of a block that has one column. *at receives the offset of the decoded body in
 * columns->memory. */
static enum fmt_status bytes_decode(const struct fmt_reader *r, const struct fmt_block *block,
                                    uint32_t kind, struct fmt_columns *columns, size_t *at,
                                    struct fmt_error *error)
{
    struct fmt_block_header header;
    if (block->kind != kind || block->n_columns != 1 || block->raw_size > FMT_META_RAW_MAX) {
        return unreadable(r, block, false, "the block's body does not agree with its kind", error);
    }
    *at = (size_t)fmt_align(block->stored_size, 8);
    size_t scratch = *at + (size_t)fmt_align(block->raw_size, 8);
    size_t size = scratch + fmt_column_scratch((size_t)block->raw_size);
    enum fmt_status status = block_load(r, block, columns, size, &header, error);
    if (status != FMT_OK) {
        return status;
    }
    struct fmt_column c;
    fmt_column_decode(columns->memory + FMT_BLOCK_FIXED, &c);
    if (!column_decode(&c, columns->memory + header.header_size, columns->memory + *at,
                       columns->memory + scratch)) {
        return unreadable(r, block, false, "the block's body cannot be decoded", error);
    }
    return FMT_OK;
}

enum fmt_status fmt_block_read_meta(const struct fmt_reader *reader, const struct fmt_block *block,
                                    struct fmt_desc_set *set, struct fmt_error *error)
{
    struct fmt_columns scratch = {0};
    size_t at = 0;
    enum fmt_status status = bytes_decode(reader, block, FMT_BLOCK_META, &scratch, &at, error);
    if (status == FMT_OK) {
        bool no_memory;
        const char *wrong =
            fmt_desc_set_add(set, scratch.memory + at, (size_t)block->raw_size, &no_memory);
        if (wrong != NULL) {
            status = unreadable(reader, block, no_memory, wrong, error);
        }
    }
    fmt_columns_free(&scratch);
    return status;
}

enum fmt_status fmt_block_read_change(const struct fmt_reader *reader,
                                      const struct fmt_block *block, struct fmt_change *change,
                                      struct fmt_error *error)
{
    struct fmt_columns scratch = {0};
    size_t at = 0;
    enum fmt_status status = bytes_decode(reader, block, FMT_BLOCK_CHANGE, &scratch, &at, error);
    if (status == FMT_OK &&
        !fmt_change_decode(change, scratch.memory + at, (size_t)block->raw_size)) {
        status = unreadable(reader, block, false, "the CHANGE block is damaged", error);
    }
    fmt_columns_free(&scratch);
    return status;
}

enum fmt_status fmt_block_read_names(const struct fmt_reader *reader, const struct fmt_block *block,
                                     fmt_take_name take, void *ctx, struct fmt_error *error)
{
    struct fmt_columns scratch = {0};
    size_t at = 0;
    enum fmt_status status = bytes_decode(reader, block, FMT_BLOCK_NAMES, &scratch, &at, error);
    struct fmt_name_before entry = {0};
    struct fmt_in in = {.size = (size_t)block->raw_size};
    in.data = status == FMT_OK ? scratch.memory + at : NULL;
    while (status == FMT_OK && in.pos < in.size) {
        bool is_good = fmt_name_decode(&in, &entry);
        if (!is_good || (take != NULL && !take(ctx, entry.lp, entry.text))) {
            status = unreadable(reader, block, is_good, "the NAMES block is damaged", error);
        }
    }
    fmt_columns_free(&scratch);
    return status;
}

enum fmt_status fmt_block_read_end(const struct fmt_reader *reader, const struct fmt_block *block,
                                   struct fmt_end *end, struct fmt_error *error)
{
    struct fmt_columns scratch = {0};
    size_t at = 0;
    enum fmt_status status = bytes_decode(reader, block, FMT_BLOCK_END, &scratch, &at, error);
    bool no_memory;
    if (status == FMT_OK &&
        !fmt_end_decode(end, scratch.memory + at, (size_t)block->raw_size, &no_memory)) {
        status = unreadable(reader, block, no_memory, "the END block is damaged", error);
    }
    fmt_columns_free(&scratch);
    return status;
}
