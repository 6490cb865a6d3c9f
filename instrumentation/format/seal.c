/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seal.c - seals rows into a block.
 *
 * All rows are transposed to byte planes at once. Payloads are included if they have one size, so
 * that the fields of the model become planes as well. Then each column is stored: equal values
 * once, other columns by fmt_pack(), or unchanged if that does not shrink them. Payloads of
 * different sizes are one more column of bytes.
 *
 * Invariants
 *  S1  The sealed block is never larger than its header and its rows.
 *  S2  No byte of the rows' padding is in the block.
 * Cost: 150 to 250 instructions per record of 72 bytes, of which the planes take 90; no
 * allocation.
 */
#include "format/seal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

#include "format/bytes.h"
#include "format/schema.h"
#include "format/shuffle.h"

/* Size of the rows of a block in bytes, unless one record is larger. */
#define BLOCK_ROWS_BYTES  (128u << 10)
#define BLOCK_REST_PART   8u    /* a block may exceed that by 1/8, to avoid a small last block */
#define SHUFFLE_WIDTH_MAX 4096u /* payloads wider than this number of bytes are not shuffled */
#define PREFETCH_BYTES    2048u /* distance of the prefetch in bytes, for slow memory */
#define COMPRESS_MIN      32u   /* columns with fewer bytes are not compressed */
#define PLANES_MIN        16u   /* least number of records for byte planes */

#define IS_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* Chooses the size of blocks: half an extent, so that little of an extent stays empty, but at least
 * one record and at most an extent. */
static void block_bytes_choose(struct fmt_sealer *s, uint32_t n_columns, size_t extent_size)
{
    size_t header = FMT_BLOCK_FIXED + FMT_COLUMN_ENTRY * n_columns;
    assert(extent_size >= header);
    size_t usual = extent_size / 2 < BLOCK_ROWS_BYTES ? extent_size / 2 : BLOCK_ROWS_BYTES;
    size_t most = usual + usual / BLOCK_REST_PART;
    if (most > extent_size - header) {
        most = extent_size - header;
    }
    usual = usual < most ? usual : most;
    s->block_usual = usual < s->row_bytes_max ? s->row_bytes_max : usual;
    s->block_bytes = most < s->row_bytes_max ? s->row_bytes_max : most;
}

/* Returns the maximum number of bytes of a row that are transposed to planes. */
static size_t plane_bytes(const struct fmt_sealer *s, const struct fmt_schema *schema)
{
    size_t payload = fmt_schema_has_payload(schema) ? s->row_bytes_max - schema->row_size : 0;
    return schema->row_size + (payload < SHUFFLE_WIDTH_MAX ? payload : SHUFFLE_WIDTH_MAX);
}

/* Allocates the memory for each kind of records. Returns false if memory is exhausted. */
static bool kinds_create(struct fmt_sealer *s, const struct fmt_schema *const *schemas,
                         uint32_t n_schemas)
{
    size_t all = 0, most = 0;
    s->kinds = calloc(n_schemas, sizeof *s->kinds);
    for (uint32_t i = 0; i < n_schemas; i++) {
        size_t bytes = plane_bytes(s, schemas[i]);
        all += bytes + bytes / 8;
        most = bytes > most ? bytes : most;
    }
    s->kinds_bytes = calloc(all, 1);
    s->differ = malloc(most);
    if (s->kinds == NULL || s->kinds_bytes == NULL || s->differ == NULL) {
        return false;
    }
    s->n_kinds = n_schemas;
    all = 0;
    for (uint32_t i = 0; i < n_schemas; i++) {
        size_t bytes = plane_bytes(s, schemas[i]);
        uint8_t *memory = s->kinds_bytes + all;
        s->kinds[i] = (struct fmt_kind_memory){schemas[i], memory, memory + bytes};
        all += bytes + bytes / 8;
    }
    return true;
}

struct fmt_sealer *fmt_sealer_create(const struct fmt_schema *const *schemas, uint32_t n_schemas,
                                     size_t row_bytes_max, size_t extent_size)
{
    assert(n_schemas > 0);
    uint32_t n_columns = 0;
    size_t row_size_least = SIZE_MAX;
    for (uint32_t i = 0; i < n_schemas; i++) {
        uint32_t n = fmt_schema_columns(schemas[i]);
        size_t row_size = schemas[i]->row_size;
        n_columns = n > n_columns ? n : n_columns;
        row_size_least = row_size < row_size_least ? row_size : row_size_least;
    }
    struct fmt_sealer *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->row_bytes_max = row_bytes_max;
    block_bytes_choose(s, n_columns, extent_size);
    s->out = malloc(FMT_HEADER_MAX + s->block_bytes + FMT_PACK_SLACK);
    s->column = malloc(s->block_bytes + FMT_PACK_SLACK);
    s->planes = malloc(s->block_bytes + FMT_PACK_SLACK);
    s->row_offset = malloc((s->block_bytes / row_size_least + 2) * sizeof *s->row_offset);
    s->packer = calloc(1, sizeof *s->packer);
    if (s->out != NULL && s->column != NULL && s->planes != NULL && s->row_offset != NULL &&
        s->packer != NULL && kinds_create(s, schemas, n_schemas)) {
        return s;
    }
    fmt_sealer_destroy(s);
    return NULL;
}

void fmt_sealer_destroy(struct fmt_sealer *s)
{
    if (s == NULL) {
        return;
    }
    free(s->out);
    free(s->column);
    free(s->planes);
    free(s->differ);
    free(s->row_offset);
    free(s->packer);
    free(s->kinds);
    free(s->kinds_bytes);
    free(s);
}

static uint32_t row_u32(const uint8_t *row, const struct fmt_field *field)
{
    uint32_t v;
    memcpy(&v, row + field->offset, sizeof v);
    return v;
}

static const struct fmt_field *role_field(const struct fmt_schema *schema, enum fmt_role role)
{
    int32_t i = schema->role_field[role];
    return i < 0 ? NULL : &schema->fields[i];
}

/* Selects rows from pos on, like the row before them, as long as they have the given payload size
 * and end before limit. Most rows are selected here. */
static size_t rows_alike(struct fmt_sealer *s, const uint8_t *rows, size_t pos, size_t limit,
                         const struct fmt_field *payload, uint32_t payload_size, size_t bytes)
{
    assert(bytes >= s->kind->schema->row_size && bytes % 8 == 0);
    uint32_t n = s->n_rows;
    while (pos + bytes <= limit && n < FMT_BLOCK_RECORDS_MAX) {
        /* More rows are expected after the last one. */
        __builtin_prefetch(rows + pos + PREFETCH_BYTES);
        if (payload != NULL && row_u32(rows + pos, payload) != payload_size) {
            break;
        }
        s->row_offset[n++] = (uint32_t)pos;
        pos += bytes;
    }
    s->n_rows = n;
    return pos;
}

static const struct fmt_kind_memory *kind_find(const struct fmt_sealer *s,
                                               const struct fmt_schema *schema)
{
    for (uint32_t i = 0; i < s->n_kinds; i++) {
        if (s->kinds[i].schema == schema) {
            return &s->kinds[i];
        }
    }
    return NULL;
}

size_t fmt_sealer_choose(struct fmt_sealer *s, const struct fmt_schema *schema, const uint8_t *rows,
                         size_t size, const char **wrong)
{
    const struct fmt_field *payload = role_field(schema, FMT_ROLE_PAYLOAD_SIZE);
    const size_t row_size = schema->row_size;
    const size_t block_bytes = size <= s->block_bytes ? s->block_bytes : s->block_usual;
    const size_t limit = size < block_bytes ? size : block_bytes;
    size_t pos = 0, first_size = 0;
    s->kind = kind_find(s, schema);
    s->n_rows = 0;
    s->one_size = true;
    *wrong = s->kind == NULL ? "the file has no records of this kind" : NULL;
    if (s->kind == NULL) {
        return 0;
    }
    while (pos < size && s->n_rows < FMT_BLOCK_RECORDS_MAX) {
        if (size - pos < row_size) {
            *wrong = "the last record is not complete";
            break;
        }
        uint32_t payload_size = payload == NULL ? 0 : row_u32(rows + pos, payload);
        size_t bytes = fmt_row_bytes(row_size, payload_size);
        if (payload_size > FMT_PAYLOAD_MAX || bytes > s->row_bytes_max) {
            *wrong = "a record is larger than announced";
            break;
        }
        if (bytes > size - pos) {
            *wrong = "the last record is not complete";
            break;
        }
        if (pos + bytes > block_bytes) {
            break;
        }
        first_size = s->n_rows == 0 ? payload_size : first_size;
        s->one_size = s->one_size && payload_size == first_size;
        s->row_offset[s->n_rows++] = (uint32_t)pos;
        pos = rows_alike(s, rows, pos + bytes, limit, payload, payload_size, bytes);
    }
    s->row_offset[s->n_rows] = (uint32_t)pos;
    return pos;
}

/* Stores in *value the value that all rows of a column have. Returns false if the rows differ. */
static bool same_value(const struct fmt_planes *planes, uint8_t *value)
{
    uint8_t differ = 0;
    for (size_t b = 0; b < planes->n_planes; b++) {
        differ |= planes->differ[b];
        value[b] = planes->bytes[b * planes->n];
    }
    return differ == 0;
}

/* Adds planes to the block as its next column, and to the header. */
static void column_store(struct fmt_sealer *s, struct fmt_block_header *h,
                         const struct fmt_planes *planes)
{
    size_t size = planes->n_planes * planes->n;
    assert(h->stored_size + size <= s->block_bytes);
    struct fmt_column c = {.width = (uint32_t)planes->n_planes, .raw_size = (uint32_t)size};
    uint8_t *to = s->out + h->header_size + h->stored_size;
    c.stored_size = c.raw_size;
    if (planes->n > 1 && planes->differ != NULL && same_value(planes, to)) {
        c.encoding = FMT_ENCODING_CONST;
        c.stored_size = c.width;
    } else if (size >= COMPRESS_MIN) {
        const struct fmt_planes one = {.bytes = planes->bytes, .n_planes = 1, .n = size};
        size_t stored = fmt_pack(s->packer, planes->n < PLANES_MIN ? &one : planes, to, size - 1);
        c.encoding = stored > 0 ? FMT_ENCODING_SHUFFLE : FMT_ENCODING_RAW;
        c.stored_size = stored > 0 ? (uint32_t)stored : c.raw_size;
    }
    if (c.encoding == FMT_ENCODING_RAW) {
        fmt_unshuffle(to, planes->bytes, planes->n_planes, planes->n);
    }
    fmt_column_encode(s->out + FMT_BLOCK_FIXED + (size_t)h->n_columns * FMT_COLUMN_ENTRY, &c);
    h->n_columns++;
    h->raw_size += c.raw_size;
    h->stored_size += c.stored_size;
}

/* Adds size bytes of s->column to the block as its next column. */
static void bytes_store(struct fmt_sealer *s, struct fmt_block_header *h, size_t size)
{
    const struct fmt_planes one = {.bytes = s->column, .n_planes = 1, .n = size};
    column_store(s, h, &one);
}

/* Adds the payloads of all rows, of different sizes, as the last column. */
static void payload_store(struct fmt_sealer *s, struct fmt_block_header *h, const uint8_t *rows,
                          const struct fmt_field *size_field)
{
    size_t row_size = s->kind->schema->row_size, total = 0;
    for (uint32_t i = 0; i < s->n_rows; i++) {
        const uint8_t *row = rows + s->row_offset[i];
        size_t size = row_u32(row, size_field);
        assert(total + size <= s->block_bytes);
        memcpy(s->column + total, row + row_size, size);
        total += size;
    }
    bytes_store(s, h, total);
}

static void header_begin(struct fmt_block_header *h, uint32_t n_columns)
{
    h->header_size = FMT_BLOCK_FIXED + FMT_COLUMN_ENTRY * n_columns;
    h->n_columns = 0;
    h->n_records = 0;
    h->schema_id = 0;
    h->raw_size = h->stored_size = 0;
    h->min_virtual_time = h->max_virtual_time = NAN;
    h->min_real_time = h->max_real_time = NAN;
}

static void header_finish(struct fmt_sealer *s, struct fmt_block_header *h)
{
    assert(h->header_size == FMT_BLOCK_FIXED + FMT_COLUMN_ENTRY * h->n_columns);
    h->body_hash = XXH3_64bits(s->out + h->header_size, h->stored_size);
    fmt_block_header_encode(s->out, h);
    s->out_size = h->header_size + h->stored_size;
}

/* Transposes the rows to planes in s->planes, and sets the time ranges of the header. bytes: size
 * of each row. On big-endian machines the rows are first converted to a copy in s->column. */
static void rows_gather(struct fmt_sealer *s, struct fmt_block_header *h, const uint8_t *rows,
                        size_t bytes)
{
    assert(s->n_rows > 0 && bytes % 8 == 0);
    const struct fmt_schema *schema = s->kind->schema;
    const struct fmt_field *virtual_time = role_field(schema, FMT_ROLE_VIRTUAL_TIME);
    const struct fmt_field *real_time = role_field(schema, FMT_ROLE_REAL_TIME);
    const struct fmt_gathered to = {s->planes, s->differ, s->kind->varies};
    struct fmt_rows from = {rows, s->row_offset, s->n_rows};
    struct fmt_range ranges[2];
    unsigned n = 0;
    if (virtual_time != NULL) {
        ranges[n++].offset = virtual_time->offset;
    }
    if (real_time != NULL) {
        ranges[n++].offset = real_time->offset;
    }
    if (!IS_LITTLE_ENDIAN) {
        fmt_rows_turn(schema, &from, s->row_offset[s->n_rows], s->column);
        from.first = s->column;
    }
    fmt_gather(&from, bytes, &to, ranges, n);
    if (virtual_time != NULL) {
        h->min_virtual_time = ranges[0].min;
        h->max_virtual_time = ranges[0].max;
    }
    if (real_time != NULL) {
        h->min_real_time = ranges[n - 1].min;
        h->max_real_time = ranges[n - 1].max;
    }
}

/* Adds a column to the block: `width` bytes of each row, at offset. */
static void planes_store(struct fmt_sealer *s, struct fmt_block_header *h, size_t offset,
                         size_t width)
{
    const struct fmt_planes planes = {.bytes = s->planes + offset * s->n_rows,
                                      .n_planes = width,
                                      .n = s->n_rows,
                                      .differ = s->differ + offset,
                                      .rest = s->kind->rest + offset};
    column_store(s, h, &planes);
}

void fmt_sealer_seal_rows(struct fmt_sealer *s, const uint8_t *rows, struct fmt_block_header *h)
{
    assert(s->kind != NULL && s->n_rows > 0);
    const struct fmt_schema *schema = s->kind->schema;
    const struct fmt_field *payload = role_field(schema, FMT_ROLE_PAYLOAD_SIZE);
    size_t width = payload == NULL ? 0 : row_u32(rows, payload);
    bool planes = s->one_size && width > 0 && width <= SHUFFLE_WIDTH_MAX;
    header_begin(h, fmt_schema_columns(schema));
    h->schema_id = schema->id;
    h->n_records = s->n_rows;
    rows_gather(s, h, rows, fmt_row_bytes(schema->row_size, planes ? width : 0));
    for (uint32_t i = 0; i < schema->n_fields; i++) {
        const struct fmt_field *field = &schema->fields[i];
        planes_store(s, h, field->offset, fmt_type_size(field->type));
    }
    if (planes) {
        planes_store(s, h, schema->row_size, width);
    } else if (payload != NULL) {
        payload_store(s, h, rows, payload);
    }
    header_finish(s, h);
}

void fmt_sealer_seal_bytes(struct fmt_sealer *s, size_t size, struct fmt_block_header *h)
{
    assert(size <= s->block_bytes);
    header_begin(h, 1);
    bytes_store(s, h, size);
    header_finish(s, h);
}
