/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sealer.c - allocates the memory of a sealer, see seal.h.
 */
#include <assert.h>
#include <stdlib.h>

#include "format/schema.h"
#include "format/seal.h"

/* Size in bytes of the rows in a block. A block is larger if one record is larger. */
#define BLOCK_ROWS_BYTES (144u << 10)
/* The last block may be larger by 1/8, so that no small block follows it. */
#define BLOCK_REST_PART 8u

/* Sets the sizes of blocks. The usual size is half an extent, so that little space at the end of an
 * extent stays unused, but at most BLOCK_ROWS_BYTES. A block has space for at least one record, and
 * fits into an extent. */
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

/* Returns the maximum number of bytes per record that the sealer gathers into columns. These bytes
 * are the fields, and the payload unless it is longer than FMT_PIECES_WIDTH_MAX. */
static size_t row_bytes_gathered(const struct fmt_sealer *s, const struct fmt_schema *schema)
{
    size_t payload = fmt_schema_has_payload(schema) ? s->row_bytes_max - schema->row_size : 0;
    return schema->row_size + (payload < FMT_PIECES_WIDTH_MAX ? payload : FMT_PIECES_WIDTH_MAX);
}

/* Returns the maximum number of columns, including pieces, if `bytes` bytes of each record are
 * gathered. */
static size_t columns_max(const struct fmt_schema *schema, size_t bytes)
{
    return schema->n_fields + (bytes - schema->row_size) / 4 + 2;
}

static bool kind_create(struct fmt_kind_memory *kind, const struct fmt_schema *schema, size_t bytes)
{
    size_t n = columns_max(schema, bytes);
    *kind = (struct fmt_kind_memory){.schema = schema,
                                     .columns = calloc(n, sizeof *kind->columns),
                                     .states = calloc(n, sizeof *kind->states),
                                     .halves = calloc(bytes / 8, sizeof *kind->halves)};
    for (uint32_t i = 0; kind->columns != NULL && i < schema->n_fields; i++) {
        kind->columns[i].offset = schema->fields[i].offset;
        kind->columns[i].width = (uint32_t)fmt_type_size(schema->fields[i].type);
    }
    return kind->columns != NULL && kind->states != NULL && kind->halves != NULL;
}

/* Allocates the memory for each kind of records. Returns false if memory is exhausted. */
static bool kinds_create(struct fmt_sealer *s, const struct fmt_schema *const *schemas,
                         uint32_t n_schemas)
{
    size_t most = 0;
    s->kinds = calloc(n_schemas, sizeof *s->kinds);
    if (s->kinds == NULL) {
        return false;
    }
    s->n_kinds = n_schemas;
    for (uint32_t i = 0; i < n_schemas; i++) {
        size_t bytes = row_bytes_gathered(s, schemas[i]);
        size_t n = columns_max(schemas[i], bytes);
        most = n > most ? n : most;
        if (!kind_create(&s->kinds[i], schemas[i], bytes)) {
            return false;
        }
    }
    /* Each column begins at a multiple of 8 bytes and has FMT_PACK_SLACK bytes behind it. */
    s->values = malloc(s->block_bytes + most * (8 + FMT_PACK_SLACK));
    return s->values != NULL;
}

struct fmt_sealer *fmt_sealer_create(const struct fmt_schema *const *schemas, uint32_t n_schemas,
                                     size_t row_bytes_max, const struct fmt_layout *layout)
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
    s->is_plain = layout->is_plain;
    block_bytes_choose(s, n_columns, layout->extent_size);
    size_t rows_max = s->block_bytes / row_size_least + 2;
    s->out = malloc(FMT_HEADER_MAX + s->block_bytes + FMT_PACK_SLACK);
    s->column = malloc(s->block_bytes + FMT_PACK_SLACK);
    s->turned = FMT_IS_LITTLE_ENDIAN ? NULL : malloc(s->block_bytes);
    s->row_offset = malloc(rows_max * sizeof *s->row_offset);
    s->memory = fmt_column_memory_create((uint32_t)rows_max, s->block_bytes);
    if (s->out != NULL && s->column != NULL && (FMT_IS_LITTLE_ENDIAN || s->turned != NULL) &&
        s->row_offset != NULL && s->memory != NULL && kinds_create(s, schemas, n_schemas)) {
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
    for (uint32_t i = 0; i < s->n_kinds; i++) {
        free(s->kinds[i].columns);
        free(s->kinds[i].states);
        free(s->kinds[i].halves);
    }
    free(s->kinds);
    free(s->out);
    free(s->column);
    free(s->turned);
    free(s->values);
    free(s->row_offset);
    fmt_column_memory_destroy(s->memory);
    free(s);
}
