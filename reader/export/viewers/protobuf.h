/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * protobuf.h - writes messages in the encoding of Protocol Buffers, field by field, into a growing
 * buffer. A field is a tag, then the value. The tag is the field number and the wire type. The
 * functions for numbers are in line, so that compilers compute the tags.
 */
#ifndef WARPSCOPE_READER_EXPORT_VIEWERS_PROTOBUF_H
#define WARPSCOPE_READER_EXPORT_VIEWERS_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export/varint.h"
#include "format/bytes.h"

/* Output of the writer. Zero-initialise. Call ws_protobuf_free() at the end. */
struct ws_protobuf {
    uint8_t *data; /* owned; the encoded bytes */
    size_t used, size;
    bool failed; /* true if memory was exhausted: `used` is then invalid */
};
void ws_protobuf_free(struct ws_protobuf *p);

/* Wire types: a varint; eight bytes; a length and that number of bytes. */
enum ws_wire { WS_WIRE_VARINT = 0, WS_WIRE_FIXED64 = 1, WS_WIRE_BYTES = 2 };

/* Makes space for n more bytes. Returns false if memory is exhausted, or was before. */
bool ws_protobuf_grow(struct ws_protobuf *p, size_t n);
static inline bool ws_protobuf_room(struct ws_protobuf *p, size_t n)
{
    return (!p->failed && p->size - p->used >= n) || ws_protobuf_grow(p, n);
}

static inline uint8_t *ws_tag_write(uint8_t *to, uint32_t field, enum ws_wire wire)
{
    return ws_varint_write(to, (uint64_t)field << 3 | wire);
}

/* Writes a field with an integer, encoded as a varint. */
static inline void ws_protobuf_u64(struct ws_protobuf *p, uint32_t field, uint64_t value)
{
    if (ws_protobuf_room(p, 2 * WS_VARINT_MAX)) {
        uint8_t *to = ws_tag_write(p->data + p->used, field, WS_WIRE_VARINT);
        p->used = (size_t)(ws_varint_write(to, value) - p->data);
    }
}

static inline void ws_protobuf_fixed64(struct ws_protobuf *p, uint32_t field, uint64_t value)
{
    if (ws_protobuf_room(p, WS_VARINT_MAX + 8)) {
        uint8_t *to = ws_tag_write(p->data + p->used, field, WS_WIRE_FIXED64);
        fmt_put_u64(to, value);
        p->used = (size_t)(to + 8 - p->data);
    }
}

void ws_protobuf_f64(struct ws_protobuf *p, uint32_t field, double value);
/* Writes a field with a string. Invalid UTF-8 in `text` becomes U+FFFD. */
void ws_protobuf_text(struct ws_protobuf *p, uint32_t field, const char *text);

/* Begins a field that is a message. The caller then writes the fields of this message and calls
 * ws_protobuf_end() with the value that this function returns. The length of a message precedes its
 * contents; one byte is reserved for it, which is nearly always enough. */
static inline size_t ws_protobuf_begin(struct ws_protobuf *p, uint32_t field)
{
    if (ws_protobuf_room(p, WS_VARINT_MAX + 1)) {
        p->used = (size_t)(ws_tag_write(p->data + p->used, field, WS_WIRE_BYTES) + 1 - p->data);
    }
    return p->used;
}
/* Ends a message whose length takes several bytes: moves its contents. */
void ws_protobuf_long_end(struct ws_protobuf *p, size_t begin);
static inline void ws_protobuf_end(struct ws_protobuf *p, size_t begin)
{
    if (!p->failed && p->used - begin < 0x80) {
        p->data[begin - 1] = (uint8_t)(p->used - begin);
    } else {
        ws_protobuf_long_end(p, begin);
    }
}

#endif
