/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * protobuf.h - writes messages in the encoding of Protocol Buffers, field by field, into a growing
 * buffer.
 */
#ifndef WARPSCOPE_READER_EXPORT_VIEWERS_PROTOBUF_H
#define WARPSCOPE_READER_EXPORT_VIEWERS_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Output of the writer. Zero-initialise. Call ws_protobuf_free() at the end. */
struct ws_protobuf {
    uint8_t *data; /* owned; the encoded bytes */
    size_t used, size;
    bool failed; /* true if memory was exhausted: `used` is then invalid */
};
void ws_protobuf_free(struct ws_protobuf *p);

/* Writes a field with an integer, encoded as a varint. */
void ws_protobuf_u64(struct ws_protobuf *p, uint32_t field, uint64_t value);
void ws_protobuf_fixed64(struct ws_protobuf *p, uint32_t field, uint64_t value);
void ws_protobuf_f64(struct ws_protobuf *p, uint32_t field, double value);
/* Writes a field with a string. Invalid UTF-8 in `text` becomes U+FFFD. */
void ws_protobuf_text(struct ws_protobuf *p, uint32_t field, const char *text);

/* Begins a field that is a message. The caller then writes the fields of this message and calls
 * ws_protobuf_end() with the value that this function returns. */
size_t ws_protobuf_begin(struct ws_protobuf *p, uint32_t field);
void ws_protobuf_end(struct ws_protobuf *p, size_t begin);

#endif
