/*
 * bytes.h - little-endian numbers and bounded encoding and decoding (inside format/ only).
 *
 * A fmt_out refuses to grow past its capacity and a fmt_in to read past its end; both remember that
 * (full, bad), so that a sequence of calls needs one check at its end. After that a fmt_in yields
 * zeros and empty strings.
 */
#ifndef WARPSCOPE_FORMAT_BYTES_H
#define WARPSCOPE_FORMAT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Compilers turn these into single loads and stores on little-endian machines. */
static inline void fmt_put_u16(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline void fmt_put_u32(uint8_t *p, uint32_t v)
{
    fmt_put_u16(p, (uint16_t)v);
    fmt_put_u16(p + 2, (uint16_t)(v >> 16));
}

static inline void fmt_put_u64(uint8_t *p, uint64_t v)
{
    fmt_put_u32(p, (uint32_t)v);
    fmt_put_u32(p + 4, (uint32_t)(v >> 32));
}

static inline void fmt_put_f64(uint8_t *p, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    fmt_put_u64(p, bits);
}

static inline uint16_t fmt_get_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] | (unsigned)p[1] << 8);
}

static inline uint32_t fmt_get_u32(const uint8_t *p)
{
    return fmt_get_u16(p) | (uint32_t)fmt_get_u16(p + 2) << 16;
}

static inline uint64_t fmt_get_u64(const uint8_t *p)
{
    return fmt_get_u32(p) | (uint64_t)fmt_get_u32(p + 4) << 32;
}

static inline double fmt_get_f64(const uint8_t *p)
{
    uint64_t bits = fmt_get_u64(p);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* v rounded up to a multiple of unit, a power of two. */
static inline uint64_t fmt_align(uint64_t v, uint64_t unit)
{
    return (v + unit - 1) & ~(unit - 1);
}

/* Encoding into a buffer of fixed capacity. data NULL: only counts. */
struct fmt_out {
    uint8_t *data;
    size_t capacity;
    size_t size;
    bool full; /* something did not fit: the content is useless */
};

void fmt_out_bytes(struct fmt_out *out, const void *data, size_t size);
void fmt_out_u8(struct fmt_out *out, uint8_t v);
void fmt_out_u16(struct fmt_out *out, uint16_t v);
void fmt_out_u32(struct fmt_out *out, uint32_t v);
void fmt_out_u64(struct fmt_out *out, uint64_t v);
void fmt_out_f64(struct fmt_out *out, double v);
/* u16 length and bytes, no terminator; cut at 65535 bytes. NULL is "". */
void fmt_out_string(struct fmt_out *out, const char *text);
/* Zeros up to a multiple of 8. */
void fmt_out_pad8(struct fmt_out *out);

/* Decoding from a buffer. */
struct fmt_in {
    const uint8_t *data;
    size_t size;
    size_t pos;
    bool bad; /* something was missing or not valid */
};

/* The next size bytes, or NULL (and bad) if there are fewer. */
const uint8_t *fmt_in_bytes(struct fmt_in *in, size_t size);
uint8_t fmt_in_u8(struct fmt_in *in);
uint16_t fmt_in_u16(struct fmt_in *in);
uint32_t fmt_in_u32(struct fmt_in *in);
uint64_t fmt_in_u64(struct fmt_in *in);
double fmt_in_f64(struct fmt_in *in);
/* The next size bytes as an input of their own (empty and bad if there are fewer). */
struct fmt_in fmt_in_part(struct fmt_in *in, size_t size);

/* Where decoded strings and tables go: one block of memory, handed out front to back, 8-aligned for
 * tables. Asking for more than it has sets full and yields NULL. */
struct fmt_arena {
    uint8_t *data;
    size_t capacity;
    size_t size;
    bool full;
};

void *fmt_arena_take(struct fmt_arena *arena, size_t count, size_t unit);
/* A string (u16 length) copied with a terminator; a zero byte inside makes in bad. Never NULL. */
const char *fmt_in_string(struct fmt_in *in, struct fmt_arena *arena);
/* The same with size bytes of text. */
const char *fmt_in_text(struct fmt_in *in, size_t size, struct fmt_arena *arena);

/* [A-Za-z0-9_]+ */
bool fmt_name_valid(const char *name);

#endif
