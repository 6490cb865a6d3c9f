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

/* Zero-initialise. */
struct ws_protobuf {
    uint8_t *data; /* owned */
    size_t used, size;
    bool failed; /* out of memory: used is invalid */
};
void ws_protobuf_free(struct ws_protobuf *p);

void ws_protobuf_u64(struct ws_protobuf *p, uint32_t field, uint64_t value); /* varint */
void ws_protobuf_fixed64(struct ws_protobuf *p, uint32_t field, uint64_t value);
void ws_protobuf_f64(struct ws_protobuf *p, uint32_t field, double value);
/* text should be UTF-8; invalid bytes become U+FFFD. */
void ws_protobuf_text(struct ws_protobuf *p, uint32_t field, const char *text);

/* Begins a message as a field. Its fields follow, then ws_protobuf_end(). Returns the argument of
 * that call. */
size_t ws_protobuf_begin(struct ws_protobuf *p, uint32_t field);
void ws_protobuf_end(struct ws_protobuf *p, size_t begin);

#endif
