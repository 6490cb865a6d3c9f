/*
 * gather.c - from rows to columns, some rows at a time: they are read once per field, and a tile of
 * them stays in the nearest cache meanwhile. About 1 ns per value.
 */
#include "format/gather.h"

#include <string.h>

#include "format/bytes.h"

#define TILE_ROWS 128u

static uint64_t gather_8(uint8_t *to, const uint8_t *from, const uint32_t *offset, uint32_t n,
                         uint64_t first)
{
    uint64_t v, differ = 0;
    for (uint32_t i = 0; i < n; i++) {
        memcpy(&v, from + offset[i], sizeof v);
        differ |= v ^ first;
        fmt_put_u64(to + (size_t)i * 8, v);
    }
    return differ;
}

static uint64_t gather_4(uint8_t *to, const uint8_t *from, const uint32_t *offset, uint32_t n,
                         uint32_t first)
{
    uint32_t v, differ = 0;
    for (uint32_t i = 0; i < n; i++) {
        memcpy(&v, from + offset[i], sizeof v);
        differ |= v ^ first;
        fmt_put_u32(to + (size_t)i * 4, v);
    }
    return differ;
}

static uint64_t gather_2(uint8_t *to, const uint8_t *from, const uint32_t *offset, uint32_t n,
                         uint16_t first)
{
    uint16_t v;
    uint64_t differ = 0;
    for (uint32_t i = 0; i < n; i++) {
        memcpy(&v, from + offset[i], sizeof v);
        differ |= (uint64_t)v ^ first;
        fmt_put_u16(to + (size_t)i * 2, v);
    }
    return differ;
}

static uint64_t gather_1(uint8_t *to, const uint8_t *from, const uint32_t *offset, uint32_t n,
                         uint8_t first)
{
    uint64_t differ = 0;
    for (uint32_t i = 0; i < n; i++) {
        to[i] = from[offset[i]];
        differ |= (uint64_t)to[i] ^ first;
    }
    return differ;
}

/* Rows begin .. begin + n - 1 of a field of size bytes. */
static void gather_tile(struct fmt_gathered *column, const uint8_t *from, const uint32_t *offset,
                        uint32_t begin, uint32_t n, size_t size)
{
    uint8_t *to = column->values + begin * size;
    switch (size) {
    case 8:
        column->differ |= gather_8(to, from, offset + begin, n, column->first);
        break;
    case 4:
        column->differ |= gather_4(to, from, offset + begin, n, (uint32_t)column->first);
        break;
    case 2:
        column->differ |= gather_2(to, from, offset + begin, n, (uint16_t)column->first);
        break;
    default:
        column->differ |= gather_1(to, from, offset + begin, n, (uint8_t)column->first);
    }
}

/* A value's bits as a number. */
static uint64_t value_bits(const uint8_t *from, size_t size)
{
    uint64_t v8;
    uint32_t v4;
    uint16_t v2;
    switch (size) {
    case 8:
        memcpy(&v8, from, sizeof v8);
        return v8;
    case 4:
        memcpy(&v4, from, sizeof v4);
        return v4;
    case 2:
        memcpy(&v2, from, sizeof v2);
        return v2;
    default:
        return *from;
    }
}

void fmt_gather(const struct fmt_schema *schema, const uint8_t *rows, const uint32_t *row_offset,
                uint32_t n, uint8_t *memory, struct fmt_gathered *columns)
{
    for (uint32_t f = 0; f < schema->n_fields; f++) {
        const struct fmt_field *field = &schema->fields[f];
        size_t size = fmt_type_size(field->type);
        columns[f] = (struct fmt_gathered){
            .values = memory, .first = value_bits(rows + row_offset[0] + field->offset, size)};
        memory += size * n;
    }
    for (uint32_t begin = 0; begin < n; begin += TILE_ROWS) {
        uint32_t count = n - begin < TILE_ROWS ? n - begin : TILE_ROWS;
        for (uint32_t f = 0; f < schema->n_fields; f++) {
            const struct fmt_field *field = &schema->fields[f];
            gather_tile(&columns[f], rows + field->offset, row_offset, begin, count,
                        fmt_type_size(field->type));
        }
    }
}
