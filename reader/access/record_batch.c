/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_batch.c - stores records of one kind in memory as typed columns; see record_batch.h.
 */
#include "access/record_batch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "access/bind.h"

#define MEMORY_MAX   ((size_t)4 << 20)
#define CAPACITY_MAX 4096u

static size_t cell_size(const struct ws_column *column)
{
    bool bytes = column->type == FMT_CHAR || column->type == WS_TYPE_BYTES;
    bytes &= column->labels == NULL;
    return bytes ? sizeof(struct ws_bytes) : column->size;
}

/* Returns size rounded up to a multiple of 16, so that the next column is aligned. */
static size_t align(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

bool ws_record_batch_init(struct ws_record_batch *b, const struct ws_table_schema *kind,
                          const bool *wanted)
{
    assert(kind->n_columns > 0);
    size_t row = 0;
    *b = (struct ws_record_batch){.kind = kind};
    for (uint32_t c = 0; c < kind->n_columns; c++) {
        row += wanted == NULL || wanted[c] ? cell_size(&kind->columns[c]) + 1 : 0;
    }
    row += row == 0;
    size_t fit = MEMORY_MAX / row;
    b->capacity = fit > CAPACITY_MAX ? CAPACITY_MAX : fit == 0 ? 1 : (uint32_t)fit;
    b->columns = calloc(kind->n_columns, sizeof *b->columns);
    b->memory = malloc(b->capacity * row + 2 * align(1) * kind->n_columns);
    if (b->columns == NULL || b->memory == NULL) {
        return false;
    }
    uint8_t *at = b->memory;
    for (uint32_t c = 0; c < kind->n_columns; c++) {
        struct ws_record_batch_column *column = &b->columns[c];
        if (wanted != NULL && !wanted[c]) {
            continue;
        }
        column->values = column->memory = at;
        at += align(b->capacity * cell_size(&kind->columns[c]));
        if (kind->columns[c].field < 0) {
            column->present = at;
            at += align(b->capacity);
        }
    }
    return true;
}

void ws_record_batch_fini(struct ws_record_batch *b)
{
    free(b->columns);
    free(b->memory);
    *b = (struct ws_record_batch){0};
}

/* Copies a value, mostly of 8 or 4 bytes. */
static inline void value_copy(uint8_t *to, const uint8_t *from, size_t size)
{
    if (size == 8) {
        memcpy(to, from, 8);
    } else if (size == 4) {
        memcpy(to, from, 4);
    } else {
        memcpy(to, from, size);
    }
}

/* Copies values[rows[i]] for i < n to `to`. Each value has `size` bytes. */
static void gather(uint8_t *to, const uint8_t *values, const uint32_t *rows, uint32_t n,
                   size_t size)
{
    assert(size > 0);
    for (uint32_t i = 0; i < n; i++) {
        value_copy(to + i * size, values + rows[i] * size, size);
    }
}

/* Converts the value at `from` to a wider type of the same class (unsigned, signed or
 * floating-point), and stores it at `to`. */
static void widen(uint8_t *to, uint32_t to_type, const uint8_t *from, uint32_t from_type)
{
    struct fmt_value v = fmt_value_read(from, from_type);
    if (to_type == FMT_F64) {
        memcpy(to, &v.as.f, 8);
    } else {
        /* Copies the low bytes, since values are little-endian. */
        memcpy(to, &v.as.u, fmt_type_size(to_type));
    }
}

/* Returns the payload of record `row`. */
static inline const uint8_t *payload_of(const struct ws_rows *rows, uint32_t row)
{
    return rows->columns->payload + rows->columns->payload_offset[row];
}

/* Stores an element of the payloads of the chosen records from number first + from to first + to - 1,
 * which all have it. */
static void element_store(struct ws_record_batch *b, const struct ws_rows *rows, uint32_t first,
                          uint32_t from, uint32_t to, const struct ws_element *e)
{
    assert(to <= b->capacity && e->column < b->kind->n_columns);
    const struct ws_column *column = &b->kind->columns[e->column];
    const size_t size = column->size;
    uint8_t *memory = b->columns[e->column].memory;
    if (memory == NULL) {
        return;
    }
    memset(b->columns[e->column].present + from, 1, to - from);
    for (uint32_t i = from; i < to; i++) {
        const uint8_t *value = payload_of(rows, ws_rows_row(rows, first + i)) + e->offset;
        if (e->type == FMT_CHAR) {
            struct ws_bytes text = {value, strnlen((const char *)value, e->count)};
            memcpy(memory + i * sizeof text, &text, sizeof text);
        } else if (e->type != column->type) {
            widen(memory + i * size, column->type, value, e->type);
        } else {
            value_copy(memory + i * size, value, size);
        }
    }
}

static void bytes_store(struct ws_record_batch_column *to, const struct ws_rows *rows, uint32_t row,
                        uint32_t i)
{
    const uint64_t *offset = rows->columns->payload_offset;
    struct ws_bytes bytes = {payload_of(rows, row), (size_t)(offset[row + 1] - offset[row])};
    if (to->memory != NULL) {
        memcpy(to->memory + i * sizeof bytes, &bytes, sizeof bytes);
        to->present[i] = 1;
    }
}

/* Stores the payloads of n chosen records from number `first` on: for records in a row that have the
 * same treatment, element by element. */
static void payloads_store(struct ws_record_batch *b, const struct ws_rows *rows, uint32_t first,
                           uint32_t n)
{
    assert(n <= b->capacity);
    for (uint32_t from = 0, to = 0; from < n; from = to) {
        const uint32_t row = ws_rows_row(rows, first + from);
        const int32_t number = rows->plans[row];
        if (number == WS_PLAN_BYTES) {
            bytes_store(&b->columns[b->kind->bytes_column], rows, row, from);
        }
        do {
            to++;
        } while (number >= 0 && to < n && rows->plans[ws_rows_row(rows, first + to)] == number);
        const struct ws_plan *plan = number < 0 ? NULL : &b->kind->table.plans[number];
        for (uint32_t e = 0; number >= 0 && e < plan->n; e++) {
            element_store(b, rows, first, from, to, &plan->elements[e]);
        }
    }
}

static void labels_store(struct ws_record_batch_column *to, const struct ws_labels *labels,
                         const struct ws_rows *rows, uint32_t first, uint32_t n)
{
    uint64_t value = 0;
    uint32_t place = WS_NO_LABEL;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = ws_rows_row(rows, first + i);
        const uint64_t last = value;
        value = ws_whole_at(rows->columns, labels->field, row);
        /* Records in a row mostly have the same value. */
        if (i == 0 || value != last || labels->kind == WS_LABELS_SOURCES) {
            place = ws_label_place(labels, rows->columns, row);
        }
        memcpy(to->memory + i * sizeof place, &place, sizeof place);
        to->present[i] = place != WS_NO_LABEL;
    }
}

void ws_record_batch_fill(struct ws_record_batch *b, const struct ws_rows *rows, uint32_t first)
{
    assert(first <= rows->n);
    uint32_t n = rows->n - first < b->capacity ? rows->n - first : b->capacity;
    b->n = n;
    for (uint32_t c = 0; c < b->kind->n_columns; c++) {
        const struct ws_column *column = &b->kind->columns[c];
        struct ws_record_batch_column *to = &b->columns[c];
        if (to->memory == NULL) {
            continue;
        }
        if (column->labels != NULL) {
            labels_store(to, column->labels, rows, first, n);
            continue;
        }
        if (column->field < 0) {
            memset(to->present, 0, n);
            continue;
        }
        const uint8_t *values = rows->columns->values[column->field];
        assert(values != NULL);
        to->values = rows->rows == NULL ? values + (size_t)first * column->size : to->memory;
        if (rows->rows != NULL) {
            gather(to->memory, values, rows->rows + first, n, column->size);
        }
    }
    if (rows->plans != NULL) {
        payloads_store(b, rows, first, n);
    }
}
