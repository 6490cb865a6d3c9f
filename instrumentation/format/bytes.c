/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bytes.c - encoding and decoding within the bounds of a buffer, see bytes.h.
 */
#include "format/bytes.h"

#include <assert.h>

void fmt_out_bytes(struct fmt_out *out, const void *data, size_t size)
{
    assert(out->size <= out->capacity);
    if (out->full || size > out->capacity - out->size) {
        out->full = true;
        return;
    }
    if (out->data != NULL && size > 0) {
        memcpy(out->data + out->size, data, size);
    }
    out->size += size;
}

void fmt_out_u8(struct fmt_out *out, uint8_t v)
{
    fmt_out_bytes(out, &v, 1);
}

#define OUT_NUMBER(name, type)                                                                     \
    void fmt_out_##name(struct fmt_out *out, type v)                                               \
    {                                                                                              \
        uint8_t b[sizeof v];                                                                       \
        fmt_put_##name(b, v);                                                                      \
        fmt_out_bytes(out, b, sizeof b);                                                           \
    }
OUT_NUMBER(u16, uint16_t)
OUT_NUMBER(u32, uint32_t)
OUT_NUMBER(u64, uint64_t)
OUT_NUMBER(f64, double)

void fmt_out_string(struct fmt_out *out, const char *text)
{
    size_t length = text == NULL ? 0 : strlen(text);
    if (length > UINT16_MAX) {
        length = UINT16_MAX;
    }
    fmt_out_u16(out, (uint16_t)length);
    fmt_out_bytes(out, text, length);
}

void fmt_out_pad8(struct fmt_out *out)
{
    static const uint8_t zeros[8];
    fmt_out_bytes(out, zeros, (8 - out->size % 8) % 8);
}

const uint8_t *fmt_in_bytes(struct fmt_in *in, size_t size)
{
    assert(in->pos <= in->size);
    if (in->bad || size > in->size - in->pos) {
        in->bad = true;
        return NULL;
    }
    const uint8_t *p = in->data + in->pos;
    in->pos += size;
    return p;
}

uint8_t fmt_in_u8(struct fmt_in *in)
{
    const uint8_t *p = fmt_in_bytes(in, 1);
    return p == NULL ? 0 : *p;
}

#define IN_NUMBER(name, type)                                                                      \
    type fmt_in_##name(struct fmt_in *in)                                                          \
    {                                                                                              \
        const uint8_t *p = fmt_in_bytes(in, sizeof(type));                                         \
        return p == NULL ? 0 : fmt_get_##name(p);                                                  \
    }
IN_NUMBER(u16, uint16_t)
IN_NUMBER(u32, uint32_t)
IN_NUMBER(u64, uint64_t)
IN_NUMBER(f64, double)

struct fmt_in fmt_in_part(struct fmt_in *in, size_t size)
{
    static const uint8_t nothing[1];
    struct fmt_in part = {.data = fmt_in_bytes(in, size), .size = size};
    if (part.data == NULL) {
        part = (struct fmt_in){.data = nothing, .bad = true};
    }
    return part;
}

void *fmt_arena_take(struct fmt_arena *arena, size_t count, size_t unit)
{
    assert(unit > 0 && arena->size <= arena->capacity);
    size_t start = unit > 1 ? (size_t)fmt_align(arena->size, 8) : arena->size;
    if (arena->full || start > arena->capacity || count > (arena->capacity - start) / unit) {
        arena->full = true;
        return NULL;
    }
    arena->size = start + count * unit;
    return arena->data + start;
}

const char *fmt_in_text(struct fmt_in *in, size_t size, struct fmt_arena *arena)
{
    const uint8_t *p = fmt_in_bytes(in, size);
    if (p == NULL) {
        return "";
    }
    if (memchr(p, 0, size) != NULL) {
        in->bad = true;
        return "";
    }
    char *text = fmt_arena_take(arena, size + 1, 1);
    if (text == NULL) {
        return "";
    }
    memcpy(text, p, size);
    text[size] = '\0';
    return text;
}

const char *fmt_in_string(struct fmt_in *in, struct fmt_arena *arena)
{
    size_t size = fmt_in_u16(in);
    return fmt_in_text(in, size, arena);
}

bool fmt_name_valid(const char *name)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    return name != NULL && name[0] != '\0' && name[strspn(name, allowed)] == '\0';
}
