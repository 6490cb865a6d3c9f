/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * protobuf.h - messages in the encoding of Protocol Buffers, written field after field into a piece
 * of memory that grows.
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
    bool failed; /* out of memory: used says nothing */
};
void ws_protobuf_free(struct ws_protobuf *p);

void ws_protobuf_u64(struct ws_protobuf *p, uint32_t field, uint64_t value); /* varint */
void ws_protobuf_fixed64(struct ws_protobuf *p, uint32_t field, uint64_t value);
void ws_protobuf_f64(struct ws_protobuf *p, uint32_t field, double value);
/* Must be UTF-8 for readers; what is not becomes U+FFFD. */
void ws_protobuf_text(struct ws_protobuf *p, uint32_t field, const char *text);

/* A message as a field: what is written between the two. Returns what end needs. */
size_t ws_protobuf_begin(struct ws_protobuf *p, uint32_t field);
void ws_protobuf_end(struct ws_protobuf *p, size_t begin);

#endif
