/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seal.c - seals rows into a block.
 *
 * The values of each column are gathered from the rows and stored in the encoding that takes the
 * least space (column/). There are three ways to store payloads. Payloads of equal size are structs
 * of the model: the sealer divides them into pieces of 4 or 8 bytes, which are encoded like
 * columns. If byte planes (column/shuffle.h) take much less space, it stores the payloads as byte
 * planes instead. Payloads of different sizes are stored as one column of bytes.
 *
 * Invariants
 *  S1  The sealed block is never larger than its header and its rows.
 *  S2  No byte of the rows' padding is in the block.
 */
#include "format/seal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "format/bytes.h"
#include "format/column/hash.h"
#include "format/schema.h"

/* A block that others follow has a multiple of this number of rows. Vectors then hold the numbers
 * of packed columns without a rest. */
#define ROWS_UNIT 256u
/* Byte planes are used only if they take at least 1/8 less space than pieces. */
#define PLANES_GAIN 8u
/* The pieces are chosen anew after 1, 4, 16 ... PAUSE_MOST further blocks. */
#define PAUSE_GROWS 4u
#define PAUSE_MOST  256u

/* ---- Selection of rows ----------------------------------------------------------------------- */

static inline uint32_t u32_at(const uint8_t *from)
{
    uint32_t v;
    memcpy(&v, from, sizeof v);
    return v;
}

static uint32_t row_u32(const uint8_t *row, const struct fmt_field *field)
{
    return u32_at(row + field->offset);
}

static const struct fmt_field *role_field(const struct fmt_schema *schema, enum fmt_role role)
{
    int32_t i = schema->role_field[role];
    return i < 0 ? NULL : &schema->fields[i];
}

/* Returns the number of consecutive rows from pos on that have the given payload size and end
 * before limit. bytes: size of such a row with its payload. This fast path selects most rows. */
static uint32_t rows_alike(const struct fmt_sealer *s, const uint8_t *rows, size_t pos,
                           size_t limit, const struct fmt_field *payload, uint32_t payload_size,
                           size_t bytes)
{
    assert(bytes >= s->kind->schema->row_size && bytes % 8 == 0 && pos <= limit + bytes);
    size_t most = pos < limit ? (limit - pos) / bytes : 0;
    uint32_t room = FMT_BLOCK_RECORDS_MAX - s->n_rows, n = 0;
    most = most < room ? most : room;
    if (payload == NULL) {
        return (uint32_t)most;
    }
    const uint8_t *size = rows + pos + payload->offset;
    const uint8_t *last = size + (most & ~(size_t)3) * bytes;
    for (; size < last; size += 4 * bytes) {
        const uint8_t *half = size + 2 * bytes;
        if (u32_at(size) != payload_size || u32_at(size + bytes) != payload_size ||
            u32_at(half) != payload_size || u32_at(half + bytes) != payload_size) {
            break;
        }
        n += 4;
    }
    for (; n < most && u32_at(size) == payload_size; size += bytes) {
        n++;
    }
    return n;
}

/* Adds n rows of `bytes` bytes each to the selected rows; pos: offset of the first one. Offsets are
 * stored only if the rows of the block have different sizes. */
static void rows_add(struct fmt_sealer *s, size_t pos, uint32_t n, size_t bytes)
{
    for (uint32_t i = s->one_size ? n : 0; i < n; i++) {
        s->row_offset[s->n_rows + i] = (uint32_t)(pos + i * bytes);
    }
    s->n_rows += n;
}

static struct fmt_kind_memory *kind_find(const struct fmt_sealer *s,
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
    size_t limit = size <= s->block_bytes ? size : s->block_usual;
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
        if (s->n_rows == 0) {
            s->row_bytes = bytes;
            first_size = payload_size;
            if (limit < size && limit / bytes > ROWS_UNIT) {
                limit -= limit % (bytes * ROWS_UNIT);
            }
        } else if (pos + bytes > limit) {
            break;
        } else if (s->one_size && payload_size != first_size) {
            uint32_t n = s->n_rows;
            s->one_size = false;
            s->n_rows = 0;
            rows_add(s, 0, n, s->row_bytes);
        }
        uint32_t n = 1 + rows_alike(s, rows, pos + bytes, limit, payload, payload_size, bytes);
        rows_add(s, pos, n, bytes);
        pos += n * bytes;
    }
    s->rows_size = pos;
    return pos;
}

/* ---- Columns --------------------------------------------------------------------------------- */

/* Adds a column to the table in the header, and its sizes to the sizes of the body. */
static void column_add(struct fmt_sealer *s, struct fmt_block_header *h, uint32_t encoding,
                       uint32_t width, size_t raw_size, size_t stored_size)
{
    assert(h->stored_size + stored_size <= s->block_bytes && stored_size <= raw_size);
    struct fmt_column c = {encoding, width, (uint32_t)raw_size, (uint32_t)stored_size};
    fmt_column_encode(s->out + FMT_BLOCK_FIXED + (size_t)h->n_columns * FMT_COLUMN_ENTRY, &c);
    h->n_columns++;
    h->raw_size += raw_size;
    h->stored_size += stored_size;
}

static uint8_t *column_place(struct fmt_sealer *s, const struct fmt_block_header *h)
{
    return s->out + h->header_size + h->stored_size;
}

/* Adds the first size bytes of s->column, which are values of `width` bytes, to the block as its
 * next column. Compresses the values by LZ4 if they become smaller. */
static void bytes_store(struct fmt_sealer *s, struct fmt_block_header *h, size_t size,
                        uint32_t width)
{
    const struct fmt_values values = {s->column, (uint32_t)(size / width), width};
    uint32_t encoding;
    size_t stored = fmt_column_write_plain(s->memory, &values, column_place(s, h), &encoding);
    column_add(s, h, encoding, width, size, stored);
}

/* Stores the values of column k at `to`. *encoding receives the encoding used. Returns the size in
 * bytes; 0 if it exceeds capacity. */
static size_t values_store(struct fmt_sealer *s, uint32_t k, uint8_t *to, size_t capacity,
                           uint32_t *encoding)
{
    struct fmt_gather *c = &s->kind->columns[k];
    struct fmt_column_state *state = &s->kind->states[k], none = {0};
    struct fmt_values values = {c->values, c->varies ? s->n_rows : 1, c->width};
    if (!c->varies) {
        uint32_t raw;
        *encoding = FMT_ENCODING_CONST;
        return fmt_column_write(s->memory, &values, &none, to, capacity, &raw);
    }
    if (s->is_plain) {
        return fmt_column_write_plain(s->memory, &values, to, encoding);
    }
    size_t size = fmt_column_write(s->memory, &values, state, to, capacity, encoding);
    c->varies = *encoding != FMT_ENCODING_FRAME || state->frame.bits > 0;
    return size;
}

/* ---- Payloads -------------------------------------------------------------------------------- */

/* Appends the pieces of payloads of `width` bytes to kind->columns, after the columns of the
 * fields. Returns the new number of columns. */
static uint32_t pieces_list(struct fmt_kind_memory *kind, uint32_t width)
{
    const uint32_t row_size = kind->schema->row_size;
    uint32_t n = kind->schema->n_fields;
    for (uint32_t at = 0; at < width;) {
        uint32_t left = width - at;
        bool half = left < 8 || kind->halves[at / 8] || at % 8 != 0;
        uint32_t piece = !half ? 8 : left >= 4 ? 4 : left;
        kind->columns[n].offset = row_size + at;
        kind->columns[n].width = piece;
        n++;
        at += piece;
    }
    return n;
}

/* Returns the size in bytes that a piece of the payloads has in its best encoding. The piece has
 * `width` bytes at `offset` of each row. */
static size_t piece_try(struct fmt_sealer *s, const struct fmt_rows *rows, size_t offset,
                        uint32_t width)
{
    struct fmt_gather column = {(uint32_t)offset, width, s->values, false};
    struct fmt_column_state state = {0};
    uint32_t encoding;
    fmt_gather(rows, &column, 1);
    struct fmt_values values = {s->values, s->n_rows, width};
    return !column.varies ? width
                          : fmt_column_write(s->memory, &values, &state, s->out + FMT_HEADER_MAX,
                                             s->block_bytes, &encoding);
}

/* Chooses the way to store payloads of `width` bytes: as byte planes of the whole payload, or as
 * pieces. For pieces, chooses for each 8 bytes one piece of 8 bytes or two of 4 bytes. */
static void payload_choose(struct fmt_sealer *s, const struct fmt_rows *rows, uint32_t width)
{
    struct fmt_kind_memory *kind = s->kind;
    const uint32_t row_size = kind->schema->row_size;
    bool changes = kind->payload_width != width;
    size_t total = 2;
    for (uint32_t at = 0; at < width; at += 8) {
        size_t offset = row_size + at;
        if (width - at < 8) {
            total += 2 * FMT_PIECE_HEAD + (size_t)(width - at) * s->n_rows;
            continue;
        }
        size_t whole = piece_try(s, rows, offset, 8);
        size_t halves = piece_try(s, rows, offset, 4) + piece_try(s, rows, offset + 4, 4);
        bool is_half = halves + FMT_PIECE_HEAD < whole;
        changes = changes || is_half != kind->halves[at / 8];
        kind->halves[at / 8] = is_half;
        total += FMT_PIECE_HEAD + (is_half ? halves + FMT_PIECE_HEAD : whole);
    }
    size_t size = (size_t)width * s->n_rows;
    total = total < size ? total : size;
    fmt_gather_bytes(rows, row_size, width, s->column);
    struct fmt_values values = {s->column, s->n_rows, width};
    struct fmt_column_state state = {0};
    kind->payload_whole =
        fmt_column_write_way(s->memory, &values, &state, (struct fmt_way){FMT_ENCODING_SHUFFLE, 0},
                             s->out + FMT_HEADER_MAX, total - total / PLANES_GAIN) > 0;
    uint32_t pause = changes ? 1 : PAUSE_GROWS * kind->payload_pause;
    kind->payload_pause = kind->payload_left = pause < PAUSE_MOST ? pause : PAUSE_MOST;
    kind->payload_width = width;
    if (changes) { /* the old states describe other pieces */
        memset(kind->states + kind->schema->n_fields, 0,
               (2 * (size_t)(width / 8) + 2) * sizeof *kind->states);
    }
}

/* Stores the pieces, which are the gathered columns n_fields to n_columns - 1, as the last column
 * of the block. Returns false if they take more space than the payloads. */
static bool pieces_store(struct fmt_sealer *s, struct fmt_block_header *h, uint32_t n_columns)
{
    const uint32_t begin = s->kind->schema->n_fields, n = n_columns - begin;
    const uint32_t width = s->kind->payload_width;
    const size_t size = (size_t)width * s->n_rows;
    uint8_t *head = column_place(s, h) + 2;
    size_t used = 2 + (size_t)n * FMT_PIECE_HEAD;
    uint32_t encoding = FMT_ENCODING_PIECES;
    if (n == 1) {
        used = values_store(s, begin, column_place(s, h), size, &encoding);
        column_add(s, h, encoding, width, size, used);
        return true;
    }
    for (uint32_t k = 0; k < n; k++, head += FMT_PIECE_HEAD) {
        if (used >= size) {
            return false;
        }
        size_t stored =
            values_store(s, begin + k, column_place(s, h) + used, size - used, &encoding);
        if (stored == 0) {
            return false;
        }
        head[0] = (uint8_t)s->kind->columns[begin + k].width;
        head[1] = (uint8_t)encoding;
        fmt_put_u32(head + 2, (uint32_t)stored);
        used += stored;
    }
    fmt_put_u16(column_place(s, h), (uint16_t)n);
    column_add(s, h, FMT_ENCODING_PIECES, width, size, used);
    return true;
}

/* Stores the payloads, all of the same size, as the last column of the block. n_columns: number of
 * gathered columns, pieces included. */
static void payloads_store(struct fmt_sealer *s, struct fmt_block_header *h,
                           const struct fmt_rows *rows, uint32_t n_columns)
{
    const struct fmt_kind_memory *kind = s->kind;
    const uint32_t row_size = kind->schema->row_size, width = kind->payload_width;
    bool same = true;
    for (uint32_t k = kind->schema->n_fields; k < n_columns; k++) {
        same = same && !kind->columns[k].varies;
    }
    if (n_columns > kind->schema->n_fields && same) {
        memcpy(column_place(s, h), rows->first + row_size, width);
        column_add(s, h, FMT_ENCODING_CONST, width, (size_t)width * s->n_rows, width);
    } else if (n_columns == kind->schema->n_fields || !pieces_store(s, h, n_columns)) {
        fmt_gather_bytes(rows, row_size, width, s->column);
        if (width == 4 || width == 8) {
            fmt_words_turn(s->column, s->n_rows, width);
        }
        bytes_store(s, h, (size_t)width * s->n_rows, width);
    }
}

/* Stores the payloads of all rows, which have different sizes, as the last column of the block. */
static void payload_store(struct fmt_sealer *s, struct fmt_block_header *h, const uint8_t *rows,
                          const struct fmt_field *size_field)
{
    size_t row_size = s->kind->schema->row_size, total = 0;
    for (uint32_t i = 0; i < s->n_rows; i++) {
        const uint8_t *row = rows + fmt_sealer_row(s, i);
        size_t size = row_u32(row, size_field);
        assert(total + size <= s->block_bytes);
        memcpy(s->column + total, row + row_size, size);
        total += size;
    }
    bytes_store(s, h, total, 1);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

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
    h->body_hash = fmt_hash(s->out + h->header_size, h->stored_size);
    fmt_block_header_encode(s->out, h);
    s->out_size = h->header_size + h->stored_size;
}

/* Sets *min and *max to the smallest and the largest value of the field with this role. No effect
 * if there is no such field. */
static void range_set(const struct fmt_sealer *s, enum fmt_role role, double *min, double *max)
{
    int32_t field = s->kind->schema->role_field[role];
    if (field >= 0) {
        const struct fmt_gather *c = &s->kind->columns[field];
        fmt_range_find(c->values, c->varies ? s->n_rows : 1, min, max);
    }
}

/* Gathers the first n_columns columns of the rows into s->values, and sets the ranges of times in
 * the header. */
static void rows_gather(struct fmt_sealer *s, struct fmt_block_header *h,
                        const struct fmt_rows *rows, uint32_t n_columns)
{
    struct fmt_kind_memory *kind = s->kind;
    uint8_t *to = (uint8_t *)s->values;
    for (uint32_t k = 0; k < n_columns; k++) {
        kind->columns[k].values = to;
        to += fmt_align((uint64_t)s->n_rows * kind->columns[k].width, 8) + FMT_PACK_SLACK;
    }
    fmt_gather(rows, kind->columns, n_columns);
    range_set(s, FMT_ROLE_VIRTUAL_TIME, &h->min_virtual_time, &h->max_virtual_time);
    range_set(s, FMT_ROLE_REAL_TIME, &h->min_real_time, &h->max_real_time);
}

void fmt_sealer_seal_rows(struct fmt_sealer *s, const uint8_t *first, struct fmt_block_header *h)
{
    assert(s->kind != NULL && s->n_rows > 0);
    const struct fmt_schema *schema = s->kind->schema;
    const struct fmt_field *payload = role_field(schema, FMT_ROLE_PAYLOAD_SIZE);
    const uint32_t width = payload == NULL ? 0 : row_u32(first, payload);
    const bool one_size = s->one_size && width > 0 && width <= FMT_PIECES_WIDTH_MAX && !s->is_plain;
    struct fmt_rows rows = {first, s->row_offset, s->n_rows,
                            s->one_size ? (uint32_t)s->row_bytes : 0};
    uint32_t n_columns = schema->n_fields;
    if (!FMT_IS_LITTLE_ENDIAN) {
        fmt_rows_turn(&rows, s->kind->columns, schema->n_fields, s->rows_size, s->turned);
        rows.first = s->turned;
    }
    header_begin(h, fmt_schema_columns(schema));
    h->schema_id = schema->id;
    h->n_records = s->n_rows;
    if (one_size) {
        if (s->kind->payload_left == 0 || s->kind->payload_width != width) {
            payload_choose(s, &rows, width);
        }
        s->kind->payload_left--;
        n_columns = s->kind->payload_whole ? n_columns : pieces_list(s->kind, width);
    }
    rows_gather(s, h, &rows, n_columns);
    for (uint32_t i = 0; i < schema->n_fields; i++) {
        uint32_t encoding, column_width = s->kind->columns[i].width;
        size_t size = (size_t)column_width * s->n_rows;
        size_t stored = values_store(s, i, column_place(s, h), size, &encoding);
        column_add(s, h, encoding, column_width, size, stored);
    }
    if (one_size) {
        payloads_store(s, h, &rows, n_columns);
    } else if (payload != NULL) {
        payload_store(s, h, first, payload);
    }
    header_finish(s, h);
}

void fmt_sealer_seal_bytes(struct fmt_sealer *s, size_t size, struct fmt_block_header *h)
{
    assert(size <= s->block_bytes);
    header_begin(h, 1);
    bytes_store(s, h, size, 1);
    header_finish(s, h);
}
