/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thrift.c - writes structures in Thrift's compact protocol; see thrift.h.
 *
 * A field begins with a byte: the difference between its id and the previous one (1 to 15), and its
 * type. If the difference is larger, the byte has 0 in its place, and the id follows. Integers are
 * zigzag numbers (0, -1, 1, -2, ...) in groups of seven bits, lowest first, with bit 7 set in all
 * but the last. A struct ends with a 0.
 */
#include "export/parquet/thrift.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "export/varint.h"
#include "store/array.h"

enum { TRUE_TYPE = 1, FALSE_TYPE = 2, I8_TYPE = 3, I32_TYPE = 5, I64_TYPE = 6, LIST_TYPE = 9 };

static void raw(struct ws_thrift *t, const void *data, size_t size)
{
    assert(data != NULL || size == 0);
    t->failed = t->failed || !array_reserve(&t->bytes, &t->room, t->size + size, 1);
    if (!t->failed && size > 0) {
        memcpy(t->bytes + t->size, data, size);
        t->size += size;
    }
}

static void byte(struct ws_thrift *t, unsigned value)
{
    uint8_t b = (uint8_t)value;
    raw(t, &b, 1);
}

static void varint(struct ws_thrift *t, uint64_t value)
{
    uint8_t bytes[WS_VARINT_MAX];
    raw(t, bytes, (size_t)(ws_varint_write(bytes, value) - bytes));
}

static void zigzag(struct ws_thrift *t, int64_t value)
{
    varint(t, value < 0 ? ~((uint64_t)value << 1) : (uint64_t)value << 1);
}

static void header(struct ws_thrift *t, int16_t id, unsigned type)
{
    int16_t *last = &t->last[t->depth];
    int difference = id - *last;
    assert(difference > 0);
    if (difference <= 15) {
        byte(t, (unsigned)difference << 4 | type);
    } else {
        byte(t, type);
        zigzag(t, id);
    }
    *last = id;
}

void ws_thrift_i8(struct ws_thrift *t, int16_t id, int8_t value)
{
    header(t, id, I8_TYPE);
    byte(t, (uint8_t)value);
}

void ws_thrift_i32(struct ws_thrift *t, int16_t id, int32_t value)
{
    header(t, id, I32_TYPE);
    zigzag(t, value);
}

void ws_thrift_i64(struct ws_thrift *t, int16_t id, int64_t value)
{
    header(t, id, I64_TYPE);
    zigzag(t, value);
}

void ws_thrift_bool(struct ws_thrift *t, int16_t id, bool value)
{
    header(t, id, value ? TRUE_TYPE : FALSE_TYPE);
}

static void binary(struct ws_thrift *t, const void *data, size_t size)
{
    varint(t, size);
    raw(t, data, size);
}

void ws_thrift_binary(struct ws_thrift *t, int16_t id, const void *data, size_t size)
{
    header(t, id, WS_THRIFT_BINARY);
    binary(t, data, size);
}

void ws_thrift_string(struct ws_thrift *t, int16_t id, const char *text)
{
    ws_thrift_binary(t, id, text, strlen(text));
}

void ws_thrift_element_begin(struct ws_thrift *t)
{
    assert(t->depth + 1 < WS_THRIFT_DEPTH);
    t->last[++t->depth] = 0;
}

void ws_thrift_begin(struct ws_thrift *t, int16_t id)
{
    header(t, id, WS_THRIFT_STRUCT);
    ws_thrift_element_begin(t);
}

void ws_thrift_end(struct ws_thrift *t)
{
    byte(t, 0);
    if (t->depth > 0) {
        t->depth--;
    } else {
        t->last[0] = 0;
    }
}

void ws_thrift_list(struct ws_thrift *t, int16_t id, enum ws_thrift_type type, uint32_t n)
{
    header(t, id, LIST_TYPE);
    if (n < 15) {
        byte(t, (unsigned)n << 4 | (unsigned)type);
    } else {
        byte(t, 0xf0 | (unsigned)type);
        varint(t, n);
    }
}

void ws_thrift_element_i32(struct ws_thrift *t, int32_t value)
{
    zigzag(t, value);
}

void ws_thrift_element_string(struct ws_thrift *t, const char *text)
{
    binary(t, text, strlen(text));
}
