/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * protobuf.c - writes the encoding of Protocol Buffers; see protobuf.h. A field is a tag, then the
 * value. The tag is the field number and the wire type: 0 for a varint, 1 for eight bytes, 2 for a
 * length and that number of bytes.
 */
#include "export/viewers/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "render/text.h"
#include "store/array.h"

enum wire { VARINT = 0, FIXED64 = 1, BYTES = 2 };
#define VARINT_MAX 10u

void ws_protobuf_free(struct ws_protobuf *p)
{
    free(p->data);
    *p = (struct ws_protobuf){0};
}

static inline bool room(struct ws_protobuf *p, size_t n)
{
    if (p->failed) {
        return false;
    }
    p->failed = !array_reserve(&p->data, &p->size, p->used + n, 1);
    return !p->failed;
}

/* Writes a varint to `to`, which has VARINT_MAX bytes. Returns its end. */
static inline uint8_t *varint(uint8_t *to, uint64_t v)
{
    for (; v >= 0x80; v >>= 7) {
        *to++ = (uint8_t)(v | 0x80);
    }
    *to++ = (uint8_t)v;
    return to;
}

static inline uint8_t *tag(uint8_t *to, uint32_t field, enum wire wire)
{
    return varint(to, (uint64_t)field << 3 | wire);
}

void ws_protobuf_u64(struct ws_protobuf *p, uint32_t field, uint64_t value)
{
    if (room(p, 2 * VARINT_MAX)) {
        p->used = (size_t)(varint(tag(p->data + p->used, field, VARINT), value) - p->data);
    }
}

void ws_protobuf_fixed64(struct ws_protobuf *p, uint32_t field, uint64_t value)
{
    if (room(p, VARINT_MAX + 8)) {
        uint8_t *to = tag(p->data + p->used, field, FIXED64);
        for (int i = 0; i < 8; i++) {
            to[i] = (uint8_t)(value >> 8 * i);
        }
        p->used = (size_t)(to + 8 - p->data);
    }
}

void ws_protobuf_f64(struct ws_protobuf *p, uint32_t field, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    ws_protobuf_fixed64(p, field, bits);
}

void ws_protobuf_text(struct ws_protobuf *p, uint32_t field, const char *text)
{
    size_t length = strlen(text), begin = ws_protobuf_begin(p, field);
    if (room(p, utf8_repair_max(length))) {
        char *to = (char *)p->data + p->used;
        p->used += (size_t)(utf8_repair(to, text, length) - to);
        ws_protobuf_end(p, begin);
    }
}

/* The length of a message precedes its contents. The function reserves one byte for the length,
 * which is nearly always enough. Otherwise ws_protobuf_end() moves the contents. */
size_t ws_protobuf_begin(struct ws_protobuf *p, uint32_t field)
{
    if (room(p, VARINT_MAX + 1)) {
        p->used = (size_t)(tag(p->data + p->used, field, BYTES) + 1 - p->data);
    }
    return p->used;
}

void ws_protobuf_end(struct ws_protobuf *p, size_t begin)
{
    if (!room(p, VARINT_MAX)) {
        return;
    }
    size_t length = p->used - begin, more = 0;
    for (size_t rest = length >> 7; rest > 0; rest >>= 7) {
        more++;
    }
    if (more > 0) {
        memmove(p->data + begin + more, p->data + begin, length);
    }
    varint(p->data + begin - 1, length);
    p->used += more;
}
