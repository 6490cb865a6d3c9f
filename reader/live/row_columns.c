/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_columns.c - converts rows of a journal to columns, in the form of a decoded block.
 */
#include <assert.h>
#include <string.h>

#include "live/private.h"
#include "store/array.h"

/* Returns the size in bytes of the payload of a row; 0 for kinds without payload. */
static uint32_t payload_size(const struct fmt_schema *schema, const uint8_t *row)
{
    int32_t field = schema->role_field[FMT_ROLE_PAYLOAD_SIZE];
    uint32_t size = 0;
    if (field >= 0) {
        memcpy(&size, row + schema->fields[field].offset, sizeof size);
    }
    return size;
}

uint32_t row_columns_find(struct row_columns *to, const struct fmt_schema *schema,
                          const uint8_t *rows, size_t size, size_t *consumed)
{
    size_t at = 0;
    uint32_t n = 0;
    while (size - at >= schema->row_size) {
        uint32_t payload = payload_size(schema, rows + at);
        size_t bytes = fmt_row_bytes(schema->row_size, payload);
        if (payload > FMT_PAYLOAD_MAX || bytes > size - at) {
            break;
        }
        if (!array_reserve(&to->offsets, &to->room_offsets, (size_t)n + 1, sizeof *to->offsets)) {
            return UINT32_MAX;
        }
        to->offsets[n++] = (uint32_t)at;
        at += bytes;
    }
    *consumed = at;
    return n;
}

/* Copies a value and converts it from the machine's byte order to little-endian. */
static inline void value_copy(uint8_t *to, const uint8_t *from, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        to[i] = from[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : size - 1 - i];
    }
}

static size_t aligned(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

/* Copies the payloads of the rows, one after another, to `payload`, and sets their offsets. */
static void payloads_copy(struct row_columns *to, const uint8_t *rows, uint32_t first,
                          uint8_t *payload)
{
    struct fmt_columns *c = &to->columns;
    c->payload = payload;
    c->payload_offset[0] = 0;
    for (uint32_t i = 0; i < c->n_records; i++) {
        const uint8_t *row = rows + to->offsets[first + i];
        uint32_t size = payload_size(c->schema, row);
        memcpy(payload + c->payload_offset[i], row + c->schema->row_size, size);
        c->payload_offset[i + 1] = c->payload_offset[i] + size;
    }
}

bool row_columns_make(struct row_columns *to, const struct fmt_schema *schema,
                      const struct fmt_wanted *wanted, const uint8_t *rows, uint32_t first,
                      uint32_t n)
{
    bool payload =
        schema->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0 && (wanted == NULL || wanted->payload);
    size_t pointers = aligned(schema->n_fields * sizeof(uint8_t *));
    size_t offsets = ((size_t)n + 1) * sizeof(uint64_t), size = pointers + offsets;
    for (uint32_t i = 0; i < schema->n_fields; i++) {
        size += aligned(n * fmt_type_size(schema->fields[i].type));
    }
    for (uint32_t i = 0; payload && i < n; i++) {
        size += payload_size(schema, rows + to->offsets[first + i]);
    }
    if (!array_reserve(&to->memory, &to->room, size, 1)) {
        return false;
    }
    struct fmt_columns *c = &to->columns;
    *c = (struct fmt_columns){.schema = schema, .n_records = n};
    c->values = (void *)to->memory;
    c->payload_offset = (void *)(to->memory + pointers);
    memset(c->payload_offset, 0, offsets);
    uint8_t *next = to->memory + pointers + offsets;
    for (uint32_t i = 0; i < schema->n_fields; i++) {
        const struct fmt_field *field = &schema->fields[i];
        size_t bytes = fmt_type_size(field->type);
        bool is_wanted = wanted == NULL || fmt_wanted_has(wanted, i);
        c->values[i] = is_wanted ? next : NULL;
        for (uint32_t r = 0; is_wanted && r < n; r++) {
            value_copy(next + r * bytes, rows + to->offsets[first + r] + field->offset, bytes);
        }
        next += aligned(n * bytes);
    }
    if (payload) {
        payloads_copy(to, rows, first, next);
    }
    assert(next <= to->memory + size);
    return true;
}

void row_columns_free(struct row_columns *columns)
{
    free(columns->offsets);
    free(columns->memory);
    *columns = (struct row_columns){0};
}
