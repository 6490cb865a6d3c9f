/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bytes.h - little-endian numbers, and encoding and decoding within the bounds of a buffer
 * (internal to format/).
 *
 * A fmt_out that would write beyond its capacity sets its member `full` instead. A fmt_in that
 * would read past its end sets its member `bad`, and from then on returns zeros and empty strings.
 * One check of these members after a sequence of calls is enough.
 */
#ifndef WARPSCOPE_FORMAT_BYTES_H
#define WARPSCOPE_FORMAT_BYTES_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* These functions write a number to memory, or read a number from it, in little-endian order. */
#define FMT_IS_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

static inline void fmt_put_u16(uint8_t *p, uint16_t v)
{
    v = FMT_IS_LITTLE_ENDIAN ? v : __builtin_bswap16(v);
    memcpy(p, &v, sizeof v);
}

static inline void fmt_put_u32(uint8_t *p, uint32_t v)
{
    v = FMT_IS_LITTLE_ENDIAN ? v : __builtin_bswap32(v);
    memcpy(p, &v, sizeof v);
}

static inline void fmt_put_u64(uint8_t *p, uint64_t v)
{
    v = FMT_IS_LITTLE_ENDIAN ? v : __builtin_bswap64(v);
    memcpy(p, &v, sizeof v);
}

static inline void fmt_put_f64(uint8_t *p, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    fmt_put_u64(p, bits);
}

static inline uint16_t fmt_get_u16(const uint8_t *p)
{
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return FMT_IS_LITTLE_ENDIAN ? v : __builtin_bswap16(v);
}

static inline uint32_t fmt_get_u32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return FMT_IS_LITTLE_ENDIAN ? v : __builtin_bswap32(v);
}

static inline uint64_t fmt_get_u64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return FMT_IS_LITTLE_ENDIAN ? v : __builtin_bswap64(v);
}

static inline double fmt_get_f64(const uint8_t *p)
{
    uint64_t bits = fmt_get_u64(p);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Returns v rounded up to a multiple of unit, a power of two. */
static inline uint64_t fmt_align(uint64_t v, uint64_t unit)
{
    assert(unit != 0 && (unit & (unit - 1)) == 0);
    return (v + unit - 1) & ~(unit - 1);
}

/* Encoder that writes to a buffer of fixed capacity. If data is NULL, it only counts the bytes. */
struct fmt_out {
    uint8_t *data;
    size_t capacity;
    size_t size;
    /* True if an item did not fit: the contents are then invalid. */
    bool full;
};

void fmt_out_bytes(struct fmt_out *out, const void *data, size_t size);
void fmt_out_u8(struct fmt_out *out, uint8_t v);
void fmt_out_u16(struct fmt_out *out, uint16_t v);
void fmt_out_u32(struct fmt_out *out, uint32_t v);
void fmt_out_u64(struct fmt_out *out, uint64_t v);
void fmt_out_f64(struct fmt_out *out, double v);
/* Writes a string as u16 length and bytes, without a terminator. A text of more than 65535 bytes is
 * truncated. NULL is written as "". */
void fmt_out_string(struct fmt_out *out, const char *text);
/* Writes zeros until the size is a multiple of 8 bytes. */
void fmt_out_pad8(struct fmt_out *out);

/* Decoder that reads a buffer. */
struct fmt_in {
    const uint8_t *data;
    size_t size;
    size_t pos;
    bool bad; /* true once bytes were missing or invalid */
};

/* Returns the next size bytes. If there are fewer, sets in->bad and returns NULL. */
const uint8_t *fmt_in_bytes(struct fmt_in *in, size_t size);
uint8_t fmt_in_u8(struct fmt_in *in);
uint16_t fmt_in_u16(struct fmt_in *in);
uint32_t fmt_in_u32(struct fmt_in *in);
uint64_t fmt_in_u64(struct fmt_in *in);
double fmt_in_f64(struct fmt_in *in);
/* Returns a decoder for the next size bytes, and skips them. If there are fewer, sets in->bad and
 * returns an empty decoder whose `bad` is true. */
struct fmt_in fmt_in_part(struct fmt_in *in, size_t size);

/* Memory for decoded strings and tables: one buffer, allocated from front to back; tables are
 * 8-aligned. A request beyond the capacity sets `full` and returns NULL. */
struct fmt_arena {
    uint8_t *data;
    size_t capacity;
    size_t size;
    bool full;
};

void *fmt_arena_take(struct fmt_arena *arena, size_t count, size_t unit);
/* Reads a string (u16 length and bytes). Returns a copy of the string in `arena`, with a
 * terminator. If the string contains a zero byte, sets in->bad. Returns "" after a failure, never
 * NULL. */
const char *fmt_in_string(struct fmt_in *in, struct fmt_arena *arena);
/* Variant of fmt_in_string() for a string of size bytes without a length in front. */
const char *fmt_in_text(struct fmt_in *in, size_t size, struct fmt_arena *arena);

/* Returns true if name matches [A-Za-z0-9_]+. */
bool fmt_name_valid(const char *name);

#endif
