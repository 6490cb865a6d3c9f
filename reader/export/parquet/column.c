/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * column.c - one column of a row group of a Parquet file; see column.h.
 *
 * Definition levels, a term of Parquet, state which records have a value. They are encoded in the
 * format's hybrid of run-length encoding and bit packing, and a length of 4 bytes precedes them. If
 * all records or no records have a value, the levels are one repeated bit, otherwise one sequence
 * of bits. If a value is NaN, minimum and maximum are omitted, since programs disagree on the order
 * of NaN.
 */
#include "export/parquet/column.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/varint.h"
#include "format/bytes.h"
#include "render/text.h"

/* Maximum size of the header before the bits of the definition levels, in bytes. */
#define LEVELS_HEAD 16u
#define PACKED_HEAD 16u /* maximum size of the header before packed indices, in bytes */

bool ws_pq_column_init(struct ws_pq_column *q, const struct ws_column *column, uint32_t rows_max)
{
    static const uint32_t sizes[] = {
        [WS_PQ_INT32] = 4, [WS_PQ_INT64] = 8, [WS_PQ_FLOAT] = 4, [WS_PQ_DOUBLE] = 8};
    size_t bits = ((size_t)rows_max + 7) / 8;
    bool names = column->labels != NULL;
    bool bytes = ws_pq_type(column->type) == WS_PQ_BYTE_ARRAY && !names;
    *q = (struct ws_pq_column){.column = column, .gap = names ? PACKED_HEAD : 0};
    q->size = q->gap;
    q->value_size = bytes ? 0 : names ? sizeof(uint32_t) : sizes[ws_pq_type(column->type)];
    if (column->field < 0) {
        q->levels_room = bits + LEVELS_HEAD;
        q->present = calloc(1, bits);
    }
    q->room = bytes ? 4096 : q->gap + (size_t)rows_max * q->value_size;
    q->memory = malloc(q->levels_room + q->room);
    return q->memory != NULL && (q->present != NULL || column->field >= 0);
}

void ws_pq_column_fini(struct ws_pq_column *q)
{
    free(q->memory);
    free(q->present);
    *q = (struct ws_pq_column){0};
}

/* ---- Adding values --------------------------------------------------------------------------- */

size_t ws_pq_column_need(const struct ws_pq_column *q, const struct ws_record_batch_column *from,
                         uint32_t i)
{
    if (from->present != NULL && !from->present[i]) {
        return 0;
    }
    if (q->value_size > 0) {
        return q->value_size;
    }
    size_t size = ws_record_batch_bytes(from, i).size;
    return 4 + (q->column->type == FMT_CHAR ? utf8_repair_max(size) : size);
}

static uint8_t *room(struct ws_pq_column *q, size_t size)
{
    if (q->room - q->size < size) {
        size_t more = 2 * q->room + size;
        uint8_t *memory = realloc(q->memory, q->levels_room + more);
        if (memory == NULL) {
            return NULL;
        }
        q->memory = memory;
        q->room = more;
    }
    return q->memory + q->levels_room + q->size;
}

/* Adds value i of a batch, which is a string or bytes, to the column: first its length, then its
 * contents. Returns false if memory is exhausted. */
static bool bytes_add(struct ws_pq_column *q, const struct ws_record_batch_column *from, uint32_t i)
{
    struct ws_bytes bytes = ws_record_batch_bytes(from, i);
    uint8_t *to = room(q, ws_pq_column_need(q, from, i));
    if (to == NULL) {
        return false;
    }
    size_t size = bytes.size;
    if (q->column->type == FMT_CHAR) {
        char *text = (char *)to + 4;
        size = (size_t)(utf8_repair(text, bytes.bytes, bytes.size) - text);
    } else {
        memcpy(to + 4, bytes.bytes, size);
    }
    fmt_put_u32(to, (uint32_t)size);
    q->size += 4 + size;
    return true;
}

static bool value_add(struct ws_pq_column *q, const struct ws_record_batch_column *from, uint32_t i)
{
    const uint8_t *value = from->values + (size_t)i * q->column->size;
    if (q->value_size == 0) {
        return bytes_add(q, from, i);
    }
    uint8_t *to = room(q, q->value_size);
    if (to == NULL) {
        return false;
    }
    if (q->column->size == q->value_size) {
        memcpy(to, value, q->value_size);
    } else {
        const uint32_t type = q->column->type; /* an integer of 8 or 16 bits, which gets 32 */
        assert(type == FMT_U8 || type == FMT_U16 || type == FMT_I8 || type == FMT_I16);
        fmt_put_u32(to, (uint32_t)fmt_value_read(value, type).as.u);
    }
    q->size += q->value_size;
    return true;
}

bool ws_pq_column_add(struct ws_pq_column *q, const struct ws_record_batch_column *from,
                      uint32_t first, uint32_t end)
{
    assert(first <= end && end - first <= UINT32_MAX - q->n);
    size_t size = (size_t)(end - first) * q->value_size;
    if (q->present == NULL && q->column->size == q->value_size) {
        uint8_t *to = room(q, size);
        if (to == NULL) {
            return false;
        }
        memcpy(to, from->values + (size_t)first * q->value_size, size);
        q->size += size;
        q->n += end - first;
        return true;
    }
    for (uint32_t i = first; i < end; i++) {
        if (q->present == NULL || from->present[i]) {
            if (!value_add(q, from, i)) {
                return false;
            }
            if (q->present != NULL) {
                q->present[q->n / 8] |= (uint8_t)(1u << q->n % 8);
            }
        } else {
            q->n_nulls++;
        }
        q->n++;
    }
    return true;
}

void ws_pq_column_clear(struct ws_pq_column *q)
{
    if (q->present != NULL) {
        memset(q->present, 0, ((size_t)q->n + 7) / 8);
    }
    q->size = q->gap;
    q->n = 0;
    q->n_nulls = 0;
}

/* ---- Page ------------------------------------------------------------------------------------ */

/* Writes the levels, if the column has any, directly before the values. Returns a pointer to the
 * first byte of the page. */
static uint8_t *levels_put(struct ws_pq_column *q)
{
    assert(q->n_nulls <= q->n);
    uint8_t head[LEVELS_HEAD], *values = q->memory + q->levels_room;
    uint8_t *end;
    size_t bits = ((size_t)q->n + 7) / 8;
    if (q->present == NULL) {
        return values;
    }
    if (q->n_nulls == 0 || q->n_nulls == q->n) {
        end = ws_varint_write(head + 4, q->n << 1);
        *end++ = q->n_nulls == 0;
        bits = 0;
    } else {
        end = ws_varint_write(head + 4, (uint32_t)bits << 1 | 1);
    }
    size_t size = (size_t)(end - head) - 4;
    fmt_put_u32(head, (uint32_t)(size + bits));
    uint8_t *begin = values - bits - size - 4;
    assert(begin >= q->memory);
    memcpy(begin, head, size + 4);
    memcpy(begin + size + 4, q->present, bits);
    return begin;
}

/* Defines a function that stores the minimum and maximum of n values of a C type in *min and *max.
 * The function returns false if a value is NaN. */
#define RANGE(name, ctype, not_a_number)                                                           \
    static bool name(const uint8_t *values, size_t n, uint8_t *min, uint8_t *max)                  \
    {                                                                                              \
        ctype least, greatest, v;                                                                  \
        memcpy(&least, values, sizeof least);                                                      \
        greatest = least;                                                                          \
        for (size_t i = 0; i < n; i++) {                                                           \
            memcpy(&v, values + i * sizeof v, sizeof v);                                           \
            if (not_a_number) {                                                                    \
                return false;                                                                      \
            }                                                                                      \
            least = v < least ? v : least;                                                         \
            greatest = v > greatest ? v : greatest;                                                \
        }                                                                                          \
        memcpy(min, &least, sizeof least);                                                         \
        memcpy(max, &greatest, sizeof greatest);                                                   \
        return true;                                                                               \
    }
RANGE(range_u32, uint32_t, false)
RANGE(range_i32, int32_t, false)
RANGE(range_u64, uint64_t, false)
RANGE(range_i64, int64_t, false)
RANGE(range_f32, float, isnan(v))
RANGE(range_f64, double, isnan(v))

/* Sets the signs of zeros in a range: the format requires -0 as the minimum and +0 as the maximum.
 * A zero has no bit set except the sign, the highest bit of the last byte. */
static void zeros_sign(uint8_t *min, uint8_t *max, size_t size)
{
    static const uint8_t zeros[8];
    if (memcmp(min, zeros, size - 1) == 0 && (min[size - 1] & 0x7f) == 0) {
        min[size - 1] = 0x80;
    }
    if (memcmp(max, zeros, size - 1) == 0 && (max[size - 1] & 0x7f) == 0) {
        max[size - 1] = 0;
    }
}

static void range_find(const struct ws_pq_column *q, struct ws_pq_chunk *chunk)
{
    typedef bool (*range_f)(const uint8_t *, size_t, uint8_t *, uint8_t *);
    static const range_f ranges[] = {
        [FMT_U8] = range_u32,  [FMT_U16] = range_u32, [FMT_U32] = range_u32, [FMT_U64] = range_u64,
        [FMT_I8] = range_i32,  [FMT_I16] = range_i32, [FMT_I32] = range_i32, [FMT_I64] = range_i64,
        [FMT_F32] = range_f32, [FMT_F64] = range_f64};
    uint32_t type = q->column->type;
    chunk->range_size = 0;
    if (q->value_size == 0 || q->size == 0 || q->column->labels != NULL) {
        return;
    }
    if (ranges[type](q->memory + q->levels_room, q->size / q->value_size, chunk->min, chunk->max)) {
        chunk->range_size = q->value_size;
        if (ws_type_is_real(type)) {
            zeros_sign(chunk->min, chunk->max, q->value_size);
        }
    }
}

/* ---- Columns of names ------------------------------------------------------------------------ */

/* Returns the number of bits needed for an index into a list of n names. */
static unsigned width_of(uint32_t n)
{
    unsigned width = 1;
    while (n > 1u << width) {
        width++;
    }
    return width;
}

/* Packs the column's dictionary indices in place. If all indices are equal, they become one
 * repeated value. Otherwise each takes `width` bits, lowest bit first, and zeros pad them to a
 * multiple of 8 indices. No index is overwritten before it has been read. */
static void places_pack(struct ws_pq_column *q)
{
    uint8_t *to = q->memory + q->levels_room;
    const uint8_t *places = to + q->gap;
    size_t n = (q->size - q->gap) / sizeof(uint32_t), same = 1;
    assert(q->size >= q->gap);
    unsigned width = width_of(q->column->labels->known.n), bits = 0;
    uint64_t waiting = 0;
    uint32_t first = n > 0 ? fmt_get_u32(places) : 0;
    while (same < n && fmt_get_u32(places + same * sizeof first) == first) {
        same++;
    }
    *to++ = (uint8_t)width;
    if (n > 0 && same == n) {
        to = ws_varint_write(to, (uint32_t)n << 1);
        for (unsigned i = 0; i < width; i += 8) {
            *to++ = (uint8_t)(first >> i);
        }
    } else if (n > 0) {
        size_t groups = (n + 7) / 8;
        to = ws_varint_write(to, (uint32_t)groups << 1 | 1);
        for (size_t i = 0; i < groups * 8; i++) {
            waiting |= (uint64_t)(i < n ? fmt_get_u32(places + i * sizeof first) : 0) << bits;
            for (bits += width; bits >= 8; bits -= 8) {
                *to++ = (uint8_t)waiting;
                waiting >>= 8;
            }
        }
    }
    q->size = (size_t)(to - (q->memory + q->levels_room));
}

uint8_t *ws_pq_dictionary(const struct ws_pq_column *q, size_t *size)
{
    const struct ws_labels *labels = q->column->labels;
    size_t most = 1;
    for (uint32_t i = 0; i < labels->known.n; i++) {
        most += 4 + utf8_repair_max(strlen(labels->known.names[i]));
    }
    uint8_t *page = malloc(most), *to = page;
    for (uint32_t i = 0; page != NULL && i < labels->known.n; i++) {
        const uint8_t *name = (const uint8_t *)labels->known.names[i];
        char *end = utf8_repair((char *)to + 4, name, strlen(labels->known.names[i]));
        fmt_put_u32(to, (uint32_t)(end - (char *)to - 4));
        to = (uint8_t *)end;
    }
    *size = (size_t)(to - page);
    return page;
}

const uint8_t *ws_pq_column_page(struct ws_pq_column *q, struct ws_pq_chunk *chunk)
{
    if (q->column->labels != NULL) {
        places_pack(q);
    }
    const uint8_t *begin = levels_put(q);
    *chunk = (struct ws_pq_chunk){.column = q->column, .n_values = q->n, .n_nulls = q->n_nulls};
    chunk->page_size = (uint64_t)(q->memory + q->levels_room + q->size - begin);
    range_find(q, chunk);
    return begin;
}
