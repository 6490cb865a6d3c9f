/*
 * seal.c - from rows to a sealed block.
 *
 * The values are gathered from the rows. Then column by column: one value repeated is stored once,
 * anything else is shuffled into byte planes and given to LZ4, and stays as it is where that does
 * not shrink it. Payloads of all records together are one more column; if they are of one size they
 * are shuffled with that size as width, so that the model's fields become columns as well.
 *
 * Invariants: (1) the sealed block is never larger than its header and its rows; (2) no byte of the
 * rows' padding gets into it. Cost: 15-40 ns per 64-byte record, half of it LZ4; no allocation.
 */
#include "format/seal.h"

#include <lz4.h>
#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

#include "format/bytes.h"
#include "format/schema.h"
#include "format/shuffle.h"

#define BLOCK_ROWS_BYTES  (128u << 10) /* rows of a block if one record is not larger */
#define SHUFFLE_WIDTH_MAX 4096u        /* wider payloads are not shuffled */
#define PREFETCH_BYTES    2048u        /* ahead: as far as memory is slow */
#define COMPRESS_MIN      32u          /* columns below stay as they are */
#define LZ4_ACCELERATION  4            /* a fifth faster than 1, files 1 % larger */

/* Half an extent, so that little of extents stays empty; what fits; one record at least. */
static size_t block_bytes_choose(uint32_t n_columns, size_t row_bytes_max, size_t extent_size)
{
    size_t header = FMT_BLOCK_FIXED + FMT_COLUMN_ENTRY * n_columns;
    size_t bytes = extent_size / 2 < BLOCK_ROWS_BYTES ? extent_size / 2 : BLOCK_ROWS_BYTES;
    if (bytes > extent_size - header) {
        bytes = extent_size - header;
    }
    return bytes < row_bytes_max ? row_bytes_max : bytes;
}

struct fmt_sealer *fmt_sealer_create(const struct fmt_schema *const *schemas, uint32_t n_schemas,
                                     size_t row_bytes_max, size_t extent_size)
{
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
    s->block_bytes = block_bytes_choose(n_columns, row_bytes_max, extent_size);
    s->out = malloc(FMT_HEADER_MAX + s->block_bytes);
    s->column = malloc(s->block_bytes + 8);
    s->gathered = malloc(n_columns * sizeof *s->gathered);
    s->planes = malloc(s->block_bytes + 8);
    s->row_offset = malloc((s->block_bytes / row_size_least + 2) * sizeof *s->row_offset);
    s->lz4_state = malloc((size_t)LZ4_sizeofState());
    if (s->out != NULL && s->column != NULL && s->gathered != NULL && s->planes != NULL &&
        s->row_offset != NULL && s->lz4_state != NULL) {
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
    free(s->gathered);
    free(s->planes);
    free(s->row_offset);
    free(s->lz4_state);
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

size_t fmt_sealer_choose(struct fmt_sealer *s, const struct fmt_schema *schema, const uint8_t *rows,
                         size_t size, const char **wrong)
{
    const struct fmt_field *payload = role_field(schema, FMT_ROLE_PAYLOAD_SIZE);
    const size_t row_size = schema->row_size, row_bytes_max = s->row_bytes_max;
    const size_t block_bytes = s->block_bytes;
    uint32_t *offset = s->row_offset;
    uint32_t n = 0;
    size_t pos = 0;
    s->schema = schema;
    *wrong = NULL;
    while (pos < size && n < FMT_BLOCK_RECORDS_MAX) {
        if (size - pos < row_size) {
            *wrong = "the last record is not complete";
            break;
        }
        __builtin_prefetch(rows + pos + PREFETCH_BYTES); /* rows are where those before them end */
        size_t payload_size = payload == NULL ? 0 : row_u32(rows + pos, payload);
        size_t bytes = fmt_row_bytes(row_size, payload_size);
        if (payload_size > FMT_PAYLOAD_MAX || bytes > row_bytes_max) {
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
        offset[n++] = (uint32_t)pos;
        pos += bytes;
    }
    offset[n] = (uint32_t)pos;
    s->n_rows = n;
    return pos;
}

/* Least and greatest of n doubles at values, NaN left out; NaN, NaN if nothing remains. Four at a
 * time, as each comparison waits for the one before. */
static void range(const uint8_t *values, uint32_t n, double *min, double *max)
{
    double low[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    double high[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < n; i++) {
        double v = fmt_get_f64(values + (size_t)i * 8);
        low[i % 4] = v < low[i % 4] ? v : low[i % 4];
        high[i % 4] = v > high[i % 4] ? v : high[i % 4];
    }
    for (int k = 1; k < 4; k++) {
        low[0] = low[k] < low[0] ? low[k] : low[0];
        high[0] = high[k] > high[0] ? high[k] : high[0];
    }
    *min = low[0] <= high[0] ? low[0] : NAN;
    *max = low[0] <= high[0] ? high[0] : NAN;
}

/* Adds values (size bytes of width-byte values) to the block as the header's next column. */
static void column_store(struct fmt_sealer *s, struct fmt_block_header *h, const uint8_t *values,
                         size_t size, size_t width, bool same)
{
    struct fmt_column c = {.width = (uint32_t)width, .raw_size = (uint32_t)size};
    uint8_t *to = s->out + h->header_size + h->stored_size;
    if (same && size > width) {
        c.encoding = FMT_ENCODING_CONST;
        c.stored_size = c.width;
    } else if (size >= COMPRESS_MIN) {
        const uint8_t *from = values;
        if (width > 1) {
            fmt_shuffle(s->planes, values, width, size / width);
            from = s->planes;
        }
        int stored = LZ4_compress_fast_extState(s->lz4_state, (const char *)from, (char *)to,
                                                (int)size, (int)size - 1, LZ4_ACCELERATION);
        c.encoding = stored > 0 ? FMT_ENCODING_SHUFFLE : FMT_ENCODING_RAW;
        c.stored_size = (uint32_t)stored;
    }
    if (c.encoding == FMT_ENCODING_RAW) {
        c.stored_size = c.raw_size;
    }
    if (c.encoding != FMT_ENCODING_SHUFFLE) {
        memcpy(to, values, c.stored_size);
    }
    fmt_column_encode(s->out + FMT_BLOCK_FIXED + (size_t)h->n_columns * FMT_COLUMN_ENTRY, &c);
    h->n_columns++;
    h->raw_size += c.raw_size;
    h->stored_size += c.stored_size;
}

/* The payload bytes of all rows as the last column. */
static void payload_store(struct fmt_sealer *s, struct fmt_block_header *h, const uint8_t *rows,
                          const struct fmt_field *size_field)
{
    size_t row_size = s->schema->row_size, total = 0;
    size_t width = row_u32(rows + s->row_offset[0], size_field);
    for (uint32_t i = 0; i < s->n_rows; i++) {
        const uint8_t *row = rows + s->row_offset[i];
        size_t size = row_u32(row, size_field);
        memcpy(s->column + total, row + row_size, size);
        total += size;
        if (size != width) {
            width = 1;
        }
    }
    if (width == 0 || width > SHUFFLE_WIDTH_MAX) {
        width = 1;
    }
    column_store(s, h, s->column, total, width, false);
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
    h->body_hash = XXH3_64bits(s->out + h->header_size, h->stored_size);
    fmt_block_header_encode(s->out, h);
    s->out_size = h->header_size + h->stored_size;
}

void fmt_sealer_seal_rows(struct fmt_sealer *s, const uint8_t *rows, struct fmt_block_header *h)
{
    const struct fmt_schema *schema = s->schema;
    const struct fmt_field *payload = role_field(schema, FMT_ROLE_PAYLOAD_SIZE);
    header_begin(h, fmt_schema_columns(schema));
    h->schema_id = schema->id;
    h->n_records = s->n_rows;
    fmt_gather(schema, rows, s->row_offset, s->n_rows, s->column, s->gathered);
    for (uint32_t i = 0; i < schema->n_fields; i++) {
        const struct fmt_gathered *column = &s->gathered[i];
        size_t width = fmt_type_size(schema->fields[i].type);
        if (schema->role_field[FMT_ROLE_VIRTUAL_TIME] == (int32_t)i) {
            range(column->values, s->n_rows, &h->min_virtual_time, &h->max_virtual_time);
        }
        if (schema->role_field[FMT_ROLE_REAL_TIME] == (int32_t)i) {
            range(column->values, s->n_rows, &h->min_real_time, &h->max_real_time);
        }
        column_store(s, h, column->values, s->n_rows * width, width, column->differ == 0);
    }
    if (payload != NULL) {
        payload_store(s, h, rows, payload);
    }
    header_finish(s, h);
}

void fmt_sealer_seal_bytes(struct fmt_sealer *s, size_t size, struct fmt_block_header *h)
{
    header_begin(h, 1);
    column_store(s, h, s->column, size, 1, false);
    header_finish(s, h);
}
