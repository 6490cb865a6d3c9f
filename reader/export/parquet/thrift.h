/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thrift.h - writes structures in Thrift's compact protocol, as far as Parquet's metadata need it:
 * structs of integers, booleans, binaries, lists and structs.
 *
 * Fields are written by ascending id. Memory: the size of the output. When memory runs out, failed
 * becomes true and further output is dropped.
 */
#ifndef WARPSCOPE_READER_EXPORT_PARQUET_THRIFT_H
#define WARPSCOPE_READER_EXPORT_PARQUET_THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WS_THRIFT_DEPTH 8

/* Types of the elements of a list. */
enum ws_thrift_type { WS_THRIFT_I32 = 5, WS_THRIFT_BINARY = 8, WS_THRIFT_STRUCT = 12 };

/* Output of the writer. Zero-initialise. Call free(bytes) at the end, even after an error. */
struct ws_thrift {
    uint8_t *bytes;
    size_t size, room;
    int16_t last[WS_THRIFT_DEPTH]; /* [i]: id of the field last written in the open struct i */
    uint32_t depth;                /* number of open structs, not counting the outermost one */
    bool failed;
};

/* The following functions write the field with the number `id` of the current struct. */
void ws_thrift_i8(struct ws_thrift *t, int16_t id, int8_t value);
void ws_thrift_i32(struct ws_thrift *t, int16_t id, int32_t value);
void ws_thrift_i64(struct ws_thrift *t, int16_t id, int64_t value);
void ws_thrift_bool(struct ws_thrift *t, int16_t id, bool value);
void ws_thrift_binary(struct ws_thrift *t, int16_t id, const void *data, size_t size);
void ws_thrift_string(struct ws_thrift *t, int16_t id, const char *text);

/* Begins a field that is a struct. The caller then writes the fields of this struct and calls
 * ws_thrift_end(). */
void ws_thrift_begin(struct ws_thrift *t, int16_t id);
/* Ends the current struct, which is a field, an element of a list, or the outermost struct. */
void ws_thrift_end(struct ws_thrift *t);

/* Begins a field that is a list of n elements of a type. The functions below write the elements. */
void ws_thrift_list(struct ws_thrift *t, int16_t id, enum ws_thrift_type type, uint32_t n);
void ws_thrift_element_i32(struct ws_thrift *t, int32_t value);
void ws_thrift_element_string(struct ws_thrift *t, const char *text);
/* Begins a list element that is a struct. The caller then writes the fields of this struct and
 * calls ws_thrift_end(). */
void ws_thrift_element_begin(struct ws_thrift *t);

#endif
